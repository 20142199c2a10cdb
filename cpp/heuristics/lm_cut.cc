#include "heuristics/lm_cut.h"

#include <algorithm>

namespace asnets {

LmCut::LmCut(std::shared_ptr<const Task> task)
    : task_(std::move(task)),
      relaxed_(*task_),
      start_(relaxed_.operator_count()),
      cost_(relaxed_.fact_count()),
      zone_(relaxed_.fact_count(), Zone::none) {
    for (Id op = 0; op < relaxed_.operator_count(); ++op)
        start_[op].missing = static_cast<Id>(relaxed_.preconditions[op].size());
    std::vector<std::vector<Id>> members(relaxed_.group_cost.size());
    for (Id op = 0; op < relaxed_.operator_count(); ++op)
        if (relaxed_.group[op] != 0) members[relaxed_.group[op]].push_back(op);
    for (const std::vector<Id> &each : members) group_operators_.add(each);
}

double LmCut::value(const State &state) {
    landmarks_.clear();
    queue_.clear();
    relaxed_.facts_of(state, state_facts_);
    explore();
    if (cost_[relaxed_.goal] == unreached) return dead_end;
    std::int64_t total = 0;
    while (cost_[relaxed_.goal] > 0) {
        interrupt.check();
        mark_goal_zone();
        find_cut();
        for (const Id fact : zone_facts_) zone_[fact] = Zone::none;
        zone_facts_.clear();

        std::vector<Id> groups;
        for (const Id op : cut_) groups.push_back(relaxed_.group[op]);
        std::sort(groups.begin(), groups.end());
        groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
        Cost least = unreached;
        for (const Id group : groups) least = std::min(least, group_cost_[group]);
        for (const Id group : groups) group_cost_[group] -= least;
        total += least;
        lower(groups);
        landmarks_.push_back(std::move(groups));
    }
    return relaxed_.unscaled(total);
}

// h_max of every fact, and each operator's supporter.
void LmCut::explore() {
    operators_ = start_;
    group_cost_ = relaxed_.group_cost;
    std::fill(cost_.begin(), cost_.end(), unreached);
    for (const Id fact : state_facts_) offer(fact, 0);
    while (!queue_.empty()) {
        const auto [cost, fact] = queue_.pop();
        if (cost > cost_[fact]) continue;
        for (const Id op : relaxed_.needed_by[fact]) {
            OperatorState &state = operators_[op];
            if (--state.missing > 0) continue;
            state.supporter = fact;  // the last to be reached costs most
            state.supporter_cost = cost;
            const Cost reached = cost + group_cost_[relaxed_.group[op]];
            for (const Id effect : relaxed_.effects[op]) offer(effect, reached);
        }
    }
}

// Repairs h_max after the groups have become cheaper.
void LmCut::lower(const std::vector<Id> &groups) {
    for (const Id group : groups)
        for (const Id op : group_operators_[group]) {
            const OperatorState &state = operators_[op];
            if (state.missing > 0) continue;
            for (const Id effect : relaxed_.effects[op])
                offer(effect, state.supporter_cost + group_cost_[group]);
        }
    while (!queue_.empty()) {
        const auto [cost, fact] = queue_.pop();
        if (cost > cost_[fact]) continue;
        for (const Id op : relaxed_.needed_by[fact]) {
            OperatorState &state = operators_[op];
            if (state.supporter != fact || state.supporter_cost <= cost) continue;
            const Cost before = state.supporter_cost;
            choose_supporter(op);
            if (state.supporter_cost == before) continue;
            const Cost reached = state.supporter_cost + group_cost_[relaxed_.group[op]];
            for (const Id effect : relaxed_.effects[op]) offer(effect, reached);
        }
    }
}

void LmCut::choose_supporter(Id op) {
    OperatorState &state = operators_[op];
    for (const Id fact : relaxed_.preconditions[op])
        if (cost_[fact] > cost_[state.supporter]) state.supporter = fact;
    state.supporter_cost = cost_[state.supporter];
}

// The facts from which the goal is reached in the justification graph without cost.
void LmCut::mark_goal_zone() {
    stack_.assign(1, relaxed_.goal);
    zone_[relaxed_.goal] = Zone::goal;
    zone_facts_.push_back(relaxed_.goal);
    while (!stack_.empty()) {
        const Id fact = stack_.back();
        stack_.pop_back();
        for (const Id op : relaxed_.added_by[fact]) {
            const Id supporter = operators_[op].supporter;
            if (supporter == no_id || group_cost_[relaxed_.group[op]] > 0 ||
                zone_[supporter] == Zone::goal)
                continue;
            zone_[supporter] = Zone::goal;
            zone_facts_.push_back(supporter);
            stack_.push_back(supporter);
        }
    }
}

// The operators that lead into the goal zone from facts that the state reaches without it.
void LmCut::find_cut() {
    cut_.clear();
    stack_.clear();
    const auto visit = [&](Id fact) {
        if (zone_[fact] != Zone::none) return;
        zone_[fact] = Zone::before;
        zone_facts_.push_back(fact);
        stack_.push_back(fact);
    };
    for (const Id fact : state_facts_) visit(fact);
    while (!stack_.empty()) {
        const Id fact = stack_.back();
        stack_.pop_back();
        for (const Id op : relaxed_.needed_by[fact]) {
            if (operators_[op].supporter != fact) continue;
            const std::span<const Id> effects = relaxed_.effects[op];
            if (std::any_of(effects.begin(), effects.end(),
                            [this](Id effect) { return zone_[effect] == Zone::goal; }))
                cut_.push_back(op);
            else
                for (const Id effect : effects) visit(effect);
        }
    }
}

std::vector<std::vector<Id>> LmCut::landmarks() const {
    std::vector<std::vector<Id>> result;
    for (const std::vector<Id> &groups : landmarks_) {
        std::vector<Id> &actions = result.emplace_back();
        for (const Id group : groups) {
            const Id action = relaxed_.group_action[group];
            if (actions.empty() || actions.back() != action) actions.push_back(action);
        }
    }
    return result;
}

}  // namespace asnets
