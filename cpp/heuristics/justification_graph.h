#pragma once

#include <limits>
#include <span>
#include <vector>

#include "base/interrupt.h"
#include "heuristics/bucket_queue.h"
#include "heuristics/relaxed_task.h"
#include "heuristics/state_relaxation.h"

namespace asnets {

// The justification graph of h_max (Helmert and Domshlak 2009): each operator leads from its
// supporter, a most expensive precondition, to its effects. Kept up to date while groups of
// operators become cheaper.
//
// Repairs stop at the cost of the goal: what costs that or more is only known to do so, and may
// cost less than is told here. A cut of the graph is a landmark whatever precondition supports an
// operator (Bonet and Helmert 2010); that it supports while it costs as much as the goal or is a
// most expensive one keeps zero-cost ways from the state to the goal out.
class JustificationGraph {
public:
    using Cost = RelaxedTask::Cost;

    static constexpr Cost unreached = std::numeric_limits<Cost>::max();

    struct Operator {
        Id supporter = no_id;
        Cost supporter_cost = unreached;  // its h_max; unreached if some precondition is
        Cost cost = 0;                    // what is left of it, once reached
        bool enters_zone = false;         // for the search of cuts
    };

    struct Fact {
        Cost cost = unreached;  // h_max
        Id achiever = no_id;    // an operator that gave it the cost
    };

    explicit JustificationGraph(const RelaxedTask &relaxed);

    // Changes to a state: no fact is reached yet and the groups cost what they cost at first.
    void select(std::span<const Id> facts);
    // Makes a group cheaper: explore or repair must follow.
    void reduce(Id group, Cost amount) {
        group_cost_[group] -= amount;
        reduced_.push_back(group);
    }
    // After an Interrupted, select starts again.
    void explore(Interrupt &interrupt);
    // After groups have been reduced, once more.
    void repair(std::span<const Id> groups);

    [[nodiscard]] Cost goal_cost() const {
        return facts[goal_].cost;
    }

    StateRelaxation relaxation;
    std::vector<Operator> operators;
    std::vector<Fact> facts;

private:
    // Sums stop at the largest cost. Cuts stay landmarks, as they do not depend on supporters.
    static Cost sum(Cost a, Cost b) {
        return b < unreached - 1 - a ? a + b : unreached - 1;
    }
    [[nodiscard]] Id costliest(Id op, Cost limit) const;
    // Whether the fact becomes cheaper.
    bool offer(Id fact, Cost cost, Id op) {
        if (cost >= facts[fact].cost) return false;
        facts[fact] = {cost, op};
        return true;
    }
    void offer_effects(Id op);
    void renew_supported(Id fact, Cost cost);

    Id goal_;
    std::vector<Cost> full_cost_;   // by group
    std::vector<Cost> group_cost_;  // what is left
    std::vector<Id> reduced_;       // groups, some more than once
    Lists group_operators_;
    std::vector<Id> precondition_counts_;
    std::vector<Id> missing_;  // by operator: preconditions not reached yet
    OpenLists supported_;      // by fact: the operators whose supporter it is
    std::vector<Id> state_facts_;
    BucketQueue queue_;
};

}  // namespace asnets
