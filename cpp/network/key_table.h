#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace asnets {

// Numbers tuples of words, all of one width, in the order of their first insertion. Exact.
class KeyTable {
public:
    explicit KeyTable(std::size_t width) : width_(width) {
    }

    [[nodiscard]] std::size_t size() const {
        return size_;
    }
    // The key's number, and whether it is new.
    std::pair<Id, bool> insert(const std::uint32_t *key);

private:
    struct Slot {
        Id id = no_id;
        std::uint32_t hash = 0;
    };

    void grow();

    std::size_t width_;
    std::size_t size_ = 0;
    std::vector<std::uint32_t> keys_;
    std::vector<Slot> slots_;  // open addressing, at most half full
};

}  // namespace asnets
