#include "heuristics/relaxation_heuristics.h"

#include <algorithm>

#include "heuristics/dominated_effects.h"

namespace asnets {

using Cost = RelaxedTask::Cost;

RelaxedExploration::RelaxedExploration(std::shared_ptr<const Task> task_, Combine combine,
                                       bool with_achievers)
    : task(std::move(task_)),
      relaxed(*task),
      relaxation(relaxed, dominated_effects(relaxed)),
      combine_(combine),
      facts_(relaxed.fact_count()) {
    relaxed.facts_of(task->initial_states[0].first, state_facts_);
    relaxation.select(state_facts_);
    const bool use_whole = most_are_awake();
    relaxation.select({});
    if (use_whole) whole_.emplace(relaxation, relaxed, with_achievers);
    prepare_operators();
}

void RelaxedExploration::prepare_operators() {
    const std::size_t count = whole_ ? whole_->original.size() : relaxation.group.size();
    // Copying is several times slower between addresses that are equal modulo 4096: half of that
    // lies between the two.
    constexpr std::size_t page = 4096 / sizeof(Operator);
    start_ = (count + page - 1) / page * page + page / 2;
    operators_.resize(start_);
    for (std::size_t i = 0; i < count; ++i) {
        const Id op = whole_ ? whole_->original[i] : static_cast<Id>(i);
        operators_.push_back({static_cast<Id>(relaxation.preconditions[op].size()),
                              relaxed.group_cost[relaxation.group[op]]});
    }
}

// Whether at most a third of all preconditions are those of operators that sleep in the selected
// state.
bool RelaxedExploration::most_are_awake() const {
    std::size_t awake = 0;
    for (Id op = 0; op < relaxation.always_count; ++op)
        awake += relaxation.preconditions[op].size();
    for (const Id op : relaxation.awake) awake += relaxation.preconditions[op].size();
    return 3 * awake >= 2 * relaxation.preconditions.total();
}

Cost RelaxedExploration::explore(const State &state, Interrupt &interrupt) {
    relaxed.facts_of(state, state_facts_);
    const auto start = operators_.begin() + static_cast<std::ptrdiff_t>(start_);
    if (whole_) {
        std::copy(start, operators_.end(), operators_.begin());
        constexpr Id never = no_id / 2;
        whole_->for_each_misplaced(relaxation, state_facts_,
                                   [this](Id op) { operators_[op].missing = never; });
        explore(*whole_, interrupt);
    } else {
        relaxation.select(state_facts_);
        std::copy_n(start, relaxation.always_count, operators_.begin());
        for (const Id op : relaxation.awake) operators_[op] = start[op];
        explore(relaxation, interrupt);
    }
    return facts_[relaxed.goal].cost;
}

template <typename Relaxation>
void RelaxedExploration::explore(const Relaxation &part, Interrupt &interrupt) {
    std::fill(facts_.begin(), facts_.end(), Fact());
    queue_.clear();
    for (const Id fact : state_facts_) {
        facts_[fact].cost = 0;
        queue_.push(0, fact);
    }
    if (combine_ == Combine::maximum)
        run<Combine::maximum>(part, interrupt);
    else
        run<Combine::sum>(part, interrupt);
}

template <RelaxedExploration::Combine combine, typename Relaxation>
void RelaxedExploration::run(const Relaxation &part, Interrupt &interrupt) {
    constexpr Cost largest = unreached - 1;  // sums stop here
    while (!queue_.empty()) {
        const auto [reached, fact] = queue_.pop();
        if (reached > facts_[fact].cost) continue;
        if (fact == relaxed.goal) return;
        interrupt.tick();
        for (const Id op : part.needed_by[fact]) {
            Operator &state = operators_[op];
            --state.missing;
            if (combine == Combine::sum || state.missing == 0)
                state.cost += std::min(reached, largest - state.cost);
            if (state.missing > 0) continue;
            for (const Id effect : part.effects[op])
                if (state.cost < facts_[effect].cost) {
                    facts_[effect] = {state.cost, op};
                    queue_.push(state.cost, effect);
                }
        }
    }
}

bool RelaxedExploration::is_cheapest(Id op, Id fact) const {
    Cost left = facts_[fact].cost - relaxed.group_cost[relaxed.group[op]];
    for (const Id needed : relaxed.preconditions[op]) {
        if (facts_[needed].cost > left) return false;
        left -= facts_[needed].cost;
    }
    return left == 0;
}

double RelaxationHeuristic::value(const State &state) {
    const Cost cost = exploration_.explore(state, interrupt);
    return cost == RelaxedExploration::unreached ? dead_end : exploration_.relaxed.unscaled(cost);
}

FfHeuristic::FfHeuristic(std::shared_ptr<const Task> task)
    : exploration_(std::move(task), RelaxedExploration::Combine::sum, true) {
}

double FfHeuristic::value(const State &state) {
    state_ = state;
    is_dead_end_ = true;  // also if the exploration is interrupted
    const RelaxedTask &relaxed = exploration_.relaxed;
    is_dead_end_ = exploration_.explore(state, interrupt) == RelaxedExploration::unreached;
    if (is_dead_end_) return dead_end;
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
        }
        for (const Id fact : exploration_.relaxation.preconditions[op])
            if (!fact_done_[fact]) {
                fact_done_[fact] = true;
                open.push_back(fact);
            }
    }
    return relaxed.unscaled(total);
}

std::vector<Id> FfHeuristic::helpful_actions() {
    std::vector<Id> result;
    if (is_dead_end_) return result;
    const RelaxedTask &relaxed = exploration_.relaxed;
    fact_done_.assign(relaxed.fact_count(), false);
    std::vector<Id> open = {relaxed.goal};
    fact_done_[relaxed.goal] = true;
    while (!open.empty()) {
        const Id fact = open.back();
        open.pop_back();
        if (exploration_.achiever(fact) == no_id) continue;
        for (const Id op : relaxed.added_by[fact]) {
            if (!exploration_.is_cheapest(op, fact)) continue;
            const Id action = relaxed.group_action[relaxed.group[op]];
            if (action != no_id && exploration_.task->is_applicable(action, state_))
                result.push_back(action);
            for (const Id needed : relaxed.preconditions[op])
                if (!fact_done_[needed]) {
                    fact_done_[needed] = true;
                    open.push_back(needed);
                }
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

}  // namespace asnets
