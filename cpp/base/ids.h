#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

namespace asnets {

// Dense numbers of propositions, actions, objects, predicates and schemas.
using Id = std::uint32_t;

inline constexpr Id no_id = std::numeric_limits<Id>::max();

// Ids are 32 bits wide: 2^32 - 1 atoms or actions need more than 48 GB. Past that we say so instead
// of wrapping around.
struct TooLarge : std::bad_alloc {
    const char *what() const noexcept override {
        return "more than 4,294,967,294 atoms or actions";
    }
};

// Converts a count to an id.
inline Id checked_id(std::size_t value) {
    if (value >= no_id) throw TooLarge();
    return static_cast<Id>(value);
}

}  // namespace asnets
