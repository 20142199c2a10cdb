#include "task/ground_effect.h"

#include <algorithm>
#include <map>

#include "grounding/normal_form.h"

namespace asnets {

using grounding::Binding;
using pddl::Effect;

namespace {

constexpr std::size_t most_outcomes = 1U << 16;
constexpr double tolerance = 1e-9;

// Collects the literals of a conjunction; returns false if the effect is anything more.
bool collect(const Effect &effect, std::vector<pddl::Atom> &adds,
             std::vector<pddl::Atom> &removes) {
    switch (effect.kind) {
        case Effect::Kind::add: adds.push_back(effect.atom); return true;
        case Effect::Kind::remove: removes.push_back(effect.atom); return true;
        case Effect::Kind::conjunction:
            return std::all_of(effect.children.begin(), effect.children.end(),
                               [&](const Effect &child) { return collect(child, adds, removes); });
        default: return false;
    }
}

void normalise_conditions(Effect &effect) {
    effect.condition = grounding::negation_normal_form(effect.condition);
    for (Effect &child : effect.children) normalise_conditions(child);
}

}  // namespace

EffectGrounder::EffectGrounder(const pddl::Problem &problem, const pddl::Schema &schema,
                               const grounding::Variables &variables, const Ground &ground)
    : problem_(problem),
      schema_(schema),
      variables_(variables),
      ground_(ground),
      effect_(schema.effect) {
    normalise_conditions(effect_);
    simple_ = collect(schema.effect, adds_, removes_);
}

void EffectGrounder::store(Binding &binding, GroundAction &action, Task &task) {
    action.outcome_begin = task.outcomes.size();
    action.outcome_count = 1;
    if (simple_) {
        store_simple(binding, task);
        return;
    }
    conditions_.clear();
    std::vector<Branch> branches = expand(effect_, binding, unconditional);
    for (Branch &branch : branches) {
        std::sort(branch.items.begin(), branch.items.end());
        branch.items.erase(std::unique(branch.items.begin(), branch.items.end()),
                           branch.items.end());
    }
    std::vector<Branch> merged;
    std::map<std::vector<Item>, std::size_t> places;
    for (Branch &branch : branches) {
        const auto [place, is_new] = places.try_emplace(branch.items, merged.size());
        if (is_new)
            merged.push_back(std::move(branch));
        else
            merged[place->second].probability += branch.probability;
    }
    action.outcome_count = checked_id(merged.size());
    if (merged.size() == 1) merged[0].probability = 1;
    for (const Branch &branch : merged) store_branch(branch, task);
}

void EffectGrounder::store_simple(const Binding &binding, Task &task) const {
    std::vector<Id> added;
    std::vector<Id> removed;
    for (const pddl::Atom &atom : adds_) added.push_back(ground_.find(atom, binding));
    for (const pddl::Atom &atom : removes_) {
        const Id proposition = ground_.find(atom, binding);
        if (proposition != no_id) removed.push_back(proposition);
    }
    Outcome outcome;
    outcome.change = store_change(std::move(added), std::move(removed), task);
    outcome.conditional_begin = task.conditional_changes.size();
    task.outcomes.push_back(outcome);
}

std::vector<EffectGrounder::Branch> EffectGrounder::expand(const Effect &effect, Binding &binding,
                                                           Id condition) {
    std::vector<Branch> result(1);
    switch (effect.kind) {
        case Effect::Kind::add:
        case Effect::Kind::remove: {
            // An atom that can never be true is added only where the condition never holds.
            const Id proposition = ground_.find(effect.atom, binding);
            if (proposition != no_id)
                result[0].items.push_back(
                    {condition, proposition, effect.kind == Effect::Kind::add});
            break;
        }
        case Effect::Kind::conjunction:
            for (const Effect &child : effect.children)
                multiply(result, expand(child, binding, condition));
            break;
        case Effect::Kind::forall: expand_forall(effect, 0, binding, condition, result); break;
        case Effect::Kind::when: {
            GroundFormula inner = ground_formula(effect.condition, binding, variables_, ground_);
            if (inner.is_false()) break;
            if (inner.is_true()) return expand(effect.children[0], binding, condition);
            if (condition != unconditional)
                inner = conjoin({conditions_[condition], std::move(inner)});
            conditions_.push_back(std::move(inner));
            return expand(effect.children[0], binding, checked_id(conditions_.size() - 1));
        }
        case Effect::Kind::probabilistic: {
            result.clear();
            double sum = 0;
            for (std::size_t i = 0; i < effect.children.size(); ++i) {
                sum += effect.probabilities[i];
                if (effect.probabilities[i] <= 0) continue;
                for (Branch &branch : expand(effect.children[i], binding, condition)) {
                    branch.probability *= effect.probabilities[i];
                    result.push_back(std::move(branch));
                }
            }
            if (1 - sum > tolerance || result.empty()) result.push_back({1 - sum, {}});
            break;
        }
    }
    return result;
}

void EffectGrounder::expand_forall(const Effect &effect, std::size_t depth, Binding &binding,
                                   Id condition, std::vector<Branch> &result) {
    if (depth == effect.variables.size()) {
        multiply(result, expand(effect.children[0], binding, condition));
        return;
    }
    const Id variable = effect.variables[depth];
    for (const Id object : variables_[variable].objects->members) {
        ground_.database.interrupt.tick();
        binding[variable] = object;
        if (effect.children[0].kind == Effect::Kind::when &&
            fails_early(effect.children[0].condition, variable, binding, variables_, ground_))
            continue;
        expand_forall(effect, depth + 1, binding, condition, result);
    }
    binding[variable] = no_id;
}

void EffectGrounder::multiply(std::vector<Branch> &left, std::vector<Branch> &&right) const {
    if (right.size() == 1) {  // nothing random
        for (Branch &branch : left)
            branch.items.insert(branch.items.end(), right[0].items.begin(), right[0].items.end());
        return;
    }
    if (left.size() * right.size() > most_outcomes)
        throw problem_.domain_source->error(
            schema_.position, "action " + pddl::quote(schema_.name) + " has more than " +
                                  std::to_string(most_outcomes) + " outcomes in this problem");
    std::vector<Branch> product;
    for (const Branch &a : left)
        for (const Branch &b : right) {
            ground_.database.interrupt.tick();
            Branch both{a.probability * b.probability, a.items};
            both.items.insert(both.items.end(), b.items.begin(), b.items.end());
            product.push_back(std::move(both));
        }
    left = std::move(product);
}

// Items are sorted by condition; the unconditional ones come last.
void EffectGrounder::store_branch(const Branch &branch, Task &task) const {
    std::vector<ConditionalChange> conditional;
    std::vector<Id> always_added;
    for (const Item &item : branch.items)
        if (item.condition == unconditional && item.add) always_added.push_back(item.proposition);
    std::sort(always_added.begin(), always_added.end());
    Outcome outcome;
    outcome.probability = branch.probability;
    for (std::size_t i = 0; i < branch.items.size();) {
        const Id condition = branch.items[i].condition;
        std::vector<Id> added;
        std::vector<Id> removed;
        for (; i < branch.items.size() && branch.items[i].condition == condition; ++i) {
            const Item &item = branch.items[i];
            if (condition != unconditional &&
                std::binary_search(always_added.begin(), always_added.end(), item.proposition))
                continue;
            (item.add ? added : removed).push_back(item.proposition);
        }
        if (condition == unconditional) {
            outcome.change = store_change(std::move(added), std::move(removed), task);
        } else if (!added.empty() || !removed.empty()) {
            ConditionalChange change;
            change.condition =
                store_condition({}, {}, conditions_[condition], task, ground_.database.interrupt);
            change.change = store_change(std::move(added), std::move(removed), task);
            conditional.push_back(change);
        }
    }
    outcome.conditional_begin = task.conditional_changes.size();
    outcome.conditional_count = checked_id(conditional.size());
    task.conditional_changes.insert(task.conditional_changes.end(), conditional.begin(),
                                    conditional.end());
    task.outcomes.push_back(outcome);
}

}  // namespace asnets
