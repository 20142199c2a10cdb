#pragma once

#include <vector>

#include "heuristics/lists.h"
#include "heuristics/relaxed_task.h"

namespace asnets {

// The operators and effects of a relaxed task that can matter in a state. What is left out changes
// neither which facts are reached from the state nor at what cost, and every set of operators that
// no plan of the rest avoids is one that no plan of the task avoids.
//
// An effect e of an operator with a precondition p is idle in a state without p if every operator
// that adds p needs e: whenever p is reached, e was before. So Blocksworld's `unstack a b` matters
// only in states where a is on b: else, who puts a onto b has held a and has found b clear. A fact
// that only serves idle effects while it is false is worth nothing as an effect itself.
class StateRelaxation {
public:
    // `dropped`, by place in relaxed.effects: the effects to leave out in any case, if not empty.
    explicit StateRelaxation(const RelaxedTask &relaxed, const std::vector<bool> &dropped = {});

    // Changes to a state, given by its facts. Time linear in what the two states alone awake.
    void select(std::span<const Id> facts);

    // Operators have other numbers than in the relaxed task. The first `always_count` matter in
    // all states, the others if they are in `awake`.
    Id always_count = 0;
    std::vector<Id> awake;
    Lists preconditions;    // by operator, at least one each
    std::vector<Id> group;  // by operator
    // Of the operators and effects that matter in the selected state:
    OpenLists effects;    // by operator
    OpenLists needed_by;  // by fact
    OpenLists added_by;   // by fact
    // Room for all of needed_by.
    Lists needed_at_most;

    struct Effect {
        Id op;
        Id fact;
    };
    std::vector<Effect> sometimes;  // effects that matter in some states
    Lists conditions;               // for each: the facts that such a state has
    Lists woken_by;                 // by fact: the effects whose first condition it is

private:
    [[nodiscard]] bool reached_before(Id fact, Id other) const;
    void find_first_needs(const RelaxedTask &relaxed);
    void find_useful(const RelaxedTask &relaxed);
    [[nodiscard]] std::vector<Id> conditions_of(const RelaxedTask &relaxed, Id op, Id effect) const;
    void add_operators(const RelaxedTask &relaxed, const std::vector<bool> &dropped);
    void add_effects(const RelaxedTask &relaxed, const std::vector<Id> &order, const Lists &kept);
    void add_effect(Effect effect);

    std::vector<bool> without_achiever_;  // by fact
    Lists first_needs_;                   // by fact: what all operators that add it need
    std::vector<bool> useful_;            // by fact: as an effect
    std::vector<Effect> active_;          // those of `sometimes` that matter in this state
    std::vector<std::uint8_t> holds_;     // by fact: in this state
    std::vector<Id> state_facts_;
};

}  // namespace asnets
