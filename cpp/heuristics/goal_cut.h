#pragma once

#include <vector>

#include "heuristics/justification_graph.h"

namespace asnets {

// Finds the operators that lead into the goal zone of a justification graph: the zone is the facts
// from which the goal is reached without cost; a cut operator has an effect there and a supporter
// that the state reaches without passing through an operator with an effect in the zone.
//
// Works backwards from the goal. With H the cost of the goal, zone facts cost H or more, and what
// costs less is reached without the zone: tight achievers cost less and less and so have no effect
// in it. Only supporters that cost H or more have to be searched for.
class GoalCut {
public:
    // Keeps a reference.
    GoalCut(Id goal, JustificationGraph &graph);

    // The operators of the cut, each once; valid until the next call. The goal must be reached at
    // a cost.
    const std::vector<Id> &find();

private:
    enum class Mark : std::uint8_t { none, zone, asked, before };
    struct Waiting {
        Id fact;  // reached if the asked one is
        Id next;  // in waiting_
    };

    void mark_zone();
    bool trace(Id fact);
    void explain(Id fact);
    void answer(Id fact);
    void mark(Id fact, Mark as) {
        if (marks_[fact] == Mark::none) marked_.push_back(fact);
        marks_[fact] = as;
    }
    void clear();

    Id goal_;
    JustificationGraph &graph_;
    JustificationGraph::Cost goal_cost_ = 0;
    std::vector<Mark> marks_;  // by fact
    std::vector<Id> marked_;
    std::vector<Id> cut_;
    std::vector<Id> doubtful_;  // operators that enter the zone from facts that cost H or more
    std::vector<Id> stack_;
    std::vector<Id> answers_;
    std::vector<Id> path_;
    std::vector<Id> first_waiting_;  // by fact: what waits for it to be reached
    std::vector<Waiting> waiting_;
};

}  // namespace asnets
