#include "heuristics/whole_relaxation.h"

#include <algorithm>

namespace asnets {

WholeRelaxation::WholeRelaxation(const StateRelaxation &relaxation, const RelaxedTask &relaxed,
                                 bool with_ties)
    : holds_(relaxed.fact_count()) {
    const auto count = static_cast<Id>(relaxation.group.size());
    for (Id op = 0; op < count; ++op) original.push_back(op);
    std::vector<std::vector<Id>> effect_lists(count);
    std::vector<std::vector<Id>> needed_lists(relaxed.fact_count());
    std::vector<std::vector<Place>> places(count);
    const auto place = [&](Id op, Id as) {
        for (const Id fact : relaxation.preconditions[op]) needed_lists[fact].push_back(as);
    };
    for (Id op = 0; op < count; ++op) {
        const std::span<const Id> always = relaxation.effects[op];
        effect_lists[op].assign(always.begin(), always.end());
        if (op < relaxation.always_count) place(op, op);
    }
    std::vector<Id> last(count, no_id);  // by operator: the fact that woke it last
    for (const Id fact : relaxed.state_facts())
        for (const Id each : relaxation.woken_by[fact]) {
            const auto [op, effect] = relaxation.sometimes[each];
            effect_lists[op].push_back(effect);
            if (op < relaxation.always_count) continue;
            if (last[op] == no_id || (with_ties && last[op] != fact)) {
                const Id as = last[op] == no_id ? op : checked_id(original.size());
                if (as != op) original.push_back(op);
                place(op, as);
                if (with_ties) places[op].push_back({as, fact, as == op, {}});
                last[op] = fact;
            }
            if (with_ties) places[op].back().effects.push_back(each);
        }
    for (Id op = 0; op < count; ++op)
        if (places[op].size() > 1)
            movable_.insert(movable_.end(), places[op].begin(), places[op].end());
    for (std::size_t op = count; op < original.size(); ++op)
        effect_lists.push_back(effect_lists[original[op]]);
    effects = PackedLists(effect_lists);
    needed_by = PackedLists(needed_lists);
}

bool WholeRelaxation::matters(const StateRelaxation &relaxation, const Place &place) const {
    return std::any_of(place.effects.begin(), place.effects.end(), [&](Id each) {
        const std::span<const Id> needed = relaxation.conditions[each];
        return holds_[relaxation.sometimes[each].fact] == 0 &&
               std::all_of(needed.begin(), needed.end(),
                           [this](Id fact) { return holds_[fact] != 0; });
    });
}

}  // namespace asnets
