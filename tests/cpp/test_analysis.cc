// Names, arities, types, derived predicates and costs.
#include <algorithm>
#include <string>

#include "inline_task.h"

using asnets::Id;
using asnets::pddl::Problem;
using inline_task::Names;

namespace {

// The domain's sections start at 2:1, the problem's too.
Problem load(const std::string &domain, const std::string &problem = "(:init) (:goal (and))") {
    return inline_task::load("(define (domain d)\n" + domain + ")",
                             "(define (problem p) (:domain d)\n" + problem + ")");
}

const std::string blocks =
    "(:types block hand - thing room) (:constants table - thing)\n"
    "(:predicates (on ?x - block ?y - thing) (clear ?x) (inside ?r - room))\n";

Problem blocks_action(const std::string &action) {
    return load(blocks + "(:action a " + action + ")",
                "(:objects b - block r - room) (:goal (and))");
}

Problem blocks_goal(const std::string &goal) {
    return load(blocks, "(:objects b c - block r - room)\n(:init)\n(:goal " + goal + ")");
}

Names object_names(const Problem &problem) {
    Names names;
    for (const auto &object : problem.objects) names.push_back(object.name);
    return names;
}

Names objects_of(const Problem &problem, const asnets::pddl::Variable &variable) {
    Names names;
    for (const Id object : variable.objects->members) names.push_back(problem.objects[object].name);
    return names;
}

}  // namespace

TEST(everything_is_numbered_in_lexicographic_order) {
    const Problem p = load(
        "(:constants z B) (:predicates (q) (p ?x) (p-1)) (:action y) (:action x) (:action x-y)",
        "(:objects c A a-1 a1) (:goal (and))");
    CHECK_EQ(object_names(p), (Names{"a", "a-1", "a1", "b", "c", "z"}));
    CHECK_EQ(p.predicates.at(0).name, "p");
    CHECK_EQ(p.predicates.at(1).name, "p-1");
    CHECK_EQ(p.schemas.at(0).name, "x");
    CHECK_EQ(p.schemas.at(1).name, "x-y");
    CHECK_EQ(p.domain_name, "d");
    CHECK_EQ(p.problem_name, "p");
}

TEST(unknown_names_suggest_the_nearest) {
    CHECK_MISTAKE(blocks_goal("(onn b c)"), "4:9",
                  "unknown predicate \"onn\"; did you mean \"on\"?");
    CHECK_MISTAKE(blocks_goal("(on b d)"), "4:14", "unknown object \"d\"; did you mean \"b\"?");
    CHECK_MISTAKE(blocks_goal("(zzzzzz b)"), "4:9", "domain d has clear, inside, on");
    CHECK_MISTAKE(blocks_action(":parameters (?x - blok)"), "4:30", "did you mean \"block\"?");
    CHECK_MISTAKE(blocks_action(":parameters (?from) :effect (clear ?form)"), "4:47",
                  "unbound variable \"?form\"; did you mean \"?from\"?");
    CHECK_MISTAKE(blocks_action(":effect (clear ?x)"), "4:27", "unbound variable \"?x\"");
    CHECK_MISTAKE(
        load("(:functions (cost ?x)) (:action a :effect (increase (total-cost) (cots a)))"), "2:67",
        "unknown function \"cots\"; did you mean \"cost\"?");
    CHECK_MISTAKE(load("(:constants a - tpye) (:types type)"), "2:17", "did you mean \"type\"?");
    CHECK_MISTAKE(load("", "(:objects a - thing) (:goal (and))"), "2:15", "unknown type \"thing\"");
    CHECK_MISTAKE(load("(:predicates (p)) (:derived (q) (p))"), "2:30", "unknown predicate \"q\"");
    CHECK_MISTAKE(load("(:predicates)", "(:init (p)) (:goal (and))"), "2:9", "domain d has none");
}

TEST(arities_must_match) {
    CHECK_MISTAKE(blocks_goal("(on b)"), "4:9", "\"on\" expects 2 arguments, found 1");
    CHECK_MISTAKE(blocks_goal("(clear)"), "4:9", "\"clear\" expects 1 argument, found 0");
    CHECK_MISTAKE(load(blocks, "(:init (clear table table)) (:goal (and))"), "2:9", "found 2");
    CHECK_MISTAKE(load("(:predicates (p ?x)) (:derived (p) (and))"), "2:33", "expects 1");
    CHECK_MISTAKE(load("(:functions (f ?x))", "(:init (= (f) 1)) (:goal (and))"), "2:12",
                  "expects 1");
    CHECK_MISTAKE(load("(:functions (f)) (:constants k)"
                       "(:action a :effect (increase (total-cost) (f k)))"),
                  "2:75", "expects 0");
}

TEST(types_must_match) {
    CHECK_MISTAKE(blocks_goal("(on r b)"), "4:12", "of type block, found \"r\" of type room");
    CHECK_MISTAKE(blocks_goal("(on table b)"), "4:12",
                  "of type block, found \"table\" of type thing");
    CHECK_MISTAKE(
        load(blocks, "(:objects r - room) (:init (inside r)\n(inside table)) (:goal (and))"), "3:9",
        "of type room");
    CHECK_MISTAKE(blocks_action(":parameters (?x - room) :precondition (on ?x table)"), "4:54",
                  "of type block, found \"?x\" of type room");
    CHECK_MISTAKE(blocks_action(":parameters (?x - (either room hand)) :effect (on ?x table)"),
                  "4:62", "(either room hand)");
    CHECK_EQ(blocks_goal("(and (on b table) (on b c) (clear r))").objects.size(), 4);
    CHECK_EQ(blocks_action(":parameters (?x - thing ?y) :effect (on ?x ?y)").schemas.size(), 1);
    CHECK_EQ(
        blocks_action(":parameters (?x - (either room block)) :effect (on ?x b)").schemas.size(),
        1);
}

TEST(variables_range_over_the_objects_of_their_types) {
    const Problem p = load(
        "(:types a b - c d) (:predicates (p ?x))"
        "(:action n :parameters (?v - c ?w - (either a d) ?x ?y - b ?z - object))",
        "(:objects k - a l - b m - d n - c o - (either a d)) (:goal (and))");
    const auto &variables = p.schemas.at(0).variables;
    CHECK_EQ(objects_of(p, variables.at(0)), (Names{"k", "l", "n", "o"}));
    CHECK_EQ(objects_of(p, variables.at(1)), (Names{"k", "m", "o"}));
    CHECK_EQ(objects_of(p, variables.at(2)), (Names{"l"}));
    CHECK_EQ(objects_of(p, variables.at(3)), (Names{"l"}));
    CHECK_EQ(objects_of(p, variables.at(4)), (Names{"k", "l", "m", "n", "o"}));
}

TEST(type_declarations_may_be_loose) {
    // A parent that is declared nowhere else, several parents, `object` itself.
    const Problem p = load(
        "(:types a - b c - (either b d) object e - object) (:constants k - c m - e)"
        "(:action x :parameters (?x - b ?y - d ?z - object))");
    CHECK_EQ(objects_of(p, p.schemas.at(0).variables.at(0)), (Names{"k"}));
    CHECK_EQ(objects_of(p, p.schemas.at(0).variables.at(1)), (Names{"k"}));
    CHECK_EQ(objects_of(p, p.schemas.at(0).variables.at(2)), (Names{"k", "m"}));
}

TEST(type_cycles_are_refused) {
    CHECK_MISTAKE(load("(:types a - b b - a)"), "2:9", "\"a\" is its own ancestor");
    CHECK_MISTAKE(load("(:types x - a a - b b - c c - a)"), "2:15", "\"a\" is its own ancestor");
}

TEST(objects_may_be_declared_again) {
    const Problem p = load("(:types a b) (:constants k - a) (:predicates (p ?x - a) (q ?x - b))",
                           "(:objects k - a k m - b k - b) (:init (p k) (q k)) (:goal (and))");
    CHECK_EQ(object_names(p), (Names{"k", "m"}));
    CHECK_EQ(p.facts.size(), 2);
}

TEST(duplicates_are_refused) {
    CHECK_MISTAKE(load("(:predicates (p) (q) (P ?x))"), "2:23", "\"p\" twice");
    CHECK_MISTAKE(load("(:functions (f) (f ?x))"), "2:18", "\"f\" twice");
    CHECK_MISTAKE(load("(:action a)\n(:action b)\n(:action A)"), "4:10", "\"a\" twice");
    CHECK_MISTAKE(load("(:action a :parameters (?x ?X))"), "2:28", "\"?x\" twice");
}

TEST(inner_variables_hide_outer_ones) {
    const Problem p = load(
        "(:types s t) (:predicates (p ?x - s) (q ?x - t))"
        "(:action a :parameters (?x - s)"
        "  :precondition (and (exists (?x - t) (q ?x)) (p ?x)))");
    const auto &schema = p.schemas.at(0);
    CHECK_EQ(schema.arity, 1);
    CHECK_EQ(schema.variables.size(), 2);
    CHECK_EQ(schema.precondition.children.at(0).children.at(0).atom.terms.at(0), 1);
    CHECK_EQ(schema.precondition.children.at(1).atom.terms.at(0), 0);
    CHECK_MISTAKE(load("(:predicates (p ?x)) (:action a"
                       " :precondition (and (exists (?y) (p ?y)) (p ?y)))"),
                  "2:76", "unbound variable \"?y\"");
}

TEST(derived_predicates_change_through_their_rules_only) {
    const std::string domain = "(:predicates (p) (q)) (:derived (q) (p))\n";
    CHECK_MISTAKE(load(domain + "(:action a :effect (q))"), "3:21", "derived predicate \"q\"");
    CHECK_MISTAKE(load(domain + "(:action a :effect (not (q)))"), "3:26",
                  "derived predicate \"q\"");
    CHECK_MISTAKE(load(domain, "(:init (p) (q)) (:goal (and))"), "2:13", "derived predicate \"q\"");
    CHECK_MISTAKE(load(domain, "(:init (probabilistic 0.5 (q))) (:goal (and))"), "2:28", "derived");
}

TEST(derived_predicates_are_stratified) {
    const Problem p = load(
        "(:predicates (basic) (d1) (d2) (d3) (d4))"
        "(:derived (d3) (and (not (d2)) (d1)))"
        "(:derived (d2) (or (not (not (d2))) (imply (d1) (basic))))"
        "(:derived (d1) (or (d1) (d4)))"
        "(:derived (d4) (or (d1) (not (basic))))");
    CHECK_EQ(p.predicates.at(1).name, "d1");
    CHECK_EQ(p.predicates.at(4).name, "d4");
    CHECK(!p.predicates.at(0).derived);
    CHECK_EQ(p.predicates.at(1).layer, 0);
    CHECK_EQ(p.predicates.at(4).layer, 0);
    CHECK_EQ(p.predicates.at(2).layer, 1);
    CHECK_EQ(p.predicates.at(3).layer, 2);
}

TEST(derived_predicates_do_not_need_their_own_negation) {
    CHECK_MISTAKE(load("(:predicates (d)) (:derived (d) (not (d)))"), "2:30",
                  "\"d\" depends on its own negation");
    CHECK_MISTAKE(load("(:predicates (d) (e) (f)) (:derived (d) (e)) (:derived (e) (f))"
                       "(:derived (f) (imply (d) (and)))"),
                  "2:75", "depends on its own negation");
}

TEST(derived_parameters_take_the_declared_types) {
    const Problem p =
        load("(:types a b) (:predicates (d ?x - a) (q ?x - a)) (:derived (d ?y) (q ?y))",
             "(:objects k - a m - b) (:goal (and))");
    CHECK_EQ(objects_of(p, p.axioms.at(0).variables.at(0)), (Names{"k"}));
}

TEST(costs_count_under_their_metric_only) {
    const std::string domain =
        "(:functions (total-cost) (f ?x)) (:constants k)\n"
        "(:action a :effect (and (increase (total-cost) 2) (increase (total-cost) (f k))))";
    const Problem unit = load(domain);
    CHECK(unit.unit_cost);
    CHECK_EQ(unit.schemas.at(0).costs.size(), 2);
    const Problem p =
        load(domain, "(:init (= (f k) 1/2)) (:goal (and)) (:metric minimize (total-cost))");
    CHECK(!p.unit_cost);
    CHECK_EQ(p.functions.at(1).values.at({0}), 0.5);
    CHECK(load(domain, "(:goal (and)) (:metric minimize (total-time))").unit_cost);
    CHECK(load(domain, "(:goal (and)) (:metric maximize reward)").unit_cost);
    CHECK_MISTAKE(load(domain, "(:goal (and)) (:metric maximize (total-cost))"), "2:15", "metric");
    CHECK_MISTAKE(load(domain, "(:goal (and))\n(:metric minimize (fuel))"), "3:1", "metric");
}

TEST(other_numeric_effects_are_refused) {
    CHECK_MISTAKE(load("(:functions (fuel)) (:action a :effect (increase (fuel) 1))"), "2:40",
                  "fuel");
    CHECK_MISTAKE(load("(:action a :effect (decrease (total-cost) 1))"), "2:20", "decrease");
    CHECK_MISTAKE(
        load("(:predicates (p)) (:action a :effect (when (p) (increase (total-cost) 1)))"), "2:48",
        "cost inside a conditional");
    CHECK_MISTAKE(load("(:action a :effect (probabilistic 0.5 (increase (total-cost) 1)))"), "2:39",
                  "cost inside");
}

TEST(every_problem_needs_a_goal_and_every_task_a_domain) {
    CHECK_MISTAKE(load("", "(:init)"), "1:18", "expected a (:goal ...)");
    asnets::Interrupt interrupt;
    const std::string d = "(define (domain d))";
    const std::string p = "(define (problem p) (:goal (and)))";
    using asnets::pddl::load;
    CHECK_MISTAKE(load({"x", p}, {"y", d}, interrupt), "1:1", "swapped");
    CHECK_MISTAKE(load({"x", d}, {"y", d}, interrupt), "1:1", "expected a problem");
    CHECK_MISTAKE(load({"x", p}, {"y", p}, interrupt), "1:1", "expected a domain");
    CHECK_MISTAKE(load({"x", d}, interrupt), "1:1", "expected a problem");
    CHECK_MISTAKE(load({"x", p}, interrupt), "1:1", "expected a domain");
    CHECK_EQ(load({"x", p + d}, interrupt).domain_name, "d");
}

TEST(a_file_may_hold_several_problems_and_domains) {
    asnets::Interrupt interrupt;
    const asnets::pddl::Source both{"f",
                                    "(define (domain d1) (:predicates (p)))"
                                    "(define (domain d2) (:predicates (q)))"
                                    "(define (problem one) (:domain d2) (:goal (q)))"
                                    "(define (problem two) (:domain d1) (:goal (p)))"};
    const Problem first = asnets::pddl::load(both, interrupt);
    CHECK_EQ(first.problem_name, "one");
    CHECK_EQ(first.domain_name, "d2");
    CHECK(std::any_of(first.warnings.begin(), first.warnings.end(), [](const std::string &text) {
        return text.find("2 problems in one file") != std::string::npos;
    }));
    CHECK_EQ(asnets::pddl::load(both, interrupt, "TWO").domain_name, "d1");
    CHECK_MISTAKE(asnets::pddl::load(both, interrupt, "tow"), "1:1", "did you mean \"two\"?");
}
