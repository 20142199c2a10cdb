#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "pddl/problem.h"
#include "task/applicability.h"
#include "task/axiom_index.h"
#include "task/state.h"

namespace asnets {

// A ground formula: conjunctions and disjunctions of literals. Nodes live in their task.
struct FormulaNode {
    enum class Kind : std::uint8_t { conjunction, disjunction, positive, negative };

    Kind kind = Kind::conjunction;
    std::uint32_t count = 0;  // children
    std::uint64_t begin = 0;  // of the children in formula_children; a literal's proposition
};

// positive and negative literals and, if they do not say it all, a formula; all must hold.
struct Condition {
    std::uint64_t begin = 0;  // in literals: the positive ones, then the negative ones
    std::uint32_t positive_count = 0;
    std::uint32_t negative_count = 0;
    Id formula = no_id;
};

// What becomes true and what becomes false; nothing is in both.
struct Change {
    std::uint64_t begin = 0;  // in literals: the added ones, then the removed ones
    std::uint32_t add_count = 0;
    std::uint32_t remove_count = 0;
};

struct ConditionalChange {
    Condition condition;
    Change change;
};

// One deterministic result of an action. All conditions are read in the state before the action;
// what is removed and added at once is true afterwards.
struct Outcome {
    double probability = 1;
    Change change;
    std::uint64_t conditional_begin = 0;  // in conditional_changes
    std::uint32_t conditional_count = 0;
};

struct GroundAction {
    Condition precondition;
    double cost = 1;
    std::uint64_t outcome_begin = 0;  // in outcomes
    std::uint32_t outcome_count = 0;
};

struct GroundAxiom {
    Id head = no_id;
    Condition body;
};

enum class Determinisation { all_outcomes, most_likely };

// A ground planning task: an SSP in factored form (JAIR 2020, section 2). Propositions are ordered
// by "predicate object ...", actions by "schema object ...", both lexicographically. Immutable once
// built, so it may be shared by threads.
class Task {
public:
    std::shared_ptr<const pddl::Problem> problem;  // objects, predicates, schemas

    // Propositions of predicate p are [predicate_begin[p], predicate_begin[p + 1]); their objects
    // follow each other in proposition_objects from predicate_objects_begin[p] on.
    std::vector<Id> predicate_begin;
    std::vector<std::uint64_t> predicate_objects_begin;
    std::vector<Id> proposition_objects;
    // The same for the actions of each schema.
    std::vector<Id> schema_begin;
    std::vector<std::uint64_t> schema_objects_begin;
    std::vector<Id> action_objects;

    std::vector<GroundAction> actions;
    std::vector<Outcome> outcomes;
    std::vector<ConditionalChange> conditional_changes;
    std::vector<Id> literals;
    std::vector<FormulaNode> formulas;
    std::vector<Id> formula_children;
    std::vector<GroundAxiom> axioms;             // in layers, lowest first
    std::vector<std::size_t> axiom_layer_begin;  // one more than there are layers
    Condition goal;
    std::vector<std::pair<State, double>> initial_states;

    // For a determinisation: the action and outcome of the original task each action stands for.
    std::vector<Id> origin;
    std::vector<std::uint32_t> origin_outcome;

    Applicability applicability;
    AxiomIndex axiom_index;

    [[nodiscard]] std::size_t proposition_count() const {
        return predicate_begin.back();
    }
    [[nodiscard]] bool is_deterministic() const;
    [[nodiscard]] bool has_unit_cost() const;

    [[nodiscard]] Id predicate_of(Id proposition) const;
    [[nodiscard]] std::span<const Id> objects_of_proposition(Id proposition) const;
    [[nodiscard]] std::string proposition_name(Id proposition) const;  // "on a b"
    [[nodiscard]] Id schema_of(Id action) const;
    [[nodiscard]] std::span<const Id> objects_of_action(Id action) const;
    [[nodiscard]] std::string action_name(Id action) const;  // "stack a b"
    // no_id if there is no such proposition or action. Logarithmic time.
    [[nodiscard]] Id find_proposition(Id predicate, std::span<const Id> objects) const;
    [[nodiscard]] Id find_action(Id schema, std::span<const Id> objects) const;

    [[nodiscard]] std::span<const Id> positive(const Condition &condition) const {
        return {literals.data() + condition.begin, condition.positive_count};
    }
    [[nodiscard]] std::span<const Id> negative(const Condition &condition) const {
        return {literals.data() + condition.begin + condition.positive_count,
                condition.negative_count};
    }
    [[nodiscard]] std::span<const Id> added(const Change &change) const {
        return {literals.data() + change.begin, change.add_count};
    }
    [[nodiscard]] std::span<const Id> removed(const Change &change) const {
        return {literals.data() + change.begin + change.add_count, change.remove_count};
    }
    [[nodiscard]] std::span<const Outcome> outcomes_of(Id action) const {
        return {outcomes.data() + actions[action].outcome_begin, actions[action].outcome_count};
    }
    [[nodiscard]] std::span<const ConditionalChange> conditional(const Outcome &outcome) const {
        return {conditional_changes.data() + outcome.conditional_begin, outcome.conditional_count};
    }

    [[nodiscard]] bool holds(const Condition &condition, const State &state) const;
    [[nodiscard]] bool is_applicable(Id action, const State &state) const {
        return holds(actions[action].precondition, state);
    }
    [[nodiscard]] bool is_goal(const State &state) const {
        return holds(goal, state);
    }
    // The applicable actions, ascending, replacing what `result` held.
    void applicable_actions(const State &state, std::vector<Id> &result) const {
        applicability.find(*this, state, result);
    }
    // The state after an outcome of an applicable action.
    [[nodiscard]] State apply(const Outcome &outcome, const State &state) const;
    // The distribution over next states of an applicable action, equal states merged.
    [[nodiscard]] std::vector<std::pair<State, double>> successors(const State &state,
                                                                   Id action) const;
    // A next state; `uniform` is a random number in [0, 1).
    [[nodiscard]] State sample(const State &state, Id action, double uniform) const;
    // Makes the derived propositions what the axioms say.
    void derive(State &state) const {
        axiom_index.derive(*this, state);
    }

private:
    [[nodiscard]] bool formula_holds(Id formula, const State &state) const;
};

// A deterministic task with one action for each outcome, or for each action's most likely outcome
// (the first of equally likely ones).
std::shared_ptr<const Task> determinise(const Task &task, Determinisation kind);

}  // namespace asnets
