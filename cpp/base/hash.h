#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace asnets {

// Bijective 64-bit mixing: xor-shifts and odd multiplications, so that every input bit reaches
// every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xe9846af9b1a615dULL;
    x ^= x >> 32;
    x *= 0xe9846af9b1a615dULL;
    x ^= x >> 28;
    return x;
}

// 64-bit hash of a sequence of integers; equal sequences have equal hashes. Linear time.
template <typename Integer>
constexpr std::uint64_t hash_range(std::span<const Integer> values) {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL + values.size();
    for (Integer value : values)
        hash = mix(hash ^ static_cast<std::uint64_t>(value)) + 0x9e3779b97f4a7c15ULL;
    return hash;
}

}  // namespace asnets
