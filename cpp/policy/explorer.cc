#include "policy/explorer.h"

#include <algorithm>

#include "base/stopwatch.h"

namespace asnets {

namespace {

std::vector<Id> good_actions(const std::vector<Teacher::QValue> &values) {
    const auto cheaper = [](const auto &a, const auto &b) { return a.value < b.value; };
    const double least = std::min_element(values.begin(), values.end(), cheaper)->value;
    std::vector<Id> result;
    for (const Teacher::QValue &each : values)
        if (each.value <= least + Explorer::good_band) result.push_back(each.action);
    return result;
}

}  // namespace

Explorer::Explorer(std::shared_ptr<StateMemory> memory, const FeatureOptions &features,
                   std::shared_ptr<Teacher> teacher, Interrupt::Poll poll)
    : memory_(std::move(memory)),
      options_(features),
      extractor_(memory_->structure(), features),
      teacher_(std::move(teacher)) {
    extractor_.set_interrupt(Interrupt(poll));
}

ExplorationReport Explorer::teach(std::size_t most_steps, std::uint64_t seed) {
    ExplorationReport report;
    Rng rng(seed);
    for (const auto &[start, probability] : memory_->structure()->task().initial_states)
        if (!follow_teacher(start, {}, most_steps, rng.next(), report)) report.has_teacher = false;
    return report;
}

ExplorationReport Explorer::explore(Policy &policy, Selection::Mode mode, std::size_t rollouts,
                                    std::size_t most_steps, std::uint64_t seed, double blind) {
    RunOptions options;
    options.selection.mode = mode;
    options.most_steps = most_steps;
    options.sees_counts = options_.counts;
    ExplorationReport report;
    Rng rng(seed);
    for (std::size_t i = 0; i < rollouts; ++i) follow_policy(policy, options, rng, report);
    if (blind > 0) {
        options.selection.mode = Selection::Mode::sample;
        options.selection.blind = blind;
        for (std::size_t i = 0; i < rollouts; ++i) follow_policy(policy, options, rng, report);
    }
    return report;
}

void Explorer::follow_policy(Policy &policy, const RunOptions &options, Rng &rng,
                             ExplorationReport &report) {
    const Task &task = memory_->structure()->task();
    std::vector<Observation> seen;
    const Observe watch = [&](const State &state, const Counts &counts) {
        seen.push_back(observe(state, counts));
        return seen.back();
    };
    Run passed;
    {
        const Stopwatch watched(report.policy_seconds);
        passed = roll_out(task, policy, options, watch, sample_initial_state(task, rng), rng);
    }
    const bool is_blind = options.selection.blind > 0;
    if (!is_blind) {
        ++report.rollouts;
        report.successes += passed.reached_goal ? 1 : 0;
        report.cost += passed.reached_goal ? passed.cost : 0;
    }
    Counts counts;
    for (std::size_t step = 0; step < passed.states.size(); ++step) {
        if (!is_blind)
            remember(passed.states[step], counts, step < seen.size() ? &seen[step] : nullptr,
                     report);
        const std::optional<Trajectory> way =
            follow_teacher(passed.states[step], counts, options.most_steps, rng.next(), report);
        // Chance strays into dead ends, where all that follows is lost and dear to label.
        if (is_blind && (!way || way->actions.empty())) break;
        if (step < passed.actions.size()) add_to(counts, passed.actions[step]);
    }
}

std::optional<Trajectory> Explorer::follow_teacher(const State &start, Counts counts,
                                                   std::size_t most_steps, std::uint64_t seed,
                                                   ExplorationReport &report) {
    std::optional<Trajectory> passed;
    {
        const Stopwatch watched(report.teacher_seconds);
        passed = teacher_->rollout(start, most_steps, seed);
    }
    if (!passed) return passed;
    report.has_way = report.has_way || passed->reached_goal || !passed->actions.empty();
    for (std::size_t step = 0; step < passed->states.size(); ++step) {
        remember(passed->states[step], counts, nullptr, report);
        if (step < passed->actions.size()) add_to(counts, passed->actions[step]);
    }
    return passed;
}

Observation Explorer::observe(const State &state, const Counts &counts) {
    const Id known = memory_->find(state);
    if (known == no_id) return extractor_.observe(state, counts);
    Observation result = memory_->observation_of_state(known);
    if (options_.counts) result.counts = counts;
    return result;
}

void Explorer::remember(const State &state, const Counts &counts, const Observation *seen,
                        ExplorationReport &report) {
    ++report.visits;
    Id id = memory_->find(state);
    if (id == no_id) {
        std::optional<std::vector<Teacher::QValue>> values;
        {
            const Stopwatch watched(report.teacher_seconds);
            values = teacher_->q_values(state);
        }
        // Where there is nothing to choose, there is nothing to learn.
        if (!values || values->size() < 2) return;
        const Stopwatch watched(report.feature_seconds);
        id = memory_->add_state(seen != nullptr ? *seen : extractor_.observe(state, {}),
                                good_actions(*values));
    }
    static const Counts none;
    if (memory_->add_sample(id, options_.counts ? counts : none)) ++report.samples;
}

}  // namespace asnets
