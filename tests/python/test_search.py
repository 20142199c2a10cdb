"""Best-first search against Fast Downward, blind search and hand-computed plans."""

import csv
import math
from pathlib import Path

import pytest
from hypothesis import given

import asnets
from asnets import generators
from oracles import fast_downward, random_tasks
from oracles.corpus import ROOT, Files, files_named
from oracles.optimal import cheapest_plan
from tasks import generated

VARIANTS = [(s, h) for s in asnets.SEARCHES for h in asnets.HEURISTICS]
ADMISSIBLE = ["h_max", "lm_cut", "lm_cut_incremental"]

# Written by tests/data/regenerate.py.
with (ROOT / "tests" / "data" / "fast_downward_astar_lmcut.csv").open() as golden:
    ROWS = list(csv.DictReader(golden))
# Fast Downward's seconds, or expansions, from which a row is slow.
SLOW_SECONDS, SLOW_EXPANSIONS = 1.0, 5_000


def row_parameter(row: dict[str, str]) -> object:
    slow = float(row["seconds"]) > SLOW_SECONDS or int(row["expansions"]) > SLOW_EXPANSIONS
    return pytest.param(row, id=row["task"], marks=[pytest.mark.slow] if slow else [])


def ground(files: Files) -> asnets.Task:
    return asnets.ground(*files.paths)


def replay(task: asnets.Task, result: asnets.SearchResult, start: asnets.State) -> None:
    """The plan is applicable, reaches a goal and costs what the result says."""
    assert result.status == "solved"
    assert result.plan is not None
    state, cost = start, 0.0
    for action in result.plan:
        assert action in state.applicable()
        ((state, _),) = task.successors(state, action)
        cost += action.cost
    assert state.is_goal
    assert result.cost == pytest.approx(cost)


def blind_cost(task: asnets.Task, start: asnets.State) -> float | None:
    plan = cheapest_plan(task, start)
    return None if plan is None else sum(action.cost for action in plan)


@pytest.mark.parametrize("row", [row_parameter(row) for row in ROWS])
def test_corpus(row: dict[str, str]) -> None:
    """As cheap as the plans that Fast Downward's A* with LM-cut found."""
    files = files_named(row["task"])
    if not files:
        pytest.skip("no corpus")
    task = ground(files[0])
    result = asnets.search(task, "astar", "lm_cut")
    replay(task, result, task.initial_state)
    assert result.cost == int(row["cost"])


needs_fast_downward = pytest.mark.skipif(
    fast_downward.folder() is None, reason="up-fast-downward is not installed"
)


@needs_fast_downward
@pytest.mark.parametrize(
    "files",
    files_named(
        "blocksworld-p04-s0", "blocksworld-p08-s1", "gold-miner-p04-s0", "gold-miner-p04-s1",
        "matching-blocksworld-p05-s0", "matching-blocksworld-p06-s0", "depot-p1", "elevators-p1",
        "maintenance-adl-p2", "scanalyzer-p1",
    ),
    ids=str,
)  # fmt: skip
def test_fast_downward_agrees(files: Files) -> None:
    theirs = fast_downward.search(*files.paths)
    task = ground(files)
    result = asnets.search(task, "astar", "lm_cut")
    replay(task, result, task.initial_state)
    assert result.cost == theirs.cost


@needs_fast_downward
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    ("name", "size"), [("blocksworld", 7), ("gold-miner", 4), ("matching-blocksworld", 5)]
)
def test_fast_downward_agrees_on_generated_tasks(
    name: str, size: int, seed: int, tmp_path: Path
) -> None:
    problem = tmp_path / "problem.pddl"
    problem.write_text(generators.generate(name, size, seed=seed))
    domain = generators.domain_path(name)
    theirs = fast_downward.search(domain, problem)
    task = asnets.ground(domain, problem)
    result = asnets.search(task, "astar", "lm_cut")
    replay(task, result, task.initial_state)
    assert result.cost == theirs.cost
    assert theirs.plan is not None
    state = task.initial_state  # their plan is one of ours
    for action in theirs.plan:
        ((state, _),) = task.successors(state, action)
    assert state.is_goal


# Conditional effects or axioms, which Fast Downward's LM-cut refuses and its blind search takes.
@needs_fast_downward
@pytest.mark.parametrize(
    "files",
    files_named(
        "airport-adl-adl-p1", "caldera-p1", "citycar-adl-p1", "miconic-fulladl-adl-p1",
        "nurikabe-adl-p1", "openstacks-adl-p1", "philosophers-p1",
    ),
    ids=str,
)  # fmt: skip
def test_conditional_effects_and_axioms(files: Files) -> None:
    assert fast_downward.search(*files.paths).exit_code == 34
    theirs = fast_downward.search(*files.paths, options="astar(blind())")
    assert theirs.exit_code == fast_downward.SOLVED
    task = ground(files)
    for heuristic in ADMISSIBLE:
        result = asnets.search(task, "astar", heuristic)
        replay(task, result, task.initial_state)
        assert result.cost == theirs.cost


@pytest.mark.parametrize("heuristic", asnets.HEURISTICS)
@pytest.mark.parametrize("search", asnets.SEARCHES)
@pytest.mark.parametrize("name", generators.names())
def test_own_domains(name: str, search: str, heuristic: str) -> None:
    """On the all-outcomes determinisations, against blind search."""
    task = generated(name, 3, seed=1).determinise("all_outcomes")
    result = asnets.search(task, search, heuristic)
    replay(task, result, task.initial_state)
    optimal = blind_cost(task, task.initial_state)
    assert optimal is not None
    assert result.cost is not None
    assert result.cost >= optimal
    if search == "astar" and heuristic in ADMISSIBLE:
        assert result.cost == optimal


@given(random_tasks.tasks())
def test_random_tasks(text: str) -> None:
    task = asnets.ground_text(text)
    start = task.initial_state
    optimal = blind_cost(task, start)
    for search in asnets.SEARCHES:
        for heuristic in asnets.HEURISTICS:
            result = asnets.search(task, search, heuristic)
            if optimal is None:
                assert (result.status, result.plan, result.cost) == ("unsolvable", None, None)
                continue
            replay(task, result, start)
            assert result.cost is not None
            if search == "astar" and heuristic in ADMISSIBLE:
                assert result.cost == pytest.approx(optimal)
            else:
                assert result.cost >= optimal - 1e-9


@given(random_tasks.tasks(probabilistic=True))
def test_random_determinisations(text: str) -> None:
    """From every initial state of a probabilistic task."""
    task = asnets.ground_text(text).determinise("all_outcomes")
    for start, _ in task.initial_states:
        optimal = blind_cost(task, start)
        for heuristic in ADMISSIBLE:
            result = asnets.search(task, "astar", heuristic, state=start)
            if optimal is None:
                assert result.status == "unsolvable"
            else:
                replay(task, result, start)
                assert result.cost == pytest.approx(optimal)


@pytest.mark.parametrize(("search", "heuristic"), VARIANTS)
def test_goal_at_the_start(search: str, heuristic: str) -> None:
    task = asnets.ground_text(
        "(define (domain d) (:predicates (p) (q)) (:action a :effect (q)))",
        "(define (problem x) (:domain d) (:init (p)) (:goal (p)))",
    )
    result = asnets.search(task, search, heuristic)
    assert (result.status, result.plan, result.cost) == ("solved", (), 0)
    assert result.statistics.expansions == 0


@pytest.mark.parametrize(("search", "heuristic"), VARIANTS)
def test_unsolvable(search: str, heuristic: str) -> None:
    """The delete relaxation has a plan, so that only search can tell."""
    task = asnets.ground_text(
        """(define (domain d) (:predicates (key) (one) (two))
             (:action first :precondition (key) :effect (and (one) (not (key))))
             (:action second :precondition (key) :effect (and (two) (not (key)))))""",
        "(define (problem x) (:domain d) (:init (key)) (:goal (and (one) (two))))",
    )
    assert asnets.Heuristic(task, heuristic)(task.initial_state) < math.inf
    result = asnets.search(task, search, heuristic)
    assert (result.status, result.plan, result.cost) == ("unsolvable", None, None)
    assert result.statistics.expansions >= 1


# Two ways of three free steps to the same place; only one of them has a cheap last step.
FREE = """(define (domain free) (:requirements :adl :action-costs)
  (:predicates (at ?x) (next ?x ?y) (done)) (:functions (total-cost))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
    :effect (and (not (at ?x)) (at ?y) (increase (total-cost) 0)))
  (:action dear :parameters (?x) :precondition (at ?x)
    :effect (and (done) (increase (total-cost) 9)))
  (:action cheap :precondition (at d) :effect (and (done) (increase (total-cost) 2))))"""


@pytest.mark.parametrize(("search", "heuristic"), VARIANTS)
def test_free_actions(search: str, heuristic: str) -> None:
    task = asnets.ground_text(
        FREE.replace("(:predicates", "(:constants a b c d) (:predicates"),
        """(define (problem p) (:domain free) (:init (at a) (next a b) (next b a) (next b c)
             (next c b) (next c d)) (:goal (done)) (:metric minimize (total-cost)))""",
    )
    result = asnets.search(task, search, heuristic)
    replay(task, result, task.initial_state)
    assert result.cost in (2, 9)
    if search == "astar":
        assert result.cost == 2


# The direct way to c is dearer than the one through a, but h_add counts the step from a to c three
# times there: c is expanded first with cost 3, and again with cost 2. That happens before a goal is
# found, because h_add overlooks that `one` uses up the fuel.
REOPEN = """(define (domain reopen) (:requirements :strips :action-costs)
  (:predicates (s) (a) (c) (fuel) (one) (two) (three)) (:functions (total-cost))
  (:action s-to-a :precondition (s) :effect (and (not (s)) (a) (increase (total-cost) 1)))
  (:action a-to-c :precondition (a) :effect (and (not (a)) (c) (increase (total-cost) 1)))
  (:action s-to-c :precondition (s) :effect (and (not (s)) (c) (increase (total-cost) 3)))
  (:action one :precondition (c) :effect (and (one) (not (fuel)) (increase (total-cost) 1)))
  (:action two :precondition (c) :effect (and (two) (increase (total-cost) 1)))
  (:action three :precondition (c) :effect (and (three) (increase (total-cost) 1)))
  (:action refuel :effect (and (fuel) (increase (total-cost) 5))))
  (define (problem p) (:domain reopen) (:init (s) (fuel))
    (:goal (and (one) (two) (three) (fuel))) (:metric minimize (total-cost)))"""


def test_reopens() -> None:
    task = asnets.ground_text(REOPEN)
    h_add = asnets.Heuristic(task, "h_add")
    assert h_add(task.state(["a", "fuel"])) == 6
    assert h_add(task.state(["c", "fuel"])) == 3
    result = asnets.search(task, "astar", "h_add")
    replay(task, result, task.initial_state)
    assert result.cost == 1 + 1 + 3 + 5
    assert result.statistics.reopened >= 1
    assert result.statistics.expansions > result.statistics.reopened
    assert asnets.search(task, "greedy", "h_add").statistics.reopened == 0


@pytest.mark.parametrize("files", files_named("pegsol-p2"), ids=str)
def test_reopens_with_an_inconsistent_admissible_heuristic(files: Files) -> None:
    task = ground(files)
    result = asnets.search(task, "astar", "lm_cut_incremental")
    assert result.statistics.reopened > 0
    (cost,) = [int(row["cost"]) for row in ROWS if row["task"] == str(files)]
    assert result.cost == cost == asnets.search(task, "astar", "h_max").cost


def test_from_any_state() -> None:
    task = generated("blocksworld", 4)
    state = task.initial_state
    for action in asnets.search(task).plan or ():
        ((state, _),) = task.successors(state, action)
        result = asnets.search(task, state=state)
        replay(task, result, state)
        assert result.cost == blind_cost(task, state)


def test_several_initial_states() -> None:
    task = asnets.ground_text(
        """(define (domain d) (:requirements :probabilistic-effects) (:predicates (p) (q))
             (:action a :effect (p)))""",
        "(define (problem x) (:domain d) (:init (probabilistic 1/2 (q))) (:goal (p)))",
    )
    with pytest.raises(ValueError, match="several initial states"):
        asnets.search(task)
    for state, _ in task.initial_states:
        assert asnets.search(task, state=state).cost == 1


def test_mistakes() -> None:
    task = asnets.ground_text(REOPEN)
    with pytest.raises(ValueError, match="known are astar, greedy"):
        asnets.search(task, "a*")
    with pytest.raises(ValueError, match="known are h_add, h_ff, h_max, lm_cut"):
        asnets.search(task, "astar", "lmcut")
    with pytest.raises(ValueError, match="another task"):
        asnets.search(task, state=asnets.ground_text(REOPEN).initial_state)
    with pytest.raises(ValueError, match="needs a deterministic task"):
        asnets.search(generated("triangle-tireworld", 1))


def test_costs_near_the_largest_integer() -> None:
    """1,500 steps of 2,000,000 are more than 32 bits hold."""
    steps = 1500
    facts = " ".join(f"(p{i})" for i in range(steps + 1))
    actions = "".join(
        f"(:action a{i} :precondition (p{i}) :effect (and (p{i + 1})"
        " (increase (total-cost) 2000000)))"
        for i in range(steps)
    )
    task = asnets.ground_text(
        f"(define (domain d) (:requirements :action-costs) (:predicates {facts})"
        f" (:functions (total-cost)) {actions})",
        f"(define (problem p) (:domain d) (:init (p0)) (:goal (p{steps}))"
        " (:metric minimize (total-cost)))",
    )
    for heuristic in ADMISSIBLE:
        assert asnets.search(task, "astar", heuristic).cost == 2_000_000 * steps
