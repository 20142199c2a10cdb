"""Bad planning files: one error that says where, what was expected, what was found."""

import pickle
from pathlib import Path

import pytest

import asnets

DOMAIN = """(define (domain d)
  (:requirements :typing :adl :probabilistic-effects)
  (:types truck place)
  (:predicates (at ?t - truck ?p - place) (road ?p ?q - place) (ok))
  (:action drive
    :parameters (?t - truck ?from ?to - place)
    :precondition (and (at ?t ?from) (road ?from ?to))
    :effect (and (not (at ?t ?from)) (at ?t ?to))))
"""
PROBLEM = """(define (problem p)
  (:domain d)
  (:objects t - truck a b - place)
  (:init (at t a) (road a b))
  (:goal (at t b)))
"""

# what to replace in the domain, by what, where the error is, and a part of its message
IN_DOMAIN = {
    "unknown predicate": ("(road ?from ?to))", "(raod ?from ?to))", (7, 39), 'did you mean "road"?'),
    "unknown type": ("?t - truck ?from", "?t - trcuk ?from", (6, 23), 'did you mean "truck"?'),
    "arity": ("(at ?t ?to)", "(at ?t)", (8, 39), '"at" expects 2 arguments, found 1'),
    "type mismatch": ("(at ?t ?to)", "(at ?to ?t)", (8, 42), 'expected a term of type truck'),
    "unbound variable": ("(at ?t ?to)", "(at ?t ?tp)", (8, 45), 'unbound variable "?tp"'),
    "unknown constant": ("(at ?t ?to)", "(at ?t here)", (8, 45), 'unknown object "here"'),
    "not closed": ("(at ?t ?to))))", "(at ?t ?to)))", (9, 1), '")" to close (define ...) opened at 1:1'),
    "closed twice": ("(at ?t ?to))))", "(at ?t ?to)))))", (8, 52), 'expected (define ...), found ")"'),
    "probability": ("(at ?t ?to)", "(probabilistic 1.5 (ok))", (8, 53), "from 0 to 1"),
    "probability sum": ("(at ?t ?to)", "(probabilistic .6 (ok) .5 (ok))", (8, 38), "found 1.1"),
    "no number": ("(at ?t ?to)", "(probabilistic x (ok))", (8, 53), "a probability such as"),
    "oneof": ("(at ?t ?to)", "(oneof (ok) (ok))", (8, 39), "not supported: oneof"),
    "durative": (":action drive", ":durative-action drive", (5, 3), "(:durative-action ...)"),
    "constraints": ("(:action drive", "(:constraints (ok)) (:action drive", (5, 3), ":constraints"),
    "numeric effect": ("(at ?t ?to)", "(increase (fuel ?t) 1)", (8, 38), "numeric effect (increase (fuel"),
    "negative cost": ("(at ?t ?to)", "(increase (total-cost) -1)", (8, 38), "a cost of at least 0"),
    "numeric condition": ("(road ?from ?to))", "(> (fuel ?t) 1))", (7, 39), "numeric condition >"),
    "preference": ("(road ?from ?to))", "(preference x (ok)))", (7, 39), "not supported: preference"),
    "twice": ("(ok))\n", "(ok) (ok))\n", (4, 70), "expected different predicates"),
    "unknown section": ("(:types", "(:typse", (3, 4), 'found ":typse"'),
    "keyword": (":effect", ":efect", (8, 5), "expected :parameters, :precondition, :effect"),
    "derived effect": ("(:action", "(:derived (at ?t ?p) (ok)) (:action", (8, 24), "the derived predicate"),
}  # fmt: skip
IN_PROBLEM = {
    "unknown object": ("(at t a)", "(at t c)", (4, 16), 'unknown object "c"'),
    "type of object": ("(at t a)", "(at a t)", (4, 14), 'expected an object of type truck, found "a"'),
    "variable": ("(at t a)", "(at t ?x)", (4, 16), "expected an object, found the variable"),
    "no goal": ("(:goal (at t b))", "", (1, 18), "expected a (:goal ...)"),
    "metric": ("(:goal", "(:metric minimize (fuel)) (:goal", (5, 3), "not supported: metric"),
    "timed": ("(at t a)", "(at 5 (at t a))", (4, 10), "timed initial literal"),
    "contradiction": ("(road a b)", "(not (at t a))", (4, 19), "both true and false"),
    "function": ("(road a b)", "(= (dist a b) 3)", (4, 23), 'unknown function "dist"'),
    "empty": (PROBLEM, "", (1, 1), "expected (define ...), found the end of the file"),
    "comment only": (PROBLEM, "; nothing\n", (2, 1), "found the end of the file"),
    "binary": (PROBLEM, "\x00\x01PK", (1, 1), "found the byte 0x00"),
    "domain again": (PROBLEM, DOMAIN, (1, 1), 'expected a problem, found only domain "d"'),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_DOMAIN)
def test_domain(name: str) -> None:
    old, new, place, message = IN_DOMAIN[name]
    assert DOMAIN.count(old) == 1
    check(DOMAIN.replace(old, new), PROBLEM, "<domain>", place, message)


@pytest.mark.parametrize("name", IN_PROBLEM)
def test_problem(name: str) -> None:
    old, new, place, message = IN_PROBLEM[name]
    assert PROBLEM.count(old) == 1
    check(DOMAIN, PROBLEM.replace(old, new), "<problem>", place, message)


def check(domain: str, problem: str, file: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(asnets.PddlError) as caught:
        asnets.ground_text(domain, problem)
    error = caught.value
    assert (error.file, (error.line, error.column)) == (file, place)
    assert message in error.message
    assert "\n" not in error.message
    _, caret = error.excerpt.split("\n")
    assert caret.endswith("^")
    assert str(error) == f"{file}:{place[0]}:{place[1]}: {error.message}\n{error.excerpt}"


def test_caret_stands_under_the_mistake() -> None:
    with pytest.raises(asnets.PddlError) as caught:
        asnets.ground_text(DOMAIN, PROBLEM.replace("  (:init (at t a)", "\t(:init (ät t a)"))
    line, caret = caught.value.excerpt.split("\n")
    assert line[caret.index("^") :].startswith("ät t a)")
    assert caret.startswith("\t")


def test_long_lines_are_shortened() -> None:
    padding = "(ok) " * 10_000
    with pytest.raises(asnets.PddlError) as caught:
        asnets.ground_text(DOMAIN, PROBLEM.replace("(at t a)", f"{padding}(bad) {padding}"))
    line, caret = caught.value.excerpt.split("\n")
    assert len(line) < 120
    assert line[caret.index("^") :].startswith("bad)")


def test_swapped_files() -> None:
    with pytest.raises(asnets.PddlError, match="swapped"):
        asnets.ground_text(PROBLEM, DOMAIN)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        asnets.ground(tmp_path / "missing.pddl")
    assert caught.value.filename == str(tmp_path / "missing.pddl")
    with pytest.raises(IsADirectoryError):
        asnets.ground(tmp_path)


def test_errors_are_picklable_and_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "d.pddl").write_text(DOMAIN.replace("(road ?p ?q", "(road ?p - ?q"))
    with pytest.raises(asnets.PddlError) as caught:
        asnets.ground(tmp_path / "d.pddl")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.file == str(tmp_path / "d.pddl")


def test_missing_cost_is_found_when_grounding() -> None:
    domain = DOMAIN.replace("(:action", "(:functions (total-cost) (dist ?p ?q - place)) (:action")
    domain = domain.replace("(at ?t ?to)", "(at ?t ?to) (increase (total-cost) (dist ?from ?to))")
    with pytest.raises(asnets.PddlError, match=r"expected a value for \(dist a b\)"):
        asnets.ground_text(
            domain, PROBLEM.replace("(:goal", "(:metric minimize (total-cost)) (:goal")
        )
    assert asnets.ground_text(domain, PROBLEM).actions[0].cost == 1
    costly = PROBLEM.replace("(road a b)", "(road a b) (= (dist a b) -2)")
    with pytest.raises(asnets.PddlError, match="at least 0, found a negative one"):
        asnets.ground_text(
            domain, costly.replace("(:goal", "(:metric minimize (total-cost)) (:goal")
        )


def test_rewards_may_be_negative() -> None:
    domain = DOMAIN.replace("(at ?t ?to)", "(at ?t ?to) (increase (reward) -5)")
    task = asnets.ground_text(domain, PROBLEM.replace("(:goal ", "(:goal-reward -1) (:goal "))
    assert task.actions[0].cost == 1


def test_an_object_may_join_unrelated_types() -> None:
    domain = DOMAIN.replace("(at ?t ?to)", "(at ?t ?to) (road ?t ?to)")
    amphibian = PROBLEM.replace("a b - place", "a b - place t - (either truck place)")
    assert asnets.ground_text(domain, amphibian).actions
    with pytest.raises(asnets.PddlError, match="expected a term of type place"):
        asnets.ground_text(domain, PROBLEM)


def test_too_many_outcomes_is_an_error() -> None:
    coins = " ".join(f"(probabilistic 0.5 (c{i}))" for i in range(20))
    atoms = " ".join(f"(c{i})" for i in range(20))
    with pytest.raises(asnets.PddlError, match="more than 65536 outcomes"):
        asnets.ground_text(
            f"(define (domain d) (:predicates {atoms}) (:action toss :effect (and {coins})))",
            "(define (problem p) (:domain d) (:init) (:goal (c1)))",
        )


def test_warnings() -> None:
    domain = "(define (domain d) (:requirements :strps) (:predicates (p)) (:action a :precondition (not (p)) :effect (p)))"
    problem = "(define (problem x) (:domain e) (:init) (:goal (p)) (:goal-reward 100) (:metric maximize (reward)))"
    second = "(define (problem y) (:domain e) (:init) (:goal (p)))"
    warnings = asnets.ground_text(domain, problem + second).warnings
    assert [w.split(":", 3)[3].strip() for w in warnings] == [
        'unknown requirement ":strps"; did you mean ":strips"?',
        "(:requirements ...) lacks :negative-preconditions, which the domain uses",
        'problem "x" is for domain "e", not "d"',
        "rewards are not optimised: every action costs 1 until the goal",
        '2 problems in one file; taking the first, "x"',
    ]
    assert asnets.ground_text(domain, problem + second, problem_name="Y").problem_name == "y"
    with pytest.raises(asnets.PddlError, match='unknown problem "z"'):
        asnets.ground_text(domain, problem + second, problem_name="z")


def test_requirements_are_asked_for_what_is_used() -> None:
    domain = """(define (domain d) (:requirements :strips :derived-predicates) (:predicates (p ?x) (q ?x))
      (:derived (q ?x) (p ?x)) (:action a :parameters (?x) :effect (p ?x)))"""
    problem = "(define (problem x) (:domain d) (:objects k) (:init {}) (:goal (q k)))"
    assert asnets.ground_text(domain, problem.format("")).warnings == ()
    (warning,) = asnets.ground_text(domain, problem.format("(probabilistic 0.3 (p k))")).warnings
    assert "lacks :probabilistic-effects" in warning
