#include "heuristics/justification_graph.h"

#include <algorithm>

namespace asnets {

JustificationGraph::JustificationGraph(const RelaxedTask &relaxed)
    : relaxation(relaxed),
      operators(relaxation.group.size()),
      facts(relaxed.fact_count()),
      goal_(relaxed.goal),
      full_cost_(relaxed.group_cost),
      group_cost_(full_cost_),
      supported_(relaxation.needed_at_most) {
    std::vector<std::vector<Id>> members(full_cost_.size());
    for (Id op = 0; op < relaxation.group.size(); ++op) {
        precondition_counts_.push_back(static_cast<Id>(relaxation.preconditions[op].size()));
        if (relaxation.group[op] != 0) members[relaxation.group[op]].push_back(op);
    }
    missing_ = precondition_counts_;
    for (const std::vector<Id> &each : members) group_operators_.add(each);
}

void JustificationGraph::select(std::span<const Id> state_facts) {
    relaxation.select(state_facts);
    state_facts_.assign(state_facts.begin(), state_facts.end());
    std::fill_n(operators.begin(), relaxation.always_count, Operator());
    std::copy_n(precondition_counts_.begin(), relaxation.always_count, missing_.begin());
    for (const Id op : relaxation.awake) {
        operators[op] = Operator();
        missing_[op] = precondition_counts_[op];
    }
    for (const Id group : reduced_) group_cost_[group] = full_cost_[group];
    reduced_.clear();
    std::fill(facts.begin(), facts.end(), Fact());
    for (Id fact = 0; fact < facts.size(); ++fact) supported_.shrink(fact, 0);
    queue_.clear();
}

void JustificationGraph::explore(Interrupt &interrupt) {
    for (const Id fact : state_facts_) {
        facts[fact].cost = 0;
        queue_.push(0, fact);
    }
    while (!queue_.empty()) {
        interrupt.tick();
        const auto [reached, fact] = queue_.pop();
        if (reached > facts[fact].cost) continue;
        for (const Id op : relaxation.needed_by[fact]) {
            if (--missing_[op] > 0) continue;
            Operator &state = operators[op];
            state.supporter = fact;  // the last to be reached costs most
            state.supporter_cost = reached;
            state.cost = group_cost_[relaxation.group[op]];
            supported_.push(state.supporter, op);
            const Cost offered = sum(reached, state.cost);
            for (const Id effect : relaxation.effects[op])
                if (offer(effect, offered, op)) queue_.push(offered, effect);
        }
    }
}

// The most expensive precondition, rather the present supporter and then the last (values come out
// a little higher than with the first); none costs more than the limit.
Id JustificationGraph::costliest(Id op, Cost limit) const {
    Id best = operators[op].supporter;
    const std::span<const Id> candidates = relaxation.preconditions[op];
    for (std::size_t i = candidates.size(); i-- > 0 && facts[best].cost < limit;)
        if (facts[candidates[i]].cost > facts[best].cost) best = candidates[i];
    return best;
}

void JustificationGraph::repair(std::span<const Id> groups) {
    for (const Id group : groups)
        for (const Id op : group_operators_[group]) {
            if (operators[op].supporter_cost == unreached) continue;
            operators[op].cost = group_cost_[group];
            offer_effects(op);
        }
    while (!queue_.empty()) {
        const auto [reached, fact] = queue_.pop();
        if (reached >= goal_cost()) break;
        if (reached == facts[fact].cost) renew_supported(fact, reached);
    }
    queue_.clear();
}

// A fact that supports nothing need not wait: what it comes to support knows its cost.
void JustificationGraph::offer_effects(Id op) {
    const Cost offered = sum(operators[op].supporter_cost, operators[op].cost);
    for (const Id effect : relaxation.effects[op])
        if (offer(effect, offered, op) && supported_.size(effect) > 0) queue_.push(offered, effect);
}

// Chooses anew for the operators that the fact supports, now that it costs less.
void JustificationGraph::renew_supported(Id fact, Cost cost) {
    const std::span<Id> supported = supported_[fact];
    Id kept = 0;
    for (const Id op : supported) {
        Operator &state = operators[op];
        const Cost before = state.supporter_cost;
        if (before == cost) {
            supported[kept++] = op;
            continue;
        }
        state.supporter = costliest(op, before);
        state.supporter_cost = facts[state.supporter].cost;
        if (state.supporter == fact)
            supported[kept++] = op;
        else
            supported_.push(state.supporter, op);
        if (state.supporter_cost < before) offer_effects(op);
    }
    supported_.shrink(fact, kept);
}

}  // namespace asnets
