#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/features.h"
#include "network/structure.h"

namespace asnets {

// The inputs of several states' networks, side by side: one network whose parts are not connected
// (the disjoint union of the states' graphs). By schema, the rows of the first state come first.
struct Batch {
    struct Schema {
        std::size_t rows = 0;
        std::vector<float> inputs;  // rows x (2 slots + extra inputs)
        std::vector<Id> slots;      // rows x slots: rows of the slot's predicate
        std::vector<Id> state;      // by row: which state it belongs to
    };
    // For each row of a predicate the rows of a schema that have it in one slot.
    struct Pool {
        std::vector<Id> begin;
        std::vector<Id> members;
    };

    std::size_t states = 0;
    std::vector<Schema> schemas;
    std::vector<std::size_t> proposition_rows;  // by predicate
    std::vector<std::vector<Pool>> pools;       // by predicate, as in the signature
    std::vector<std::uint8_t> applicable;       // by action row, all schemas one after the other
};

// Puts states together. The structures must have equal signatures.
class BatchBuilder {
public:
    BatchBuilder(const Signature &signature, const FeatureOptions &options);

    void add(const NetworkStructure &structure, const Observation &observation);
    // What was added, in this order.
    Batch finish();

private:
    Signature signature_;
    FeatureOptions options_;
    Batch batch_;
    std::vector<std::vector<std::uint8_t>> applicable_;  // by schema
};

}  // namespace asnets
