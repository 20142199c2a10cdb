#include "heuristics/lm_cut.h"

#include <algorithm>

namespace asnets {

LmCut::LmCut(std::shared_ptr<const Task> task)
    : task_(std::move(task)),
      relaxed_(*task_),
      graph_(relaxed_),
      goal_cut_(relaxed_.goal, graph_),
      in_cut_(relaxed_.group_cost.size()) {
}

double LmCut::value(const State &state) {
    begin(state);
    return find_others();
}

void LmCut::begin(const State &state) {
    landmarks_.clear();
    for (const Id group : groups_) in_cut_[group] = false;  // if memory ended amid a cut
    groups_.clear();
    total_ = 0;
    relaxed_.facts_of(state, state_facts_);
    graph_.select(state_facts_);
}

void LmCut::take(std::span<const Id> groups, Cost cost) {
    for (const Id group : groups) graph_.reduce(group, cost);
    landmarks_.groups.add(groups);
    landmarks_.costs.push_back(cost);
    total_ += cost;
}

double LmCut::find_others() {
    graph_.explore(interrupt);
    if (graph_.goal_cost() == JustificationGraph::unreached) return dead_end;
    while (graph_.goal_cost() > 0) {
        interrupt.check();
        take_cut(goal_cut_.find());
    }
    return relaxed_.unscaled(total_);
}

void LmCut::take_cut(const std::vector<Id> &cut) {
    Cost least = JustificationGraph::unreached;
    groups_.clear();
    for (const Id op : cut) {
        const Id group = graph_.relaxation.group[op];
        if (in_cut_[group]) continue;
        groups_.push_back(group);
        in_cut_[group] = true;
        least = std::min(least, graph_.operators[op].cost);
    }
    for (const Id group : groups_) in_cut_[group] = false;
    take(groups_, least);
    graph_.repair(groups_);
}

// What the action's landmarks do not account for; the others stay landmarks.
double LmCut::bound_after(Id action) const {
    std::int64_t kept = total_;
    for (Id landmark = 0; landmark < landmarks_.groups.size(); ++landmark) {
        const std::span<const Id> groups = landmarks_.groups[landmark];
        if (std::any_of(groups.begin(), groups.end(),
                        [&](Id group) { return action_of(group) == action; }))
            kept -= landmarks_.costs[landmark];
    }
    return relaxed_.unscaled(kept);
}

std::vector<std::vector<Id>> LmCut::landmarks() const {
    std::vector<std::vector<Id>> result;
    for (Id landmark = 0; landmark < landmarks_.groups.size(); ++landmark) {
        std::vector<Id> &actions = result.emplace_back();
        for (const Id group : landmarks_.groups[landmark]) actions.push_back(action_of(group));
        std::sort(actions.begin(), actions.end());
        actions.erase(std::unique(actions.begin(), actions.end()), actions.end());
    }
    return result;
}

}  // namespace asnets
