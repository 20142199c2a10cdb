#pragma once

#include <memory>
#include <span>
#include <vector>

#include "network/dense.h"
#include "network/features.h"
#include "network/key_table.h"
#include "network/network_weights.h"
#include "network/structure.h"

namespace asnets {

// The forward pass for one task.
//
// Many modules see the same as some other module, and compute the same: in layer 1, most actions of
// a state of Blocksworld are inapplicable, of no interest and never taken. So modules are put
// into classes by what they see, which is a few integers (the classes of what they are connected
// to), and only the first of a class is computed, as a sum: each distinct vector is multiplied once
// with the weights of a slot or pool. Classes are kept from state to state: what was seen before is
// looked up. An equal input gives an equal output, so this changes no bit.
//
// Linear in the number of actions. Not thread-safe.
class Network {
public:
    // Throws std::invalid_argument if the weights do not fit each other or the task.
    Network(std::shared_ptr<const NetworkWeights> weights,
            std::shared_ptr<const NetworkStructure> structure);

    // The logits of some actions; valid until the next call.
    const std::vector<float> &logits(const Observation &observation, std::span<const Id> actions);
    // Those of all actions, applicable or not.
    const std::vector<float> &logits(const Observation &observation);

private:
    // Distinct vectors of one width, numbered.
    struct Vectors {
        explicit Vectors(std::size_t width_) : width(width_) {
        }
        [[nodiscard]] std::span<const float> operator[](Id number) const {
            return {values.data() + number * width, width};
        }
        std::size_t width;
        std::vector<float> values;
    };
    // The modules of one schema or predicate in one layer. A key has a word for each part of their
    // input: the number of a vector (in layer 1: bits).
    struct Modules {
        Modules(const NetworkWeights::Module &module, const NetworkWeights &weights, bool last,
                std::size_t key_width)
            : dense(module, weights.nonlinearity, last),
              classes(key_width),
              vectors(module.outputs) {
        }
        Dense dense;
        KeyTable classes;
        Vectors vectors;                           // by class
        std::vector<Id> class_of;                  // by row
        std::vector<std::vector<float>> products;  // by part: W u, by the vector's number
    };
    // What a pool gives in one layer: distinct vectors of maxima, numbered.
    struct Maxima {
        explicit Maxima(std::size_t width) : numbers(width), vectors(width) {
        }
        KeyTable numbers;  // by a vector's bits
        Vectors vectors;
        Id of_none = no_id;
        std::vector<Id> of_one;           // by class: if the pool has no other
        std::vector<std::uint64_t> seen;  // by class: the last pool that had it
    };
    using Layer = std::vector<Modules>;

    // Distinct vectors that are kept now.
    [[nodiscard]] std::size_t kept_vectors() const;
    void forget();
    void read(const Observation &observation);
    void find_first_classes(Id schema);
    void find_action_classes(std::size_t layer, Id schema);
    Id action_class(std::size_t layer, Id schema, std::size_t row);
    void find_proposition_classes(std::size_t layer, Id predicate);
    // The number of the maxima over some actions of a schema.
    Id pooled(Maxima &maxima, const Modules &actions, std::span<const Id> members);
    Id numbered(Maxima &maxima, std::span<const float> vector);
    // The class of the key; a new one is computed from the sources of its parts.
    Id class_of(Modules &modules, std::span<const Vectors *const> sources);

    std::shared_ptr<const NetworkWeights> weights_;
    std::shared_ptr<const NetworkStructure> structure_;
    std::vector<std::vector<Id>> slot_propositions_;        // by schema: rows x slots
    std::vector<std::vector<std::uint32_t>> goal_bits_;     // by schema: rows x words
    std::vector<std::size_t> words_;                        // by schema: of truth and goal
    std::vector<Layer> actions_;                            // by layer, by schema
    std::vector<Layer> propositions_;                       // by layer, by predicate
    std::vector<std::vector<std::vector<Maxima>>> maxima_;  // by layer, predicate, pool

    // Of the present state:
    std::vector<std::uint64_t> truth_;
    std::vector<std::uint32_t> extras_;  // by action: applicable, landmark flags, helpful
    std::vector<std::uint32_t> counts_;  // by action
    std::vector<std::uint32_t> key_;
    std::vector<float> input_;
    std::vector<const Vectors *> sources_;
    std::vector<float> highest_;
    std::vector<std::uint32_t> bits_;
    std::uint64_t pools_ = 0;  // looked at so far
    std::vector<float> logits_;
    std::vector<Id> all_;
};

}  // namespace asnets
