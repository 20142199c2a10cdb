// Grounding by how terms, types and derived predicates are written.
#include <string>

#include "inline_task.h"

using inline_task::action_names;
using inline_task::ground_sections;
using inline_task::Names;
using inline_task::proposition_names;
using inline_task::reached_actions;

TEST(constants_in_schemas) {
    CHECK_EQ(reached_actions(
                 "(:constants k l) (:predicates (p ?x ?y) (q ?x ?y))"
                 "(:action a :parameters (?x) :precondition (and (p k ?x) (q ?x l)))"
                 "(:action b :parameters (?x) :precondition (p ?x ?x) :effect (q k l))",
                 "(:objects m) (:init (p k m) (p k k) (p l l) (q m l) (q m m)) (:goal (and))"),
             (Names{"a k", "a m", "b k", "b l"}));
}

TEST(a_variable_may_occur_twice_in_an_atom) {
    const std::string facts = "(:objects k l) (:init (p k l k) (p k k k) (p l k l)) (:goal (and))";
    CHECK_EQ(reached_actions("(:predicates (p ?x ?y ?z) (q ?x))"  // static
                             "(:action a :parameters (?x ?y) :precondition (p ?x ?y ?x))"
                             "(:action b :parameters (?x) :precondition (p ?x ?x ?x))",
                             facts),
             (Names{"a k k", "a k l", "a l k", "b k"}));
    CHECK_EQ(reached_actions(
                 "(:predicates (p ?x ?y ?z) (q ?x))"  // the same for a fluent, with a partner
                 "(:action a :parameters (?x ?y) :precondition (and (q ?y) (p ?x ?y ?x))"
                 "  :effect (p ?y ?y ?y))"
                 "(:action c :parameters (?x) :effect (q ?x))",
                 facts),
             (Names{"a k k", "a k l", "a l k", "a l l", "c k", "c l"}));
}

TEST(one_atom_may_match_twice) {
    CHECK_EQ(
        reached_actions("(:predicates (p ?x ?y))"
                        "(:action a :parameters (?x ?y ?z) :precondition (and (p ?x ?y) (p ?y ?z))"
                        "  :effect (p ?x ?z))",
                        "(:objects k l m) (:init (p k k) (p k l) (p l m)) (:goal (and))"),
        (Names{"a k k k", "a k k l", "a k k m", "a k l m"}));
}

TEST(equality_filters) {
    const auto pairs = [](const std::string &condition) {
        return reached_actions(
            "(:constants k) (:predicates (p ?x))"
            "(:action a :parameters (?x ?y) :precondition " +
                condition + ")",
            "(:objects l) (:init (p k) (p l)) (:goal (and))");
    };
    CHECK_EQ(pairs("(= ?x ?y)"), (Names{"a k k", "a l l"}));
    CHECK_EQ(pairs("(and (not (= ?x ?y)) (p ?x) (p ?y))"), (Names{"a k l", "a l k"}));
    CHECK_EQ(pairs("(and (p ?x) (= ?y k))"), (Names{"a k k", "a l k"}));
    CHECK_EQ(pairs("(and (= k k) (not (= k l)) (= ?x k))"), (Names{"a k k", "a k l"}));
    CHECK_EQ(pairs("(or (= ?x ?y) (not (p ?x)))"), (Names{"a k k", "a l l"}));
    CHECK_EQ(pairs("(not (or (= ?x ?y) (= ?x k)))"), Names{"a l k"});
}

TEST(objects_are_bound_by_type) {
    CHECK_EQ(
        reached_actions("(:types a b - c d) (:predicates (p ?x))"
                        "(:action m :parameters (?x - c) :precondition (p ?x))"
                        "(:action n :parameters (?x - (either a d)))"
                        "(:action o :parameters (?x - d) :precondition (not (p ?x)))",
                        "(:objects k - a l - b m - d q - (either b d)) (:init (p k) (p l) (p m))"
                        "(:goal (and))"),
        (Names{"m k", "m l", "n k", "n m", "n q", "o q"}));
}

TEST(empty_types_ground_to_nothing) {
    const std::string domain =
        "(:types t) (:predicates (p ?x - t) (q))"
        "(:action a :parameters (?x - t)) (:action b :parameters (?x - t) :precondition (p ?x))"
        "(:action c :precondition (exists (?x - t) (and)) :effect (q))"
        "(:action e :precondition (forall (?x - t) (q)))";
    CHECK_EQ(reached_actions(domain, "(:init) (:goal (and))"), Names{"e"});
    CHECK_EQ(reached_actions(domain, "(:objects k) (:init) (:goal (and))"), Names{"e"});
}

TEST(tasks_without_anything) {
    const auto task = ground_sections("", "(:init) (:goal (and))");
    CHECK_EQ(task->actions.size(), 0);
    CHECK_EQ(task->proposition_count(), 0);
    CHECK(task->is_goal(task->initial_states.at(0).first));
    CHECK(task->is_deterministic());
}

TEST(atoms_of_many_arguments) {
    // 20 arguments, so 18 to 20 key columns; the last two differ.
    std::string parameters;
    std::string prefix;
    for (int i = 0; i < 20; ++i) parameters += " ?x" + std::to_string(i);
    for (int i = 0; i < 18; ++i) prefix += " k";
    const auto task = ground_sections(
        "(:constants k l) (:predicates (p" + parameters +
            ") (q ?y) (done ?y))"
            "(:action a :parameters (?y ?z) :precondition (p" +
            prefix +
            " ?y ?z))"
            "(:action b :parameters (" +
            parameters + ") :precondition (p" + parameters +
            ")"
            "  :effect (done ?x19))"
            "(:action c :parameters (?y ?z) :precondition (and (q ?y) (p" +
            prefix +
            " ?y ?z))"
            "  :effect (p" +
            prefix + " ?z ?y))",
        "(:init (q k) (q l) (p" + prefix + " k l) (p" + prefix + " l l)) (:goal (done k))");
    CHECK_EQ(action_names(*task),
             (Names{"a k l", "a l k", "a l l", "b" + prefix + " k l", "b" + prefix + " l k",
                    "b" + prefix + " l l", "c k l", "c l k", "c l l"}));
}

TEST(schemas_of_many_parameters_are_joined) {
    // A chain of 30 objects through 29 static atoms: one match, not 30^30.
    std::string parameters;
    std::string precondition = "(and";
    std::string objects;
    std::string facts;
    std::string name = "a";
    for (int i = 0; i < 30; ++i) {
        const std::string number = std::to_string(i);
        parameters += " ?x" + number;
        objects += " o" + number;
        name += " o" + number;
        if (i == 0) continue;
        precondition += " (next ?x" + std::to_string(i - 1) + " ?x" + number + ")";
        facts += " (next o" + std::to_string(i - 1) + " o" + number + ")";
    }
    CHECK_EQ(reached_actions("(:predicates (next ?x ?y)) (:action a :parameters (" + parameters +
                                 ") :precondition " + precondition + "))",
                             "(:objects" + objects + ") (:init" + facts + ") (:goal (and))"),
             Names{name});
}

TEST(many_objects_make_wide_tables) {
    // 600^2 atoms are too many for a dense table; look-up must still tell them apart.
    std::string objects;
    std::string facts = "(at o0)";
    for (int i = 0; i < 600; ++i) {
        objects += " o" + std::to_string(i);
        if (i % 100 != 99)
            facts += " (road o" + std::to_string(i) + " o" + std::to_string(i + 1) + ")";
    }
    const auto task = ground_sections(
        "(:predicates (at ?x) (road ?x ?y) (seen ?x ?y))"
        "(:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))"
        "  :effect (and (at ?y) (seen ?y ?x)))",
        "(:objects" + objects + ") (:init " + facts + ") (:goal (at o599))");
    CHECK_EQ(task->actions.size(), 99);
    CHECK_EQ(task->proposition_count(), 100 + 594 + 99 + 1);  // at, road, seen, the goal
}

TEST(derived_predicates_are_reached) {
    const std::string domain =
        "(:predicates (edge ?x ?y) (path ?x ?y) (far ?x ?y) (at ?x))"
        "(:derived (path ?x ?y) (edge ?x ?y))"
        "(:derived (path ?x ?y) (exists (?z) (and (edge ?x ?z) (path ?z ?y))))"
        "(:derived (far ?x ?y) (not (path ?x ?y)))"
        "(:action jump :parameters (?x ?y) :precondition (and (at ?x) (path ?x ?y))"
        "  :effect (and (at ?y) (not (at ?x))))"
        "(:action fly :parameters (?x ?y) :precondition (and (at ?x) (not (far ?x ?y)) (edge ?y "
        "?y)))";
    const auto task =
        ground_sections(domain,
                        "(:objects a b c e) (:init (edge a b) (edge b c) (edge e e) (at b))"
                        "(:goal (at c))");
    CHECK_EQ(action_names(*task), (Names{"fly b e", "fly c e", "jump b c"}));
    const Names propositions = proposition_names(*task);
    Names paths;
    for (const std::string &name : propositions)
        if (name.starts_with("path")) paths.push_back(name);
    CHECK_EQ(paths, (Names{"path a b", "path a c", "path b c", "path e e"}));
    CHECK_EQ(propositions.size(), 2 + 3 + 16 + 4);  // at, edge, far, path
}

TEST(derived_predicates_depend_on_fluents) {
    CHECK_EQ(
        reached_actions("(:predicates (p ?x) (any) (none))"
                        "(:derived (any) (exists (?x) (p ?x))) (:derived (none) (not (any)))"
                        "(:action a :parameters (?x) :precondition (none) :effect (p ?x))"
                        "(:action b :precondition (any)) (:action c :precondition (not (none)))",
                        "(:objects k) (:init) (:goal (any))"),
        (Names{"a k", "b", "c"}));
}

TEST(long_preconditions_ground) {
    // One action with 1,000 conditions, each made true by another action.
    std::string predicates = "(:predicates (goal) (p ?x))";
    std::string objects;
    std::string condition;
    for (int i = 0; i < 1000; ++i) {
        objects += " o" + std::to_string(i);
        condition += " (p o" + std::to_string(i) + ")";
    }
    const auto task = ground_sections("(:constants" + objects + ")" + predicates +
                                          "(:action all :precondition (and" + condition +
                                          ") :effect (goal))"
                                          "(:action one :parameters (?x) :effect (p ?x))",
                                      "(:init) (:goal (goal))");
    CHECK_EQ(task->actions.size(), 1001);
    CHECK_EQ(task->positive(task->actions[0].precondition).size(), 1000);
}

TEST(long_static_preconditions_ground) {
    // 40,000 conditions that are true from the start: neither a deep stack nor quadratic time.
    std::string objects;
    std::string atoms;
    for (int i = 0; i < 200; ++i) {
        objects += " o" + std::to_string(i);
        for (int j = 0; j < 200; ++j)
            atoms += " (p o" + std::to_string(i) + " o" + std::to_string(j) + ")";
    }
    const auto task = ground_sections("(:constants" + objects +
                                          ") (:predicates (p ?x ?y) (goal))"
                                          "(:action all :precondition (and" +
                                          atoms + ") :effect (goal))",
                                      "(:init" + atoms + ") (:goal (goal))");
    CHECK_EQ(task->actions.size(), 1);
    CHECK_EQ(task->positive(task->actions[0].precondition).size(), 40000);
}
