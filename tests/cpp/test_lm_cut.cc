// LM-cut: landmarks of tiny tasks, and what its incremental form keeps from a parent.
#include <algorithm>
#include <map>
#include <queue>
#include <string>

#include "base/interrupt.h"
#include "base/random.h"
#include "heuristics/heuristic.h"
#include "inline_task.h"

using asnets::Heuristic;
using asnets::heuristics;
using asnets::Id;
using asnets::Interrupt;
using asnets::Interrupted;
using asnets::make_heuristic;
using asnets::Rng;
using asnets::State;
using asnets::Task;
using inline_task::action;
using inline_task::apply;
using inline_task::ground_sections;
using inline_task::Names;
using inline_task::start;

namespace {

using Pointer = std::shared_ptr<const Task>;

// The landmarks of the last evaluated state, sorted: "a | b, c".
std::string landmarks(const Task &task, const Heuristic &heuristic) {
    Names each;
    for (const std::vector<Id> &landmark : heuristic.landmarks()) {
        std::string &text = each.emplace_back();
        for (const Id id : landmark) text += (text.empty() ? "" : " | ") + task.action_name(id);
    }
    std::sort(each.begin(), each.end());
    return inline_task::joined(each);
}

const std::string blocks =
    "(:predicates (on ?x ?y) (ontable ?x) (clear ?x) (holding ?x) (handempty))"
    "(:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))"
    "  :effect (and (holding ?x) (not (ontable ?x)) (not (clear ?x)) (not (handempty))))"
    "(:action put-down :parameters (?x) :precondition (holding ?x)"
    "  :effect (and (clear ?x) (handempty) (ontable ?x) (not (holding ?x))))"
    "(:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))"
    "  :effect (and (clear ?x) (handempty) (on ?x ?y) (not (holding ?x)) (not (clear ?y))))"
    "(:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))"
    "  :effect (and (holding ?x) (clear ?y) (not (on ?x ?y)) (not (clear ?x)) (not (handempty))))";

const std::string tower = "(ontable a) (on b a) (on c b) (clear c) (handempty)";

Pointer blocks_task(const std::string &goal) {
    return ground_sections(blocks, "(:objects a b c) (:init " + tower + ") (:goal " + goal + ")");
}

// Costs, shared conditional effects, a dead end and two ways to the goal.
Pointer errands() {
    return ground_sections(
        "(:requirements :adl :action-costs) (:functions (total-cost))"
        "(:predicates (at ?x) (road ?x ?y) (wet) (mail) (bread) (money))"
        "(:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))"
        "  :effect (and (at ?y) (not (at ?x)) (increase (total-cost) 2)))"
        "(:action rain :effect (and (wet) (increase (total-cost) 1)))"
        "(:action shop :precondition (at c)"
        "  :effect (and (when (money) (bread)) (when (not (wet)) (mail)) (not (money))"
        "    (increase (total-cost) 3)))"
        "(:action post :precondition (at b) :effect (and (mail) (increase (total-cost) 4)))"
        "(:action work :precondition (and (at a) (not (wet))) :effect (and (money)"
        "    (increase (total-cost) 5)))",
        "(:objects a b c) (:init (at a) (road a b) (road b a) (road b c) (road c b))"
        "(:goal (and (mail) (bread))) (:metric minimize (total-cost))");
}

// The cost of a cheapest plan, by Dijkstra's search.
double cheapest(const Task &task, const State &from) {
    struct Larger {
        bool operator()(const std::pair<double, State> &a,
                        const std::pair<double, State> &b) const {
            return a.first > b.first;
        }
    };
    std::priority_queue<std::pair<double, State>, std::vector<std::pair<double, State>>, Larger>
        open;
    std::map<std::vector<std::uint64_t>, double> best;
    const auto reach = [&](const State &state, double cost) {
        const std::vector<std::uint64_t> key(state.words().begin(), state.words().end());
        const auto [place, first] = best.emplace(key, cost);
        if (!first && place->second <= cost) return;
        place->second = cost;
        open.emplace(cost, state);
    };
    reach(from, 0);
    std::vector<Id> applicable;
    while (!open.empty()) {
        const auto [cost, state] = open.top();
        open.pop();
        if (task.is_goal(state)) return cost;
        task.applicable_actions(state, applicable);
        for (const Id id : applicable)
            for (const auto &outcome : task.outcomes_of(id))
                reach(task.apply(outcome, state), cost + task.actions[id].cost);
    }
    return Heuristic::dead_end;
}

}  // namespace

TEST(landmarks_of_a_chain) {
    const auto task = ground_sections(
        "(:predicates (p) (q) (r)) (:action a :effect (p)) (:action b :effect (p))"
        "(:action c :precondition (p) :effect (q)) (:action d :precondition (q) :effect (r))",
        "(:init) (:goal (r))");
    const auto lm_cut = make_heuristic("lm_cut", task);
    CHECK_EQ(lm_cut->value(start(*task)), 3);
    CHECK_EQ(landmarks(*task, *lm_cut), "a | b, c, d");
}

TEST(a_cut_costs_as_much_as_its_cheapest_operator) {
    const auto task = ground_sections(
        "(:requirements :action-costs) (:functions (total-cost)) (:predicates (p) (q))"
        "(:action a :effect (and (p) (increase (total-cost) 3)))"
        "(:action b :effect (and (p) (q) (increase (total-cost) 5)))"
        "(:action c :precondition (p) :effect (and (q) (increase (total-cost) 4)))",
        "(:init) (:goal (q)) (:metric minimize (total-cost))");
    const auto lm_cut = make_heuristic("lm_cut", task);
    CHECK_EQ(lm_cut->value(start(*task)), 5);  // b and c for 4, then a and b for b's last 1
    CHECK_EQ(landmarks(*task, *lm_cut), "a | b, b | c");
}

TEST(operators_from_behind_the_zone_are_not_in_the_cut) {
    // q leads back to the zone's p, but is only reached through p.
    const auto task = ground_sections(
        "(:requirements :action-costs) (:functions (total-cost)) (:predicates (p) (q) (r) (g))"
        "(:action get :effect (and (p) (increase (total-cost) 1)))"
        "(:action on :precondition (p) :effect (and (q) (increase (total-cost) 0)))"
        "(:action back :precondition (q) :effect (and (p) (r) (increase (total-cost) 1)))"
        "(:action end :precondition (p) :effect (and (g) (increase (total-cost) 0)))",
        "(:init) (:goal (g)) (:metric minimize (total-cost))");
    const auto lm_cut = make_heuristic("lm_cut", task);
    CHECK_EQ(lm_cut->value(start(*task)), 1);
    CHECK_EQ(landmarks(*task, *lm_cut), "get");
}

TEST(idle_effects_are_in_no_landmark) {
    const auto task = blocks_task("(on a b)");
    const auto lm_cut = make_heuristic("lm_cut", task);
    CHECK_EQ(lm_cut->value(start(*task)), 4);
    CHECK_EQ(landmarks(*task, *lm_cut), "pick-up a, stack a b, unstack b a, unstack c b");
    // In the hand, b may be put anywhere.
    State held = apply(*task, start(*task), "unstack c b");
    held = apply(*task, held, "put-down c");
    held = apply(*task, held, "unstack b a");
    CHECK_EQ(lm_cut->value(held), 3);
    CHECK_EQ(landmarks(*task, *lm_cut), "pick-up a, put-down b | stack b a | stack b c, stack a b");
    // What mattered in that state is forgotten.
    CHECK_EQ(lm_cut->value(start(*task)), 4);
}

TEST(a_successor_keeps_landmarks_without_the_action) {
    const auto task = blocks_task("(on a b)");
    const auto lm_cut = make_heuristic("lm_cut_incremental", task);
    lm_cut->expand(start(*task));
    const State next = apply(*task, start(*task), "unstack c b");
    CHECK_EQ(lm_cut->successor_value(next, action(*task, "unstack c b")), 4);
    CHECK_EQ(landmarks(*task, *lm_cut),
             "pick-up a, put-down c | stack c b, stack a b, unstack b a");
    CHECK_EQ(lm_cut->value(start(*task)), 4);                                  // plain again
    CHECK_EQ(lm_cut->successor_value(next, action(*task, "unstack c b")), 4);  // same parent
}

TEST(a_successor_may_be_a_dead_end) {
    const auto task = ground_sections(
        "(:predicates (p) (q) (r)) (:action a :precondition (p) :effect (and (q) (not (p))))"
        "(:action b :precondition (p) :effect (r))",
        "(:init (p)) (:goal (and (q) (r)))");
    const auto lm_cut = make_heuristic("lm_cut_incremental", task);
    lm_cut->expand(start(*task));
    CHECK_EQ(lm_cut->successor_value(apply(*task, start(*task), "a"), action(*task, "a")),
             Heuristic::dead_end);
    CHECK_EQ(lm_cut->successor_value(apply(*task, start(*task), "b"), action(*task, "b")), 1);
    lm_cut->expand(apply(*task, start(*task), "a"));  // a dead end has nothing to keep
    CHECK_EQ(lm_cut->successor_value(start(*task), action(*task, "a")), 2);
}

TEST(values_along_walks) {
    Rng rng(3);
    for (const Pointer &task :
         {blocks_task("(and (on a b) (on b c))"), blocks_task("(on b c)"), errands()}) {
        std::map<std::string, std::unique_ptr<Heuristic>> all;
        for (const auto &[name, factory] : heuristics()) all[name] = factory(task);
        State state = start(*task);
        std::vector<Id> applicable;
        for (int step = 0; step < 60; ++step) {
            for (const auto &[name, heuristic] : all) heuristic->expand(state);
            Heuristic &incremental = *all.at("lm_cut_incremental");
            const double parent = all.at("lm_cut")->value(state);
            const auto fresh = make_heuristic("lm_cut", task);  // knows no other state
            CHECK_EQ(fresh->value(state), parent);
            CHECK(fresh->landmarks() == all.at("lm_cut")->landmarks());
            task->applicable_actions(state, applicable);
            for (const Id id : applicable) {
                const State next = task->apply(task->outcomes_of(id)[0], state);
                const double optimal = cheapest(*task, next);
                for (const auto &[name, heuristic] : all) {
                    const double value = heuristic->successor_value(next, id);
                    if (name != "lm_cut_incremental") CHECK_EQ(value, heuristic->value(next));
                    if (name == "h_max" || name.starts_with("lm_cut")) CHECK(value <= optimal);
                    CHECK(value < Heuristic::dead_end || optimal == Heuristic::dead_end);
                }
                // What is kept is worth the parent's value but for landmarks with the action.
                const double value = incremental.successor_value(next, id);
                CHECK(value >= parent - task->actions[id].cost);
                CHECK_EQ(value, incremental.successor_value(next, id));
            }
            state = inline_task::random_step(*task, state, rng);
        }
    }
}

TEST(an_interrupted_heuristic_can_be_used_again) {
    const auto task = blocks_task("(and (on a b) (on b c))");
    const auto lm_cut = make_heuristic("lm_cut_incremental", task);
    const State next = apply(*task, start(*task), "unstack c b");
    const double value = lm_cut->value(start(*task));
    const double after = lm_cut->value(next);
    lm_cut->expand(start(*task));
    lm_cut->interrupt = Interrupt([] { return true; });
    CHECK_THROWS(lm_cut->value(start(*task)), Interrupted);
    CHECK_THROWS(lm_cut->expand(next), Interrupted);
    lm_cut->interrupt = Interrupt();
    CHECK_EQ(lm_cut->successor_value(next, action(*task, "unstack c b")), after);
    CHECK_EQ(lm_cut->value(start(*task)), value);
}
