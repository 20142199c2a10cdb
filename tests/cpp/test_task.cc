// Order, look-up, costs, goals, states, determinisation.
#include <algorithm>
#include <string>

#include "inline_task.h"

using asnets::Determinisation;
using asnets::determinise;
using asnets::Id;
using asnets::no_id;
using asnets::Outcome;
using asnets::State;
using asnets::Task;
using inline_task::action;
using inline_task::action_names;
using inline_task::ground_sections;
using inline_task::Names;
using inline_task::proposition;
using inline_task::proposition_names;

namespace {

State state_of(const Task &task, const Names &names) {
    State state(task.proposition_count());
    for (const std::string &name : names) state.add(proposition(task, name));
    task.derive(state);
    return state;
}

Names names_of(const Task &task, std::span<const Id> propositions) {
    Names names;
    for (const Id id : propositions) names.push_back(task.proposition_name(id));
    return names;
}

// Two switches and a lamp: the goals below are checked on states given by name.
const std::string lamp =
    "(:predicates (up ?x) (lit) (broken) (fixed ?x))"
    "(:action flip :parameters (?x) :effect (and (up ?x) (lit) (not (broken))))"
    "(:action flop :parameters (?x) :effect (and (not (up ?x)) (not (lit)) (broken)))";

std::shared_ptr<const Task> with_goal(const std::string &goal) {
    return ground_sections(lamp, "(:objects a b) (:init (fixed a)) (:goal " + goal + ")");
}

bool reached(const Task &task, const Names &names) {
    return task.is_goal(state_of(task, names));
}

}  // namespace

TEST(names_are_in_lexicographic_order) {
    const auto task = ground_sections(
        "(:predicates (on ?x ?y) (on-top ?x) (on_ ?x) (o))"
        "(:action move :parameters (?x ?y) :effect (on ?x ?y))"
        "(:action move-up :parameters (?x) :effect (and (on-top ?x) (on_ ?x)))"
        "(:action mov :effect (o)) (:action move! :effect (o))",
        "(:objects b1 b-1 b B10) (:init) (:goal (o))");
    Names names = action_names(*task);
    CHECK_EQ(names.size(), 16 + 4 + 2);
    CHECK(std::is_sorted(names.begin(), names.end()));
    CHECK_EQ(names.front(), "mov");
    CHECK_EQ(names[1], "move b b");
    CHECK_EQ(names[2], "move b b-1");
    CHECK_EQ(names[3], "move b b1");
    CHECK_EQ(names[4], "move b b10");
    CHECK_EQ(names[17], "move!");
    names = proposition_names(*task);
    CHECK(std::is_sorted(names.begin(), names.end()));
    CHECK_EQ(names.front(), "o");
    CHECK_EQ(names.back(), "on_ b10");
}

TEST(propositions_and_actions_are_found_by_their_objects) {
    const auto task = ground_sections(
        "(:predicates (p ?x ?y) (q) (r ?x)) (:action b :parameters (?x ?y) :precondition (p ?x ?y))"
        "(:action c :effect (q)) (:action a :parameters (?x) :precondition (r ?x))",
        "(:objects k l m) (:init (p k m) (p l k) (p m m)) (:goal (q))");
    for (Id id = 0; id < task->proposition_count(); ++id)
        CHECK_EQ(task->find_proposition(task->predicate_of(id), task->objects_of_proposition(id)),
                 id);
    for (Id id = 0; id < task->actions.size(); ++id)
        CHECK_EQ(task->find_action(task->schema_of(id), task->objects_of_action(id)), id);
    const std::vector<Id> km = {0, 2};
    const std::vector<Id> kk = {0, 0};
    const std::vector<Id> last = {2, 2};
    CHECK_EQ(task->proposition_name(task->find_proposition(0, km)), "p k m");
    CHECK_EQ(task->find_proposition(0, kk), no_id);
    CHECK_EQ(task->find_action(1, last), 2);
    CHECK_EQ(task->find_action(1, kk), no_id);
    CHECK_EQ(task->proposition_name(task->find_proposition(1, {})), "q");
    const std::vector<Id> k = {0};
    CHECK_EQ(task->find_proposition(2, k), no_id);  // r has no propositions at all
    CHECK_EQ(task->find_action(0, k), no_id);       // a has no actions
    CHECK_EQ(task->action_name(task->find_action(2, {})), "c");
}

TEST(preconditions_keep_static_atoms) {
    const auto task = ground_sections(
        "(:predicates (s ?x) (p ?x) (q ?x))"
        "(:action a :parameters (?x) :precondition (and (s ?x) (p ?x) (not (q ?x)) (p ?x)))"
        "(:action b :parameters (?x) :effect (and (not (p ?x)) (q ?x)))",
        "(:objects k) (:init (s k) (p k)) (:goal (and))");
    const auto &condition = task->actions[action(*task, "a k")].precondition;
    CHECK_EQ(names_of(*task, task->positive(condition)), (Names{"p k", "s k"}));
    CHECK_EQ(names_of(*task, task->negative(condition)), (Names{"q k"}));
    CHECK_EQ(condition.formula, no_id);
}

TEST(what_never_changes_is_simplified_away) {
    const auto task = ground_sections(
        "(:predicates (s ?x) (p ?x) (never ?x))"
        "(:action a :parameters (?x) :precondition"
        "  (and (not (never ?x)) (or (never ?x) (p ?x)) (forall (?y) (or (s ?y) (p ?y)))))"
        "(:action b :parameters (?x) :effect (p ?x))",
        "(:objects k l) (:init (s k)) (:goal (and))");
    const auto &condition = task->actions[action(*task, "a k")].precondition;
    CHECK_EQ(names_of(*task, task->positive(condition)), (Names{"p k", "p l"}));
    CHECK_EQ(task->negative(condition).size(), 0);
    CHECK_EQ(condition.formula, no_id);
}

TEST(costs_are_summed_per_action) {
    const std::string domain =
        "(:functions (total-cost) (toll ?x) (tax)) (:predicates (p))"
        "(:action go :parameters (?x) :effect (and (p) (increase (total-cost) (toll ?x))"
        "  (increase (total-cost) 1/2) (increase (total-cost) (tax))))"
        "(:action rest :effect (p))";
    const std::string facts = "(:objects a b) (:init (= (toll a) 3) (= (toll b) 0) (= (tax) 1))";
    const auto task =
        ground_sections(domain, facts + "(:goal (p)) (:metric minimize (total-cost))");
    CHECK_EQ(task->actions[action(*task, "go a")].cost, 4.5);
    CHECK_EQ(task->actions[action(*task, "go b")].cost, 1.5);
    CHECK_EQ(task->actions[action(*task, "rest")].cost, 0.0);
    const auto unit = ground_sections(domain, facts + "(:goal (p))");
    CHECK_EQ(unit->actions[action(*unit, "go a")].cost, 1.0);
    CHECK_EQ(unit->actions[action(*unit, "rest")].cost, 1.0);
}

TEST(a_missing_cost_is_an_error_if_an_action_needs_it) {
    const std::string domain =
        "(define (domain d) (:functions (total-cost) (toll ?x)) (:predicates (p ?x))\n"
        "(:action go :parameters (?x) :precondition (p ?x)\n"
        "  :effect (increase (total-cost) (toll ?x))))";
    const std::string problem =
        "(define (problem p) (:objects a b) (:init (= (toll a) 1) (p a)) (:goal (and))"
        "(:metric minimize (total-cost)))";
    CHECK_EQ(inline_task::ground(domain, problem)->actions.size(), 1);
    CHECK_MISTAKE(
        inline_task::ground(domain,
                            "(define (problem p) (:objects a b) (:init (= (toll a) 1) (p a)"
                            "(p b)) (:goal (and)) (:metric minimize (total-cost)))"),
        "3:11", "a value for (toll b)");
}

TEST(goals_of_literals) {
    const auto task = with_goal("(and (up a) (not (lit)) (fixed a) (not (fixed b)))");
    CHECK_EQ(names_of(*task, task->positive(task->goal)), (Names{"fixed a", "up a"}));
    CHECK_EQ(names_of(*task, task->negative(task->goal)), (Names{"lit"}));
    CHECK(reached(*task, {"fixed a", "up a"}));
    CHECK(!reached(*task, {"fixed a", "up a", "lit"}));
    CHECK(!reached(*task, {"fixed a", "up b"}));
}

TEST(goals_of_formulas) {
    const auto either = with_goal("(or (and (up a) (up b)) (not (lit)))");
    CHECK(reached(*either, {}));
    CHECK(reached(*either, {"lit", "up a", "up b"}));
    CHECK(!reached(*either, {"lit", "up a"}));
    const auto all = with_goal("(forall (?x) (imply (lit) (up ?x)))");
    CHECK(reached(*all, {}));
    CHECK(reached(*all, {"up a", "up b", "lit"}));
    CHECK(!reached(*all, {"up a", "lit"}));
    const auto some = with_goal("(exists (?x) (and (up ?x) (not (fixed ?x))))");
    CHECK(reached(*some, {"up b"}));
    CHECK(!reached(*some, {"up a"}));
    CHECK(reached(*with_goal("(and)"), {}));
    CHECK(reached(*with_goal("()"), {}));
    CHECK(reached(*with_goal("(not (= a b))"), {}));
}

TEST(goals_that_cannot_be_reached) {
    CHECK(!reached(*with_goal("(fixed b)"), {"lit", "up a"}));
    CHECK(!reached(*with_goal("(or (fixed b) (= a b))"), {"lit"}));
    CHECK(!reached(*with_goal("(or)"), {"lit"}));
    CHECK(!reached(*with_goal("(not (fixed a))"), {"lit"}));
    CHECK(!reached(*with_goal("(forall (?x) (fixed ?x))"), {"lit"}));
    const auto task = with_goal("(and (fixed b) (up a))");
    CHECK_EQ(names_of(*task, task->positive(task->goal)), (Names{"fixed b", "up a"}));
}

TEST(states_are_sets) {
    State a(130);
    State b(130);
    CHECK(a == b);
    for (const Id id : {0U, 63U, 64U, 129U}) a.add(id);
    for (const Id id : {129U, 64U, 1U, 63U, 0U}) b.add(id);
    CHECK(!(a == b));
    b.remove(1);
    CHECK(a == b);
    CHECK_EQ(a.hash(), b.hash());
    CHECK_EQ(a.count(), 4);
    CHECK(a.holds(129) && !a.holds(128));
    Names seen;
    a.for_each([&](Id id) { seen.push_back(std::to_string(id)); });
    CHECK_EQ(seen, (Names{"0", "63", "64", "129"}));
    CHECK_EQ(a.words().size(), 3);
    CHECK(State(0) == State(0));
}

TEST(hashes_tell_small_differences) {
    std::vector<std::uint64_t> hashes;
    for (Id i = 0; i < 200; ++i) {
        State one(200);
        one.add(i);
        hashes.push_back(one.hash());
        for (Id j = 0; j < i; ++j) {
            State two = one;
            two.add(j);
            hashes.push_back(two.hash());
        }
    }
    std::sort(hashes.begin(), hashes.end());
    CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
}

TEST(initial_states_carry_their_probabilities) {
    const auto task =
        ground_sections("(:predicates (p) (q) (both)) (:derived (both) (and (p) (q)))",
                        "(:init (q) (probabilistic 0.25 (p))) (:goal (p))");
    CHECK_EQ(task->initial_states.size(), 2);
    CHECK_EQ(inline_task::atoms(*task, task->initial_states[0].first), (Names{"q"}));
    CHECK_EQ(task->initial_states[0].second, 0.75);
    CHECK_EQ(inline_task::atoms(*task, task->initial_states[1].first), (Names{"both", "p", "q"}));
    CHECK_EQ(task->initial_states[1].second, 0.25);
}

TEST(determinisation_of_all_outcomes) {
    const auto task = ground_sections(
        "(:predicates (p ?x) (q)) (:action sure :effect (q))"
        "(:action try :parameters (?x) :effect (probabilistic 0.3 (p ?x) 0.6 (q)))",
        "(:objects a b) (:init) (:goal (q))");
    CHECK(!task->is_deterministic());
    const auto all = determinise(*task, Determinisation::all_outcomes);
    CHECK(all->is_deterministic());
    CHECK_EQ(action_names(*all),
             (Names{"sure", "try a", "try a", "try a", "try b", "try b", "try b"}));
    for (Id id = 0; id < all->actions.size(); ++id) {
        const Id origin = all->origin.at(id);
        CHECK_EQ(all->action_name(id), task->action_name(origin));
        const Outcome &outcome = task->outcomes_of(origin)[all->origin_outcome.at(id)];
        const State &start = task->initial_states[0].first;
        const auto next = all->successors(start, id);
        CHECK_EQ(next.size(), 1);
        CHECK_EQ(next[0].second, 1.0);
        CHECK(next[0].first == task->apply(outcome, start));
    }
    std::vector<Id> applicable;
    all->applicable_actions(all->initial_states[0].first, applicable);
    CHECK_EQ(applicable.size(), 7);
}

TEST(determinisation_by_the_most_likely_outcome) {
    const auto task = ground_sections(
        "(:predicates (p) (q) (r))"
        "(:action even :effect (probabilistic 0.5 (q) 0.5 (r)))"
        "(:action odd :effect (probabilistic 0.2 (p) 0.6 (q) 0.2 (r)))"
        "(:action stay :effect (probabilistic 0.4 (p)))",
        "(:init) (:goal (q))");
    const auto likely = determinise(*task, Determinisation::most_likely);
    CHECK_EQ(action_names(*likely), (Names{"even", "odd", "stay"}));
    CHECK_EQ(likely->origin, (std::vector<Id>{0, 1, 2}));
    const auto after = [&](const std::string &name) {
        return inline_task::atoms(
            *likely,
            likely->successors(likely->initial_states[0].first, action(*likely, name))[0].first);
    };
    CHECK_EQ(after("even"), Names{"q"});  // the first of the likeliest
    CHECK_EQ(after("odd"), Names{"q"});
    CHECK_EQ(after("stay"), Names{});
}

TEST(grounding_stops_when_asked) {
    asnets::Interrupt stop([] { return true; });
    CHECK_THROWS(asnets::ground(inline_task::load("(define (domain d) (:predicates (p)))",
                                                  "(define (problem p) (:goal (p)))"),
                                stop),
                 asnets::Interrupted);
}
