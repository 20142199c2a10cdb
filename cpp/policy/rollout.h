#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/interrupt.h"
#include "heuristics/heuristic.h"
#include "policy/policy.h"
#include "search/state_table.h"
#include "search/trajectory.h"

namespace asnets {

// What the network sees of a state.
using Observe = std::function<Observation(const State &, const History &)>;

struct RunOptions {
    Selection selection;
    std::size_t most_steps = 300;
    // Never repeat an action of this trajectory in the same state while another one is left. If it
    // is not said: in a deterministic task, where the best action is taken. There what was in vain
    // once is so again.
    std::optional<bool> avoid_loops;
    // End where the goal cannot be reached even in the delete relaxation (h_max).
    bool find_dead_ends = false;
    // Does the policy see what was done before? If not, a deterministic one that comes back to a
    // state never leaves the loop.
    bool sees_history = true;
};

// A policy's execution. loop: of a deterministic task and policy that come back to a state for
// ever, or whose steps ran out where they had been before. dead_end: no action is applicable, or
// h_max says so.
struct Run : Trajectory {
    enum class End : std::uint8_t { goal, dead_end, loop, step_limit, time_limit };

    End end = End::step_limit;
    std::size_t avoided = 0;  // steps in which the best action was one to avoid
    double feature_seconds = 0;
    double network_seconds = 0;
};

// Follows a policy step by step; outcomes are sampled. Task, policy and generator must live as
// long.
class Execution {
public:
    Execution(const Task &task, Policy &policy, const RunOptions &options, Observe observe,
              const State &start, Rng &rng);

    // False at the end. Whatever `observe` throws comes out, and an OutOfTime is the end.
    bool step();
    void stop(Run::End how) {
        run_.end = how;
        run_.reached_goal = how == Run::End::goal;
    }
    [[nodiscard]] const Run &run() const {
        return run_;
    }

private:
    bool end(Run::End how) {
        stop(how);
        return false;
    }
    Policy::Choice choose(const State &state, const std::vector<Id> &avoid);

    const Task &task_;
    Policy &policy_;
    RunOptions options_;
    Observe observe_;
    Rng &rng_;
    bool avoids_loops_;
    bool may_repeat_;  // neither chance nor an option keeps it from a loop
    std::unique_ptr<Heuristic> h_max_;
    Run run_;
    History history_;
    StateTable visited_;
    std::vector<std::vector<Id>> taken_;  // by visited state
};

// Follows a policy to the end. `interrupt` is looked at in each step. Throws Interrupted.
Run roll_out(const Task &task, Policy &policy, const RunOptions &options, const Observe &observe,
             const State &start, Rng &rng, const Interrupt &interrupt = Interrupt());

// One of the initial states, by their probabilities.
const State &sample_initial_state(const Task &task, Rng &rng);

}  // namespace asnets
