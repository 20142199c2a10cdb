// Initial states and warnings.
#include <string>

#include "inline_task.h"

using asnets::pddl::Problem;
using inline_task::Names;

namespace {

const std::string predicates =
    "(define (domain d) (:predicates (p) (q) (r) (s ?x)) (:constants k))";

Problem initial(const std::string &facts) {
    return inline_task::load(predicates,
                             "(define (problem p)\n(:init " + facts + ")\n(:goal (and)))");
}

std::string names(const Problem &problem, const std::vector<asnets::pddl::GroundAtom> &facts) {
    std::string result;
    for (const auto &fact : facts) result += problem.predicates[fact.predicate].name;
    return result;
}

// `pq 0.5` for each initial state, without the facts that all share.
Names states(const Problem &problem) {
    Names result;
    for (const auto &state : problem.initial_states)
        result.push_back(names(problem, state.facts) + " " + std::to_string(state.probability));
    return result;
}

// The warnings without their file and place, for a domain's sections and a problem's.
Names warnings(const std::string &domain, const std::string &problem = "(:init) (:goal (and))") {
    Names result;
    for (const std::string &text :
         inline_task::load("(define (domain d)\n" + domain + ")",
                           "(define (problem p) (:domain d)\n" + problem + ")")
             .warnings)
        result.push_back(text.substr(text.find(": ") + 2));
    return result;
}

}  // namespace

TEST(facts_are_sorted_and_unique) {
    const Problem p = initial("(s k) (q) (p) (q) (not (r)) p");
    CHECK_EQ(names(p, p.facts), "pqs");
    CHECK_EQ(p.initial_states.size(), 1);
    CHECK_EQ(p.initial_states[0].probability, 1.0);
    CHECK_EQ(p.initial_states[0].facts.size(), 0);
}

TEST(facts_have_no_variables_and_no_contradictions) {
    CHECK_MISTAKE(initial("(s ?x)"), "2:11", "found the variable \"?x\"");
    CHECK_MISTAKE(initial("(p)\n(not (p))"), "3:1", "both true and false");
    CHECK_MISTAKE(initial("(not (x))"), "2:14", "unknown predicate \"x\"");
    CHECK_MISTAKE(initial("(= (f) 1)"), "2:12", "unknown function \"f\"");
}

TEST(chance_splits_the_initial_state) {
    CHECK_EQ(states(initial("(probabilistic 0.25 (p) 0.75 (q))")),
             (Names{"p 0.250000", "q 0.750000"}));
    CHECK_EQ(states(initial("(probabilistic 0.25 (p))")), (Names{" 0.750000", "p 0.250000"}));
    CHECK_EQ(states(initial("(probabilistic 1/4 (and (p) (q)) 1/4 (and) 1/4 (r))")),
             (Names{" 0.500000", "pq 0.250000", "r 0.250000"}));
}

TEST(independent_chances_multiply) {
    CHECK_EQ(states(initial("(probabilistic 0.5 (p)) (r) (probabilistic 0.25 (q) 0.75 (s k))")),
             (Names{"pq 0.125000", "ps 0.375000", "q 0.125000", "s 0.375000"}));
}

TEST(chances_nest) {
    CHECK_EQ(
        states(initial("(probabilistic 0.5 (and (p) (probabilistic 0.5 (q) 0.5 (r))) 0.5 (q))")),
        (Names{"pq 0.250000", "pr 0.250000", "q 0.500000"}));
    CHECK_EQ(states(initial("(probabilistic 0.5 (probabilistic 0.5 (probabilistic 0.5 (p))))")),
             (Names{" 0.875000", "p 0.125000"}));
}

TEST(equal_initial_states_are_merged) {
    CHECK_EQ(states(initial("(probabilistic 0.25 (p) 0.25 (and (p) (p)) 0.5 (q))")),
             (Names{"p 0.500000", "q 0.500000"}));
    CHECK_EQ(states(initial("(probabilistic 0.5 (p)) (p)")), (Names{" 1.000000"}));
    CHECK_EQ(states(initial("(probabilistic 0 (p) 0 (q))")), (Names{" 1.000000"}));
}

TEST(what_every_initial_state_has_is_a_shared_fact) {
    const Problem sure = initial("(probabilistic 1 (and (p) (q)))");
    CHECK_EQ(names(sure, sure.facts), "pq");
    CHECK_EQ(states(sure), (Names{" 1.000000"}));
    const Problem both = initial("(probabilistic 0.5 (and (p) (q)) 0.5 (and (p) (r)))");
    CHECK_EQ(names(both, both.facts), "p");
    CHECK_EQ(states(both), (Names{"q 0.500000", "r 0.500000"}));
}

TEST(too_many_initial_states_are_an_error) {
    std::string domain = "(define (domain d) (:predicates (s ?x)))";
    std::string objects;
    std::string facts;
    for (int i = 0; i < 40; ++i) {
        objects += " o" + std::to_string(i);
        facts += "\n(probabilistic 0.5 (s o" + std::to_string(i) + "))";
    }
    CHECK_MISTAKE(inline_task::load(domain, "(define (problem p) (:objects" + objects + ") (:init" +
                                                facts + ") (:goal (and)))"),
                  "18:1", "initial states");
    CHECK_MISTAKE(initial("(probabilistic 0.5 (= (total-cost) 3))"), "2:27",
                  "probabilistic number");
}

TEST(requirements_that_are_declared_are_not_mentioned) {
    CHECK_EQ(warnings("(:requirements :strips)"), Names{});
    CHECK_EQ(warnings("(:requirements)"), Names{});
    CHECK_EQ(warnings("(:requirements :adl)"
                      "(:types t) (:predicates (p ?x - t))"
                      "(:action a :parameters (?x ?y - t) :precondition (and (not (= ?x ?y))"
                      " (or (p ?x) (not (p ?y))) (forall (?z) (exists (?w) (p ?w))))"
                      " :effect (forall (?z - t) (when (p ?z) (p ?x))))"),
             Names{});
    CHECK_EQ(warnings("(:requirements :mdp) (:predicates (p))"
                      "(:action a :effect (probabilistic 0.5 (p)))"),
             Names{});
}

TEST(missing_requirements_are_a_warning) {
    CHECK_EQ(warnings(""), Names{"no (:requirements ...)"});
    CHECK_EQ(warnings("(:types t)(:predicates (p ?x - t))"),
             Names{"no (:requirements ...); the domain uses :typing"});
    const Names one = {"(:requirements ...) lacks :negative-preconditions, which the domain uses"};
    CHECK_EQ(
        warnings("(:requirements :strips) (:predicates (p)) (:action a :precondition (not (p)))"),
        one);
    const auto lacks = [](const std::string &action, const std::string &requirement) {
        const Names found =
            warnings("(:requirements) (:predicates (p)) (:action a " + action + ")");
        return found.size() == 1 &&
               found[0].find("lacks " + requirement + ",") != std::string::npos;
    };
    CHECK(lacks(":precondition (or (p))", ":disjunctive-preconditions"));
    CHECK(lacks(":precondition (imply (p) (p))", ":disjunctive-preconditions"));
    CHECK(lacks(":precondition (exists (?x) (p))", ":existential-preconditions"));
    CHECK(lacks(":precondition (forall (?x) (p))", ":universal-preconditions"));
    CHECK(lacks(":parameters (?x ?y) :precondition (= ?x ?y)", ":equality"));
    CHECK(lacks(":effect (when (p) (p))", ":conditional-effects"));
    CHECK(lacks(":effect (probabilistic 1 (p))", ":probabilistic-effects"));
    CHECK(lacks(":effect (increase (total-cost) 1)", ":action-costs"));
    CHECK_EQ(warnings("(:requirements) (:predicates (p) (q)) (:derived (q) (p))").size(), 1);
}

TEST(wrong_requirements_are_a_warning) {
    CHECK_EQ(warnings("(:requirements :stirps)"),
             Names{"unknown requirement \":stirps\"; did you mean \":strips\"?"});
    CHECK_EQ(warnings("(:requirements :quite-something-else)"),
             Names{"unknown requirement \":quite-something-else\""});
    CHECK_EQ(warnings("(:requirements strips)").size(), 1);  // without its colon
    // Declared but not used, even if not supported: fine.
    CHECK_EQ(warnings("(:requirements :typing :durative-actions)"), Names{});
}

TEST(warnings_say_where) {
    const Problem p = inline_task::load("(define (domain d)\n (:requirements :strip))",
                                        "(define (problem p) (:domain e) (:goal (and)))");
    CHECK_EQ(p.warnings.size(), 3);
    CHECK(p.warnings.at(0).starts_with("d.pddl:2:17: unknown requirement \":strip\""));
    CHECK_EQ(p.warnings.at(1), "p.pddl:1:30: problem \"p\" is for domain \"e\", not \"d\"");
    CHECK(p.warnings.at(2).starts_with("p.pddl:1:18: no (:init ...)"));
}

TEST(rewards_are_named_in_a_warning) {
    const std::string told = "rewards are not optimised: every action costs 1 until the goal";
    const std::string head = "(:requirements :rewards)";
    CHECK_EQ(warnings(head + "(:action a :effect (decrease (reward) 1))"), Names{told});
    CHECK_EQ(warnings(head, "(:init) (:goal (and)) (:goal-reward 100)"), Names{told});
    CHECK_EQ(warnings(head, "(:init) (:goal (and)) (:metric maximize (reward))"), Names{told});
    CHECK_EQ(warnings(head, "(:init (= (reward) 0)) (:goal (and))"), Names{});
}
