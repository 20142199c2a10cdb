"""Small random tasks with conditions and effects nested in all ways, against the slow oracles."""

import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import asnets
from oracles.reachability import Reachability
from oracles.reader import Expression, PlanningTask, write
from oracles.successors import holds, successors

# Type beta is part of alpha; gamma has no object.
HEAD = """
    (:requirements :adl :derived-predicates :probabilistic-effects)
    (:types alpha - object beta - alpha gamma) (:constants a - alpha b - beta)
    (:predicates (p) (q) (r) (u ?x) (v ?x - alpha) (w ?x ?y) (d ?x) (e))
"""
OBJECTS = ["a", "b", "c"]
TYPES = ["object", "alpha", "beta", "gamma"]
ARITY = {"p": 0, "q": 0, "r": 0, "u": 1, "v": 1, "w": 2}
ALPHA = {"a", "b"}  # only these may be arguments of v
DERIVED = {"d": 1, "e": 0}
DEPTH = 3

Scope = dict[str, str]  # variable to type


@st.composite
def atoms(draw: st.DrawFn, scope: Scope, predicates: dict[str, int]) -> Expression:
    predicate = draw(st.sampled_from(sorted(predicates)))
    alpha = [name for name, kind in scope.items() if kind in ("alpha", "beta")] + sorted(ALPHA)
    terms = st.sampled_from(alpha if predicate == "v" else [*scope, *OBJECTS])
    return [predicate, *(draw(terms) for _ in range(predicates[predicate]))]


@st.composite
def quantified(draw: st.DrawFn, scope: Scope) -> tuple[Expression, Scope]:
    variable = f"?{len(scope)}"
    kind = draw(st.sampled_from(TYPES))
    return [variable, "-", kind], scope | {variable: kind}


@st.composite
def conditions(
    draw: st.DrawFn, scope: Scope, predicates: dict[str, int], depth: int = DEPTH
) -> Expression:
    kinds = ["atom", "atom", "not", "and", "or", "imply", "forall", "exists", "="]
    kind = draw(st.sampled_from(kinds if depth else ["atom", "not"]))

    def part(inner: Scope = scope) -> Expression:
        return draw(conditions(inner, predicates, max(depth - 1, 0)))

    if kind in ("and", "or"):
        return [kind, *(part() for _ in range(draw(st.integers(0, 3))))]
    if kind == "not":
        return ["not", part() if depth else draw(atoms(scope, predicates))]
    if kind == "imply":
        return ["imply", part(), part()]
    if kind in ("forall", "exists"):
        parameters, inner = draw(quantified(scope))
        return [kind, parameters, part(inner)]
    if kind == "=":
        terms = st.sampled_from([*scope, *OBJECTS])
        return ["=", draw(terms), draw(terms)]
    return draw(atoms(scope, predicates))


@st.composite
def effects(draw: st.DrawFn, scope: Scope, depth: int = DEPTH) -> Expression:
    kinds = ["add", "delete", "and", "and", "when", "forall", "probabilistic"]
    kind = draw(st.sampled_from(kinds if depth else kinds[:2]))
    if kind == "and":
        return ["and", *(draw(effects(scope, depth - 1)) for _ in range(draw(st.integers(0, 3))))]
    if kind == "when":
        condition = draw(conditions(scope, ARITY | DERIVED, depth - 1))
        return ["when", condition, draw(effects(scope, depth - 1))]
    if kind == "forall":
        parameters, inner = draw(quantified(scope))
        return ["forall", parameters, draw(effects(inner, depth - 1))]
    if kind == "probabilistic":
        shares = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
        whole = sum(shares) + draw(st.integers(0, 2)) or 1
        parts = [[f"{share}/{whole}", draw(effects(scope, depth - 1))] for share in shares]
        return ["probabilistic", *(word for part in parts for word in part)]
    atom = draw(atoms(scope, ARITY))
    return ["not", atom] if kind == "delete" else atom


@st.composite
def tasks(draw: st.DrawFn, derived: bool) -> str:
    """Domain and problem in one text."""
    sections: list[Expression] = []
    if derived:
        # Rules for e may use d, in any way; recursion of d is positive.
        rule = draw(conditions({"?0": "object"}, ARITY))
        step = ["exists", ["?1"], ["and", ["w", "?0", "?1"], ["d", "?1"]]]
        sections.append([":derived", ["d", "?0"], ["or", rule, step]])
        sections.append([":derived", ["e"], draw(conditions({}, ARITY | {"d": 1}))])
    predicates = ARITY | DERIVED if derived else ARITY
    for number in range(draw(st.integers(1, 4))):
        scope = {f"?{i}": draw(st.sampled_from(TYPES[:3])) for i in range(draw(st.integers(0, 2)))}
        parameters = [word for item in scope.items() for word in (item[0], "-", item[1])]
        condition = draw(conditions(scope, predicates))
        fields = [":parameters", parameters, ":precondition", condition]
        sections.append([":action", f"act{number}", *fields, ":effect", draw(effects(scope))])
    facts: list[Expression] = draw(st.lists(atoms({}, ARITY), max_size=6))
    for fact in draw(st.lists(atoms({}, ARITY), max_size=2)):
        facts.append(["probabilistic", draw(st.sampled_from(["0", "1/3", "0.5", "1"])), fact])
    goal = draw(conditions({}, predicates))
    return (
        f"(define (domain random) {HEAD} {' '.join(map(write, sections))})\n"
        f"(define (problem one) (:domain random) (:objects c)"
        f" (:init {' '.join(map(write, facts))}) (:goal {write(goal)}))"
    )


@settings(max_examples=300)
@given(st.one_of(tasks(derived=False), tasks(derived=True)))
def test_reachability(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "task.pddl"
        path.write_text(text)
        task = asnets.ground(path)
        reached = Reachability(path).explore()
    assert {action.name for action in task.actions} == reached.actions
    propositions = {proposition.name for proposition in task.propositions}
    assert reached.atoms <= propositions
    assert propositions - reached.atoms <= reached.goal_atoms


@settings(max_examples=300)
@given(tasks(derived=False))
def test_successors(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "task.pddl"
        path.write_text(text)
        task = asnets.ground(path)
        oracle = PlanningTask(path)
    schemas = {schema.name: schema for schema in oracle.schemas}
    expected: dict[frozenset[tuple[str, ...]], Fraction] = {}
    for chance, state in oracle.initial_states:
        expected[state] = expected.get(state, Fraction(0)) + chance
    found = {parse(state): (state, chance) for state, chance in task.initial_states}
    assert {atoms: chance for atoms, (_, chance) in found.items()} == close(expected)
    for atoms_, (state, _) in found.items():
        assert state.is_goal == holds(oracle, oracle.goal, {}, atoms_)
        applicable = state.applicable()
        for action in task.actions:
            schema = schemas[action.schema.name]
            binding = dict(zip([name for name, _ in schema.parameters], action.arguments))
            assert holds(oracle, schema.condition, binding, atoms_) == (action in applicable)
        for action in applicable:
            after = {parse(state): chance for state, chance in task.successors(state, action)}
            assert after == close(successors(oracle, atoms_, action.name))


def parse(state: asnets.State) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(atom.strip("()").split()) for atom in state.atoms())


def close(distribution: dict[frozenset[tuple[str, ...]], Fraction]) -> dict[object, object]:
    return {state: pytest.approx(float(chance)) for state, chance in distribution.items()}
