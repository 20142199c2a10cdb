#include "policy/rollout.h"

#include "base/draw.h"
#include "base/stopwatch.h"

namespace asnets {

namespace {

// Is there no chance in what comes next?
bool is_determined(const Task &task, const RunOptions &options) {
    return task.is_deterministic() && options.selection.mode == Selection::Mode::best;
}

}  // namespace

Execution::Execution(const Task &task, Policy &policy, const RunOptions &options, Observe observe,
                     const State &start, Rng &rng)
    : task_(task),
      policy_(policy),
      options_(options),
      observe_(std::move(observe)),
      rng_(rng),
      avoids_loops_(options.avoid_loops.value_or(is_determined(task, options))),
      may_repeat_(is_determined(task, options) && !avoids_loops_),
      visited_(task.proposition_count()) {
    run_.states.push_back(start);
    if (options.find_dead_ends) {
        const std::shared_ptr<const Task> borrowed(std::shared_ptr<const Task>(), &task);
        h_max_ = make_heuristic("h_max", borrowed);
    }
}

bool Execution::step() {
    const State state = run_.states.back();
    if (task_.is_goal(state)) return end(Run::End::goal);
    const std::size_t before = visited_.size();
    const Id place = visited_.insert(state);
    const bool returned = visited_.size() == before;
    taken_.resize(visited_.size());
    if (returned && may_repeat_ && !options_.sees_history) return end(Run::End::loop);
    if (run_.actions.size() == options_.most_steps) {
        return end(returned && may_repeat_ ? Run::End::loop : Run::End::step_limit);
    }
    if (h_max_) {
        const Stopwatch watched(run_.feature_seconds);
        if (h_max_->value(state) == Heuristic::dead_end) return end(Run::End::dead_end);
    }
    Policy::Choice choice;
    try {
        choice = choose(state, taken_[place]);
    } catch (const OutOfTime &) {
        return end(Run::End::time_limit);
    }
    if (choice.action == no_id) return end(Run::End::dead_end);
    run_.avoided += choice.avoided ? 1 : 0;
    if (avoids_loops_) taken_[place].push_back(choice.action);
    history_.add(choice.action);
    run_.actions.push_back(choice.action);
    run_.cost += task_.actions[choice.action].cost;
    run_.states.push_back(task_.sample(state, choice.action, rng_.uniform()));
    return true;
}

Policy::Choice Execution::choose(const State &state, const std::vector<Id> &avoid) {
    Observation seen;
    {
        const Stopwatch watched(run_.feature_seconds);
        seen = observe_(state, history_);
    }
    const Stopwatch watched(run_.network_seconds);
    return policy_.choose(seen, options_.selection, rng_, avoid);
}

Run roll_out(const Task &task, Policy &policy, const RunOptions &options, const Observe &observe,
             const State &start, Rng &rng, const Interrupt &interrupt) {
    Execution execution(task, policy, options, observe, start, rng);
    try {
        do interrupt.check();
        while (execution.step());
    } catch (const OutOfTime &) {
        execution.stop(Run::End::time_limit);
    }
    return execution.run();
}

const State &sample_initial_state(const Task &task, Rng &rng) {
    return draw(task.initial_states, &std::pair<State, double>::second, rng.uniform()).first;
}

}  // namespace asnets
