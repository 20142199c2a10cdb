#pragma once

#include <span>
#include <vector>

#include "grounding/atoms.h"

namespace asnets::grounding {

// Finds the rows of a relation that have given objects in given columns. Rows with equal keys form
// a chain from the newest to the oldest.
class Index {
public:
    Index(std::vector<std::size_t> columns, std::size_t objects)
        : columns_(std::move(columns)), heads_(columns_.size() == 1 ? objects : 16, no_id) {
    }

    [[nodiscard]] const std::vector<std::size_t> &columns() const {
        return columns_;
    }
    void add(const AtomTable &atoms, const std::vector<Id> &rows, Id row);
    // The first row of the chain for the key, or no_id.
    [[nodiscard]] Id first(const AtomTable &atoms, const std::vector<Id> &rows,
                           std::span<const Id> key) const;
    [[nodiscard]] Id next(Id row) const {
        return next_[row];
    }

private:
    [[nodiscard]] std::size_t probe(const AtomTable &atoms, const std::vector<Id> &rows,
                                    std::span<const Id> key) const;

    std::vector<std::size_t> columns_;
    std::vector<Id> heads_;  // one column: by object; else open addressing
    std::vector<Id> next_;
    std::vector<Id> key_;
    std::size_t keys_ = 0;
};

// The atoms of one predicate that joins may use, in the order in which they were added.
class Relation {
public:
    void add(const AtomTable &atoms, Id atom);
    // The number of the index on these columns, made now if there is none. Columns ascend.
    std::size_t index(const AtomTable &atoms, const std::vector<std::size_t> &columns,
                      std::size_t objects);

    [[nodiscard]] const std::vector<Id> &rows() const {
        return rows_;
    }
    [[nodiscard]] const Index &get(std::size_t index) const {
        return indices_[index];
    }

private:
    std::vector<Id> rows_;
    std::vector<Index> indices_;
};

}  // namespace asnets::grounding
