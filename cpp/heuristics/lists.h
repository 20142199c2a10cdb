#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace asnets {

// Lists of ids, one after the other.
class Lists {
public:
    void add(std::span<const Id> list) {
        members_.insert(members_.end(), list.begin(), list.end());
        begin_.push_back(members_.size());
    }
    void clear() {
        members_.clear();
        begin_.resize(1);
    }
    [[nodiscard]] std::span<const Id> operator[](Id list) const {
        return {members_.data() + begin_[list], members_.data() + begin_[list + 1]};
    }
    [[nodiscard]] std::size_t size() const {
        return begin_.size() - 1;
    }
    // Where a list starts among the members of all lists, and how many these are.
    [[nodiscard]] std::uint64_t begin(Id list) const {
        return begin_[list];
    }
    [[nodiscard]] std::size_t total() const {
        return members_.size();
    }
    // For each id below `count`, the lists that it is in.
    [[nodiscard]] Lists inverted(std::size_t count) const;

private:
    std::vector<std::uint64_t> begin_ = {0};
    std::vector<Id> members_;
};

// Lists that grow and shrink at their ends, at first empty, up to the lengths of other lists.
// Throws TooLarge past 2^32 - 2 members.
class OpenLists {
public:
    OpenLists() = default;
    explicit OpenLists(const Lists &room);

    void push(Id list, Id member) {
        Part &part = parts_[list];
        members_[part.begin + part.count++] = member;
    }
    void pop(Id list) {
        --parts_[list].count;
    }
    void shrink(Id list, Id count) {
        parts_[list].count = count;
    }
    [[nodiscard]] Id size(Id list) const {
        return parts_[list].count;
    }
    [[nodiscard]] std::span<Id> operator[](Id list) {
        return {members_.data() + parts_[list].begin, parts_[list].count};
    }
    [[nodiscard]] std::span<const Id> operator[](Id list) const {
        return {members_.data() + parts_[list].begin, parts_[list].count};
    }

private:
    struct Part {
        Id begin = 0;
        Id count = 0;
    };

    std::vector<Part> parts_;
    std::vector<Id> members_;
};

// Lists that do not change, close together. Throws TooLarge past 2^32 - 2 members.
class PackedLists {
public:
    PackedLists() = default;
    explicit PackedLists(const std::vector<std::vector<Id>> &lists);

    [[nodiscard]] std::span<const Id> operator[](Id list) const {
        return {members_.data() + begin_[list], members_.data() + begin_[list + 1]};
    }

private:
    std::vector<Id> begin_ = {0};
    std::vector<Id> members_;
};

}  // namespace asnets
