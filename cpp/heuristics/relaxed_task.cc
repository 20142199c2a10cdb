#include "heuristics/relaxed_task.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asnets {

namespace {

void sort_unique(std::vector<Id> &ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

RelaxedTask::RelaxedTask(const Task &task)
    : constant_(task.proposition_count()),
      negation_(task.proposition_count(), no_id),
      derived_(task.proposition_count()) {
    for (const GroundAxiom &axiom : task.axioms) derived_[axiom.head] = true;
    mark_constants(task);
    next_fact_ = static_cast<Id>(task.proposition_count());
    mark_negated(task);
    always_ = new_fact();
    goal = new_fact();
    scale_costs(task);

    std::vector<Id> facts;
    add_condition(task, task.goal, facts);
    add_operator(facts, {goal}, 0);
    for (Id action = 0; action < task.actions.size(); ++action) {
        std::vector<Id> precondition;
        add_condition(task, task.actions[action].precondition, precondition);
        const double cost = std::floor(task.actions[action].cost * scale_ + 1e-6);
        for (const Outcome &outcome : task.outcomes_of(action)) {
            const Id owner = checked_id(group_cost.size());
            group_cost.push_back(static_cast<Cost>(cost));
            group_action.push_back(action);
            facts.clear();
            add_change(task, outcome.change, facts);
            add_operator(precondition, facts, owner);
            for (const ConditionalChange &each : task.conditional(outcome)) {
                std::vector<Id> condition = precondition;
                add_condition(task, each.condition, condition);
                facts.clear();
                add_change(task, each.change, facts);
                add_operator(std::move(condition), facts, owner);
            }
        }
    }
    for (const GroundAxiom &axiom : task.axioms) {
        facts.clear();
        add_condition(task, axiom.body, facts);
        add_operator(facts, {axiom.head}, 0);
    }
    added_by = effects.inverted(next_fact_);
}

// A proposition that every initial state has and no outcome removes.
void RelaxedTask::mark_constants(const Task &task) {
    for (Id p = 0; p < task.proposition_count(); ++p)
        constant_[p] =
            !derived_[p] && std::all_of(task.initial_states.begin(), task.initial_states.end(),
                                        [p](const auto &each) { return each.first.holds(p); });
    const auto keep = [&](const Change &change) {
        for (const Id p : task.removed(change)) constant_[p] = false;
    };
    for (const Outcome &outcome : task.outcomes) keep(outcome.change);
    for (const ConditionalChange &each : task.conditional_changes) keep(each.change);
}

void RelaxedTask::mark_negated(const Task &task) {
    note_negated(task, task.goal);
    for (const GroundAction &action : task.actions) note_negated(task, action.precondition);
    for (const ConditionalChange &each : task.conditional_changes)
        note_negated(task, each.condition);
    for (const GroundAxiom &axiom : task.axioms) note_negated(task, axiom.body);
    for (const FormulaNode &node : task.formulas)
        if (node.kind == FormulaNode::Kind::negative)
            negated_.push_back(static_cast<Id>(node.begin));
    std::erase_if(negated_, [this](Id p) { return derived_[p]; });
    sort_unique(negated_);
    for (const Id p : negated_) negation_[p] = new_fact();
}

void RelaxedTask::note_negated(const Task &task, const Condition &condition) {
    for (const Id p : task.negative(condition))
        if (!derived_[p]) negated_.push_back(p);
}

// The smallest power of ten, up to a million, that makes all costs integers; what remains is cut
// off, which keeps admissible heuristics admissible.
void RelaxedTask::scale_costs(const Task &task) {
    constexpr double finest = 1e6;
    const auto integral = [&](const GroundAction &action) {
        const double scaled = action.cost * scale_;
        return std::abs(scaled - std::round(scaled)) < 1e-6;
    };
    while (scale_ < finest && !std::all_of(task.actions.begin(), task.actions.end(), integral))
        scale_ *= 10;
    double largest = 0;
    for (const GroundAction &action : task.actions) largest = std::max(largest, action.cost);
    constexpr double limit = std::numeric_limits<Cost>::max() / 1024;
    if (largest * scale_ > limit) scale_ = limit / largest;
    group_cost.push_back(0);
    group_action.push_back(no_id);
}

Id RelaxedTask::new_fact() {
    checked_id(std::size_t{next_fact_} + 1);
    return next_fact_++;
}

void RelaxedTask::add_condition(const Task &task, const Condition &condition,
                                std::vector<Id> &facts) {
    for (const Id p : task.positive(condition)) add_positive(p, facts);
    for (const Id p : task.negative(condition))
        if (negation_[p] != no_id) facts.push_back(negation_[p]);
    if (condition.formula != no_id) add_formula(task, condition.formula, facts);
}

void RelaxedTask::add_formula(const Task &task, Id formula, std::vector<Id> &facts) {
    const FormulaNode &node = task.formulas[formula];
    const Id literal = static_cast<Id>(node.begin);
    switch (node.kind) {
        case FormulaNode::Kind::positive: add_positive(literal, facts); break;
        case FormulaNode::Kind::negative:
            if (negation_[literal] != no_id) facts.push_back(negation_[literal]);
            break;
        case FormulaNode::Kind::conjunction:
            for (std::uint64_t i = node.begin; i < node.begin + node.count; ++i)
                add_formula(task, task.formula_children[i], facts);
            break;
        case FormulaNode::Kind::disjunction: {
            const Id either = new_fact();
            for (std::uint64_t i = node.begin; i < node.begin + node.count; ++i) {
                std::vector<Id> child;
                add_formula(task, task.formula_children[i], child);
                add_operator(std::move(child), {either}, 0);
            }
            facts.push_back(either);
            break;
        }
    }
}

void RelaxedTask::add_change(const Task &task, const Change &change, std::vector<Id> &facts) const {
    for (const Id p : task.added(change)) add_positive(p, facts);
    for (const Id p : task.removed(change))
        if (negation_[p] != no_id) facts.push_back(negation_[p]);
}

void RelaxedTask::add_operator(std::vector<Id> precondition, std::vector<Id> effect, Id owner) {
    sort_unique(precondition);
    sort_unique(effect);
    std::erase_if(effect, [&precondition](Id fact) {
        return std::binary_search(precondition.begin(), precondition.end(), fact);
    });
    if (effect.empty()) return;
    if (precondition.empty()) precondition.push_back(always_);
    preconditions.add(precondition);
    effects.add(effect);
    group.push_back(owner);
}

void RelaxedTask::facts_of(const State &state, std::vector<Id> &facts) const {
    facts.clear();
    facts.push_back(always_);
    state.for_each([&](Id p) {
        if (!constant_[p]) facts.push_back(p);
    });
    for (const Id p : negated_)
        if (!state.holds(p)) facts.push_back(negation_[p]);
}

std::vector<Id> RelaxedTask::state_facts() const {
    std::vector<Id> facts = {always_};
    for (Id p = 0; p < constant_.size(); ++p)
        if (!constant_[p]) facts.push_back(p);
    for (const Id p : negated_) facts.push_back(negation_[p]);
    return facts;
}

}  // namespace asnets
