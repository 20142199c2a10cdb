#include "heuristics/goal_cut.h"

#include <utility>

namespace asnets {

GoalCut::GoalCut(Id goal, JustificationGraph &graph)
    : goal_(goal),
      graph_(graph),
      marks_(graph.facts.size(), Mark::none),
      first_waiting_(graph.facts.size(), no_id) {
}

const std::vector<Id> &GoalCut::find() {
    clear();  // of a search that memory ended
    stack_.clear();
    answers_.clear();
    cut_.clear();
    doubtful_.clear();
    goal_cost_ = graph_.goal_cost();
    mark_zone();
    for (const Id op : doubtful_)
        if (marks_[graph_.operators[op].supporter] == Mark::none)
            trace(graph_.operators[op].supporter);
    while (!stack_.empty()) {
        const Id fact = stack_.back();
        stack_.pop_back();
        explain(fact);
    }
    for (const Id op : doubtful_) {
        graph_.operators[op].enters_zone = false;
        if (marks_[graph_.operators[op].supporter] == Mark::before) cut_.push_back(op);
    }
    clear();
    return cut_;
}

void GoalCut::mark_zone() {
    mark(goal_, Mark::zone);
    stack_.push_back(goal_);
    while (!stack_.empty()) {
        const Id fact = stack_.back();
        stack_.pop_back();
        for (const Id op : graph_.relaxation.added_by[fact]) {
            JustificationGraph::Operator &state = graph_.operators[op];
            if (state.supporter_cost == JustificationGraph::unreached || state.enters_zone)
                continue;
            if (state.supporter_cost < goal_cost_) {
                state.enters_zone = true;
                cut_.push_back(op);
            } else if (state.cost > 0) {
                state.enters_zone = true;
                doubtful_.push_back(op);
            } else if (marks_[state.supporter] == Mark::none) {
                mark(state.supporter, Mark::zone);
                stack_.push_back(state.supporter);
            }
        }
    }
}

// Whether the achievers of the fact lead back to one that is reached without the zone. If not, it
// may still be.
bool GoalCut::trace(Id fact) {
    path_.clear();
    bool found = false;
    while (marks_[fact] == Mark::none) {
        mark(fact, Mark::asked);
        path_.push_back(fact);
        const JustificationGraph::Operator &state = graph_.operators[graph_.facts[fact].achiever];
        if (state.enters_zone) break;
        if (state.supporter_cost < goal_cost_) {
            found = true;
            break;
        }
        fact = state.supporter;
    }
    if (!found && marks_[fact] != Mark::before) {
        stack_.insert(stack_.end(), path_.begin(), path_.end());
        return false;
    }
    for (const Id each : path_) marks_[each] = Mark::before;
    return true;
}

// Looks at all operators that add a fact whose achievers did not tell.
void GoalCut::explain(Id fact) {
    const std::span<const Id> achievers = std::as_const(graph_.relaxation.added_by)[fact];
    for (const Id op : achievers) {
        if (marks_[fact] == Mark::before) return;
        const JustificationGraph::Operator &state = graph_.operators[op];
        if (state.supporter_cost == JustificationGraph::unreached || state.enters_zone) continue;
        if (state.supporter_cost < goal_cost_ || marks_[state.supporter] == Mark::before ||
            (marks_[state.supporter] == Mark::none && trace(state.supporter)))
            return answer(fact);
        if (marks_[state.supporter] == Mark::zone) continue;
        waiting_.push_back({fact, first_waiting_[state.supporter]});
        first_waiting_[state.supporter] = static_cast<Id>(waiting_.size() - 1);
    }
}

// The fact is reached, and so is what waits for it.
void GoalCut::answer(Id fact) {
    marks_[fact] = Mark::before;
    answers_.push_back(fact);
    while (!answers_.empty()) {
        Id each = first_waiting_[answers_.back()];
        answers_.pop_back();
        for (; each != no_id; each = waiting_[each].next) {
            const Id reached = waiting_[each].fact;
            if (marks_[reached] == Mark::before) continue;
            marks_[reached] = Mark::before;
            answers_.push_back(reached);
        }
    }
}

void GoalCut::clear() {
    for (const Id op : cut_) graph_.operators[op].enters_zone = false;
    for (const Id fact : marked_) {
        marks_[fact] = Mark::none;
        first_waiting_[fact] = no_id;
    }
    marked_.clear();
    waiting_.clear();
}

}  // namespace asnets
