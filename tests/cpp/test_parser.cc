#include <string>

#include "inline_task.h"
#include "pddl/parser.h"

using asnets::pddl::Position;
namespace syntax = asnets::pddl::syntax;
using Kind = syntax::Formula::Kind;
using inline_task::Names;

namespace {

syntax::File parse(const std::string &text) {
    asnets::Interrupt interrupt;
    return asnets::pddl::parse({"f.pddl", text}, interrupt);
}

syntax::Domain domain(const std::string &sections) {
    return parse("(define (domain d) " + sections + ")").domains.at(0);
}

syntax::Problem problem(const std::string &sections) {
    return parse("(define (problem p) " + sections + ")").problems.at(0);
}

syntax::Formula formula(const std::string &text) {
    return *problem("(:goal " + text + ")").goal;
}

syntax::Effect effect(const std::string &text) {
    return *domain("(:action a :effect " + text + ")").actions.at(0).effect;
}

std::string place(Position position) {
    return std::to_string(position.line) + ":" + std::to_string(position.column);
}

// `name` or `name - type type`, one a name.
Names typed(const syntax::TypedList &list) {
    Names result;
    for (const syntax::TypedName &each : list) {
        std::string text = each.name.text;
        for (const syntax::Word &type : each.types)
            text += (text == each.name.text ? " - " : " ") + type.text;
        result.push_back(text);
    }
    return result;
}

std::string text(const syntax::Application &atom) {
    std::string result = atom.symbol.text;
    for (const syntax::Word &term : atom.terms) result += " " + term.text;
    return result;
}

}  // namespace

TEST(definitions_in_one_file_are_kept_in_order) {
    const syntax::File file = parse(
        "(define (problem p1) (:domain d))\n"
        "; between them\n"
        "(DEFINE (Domain D) (:requirements))\n"
        "(define (problem p2))(define (domain e))");
    CHECK_EQ(file.domains.size(), 2);
    CHECK_EQ(file.problems.size(), 2);
    CHECK_EQ(file.domains[0].name.text, "d");
    CHECK_EQ(place(file.domains[0].name.position), "3:17");
    CHECK_EQ(file.problems[1].name.text, "p2");
    CHECK_EQ(file.problems[0].domain.text, "d");
    CHECK_EQ(file.problems[1].domain.text, "");
}

TEST(typed_lists_give_a_type_to_all_names_before_it) {
    const syntax::Domain d = domain(
        "(:types a b - c d - (either a c) e)"
        "(:constants k l - a m)"
        "(:predicates (p ?x ?y - a ?z) (q) (r ?x - (EITHER a b)))");
    CHECK_EQ(typed(d.types), (Names{"a - c", "b - c", "d - a c", "e"}));
    CHECK_EQ(typed(d.constants), (Names{"k - a", "l - a", "m"}));
    CHECK_EQ(typed(d.predicates.at(0).parameters), (Names{"?x - a", "?y - a", "?z"}));
    CHECK_EQ(typed(d.predicates.at(1).parameters), Names{});
    CHECK_EQ(typed(d.predicates.at(2).parameters), (Names{"?x - a b"}));
}

TEST(functions_may_state_their_type) {
    const syntax::Domain d = domain("(:functions (total-cost) - number (f ?x - a) (g) - number)");
    CHECK_EQ(d.functions.size(), 3);
    CHECK_EQ(d.functions[2].name.text, "g");
}

TEST(sections_of_a_kind_add_up) {
    const syntax::Domain d = domain(
        "(:requirements :strips) (:requirements :typing) (:types a) (:types b) (:constants k)"
        "(:constants l) (:predicates (p)) (:predicates (q)) (:functions (f)) (:functions (g))");
    CHECK_EQ(d.requirements->size(), 2);
    CHECK_EQ(typed(d.types), (Names{"a", "b"}));
    CHECK_EQ(typed(d.constants), (Names{"k", "l"}));
    CHECK_EQ(d.predicates.size(), 2);
    CHECK_EQ(d.functions.size(), 2);
    const syntax::Problem p = problem("(:objects a) (:init (p)) (:objects b) (:init (q))");
    CHECK_EQ(typed(p.objects), (Names{"a", "b"}));
    CHECK_EQ(p.initial->size(), 2);
}

TEST(parts_of_an_action_may_be_missing_or_empty_in_any_order) {
    CHECK(!domain("(:action a)").actions.at(0).effect);
    CHECK(!domain("(:action a)").actions.at(0).precondition);
    const syntax::Action empty =
        domain("(:action A :effect () :precondition () :parameters ())").actions.at(0);
    CHECK_EQ(empty.name.text, "a");
    CHECK_EQ(empty.parameters.size(), 0);
    CHECK(empty.precondition->kind == Kind::conjunction && empty.precondition->children.empty());
    CHECK(empty.effect->children.empty());
    CHECK(domain("(:action a :precondition (and) :effect (and))").actions.at(0).precondition);
}

TEST(formulas_nest) {
    const syntax::Formula f = formula(
        "(and (or (p a)) (not (q)) (imply (p a) (q)) (= a b)\n"
        "  (forall (?x ?y - t) (exists (?z) (p ?z))))");
    CHECK(f.kind == Kind::conjunction);
    CHECK_EQ(f.children.size(), 5);
    CHECK(f.children[0].kind == Kind::disjunction);
    CHECK(f.children[1].kind == Kind::negation);
    CHECK(f.children[2].kind == Kind::implication);
    CHECK_EQ(f.children[2].children.size(), 2);
    CHECK(f.children[3].kind == Kind::equality);
    CHECK_EQ(text(f.children[3].atom), "= a b");
    CHECK(f.children[4].kind == Kind::forall);
    CHECK_EQ(typed(f.children[4].variables), (Names{"?x - t", "?y - t"}));
    CHECK(f.children[4].children.at(0).kind == Kind::exists);
    CHECK_EQ(place(f.children[4].position), "2:3");
    CHECK_EQ(place(f.children[4].children[0].children[0].position), "2:36");
}

TEST(atoms_may_lack_parentheses_and_blanks) {
    const syntax::Formula f = formula("(and p (not q) (on?x?y)(r)s)");
    CHECK_EQ(f.children.size(), 5);
    CHECK_EQ(text(f.children[0].atom), "p");
    CHECK_EQ(text(f.children[1].children[0].atom), "q");
    CHECK_EQ(text(f.children[2].atom), "on ?x ?y");
    CHECK_EQ(text(f.children[4].atom), "s");
    CHECK_EQ(text(formula("p").atom), "p");
    const syntax::Effect e = effect("(and p (not q) (probabilistic 0.5 r) (when p q))");
    CHECK_EQ(text(e.children[0].atom), "p");
    CHECK_EQ(text(e.children[1].atom), "q");
    CHECK_EQ(text(e.children[2].children[0].atom), "r");
    CHECK_EQ(problem("(:init p (q) r)").initial->size(), 3);
}

TEST(effects_nest) {
    const syntax::Effect e = effect(
        "(and (p) (not (q ?x)) (when (r) (p))\n (forall (?y) (probabilistic 1/4 (p) .5 (and)))\n"
        " (increase (total-cost) 2) (decrease reward 1.5) (increase (total-cost) (f ?x)))");
    CHECK_EQ(e.children.size(), 7);
    CHECK(e.children[0].kind == syntax::Effect::Kind::add);
    CHECK(e.children[1].kind == syntax::Effect::Kind::remove);
    CHECK(e.children[2].kind == syntax::Effect::Kind::when);
    CHECK(e.children[3].kind == syntax::Effect::Kind::forall);
    const syntax::Effect &chance = e.children[3].children.at(0);
    CHECK(chance.kind == syntax::Effect::Kind::probabilistic);
    CHECK_EQ(chance.probabilities.at(0).value, 0.25);
    CHECK_EQ(chance.probabilities.at(1).value, 0.5);
    CHECK_EQ(place(chance.probabilities.at(1).position), "2:38");
    CHECK_EQ(*e.children[4].number, 2.0);
    CHECK_EQ(e.children[5].operation, "decrease");
    CHECK(!e.children[6].number);
    CHECK_EQ(text(e.children[6].value), "f ?x");
}

TEST(problems_have_their_sections_in_any_order) {
    const syntax::Problem p = problem(
        "(:goal (p)) (:metric maximize (reward)) (:goal-reward 100) (:length (:serial 5) "
        "(:parallel 3))"
        "(:init (and (p) (q)) (not (r)) (= (f a) 1/2) (= total-cost 0) () (at 5) (at 5 a)"
        "  (probabilistic 0.5 (p) 1/4 (and (q) (probabilistic 1 (r)))))"
        "(:objects a 5 - t) (:requirements :typing) (:domain D)");
    CHECK_EQ(p.initial->size(), 8);
    CHECK(p.initial->at(2).kind == syntax::Initial::Kind::negated_atom);
    CHECK_EQ(p.initial->at(3).number, 0.5);
    CHECK_EQ(text(p.initial->at(6).atom), "at 5 a");
    CHECK_EQ(p.initial->at(7).branches.at(1).size(), 2);
    CHECK(!p.metric->minimize);
    CHECK(p.goal_reward.has_value());
    CHECK_EQ(p.requirements.size(), 1);
    CHECK(!problem("(:metric minimize total-time)").goal);
}

TEST(predicates_may_be_called_like_keywords_elsewhere) {
    CHECK_EQ(text(formula("(within ?x)").atom), "within ?x");
    CHECK_EQ(text(formula("(unknown a)").atom), "unknown a");
    CHECK_EQ(text(formula("(preference a b)").atom), "preference a b");
    CHECK_EQ(text(effect("(assign ?x ?y)").atom), "assign ?x ?y");
    CHECK_EQ(text(problem("(:init (at 5 x) (always a))").initial->at(1).atom), "always a");
}

TEST(derived_predicates_have_a_head_and_a_body) {
    const syntax::Domain d = domain("(:derived (above ?x - a ?y) (or (on ?x ?y)))");
    CHECK_EQ(d.derived.at(0).head.name.text, "above");
    CHECK_EQ(typed(d.derived[0].head.parameters), (Names{"?x - a", "?y"}));
    CHECK(d.derived[0].body.kind == Kind::disjunction);
}
