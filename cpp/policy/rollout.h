#pragma once

#include <functional>

#include "policy/policy.h"
#include "search/trajectory.h"

namespace asnets {

// What the network sees of a state.
using Observe = std::function<Observation(const State &, const Counts &)>;

// Follows a policy from a state for at most `most_steps` actions, until a goal, or until nothing is
// applicable; outcomes are sampled.
Trajectory roll_out(const Task &task, Policy &policy, Policy::Mode mode, const Observe &observe,
                    const State &start, std::size_t most_steps, Rng &rng);

// One of the initial states, by their probabilities.
const State &sample_initial_state(const Task &task, Rng &rng);

}  // namespace asnets
