#include "network/structure.h"

#include <algorithm>
#include <map>
#include <set>

namespace asnets {

namespace {

using Objects = std::vector<Id>;

// Where the objects of a slot's atom come from.
struct Binding {
    bool is_parameter = false;
    Id id = no_id;  // a parameter's number, or an object
};

std::vector<Binding> bindings_of(const pddl::Problem &problem, const Signature::Schema &schema,
                                 const Signature::Slot &slot) {
    std::vector<Binding> result;
    for (const std::string &term : slot.terms) {
        const auto parameter = std::find(schema.parameters.begin(), schema.parameters.end(), term);
        if (parameter != schema.parameters.end()) {
            result.push_back({true, static_cast<Id>(parameter - schema.parameters.begin())});
            continue;
        }
        const auto object = std::lower_bound(
            problem.objects.begin(), problem.objects.end(), term,
            [](const pddl::Object &a, const std::string &b) { return a.name < b; });
        result.push_back({false, static_cast<Id>(object - problem.objects.begin())});
    }
    return result;
}

}  // namespace

NetworkStructure::NetworkStructure(std::shared_ptr<const Task> task, Pooling pooling)
    : signature(signature_of(*task->problem, pooling)), task_(std::move(task)) {
    const std::size_t predicate_count = signature.predicates.size();
    slots.resize(signature.schemas.size());
    // First the propositions; what is missing is collected, so that its rows are in order too.
    std::vector<std::set<Objects>> missing(predicate_count);
    std::vector<std::map<Objects, Id>> extra(predicate_count);
    const auto for_each_slot = [&](auto visit) {
        Objects objects;
        for (Id s = 0; s < signature.schemas.size(); ++s) {
            const Signature::Schema &schema = signature.schemas[s];
            for (Id slot = 0; slot < schema.slots.size(); ++slot) {
                const auto bindings = bindings_of(*task_->problem, schema, schema.slots[slot]);
                for (Id row = 0; row < action_rows(s); ++row) {
                    const auto parameters = task_->objects_of_action(task_->schema_begin[s] + row);
                    objects.clear();
                    for (const Binding &each : bindings)
                        objects.push_back(each.is_parameter ? parameters[each.id] : each.id);
                    visit(s, row, slot, schema.slots[slot].predicate, objects);
                }
            }
        }
    };
    for (Id s = 0; s < slots.size(); ++s)
        slots[s].resize(action_rows(s) * signature.schemas[s].slots.size());
    for_each_slot([&](Id s, Id row, Id slot, Id predicate, const Objects &objects) {
        const Id proposition = task_->find_proposition(predicate, objects);
        if (proposition == no_id) missing[predicate].insert(objects);
        slots[s][row * signature.schemas[s].slots.size() + slot] =
            proposition == no_id ? no_id : proposition - task_->predicate_begin[predicate];
    });
    goal.resize(predicate_count);
    bool complete = true;
    for (Id p = 0; p < predicate_count; ++p) {
        Id rows = task_->predicate_begin[p + 1] - task_->predicate_begin[p];
        for (const Objects &objects : missing[p]) extra[p][objects] = rows++;
        complete = complete && missing[p].empty();
        goal[p].resize(rows);
    }
    if (!complete)
        for_each_slot([&](Id s, Id row, Id slot, Id predicate, const Objects &objects) {
            Id &place = slots[s][row * signature.schemas[s].slots.size() + slot];
            if (place == no_id) place = extra[predicate].at(objects);
        });
    for (const Id proposition : task_->positive(task_->goal)) {
        const Id p = task_->predicate_of(proposition);
        goal[p][proposition - task_->predicate_begin[p]] = 1;
    }
    pools.resize(predicate_count);
    for (Id p = 0; p < predicate_count; ++p) fill_pools(p);
}

void NetworkStructure::fill_pools(Id predicate) {
    for (const Signature::Pool &each : signature.predicates[predicate].pools) {
        const std::size_t width = signature.schemas[each.schema].slots.size();
        const std::size_t actions = action_rows(each.schema);
        const auto for_each = [&](auto visit) {
            for (std::size_t action = 0; action < actions; ++action)
                for (const Id slot : each.slots)
                    visit(slots[each.schema][action * width + slot], static_cast<Id>(action));
        };
        Pool &pool = pools[predicate].emplace_back();
        pool.begin.assign(proposition_rows(predicate) + 1, 0);
        pool.members.resize(actions * each.slots.size());
        for_each([&](Id row, Id) { ++pool.begin[row + 1]; });
        for (std::size_t row = 0; row + 1 < pool.begin.size(); ++row)
            pool.begin[row + 1] += pool.begin[row];
        std::vector<Id> next(pool.begin.begin(), pool.begin.end() - 1);
        for_each([&](Id row, Id action) { pool.members[next[row]++] = action; });
    }
}

}  // namespace asnets
