#include "heuristics/relaxation_heuristics.h"

#include <algorithm>

namespace asnets {

using Cost = RelaxedTask::Cost;

RelaxedExploration::RelaxedExploration(std::shared_ptr<const Task> task_, Combine combine)
    : task(std::move(task_)),
      relaxed(*task),
      cost(relaxed.fact_count()),
      achiever(relaxed.fact_count()),
      combine_(combine) {
    for (Id op = 0; op < relaxed.operator_count(); ++op)
        precondition_counts_.push_back(static_cast<Id>(relaxed.preconditions[op].size()));
}

Cost RelaxedExploration::explore(const State &state) {
    missing_ = precondition_counts_;
    operator_cost_.assign(relaxed.operator_count(), 0);
    std::fill(cost.begin(), cost.end(), unreached);
    std::fill(achiever.begin(), achiever.end(), no_id);
    relaxed.facts_of(state, state_facts_);
    for (const Id fact : state_facts_) {
        cost[fact] = 0;
        queue_.push(0, fact);
    }
    if (combine_ == Combine::maximum)
        run<Combine::maximum>();
    else
        run<Combine::sum>();
    return cost[relaxed.goal];
}

template <RelaxedExploration::Combine combine>
void RelaxedExploration::run() {
    constexpr Cost largest = unreached - 1;  // sums stop here
    while (!queue_.empty()) {
        const auto [reached, fact] = queue_.pop();
        if (reached > cost[fact]) continue;
        for (const Id op : relaxed.needed_by[fact]) {
            if constexpr (combine == Combine::sum)
                operator_cost_[op] += std::min(reached, largest - operator_cost_[op]);
            if (--missing_[op] > 0) continue;
            const Cost before = combine == Combine::sum ? operator_cost_[op] : reached;
            const Cost after =
                before + std::min(relaxed.group_cost[relaxed.group[op]], largest - before);
            for (const Id effect : relaxed.effects[op])
                if (after < cost[effect]) {
                    cost[effect] = after;
                    achiever[effect] = op;
                    queue_.push(after, effect);
                }
        }
    }
}

double RelaxationHeuristic::value(const State &state) {
    const Cost cost = exploration_.explore(state);
    return cost == RelaxedExploration::unreached ? dead_end : exploration_.relaxed.unscaled(cost);
}

FfHeuristic::FfHeuristic(std::shared_ptr<const Task> task)
    : exploration_(std::move(task), RelaxedExploration::Combine::sum) {
}

double FfHeuristic::value(const State &state) {
    helpful_.clear();
    const RelaxedTask &relaxed = exploration_.relaxed;
    if (exploration_.explore(state) == RelaxedExploration::unreached) return dead_end;
    fact_done_.assign(relaxed.fact_count(), false);
    group_done_.assign(relaxed.group_cost.size(), false);
    std::int64_t total = 0;
    std::vector<Id> open = {relaxed.goal};
    fact_done_[relaxed.goal] = true;
    while (!open.empty()) {
        const Id op = exploration_.achiever[open.back()];
        open.pop_back();
        if (op == no_id) continue;
        const Id group = relaxed.group[op];
        if (group != 0 && !group_done_[group]) {
            group_done_[group] = true;
            total += relaxed.group_cost[group];
            if (exploration_.task->is_applicable(relaxed.group_action[group], state))
                helpful_.push_back(relaxed.group_action[group]);
        }
        for (const Id fact : relaxed.preconditions[op])
            if (!fact_done_[fact]) {
                fact_done_[fact] = true;
                open.push_back(fact);
            }
    }
    std::sort(helpful_.begin(), helpful_.end());
    helpful_.erase(std::unique(helpful_.begin(), helpful_.end()), helpful_.end());
    return relaxed.unscaled(total);
}

}  // namespace asnets
