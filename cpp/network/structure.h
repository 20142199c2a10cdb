#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "network/signature.h"
#include "task/task.h"

namespace asnets {

// How the modules of one task's network are connected (JAIR 2020, section 3), as index arrays.
//
// The modules of a schema have a row for each ground action, in the task's order; those of a
// predicate a row for each proposition, in the task's order, and then one for each atom that a slot
// names but that can never be true: its modules exist like any other, with an input that stays
// false.
class NetworkStructure {
public:
    // For each row of a predicate the actions that have it in one of the pool's slots.
    struct Pool {
        std::vector<Id> begin;    // in members, one more than there are rows
        std::vector<Id> members;  // rows of the schema
    };

    // Throws what signature_of throws.
    explicit NetworkStructure(std::shared_ptr<const Task> task, Pooling pooling = Pooling::by_slot);

    [[nodiscard]] const std::shared_ptr<const Task> &shared_task() const {
        return task_;
    }
    [[nodiscard]] const Task &task() const {
        return *task_;
    }
    [[nodiscard]] std::size_t action_rows(Id schema) const {
        return task_->schema_begin[schema + 1] - task_->schema_begin[schema];
    }
    [[nodiscard]] std::size_t proposition_rows(Id predicate) const {
        return goal[predicate].size();
    }

    Signature signature;
    std::vector<std::vector<Id>> slots;           // by schema: actions x slots, rows of predicates
    std::vector<std::vector<Pool>> pools;         // by predicate, as in the signature
    std::vector<std::vector<std::uint8_t>> goal;  // by predicate, by row: is it in the goal?

private:
    void fill_pools(Id predicate);

    std::shared_ptr<const Task> task_;
};

}  // namespace asnets
