"""Applicable actions and successor distributions: against plado on flat probabilistic effects,
against a slow oracle on real files of all kinds, and against values worked out by hand."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import asnets
from oracles.corpus import CLASSICAL, OWN, PROBABILISTIC, Files
from oracles.plado_task import PladoTask
from oracles.reader import NUMERIC, Atom, Expression, PlanningTask, read, write
from oracles.successors import holds, successors

WALKS = 3
STEPS = 10
JUDGED = 1000  # actions whose preconditions the slow oracle looks at in every state

# All their effects are conditional, or written in a way that plado does not read.
NOT_FOR_PLADO = {"boxworld", "ippc08-rectangle-tireworld"}

# The first, smaller task of each domain; the slow oracle does not know derived predicates.
FIRST = [files for files in CLASSICAL[::2] if "(:derived" not in files.domain.read_text()]

OWN_PROBABILISTIC = [files for files in OWN if "(probabilistic" in files.domain.read_text()]

# Name, initial atoms, effect, atoms of each successor with its probability.
NESTED = [
    ("the rest is no change", "r", "(probabilistic 1/4 (p) 1/2 (q))", "p r 1/4, q r 1/2, r 1/4"),
    ("nothing is left", "", "(probabilistic 0.1 (p) 0.2 (q) 0.7 (r))", "p 1/10, q 1/5, r 7/10"),
    ("thirds", "", "(probabilistic 1/3 (p) 1/3 (q) 1/3 (r))", "p 1/3, q 1/3, r 1/3"),
    ("certain and impossible", "", "(probabilistic 0 (p) 1 (q))", "q 1"),
    (
        "chance in chance",
        "",
        "(probabilistic 0.5 (probabilistic 0.5 (p) 0.3 (q)) 0.5 (r))",
        "p 1/4, q 3/20, r 1/2, 1/10",
    ),
    (
        "independent parts",
        "",
        "(and (probabilistic 1/2 (p)) (probabilistic 1/3 (q)))",
        "p q 1/6, p 1/3, q 1/6, 1/3",
    ),
    (
        "equal successors are one",
        "r",
        "(probabilistic 1/4 (p) 1/4 (and (p) (not (q))) 1/3 (q) 1/6 (and (r) (not (p))))",
        "p r 1/2, q r 1/3, r 1/6",
    ),
    ("adding wins", "p", "(and (p) (not (p)) (not (q)) (q))", "p q 1"),
    ("adding wins by chance", "p", "(and (not (p)) (probabilistic 0.4 (p)))", "p 2/5, 3/5"),
    (
        "adding wins under a condition",
        "p q",
        "(and (probabilistic 1/2 (not (p))) (when (q) (p)))",
        "p q 1",
    ),
    (
        "conditions look at the state before",
        "p",
        """(and (not (p)) (s) (when (s) (t))
                (probabilistic 3/10 (when (p) (q)) 7/10 (when (not (p)) (r))))""",
        "q s 3/10, s 7/10",
    ),
    (
        "chance under a condition",
        "p",
        "(and (when (p) (probabilistic 1/3 (q) 2/3 (not (p)))) (when (q) (probabilistic 1/2 (r))))",
        "p q 1/3, 2/3",
    ),
    (
        "conditions in chance in conditions",
        "p q",
        """(when (p) (probabilistic
                1/2 (when (and (q) (not (r))) (probabilistic 1/2 (s) 1/4 (not (p))))
                1/2 (when (or (r) (t)) (s))))""",
        "p q s 1/4, q 1/8, p q 5/8",
    ),
    (
        "each object has its own chance",
        "",
        "(forall (?x) (probabilistic 1/4 (at ?x)))",
        "at-a at-b 1/16, at-a 3/16, at-b 3/16, 9/16",
    ),
    (
        "one chance for all objects",
        "",
        "(probabilistic 1/4 (forall (?x) (at ?x)))",
        "at-a at-b 1/4, 3/4",
    ),
    (
        "objects in conditions in chance",
        "at-a p",
        """(forall (?x) (when (at ?x) (probabilistic
                1/3 (forall (?y) (when (not (= ?x ?y)) (and (at ?y) (not (at ?x)))))
                1/2 (not (p)))))""",
        "at-b p 1/3, at-a 1/2, at-a p 1/6",
    ),
]


def walk(task: asnets.Task, seed: int) -> Iterator[asnets.State]:
    """The states of a random walk, until no action is applicable."""
    rng = Random(seed)
    state = task.initial_state
    for _ in range(STEPS):
        yield state
        actions = state.applicable()
        if not actions:
            return
        state = task.sample(state, rng.choice(actions), rng)


def close(distribution: dict[frozenset[str], Fraction]) -> dict[frozenset[str], object]:
    return {state: pytest.approx(float(p), rel=1e-12) for state, p in distribution.items()}


def for_plado(files: Files, folder: Path) -> Files:
    """The task as plado can read it: domain and problem apart, without rewards."""

    def simple(part: Expression) -> Expression:
        if isinstance(part, str):
            return part
        if part[:1] == [":action"] and ":parameters" not in part:
            part = [*part[:2], ":parameters", [], *part[2:]]
        return [simple(child) for child in part if not (child and child[0] in unread)]

    unread = NUMERIC | {":goal-reward", ":metric", ":requirements"}
    for definition in read(*files.paths):
        (folder / f"{definition[1][0]}.pddl").write_text(write(simple(definition)))
    return Files(folder / "domain.pddl", folder / "problem.pddl")


@pytest.mark.parametrize(
    "files",
    [f for f in OWN_PROBABILISTIC + PROBABILISTIC if f.domain.parent.name not in NOT_FOR_PLADO],
    ids=str,
)
def test_plado(files: Files, tmp_path: Path) -> None:
    task = asnets.ground(*files.paths)
    plado = PladoTask(*for_plado(files, tmp_path).paths)
    for seed in range(WALKS):
        for state in walk(task, seed):
            same = plado.state(state.atoms())
            actions = {action.name for action in state.applicable()}
            assert actions == plado.applicable(same)
            for action in filter(plado.is_flat, actions):
                ours = task.successors(state, task.action(action))
                theirs = plado.successors(same, action)
                assert len(ours) == len(theirs)
                assert {plado.changing(after.atoms()): p for after, p in ours} == close(theirs)


@pytest.mark.parametrize("files", OWN + PROBABILISTIC + FIRST, ids=str)
def test_slow_oracle(files: Files) -> None:
    task = asnets.ground(*files.paths)
    oracle = PlanningTask(*files.paths)
    schemas = {schema.name: schema for schema in oracle.schemas}
    count = len(task.actions)
    judged = [task.actions[i] for i in Random(0).sample(range(count), min(count, JUDGED))]
    for state in walk(task, seed=0):
        same = frozenset(tuple(atom.strip("()").split()) for atom in state.atoms())
        applicable = state.applicable()
        names = {action.name for action in applicable}
        for action in {*judged, *applicable}:
            schema = schemas[action.schema.name]
            binding = dict(zip([name for name, _ in schema.parameters], action.arguments))
            assert holds(oracle, schema.condition, binding, same) == (action.name in names)
        for action in applicable:
            ours = task.successors(state, action)
            expected = successors(oracle, same, action.name)
            theirs = {frozenset(map(text, atoms)): p for atoms, p in expected.items()}
            assert len(ours) == len(theirs)
            assert {after.atoms(): p for after, p in ours} == close(theirs)


def text(atom: Atom) -> str:
    return f"({' '.join(atom)})"


def distribution(cases: str) -> dict[frozenset[str], Fraction]:
    """`p at-a 1/3, 2/3` is {p, at a} with probability 1/3 and the empty state with 2/3."""
    found = [case.split() for case in cases.split(",")]
    return {
        frozenset(f"({word.replace('-', ' ')})" for word in words): Fraction(p)
        for *words, p in found
    }


def small_task(init: str, effect: str, derived: str = "") -> asnets.Task:
    domain = f"""(define (domain d)
        (:requirements :adl :derived-predicates :probabilistic-effects) (:constants a b)
        (:predicates (p) (q) (r) (s) (t) (at ?x)) {derived} (:action act :effect {effect}))"""
    problem = f"(define (problem one) (:domain d) (:init {init}) (:goal (p)))"
    return asnets.ground_text(domain, problem)


@pytest.mark.parametrize(
    ("init", "effect", "expected"), [pytest.param(*case, id=name) for name, *case in NESTED]
)
def test_nested_effects(init: str, effect: str, expected: str) -> None:
    (state,) = distribution(f"{init} 1")
    task = small_task(" ".join(state), effect)
    found = task.successors(task.initial_state, 0)
    assert {after.atoms(): p for after, p in found} == close(distribution(expected))
    assert len(found) == len(distribution(expected))
    assert sum(p for _, p in found) == pytest.approx(1, abs=1e-15)


def test_derived_atoms_follow_the_change() -> None:
    derived = "(:derived (q) (and (p) (not (r)))) (:derived (s) (exists (?x) (at ?x)))"
    task = small_task(
        "(r) (at a)", "(probabilistic 1/2 (p) 1/4 (and (p) (not (r)) (not (at a))))", derived
    )
    found = task.successors(task.initial_state, 0)
    expected = distribution("p r s at-a 1/2, p q 1/4, r s at-a 1/4")
    assert {after.atoms(): p for after, p in found} == close(expected)


@pytest.mark.parametrize(
    ("init", "expected"),
    [
        ("(p) (probabilistic 1/2 (q) 1/4 (r))", "p q 1/2, p r 1/4, p 1/4"),
        ("(probabilistic 1/3 (and (p) (q)) 2/3 (p)) (at a)", "p q at-a 1/3, p at-a 2/3"),
        ("(probabilistic 1/2 (q)) (probabilistic 1/2 (q) 1/2 (r))", "q 1/2, q r 1/4, r 1/4"),
        ("(p) (probabilistic 0.9 (p))", "p 1"),
    ],
)
def test_initial_states(init: str, expected: str) -> None:
    task = small_task(init, "(p)")
    assert {state.atoms(): p for state, p in task.initial_states} == close(distribution(expected))
    assert len(task.initial_states) == len(distribution(expected))
    if len(task.initial_states) > 1:
        with pytest.raises(ValueError, match="initial state"):
            _ = task.initial_state
