#include "grounding/relation.h"

#include "base/hash.h"

namespace asnets::grounding {

std::size_t Index::probe(const AtomTable &atoms, const std::vector<Id> &rows,
                         std::span<const Id> key) const {
    if (columns_.size() == 1) return key[0];
    const std::size_t mask = heads_.size() - 1;
    std::size_t slot = hash_range(key) & mask;
    for (; heads_[slot] != no_id; slot = (slot + 1) & mask) {
        const std::span<const Id> objects = atoms.objects(rows[heads_[slot]]);
        bool equal = true;
        for (std::size_t i = 0; i < key.size() && equal; ++i)
            equal = objects[columns_[i]] == key[i];
        if (equal) break;
    }
    return slot;
}

void Index::add(const AtomTable &atoms, const std::vector<Id> &rows, Id row) {
    const auto make_key = [&](Id of) {
        const std::span<const Id> objects = atoms.objects(rows[of]);
        key_.clear();
        for (const std::size_t column : columns_) key_.push_back(objects[column]);
    };
    if (columns_.size() > 1 && (keys_ + 1) * 2 > heads_.size()) {
        const std::vector<Id> old = std::move(heads_);
        heads_.assign(old.size() * 2, no_id);
        for (const Id head : old)
            if (head != no_id) {
                make_key(head);
                heads_[probe(atoms, rows, key_)] = head;
            }
    }
    make_key(row);
    Id &head = heads_[probe(atoms, rows, key_)];
    if (head == no_id) ++keys_;
    next_.push_back(head);
    head = row;
}

Id Index::first(const AtomTable &atoms, const std::vector<Id> &rows,
                std::span<const Id> key) const {
    return heads_[probe(atoms, rows, key)];
}

void Relation::add(const AtomTable &atoms, Id atom) {
    rows_.push_back(atom);
    const Id row = checked_id(rows_.size() - 1);
    for (Index &each : indices_) each.add(atoms, rows_, row);
}

std::size_t Relation::index(const AtomTable &atoms, const std::vector<std::size_t> &columns,
                            std::size_t objects) {
    for (std::size_t i = 0; i < indices_.size(); ++i)
        if (indices_[i].columns() == columns) return i;
    indices_.emplace_back(columns, objects);
    for (Id row = 0; row < rows_.size(); ++row) indices_.back().add(atoms, rows_, row);
    return indices_.size() - 1;
}

}  // namespace asnets::grounding
