#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/ids.h"

namespace asnets {

// A set of true propositions, one bit each. Equality is exact; bits past the last proposition are
// 0.
class State {
public:
    State() = default;
    explicit State(std::size_t propositions) : words_((propositions + 63) / 64) {
    }
    explicit State(std::span<const std::uint64_t> words) : words_(words.begin(), words.end()) {
    }

    [[nodiscard]] bool holds(Id proposition) const {
        return ((words_[proposition >> 6U] >> (proposition & 63U)) & 1U) != 0;
    }
    void add(Id proposition) {
        words_[proposition >> 6U] |= std::uint64_t{1} << (proposition & 63U);
    }
    void remove(Id proposition) {
        words_[proposition >> 6U] &= ~(std::uint64_t{1} << (proposition & 63U));
    }
    [[nodiscard]] std::span<const std::uint64_t> words() const {
        return words_;
    }
    [[nodiscard]] std::uint64_t hash() const {
        return hash_range(words());
    }
    [[nodiscard]] std::size_t count() const {
        std::size_t total = 0;
        for (const std::uint64_t word : words_)
            total += static_cast<std::size_t>(std::popcount(word));
        return total;
    }
    // Calls visit(proposition) for each true proposition, ascending.
    template <typename Visit>
    void for_each(Visit &&visit) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
                visit(static_cast<Id>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
    }

    bool operator==(const State &) const = default;

private:
    std::vector<std::uint64_t> words_;
};

}  // namespace asnets
