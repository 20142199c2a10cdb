#include "policy/explorer.h"

#include <algorithm>

#include "base/stopwatch.h"

namespace asnets {

Explorer::Explorer(std::shared_ptr<StateMemory> memory, const FeatureOptions &features,
                   std::shared_ptr<Teacher> teacher, Interrupt::Poll poll)
    : memory_(std::move(memory)),
      options_(features),
      extractor_(memory_->structure(), features),
      teacher_(std::move(teacher)),
      h_max_(make_heuristic("h_max", memory_->structure()->shared_task())) {
    extractor_.set_interrupt(Interrupt(poll));
    h_max_->interrupt = Interrupt(poll);
}

void Explorer::allow(std::uint64_t expansions) {
    const std::uint64_t before = teacher_->statistics().expansions;
    last_expansion_ = before + std::min(expansions, ~before);
}

ExplorationReport Explorer::teach(std::size_t most_steps, std::uint64_t seed) {
    ExplorationReport report;
    Rng rng(seed);
    allow(std::numeric_limits<std::uint64_t>::max());
    for (const auto &[start, probability] : memory_->structure()->task().initial_states)
        if (!follow_teacher(start, {}, most_steps, rng.next(), report)) report.has_teacher = false;
    return report;
}

ExplorationReport Explorer::wander(const ExplorationOptions &options, std::uint64_t seed) {
    ExplorationReport report;
    Rng rng(seed);
    allow(options.teacher_expansions);
    wander_off(options, rng, report);
    return report;
}

ExplorationReport Explorer::explore(Policy &policy, const ExplorationOptions &options,
                                    std::uint64_t seed) {
    const Task &task = memory_->structure()->task();
    RunOptions run;
    run.selection.mode = options.mode;
    run.most_steps = options.most_steps;
    run.sees_history = options_.history();
    run.find_dead_ends = true;  // there is nothing to learn from there on
    ExplorationReport report;
    Rng rng(seed);
    allow(options.teacher_expansions);
    for (std::size_t i = 0; i < options.rollouts; ++i) {
        std::vector<Observation> seen;
        const Observe watch = [&](const State &state, const History &history) {
            seen.push_back(observe(state, history));
            return seen.back();
        };
        Run passed;
        {
            const Stopwatch watched(report.policy_seconds);
            passed = roll_out(task, policy, run, watch, sample_initial_state(task, rng), rng);
        }
        ++report.rollouts;
        report.successes += passed.reached_goal ? 1 : 0;
        report.cost += passed.reached_goal ? passed.cost : 0;
        History history;
        for (std::size_t step = 0; step < passed.states.size(); ++step) {
            remember(passed.states[step], history, step < seen.size() ? &seen[step] : nullptr,
                     report);
            if (options.consult)
                follow_teacher(passed.states[step], history, options.most_steps, rng.next(),
                               report);
            if (step < passed.actions.size()) history.add(passed.actions[step]);
        }
    }
    wander_off(options, rng, report);
    return report;
}

void Explorer::wander_off(const ExplorationOptions &options, Rng &rng, ExplorationReport &report) {
    if (options.wander == 0) return;
    const Task &task = memory_->structure()->task();
    std::vector<Id> applicable;
    for (std::size_t i = 0; i < options.rollouts; ++i) {
        State state = sample_initial_state(task, rng);
        std::uint64_t left = 1 + rng.next() % options.wander;
        for (; left > 0 && may_search(); --left) {
            task.applicable_actions(state, applicable);
            if (applicable.empty()) break;
            const Id action = applicable[rng.next() % applicable.size()];
            State next = task.sample(state, action, rng.uniform());
            if (h_max_->value(next) != Heuristic::dead_end) state = std::move(next);
        }
        follow_teacher(state, {}, options.most_steps, rng.next(), report);
    }
}

bool Explorer::follow_teacher(const State &start, History history, std::size_t most_steps,
                              std::uint64_t seed, ExplorationReport &report) {
    if (!may_ask_about(start)) return false;
    std::optional<Trajectory> passed;
    {
        const Stopwatch watched(report.teacher_seconds);
        passed = teacher_->rollout(start, most_steps, seed);
    }
    if (!passed) return false;
    report.has_way = report.has_way || passed->reached_goal || !passed->actions.empty();
    if (passed->actions.empty()) return true;  // a goal or a dead end: there is no way to learn
    for (std::size_t step = 0; step < passed->states.size(); ++step) {
        remember(passed->states[step], history, nullptr, report);
        if (step < passed->actions.size()) history.add(passed->actions[step]);
    }
    return true;
}

Observation Explorer::observe(const State &state, const History &history) {
    const Id known = memory_->find(state);
    if (known == no_id) return extractor_.observe(state, history);
    Observation result = memory_->observation_of_state(known);
    result.history = history.seen_with(options_);
    return result;
}

void Explorer::remember(const State &state, const History &history, const Observation *seen,
                        ExplorationReport &report) {
    ++report.visits;
    Id id = memory_->find(state);
    if (id == no_id) {
        if (!may_ask_about(state)) return;
        std::optional<std::vector<Id>> good;
        {
            const Stopwatch watched(report.teacher_seconds);
            good = teacher_->good_actions(state);
        }
        if (!good || good->empty()) return;  // there is nothing to learn
        const Stopwatch watched(report.feature_seconds);
        id = memory_->add_state(seen != nullptr ? *seen : extractor_.observe(state, {}), *good);
    }
    if (memory_->add_sample(id, history.seen_with(options_))) ++report.samples;
}

}  // namespace asnets
