#include "heuristics/state_relaxation.h"

#include <algorithm>
#include <iterator>

namespace asnets {

StateRelaxation::StateRelaxation(const RelaxedTask &relaxed, const std::vector<bool> &dropped)
    : without_achiever_(relaxed.fact_count()),
      useful_(relaxed.fact_count()),
      holds_(relaxed.fact_count()) {
    find_first_needs(relaxed);
    find_useful(relaxed);
    add_operators(relaxed, dropped);
}

void StateRelaxation::find_first_needs(const RelaxedTask &relaxed) {
    std::vector<Id> common;
    std::vector<Id> both;
    for (Id fact = 0; fact < relaxed.fact_count(); ++fact) {
        const std::span<const Id> achievers = relaxed.added_by[fact];
        without_achiever_[fact] = achievers.empty();
        common.clear();
        for (std::size_t i = 0; i < achievers.size(); ++i) {
            const std::span<const Id> needs = relaxed.preconditions[achievers[i]];
            both.clear();
            if (i == 0)
                both.assign(needs.begin(), needs.end());
            else
                std::set_intersection(common.begin(), common.end(), needs.begin(), needs.end(),
                                      std::back_inserter(both));
            common.swap(both);
            if (common.empty()) break;
        }
        first_needs_.add(common);
    }
}

// Whether, from states without the fact, the other is reached before it.
bool StateRelaxation::reached_before(Id fact, Id other) const {
    const std::span<const Id> needs = first_needs_[fact];
    return without_achiever_[fact] || std::binary_search(needs.begin(), needs.end(), other);
}

void StateRelaxation::find_useful(const RelaxedTask &relaxed) {
    std::vector<Id> open = {relaxed.goal};
    useful_[relaxed.goal] = true;
    while (!open.empty()) {
        const Id fact = open.back();
        open.pop_back();
        for (const Id op : relaxed.added_by[fact])
            for (const Id precondition : relaxed.preconditions[op])
                if (!useful_[precondition] && !reached_before(precondition, fact)) {
                    useful_[precondition] = true;
                    open.push_back(precondition);
                }
    }
}

// The preconditions without which the effect is idle.
std::vector<Id> StateRelaxation::conditions_of(const RelaxedTask &relaxed, Id op, Id effect) const {
    std::vector<Id> result;
    for (const Id fact : relaxed.preconditions[op])
        if (reached_before(fact, effect)) result.push_back(fact);
    return result;
}

void StateRelaxation::add_operators(const RelaxedTask &relaxed, const std::vector<bool> &dropped) {
    Lists useful;  // effects by operator of the relaxed task
    std::vector<Id> order;
    std::vector<Id> others;
    std::vector<Id> facts;
    for (Id op = 0; op < relaxed.operator_count(); ++op) {
        facts.clear();
        bool always = false;
        std::uint64_t place = relaxed.effects.begin(op);
        for (const Id effect : relaxed.effects[op]) {
            const bool drop = !dropped.empty() && dropped[place];
            ++place;
            if (drop || !useful_[effect]) continue;
            facts.push_back(effect);
            always = always || conditions_of(relaxed, op, effect).empty();
        }
        useful.add(facts);
        if (!facts.empty()) (always ? order : others).push_back(op);
    }
    always_count = static_cast<Id>(order.size());
    order.insert(order.end(), others.begin(), others.end());

    Lists kept;  // effects by operator
    for (const Id op : order) {
        preconditions.add(relaxed.preconditions[op]);
        group.push_back(relaxed.group[op]);
        kept.add(useful[op]);
    }
    needed_at_most = preconditions.inverted(relaxed.fact_count());
    needed_by = OpenLists(needed_at_most);
    for (Id op = 0; op < always_count; ++op)
        for (const Id fact : preconditions[op]) needed_by.push(fact, op);
    add_effects(relaxed, order, kept);
}

void StateRelaxation::add_effects(const RelaxedTask &relaxed, const std::vector<Id> &order,
                                  const Lists &kept) {
    effects = OpenLists(kept);
    added_by = OpenLists(kept.inverted(relaxed.fact_count()));
    std::vector<std::vector<Id>> woken(relaxed.fact_count());
    for (Id op = 0; op < order.size(); ++op)
        for (const Id effect : kept[op]) {
            const std::vector<Id> needed = conditions_of(relaxed, order[op], effect);
            if (needed.empty()) {
                add_effect({op, effect});
                continue;
            }
            woken[needed[0]].push_back(static_cast<Id>(sometimes.size()));
            sometimes.push_back({op, effect});
            conditions.add(needed);
        }
    for (const std::vector<Id> &each : woken) woken_by.add(each);
    // Room for all: selecting cannot fail half-way.
    active_.reserve(sometimes.size());
    awake.reserve(order.size());
    state_facts_.reserve(relaxed.fact_count());
}

void StateRelaxation::add_effect(Effect effect) {
    effects.push(effect.op, effect.fact);
    added_by.push(effect.fact, effect.op);
}

void StateRelaxation::select(std::span<const Id> facts) {
    for (const Effect &effect : active_) {
        effects.pop(effect.op);
        added_by.pop(effect.fact);
    }
    for (const Id op : awake)
        for (const Id fact : preconditions[op]) needed_by.pop(fact);
    for (const Id fact : state_facts_) holds_[fact] = 0;
    active_.clear();
    awake.clear();
    state_facts_.assign(facts.begin(), facts.end());
    for (const Id fact : facts) holds_[fact] = 1;
    for (const Id fact : facts)
        for (const Id each : woken_by[fact]) {
            const std::span<const Id> needed = conditions[each];
            if (!std::all_of(needed.begin(), needed.end(),
                             [this](Id condition) { return holds_[condition] != 0; }))
                continue;
            const Effect &effect = sometimes[each];
            if (holds_[effect.fact] != 0) continue;
            if (effect.op >= always_count && effects.size(effect.op) == 0) {
                awake.push_back(effect.op);
                for (const Id need : preconditions[effect.op]) needed_by.push(need, effect.op);
            }
            add_effect(effect);
            active_.push_back(effect);
        }
}

}  // namespace asnets
