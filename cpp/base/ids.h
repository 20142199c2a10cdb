#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace asnets {

// Dense numbers of propositions, actions, objects, predicates and schemas.
using Id = std::uint32_t;

inline constexpr Id no_id = std::numeric_limits<Id>::max();

// Converts a count to an id; 2^32 - 1 things need more than 48 GB, and past that we say so instead
// of wrapping around.
inline Id checked_id(std::size_t value) {
    if (value >= no_id) throw std::length_error("more than 4,294,967,294 atoms or actions");
    return static_cast<Id>(value);
}

}  // namespace asnets
