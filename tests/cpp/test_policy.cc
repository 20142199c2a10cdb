// State memories and policies: what is kept, what damaged memories do, ties, rollouts, exploration.
// One file, as all of it runs on the same small tasks.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "inline_task.h"
#include "network/network.h"
#include "policy/explorer.h"

using asnets::ExplorationOptions;
using asnets::ExplorationReport;
using asnets::Explorer;
using asnets::FeatureExtractor;
using asnets::FeatureOptions;
using asnets::History;
using asnets::Id;
using asnets::Interrupt;
using asnets::Network;
using asnets::NetworkStructure;
using asnets::NetworkWeights;
using asnets::no_id;
using asnets::Observation;
using asnets::Policy;
using asnets::Rng;
using asnets::Run;
using asnets::RunOptions;
using asnets::Selection;
using asnets::State;
using asnets::StateMemory;
using asnets::Task;

namespace {

// Places in a line: the goal is at one end, and `wait` is always possible.
std::shared_ptr<const NetworkStructure> line(int length) {
    std::string objects;
    std::string next;
    for (int i = 0; i < length; ++i) {
        objects += " p" + std::to_string(i);
        if (i > 0) next += " (next p" + std::to_string(i - 1) + " p" + std::to_string(i) + ")";
    }
    return std::make_shared<NetworkStructure>(inline_task::ground_sections(
        R"((:predicates (at ?p) (next ?a ?b))
           (:action move :parameters (?a ?b) :precondition (and (at ?a) (next ?a ?b))
            :effect (and (at ?b) (not (at ?a))))
           (:action wait :parameters (?a) :precondition (at ?a) :effect (at ?a)))",
        "(:objects" + objects + ") (:init (at p0)" + next + ") (:goal (at p" +
            std::to_string(length - 1) + "))"));
}

// All weights zero but for the last layer's biases: by schema, how much it is liked.
std::shared_ptr<Network> constant_network(const std::shared_ptr<const NetworkStructure> &structure,
                                          const std::vector<float> &logits) {
    auto weights = std::make_shared<NetworkWeights>();
    weights->signature = structure->signature;
    weights->actions.resize(2);
    weights->propositions.resize(1);
    const auto module = [](std::size_t inputs, float bias) {
        return NetworkWeights::Module{inputs, 1, std::vector<float>(inputs), {bias}};
    };
    for (std::size_t s = 0; s < logits.size(); ++s) {
        const std::size_t slots = structure->signature.schemas[s].slots.size();
        weights->actions[0].push_back(module(2 * slots + weights->features.extra_inputs(), 0.0F));
        weights->actions[1].push_back(module(slots + 1, logits[s]));
    }
    for (const auto &predicate : structure->signature.predicates)
        weights->propositions[0].push_back(module(predicate.pools.size(), 0.0F));
    return std::make_shared<Network>(weights, structure);
}

std::unique_ptr<asnets::Teacher> teacher(const NetworkStructure &structure,
                                         const std::string &name = "astar:lm_cut") {
    return asnets::make_teacher(name, structure.shared_task(), {});
}

template <typename Run>
bool refuses(Run run) {
    try {
        run();
    } catch (const std::invalid_argument &) {
        return true;
    }
    return false;
}

}  // namespace

TEST(counts_stay_in_order) {
    History history;
    CHECK_EQ(history.last, no_id);
    for (const Id action : {5U, 2U, 5U, 9U, 2U, 5U}) history.add(action);
    CHECK((history == History{{{2, 2}, {5, 3}, {9, 1}}, 5}));
    FeatureOptions options;
    CHECK((history.seen_with(options) == History{history.counts, no_id}));
    options.counts = false;
    options.last_action = true;
    CHECK((history.seen_with(options) == History{{}, 5}));
}

TEST(memory_gives_back_what_it_was_given) {
    const auto structure = line(3);
    FeatureExtractor extractor(structure, {});
    StateMemory memory(structure);
    const State &start = structure->task().initial_states[0].first;
    const Observation seen = extractor.observe(start, {});
    CHECK_EQ(memory.find(start), no_id);
    CHECK_EQ(memory.add_state(seen, seen.applicable), 0);
    CHECK_EQ(memory.find(start), 0);
    CHECK(memory.add_sample(0, {}));
    CHECK(!memory.add_sample(0, {}));
    CHECK(memory.add_sample(0, {{{1, 2}}, 1}));
    CHECK(memory.add_sample(0, {{{1, 3}}, 1}));
    CHECK(memory.add_sample(0, {{{1, 2}}, no_id}));
    CHECK(!memory.add_sample(0, {{{1, 2}}, 1}));
    CHECK_EQ(memory.states(), 1);
    CHECK_EQ(memory.samples(), 4);
    const Observation found = memory.observation(1);
    CHECK(found.state == start);
    CHECK(found.applicable == seen.applicable);
    CHECK(found.landmarks == seen.landmarks);
    CHECK((found.history == History{{{1, 2}}, 1}));
    CHECK(memory.good_of_state(0) == seen.applicable);
}

TEST(memory_in_parts_is_the_whole) {
    const auto structure = line(6);
    const auto whole = std::make_shared<StateMemory>(structure);
    StateMemory copy(structure);
    Explorer explorer(whole, {}, teacher(*structure));
    explorer.teach(50, 1);
    copy.append(whole->since(0, 0));
    Policy policy(constant_network(structure, {0.0F, 0.0F}));
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        explorer.explore(policy, {Selection::Mode::sample, 2, 20}, seed);
        copy.append(whole->since(copy.states(), copy.samples()));
        CHECK_EQ(copy.samples(), whole->samples());
    }
    CHECK(copy.since(0, 0) == whole->since(0, 0));
    CHECK(refuses([&] { copy.append(whole->since(0, 0)); }));
}

TEST(damaged_memories_are_refused) {
    const auto structure = line(4);
    const auto memory = std::make_shared<StateMemory>(structure);
    Explorer explorer(memory, {}, teacher(*structure));
    explorer.teach(50, 1);
    const std::vector<std::uint32_t> words = memory->since(0, 0);
    for (std::size_t length = 0; length < words.size(); ++length)
        CHECK(refuses([&] { StateMemory(structure).append({words.data(), length}); }));
    Rng rng(1);
    for (int i = 0; i < 2000; ++i) {
        std::vector<std::uint32_t> damaged = words;
        damaged[rng.next() % damaged.size()] ^= 1U << (rng.next() % 32);
        StateMemory copy(structure);
        if (refuses([&] { copy.append(damaged); })) continue;
        for (std::size_t sample = 0; sample < copy.samples(); ++sample)
            CHECK(copy.observation(sample).state.words().size() == 1);
    }
}

TEST(best_action_is_the_first_of_those_that_tie) {
    const auto structure = line(3);
    FeatureExtractor extractor(structure, {});
    const Observation seen = extractor.observe(structure->task().initial_states[0].first, {});
    Rng rng(1);
    const auto chosen = [&](float move, float wait) {
        Policy policy(constant_network(structure, {move, wait}));
        return structure->task().action_name(policy.choose(seen, {}, rng).action);
    };
    CHECK_EQ(chosen(1.0F, 1.0F), "move p0 p1");
    CHECK_EQ(chosen(1.0F, 1.00005F), "move p0 p1");
    CHECK_EQ(chosen(1.0F, 1.001F), "wait p0");
}

TEST(sampling_follows_the_probabilities) {
    const auto structure = line(3);
    FeatureExtractor extractor(structure, {});
    const Observation seen = extractor.observe(structure->task().initial_states[0].first, {});
    Policy policy(constant_network(structure, {0.0F, 1.0F}));
    const std::vector<double> probability = policy.probabilities(seen);
    CHECK(std::abs(probability[1] - 0.7310586) < 1e-6);
    CHECK(std::abs(probability[0] + probability[1] - 1) < 1e-12);
    CHECK(std::abs(policy.probabilities(seen, 0.5)[1] - 0.8807971) < 1e-6);
    Rng rng(1);
    const auto wait_rate = [&](double temperature) {
        int waits = 0;
        for (int i = 0; i < 10000; ++i) {
            const Selection selection{Selection::Mode::sample, temperature};
            waits += policy.choose(seen, selection, rng).action == seen.applicable[1] ? 1 : 0;
        }
        return waits / 10000.0;
    };
    CHECK(std::abs(wait_rate(1) - 0.7310586) < 0.02);
    CHECK(std::abs(wait_rate(0.5) - 0.8807971) < 0.02);
}

TEST(actions_to_avoid_are_taken_if_there_is_no_other) {
    const auto structure = line(3);
    FeatureExtractor extractor(structure, {});
    const Observation seen = extractor.observe(structure->task().initial_states[0].first, {});
    Policy policy(constant_network(structure, {0.0F, 1.0F}));
    Rng rng(1);
    const std::vector<Id> &both = seen.applicable;
    for (const Selection::Mode mode : {Selection::Mode::best, Selection::Mode::sample}) {
        const Policy::Choice other = policy.choose(seen, {mode, 1}, rng, std::vector{both[1]});
        CHECK_EQ(other.action, both[0]);
        CHECK(other.avoided);
        const Policy::Choice same = policy.choose(seen, {mode, 1}, rng, std::vector{both[0]});
        CHECK_EQ(same.action, both[1]);
        CHECK(!same.avoided);
    }
    const Policy::Choice forced = policy.choose(seen, {}, rng, both);
    CHECK_EQ(forced.action, both[1]);
    CHECK(!forced.avoided);
}

// Runs from the initial state of a line.
class Runner {
public:
    explicit Runner(int length) : structure_(line(length)), extractor_(structure_, {}) {
    }
    Run operator()(float move, float wait, const RunOptions &options,
                   const Interrupt &interrupt = Interrupt()) {
        Policy policy(constant_network(structure_, {move, wait}));
        const asnets::Observe observe = [&](const State &state, const History &history) {
            return extractor_.observe(state, history);
        };
        Rng rng(1);
        const Task &task = structure_->task();
        return roll_out(task, policy, options, observe, task.initial_states[0].first, rng,
                        interrupt);
    }

private:
    std::shared_ptr<const NetworkStructure> structure_;
    FeatureExtractor extractor_;
};

TEST(rollouts_end_at_the_goal_or_after_the_last_step) {
    Runner run(5);
    RunOptions options;
    const Run moved = run(1, 0, options);
    CHECK(moved.reached_goal);
    CHECK(moved.end == Run::End::goal);
    CHECK_EQ(moved.actions.size(), 4);
    CHECK_EQ(moved.cost, 4);
    options.most_steps = 3;
    const Run stopped = run(1, 0, options);
    CHECK(!stopped.reached_goal);
    CHECK(stopped.end == Run::End::step_limit);
    CHECK_EQ(stopped.actions.size(), 3);
}

TEST(loops_are_named_and_avoided) {
    Runner run(5);
    RunOptions options;
    options.avoid_loops = false;
    options.most_steps = 7;
    const Run waited = run(0, 1, options);
    CHECK(!waited.reached_goal);
    CHECK(waited.end == Run::End::loop);
    CHECK_EQ(waited.actions.size(), 7);  // it sees what was done, so it might have left
    options.sees_history = false;
    const Run stuck = run(0, 1, options);
    CHECK(stuck.end == Run::End::loop);
    CHECK_EQ(stuck.actions.size(), 1);
    options.avoid_loops = true;
    options.most_steps = 8;
    const Run freed = run(0, 1, options);
    CHECK(freed.end == Run::End::goal);
    CHECK_EQ(freed.actions.size(), 8);  // it waits once at each place
    CHECK_EQ(freed.avoided, 4);
    options.avoid_loops.reset();
    CHECK(run(0, 1, options).actions == freed.actions);
    options.selection.mode = Selection::Mode::sample;  // then it is chance that avoids them
    CHECK_EQ(run(0, 1, options).avoided, 0);
}

TEST(dead_ends_are_found) {
    const auto structure = std::make_shared<const NetworkStructure>(inline_task::ground_sections(
        "(:predicates (p) (q) (r)) "
        "(:action a :precondition (p) :effect (not (p))) "
        "(:action b :precondition (p) :effect (q)) (:action c :effect (r))",
        "(:init (p)) (:goal (q))"));
    FeatureExtractor extractor(structure, {});
    Policy policy(constant_network(structure, {1.0F, 0.0F, 0.5F}));
    const asnets::Observe observe = [&](const State &state, const History &history) {
        return extractor.observe(state, history);
    };
    Rng rng(1);
    RunOptions options;
    options.avoid_loops = false;
    options.most_steps = 10;
    const Task &task = structure->task();
    const State &start = task.initial_states[0].first;
    CHECK(roll_out(task, policy, options, observe, start, rng).end == Run::End::loop);
    options.find_dead_ends = true;
    const Run run = roll_out(task, policy, options, observe, start, rng);
    CHECK(run.end == Run::End::dead_end);
    CHECK_EQ(run.actions.size(), 1);
}

TEST(runs_end_with_their_time) {
    Runner run(5);
    const Interrupt over(nullptr, Interrupt::Clock::now() - std::chrono::seconds(1));
    const Run none = run(1, 0, {}, over);
    CHECK(none.end == Run::End::time_limit);
    CHECK(none.actions.empty());
    CHECK_THROWS(run(1, 0, {}, Interrupt([] { return true; })), asnets::Interrupted);
}

TEST(wandering_shows_more_and_is_not_judged) {
    // The goal is one way, and chance goes the other way too.
    const auto structure = std::make_shared<NetworkStructure>(inline_task::ground_sections(
        R"((:predicates (at ?p) (next ?a ?b))
           (:action move :parameters (?a ?b) :precondition (and (at ?a) (next ?a ?b))
            :effect (and (at ?b) (not (at ?a))))
           (:action wait :parameters (?a) :precondition (at ?a) :effect (at ?a)))",
        "(:objects a b c d e) (:init (at c) (next a b) (next b a) (next b c) (next c b) (next c d) "
        "(next d c) (next d e)) (:goal (at e))"));
    const auto states = [&](std::size_t wander, bool teaches) {
        const auto memory = std::make_shared<StateMemory>(structure);
        Explorer explorer(memory, {}, teacher(*structure));
        ExplorationOptions options{Selection::Mode::sample, 20, 20, true, wander};
        if (teaches) {
            explorer.teach(20, 1);
            CHECK_EQ(explorer.wander(options, 1).rollouts, 0);
        } else {
            Policy waiter(constant_network(structure, {0.0F, 50.0F}));
            const ExplorationReport report = explorer.explore(waiter, options, 1);
            CHECK_EQ(report.rollouts, 20);
            CHECK_EQ(report.successes, 0);
        }
        // Where wandering leads to, nothing was done before.
        const std::size_t all = memory->states();
        CHECK(teaches || memory->samples() > all);
        return all;
    };
    for (const bool teaches : {false, true}) {
        CHECK_EQ(states(0, teaches), 2);  // c and d, the teacher's way
        CHECK_EQ(states(1, teaches), 3);  // b too
        CHECK_EQ(states(9, teaches), 4);
    }
}

TEST(wandering_keeps_off_dead_ends) {
    // Nearly all actions spill the fuel that every move needs.
    const auto structure = std::make_shared<NetworkStructure>(inline_task::ground_sections(
        R"((:predicates (at ?p) (next ?a ?b) (fuel))
           (:action move :parameters (?a ?b) :precondition (and (at ?a) (next ?a ?b) (fuel))
            :effect (and (at ?b) (not (at ?a))))
           (:action spill :parameters (?a ?b) :precondition (fuel) :effect (not (fuel))))",
        "(:objects a b c d e) (:init (fuel) (at c) (next a b) (next b a) (next b c) (next c b) "
        "(next c d) (next d c) (next d e)) (:goal (at e))"));
    const auto memory = std::make_shared<StateMemory>(structure);
    Explorer explorer(memory, {}, teacher(*structure));
    const ExplorationReport report =
        explorer.wander({Selection::Mode::sample, 40, 20, true, 60}, 1);
    CHECK(report.has_way);
    CHECK_EQ(memory->states(), 4);  // all places but the goal, with fuel
}

TEST(exploring_leaves_out_what_teaches_nothing) {
    // a ruins everything; then b and c are the same.
    const auto structure = std::make_shared<const NetworkStructure>(
        inline_task::ground_sections("(:predicates (p) (q) (r)) "
                                     "(:action a :precondition (p) :effect (not (p))) "
                                     "(:action b :effect (r)) (:action c :effect (when (p) (q)))",
                                     "(:init (p)) (:goal (q))"));
    const auto memory = std::make_shared<StateMemory>(structure);
    Explorer explorer(memory, {}, teacher(*structure));
    Policy policy(constant_network(structure, {1.0F, 0.0F, 0.0F}));
    ExplorationOptions options{Selection::Mode::best, 1, 20};
    const ExplorationReport report = explorer.explore(policy, options, 1);
    CHECK_EQ(report.successes, 0);
    CHECK_EQ(memory->states(), 1);
    // The initial state and the dead end that a leads to, and the teacher's way to the goal.
    CHECK_EQ(report.visits, 4);
}

TEST(samples_have_as_much_of_the_history_as_is_seen) {
    const auto structure = line(4);
    const auto history_before_the_goal = [&](bool counts, bool last_action) {
        FeatureOptions options;
        options.counts = counts;
        options.last_action = last_action;
        const auto memory = std::make_shared<StateMemory>(structure);
        Explorer explorer(memory, options, teacher(*structure));
        explorer.teach(20, 1);
        CHECK_EQ(memory->samples(), 3);
        CHECK(memory->observation(0).history == History());
        StateMemory copy(structure);
        copy.append(memory->since(0, 0));
        return copy.observation(2).history;
    };
    CHECK(history_before_the_goal(false, false) == History());
    CHECK((history_before_the_goal(true, false) == History{{{0, 1}, {1, 1}}, no_id}));
    CHECK((history_before_the_goal(false, true) == History{{}, 1}));
    CHECK((history_before_the_goal(true, true) == History{{{0, 1}, {1, 1}}, 1}));
}

TEST(exploring_spends_so_many_expansions) {
    const auto structure = line(5);
    const auto explore = [&](std::uint64_t most, std::uint64_t calls,
                             const std::string &name = "astar:h_add") {
        const auto memory = std::make_shared<StateMemory>(structure);
        const std::shared_ptr<asnets::Teacher> knows = teacher(*structure, name);
        Explorer explorer(memory, {}, knows);
        Policy walker(constant_network(structure, {50.0F, 0.0F}));
        ExplorationOptions options{Selection::Mode::sample, 3, 20};
        options.teacher_expansions = most;
        for (std::uint64_t seed = 0; seed < calls; ++seed) {
            const ExplorationReport report = explorer.explore(walker, options, seed);
            CHECK_EQ(report.rollouts, 3);  // the policy is judged whatever the teacher may do
            CHECK_EQ(report.successes, 3);
        }
        return std::pair(memory->states(), knows->statistics().expansions);
    };
    const auto [all, needed] = explore(1'000'000, 1);
    CHECK_EQ(all, 4);
    CHECK(needed > 1);
    CHECK_EQ(explore(needed + 1, 1).first, all);
    CHECK(explore(1, 1).first < all);
    CHECK_EQ(explore(1, 8).first, all);  // a limit of each call: what is left out comes later
    // One search for all states on optimal plans, and nothing more for what is known.
    CHECK_EQ(explore(1, 1, "astar:lm_cut").first, all);
}

TEST(teaching_goes_all_the_way_from_the_initial_state) {
    const auto structure = line(5);
    const auto memory = std::make_shared<StateMemory>(structure);
    Explorer explorer(memory, {}, teacher(*structure));
    ExplorationOptions options{Selection::Mode::sample, 3, 20, true, 9};
    options.teacher_expansions = 0;
    CHECK_EQ(explorer.wander(options, 1).visits, 0);
    CHECK(explorer.teach(50, 1).has_way);
    CHECK_EQ(memory->states(), 4);
}

TEST(exploring_labels_what_policy_and_teacher_pass) {
    const auto structure = line(5);
    const auto memory = std::make_shared<StateMemory>(structure);
    Explorer explorer(memory, {}, teacher(*structure));
    const ExplorationReport taught = explorer.teach(50, 1);
    CHECK(taught.has_teacher && taught.has_way);
    CHECK_EQ(taught.samples, 4);  // p0 to p3; the goal teaches nothing
    for (Id state = 0; state < memory->states(); ++state) {
        CHECK_EQ(memory->good_of_state(state).size(), 1);
        CHECK_EQ(structure->task().schema_of(memory->good_of_state(state)[0]), 0);
    }
    Policy waiter(constant_network(structure, {0.0F, 1.0F}));
    const ExplorationReport report = explorer.explore(waiter, {Selection::Mode::best, 1, 3}, 1);
    CHECK_EQ(report.rollouts, 1);
    CHECK_EQ(report.successes, 0);
    CHECK_EQ(memory->states(), 4);
    // It waits once at each place: p0 and p1 after a wait, p1 after two, and from each of these the
    // teacher's way; its rollouts have 3 steps.
    CHECK_EQ(report.samples, 7);
    CHECK_EQ(report.visits, 4 + 4 * 4);
}
