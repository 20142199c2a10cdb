#include "grounding/atoms.h"

#include <algorithm>

#include "base/hash.h"

namespace asnets::grounding {

namespace {

constexpr std::size_t dense_limit = std::size_t{1} << 18;  // slots of one predicate
constexpr std::size_t dense_total = std::size_t{1} << 21;  // and of all together

}  // namespace

AtomTable::AtomTable(const std::vector<std::size_t> &arities, std::size_t objects)
    : object_count_(objects), tables_(arities.size()) {
    std::size_t dense_slots = 0;
    for (std::size_t predicate = 0; predicate < arities.size(); ++predicate) {
        Table &table = tables_[predicate];
        table.arity = arities[predicate];
        std::size_t possible = 1;
        for (std::size_t i = 0; i < table.arity && possible <= dense_limit; ++i)
            possible *= objects;
        table.dense = possible <= dense_limit && dense_slots + possible <= dense_total;
        if (table.dense) dense_slots += possible;
    }
}

std::size_t AtomTable::dense_slot(std::span<const Id> objects) const {
    std::size_t slot = 0;
    for (const Id object : objects) slot = slot * object_count_ + object;
    return slot;
}

// The slot that holds the atom, or the empty one where it belongs.
std::size_t AtomTable::probe(const Table &table, std::span<const Id> objects) const {
    const std::size_t mask = table.slots.size() - 1;
    std::size_t slot = hash_range(objects) & mask;
    while (table.slots[slot] != no_id) {
        const Id *arguments = arguments_.data() + begins_[table.slots[slot]];
        if (std::equal(objects.begin(), objects.end(), arguments)) break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

Id AtomTable::find(Id predicate, std::span<const Id> objects) const {
    const Table &table = tables_[predicate];
    if (table.slots.empty()) return no_id;
    return table.slots[table.dense ? dense_slot(objects) : probe(table, objects)];
}

Id AtomTable::intern(Id predicate, std::span<const Id> objects) {
    Table &table = tables_[predicate];
    if (table.slots.empty()) {
        std::size_t slots = 16;
        if (table.dense) {
            slots = 1;
            for (std::size_t i = 0; i < table.arity; ++i) slots *= object_count_;
        }
        table.slots.assign(std::max<std::size_t>(slots, 1), no_id);
    } else if (!table.dense && (table.count + 1) * 2 > table.slots.size()) {
        grow(table);
    }
    Id &slot = table.slots[table.dense ? dense_slot(objects) : probe(table, objects)];
    if (slot == no_id) {
        slot = checked_id(predicates_.size());
        ++table.count;
        predicates_.push_back(predicate);
        begins_.push_back(arguments_.size());
        arguments_.insert(arguments_.end(), objects.begin(), objects.end());
        flags_.push_back(0);
    }
    return slot;
}

void AtomTable::grow(Table &table) {
    const std::vector<Id> old = std::move(table.slots);
    table.slots.assign(old.size() * 2, no_id);
    for (const Id atom : old)
        if (atom != no_id) table.slots[probe(table, objects(atom))] = atom;
}

}  // namespace asnets::grounding
