#pragma once

#include <vector>

#include "heuristics/relaxed_task.h"

namespace asnets {

// Tells which actions no plan can do without, as far as the delete relaxation shows it: the
// landmarks of one action each. LM-cut finds only some of these, as it counts no cost twice: where
// two ways lead out of a place, one to the goal and one to what opens the way, its landmark may be
// the two of them. Not thread-safe.
class NecessaryActions {
public:
    explicit NecessaryActions(const Task &task);

    // Those of some actions, in their order; all of them where the goal is out of reach. An
    // exploration of the relaxed task for each necessary one, and seldom more than two others.
    std::vector<Id> among(const State &state, const std::vector<Id> &actions);

private:
    // Is the goal reached without an action? Others in doubt are applied only where it is not
    // reached otherwise.
    bool reaches_goal_without(Id action);
    void reach(Id fact, Id achiever);
    void apply(Id op);
    // Of those in doubt, what the plan of the last exploration uses: the others are not necessary.
    const std::vector<Id> &used_in_plan();
    // These actions, and no others.
    void doubt(const std::vector<Id> &actions);

    RelaxedTask relaxed_;
    Lists needed_by_;                     // by fact: operators
    std::vector<std::uint32_t> all_;      // by operator: how many preconditions it has
    std::vector<std::uint32_t> missing_;  // by operator: those that are not reached yet
    std::vector<std::uint8_t> reached_;   // by fact
    std::vector<Id> achiever_;            // by reached fact: an operator; no_id if the state has it
    std::vector<bool> in_doubt_;          // by action
    std::vector<Id> state_facts_;
    std::vector<Id> open_;     // facts
    std::vector<Id> waiting_;  // operators of actions in doubt
    std::vector<Id> used_;     // actions
};

}  // namespace asnets
