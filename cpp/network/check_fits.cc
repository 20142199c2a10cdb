#include "network/check_fits.h"

#include <algorithm>
#include <stdexcept>

namespace asnets {

namespace {

[[noreturn]] void refuse(const std::string &where, const std::string &model,
                         const std::string &task) {
    throw std::invalid_argument(where + " " + model + " in the model, " + task + " in the task");
}

// Both sides have the same names in the same order.
template <typename Named>
void check_names(const std::string &kind, const std::vector<Named> &model,
                 const std::vector<Named> &task) {
    const auto has = [](const std::vector<Named> &all, const std::string &name) {
        return std::ranges::find(all, name, &Named::name) != all.end();
    };
    for (const Named &each : model)
        if (!has(task, each.name))
            throw std::invalid_argument(kind + " " + each.name +
                                        " of the model is not in the task");
    for (const Named &each : task)
        if (!has(model, each.name))
            throw std::invalid_argument(kind + " " + each.name +
                                        " of the task is not in the model");
    for (std::size_t i = 0; i < model.size(); ++i)
        if (model[i].name != task[i].name)
            refuse(kind + " number " + std::to_string(i + 1), "is " + model[i].name, task[i].name);
}

std::string joined(const std::vector<std::string> &words, std::string before = "") {
    for (const std::string &word : words) before += (before.empty() ? "" : " ") + word;
    return "(" + before + ")";
}

// The task's signature with the model's names for variables: a domain does not change with them.
Signature renamed(const Signature &model, Signature task) {
    for (std::size_t s = 0; s < std::min(model.schemas.size(), task.schemas.size()); ++s) {
        const std::vector<std::string> &new_names = model.schemas[s].parameters;
        const std::vector<std::string> old_names = task.schemas[s].parameters;
        if (old_names.size() != new_names.size()) continue;
        task.schemas[s].parameters = new_names;
        for (Signature::Slot &slot : task.schemas[s].slots)
            for (std::string &term : slot.terms) {
                const auto found = std::ranges::find(old_names, term);
                if (found != old_names.end())
                    term = new_names[static_cast<std::size_t>(found - old_names.begin())];
            }
    }
    return task;
}

std::string slot_text(const Signature &signature, const Signature::Schema &schema, std::size_t i) {
    if (i >= schema.slots.size()) return "missing";
    return joined(schema.slots[i].terms, signature.predicates[schema.slots[i].predicate].name);
}

void check_schema(const Signature &model, const Signature &task, std::size_t s) {
    const Signature::Schema &ours = model.schemas[s];
    const Signature::Schema &theirs = task.schemas[s];
    if (ours.parameters != theirs.parameters)
        refuse("schema " + ours.name + ": parameters are", joined(ours.parameters),
               joined(theirs.parameters));
    for (std::size_t i = 0; i < std::max(ours.slots.size(), theirs.slots.size()); ++i) {
        const std::string in_model = slot_text(model, ours, i);
        const std::string in_task = slot_text(task, theirs, i);
        if (in_model != in_task)
            refuse("schema " + ours.name + ": slot " + std::to_string(i + 1) + " is", in_model,
                   in_task);
    }
}

}  // namespace

void check_fits(const NetworkWeights &weights, const NetworkStructure &structure) {
    const Signature &model = weights.signature;
    const Signature task = renamed(model, structure.signature);
    if (model == task) return;
    check_names("schema", model.schemas, task.schemas);
    for (std::size_t s = 0; s < model.schemas.size(); ++s) check_schema(model, task, s);
    check_names("predicate", model.predicates, task.predicates);
    for (std::size_t p = 0; p < model.predicates.size(); ++p) {
        const Signature::Predicate &ours = model.predicates[p];
        const Signature::Predicate &theirs = task.predicates[p];
        const std::string where = "predicate " + ours.name + ":";
        if (ours.arity != theirs.arity)
            refuse(where + " arity is", std::to_string(ours.arity), std::to_string(theirs.arity));
        if (ours.pools != theirs.pools)
            refuse(where + " the number of pools is", std::to_string(ours.pools.size()),
                   std::to_string(theirs.pools.size()));
    }
    throw std::invalid_argument("the model is for another domain");
}

}  // namespace asnets
