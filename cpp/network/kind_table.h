#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace asnets {

// Numbers keys in the order of their first insertion. Any key but the largest will do.
class KindTable {
public:
    [[nodiscard]] std::size_t size() const {
        return size_;
    }
    void clear() {
        size_ = 0;
        std::fill(keys_.begin(), keys_.end(), none);
    }
    // The key's number, and whether it is new.
    std::pair<Id, bool> insert(std::uint64_t key) {
        if (2 * size_ >= keys_.size()) grow();
        const std::size_t place = place_of(key);
        if (keys_[place] == key) return {numbers_[place], false};
        keys_[place] = key;
        numbers_[place] = static_cast<Id>(size_);
        return {static_cast<Id>(size_++), true};
    }

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    // Where the key is or would go.
    [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
        const std::size_t mask = keys_.size() - 1;
        const std::uint64_t hash = key * 0x9e3779b97f4a7c15ULL;
        std::size_t place = (hash ^ hash >> 32U) & mask;
        while (keys_[place] != none && keys_[place] != key) place = (place + 1) & mask;
        return place;
    }
    void grow() {
        std::vector<std::uint64_t> keys(std::max<std::size_t>(64, 2 * keys_.size()), none);
        std::vector<Id> numbers(keys.size());
        keys.swap(keys_);
        numbers.swap(numbers_);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (keys[i] == none) continue;
            const std::size_t place = place_of(keys[i]);
            keys_[place] = keys[i];
            numbers_[place] = numbers[i];
        }
    }

    std::size_t size_ = 0;
    std::vector<std::uint64_t> keys_;  // open addressing, at most half full
    std::vector<Id> numbers_;
};

}  // namespace asnets
