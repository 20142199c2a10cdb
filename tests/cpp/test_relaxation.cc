// What of the delete relaxation is explored: parts that matter in a state, or all of it in the same
// order; and what no plan of it can do without.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "heuristics/dominated_effects.h"
#include "heuristics/necessary_actions.h"
#include "heuristics/relaxed_task.h"
#include "heuristics/state_relaxation.h"
#include "heuristics/whole_relaxation.h"
#include "inline_task.h"

using asnets::Id;
using asnets::NecessaryActions;
using asnets::RelaxedTask;
using asnets::State;
using asnets::StateRelaxation;
using asnets::Task;
using asnets::WholeRelaxation;

namespace {

std::vector<Id> list(std::span<const Id> ids) {
    return {ids.begin(), ids.end()};
}

// A robot carries crates between rooms with doors; dropping one has effects that matter in
// different states.
std::shared_ptr<const Task> crates() {
    return inline_task::ground_sections(
        "(:requirements :typing :negative-preconditions) (:types room crate)"
        "(:predicates (at ?r - room) (in ?c - crate ?r - room) (carries ?c - crate) (free)"
        "  (open ?r - room) (seen ?c - crate) (marked ?r - room))"
        "(:action go :parameters (?a ?b - room) :precondition (and (at ?a) (open ?b))"
        "  :effect (and (at ?b) (not (at ?a))))"
        "(:action unlock :parameters (?a ?b - room) :precondition (and (at ?a) (not (open ?b)))"
        "  :effect (and (open ?b) (marked ?a)))"
        "(:action grab :parameters (?c - crate ?r - room)"
        "  :precondition (and (in ?c ?r) (at ?r) (free))"
        "  :effect (and (carries ?c) (seen ?c) (not (free)) (not (in ?c ?r))))"
        "(:action drop :parameters (?c - crate ?r - room)"
        "  :precondition (and (carries ?c) (at ?r) (seen ?c))"
        "  :effect (and (in ?c ?r) (free) (marked ?r) (not (carries ?c))))",
        "(:objects r1 r2 r3 - room c1 c2 c3 - crate)"
        "(:init (at r1) (free) (open r1) (in c1 r1) (in c2 r2) (in c3 r3))"
        "(:goal (and (in c1 r3) (in c2 r1) (in c3 r1) (marked r2)))");
}

// The operators of `whole` that the selected state has, under their original numbers.
struct Present {
    Present(const StateRelaxation &relaxation_, WholeRelaxation &whole_,
            const std::vector<Id> &facts)
        : whole(whole_) {
        for (Id op = 0; op < relaxation_.always_count; ++op) awake.insert(op);
        awake.insert(relaxation_.awake.begin(), relaxation_.awake.end());
        whole.for_each_misplaced(relaxation_, facts, [this](Id op) { misplaced.insert(op); });
    }
    [[nodiscard]] std::vector<Id> of(std::span<const Id> operators) const {
        std::vector<Id> result;
        for (const Id op : operators)
            if (!misplaced.contains(op) && awake.contains(whole.original[op]))
                result.push_back(whole.original[op]);
        return result;
    }

    WholeRelaxation &whole;
    std::set<Id> awake;
    std::set<Id> misplaced;
};

// How many operators are not in their place.
std::size_t check_same_order(const RelaxedTask &relaxed, StateRelaxation &relaxation,
                             WholeRelaxation &whole, const State &state) {
    std::vector<Id> facts;
    relaxed.facts_of(state, facts);
    relaxation.select(facts);
    const Present present(relaxation, whole, facts);
    for (Id fact = 0; fact < relaxed.fact_count(); ++fact)
        CHECK_EQ(present.of(whole.needed_by[fact]), list(relaxation.needed_by[fact]));
    for (Id op = 0; op < whole.original.size(); ++op) {
        const std::span<const Id> all = whole.effects[op];
        const std::span<const Id> some = relaxation.effects[whole.original[op]];
        std::size_t next = 0;  // those of the state are a part of all, in order
        for (const Id effect : all)
            if (next < some.size() && some[next] == effect) ++next;
        CHECK_EQ(next, some.size());
    }
    return present.misplaced.size();
}

// By sweeps over all operators.
bool reaches_goal(const RelaxedTask &relaxed, const State &state, Id without) {
    std::vector<Id> facts;
    relaxed.facts_of(state, facts);
    std::set<Id> reached(facts.begin(), facts.end());
    for (std::size_t before = 0; before < reached.size();) {
        before = reached.size();
        for (Id op = 0; op < relaxed.operator_count(); ++op) {
            const std::span<const Id> needed = relaxed.preconditions[op];
            if (relaxed.group_action[relaxed.group[op]] != without &&
                std::all_of(needed.begin(), needed.end(),
                            [&](Id fact) { return reached.contains(fact); }))
                reached.insert(relaxed.effects[op].begin(), relaxed.effects[op].end());
        }
    }
    return reached.contains(relaxed.goal);
}

}  // namespace

TEST(the_whole_has_the_order_of_every_state) {
    const auto task = crates();
    const RelaxedTask relaxed(*task);
    StateRelaxation relaxation(relaxed, asnets::dominated_effects(relaxed));
    WholeRelaxation whole(relaxation, relaxed, true);
    CHECK(whole.original.size() > relaxation.group.size());  // some have several places
    asnets::Rng rng(4);
    State state = inline_task::start(*task);
    std::set<std::size_t> misplaced;
    for (int step = 0; step < 200; ++step) {
        misplaced.insert(check_same_order(relaxed, relaxation, whole, state));
        State any(task->proposition_count());  // also in states that no walk reaches
        for (Id id = 0; id < task->proposition_count(); ++id)
            if (rng.uniform() < 0.5) any.add(id);
        misplaced.insert(check_same_order(relaxed, relaxation, whole, any));
        state = inline_task::random_step(*task, state, rng);
    }
    CHECK(misplaced.size() > 1);
}

TEST(without_ties_each_operator_has_one_place) {
    const auto task = crates();
    const RelaxedTask relaxed(*task);
    const StateRelaxation relaxation(relaxed, asnets::dominated_effects(relaxed));
    const WholeRelaxation whole(relaxation, relaxed, false);
    CHECK_EQ(whole.original.size(), relaxation.group.size());
}

TEST(necessary_actions) {
    const auto task = crates();
    const RelaxedTask relaxed(*task);
    NecessaryActions necessary(*task);
    std::vector<Id> all;
    for (Id action = 0; action < task->actions.size(); ++action) all.push_back(action);
    const Id nothing = static_cast<Id>(all.size());
    asnets::Rng rng(7);
    State walked = inline_task::start(*task);
    std::set<std::size_t> counts;
    std::size_t hopeless = 0;
    for (int step = 0; step < 200; ++step) {
        State any(task->proposition_count());
        for (Id id = 0; id < task->proposition_count(); ++id)
            if (rng.uniform() < 0.3) any.add(id);
        for (const State &state : {walked, any}) {
            const bool is_hopeless = !reaches_goal(relaxed, state, nothing);
            hopeless += is_hopeless ? 1 : 0;
            std::vector<Id> asked;
            std::vector<Id> expected;
            for (const Id action : all) {
                if (rng.uniform() < 0.3) continue;
                asked.push_back(action);
                if (!reaches_goal(relaxed, state, action)) expected.push_back(action);
            }
            CHECK_EQ(necessary.among(state, asked), expected);
            if (!is_hopeless) counts.insert(expected.size());
        }
        walked = inline_task::random_step(*task, walked, rng);
    }
    CHECK(necessary.among(walked, {}).empty());
    CHECK(hopeless > 0);
    CHECK(counts.size() > 3);
}
