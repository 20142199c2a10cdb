#include "task/task.h"

#include <algorithm>
#include <unordered_map>

#include "base/draw.h"

namespace asnets {

namespace {

// The block of a lexicographic numbering that an id belongs to: blocks may be empty.
Id block_of(const std::vector<Id> &begins, Id id) {
    return static_cast<Id>(std::upper_bound(begins.begin(), begins.end(), id) - begins.begin() - 1);
}

// Binary search for a tuple among the rows of one block.
Id find_row(Id first, Id last, const Id *rows, std::span<const Id> tuple) {
    const Id end = last;
    const Id block = first;
    while (first < last) {
        const Id middle = first + (last - first) / 2;
        const Id *row = rows + static_cast<std::size_t>(middle - block) * tuple.size();
        if (std::lexicographical_compare(row, row + tuple.size(), tuple.begin(), tuple.end()))
            first = middle + 1;
        else
            last = middle;
    }
    if (first == end) return no_id;
    const Id *row = rows + static_cast<std::size_t>(first - block) * tuple.size();
    return std::equal(tuple.begin(), tuple.end(), row) ? first : no_id;
}

}  // namespace

bool Task::is_deterministic() const {
    return std::all_of(actions.begin(), actions.end(),
                       [](const GroundAction &action) { return action.outcome_count == 1; });
}

bool Task::has_unit_cost() const {
    return std::all_of(actions.begin(), actions.end(),
                       [](const GroundAction &action) { return action.cost == 1; });
}

Id Task::predicate_of(Id proposition) const {
    return block_of(predicate_begin, proposition);
}

std::span<const Id> Task::objects_of_proposition(Id proposition) const {
    const Id predicate = predicate_of(proposition);
    const std::size_t arity = problem->predicates[predicate].parameter_types.size();
    return {proposition_objects.data() + predicate_objects_begin[predicate] +
                static_cast<std::size_t>(proposition - predicate_begin[predicate]) * arity,
            arity};
}

std::string Task::proposition_name(Id proposition) const {
    std::string name = problem->predicates[predicate_of(proposition)].name;
    for (const Id object : objects_of_proposition(proposition))
        name += " " + problem->objects[object].name;
    return name;
}

Id Task::schema_of(Id action) const {
    return block_of(schema_begin, action);
}

std::span<const Id> Task::objects_of_action(Id action) const {
    const Id schema = schema_of(action);
    const std::size_t arity = problem->schemas[schema].arity;
    return {action_objects.data() + schema_objects_begin[schema] +
                static_cast<std::size_t>(action - schema_begin[schema]) * arity,
            arity};
}

std::string Task::action_name(Id action) const {
    std::string name = problem->schemas[schema_of(action)].name;
    for (const Id object : objects_of_action(action)) name += " " + problem->objects[object].name;
    return name;
}

Id Task::find_proposition(Id predicate, std::span<const Id> objects) const {
    return find_row(predicate_begin[predicate], predicate_begin[predicate + 1],
                    proposition_objects.data() + predicate_objects_begin[predicate], objects);
}

Id Task::find_action(Id schema, std::span<const Id> objects) const {
    return find_row(schema_begin[schema], schema_begin[schema + 1],
                    action_objects.data() + schema_objects_begin[schema], objects);
}

bool Task::holds(const Condition &condition, const State &state) const {
    for (const Id proposition : positive(condition))
        if (!state.holds(proposition)) return false;
    for (const Id proposition : negative(condition))
        if (state.holds(proposition)) return false;
    return condition.formula == no_id || formula_holds(condition.formula, state);
}

bool Task::formula_holds(Id formula, const State &state) const {
    const FormulaNode &node = formulas[formula];
    if (node.kind == FormulaNode::Kind::positive) return state.holds(static_cast<Id>(node.begin));
    if (node.kind == FormulaNode::Kind::negative) return !state.holds(static_cast<Id>(node.begin));
    const bool conjunction = node.kind == FormulaNode::Kind::conjunction;
    for (std::uint64_t i = node.begin; i < node.begin + node.count; ++i)
        if (formula_holds(formula_children[i], state) != conjunction) return !conjunction;
    return conjunction;
}

State Task::apply(const Outcome &outcome, const State &state) const {
    State next = state;
    for (const Id proposition : removed(outcome.change)) next.remove(proposition);
    if (outcome.conditional_count > 0)
        for (const ConditionalChange &each : conditional(outcome))
            if (each.change.remove_count > 0 && holds(each.condition, state))
                for (const Id proposition : removed(each.change)) next.remove(proposition);
    for (const Id proposition : added(outcome.change)) next.add(proposition);
    if (outcome.conditional_count > 0)
        for (const ConditionalChange &each : conditional(outcome))
            if (each.change.add_count > 0 && holds(each.condition, state))
                for (const Id proposition : added(each.change)) next.add(proposition);
    if (!axioms.empty()) derive(next);
    return next;
}

std::vector<std::pair<State, double>> Task::successors(const State &state, Id action) const {
    std::vector<std::pair<State, double>> result;
    std::unordered_multimap<std::uint64_t, std::size_t> places;  // by hash
    for (const Outcome &outcome : outcomes_of(action)) {
        State next = apply(outcome, state);
        const std::uint64_t hash = next.hash();
        auto [place, end] = places.equal_range(hash);
        while (place != end && result[place->second].first != next) ++place;
        if (place != end) {
            result[place->second].second += outcome.probability;
            continue;
        }
        places.emplace(hash, result.size());
        result.emplace_back(std::move(next), outcome.probability);
    }
    return result;
}

State Task::sample(const State &state, Id action, double uniform) const {
    return apply(draw(outcomes_of(action), &Outcome::probability, uniform), state);
}

}  // namespace asnets
