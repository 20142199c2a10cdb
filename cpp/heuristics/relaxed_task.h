#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "heuristics/lists.h"
#include "task/task.h"

namespace asnets {

// The delete relaxation of a task's all-outcomes determinisation, as all heuristics use it.
//
// Facts are the propositions, the negations of those that some condition negates, one fact for each
// disjunction, one that is always true and one for the goal. Every outcome is an operator, and
// every conditional effect of an outcome is one more; the operators of one outcome share a cost, so
// that a landmark is paid for once. Axioms and disjunctions are operators without cost; a negated
// derived atom counts as true. Preconditions that always hold are left out.
class RelaxedTask {
public:
    using Cost = std::int32_t;

    explicit RelaxedTask(const Task &task);

    [[nodiscard]] std::size_t fact_count() const {
        return next_fact_;
    }
    [[nodiscard]] std::size_t operator_count() const {
        return preconditions.size();
    }
    // The facts that hold in a state, replacing what `facts` held.
    void facts_of(const State &state, std::vector<Id> &facts) const;
    // All facts that a state may have, in the same order.
    [[nodiscard]] std::vector<Id> state_facts() const;
    // A sum of costs in the task's own unit.
    [[nodiscard]] double unscaled(std::int64_t cost) const {
        return static_cast<double>(cost) / scale_;
    }

    Lists preconditions;           // by operator, at least one each
    Lists effects;                 // by operator
    Lists added_by;                // by fact: the operators that have it as an effect
    std::vector<Id> group;         // by operator: which outcome it belongs to; group 0 is free
    std::vector<Cost> group_cost;  // scaled to integers
    std::vector<Id> group_action;  // the task's action; no_id for group 0
    Id goal = no_id;

private:
    void mark_constants(const Task &task);
    void mark_negated(const Task &task);
    void note_negated(const Task &task, const Condition &condition);
    void scale_costs(const Task &task);
    Id new_fact();
    // Adds the facts that stand for a condition; disjunctions get their own fact and operators.
    void add_condition(const Task &task, const Condition &condition, std::vector<Id> &facts);
    void add_formula(const Task &task, Id formula, std::vector<Id> &facts);
    void add_change(const Task &task, const Change &change, std::vector<Id> &facts) const;
    void add_operator(std::vector<Id> precondition, std::vector<Id> effect, Id owner);
    void add_positive(Id proposition, std::vector<Id> &facts) const {
        if (!constant_[proposition]) facts.push_back(proposition);
    }

    std::vector<bool> constant_;  // by proposition: true in every reachable state
    std::vector<Id> negation_;    // by proposition: its negation's fact, or no_id
    std::vector<Id> negated_;     // the propositions that have one
    std::vector<bool> derived_;   // by proposition
    Id always_ = no_id;
    Id next_fact_ = 0;
    double scale_ = 1;
};

}  // namespace asnets
