#include "policy/rollout.h"

#include "base/draw.h"
#include "base/stopwatch.h"
#include "search/state_table.h"

namespace asnets {

namespace {

// One execution, step by step.
class Execution {
public:
    Execution(const Task &task, Policy &policy, const RunOptions &options, const Observe &observe,
              Rng &rng)
        : task_(task),
          policy_(policy),
          options_(options),
          observe_(observe),
          rng_(rng),
          repeats_(task.is_deterministic() && !options.avoid_loops && !options.sees_counts &&
                   options.selection.mode == Selection::Mode::best),
          visited_(task.proposition_count()) {
        if (options.find_dead_ends) {
            // The caller keeps the task alive.
            const std::shared_ptr<const Task> borrowed(std::shared_ptr<const Task>(), &task);
            h_max_ = make_heuristic("h_max", borrowed);
        }
    }

    Run run(const State &start, const Interrupt &interrupt) {
        result_.states.push_back(start);
        try {
            do interrupt.check();
            while (!step());
        } catch (const OutOfTime &) {
            result_.end = Run::End::time_limit;
        }
        result_.reached_goal = result_.end == Run::End::goal;
        return std::move(result_);
    }

private:
    bool end(Run::End how) {
        result_.end = how;
        return true;
    }

    // True at the end.
    bool step() {
        const State state = result_.states.back();
        if (task_.is_goal(state)) return end(Run::End::goal);
        const std::size_t before = visited_.size();
        const Id place = visited_.insert(state);
        const bool returned = visited_.size() == before;
        taken_.resize(visited_.size());
        if (returned && repeats_) return end(Run::End::loop);
        if (result_.actions.size() == options_.most_steps) {
            const bool best = options_.selection.mode == Selection::Mode::best;
            return end(returned && best ? Run::End::loop : Run::End::step_limit);
        }
        if (h_max_ && h_max_->value(state) == Heuristic::dead_end) return end(Run::End::dead_end);
        const Policy::Choice choice = choose(state, taken_[place]);
        if (choice.action == no_id) return end(Run::End::dead_end);
        result_.avoided += choice.avoided ? 1 : 0;
        if (options_.avoid_loops) taken_[place].push_back(choice.action);
        add_to(counts_, choice.action);
        result_.actions.push_back(choice.action);
        result_.cost += task_.actions[choice.action].cost;
        result_.states.push_back(task_.sample(state, choice.action, rng_.uniform()));
        return false;
    }

    Policy::Choice choose(const State &state, const std::vector<Id> &avoid) {
        Observation seen;
        {
            const Stopwatch watched(result_.feature_seconds);
            seen = observe_(state, counts_);
        }
        const Stopwatch watched(result_.network_seconds);
        return policy_.choose(seen, options_.selection, rng_, avoid);
    }

    const Task &task_;
    Policy &policy_;
    const RunOptions &options_;
    const Observe &observe_;
    Rng &rng_;
    bool repeats_;  // does it do the same whenever it is in the same state?
    std::unique_ptr<Heuristic> h_max_;
    Run result_;
    Counts counts_;
    StateTable visited_;
    std::vector<std::vector<Id>> taken_;  // by visited state
};

}  // namespace

Run roll_out(const Task &task, Policy &policy, const RunOptions &options, const Observe &observe,
             const State &start, Rng &rng, const Interrupt &interrupt) {
    return Execution(task, policy, options, observe, rng).run(start, interrupt);
}

const State &sample_initial_state(const Task &task, Rng &rng) {
    return draw(task.initial_states, &std::pair<State, double>::second, rng.uniform()).first;
}

}  // namespace asnets
