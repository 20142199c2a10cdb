#pragma once

#include <functional>

#include "base/interrupt.h"
#include "policy/policy.h"
#include "search/trajectory.h"

namespace asnets {

// What the network sees of a state.
using Observe = std::function<Observation(const State &, const Counts &)>;

struct RunOptions {
    Selection selection;
    std::size_t most_steps = 300;
    // Never repeat an action of this trajectory in the same state while another one is left.
    bool avoid_loops = false;
    // End where the goal cannot be reached even in the delete relaxation (h_max).
    bool find_dead_ends = false;
    // Does the policy see how often actions were taken before? If not, a deterministic one that
    // comes back to a state never leaves the loop.
    bool sees_counts = true;
};

// A policy's execution. loop: it does not sample and comes back to a state for ever; or its steps
// ran out where it had been before. dead_end: no action is applicable, or h_max says so.
struct Run : Trajectory {
    enum class End : std::uint8_t { goal, dead_end, loop, step_limit, time_limit };

    End end = End::step_limit;
    std::size_t avoided = 0;  // steps in which the best action was one to avoid
    double feature_seconds = 0;
    double network_seconds = 0;
};

// Follows a policy from a state; outcomes are sampled. `interrupt` is looked at in each step, and
// an OutOfTime, of `observe` too, ends the run. Throws Interrupted.
Run roll_out(const Task &task, Policy &policy, const RunOptions &options, const Observe &observe,
             const State &start, Rng &rng, const Interrupt &interrupt = Interrupt());

// One of the initial states, by their probabilities.
const State &sample_initial_state(const Task &task, Rng &rng);

}  // namespace asnets
