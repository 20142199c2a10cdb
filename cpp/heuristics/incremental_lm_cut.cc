#include "heuristics/incremental_lm_cut.h"

#include <algorithm>

namespace asnets {

void IncrementalLmCut::expand(const State &parent) {
    parent_.clear();  // an interrupted evaluation leaves nothing to keep
    value(parent);
    parent_ = found();
}

double IncrementalLmCut::successor_value(const State &state, Id action) {
    begin(state);
    for (Id landmark = 0; landmark < parent_.groups.size(); ++landmark) {
        const std::span<const Id> groups = parent_.groups[landmark];
        if (std::none_of(groups.begin(), groups.end(),
                         [&](Id group) { return action_of(group) == action; }))
            take(groups, parent_.costs[landmark]);
    }
    return find_others();
}

}  // namespace asnets
