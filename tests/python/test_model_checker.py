"""Values, policies and executions of the SSP solvers against the model checker Storm."""

import math

import pytest
from hypothesis import given, settings

import asnets
from asnets import generators
from oracles import model_checker, random_tasks, value_iteration

pytestmark = pytest.mark.skipif(not model_checker.available, reason="stormpy is not installed")

PENALTY = 500
SUCCESS = 'P=? [F "goal"]'
COST = 'R{"cost"}=? [F ("goal" | "given_up")]'
BEST_SUCCESS = 'Pmax=? [F "goal"]'
BEST_COST = 'R{"cost"}min=? [F "goal"]'
BEST_CAPPED_COST = 'R{"cost"}min=? [F ("goal" | "given_up")]'

SOLVERS = [("lrtdp", "lm_cut"), ("ssipp", "lm_cut"), ("value_iteration", "lm_cut")]
NAMES = [solver for solver, _ in SOLVERS]

TASKS = [
    ("cosanostra-pizza", 2, 0),
    ("exploding-blocksworld", 3, 1),
    ("exploding-blocksworld", 4, 0),
    ("exploding-blocksworld", 4, 1),
    ("probabilistic-blocksworld", 3, 1),
    ("probabilistic-blocksworld", 4, 0),
    ("triangle-tireworld", 1, 0),
    ("triangle-tireworld", 2, 0),
    ("unreliable-robot", 4, 0),
]

# The gamble may lose all; the slow way comes to the goal in the end; waiting never helps.
GAMBLE = """(define (domain gamble) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (lost) (done)) (:functions (total-cost))
  (:action gamble :precondition (not (lost)) :effect (and (increase (total-cost) 1)
    (probabilistic 3/5 (done) 1/5 (lost))))
  (:action crawl :precondition (not (lost)) :effect (and (increase (total-cost) CRAWL)
    (probabilistic 1/4 (done))))
  (:action wait :effect (increase (total-cost) 1)))
  (define (problem p) (:domain gamble) (:init) (:goal (done)) (:metric minimize (total-cost)))"""


def task_of(name: str, size: int, seed: int) -> asnets.Task:
    return asnets.ground_text(
        generators.domain_text(name), generators.generate(name, size, seed=seed)
    )


def solved(task: asnets.Task, solver: str, heuristic: str, epsilon: float = 1e-4) -> asnets.Solver:
    result = asnets.Solver(task, solver, heuristic, epsilon=epsilon, dead_end=PENALTY)
    assert result.solve() == "solved"
    return result


def test_the_oracles_themselves() -> None:
    """Gambling once and again costs (1 + 500/5) / (4/5) = 126.25, crawling 4 * CRAWL."""
    for crawl, cost, success in [(30, 120, 1), (32, 126.25, 3 / 4)]:
        task = asnets.ground_text(GAMBLE.replace("CRAWL", str(crawl)))
        mdp = value_iteration.explore(task)
        capped = model_checker.all_policies(mdp, PENALTY)
        assert capped.check(BEST_CAPPED_COST) == pytest.approx(cost)
        free = model_checker.all_policies(mdp)
        assert free.check(BEST_SUCCESS) == pytest.approx(1)
        assert free.check(BEST_COST) == pytest.approx(4 * crawl)
        chosen = task.action("crawl" if success == 1 else "gamble")
        chain = model_checker.under_policy(
            mdp, lambda s, a=chosen: None if "(lost)" in s else a, PENALTY
        )
        assert chain.check(COST) == pytest.approx(cost)
        assert chain.check(SUCCESS) == pytest.approx(success)
        values = value_iteration.values(mdp, PENALTY)
        assert value_iteration.expected_cost(mdp, values) == pytest.approx(cost)


def check_policy(
    task: asnets.Task, mdp: value_iteration.Mdp, solver: asnets.Solver, best: float
) -> float:
    """The policy costs what the solver says, which is the least; gives its success probability."""
    reached = {state for state, _ in task.initial_states}
    queue = list(reached)
    for state in queue:  # grows meanwhile
        action = solver.action(state)
        for successor, _ in task.successors(state, action) if action else []:
            if successor not in reached:
                reached.add(successor)
                queue.append(successor)
    # Elsewhere the solver may not know what to do.
    policy = model_checker.under_policy(
        mdp, lambda state: solver.action(state) if state in reached else None, PENALTY
    )
    cost = policy.check(COST)
    assert solver.value() == pytest.approx(cost, rel=1e-3, abs=1e-6)
    assert cost == pytest.approx(best, rel=1e-3, abs=1e-6)
    return policy.check(SUCCESS)


@pytest.mark.parametrize(("solver", "heuristic"), SOLVERS, ids=NAMES)
@pytest.mark.parametrize(("name", "size", "seed"), TASKS)
def test_policies(name: str, size: int, seed: int, solver: str, heuristic: str) -> None:
    task = task_of(name, size, seed)
    mdp = value_iteration.explore(task)
    best = model_checker.all_policies(mdp, PENALTY).check(BEST_CAPPED_COST)
    found = solved(task, solver, heuristic)
    success = check_policy(task, mdp, found, best)
    free = model_checker.all_policies(mdp)
    assert success <= free.check(BEST_SUCCESS) + 1e-6
    cost = free.check(BEST_COST)
    if cost < PENALTY:
        # The goal can be reached for sure, and without dead ends that is the cheapest.
        assert found.value() <= cost * (1 + 1e-3)
    runs = 300
    successes = sum(found.execute(s, max_steps=10_000).reached_goal for s in range(runs))
    low, high = binomial_interval(runs, success)
    assert low <= successes <= high


@pytest.mark.parametrize("name", ["triangle-tireworld", "probabilistic-blocksworld"])
@pytest.mark.parametrize("seed", [0, 1])
def test_least_cost_to_the_goal(name: str, seed: int) -> None:
    """Where the goal can be reached for sure and cheaply, giving up is not part of the optimum."""
    task = task_of(name, 2, seed)
    mdp = value_iteration.explore(task)
    model = model_checker.all_policies(mdp)
    assert model.check(BEST_SUCCESS) == pytest.approx(1)
    values = value_iteration.values(mdp)
    assert value_iteration.expected_cost(mdp, values) == pytest.approx(
        model.check(BEST_COST), rel=1e-5
    )


@settings(max_examples=60)
@given(random_tasks.tasks(probabilistic=True, free=False))
def test_random_tasks(text: str) -> None:
    task = asnets.ground_text(text)
    mdp = value_iteration.explore(task)
    best = model_checker.all_policies(mdp, PENALTY).check(BEST_CAPPED_COST)
    for solver, heuristic in SOLVERS:
        check_policy(task, mdp, solved(task, solver, heuristic, 1e-7), best)


@settings(max_examples=60)
@given(random_tasks.tasks(probabilistic=True))
def test_free_actions(text: str) -> None:
    task = asnets.ground_text(text)
    mdp = value_iteration.explore(task)
    best = model_checker.all_policies(mdp, PENALTY).check(BEST_CAPPED_COST)
    found = solved(task, "value_iteration", "lm_cut", 1e-9)
    assert found.value() == pytest.approx(best, rel=1e-4, abs=1e-5)


def binomial_interval(runs: int, chance: float, outside: float = 1e-4) -> tuple[int, int]:
    """The fewest and most successes, each tail beyond them having half of `outside`."""
    weights = [
        math.comb(runs, k) * chance**k * (1 - min(chance, 1)) ** (runs - k) for k in range(runs + 1)
    ]
    low, tail = 0, weights[0]
    while tail < outside / 2:
        low += 1
        tail += weights[low]
    high, tail = runs, weights[runs]
    while tail < outside / 2:
        high -= 1
        tail += weights[high]
    return low, high


def test_binomial_interval() -> None:
    assert binomial_interval(10, 1.0) == (10, 10)
    assert binomial_interval(10, 0.0) == (0, 0)
    assert binomial_interval(2, 0.5, outside=0.6) == (1, 1)
    low, high = binomial_interval(300, 0.6)
    assert low < 180 < high
    assert 180 - low == pytest.approx(3.9 * math.sqrt(300 * 0.6 * 0.4), abs=2)
