// What actions do: effects, chances, derived propositions, applicability.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/random.h"
#include "inline_task.h"

using asnets::Id;
using asnets::Rng;
using asnets::State;
using asnets::Task;
using inline_task::action;
using inline_task::ground_sections;
using inline_task::Names;
using inline_task::start;

namespace {

std::string text(const Task &task, const State &state) {
    return inline_task::joined(inline_task::atoms(task, state));
}

using Distribution = std::map<std::string, double>;

// The successors of an action in the first initial state.
Distribution successors(const Task &task, const std::string &name) {
    Distribution result;
    CHECK(task.is_applicable(action(task, name), start(task)));
    double sum = 0;
    for (const auto &[state, probability] : task.successors(start(task), action(task, name))) {
        CHECK(result.emplace(text(task, state), probability).second);  // each state once
        sum += probability;
    }
    CHECK(std::abs(sum - 1) < 1e-9);
    return result;
}

// The same for an effect over p, q, r, s and t ?x with the objects a and b.
Distribution effect(const std::string &effect, const std::string &facts = "") {
    return successors(
        *ground_sections("(:predicates (p) (q) (r) (s) (t ?x)) (:action x :effect " + effect + ")",
                         "(:objects a b) (:init " + facts + ") (:goal (and))"),
        "x");
}

void check_near(const Distribution &found, const Distribution &wanted, int line) {
    bool same = found.size() == wanted.size();
    for (const auto &[state, probability] : wanted) {
        const auto place = found.find(state);
        same = same && place != found.end() && std::abs(place->second - probability) < 1e-12;
    }
    if (same) return;
    check::fail(__FILE__, line) << "found";
    for (const auto &[state, probability] : found)
        std::cerr << " {" << state << "} " << probability;
    std::cerr << '\n';
}

}  // namespace

#define CHECK_NEAR(found, ...) check_near(found, Distribution __VA_ARGS__, __LINE__)

TEST(effects_add_and_remove) {
    CHECK_NEAR(effect("(and (p) (not (q)) (not (r)))", "(q) (s)"), {{"p, s", 1}});
    CHECK_NEAR(effect("()", "(q)"), {{"q", 1}});
}

TEST(adding_wins_over_removing) {
    CHECK_NEAR(effect("(and (p) (not (p)))"), {{"p", 1}});
    CHECK_NEAR(effect("(and (not (p)) (p))", "(p)"), {{"p", 1}});
    CHECK_NEAR(effect("(and (when (q) (p)) (not (p)))", "(p) (q)"), {{"p, q", 1}});
    CHECK_NEAR(effect("(and (p) (when (q) (not (p))))", "(q)"), {{"p, q", 1}});
    CHECK_NEAR(effect("(and (when (q) (p)) (when (q) (not (p))))", "(q)"), {{"p, q", 1}});
}

TEST(conditions_are_read_in_the_state_before) {
    CHECK_NEAR(effect("(and (p) (when (p) (q)) (when (not (p)) (r)))"), {{"p, r", 1}});
    CHECK_NEAR(effect("(and (not (p)) (when (p) (q)))", "(p)"), {{"q", 1}});
    // A swap needs the old values on both sides.
    CHECK_NEAR(effect("(and (when (p) (q)) (when (not (p)) (not (q)))"
                      " (when (q) (p)) (when (not (q)) (not (p))))",
                      "(p)"),
               {{"q", 1}});
}

TEST(conditions_may_be_formulas) {
    CHECK_NEAR(effect("(when (or (p) (and (q) (not (r)))) (s))", "(q)"), {{"q, s", 1}});
    CHECK_NEAR(effect("(and (when (exists (?x) (t ?x)) (s)) (when (forall (?x) (t ?x)) (r))"
                      " (forall (?x) (not (t ?x))))",
                      "(t a)"),
               {{"s", 1}});
    CHECK_NEAR(effect("(when (p) (when (q) (s)))", "(p)"), {{"p", 1}});
    CHECK_NEAR(effect("(when (p) (when (q) (s)))", "(p) (q)"), {{"p, q, s", 1}});
    CHECK_NEAR(effect("(when (imply (p) (q)) (s))"), {{"s", 1}});
}

TEST(chances_are_exact) {
    CHECK_NEAR(effect("(probabilistic 0.25 (p) 1/8 (q))"),
               {{"", 0.625}, {"p", 0.25}, {"q", 0.125}});
    CHECK_NEAR(effect("(probabilistic 1 (p))"), {{"p", 1}});
    CHECK_NEAR(effect("(probabilistic 0 (p) 0.0 (q))"), {{"", 1}});
    CHECK_NEAR(effect("(probabilistic)", "(p)"), {{"p", 1}});
    CHECK_NEAR(effect("(probabilistic 0.1 (p) 0.2 (q) 0.7 (r))"),
               {{"p", 0.1}, {"q", 0.2}, {"r", 0.7}});
    CHECK_NEAR(effect("(and (s) (probabilistic 0.5 (p)))"), {{"s", 0.5}, {"p, s", 0.5}});
}

TEST(independent_chances_multiply) {
    CHECK_NEAR(effect("(and (probabilistic 0.5 (p)) (probabilistic 0.25 (q)))"),
               {{"", 0.375}, {"p", 0.375}, {"q", 0.125}, {"p, q", 0.125}});
    CHECK_NEAR(effect("(forall (?x) (probabilistic 0.25 (t ?x)))"),
               {{"", 0.5625}, {"t a", 0.1875}, {"t b", 0.1875}, {"t a, t b", 0.0625}});
}

TEST(chances_nest) {
    CHECK_NEAR(effect("(probabilistic 0.5 (probabilistic 0.5 (p) 0.5 (probabilistic 0.5 (q))))"),
               {{"", 0.625}, {"p", 0.25}, {"q", 0.125}});
    CHECK_NEAR(effect("(probabilistic 0.5 (and (p) (probabilistic 0.5 (q))) 0.5 (r))"),
               {{"p", 0.25}, {"p, q", 0.25}, {"r", 0.5}});
    CHECK_NEAR(effect("(when (p) (probabilistic 0.25 (q)))"), {{"", 1}});
    CHECK_NEAR(effect("(when (p) (probabilistic 0.25 (q)))", "(p)"), {{"p", 0.75}, {"p, q", 0.25}});
    CHECK_NEAR(effect("(probabilistic 0.25 (when (p) (q)) 0.5 (when (not (p)) (r)))", "(p)"),
               {{"p", 0.75}, {"p, q", 0.25}});
    CHECK_NEAR(effect("(forall (?x) (when (t ?x) (probabilistic 0.5 (not (t ?x)))))", "(t b)"),
               {{"", 0.5}, {"t b", 0.5}});
    CHECK_NEAR(
        effect("(probabilistic 0.5 (forall (?x) (t ?x)) 0.5 (forall (?x) (when (p) (t ?x))))"),
        {{"", 0.5}, {"t a, t b", 0.5}});
}

TEST(equal_successors_are_merged) {
    CHECK_NEAR(effect("(probabilistic 0.25 (p) 0.25 (and (p) (p)) 0.5 (q))"),
               {{"p", 0.5}, {"q", 0.5}});
    CHECK_NEAR(effect("(probabilistic 0.25 (p) 0.75 (q))", "(p) (q)"), {{"p, q", 1}});
    CHECK_NEAR(effect("(probabilistic 0.25 (and (p) (not (q))) 0.75 (p))"), {{"p", 1}});
    CHECK_NEAR(effect("(and (probabilistic 0.5 (p)) (probabilistic 0.5 (p)))"),
               {{"", 0.25}, {"p", 0.75}});
}

TEST(equal_outcomes_are_merged) {
    const auto task = ground_sections(
        "(:predicates (p) (q)) (:action x :effect (probabilistic 0.25 (p) 0.5 (q) 0.25 (p)))",
        "(:init) (:goal (and))");
    CHECK_EQ(task->outcomes_of(0).size(), 2);
    CHECK_EQ(task->outcomes_of(0)[0].probability, 0.5);
}

TEST(too_many_outcomes_are_an_error) {
    std::string objects;
    for (int i = 0; i < 30; ++i) objects += " o" + std::to_string(i);
    CHECK_MISTAKE(
        inline_task::ground("(define (domain d) (:predicates (t ?x))\n"
                            "(:action x :effect (forall (?x) (probabilistic 0.5 (t ?x)))))",
                            "(define (problem p) (:objects" + objects + ") (:init) (:goal (and)))"),
        "2:10", "\"x\" has more than");
}

TEST(samples_follow_the_uniform_number) {
    const auto task = ground_sections(
        "(:predicates (p) (q) (r)) (:action x :effect (probabilistic 0.25 (p) 0.5 (q)))",
        "(:init) (:goal (and))");
    const State &start = task->initial_states[0].first;
    const auto drawn = [&](double uniform) { return text(*task, task->sample(start, 0, uniform)); };
    CHECK_EQ(drawn(0.0), "p");
    CHECK_EQ(drawn(0.2499), "p");
    CHECK_EQ(drawn(0.25), "q");
    CHECK_EQ(drawn(0.7499), "q");
    CHECK_EQ(drawn(0.75), "");
    CHECK_EQ(drawn(std::nextafter(1.0, 0.0)), "");
}

TEST(samples_are_as_frequent_as_they_are_likely) {
    const auto task = ground_sections(
        "(:predicates (t ?x)) (:action x :effect (forall (?x) (probabilistic 0.3 (t ?x))))",
        "(:objects a b) (:init) (:goal (and))");
    const State &start = task->initial_states[0].first;
    Rng rng(7);
    Rng same(7);
    std::map<std::string, int> counts;
    const int draws = 20000;
    for (int i = 0; i < draws; ++i) {
        const State next = task->sample(start, 0, rng.uniform());
        CHECK(next == task->sample(start, 0, same.uniform()));
        ++counts[text(*task, next)];
    }
    for (const auto &[state, probability] : successors(*task, "x"))
        CHECK(std::abs(counts[state] - probability * draws) < 5 * std::sqrt(draws * 0.25));
}

TEST(derived_propositions_follow_the_state) {
    const auto task = ground_sections(
        "(:predicates (edge ?x ?y) (path ?x ?y) (cut) (alone ?x))"
        "(:derived (path ?x ?y) (or (edge ?x ?y) (exists (?z) (and (path ?x ?z) (path ?z ?y)))))"
        "(:derived (alone ?x) (not (exists (?y) (or (path ?x ?y) (path ?y ?x)))))"
        "(:action cut :parameters (?x ?y) :precondition (edge ?x ?y) :effect (not (edge ?x ?y)))",
        "(:objects a b c) (:init (edge a b) (edge b c)) (:goal (alone a))");
    CHECK_EQ(text(*task, start(*task)), "edge a b, edge b c, path a b, path a c, path b c");
    CHECK_NEAR(successors(*task, "cut a b"), {{"alone a, edge b c, path b c", 1}});
    CHECK_NEAR(successors(*task, "cut b c"), {{"alone c, edge a b, path a b", 1}});
    State all(task->proposition_count());
    for (Id id = 0; id < task->proposition_count(); ++id) all.add(id);
    for (const char *name : {"edge a b", "edge b c"})
        all.remove(inline_task::proposition(*task, name));
    task->derive(all);  // what was derived before does not count
    CHECK_EQ(text(*task, all), "alone a, alone b, alone c");
    CHECK(task->is_goal(all));
}

TEST(derived_propositions_in_conditions) {
    const auto task = ground_sections(
        "(:predicates (p) (q) (none) (saw)) (:derived (none) (and (not (p)) (not (q))))"
        "(:action x :precondition (none) :effect (and (p) (when (none) (saw))))"
        "(:action y :precondition (not (none)))",
        "(:init) (:goal (saw))");
    CHECK_NEAR(successors(*task, "x"), {{"p, saw", 1}});
    CHECK(!task->is_applicable(action(*task, "y"), start(*task)));
}

namespace {

const char *const walks[][2] = {
    {"(:predicates (on ?x ?y) (clear ?x) (free))"
     "(:action pick :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (free))"
     "  :effect (and (clear ?y) (not (on ?x ?y)) (not (free))))"
     "(:action put :parameters (?x ?y) :precondition (and (clear ?x) (clear ?y) (not (free)))"
     "  :effect (probabilistic 0.8 (and (on ?x ?y) (not (clear ?y)) (free)) 0.1 (free)))",
     "(:objects a b c e f) (:init (on a b) (on b c) (clear a) (clear e) (clear f) (free)) (:goal "
     "(and))"},
    {"(:predicates (p ?x) (q ?x ?y) (r))"
     "(:action a :parameters (?x ?y) :precondition (or (p ?x) (and (q ?x ?y) (not (r))))"
     "  :effect (and (q ?y ?x) (not (p ?x))))"
     "(:action b :parameters (?x) :precondition (and (not (p ?x)) (exists (?y) (q ?x ?y)))"
     "  :effect (and (p ?x) (r)))"
     "(:action c :precondition (forall (?x) (imply (p ?x) (q ?x ?x))) :effect (not (r)))"
     "(:action e :effect (probabilistic 0.5 (forall (?x) (when (q ?x ?x) (not (q ?x ?x))))))",
     "(:objects a b c) (:init (p a) (r)) (:goal (and))"},
    {"(:predicates (edge ?x ?y) (path ?x ?y) (at ?x))"
     "(:derived (path ?x ?y) (or (edge ?x ?y) (exists (?z) (and (edge ?x ?z) (path ?z ?y)))))"
     "(:action go :parameters (?x ?y) :precondition (and (at ?x) (path ?x ?y))"
     "  :effect (and (at ?y) (not (at ?x))))"
     "(:action cut :parameters (?x ?y) :precondition (and (edge ?x ?y) (not (path ?y ?x)))"
     "  :effect (and (not (edge ?x ?y)) (edge ?y ?x)))",
     "(:objects a b c e) (:init (at a) (edge a b) (edge b c) (edge c e)) (:goal (and))"},
};

void check_applicable(const Task &task, const State &state) {
    std::vector<Id> scanned;
    for (Id id = 0; id < task.actions.size(); ++id)
        if (task.is_applicable(id, state)) scanned.push_back(id);
    std::vector<Id> found;
    task.applicable_actions(state, found);
    CHECK_EQ(found, scanned);
}

}  // namespace

TEST(applicable_actions_are_those_a_scan_finds) {
    Rng rng(1);
    for (const auto &[domain, problem] : walks) {
        const auto task = ground_sections(domain, problem);
        State state = start(*task);
        for (int step = 0; step < 300; ++step) {
            check_applicable(*task, state);
            State any(task->proposition_count());  // also in states that no walk reaches
            for (Id id = 0; id < task->proposition_count(); ++id)
                if (rng.uniform() < 0.5) any.add(id);
            check_applicable(*task, any);
            state = inline_task::random_step(*task, state, rng);
        }
    }
}

TEST(actions_with_many_common_preconditions) {
    std::string facts;
    std::string removals;
    for (int i = 0; i < 100; ++i) {
        facts += " (p" + std::to_string(i) + ")";
        removals += " (not (p" + std::to_string(i) + "))";
    }
    const std::string common = ":precondition (and (q)" + facts;
    const auto task = ground_sections(
        "(:predicates (q) (r) (s)" + facts + ") (:action a " + common + ") :effect (r))" +
            "(:action b " + common + " (r)) :effect (s)) (:action c " + common + " (s)))" +
            "(:action e :effect (and" + removals + ")) (:action f :effect (and (not (q))" + facts +
            ")) (:action h :effect (q)) (:action i :effect (and (not (r)) (not (s))))",
        "(:init (q)" + facts + ") (:goal (s))");
    CHECK_EQ(task->positive(task->actions[action(*task, "b")].precondition).size(), 102);
    Rng rng(2);
    State state = start(*task);
    for (int step = 0; step < 100; ++step) {
        check_applicable(*task, state);
        state = inline_task::random_step(*task, state, rng);
    }
}
