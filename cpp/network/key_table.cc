#include "network/key_table.h"

#include <algorithm>

namespace asnets {

std::pair<Id, bool> KeyTable::insert(const std::uint32_t *key) {
    std::uint64_t hash = width_;
    for (std::size_t i = 0; i < width_; ++i) hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32U;
    const auto short_hash = static_cast<std::uint32_t>(hash);
    if (slots_.size() < 2 * (size_ + 1)) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = short_hash & mask;
    for (; slots_[place].id != no_id; place = (place + 1) & mask)
        if (slots_[place].hash == short_hash &&
            std::equal(key, key + width_, keys_.data() + slots_[place].id * width_))
            return {slots_[place].id, false};
    keys_.insert(keys_.end(), key, key + width_);
    slots_[place] = {checked_id(size_), short_hash};
    return {static_cast<Id>(size_++), true};
}

void KeyTable::grow() {
    std::vector<Slot> bigger(std::max<std::size_t>(16, 2 * slots_.size()));
    for (const Slot &each : slots_) {
        if (each.id == no_id) continue;
        std::size_t place = each.hash & (bigger.size() - 1);
        while (bigger[place].id != no_id) place = (place + 1) & (bigger.size() - 1);
        bigger[place] = each;
    }
    slots_ = std::move(bigger);
}

}  // namespace asnets
