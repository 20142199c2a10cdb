#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "network/features.h"
#include "network/kernels.h"
#include "network/kind_table.h"
#include "network/network_weights.h"
#include "network/scorer.h"
#include "network/structure.h"

namespace asnets {

// The forward pass for one task.
//
// Each proposition's vector is multiplied once for each (schema, slot) that has its predicate, and
// an action gathers the products of its slots: W u = W_1 u_1 + ... + W_k u_k. While an action's
// vector is still in the processor's registers it goes into the maxima of its propositions' pools.
// In layer 1, where a slot has two bits only, most actions see the same as some other one: each
// kind is computed once, and so is what layer 2 takes from it. In the last layer only the asked
// actions are computed, and in the layer before it only the propositions that those need.
//
// Linear in the number of actions; a state is evaluated without allocating. Not thread-safe.
class Network : public Scorer {
public:
    // Throws std::invalid_argument if the weights do not fit each other or the task.
    Network(std::shared_ptr<const NetworkWeights> weights,
            std::shared_ptr<const NetworkStructure> structure);

    const std::vector<float> &logits(const Observation &observation,
                                     std::span<const Id> actions) override;
    // Those of all actions, applicable or not.
    const std::vector<float> &logits(const Observation &observation);

private:
    // W and b of the modules of a schema or predicate in one layer, for the kernels.
    struct Module {
        std::size_t width = 0;       // outputs
        std::vector<Vectors> parts;  // of W, transposed: by part of the input, a row an input
        Vectors biases;              // one row
    };
    // An action's input of layer 1 beside its slots: one of a few combinations in a state.
    struct Extras {
        std::vector<Id> of;                       // by row: its combination
        std::vector<Id> special;                  // rows that have not the usual one, 0
        std::vector<std::uint64_t> combinations;  // bits and count
        Vectors bases;                            // b + W u of each combination
    };

    // What the actions of a schema are in layer 1: few kinds, by what they see.
    struct Kinds {
        KindTable table;  // by the codes of the slots and the combination of extras
        std::size_t count = 0;
        std::vector<Id> of;            // by row: its kind
        std::vector<Id> propositions;  // by kind: those of the first action that is of it
        std::vector<Id> bases;         // by kind
        Vectors values;                // by kind; one past the last has the lower bound
        Vectors products;              // by kind: layer 2's b + W u of an action's own vector
    };

    static Module arranged(const NetworkWeights::Module &module,
                           const std::vector<std::size_t> &part_widths);
    void arrange_weights();
    void arrange_codes(Id schema);
    [[nodiscard]] std::vector<Id> only_members(Id predicate, std::size_t pool) const;
    void allocate();
    void run(const Observation &observation, std::span<const Id> actions);
    void read(const Observation &observation);
    // The number of a combination of a schema's actions in the present state.
    Id combination_of(Id schema, std::uint64_t combination);
    void find_needed(std::span<const Id> actions);
    void find_kinds(Id schema);
    void run_first(Id schema);
    void run_actions(std::size_t layer, Id schema);
    // only_member_ with kinds in place of actions.
    const Id *only_kinds(Id predicate, std::size_t pool);
    void run_propositions(std::size_t layer, Id predicate);
    void multiply_for_slots(std::size_t layer, Id schema);
    [[nodiscard]] float logit(Id action) const;

    std::shared_ptr<const NetworkWeights> weights_;
    std::shared_ptr<const NetworkStructure> structure_;
    std::vector<std::vector<Module>> action_modules_;       // by hidden layer, schema
    std::vector<std::vector<Module>> proposition_modules_;  // by layer, predicate
    std::vector<std::vector<Vectors>> codes_;  // by schema, slot: layer 1's W u of (truth, goal)
    Vectors no_biases_;

    // Of the present state. Layers take turns in values: layer l has number l % 2; kinds_ has the
    // actions of the first.
    std::vector<std::vector<std::uint8_t>> code_;  // by predicate, row: truth + 2 goal
    std::vector<Extras> extras_;                   // by schema
    std::vector<Kinds> kinds_;                     // by schema
    std::vector<std::uint64_t> differences_;       // by action; all 0 between calls
    std::vector<Id> unusual_;
    std::array<std::vector<Vectors>, 2> action_values_;       // by schema: a row an action
    std::array<std::vector<Vectors>, 2> proposition_values_;  // by predicate
    std::vector<std::vector<Vectors>> products_;     // by schema, slot: a row a proposition
    std::vector<std::vector<Vectors>> maxima_;       // by predicate, pool
    std::vector<std::vector<Vectors *>> maxima_of_;  // by schema, slot: where it pools
    // By predicate, pool: if no proposition has more than one action there, its row, or one past
    // the last, where the lower bound stands.
    std::vector<std::vector<std::vector<Id>>> only_member_;
    std::vector<std::vector<std::vector<Id>>> only_kind_;
    std::vector<std::vector<Id>> needed_;               // by predicate: rows
    std::vector<std::vector<std::uint8_t>> is_needed_;  // by predicate, row
    std::vector<kernels::Slot> slots_;
    std::vector<kernels::Part> parts_;
    std::vector<float> logits_;
    std::vector<Id> all_;
};

}  // namespace asnets
