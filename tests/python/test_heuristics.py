"""Heuristics: hand-computed values, their laws against the cheapest plan, Fast Downward's values."""

import math
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import asnets
from asnets import generators
from oracles import fast_downward, random_tasks, value_iteration
from oracles.corpus import CLASSICAL, OWN, Files
from oracles.optimal import cheapest_plan
from test_random_tasks import tasks

# Two lamps; the switch of the second one also puts out the first.
LAMPS = """(define (domain lamps) (:requirements :adl :action-costs)
  (:predicates (on1) (on2) (power)) (:functions (total-cost))
  (:action plug-in :effect (and (power) (increase (total-cost) 3)))
  (:action one :precondition (power) :effect (and (on1) (increase (total-cost) 1)))
  (:action two :precondition (power) :effect (and (on2) (not (on1)) (increase (total-cost) 2))))
"""
BOTH = """(define (problem both) (:domain lamps) (:init) (:goal (and (on1) (on2)))
  (:metric minimize (total-cost)))"""


@pytest.mark.parametrize(
    ("name", "value"),
    [("h_max", 5), ("h_add", 9), ("h_ff", 6), ("lm_cut", 6), ("lm_cut_incremental", 6)],
)
def test_values(name: str, value: float) -> None:
    task = asnets.ground_text(LAMPS, BOTH)
    heuristic = asnets.Heuristic(task, name)
    assert heuristic(task.initial_state) == value
    assert heuristic(task.state(["on1", "on2"])) == 0
    assert heuristic(task.initial_state) == value  # nothing is left of the state before


def test_landmarks_and_helpful_actions() -> None:
    task = asnets.ground_text(LAMPS, BOTH)
    landmarks = asnets.Heuristic(task, "lm_cut").landmarks(task.initial_state)
    assert sorted([a.name for a in each] for each in landmarks) == [["one"], ["plug-in"], ["two"]]
    ff = asnets.Heuristic(task, "h_ff")
    assert [a.name for a in ff.helpful_actions(task.initial_state)] == ["plug-in"]
    assert [a.name for a in ff.helpful_actions(task.state(["power", "on1"]))] == ["two"]


def test_what_is_as_cheap_is_as_helpful() -> None:
    """Both ways of two steps, not the one of three, whatever they are called."""
    steps = "".join(
        f"(:action {name} {needs} :effect ({gives}))"
        for name, needs, gives in (
            ("a-far", "", "f"), ("b-farther", ":precondition (f)", "ff"),
            ("c-farthest", ":precondition (ff)", "g"), ("left", "", "l"), ("right", "", "r"),
            ("left-on", ":precondition (l)", "g"), ("right-on", ":precondition (r)", "g"),
        )
    )  # fmt: skip
    task = asnets.ground_text(
        f"(define (domain d) (:predicates (f) (ff) (l) (r) (g)) {steps})",
        "(define (problem x) (:domain d) (:init) (:goal (g)))",
    )
    ff = asnets.Heuristic(task, "h_ff")
    assert ff(task.initial_state) == 2
    for state, helpful in (([], ["left", "right"]), (["l"], ["left-on"]), (["g"], [])):
        assert [action.name for action in ff.helpful_actions(task.state(state))] == helpful


def test_negation_and_disjunction() -> None:
    """The way through q and not p is cheaper than the one through r."""
    task = asnets.ground_text(
        """(define (domain d) (:requirements :adl) (:predicates (p) (q) (r) (s) (t))
             (:action drop :effect (not (p)))
             (:action add-q :precondition (not (p)) :effect (q))
             (:action add-t :effect (t))
             (:action add-r :precondition (and (q) (t)) :effect (r))
             (:action finish :precondition (or (r) (and (q) (not (p)))) :effect (s)))""",
        "(define (problem x) (:domain d) (:init (p)) (:goal (and (s) (not (p)))))",
    )
    values = {name: asnets.Heuristic(task, name)(task.initial_state) for name in asnets.HEURISTICS}
    assert values == {"h_max": 3, "h_add": 5, "h_ff": 3, "lm_cut": 3, "lm_cut_incremental": 3}


def test_conditional_effects_share_their_cost() -> None:
    """One action gives both goals through two conditions: it must not be paid twice."""
    task = asnets.ground_text(
        """(define (domain d) (:requirements :adl) (:predicates (p) (q) (a) (b))
             (:action both :effect (and (when (p) (a)) (when (q) (b)))))""",
        "(define (problem x) (:domain d) (:init (p) (q)) (:goal (and (a) (b))))",
    )
    values = {name: asnets.Heuristic(task, name)(task.initial_state) for name in asnets.HEURISTICS}
    assert values == {"h_max": 1, "h_add": 2, "h_ff": 1, "lm_cut": 1, "lm_cut_incremental": 1}


def test_outcomes_are_different_actions_but_one_landmark() -> None:
    task = asnets.ground_text(
        """(define (domain d) (:requirements :probabilistic-effects) (:predicates (a) (b))
             (:action toss :effect (probabilistic 0.5 (a) 0.5 (b))))""",
        "(define (problem x) (:domain d) (:init) (:goal (and (a) (b))))",
    )
    lm_cut = asnets.Heuristic(task, "lm_cut")
    assert lm_cut(task.initial_state) == 2
    assert [[a.name for a in each] for each in lm_cut.landmarks(task.initial_state)] == [
        ["toss"]
    ] * 2


def test_axioms_are_free() -> None:
    task = asnets.ground_text(
        """(define (domain d) (:requirements :adl :derived-predicates)
             (:predicates (p) (q) (r) (n) (x))
             (:derived (q) (p)) (:derived (n) (and (p) (x))) (:derived (r) (and (q) (not (n))))
             (:action go :effect (p)) (:action spoil :effect (x)))""",
        "(define (problem y) (:domain d) (:init) (:goal (r)))",
    )
    for name in asnets.HEURISTICS:
        assert asnets.Heuristic(task, name)(task.initial_state) == 1


def test_dead_ends() -> None:
    task = asnets.ground_text(
        "(define (domain d) (:requirements :strips) (:predicates (p) (q)) (:action a :effect (q)))",
        "(define (problem x) (:domain d) (:init) (:goal (and (p) (q))))",
    )
    for name in asnets.HEURISTICS:
        assert asnets.Heuristic(task, name)(task.initial_state) == math.inf


def test_mistakes() -> None:
    task = asnets.ground_text(LAMPS, BOTH)
    with pytest.raises(
        ValueError, match="known are h_add, h_ff, h_max, lm_cut, lm_cut_incremental"
    ):
        asnets.Heuristic(task, "lmcut")
    other = asnets.ground_text(LAMPS, BOTH)
    with pytest.raises(ValueError, match="another task"):
        asnets.Heuristic(task, "h_max")(other.initial_state)

    with pytest.raises(ValueError, match="only lm_cut and lm_cut_incremental find"):
        asnets.Heuristic(task, "h_ff").landmarks(task.initial_state)
    with pytest.raises(ValueError, match="only h_ff has helpful actions"):
        asnets.Heuristic(task, "lm_cut").helpful_actions(task.initial_state)


def test_threads_may_share_a_heuristic() -> None:
    task = asnets.ground_text(
        generators.domain_text("blocksworld"), generators.generate("blocksworld", 20)
    )
    lm_cut = asnets.Heuristic(task, "lm_cut")
    states = [task.initial_state]
    states += [task.successors(states[0], action)[0][0] for action in states[0].applicable()]
    expected = [lm_cut(state) for state in states]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: [lm_cut(state) for state in states], range(40)))
    assert results == [expected] * 40


@pytest.mark.parametrize("name", generators.names())
@pytest.mark.parametrize("seed", [0, 1])
def test_laws(name: str, seed: int) -> None:
    """On states of random walks in the determinised task, against the cheapest plan."""
    task = asnets.ground_text(generators.domain_text(name), generators.generate(name, 3, seed=seed))
    conditional = any(o.conditional for a in task.actions for o in a.outcomes)
    flat = task.determinise("all_outcomes")
    values = {each: asnets.Heuristic(flat, each) for each in asnets.HEURISTICS}
    rng = asnets.Rng(seed)
    state = flat.initial_state
    for _ in range(25):
        check_laws(flat, values, state)
        assert conditional or values["h_max"](state) <= values["lm_cut"](state)
        applicable = state.applicable()
        if not applicable:
            break
        state = flat.sample(state, applicable[int(rng.random() * len(applicable))], rng)


@given(st.data(), st.booleans())
def test_laws_on_random_tasks(data: st.DataObject, conditional: bool) -> None:
    """With negations, disjunctions, free actions and conditional effects."""
    task = asnets.ground_text(data.draw(random_tasks.tasks(conditional=conditional)))
    conditional = any(o.conditional for a in task.actions for o in a.outcomes)
    heuristics = {name: asnets.Heuristic(task, name) for name in asnets.HEURISTICS}
    for state in value_iteration.explore(task).states[:12]:
        values = {name: heuristic(state) for name, heuristic in heuristics.items()}
        plan = cheapest_plan(task, state)
        optimal = math.inf if plan is None else sum(action.cost for action in plan)
        assert 0 <= values["h_max"] <= optimal
        assert 0 <= values["lm_cut"] <= optimal
        assert values["h_max"] <= values["h_add"]
        assert conditional or values["h_max"] <= min(values["h_ff"], values["lm_cut"])
        assert len({value == math.inf for value in values.values()}) == 1
        plans = [plan, asnets.search(task, "greedy", "h_ff", state=state).plan]
        landmarks = heuristics["lm_cut"].landmarks(state)
        for found in plans:
            assert (found is None) == (plan is None)
            for landmark in landmarks if found is not None else []:
                assert set(landmark) & set(found)
        # Each landmark pays for itself, an action of several at most once in each.
        assert values["lm_cut"] == math.inf or values["lm_cut"] <= sum(
            min(action.cost for action in landmark) for landmark in landmarks
        )


@settings(max_examples=200)
@given(tasks(derived=True))
def test_laws_of_random_tasks(text: str) -> None:
    """Conditional effects, disjunctions, negations and axioms, nested in all ways."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "task.pddl"
        path.write_text(text)
        flat = asnets.ground(path).determinise("all_outcomes")
    values = {each: asnets.Heuristic(flat, each) for each in asnets.HEURISTICS}
    state = flat.initial_states[0][0]
    for after in [state, *(flat.successors(state, action)[0][0] for action in state.applicable())]:
        check_laws(flat, values, after)


def check_laws(flat: asnets.Task, values: dict[str, asnets.Heuristic], state: asnets.State) -> None:
    h_max, h_add, h_ff, lm_cut = (values[n](state) for n in ("h_max", "h_add", "h_ff", "lm_cut"))
    plan = cheapest_plan(flat, state)
    optimal = math.inf if plan is None else sum(action.cost for action in plan)
    assert h_max <= h_add
    assert lm_cut <= optimal
    assert h_max <= optimal
    assert (h_max == math.inf) == (h_add == math.inf) == (h_ff == math.inf) == (lm_cut == math.inf)
    assert values["lm_cut_incremental"](state) == lm_cut
    assert values["lm_cut"].landmarks(state) == values["lm_cut"].landmarks(state)
    if plan is not None:
        for landmark in values["lm_cut"].landmarks(state):
            assert set(landmark) & set(plan)
    for action in values["h_ff"].helpful_actions(state):
        assert action in state.applicable()


def peer_value(heuristic: str, files: Files, scratch: Path) -> float:
    """What Fast Downward prints for the initial state."""
    path = fast_downward.folder()
    assert path is not None
    driver = path.parents[2] / "fast-downward.py"
    search = f"eager_greedy([{heuristic}],bound=0)"
    done = subprocess.run(
        [sys.executable, driver, *files.paths, "--search", search],
        check=False, cwd=scratch, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    found = re.search(r"Initial heuristic value for .*: (\d+|infinity)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    return math.inf if found[1] == "infinity" else int(found[1])


# Without negation, quantifiers and axioms, both sides relax the same operators.
STRIPS = [
    files
    for files in OWN + CLASSICAL
    if str(files) in (
        "blocksworld-p08-s0", "gold-miner-p04-s0", "matching-blocksworld-p05-s0", "depot-p1",
        "elevators-p1", "freecell-p1", "grid-p1", "logistics00-p1", "movie-p1", "pegsol-p1",
        "tpp-p2", "visitall-p2", "zenotravel-p1", "scanalyzer-p1", "barman-p1",
    )
]  # fmt: skip


@pytest.mark.parametrize("files", STRIPS, ids=str)
def test_fast_downward_agrees(files: Files, tmp_path: Path) -> None:
    task = asnets.ground(*files.paths)
    for ours, theirs in (("h_max", "hmax()"), ("h_add", "add()")):
        assert asnets.Heuristic(task, ours)(task.initial_state) == peer_value(
            theirs, files, tmp_path
        )
