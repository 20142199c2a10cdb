"""The Python view of tasks, actions and states."""

import random
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

import asnets
from asnets import generators

LOTTERY = """
(define (domain lottery)
  (:requirements :typing :negative-preconditions :disjunctive-preconditions :conditional-effects
                 :probabilistic-effects :action-costs)
  (:types person - object)
  (:predicates (ticket ?p - person) (rich ?p - person) (happy ?p - person) (open))
  (:functions (total-cost) (price ?p - person))
  (:action draw
    :parameters (?p - person)
    :precondition (and (ticket ?p) (not (rich ?p)) (or (open) (happy ?p)))
    :effect (and (not (ticket ?p)) (increase (total-cost) 2) (increase (total-cost) (price ?p))
                 (probabilistic 1/4 (and (rich ?p) (when (open) (happy ?p)))
                                1/4 (not (open)))))
  (:action buy
    :parameters (?p - person)
    :effect (ticket ?p)))
"""
ANN_AND_BOB = """
(define (problem two) (:domain lottery) (:objects bob ann - person)
  (:init (open) (ticket ann) (= (total-cost) 0) (= (price ann) 1.5) (= (price bob) 0))
  (:goal (and (rich ann) (not (open)))) (:metric minimize (total-cost)))
"""


@pytest.fixture(scope="module")
def task() -> asnets.Task:
    return asnets.ground_text(LOTTERY, ANN_AND_BOB)


def test_names_and_order(task: asnets.Task) -> None:
    assert (task.domain_name, task.problem_name, task.objects) == ("lottery", "two", ("ann", "bob"))
    assert [a.name for a in task.actions] == ["buy ann", "buy bob", "draw ann", "draw bob"]
    assert [str(p) for p in task.propositions] == [
        *("(happy ann)", "(happy bob)", "(open)"),
        *("(rich ann)", "(rich bob)", "(ticket ann)", "(ticket bob)"),
    ]
    assert [s.name for s in task.schemas] == ["buy", "draw"]
    assert task.schemas[1].parameters == (("?p", ("person",)),)
    assert task.schemas[1].action_range == range(2, 4)
    assert task.schemas[1].line == 8
    assert not task.is_deterministic


def test_sequences_are_lazy_but_complete(task: asnets.Task) -> None:
    assert isinstance(task.actions, Sequence)
    assert len(task.actions) == 4
    assert task.actions[-1] == task.actions[3]
    assert task.actions[1:3] == [task.actions[1], task.actions[2]]
    assert next(reversed(task.actions)).name == "draw bob"
    assert task.actions[2] in task.actions
    assert task.propositions.index(task.propositions[3]) == 3
    with pytest.raises(IndexError):
        task.actions[4]


def test_action(task: asnets.Task) -> None:
    draw = task.action("(DRAW Ann)")
    assert draw == task.actions[2]
    assert (draw.index, draw.arguments, draw.schema.name, draw.cost) == (2, ("ann",), "draw", 3.5)
    assert (task.action("buy bob").cost, task.action("draw bob").cost) == (0, 2)
    assert [str(p) for p in draw.precondition.positive] == ["(ticket ann)"]
    assert [str(p) for p in draw.precondition.negative] == ["(rich ann)"]
    open_, happy = task.proposition("open"), task.proposition("happy ann")
    assert draw.precondition.formula == ("or", open_, happy)
    assert str(draw.precondition) == "(and (ticket ann) (not (rich ann)) (or (open) (happy ann)))"
    rich, closed, nothing = draw.outcomes
    assert [rich.probability, closed.probability, nothing.probability] == [0.25, 0.25, 0.5]
    assert [str(p) for p in rich.add] == ["(rich ann)"]
    assert [str(p) for p in rich.delete] == ["(ticket ann)"]
    assert repr(rich) == "<Outcome 0.25 (rich ann) (not (ticket ann)) ...>"
    (conditional,) = rich.conditional
    assert (str(conditional.condition), conditional.add) == ("(open)", (happy,))
    assert conditional.delete == ()
    assert set(closed.delete) == {open_, task.proposition("ticket ann")}
    assert nothing.conditional == ()


def test_states(task: asnets.Task) -> None:
    state = task.initial_state
    assert state.atoms() == {"(open)", "(ticket ann)"}
    assert list(state) == ["(open)", "(ticket ann)"]  # in the order of the propositions
    assert len(state) == 2
    assert "(open)" in state
    assert "ticket bob" not in state
    assert state.holds(task.proposition("open"))
    assert task.proposition("open").index in state
    assert task.state(["open", task.proposition("ticket ann")]) == state
    assert hash(task.state(state)) == hash(state)
    assert {task.state(state): 1}[state] == 1
    assert task.state([]) != state
    assert state != "state"
    assert not state.is_goal
    assert task.state(["rich ann"]).is_goal
    assert task.is_goal(task.state(["rich ann"]))
    assert task.goal.holds(task.state(["rich ann"]))


def test_arrays(task: asnets.Task) -> None:
    state = task.initial_state
    assert [task.actions[i].name for i in state.applicable_ids] == [
        a.name for a in state.applicable()
    ]
    assert state.applicable_mask.tolist() == [True, True, True, False]
    assert state.truth.tolist() == [False, False, True, False, False, True, False]
    bits = np.unpackbits(state.words.view(np.uint8), bitorder="little")
    assert bits[: len(task.propositions)].tolist() == state.truth.tolist()
    assert not state.words.flags.writeable
    words = state.words
    del state
    assert words[0] == 0b0100100


def test_successors(task: asnets.Task) -> None:
    found = task.successors(task.initial_state, "draw ann")
    assert {state.atoms(): probability for state, probability in found} == {
        frozenset({"(open)", "(rich ann)", "(happy ann)"}): 0.25,
        frozenset(): 0.25,
        frozenset({"(open)"}): 0.5,
    }
    for name in (2, -2, task.actions[2], np.int64(2)):
        assert task.successors(task.initial_state, name) == found


def test_samples_repeat_and_follow_the_distribution(task: asnets.Task) -> None:
    state = task.initial_state
    runs = []
    for _ in range(2):
        rng = asnets.Rng(7)
        runs.append([task.sample(state, "draw ann", rng) for _ in range(2000)])
    assert runs[0] == runs[1]
    for successor, probability in task.successors(state, "draw ann"):
        assert runs[0].count(successor) / 2000 == pytest.approx(probability, abs=0.04)
    drawn = task.sample(state, "draw ann", random.Random(1))
    assert drawn in [each for each, _ in task.successors(state, "draw ann")]
    assert task.sample(state, 2, np.random.default_rng(1)) in set(runs[0])


def test_mistakes(task: asnets.Task) -> None:
    other = asnets.ground_text(LOTTERY, ANN_AND_BOB)
    with pytest.raises(ValueError, match="not applicable"):
        task.successors(task.initial_state, "draw bob")
    with pytest.raises(ValueError, match="another task"):
        task.successors(other.initial_state, 0)
    with pytest.raises(ValueError, match="another task"):
        task.successors(task.initial_state, other.actions[0])
    with pytest.raises(KeyError, match='did you mean "draw"'):
        task.action("drow ann")
    with pytest.raises(KeyError, match="expects 1 objects, found 2"):
        task.action("draw ann bob")
    with pytest.raises(KeyError, match='unknown object "eve"'):
        task.proposition("rich eve")
    with pytest.raises(IndexError):
        task.successors(task.initial_state, 4)
    with pytest.raises(TypeError):
        task.successors(task.initial_state, 1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="all_outcomes"):
        task.determinise("none")  # type: ignore[arg-type]


def test_never_true_atoms() -> None:
    task = asnets.ground_text(
        "(define (domain d) (:requirements :strips) (:predicates (p) (q) (r)) (:action a :effect (q)))",
        "(define (problem x) (:domain d) (:init) (:goal (r)))",
    )
    assert [p.name for p in task.propositions] == ["q", "r"]  # the goal's atoms always exist
    assert "(p)" not in task.initial_state
    with pytest.raises(ValueError, match="can never be true"):
        task.state(["p"])
    with pytest.raises(KeyError, match="can never be true"):
        task.proposition("p")


def test_several_initial_states() -> None:
    task = asnets.ground_text(
        "(define (domain d) (:requirements :strips) (:predicates (p) (q)) (:action a :effect (q)))",
        """(define (problem x) (:domain d)
             (:init (probabilistic 0.25 (p) 0.25 (q))) (:goal (q)))""",
    )
    assert {s.atoms(): p for s, p in task.initial_states} == {
        frozenset({"(p)"}): 0.25,
        frozenset({"(q)"}): 0.25,
        frozenset(): 0.5,
    }
    with pytest.raises(ValueError, match="3 initial states"):
        _ = task.initial_state


@pytest.mark.parametrize("kind", ["all_outcomes", "most_likely"])
def test_determinise(task: asnets.Task, kind: str) -> None:
    flat = task.determinise(kind)  # type: ignore[arg-type]
    assert flat.is_deterministic
    names = [(a.name, a.origin, a.outcome) for a in flat.actions if a.schema.name == "draw"]
    if kind == "most_likely":
        assert names == [("draw ann", 2, 2), ("draw bob", 3, 2)]
    else:
        assert names == [("draw ann", 2, i) for i in range(3)] + [
            ("draw bob", 3, i) for i in range(3)
        ]
    for action in flat.actions:
        original = task.actions[action.origin]
        assert (action.name, action.cost) == (original.name, original.cost)
        chosen = original.outcomes[action.outcome]
        assert [p.name for p in action.outcomes[0].add] == [p.name for p in chosen.add]
    assert flat.initial_state.atoms() == task.initial_state.atoms()


def test_grounding_from_threads_gives_equal_tasks(domains: Path) -> None:
    results: list[list[str]] = []

    def work() -> None:
        task = asnets.ground(
            domains / "blocksworld/domain.pddl", domains / "blocksworld/p08-s0.pddl"
        )
        results.append([a.name for a in task.actions])

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == results[0] == sorted(results[0]) for result in results)


@pytest.mark.parametrize("name", generators.names())
def test_random_walks_stay_consistent(name: str) -> None:
    """On every shipped domain: applicability is what preconditions say, probabilities sum to 1."""
    task = asnets.ground_text(generators.domain_text(name), generators.generate(name, 4, seed=3))
    rng = asnets.Rng(1)
    state = task.initial_state
    for _ in range(40):
        applicable = state.applicable()
        assert list(applicable) == [a for a in task.actions if a.precondition.holds(state)]
        if not applicable:
            break
        action = applicable[int(rng.random() * len(applicable))]
        successors = task.successors(state, action)
        assert sum(p for _, p in successors) == pytest.approx(1, abs=1e-12)
        assert len({s for s, _ in successors}) == len(successors)
        assert all(task.state(s.atoms()) == s for s, _ in successors)
        state = task.sample(state, action, rng)
