// What the parser refuses: constructs that are not supported, by name, and mistakes.
#include <string>

#include "inline_task.h"
#include "pddl/parser.h"

namespace {

asnets::pddl::syntax::File parse(const std::string &text) {
    asnets::Interrupt interrupt;
    return asnets::pddl::parse({"f.pddl", text}, interrupt);
}

// The sections start at 2:1.
asnets::pddl::syntax::File domain(const std::string &sections) {
    return parse("(define (domain d)\n" + sections + ")");
}

asnets::pddl::syntax::File problem(const std::string &sections) {
    return parse("(define (problem p)\n" + sections + ")");
}

std::string repeat(const std::string &text, std::size_t times) {
    std::string result;
    for (std::size_t i = 0; i < times; ++i) result += text;
    return result;
}

}  // namespace

TEST(other_kinds_of_planning_are_named) {
    CHECK_MISTAKE(domain("(:durative-action go :parameters ())"), "2:1", ":durative-action");
    CHECK_MISTAKE(domain("\n (:constraints (always (p)))"), "3:2", ":constraints");
    CHECK_MISTAKE(problem("(:constraints (always (p)))"), "2:1", ":constraints");
    CHECK_MISTAKE(domain("(:process p)"), "2:1", ":process");
    CHECK_MISTAKE(domain("(:event e)"), "2:1", ":event");
}

TEST(non_determinism_and_contingency_are_named) {
    CHECK_MISTAKE(domain("(:action a :effect (oneof (p) (q)))"), "2:21", "oneof");
    CHECK_MISTAKE(domain("(:action a :effect (and (p)\n (oneof (and) (q))))"), "3:3", "oneof");
    CHECK_MISTAKE(problem("(:init (oneof (p) (q)))"), "2:9", "oneof");
    CHECK_MISTAKE(problem("(:init (unknown (p)))"), "2:9", "unknown");
    CHECK_MISTAKE(problem("(:init (or (p) (q)))"), "2:9", "or in the initial state");
}

TEST(preferences_and_trajectory_constraints_are_named) {
    CHECK_MISTAKE(problem("(:goal (and (preference p1 (q)) (r)))"), "2:14", "preference");
    CHECK_MISTAKE(domain("(:action a :precondition (preference (q)))"), "2:27", "preference");
    for (const std::string word : {"always", "sometime", "at-most-once"})
        CHECK_MISTAKE(problem("(:goal (" + word + " (q)))"), "2:9", word);
}

TEST(numeric_fluents_are_named) {
    for (const std::string word : {"<", ">", "<=", ">="})
        CHECK_MISTAKE(problem("(:goal (" + word + " (f) 3))"), "2:9", "numeric condition " + word);
    CHECK_MISTAKE(problem("(:goal (= (f) 3))"), "2:9", "numeric condition");
    for (const std::string word : {"assign", "scale-up", "scale-down"})
        CHECK_MISTAKE(domain("(:action a :effect (" + word + " (f) 3))"), "2:21", word);
    CHECK_MISTAKE(domain("(:action a :effect (increase (total-cost) (+ 1 2)))"), "2:44",
                  "numeric expression +");
    CHECK_MISTAKE(problem("(:metric minimize (+ (f) (g)))"), "2:20", "numeric expression +");
    CHECK_MISTAKE(problem("(:init (at 5 (p)))"), "2:8", "timed initial literal");
}

TEST(files_without_a_definition) {
    CHECK_MISTAKE(parse(""), "1:1", "found the end of the file");
    CHECK_MISTAKE(parse("; nothing\n"), "2:1", "found the end of the file");
    CHECK_MISTAKE(parse("domain"), "1:1", "expected (define ...)");
    CHECK_MISTAKE(parse("(domain d)"), "1:2", "expected \"define\", found \"domain\"");
    CHECK_MISTAKE(parse("(define d)"), "1:9", "found \"d\"");
    CHECK_MISTAKE(parse("(define (plan d))"), "1:10", "expected \"domain\" or \"problem\"");
    CHECK_MISTAKE(parse("(define (domain))"), "1:16", "the domain's name");
    CHECK_MISTAKE(parse("(define (domain d)) x"), "1:21", "expected (define ...)");
    CHECK_MISTAKE(parse("PK\x03\x04"), "1:3", "0x03");
    CHECK_MISTAKE(parse("%PDF-1.4 %\xe2\xe3\xcf\xd3"), "1:1", "found \"%pdf-1.4\"");
}

TEST(parentheses_must_balance) {
    CHECK_MISTAKE(parse("(define (domain d)"), "1:19", "opened at 1:1, found the end of the file");
    CHECK_MISTAKE(parse("(define (domain d)))"), "1:20", "found \")\"");
    CHECK_MISTAKE(domain("(:action a :precondition (and (p) :effect (q))"), "2:35", ":effect");
    CHECK_MISTAKE(domain("(:action a :precondition (and (p)) :effect (q)"), "2:48",
                  "end of the file");
    CHECK_MISTAKE(domain("(:predicates (p ?x)"), "2:21", "end of the file");
    CHECK_MISTAKE(problem("(:init (p"), "2:11", "end of the file");
    CHECK_MISTAKE(problem("(:length (:serial 3)"), "2:22", "end of the file");
}

TEST(sections_that_nobody_knows) {
    CHECK_MISTAKE(domain("(:predicate (p))"), "2:2", "found \":predicate\"");
    CHECK_MISTAKE(problem("(:gaol (p))"), "2:2", "found \":gaol\"");
    CHECK_MISTAKE(domain("(predicates (p))"), "2:2", "found \"predicates\"");
    CHECK_MISTAKE(domain("(:action a :preconditions (p))"), "2:12", "found \":preconditions\"");
    CHECK_MISTAKE(domain("(:action a (p))"), "2:12", "expected :parameters");
    CHECK_MISTAKE(domain("(:action a :effect (p) :effect (q))"), "2:24", "one :effect");
    CHECK_MISTAKE(domain("(:action a :parameters () :parameters ())"), "2:27", "one :parameters");
    CHECK_MISTAKE(problem("(:goal (p)) (:goal (q))"), "2:13", "one :goal");
}

TEST(names_and_variables_stand_where_they_belong) {
    CHECK_MISTAKE(domain("(:action :parameters ())"), "2:10", "the action's name");
    CHECK_MISTAKE(domain("(:action a :parameters (x))"), "2:25", "found \"x\"");
    CHECK_MISTAKE(domain("(:action a :parameters (?))"), "2:25", "found \"?\"");
    CHECK_MISTAKE(domain("(:action a :parameters (?x - ))"), "2:30", "a type");
    CHECK_MISTAKE(domain("(:action a :parameters (- t))"), "2:25", "a name before \"-\"");
    CHECK_MISTAKE(domain("(:types a - (both b c))"), "2:13", "either");
    CHECK_MISTAKE(domain("(:types a - (either))"), "2:20", "a type");
    CHECK_MISTAKE(domain("(:constants ?x)"), "2:13", "a constant");
    CHECK_MISTAKE(domain("(:predicates (?p))"), "2:15", "the predicate's name");
    CHECK_MISTAKE(problem("(:goal (:p))"), "2:9", "the name of a predicate");
    CHECK_MISTAKE(problem("(:goal ((p)))"), "2:9", "the name of a predicate");
    CHECK_MISTAKE(problem("(:goal (p (q)))"), "2:11", "a variable, an object");
    CHECK_MISTAKE(problem("(:goal (not))"), "2:12", "a formula");
    CHECK_MISTAKE(problem("(:goal (not (p) (q)))"), "2:17", "to close (not ...)");
    CHECK_MISTAKE(problem("(:goal (= a))"), "2:9", "two terms");
    CHECK_MISTAKE(problem("(:goal (forall ?x (p)))"), "2:16", "the quantified variables");
}

TEST(effects_are_no_conditions) {
    CHECK_MISTAKE(domain("(:action a :effect (or (p) (q)))"), "2:21", "only conditions");
    CHECK_MISTAKE(domain("(:action a :effect (exists (?x) (p ?x)))"), "2:21", "only conditions");
    CHECK_MISTAKE(domain("(:action a :effect (not (not (p))))"), "2:30", "found \"(\"");
    CHECK_MISTAKE(domain("(:action a :effect (when (p)))"), "2:29", "an effect");
}

TEST(probabilities_lie_between_0_and_1) {
    const auto chance = [](const std::string &text) {
        return domain("(:action a :effect (probabilistic " + text + "))");
    };
    CHECK_MISTAKE(chance("1.5 (p)"), "2:35", "from 0 to 1, found \"1.5\"");
    CHECK_MISTAKE(chance("3/2 (p)"), "2:35", "from 0 to 1");
    CHECK_MISTAKE(chance("-0.1 (p)"), "2:35", "found \"-0.1\"");
    CHECK_MISTAKE(chance("1/0 (p)"), "2:35", "found \"1/0\"");
    CHECK_MISTAKE(chance("half (p)"), "2:35", "found \"half\"");
    CHECK_MISTAKE(chance("(p) 0.5"), "2:35", "a probability");
    CHECK_MISTAKE(chance("0.5"), "2:38", "an effect");
    CHECK_MISTAKE(chance("0.7 (p) 0.4 (q)"), "2:20", "found 1.1");
    CHECK_EQ(inline_task::mistake([&] { chance("0.1 (p) 0.2 (q) 0.7 (r)"); }), "");  // 1 + 2e-16
    CHECK_EQ(inline_task::mistake([&] { chance("1/3 (p) 1/3 (q) 1/3 (r)"); }), "");
    CHECK_EQ(inline_task::mistake([&] { chance(""); }), "");
    CHECK_MISTAKE(problem("(:init (probabilistic 0.7 (p) 0.4 (q)))"), "2:8", "found 1.1");
}

TEST(numbers_stand_where_they_belong) {
    CHECK_MISTAKE(problem("(:init (= (f) x))"), "2:15", "a number, found \"x\"");
    CHECK_MISTAKE(problem("(:goal-reward much)"), "2:15", "reward");
    CHECK_MISTAKE(problem("(:metric reduce (total-cost))"), "2:10", "found \"reduce\"");
}

TEST(deep_nesting_is_an_error) {
    for (const std::string head : {"(and ", "(not ", "(or ", "(imply (p) ", "(exists () "}) {
        const std::string text = repeat(head, 100000);
        CHECK(inline_task::mistake([&] { problem("(:goal " + text); }).find("nested") !=
              std::string::npos);
    }
    for (const std::string head : {"(and ", "(when (p) ", "(forall () ", "(probabilistic 1 "}) {
        const std::string text = repeat(head, 100000);
        CHECK(inline_task::mistake([&] { domain("(:action a :effect " + text); }).find("nested") !=
              std::string::npos);
    }
    CHECK(inline_task::mistake([] {
              problem("(:init " + repeat("(and ", 100000));
          }).find("nested") != std::string::npos);
    CHECK_MISTAKE(parse(repeat("(", 100000)), "1:2", "expected \"define\"");
    CHECK_EQ(inline_task::mistake([] {
                 problem("(:goal " + repeat("(and ", 900) + "(p)" + repeat(")", 900) + ")");
             }),
             "");
    CHECK_EQ(inline_task::mistake([] { problem("(:goal (p))"); }),
             "");  // the depth is counted anew
}
