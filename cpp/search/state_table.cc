#include "search/state_table.h"

#include <algorithm>
#include <stdexcept>

namespace asnets {

StateTable::StateTable(std::size_t propositions) : words_((propositions + 63) / 64), slots_(64) {
}

// The slot that holds the state, or the empty one where it belongs.
std::size_t StateTable::place_of(const State &state, std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = hash & mask;
    while (slots_[place].id != no_id &&
           (slots_[place].hash != hash >> 32U ||
            !std::equal(state.words().begin(), state.words().end(), words_of(slots_[place].id))))
        place = (place + 1) & mask;
    return place;
}

Id StateTable::find(const State &state) const {
    return slots_[place_of(state, state.hash())].id;
}

Id StateTable::insert(const State &state) {
    const std::uint64_t hash = state.hash();
    std::size_t place = place_of(state, hash);
    if (slots_[place].id != no_id) return slots_[place].id;
    if (3 * (size_ + 1) > 2 * slots_.size()) {
        grow();
        place = place_of(state, hash);
    }
    const Id id = checked_id(size_);
    if (size_ == blocks_.size() * block_states)
        blocks_.push_back(std::make_unique<std::uint64_t[]>(block_states * words_));
    std::copy(state.words().begin(), state.words().end(),
              blocks_.back().get() + id % block_states * words_);
    slots_[place] = {id, static_cast<std::uint32_t>(hash >> 32U)};
    ++size_;
    return id;
}

void StateTable::grow() {
    std::vector<Slot> larger(2 * slots_.size());
    const std::size_t mask = larger.size() - 1;
    for (Id id = 0; id < size_; ++id) {
        const std::uint64_t hash = hash_range(std::span<const std::uint64_t>(words_of(id), words_));
        std::size_t place = hash & mask;
        while (larger[place].id != no_id) place = (place + 1) & mask;
        larger[place] = {id, static_cast<std::uint32_t>(hash >> 32U)};
    }
    slots_ = std::move(larger);
}

State StateTable::operator[](Id id) const {
    return State(std::span<const std::uint64_t>(words_of(id), words_));
}

void StateTable::save(ByteWriter &out, std::size_t count) const {
    out.put_count(count);
    for (Id id = 0; id < count; ++id)
        for (std::size_t i = 0; i < words_; ++i) out.put(words_of(id)[i]);
}

StateTable StateTable::load(ByteReader &in, std::size_t propositions) {
    StateTable result(propositions);
    const std::uint64_t unused =
        propositions % 64 == 0 ? 0 : ~std::uint64_t{0} << propositions % 64;
    const std::size_t count = in.get_count(result.words_ * sizeof(std::uint64_t));
    std::vector<std::uint64_t> words(result.words_);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::uint64_t &word : words) in.get(word);
        const bool fits = words.empty() || (words.back() & unused) == 0;
        if (!fits || result.insert(State(words)) != i)
            throw std::runtime_error("the data have a state that cannot be");
    }
    return result;
}

}  // namespace asnets
