#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/features.h"
#include "network/structure.h"

namespace asnets {

// The inputs of several states' networks, side by side: one network whose parts are not connected
// (the disjoint union of the states' graphs). By schema, the rows of the first state come first.
// Indices are as wide as tensor libraries want them.
struct Batch {
    using Index = std::int64_t;

    struct Schema {
        std::size_t rows = 0;
        std::vector<float> inputs;  // rows x (2 slots + extra inputs)
        std::vector<Index> slots;   // rows x slots: rows of the slot's predicate
    };
    // For each row of a predicate the rows of a schema that have it in one slot.
    struct Pool {
        std::vector<Index> begin;
        std::vector<Index> members;
    };

    std::size_t states = 0;
    std::vector<Schema> schemas;
    std::vector<std::size_t> proposition_rows;  // by predicate
    std::vector<std::vector<Pool>> pools;       // by predicate, as in the signature
    // The applicable actions, state by state: the action's row, all schemas one after the other;
    // the state's number; what a policy should choose with which probability.
    std::vector<Index> choice_rows;
    std::vector<Index> choice_states;
    std::vector<float> targets;
};

// Puts states together. The structures must have equal signatures.
class BatchBuilder {
public:
    BatchBuilder(const Signature &signature, const FeatureOptions &options);

    // `good` has the applicable actions that a policy should choose, all equally likely.
    void add(const NetworkStructure &structure, const Observation &observation,
             std::span<const Id> good = {});
    // What was added, in this order.
    Batch finish();

private:
    void add_rows(const NetworkStructure &structure, Id schema);
    void add_choices(const NetworkStructure &structure, const Observation &observation,
                     std::span<const Id> good);
    void add_pools(const NetworkStructure &structure, Id predicate);

    Signature signature_;
    FeatureOptions options_;
    Batch batch_;
    std::vector<Id> choice_schemas_;  // whose rows come before is known at the end
};

}  // namespace asnets
