#pragma once

#include <cstdint>

#include "base/hash.h"

namespace asnets {

// A small seeded generator (a mixed counter): the same numbers on every machine.
class Rng {
public:
    explicit Rng(std::uint64_t seed) : state_(mix(seed + 0x9e3779b97f4a7c15ULL)) {
    }

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        return mix(state_);
    }

    // Uniform in [0, 1), with 53 random bits.
    double uniform() {
        return static_cast<double>(next() >> 11) * 0x1.0p-53;
    }

private:
    std::uint64_t state_;
};

}  // namespace asnets
