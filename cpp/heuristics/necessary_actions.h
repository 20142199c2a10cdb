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

    // The state from which plans are asked about.
    void select(const State &state);
    // Time at most linear in the size of the task.
    bool is_necessary(Id action);

private:
    void reach(Id fact);

    RelaxedTask relaxed_;
    Lists needed_by_;                     // by fact: operators
    std::vector<std::uint32_t> all_;      // by operator: how many preconditions it has
    std::vector<std::uint32_t> missing_;  // by operator: those that are not reached yet
    std::vector<std::uint8_t> reached_;   // by fact
    std::vector<Id> state_facts_;
    std::vector<Id> open_;
};

}  // namespace asnets
