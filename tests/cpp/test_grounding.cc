// Which actions and propositions the delete relaxation reaches.
#include <string>

#include "inline_task.h"

using inline_task::action_names;
using inline_task::ground_sections;
using inline_task::Names;
using inline_task::proposition_names;
using inline_task::reached_actions;

namespace {

Names propositions(const std::string &domain, const std::string &problem) {
    return proposition_names(*ground_sections(domain, problem));
}

}  // namespace

TEST(blocks_are_stacked_on_themselves_in_the_relaxation) {
    const auto task = ground_sections(
        "(:predicates (on ?x ?y) (table ?x) (clear ?x) (empty) (held ?x))"
        "(:action pick :parameters (?x) :precondition (and (clear ?x) (table ?x) (empty))"
        "  :effect (and (held ?x) (not (clear ?x)) (not (table ?x)) (not (empty))))"
        "(:action stack :parameters (?x ?y) :precondition (and (held ?x) (clear ?y))"
        "  :effect (and (on ?x ?y) (clear ?x) (empty) (not (held ?x)) (not (clear ?y))))",
        "(:objects a b) (:init (table a) (table b) (clear a) (clear b) (empty)) (:goal (on a b))");
    CHECK_EQ(action_names(*task),
             (Names{"pick a", "pick b", "stack a a", "stack a b", "stack b a", "stack b b"}));
    CHECK_EQ(proposition_names(*task),
             (Names{"clear a", "clear b", "empty", "held a", "held b", "on a a", "on a b", "on b a",
                    "on b b", "table a", "table b"}));
}

TEST(joins_follow_static_atoms) {
    const std::string domain =
        "(:predicates (at ?x) (road ?x ?y))"
        "(:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))"
        "  :effect (and (at ?y) (not (at ?x))))";
    const auto task =
        ground_sections(domain,
                        "(:objects a b c e) (:init (at a) (road a b) (road b c) (road e a))"
                        "(:goal (at c))");
    CHECK_EQ(action_names(*task), (Names{"go a b", "go b c"}));
    CHECK_EQ(proposition_names(*task),
             (Names{"at a", "at b", "at c", "road a b", "road b c", "road e a"}));
}

TEST(unreachable_schemas_have_no_actions) {
    CHECK_EQ(reached_actions("(:predicates (p) (q)) (:action a :precondition (q) :effect (p))"
                             "(:action b :precondition (p) :effect (q)) (:action c :effect (and))",
                             "(:init) (:goal (p))"),
             Names{"c"});
}

TEST(goal_atoms_are_propositions_even_if_unreachable) {
    const std::string domain = "(:predicates (p ?x) (q) (r)) (:action a :effect (r))";
    CHECK_EQ(propositions(domain, "(:objects k) (:init) (:goal (and (p k) (q)))"),
             (Names{"p k", "q", "r"}));
    CHECK_EQ(propositions(domain, "(:objects k) (:init) (:goal (p k))"), (Names{"p k", "r"}));
    CHECK_EQ(propositions(domain, "(:objects k) (:init) (:goal (not (p k)))"), Names{"r"});
}

TEST(negated_atoms_are_reached_when_false_or_deleted) {
    const std::string domain =
        "(:predicates (p) (q) (done)) (:action a :precondition (not (p)) :effect (done))"
        "(:action b :precondition (q) :effect (not (p)))";
    CHECK_EQ(reached_actions(domain, "(:init) (:goal (and))"), Names{"a"});   // p is false
    CHECK_EQ(reached_actions(domain, "(:init (p)) (:goal (and))"), Names{});  // nothing deletes p
    CHECK_EQ(reached_actions(domain, "(:init (p) (q)) (:goal (and))"), (Names{"a", "b"}));
}

TEST(a_negated_atom_counts_for_its_own_objects_only) {
    CHECK_EQ(
        reached_actions("(:predicates (p ?x) (done ?x))"
                        "(:action a :parameters (?x) :precondition (not (p ?x)) :effect (done ?x))"
                        "(:action b :effect (not (p k))) (:constants k l m)",
                        "(:init (p k) (p l)) (:goal (and))"),
        (Names{"a k", "a m", "b"}));
}

TEST(a_delete_may_come_late) {
    // c needs not p; p is deleted by b, which needs what a adds.
    CHECK_EQ(
        reached_actions("(:predicates (p) (q) (r))"
                        "(:action c :precondition (and (not (p)) (q)) :effect (r))"
                        "(:action b :precondition (q) :effect (not (p))) (:action a :effect (q))",
                        "(:init (p)) (:goal (r))"),
        (Names{"a", "b", "c"}));
}

TEST(an_atom_of_some_initial_states_may_be_false) {
    const std::string domain =
        "(:predicates (p) (q) (r)) (:action a :precondition (not (p)) :effect (q))"
        "(:action b :precondition (p)) (:action c :precondition (and (p) (r)))";
    CHECK_EQ(reached_actions(domain, "(:init (probabilistic 0.5 (p) 0.5 (r))) (:goal (and))"),
             (Names{"a", "b", "c"}));
    CHECK_EQ(
        reached_actions(domain, "(:init (probabilistic 0.5 (and (p) (r)) 0.5 (p))) (:goal (and))"),
        (Names{"b", "c"}));  // p is true in both
    CHECK_EQ(reached_actions(domain, "(:init (probabilistic 1 (p))) (:goal (and))"), Names{"b"});
    CHECK_EQ(reached_actions(domain, "(:init (probabilistic 0 (r) 0.5 (p))) (:goal (and))"),
             (Names{"a", "b"}));
}

TEST(disjunctions_give_one_action) {
    const std::string domain =
        "(:predicates (p ?x) (q ?x) (r))"
        "(:action a :parameters (?x) :precondition (or (p ?x) (q ?x)) :effect (r))";
    CHECK_EQ(
        reached_actions(domain, "(:objects k l m n) (:init (p k) (q k) (q l) (p m)) (:goal (r))"),
        (Names{"a k", "a l", "a m"}));
    CHECK_EQ(reached_actions("(:predicates (p) (q)) (:action a :precondition (or))",
                             "(:init) (:goal (and))"),
             Names{});
}

TEST(disjunctions_become_true_later) {
    CHECK_EQ(reached_actions("(:predicates (p ?x) (q ?x) (s ?x))"
                             "(:action a :parameters (?x)"
                             "  :precondition (and (s ?x) (or (p ?x) (and (q ?x) (not (p ?x))))))"
                             "(:action b :parameters (?x) :precondition (s ?x) :effect (q ?x))",
                             "(:objects k l) (:init (s k)) (:goal (and))"),
             (Names{"a k", "b k"}));
}

TEST(disjunctions_bind_variables_apart) {
    CHECK_EQ(reached_actions("(:predicates (p ?x) (q ?x))"
                             "(:action a :parameters (?x ?y) :precondition (or (p ?x) (q ?y)))",
                             "(:objects k l) (:init (p k) (q l)) (:goal (and))"),
             (Names{"a k k", "a k l", "a l l"}));
}

TEST(many_disjunctions_are_not_multiplied_out) {
    std::string precondition = "(and";
    for (int i = 0; i < 12; ++i) precondition += " (or (p ?x) (q ?y) (= ?x ?y))";
    CHECK_EQ(reached_actions("(:predicates (p ?x) (q ?x))"
                             "(:action a :parameters (?x ?y) :precondition " +
                                 precondition + "))",
                             "(:objects k l) (:init (p k) (q l)) (:goal (and))"),
             (Names{"a k k", "a k l", "a l l"}));
}

TEST(implications) {
    CHECK_EQ(reached_actions("(:predicates (p ?x) (q ?x))"
                             "(:action a :parameters (?x) :precondition (imply (p ?x) (q ?x)))",
                             "(:objects k l m) (:init (p k) (p l) (q l)) (:goal (and))"),
             (Names{"a l", "a m"}));
}

TEST(exists_gives_one_action_for_many_witnesses) {
    CHECK_EQ(
        reached_actions(
            "(:predicates (p ?x ?y) (q ?x))"
            "(:action a :parameters (?x) :precondition (exists (?y ?z) (and (p ?x ?y) (p ?x ?z))))"
            "(:action b :parameters (?x) :precondition (exists (?y) (q ?y)))"
            "(:action c :parameters (?x) :effect (q ?x))",
            "(:objects k l m) (:init (p k k) (p k l) (p k m) (p m l)) (:goal (and))"),
        (Names{"a k", "a m", "b k", "b l", "b m", "c k", "c l", "c m"}));
}

TEST(forall_waits_for_all_objects) {
    const std::string domain =
        "(:types t u) (:predicates (p ?x) (ready ?x) (done))"
        "(:action a :precondition (forall (?x - t) (p ?x)) :effect (done))"
        "(:action b :parameters (?x) :precondition (ready ?x) :effect (p ?x))";
    CHECK_EQ(
        reached_actions(domain, "(:objects k l - t m - u) (:init (ready k) (p l)) (:goal (done))"),
        (Names{"a", "b k"}));
    CHECK_EQ(reached_actions(domain, "(:objects k l - t) (:init (ready k)) (:goal (done))"),
             Names{"b k"});
    CHECK_EQ(reached_actions(domain, "(:objects m - u) (:init) (:goal (done))"),
             Names{"a"});  // none
}

TEST(quantifiers_nest_and_negate) {
    // Every x has a y; then: no x without y (the same); then: some x has no y.
    const auto with = [](const std::string &condition, const std::string &facts) {
        return reached_actions(
            "(:predicates (p ?x ?y)) (:action a :precondition " + condition + ")",
            "(:objects k l) (:init " + facts + ") (:goal (and))");
    };
    const std::string all = "(forall (?x) (exists (?y) (p ?x ?y)))";
    CHECK_EQ(with(all, "(p k l) (p l l)"), Names{"a"});
    CHECK_EQ(with(all, "(p k l) (p k k)"), Names{});
    CHECK_EQ(with("(not (exists (?x) (not (exists (?y) (p ?x ?y)))))", "(p k l) (p k k)"), Names{});
    CHECK_EQ(with("(not " + all + ")", "(p k l) (p k k)"), Names{"a"});
    CHECK_EQ(with("(not " + all + ")", "(p k l) (p l k)"), Names{});
    CHECK_EQ(with("(exists (?x) (forall (?y) (p ?x ?y)))", "(p l l) (p l k)"), Names{"a"});
}

TEST(conditional_effects_fire_when_their_condition_is_reached) {
    CHECK_EQ(propositions("(:predicates (p) (q) (r) (s))"
                          "(:action a :effect (and (when (p) (q)) (when (and (q) (not (r))) (s))))"
                          "(:action b :effect (p)) (:action c :precondition (s) :effect (not (s)))",
                          "(:init) (:goal (and))"),
             (Names{"p", "q", "s"}));
    CHECK_EQ(propositions("(:predicates (p) (q) (r)) (:action a :effect (when (r) (when (p) (q))))",
                          "(:init (p)) (:goal (and))"),
             Names{"p"});
}

TEST(conditional_deletes_make_negations_true) {
    const std::string domain =
        "(:predicates (p) (q) (r)) (:action a :effect (when (q) (not (p))))"
        "(:action b :precondition (not (p)) :effect (r))";
    CHECK_EQ(reached_actions(domain, "(:init (p)) (:goal (and))"), Names{"a"});
    CHECK_EQ(reached_actions(domain, "(:init (p) (q)) (:goal (and))"), (Names{"a", "b"}));
}

TEST(universal_effects_range_over_their_type) {
    const std::string domain =
        "(:types t u) (:predicates (p ?x) (q ?x ?y) (s ?x))"
        "(:action a :parameters (?x - t) :effect (forall (?y - t ?z - u) (when (s ?y) (q ?y ?z))))"
        "(:action b :parameters (?x) :precondition (q ?x ?x))";
    CHECK_EQ(propositions(domain, "(:objects k l - t m n - u) (:init (s l) (s m)) (:goal (and))"),
             (Names{"q l m", "q l n", "s l", "s m"}));
    CHECK_EQ(propositions(domain, "(:objects k - t) (:init (s k)) (:goal (and))"), Names{"s k"});
}

TEST(outcomes_of_probability_zero_do_not_count) {
    CHECK_EQ(
        propositions("(:predicates (p) (q) (r) (s))"
                     "(:action a :effect (probabilistic 0 (p) 0.5 (probabilistic 0.0 (q) 1/9 (r))))"
                     "(:action b :precondition (not (s))) "
                     "(:action c :effect (probabilistic 0 (not (s))))",
                     "(:init (s)) (:goal (and))"),
        (Names{"r", "s"}));
}

TEST(all_outcomes_are_explored) {
    CHECK_EQ(
        reached_actions(
            "(:predicates (p) (q) (r)) (:action a :effect (probabilistic 0.5 (p) 0.5 (q)))"
            "(:action b :precondition (and (p) (q)) :effect (r)) (:action c :precondition (r))",
            "(:init) (:goal (r))"),
        (Names{"a", "b", "c"}));
}
