#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "network/features.h"
#include "search/state_table.h"

namespace asnets {

// The state memory M of one problem (JAIR 2020, section 4). What depends on the state alone is kept
// once: the applicable actions, which of them are good, landmarks, helpful actions. A sample is a
// state with what was done on the way to it. Only grows.
class StateMemory {
public:
    explicit StateMemory(std::shared_ptr<const NetworkStructure> structure);

    [[nodiscard]] const std::shared_ptr<const NetworkStructure> &structure() const {
        return structure_;
    }
    [[nodiscard]] std::size_t states() const {
        return record_begin_.size();
    }
    [[nodiscard]] std::size_t samples() const {
        return samples_.size();
    }
    // What all of it takes, tables included.
    [[nodiscard]] std::size_t bytes() const;

    // no_id if the state is not there.
    [[nodiscard]] Id find(const State &state) const;
    // Keeps a new state and returns its number; `good` is ascending. The observation's history does
    // not matter.
    Id add_state(const Observation &observation, std::span<const Id> good);
    // Keeps a sample unless it is there.
    bool add_sample(Id state, const History &history);

    // What was observed, without the history, and the good actions.
    [[nodiscard]] Observation observation_of_state(Id state) const;
    [[nodiscard]] std::vector<Id> good_of_state(Id state) const;
    [[nodiscard]] Id state_of_sample(std::size_t sample) const {
        return samples_[sample].state;
    }
    [[nodiscard]] Observation observation(std::size_t sample) const;

    // What came after so many states and samples, as plain words; append() adds it to a memory that
    // had got as far. Throws std::invalid_argument if it does not fit; what came before the mistake
    // has been added then.
    [[nodiscard]] std::vector<std::uint32_t> since(std::size_t states, std::size_t samples) const;
    void append(std::span<const std::uint32_t> words);

private:
    struct Sample {
        Id state = no_id;
        // In histories_: the number of pairs, the pairs of actions and counts, the last action.
        std::uint64_t history_begin = 0;
    };
    // Records: for the applicable actions, landmarks and helpful actions, their number and one
    // word each: the action, with its flags in the upper bits.
    static constexpr unsigned flag_shift = 29;
    static constexpr Id action_mask = (Id{1} << flag_shift) - 1;

    [[nodiscard]] std::span<const std::uint32_t> record_of(Id state) const;
    [[nodiscard]] std::span<const std::uint32_t> history_of(std::size_t sample) const;
    void check_record(std::span<const std::uint32_t> record) const;
    Id add_record(const State &state, std::span<const std::uint32_t> record);
    void check_history(std::span<const std::uint32_t> history) const;
    bool add_history(Id state, std::span<const std::uint32_t> history);

    std::shared_ptr<const NetworkStructure> structure_;
    StateTable table_;
    std::vector<std::uint64_t> record_begin_;  // by state
    std::vector<std::uint32_t> records_;
    std::vector<Sample> samples_;
    std::vector<std::uint32_t> histories_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> sample_of_hash_;
};

}  // namespace asnets
