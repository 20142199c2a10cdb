#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "heuristics/heuristic.h"
#include "heuristics/necessary_actions.h"
#include "network/structure.h"

namespace asnets {

// Which inputs a network has beyond truth, goal and applicability.
struct FeatureOptions {
    // Three flags an action. article: it is all of some landmark; it is in one of two or more
    // actions; it is in none. last_cut: it is in any; it is all of one; it is in the last one
    // found. necessary: the same, but an applicable action is also all of one if LM-cut finds it
    // among others only and no plan of the delete relaxation can do without it.
    enum class Landmarks : std::uint8_t { none, article, last_cut, necessary };

    Landmarks landmarks = Landmarks::article;
    bool counts = true;        // how often the action was taken before
    bool helpful = false;      // is it one of h_ff's helpful actions?
    bool last_action = false;  // is it the one that was taken last?

    // Inputs of an action beside the two of each slot.
    [[nodiscard]] std::size_t extra_inputs() const {
        return 1 + (landmarks == Landmarks::none ? 0U : 3U) + (counts ? 1U : 0U) +
               (helpful ? 1U : 0U) + (last_action ? 1U : 0U);
    }
    // Is what was done before an input?
    [[nodiscard]] bool history() const {
        return counts || last_action;
    }
    bool operator==(const FeatureOptions &) const = default;
};

// What was done on the way to a state.
struct History {
    // Actions that were taken, ascending, with how often.
    using Counts = std::vector<std::pair<Id, std::uint32_t>>;

    Counts counts;
    Id last = no_id;  // the last one; no_id at the start

    void add(Id action);
    // As much of it as the options ask for.
    [[nodiscard]] History seen_with(const FeatureOptions &options) const;
    bool operator==(const History &) const = default;
};

// What a network sees of a state, packed.
struct Observation {
    State state;
    std::vector<Id> applicable;                          // ascending
    std::vector<std::pair<Id, std::uint8_t>> landmarks;  // actions with flags other than the usual
    std::vector<Id> helpful;                             // ascending
    History history;
};

// Computes what a network sees. Not thread-safe.
class FeatureExtractor {
public:
    FeatureExtractor(std::shared_ptr<const NetworkStructure> structure,
                     const FeatureOptions &options);

    Observation observe(const State &state, const History &history);

    // Looked at in long evaluations.
    void set_interrupt(const Interrupt &interrupt);

private:
    void mark_landmarks(const State &state, Observation &result);

    std::shared_ptr<const NetworkStructure> structure_;
    FeatureOptions options_;
    std::unique_ptr<Heuristic> lm_cut_;
    std::unique_ptr<NecessaryActions> necessary_;
    std::unique_ptr<Heuristic> h_ff_;
    std::vector<std::uint8_t> flags_;  // by action; all 0 between calls
};

// Writes the inputs of layer 1: by schema, a row an action: truth and goal of each slot,
// applicable, the landmark flags, count, helpful, last (those that the options ask for).
// `rows[schema]` points to the first row.
void write_inputs(const NetworkStructure &structure, const FeatureOptions &options,
                  const Observation &observation, std::span<float *const> rows);

}  // namespace asnets
