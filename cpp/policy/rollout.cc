#include "policy/rollout.h"

#include "base/draw.h"

namespace asnets {

Trajectory roll_out(const Task &task, Policy &policy, Policy::Mode mode, const Observe &observe,
                    const State &start, std::size_t most_steps, Rng &rng) {
    Trajectory result;
    Counts counts;
    result.states.push_back(start);
    while (true) {
        const State &state = result.states.back();
        result.reached_goal = task.is_goal(state);
        if (result.reached_goal || result.actions.size() == most_steps) break;
        const Id action = policy.choose(observe(state, counts), mode, rng);
        if (action == no_id) break;
        add_to(counts, action);
        result.actions.push_back(action);
        result.cost += task.actions[action].cost;
        result.states.push_back(task.sample(state, action, rng.uniform()));
    }
    return result;
}

const State &sample_initial_state(const Task &task, Rng &rng) {
    return draw(task.initial_states, &std::pair<State, double>::second, rng.uniform()).first;
}

}  // namespace asnets
