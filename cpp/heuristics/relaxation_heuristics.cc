#include "heuristics/relaxation_heuristics.h"

#include <algorithm>

#include "heuristics/dominated_effects.h"

namespace asnets {

using Cost = RelaxedTask::Cost;

RelaxedExploration::RelaxedExploration(std::shared_ptr<const Task> task_, Combine combine)
    : task(std::move(task_)),
      relaxed(*task),
      relaxation(relaxed, dominated_effects(relaxed)),
      combine_(combine),
      facts_(relaxed.fact_count()) {
    for (Id op = 0; op < relaxation.group.size(); ++op)
        start_.push_back({static_cast<Id>(relaxation.preconditions[op].size()),
                          relaxed.group_cost[relaxation.group[op]]});
    operators_ = start_;
}

Cost RelaxedExploration::explore(const State &state, Interrupt &interrupt) {
    relaxed.facts_of(state, state_facts_);
    relaxation.select(state_facts_);
    std::copy_n(start_.begin(), relaxation.always_count, operators_.begin());
    for (const Id op : relaxation.awake) operators_[op] = start_[op];
    std::fill(facts_.begin(), facts_.end(), Fact());
    queue_.clear();
    for (const Id fact : state_facts_) {
        facts_[fact].cost = 0;
        queue_.push(0, fact);
    }
    if (combine_ == Combine::maximum)
        run<Combine::maximum>(interrupt);
    else
        run<Combine::sum>(interrupt);
    return facts_[relaxed.goal].cost;
}

template <RelaxedExploration::Combine combine>
void RelaxedExploration::run(Interrupt &interrupt) {
    constexpr Cost largest = unreached - 1;  // sums stop here
    while (!queue_.empty()) {
        const auto [reached, fact] = queue_.pop();
        if (reached > facts_[fact].cost) continue;
        if (fact == relaxed.goal) return;
        interrupt.tick();
        for (const Id op : relaxation.needed_by[fact]) {
            Operator &state = operators_[op];
            --state.missing;
            if (combine == Combine::sum || state.missing == 0)
                state.cost += std::min(reached, largest - state.cost);
            if (state.missing > 0) continue;
            for (const Id effect : relaxation.effects[op])
                if (state.cost < facts_[effect].cost) {
                    facts_[effect] = {state.cost, op};
                    queue_.push(state.cost, effect);
                }
        }
    }
}

double RelaxationHeuristic::value(const State &state) {
    const Cost cost = exploration_.explore(state, interrupt);
    return cost == RelaxedExploration::unreached ? dead_end : exploration_.relaxed.unscaled(cost);
}

FfHeuristic::FfHeuristic(std::shared_ptr<const Task> task)
    : exploration_(std::move(task), RelaxedExploration::Combine::sum) {
}

double FfHeuristic::value(const State &state) {
    helpful_.clear();
    const RelaxedTask &relaxed = exploration_.relaxed;
    if (exploration_.explore(state, interrupt) == RelaxedExploration::unreached) return dead_end;
    fact_done_.assign(relaxed.fact_count(), false);
    group_done_.assign(relaxed.group_cost.size(), false);
    std::int64_t total = 0;
    std::vector<Id> open = {relaxed.goal};
    fact_done_[relaxed.goal] = true;
    while (!open.empty()) {
        const Id op = exploration_.achiever(open.back());
        open.pop_back();
        if (op == no_id) continue;
        const Id group = exploration_.relaxation.group[op];
        if (group != 0 && !group_done_[group]) {
            group_done_[group] = true;
            total += relaxed.group_cost[group];
            if (exploration_.task->is_applicable(relaxed.group_action[group], state))
                helpful_.push_back(relaxed.group_action[group]);
        }
        for (const Id fact : exploration_.relaxation.preconditions[op])
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
