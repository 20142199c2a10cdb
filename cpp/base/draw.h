#pragma once

#include <cstddef>
#include <functional>

namespace asnets {

// One of several things at random: `probability` tells that of each, `uniform` is a random number
// in [0, 1). What rounding leaves over goes to the last; there must be one.
template <typename Range, typename Probability>
const auto &draw(const Range &options, Probability probability, double uniform) {
    std::size_t chosen = 0;
    while (chosen + 1 < options.size() && uniform >= std::invoke(probability, options[chosen]))
        uniform -= std::invoke(probability, options[chosen++]);
    return options[chosen];
}

}  // namespace asnets
