#pragma once

#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "task/state.h"

namespace asnets {

// Numbers states densely in the order of their first insertion. Exact: two states share a number
// only if all their bits agree.
class StateTable {
public:
    explicit StateTable(std::size_t propositions);

    [[nodiscard]] std::size_t size() const {
        return size_;
    }
    // The state's number, a new one if it was not there.
    Id insert(const State &state);
    // no_id if the state is not there.
    [[nodiscard]] Id find(const State &state) const;
    [[nodiscard]] State operator[](Id id) const;

    // The first `count` states, in order.
    void save(ByteWriter &out, std::size_t count) const;
    // Throws std::runtime_error if the data make no sense.
    static StateTable load(ByteReader &in, std::size_t propositions);

private:
    struct Slot {
        Id id = no_id;
        std::uint32_t hash = 0;  // upper half
    };
    static constexpr std::size_t block_states = 256;

    [[nodiscard]] std::size_t place_of(const State &state, std::uint64_t hash) const;
    [[nodiscard]] const std::uint64_t *words_of(Id id) const {
        return blocks_[id / block_states].get() + id % block_states * words_;
    }
    void grow();

    std::size_t words_;
    std::size_t size_ = 0;
    std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
    std::vector<Slot> slots_;  // open addressing, at most two thirds full
};

}  // namespace asnets
