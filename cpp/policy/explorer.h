#pragma once

#include <limits>
#include <memory>

#include "network/state_memory.h"
#include "policy/rollout.h"
#include "search/teacher.h"

namespace asnets {

// What an exploration did.
struct ExplorationReport {
    std::uint64_t rollouts = 0;   // of the policy
    std::uint64_t successes = 0;  // of those, how many reached the goal
    double cost = 0;              // of those, in all
    std::uint64_t visits = 0;     // states on the way, the teacher's included
    std::uint64_t samples = 0;    // of those, new ones in the memory
    bool has_teacher = true;      // false if its limits ended a rollout from an initial state
    bool has_way = false;         // did the teacher act, or was there nothing to do?
    // Seconds spent following the policy (its features included), with the teacher, and on what the
    // network sees of the teacher's states.
    double policy_seconds = 0;
    double teacher_seconds = 0;
    double feature_seconds = 0;
};

struct ExplorationOptions {
    Selection::Mode mode = Selection::Mode::sample;  // of the policy
    std::size_t rollouts = 1;
    std::size_t most_steps = 50;
    bool consult = true;     // follow the teacher from each state that the policy passes?
    std::size_t wander = 0;  // steps by chance at most; 0: it does not wander
    // After so many expansions in a call, the teacher is only asked about states that it knows.
    std::uint64_t teacher_expansions = std::numeric_limits<std::uint64_t>::max();
};

// Fills the state memory of one problem: the exploration phase of Algorithm 1 (JAIR 2020, section
// 4). Equal seeds, weights and earlier calls give equal memories. Not thread-safe.
class Explorer {
public:
    Explorer(std::shared_ptr<StateMemory> memory, const FeatureOptions &features,
             std::shared_ptr<Teacher> teacher, Interrupt::Poll poll = nullptr);

    // The first epoch: the teacher's rollouts from the initial states, however long that takes.
    ExplorationReport teach(std::size_t most_steps, std::uint64_t seed);
    // As many rollouts of the teacher from where at most `options.wander` actions drawn by chance
    // lead to, those apart that h_max says lead to a dead end: as if there were more problems. What
    // was done on the way there does not count. When the teacher may not search any more, they
    // begin in initial states if it knows those, else there are none.
    ExplorationReport wander(const ExplorationOptions &options, std::uint64_t seed);
    // Later epochs: the policy's rollouts, the teacher's from each state that they pass if it is
    // consulted, and wandering.
    ExplorationReport explore(Policy &policy, const ExplorationOptions &options,
                              std::uint64_t seed);

private:
    Observation observe(const State &state, const History &history);
    void allow(std::uint64_t expansions);
    [[nodiscard]] bool may_search() const {
        return teacher_->statistics().expansions < last_expansion_;
    }
    [[nodiscard]] bool may_ask_about(const State &state) const {
        return may_search() || teacher_->knows(state);
    }
    void wander_off(const ExplorationOptions &options, Rng &rng, ExplorationReport &report);
    // The teacher's rollout from a state that was reached in this way. False if its limits ended
    // it.
    bool follow_teacher(const State &start, History history, std::size_t most_steps,
                        std::uint64_t seed, ExplorationReport &report);
    // `seen` is what the network saw of the state, if it did.
    void remember(const State &state, const History &history, const Observation *seen,
                  ExplorationReport &report);

    std::shared_ptr<StateMemory> memory_;
    FeatureOptions options_;
    FeatureExtractor extractor_;
    std::shared_ptr<Teacher> teacher_;
    std::unique_ptr<Heuristic> h_max_;
    std::uint64_t last_expansion_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace asnets
