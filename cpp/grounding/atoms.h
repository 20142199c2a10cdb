#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace asnets::grounding {

// Ground atoms, numbered as they are met, with what is known of each. Look-up is by value and
// exact: predicates with few possible atoms use a dense array, the others open addressing.
class AtomTable {
public:
    enum Flag : std::uint8_t {
        reached = 1,         // true in some relaxed-reachable state
        always_initial = 2,  // true in every initial state
        deleted = 4,         // deleted by a reachable outcome
        in_relation = 8,     // visible to joins
        goal = 16,           // named by the goal
    };

    AtomTable(const std::vector<std::size_t> &arities, std::size_t objects);

    [[nodiscard]] std::size_t size() const {
        return predicates_.size();
    }
    // The atom's number, or no_id if it has none yet.
    [[nodiscard]] Id find(Id predicate, std::span<const Id> objects) const;
    Id intern(Id predicate, std::span<const Id> objects);

    [[nodiscard]] Id predicate(Id atom) const {
        return predicates_[atom];
    }
    [[nodiscard]] std::span<const Id> objects(Id atom) const {
        return {arguments_.data() + begins_[atom], tables_[predicates_[atom]].arity};
    }
    [[nodiscard]] bool has(Id atom, Flag flag) const {
        return (flags_[atom] & flag) != 0;
    }
    void set(Id atom, Flag flag) {
        flags_[atom] = static_cast<std::uint8_t>(flags_[atom] | flag);
    }

private:
    struct Table {
        std::size_t arity = 0;
        bool dense = false;
        std::size_t count = 0;
        std::vector<Id> slots;  // dense: by value; else open addressing
    };

    [[nodiscard]] std::size_t dense_slot(std::span<const Id> objects) const;
    [[nodiscard]] std::size_t probe(const Table &table, std::span<const Id> objects) const;
    void grow(Table &table);

    std::size_t object_count_;
    std::vector<Table> tables_;
    std::vector<Id> predicates_;
    std::vector<std::uint64_t> begins_;
    std::vector<Id> arguments_;
    std::vector<std::uint8_t> flags_;
};

}  // namespace asnets::grounding
