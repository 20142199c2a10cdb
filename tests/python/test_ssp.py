"""SSP solvers against a slow value iteration, published values and hand-computed ones."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import asnets
from asnets import generators
from oracles import random_tasks, value_iteration
from oracles.corpus import OWN, PROBABILISTIC, PUBLISHED, Files
from tasks import generated

# All that start from an admissible estimate, and the one that needs none.
SOLVERS = [
    (solver, heuristic)
    for solver in asnets.SOLVERS
    for heuristic in (["lm_cut"] if solver == "value_iteration" else ["lm_cut", "h_max"])
]
NAMES = [":".join(each) for each in SOLVERS]

# All probabilistic ones that have at most 20,000 states.
FILES = [
    files
    for files in [
        *OWN,
        *PROBABILISTIC,
        *(Files(f.parents[1] / "domain.pddl", f) for f in sorted(PUBLISHED.glob("*/train/*.pddl"))),
    ]
    if re.fullmatch(
        r"(cosanostra|unreliable-robot|triangle-tire).*-[np]?0?[1-4](-s.)?"
        r"|prob.*-p0[56]-s.|prob.*_n[56]_es."
        r"|(bus-fare|ippc08-blocksworld|ippc08-rectangle-tireworld|river|tire)-p.",
        str(files),
    )
]


def solved(task: asnets.Task, solver: str, heuristic: str, epsilon: float = 1e-4) -> asnets.Solver:
    result = asnets.Solver(task, solver, heuristic, epsilon=epsilon)
    assert result.solve() == "solved"
    assert all(result.is_solved(state) for state, _ in task.initial_states)
    return result


def agree(task: asnets.Task, epsilon: float = 1e-4) -> None:
    """All solvers give the oracle's value, and their policies are optimal where they lead."""
    mdp = value_iteration.explore(task)
    values = value_iteration.values(mdp)
    expected = value_iteration.expected_cost(mdp, values)
    for solver, heuristic in SOLVERS:
        found = solved(task, solver, heuristic, epsilon)
        assert found.value() == pytest.approx(expected, rel=1e-3, abs=1e-6), (solver, heuristic)
        reached = [state for state, _ in task.initial_states]
        seen = set(reached)
        for state in reached:  # grows meanwhile
            assert found.is_solved(state)
            value = values[mdp.number[state]]
            assert found.value(state) == pytest.approx(value, rel=1e-3, abs=1e-6)
            action = found.action(state)
            if action is None:
                assert value == pytest.approx(0 if state.is_goal else 500)
                continue
            successors = task.successors(state, action)
            cost = action.cost + sum(p * values[mdp.number[s]] for s, p in successors)
            assert cost == pytest.approx(value, rel=1e-3, abs=1e-6)
            reached += [s for s, _ in successors if s not in seen]
            seen.update(s for s, _ in successors)


SMALL = {
    "cosanostra-pizza": [1, 2, 3],
    "exploding-blocksworld": [2, 3, 4],
    "probabilistic-blocksworld": [2, 3, 4, 5],
    "triangle-tireworld": [1, 2],
    "unreliable-robot": [1, 3, 5],
}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("name", "size"), [(n, s) for n in SMALL for s in SMALL[n]])
def test_own_domains(name: str, size: int, seed: int) -> None:
    agree(generated(name, size, seed))


def test_every_probabilistic_domain_is_compared() -> None:
    smallest = {name: generated(name, 4) for name in generators.names()}
    assert {name for name, task in smallest.items() if not task.is_deterministic} == set(SMALL)


@pytest.mark.parametrize("files", FILES, ids=str)
def test_files(files: Files) -> None:
    agree(asnets.ground(*files.paths))


@given(random_tasks.tasks(probabilistic=True, free=False))
def test_random_tasks(text: str) -> None:
    agree(asnets.ground_text(text), epsilon=1e-7)


@given(random_tasks.tasks(probabilistic=True), st.sampled_from([3.0, 20.0, 500.0]))
def test_random_tasks_with_free_actions(text: str, penalty: float) -> None:
    task = asnets.ground_text(text)
    mdp = value_iteration.explore(task)
    values = value_iteration.values(mdp, penalty)
    solver = asnets.Solver(task, "value_iteration", epsilon=1e-9, dead_end=penalty)
    assert solver.solve() == "solved"
    for state, value in zip(mdp.states, values):
        assert solver.value(state) == pytest.approx(value, rel=1e-6, abs=1e-6)


# In some states two actions cost the same, one of them by values of successors that are too low
# still because nobody needs them.
TIES = """(define (domain ties) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (p0) (p1) (p2) (p3) (p4)) (:functions (total-cost))
  (:action act0 :precondition (p2)
    :effect (and (probabilistic 1/2 (p0)) (not (p0)) (increase (total-cost) 1)))
  (:action act1 :effect (and (probabilistic 1/3 (p1)) (not (p0)) (increase (total-cost) 2)))
  (:action act2 :effect (and (p2) (not (p0)) (increase (total-cost) 1)))
  (:action act3 :precondition (and (p0) (p1))
    :effect (and (p3) (when (not (p1)) (not (p2))) (increase (total-cost) 1)))
  (:action act4 :effect (and (probabilistic 1/3 (p4)) (not (p0)) (increase (total-cost) 1)))
  (:action act5 :precondition (and (p1) (p2)) :effect (and (not (p2)) (increase (total-cost) 1)))
  (:action act6 :effect (and (p1) (p2) (not (p4)) (increase (total-cost) 2))))
  (define (problem p) (:domain ties) (:init (probabilistic 1/3 (p1)))
    (:goal (and (p4) (p3) (not (p2)))) (:metric minimize (total-cost)))"""


@pytest.mark.parametrize(("solver", "heuristic"), SOLVERS, ids=NAMES)
def test_policies_lead_to_solved_states(solver: str, heuristic: str) -> None:
    task = asnets.ground_text(TIES)
    for seed in range(30):
        found = asnets.Solver(task, solver, heuristic, seed=seed)
        assert found.solve() == "solved"
        reached = [state for state, _ in task.initial_states]
        seen = set(reached)
        for state in reached:  # grows meanwhile
            assert found.is_solved(state)
            action = found.action(state)
            successors = {s for s, _ in task.successors(state, action)} if action else set()
            reached += successors - seen
            seen |= successors


# Expected cost of an optimal policy, unit costs, dead end 500, by another solver.
PUBLISHED_VALUES = {
    "triangle-tire-1": 5.5,
    "triangle-tire-2": 11.5,
    "triangle-tire-3": 17.5,
    "cosanostra-n1": 7,
    "cosanostra-n2": 10,
    "cosanostra-n3": 13,
    "cosanostra-n4": 16,
    "cosanostra-n5": 19,
    "prob_bw_n5_es1": 17.694,
    "prob_bw_n5_es2": 14.583,
    "prob_bw_n5_es3": 12.833,
    "ex-bw-train-n05-s00": 8,
    "ex-bw-train-n05-s02": 8,
    "ex-bw-train-n05-s03": 8,
    "ex-bw-train-n05-s05": 8,
    "ex-bw-train-n05-s06": 8,
    "ex-bw-train-n05-s07": 28.0,
    "ex-bw-train-n05-s09": 61,
    "ex-bw-train-n06-s01": 82.24,
    "ex-bw-train-n07-s00": 10,
}


@pytest.mark.parametrize(("solver", "heuristic"), SOLVERS, ids=NAMES)
@pytest.mark.parametrize("name", PUBLISHED_VALUES)
def test_published_values(name: str, solver: str, heuristic: str, shared: Path) -> None:
    (file,) = PUBLISHED.glob(f"*/train/{name}*.pddl")
    task = asnets.ground(file.parents[1] / "domain.pddl", file)
    found = asnets.Solver(task, solver, heuristic)
    limit = 200_000 if solver == "value_iteration" else None
    if found.solve(max_expansions=limit) == "out of expansions":
        pytest.skip("too many states")
    assert found.value() == pytest.approx(PUBLISHED_VALUES[name], rel=1e-3)


# A coin that shows heads with a chance of 1/10; stepping over it costs 7.
COIN = """(define (domain coin) (:requirements :probabilistic-effects :action-costs)
  (:predicates (done)) (:functions (total-cost))
  (:action toss :effect (and (probabilistic 1/10 (done)) (increase (total-cost) 0.5)))
  (:action step :effect (and (done) (increase (total-cost) 7))))
  (define (problem one) (:domain coin) (:init) (:goal (done)) (:metric minimize (total-cost)))"""


@pytest.mark.parametrize(("solver", "heuristic"), SOLVERS, ids=NAMES)
def test_smaller_epsilon_is_closer(solver: str, heuristic: str) -> None:
    """Tossing costs 0.5 / (1/10) = 5 in expectation."""
    task = asnets.ground_text(COIN)
    errors = [
        abs(solved(task, solver, heuristic, epsilon).value() - 5) for epsilon in (1e-2, 1e-4, 1e-8)
    ]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-6


@pytest.mark.parametrize(("solver", "heuristic"), SOLVERS, ids=NAMES)
def test_dead_end_penalty(solver: str, heuristic: str) -> None:
    """A gamble that succeeds with a chance of 3/4, or a sure way that costs 40."""
    task = asnets.ground_text(
        """(define (domain d) (:requirements :probabilistic-effects :action-costs :adl)
             (:predicates (done) (lost)) (:functions (total-cost))
             (:action gamble :precondition (not (lost)) :effect (and (increase (total-cost) 2)
               (probabilistic 3/4 (done) 1/4 (lost))))
             (:action walk :precondition (not (lost)) :effect (and (done)
               (increase (total-cost) 40)))
             (:action wait :effect (and (increase (total-cost) 1))))""",
        "(define (problem p) (:domain d) (:init) (:goal (done)) (:metric minimize (total-cost)))",
    )
    lost = task.state(["lost"])
    for penalty, value, choice in [(500, 40, "walk"), (100, 27, "gamble"), (1.5, 1.5, None)]:
        found = asnets.Solver(task, solver, heuristic, dead_end=penalty)
        assert found.solve() == "solved"
        assert found.value() == pytest.approx(value)
        action = found.action(task.initial_state)
        assert (action.name if action else None) == choice
        assert found.solve(lost) == "solved"
        assert (found.value(lost), found.action(lost)) == (penalty, None)
        expected = {
            "gamble": min(penalty, 2 + penalty / 4),
            "wait": min(penalty, 1 + value),
            "walk": min(penalty, 40),
        }
        q_values = {a.name: q for a, q in found.q_values(task.initial_state).items()}
        assert q_values == pytest.approx(expected)
    done = task.state(["done"])
    assert (found.value(done), found.action(done), found.q_values(done)) == (0, None, {})


@pytest.mark.parametrize(("solver", "heuristic"), SOLVERS, ids=NAMES)
def test_several_initial_states(solver: str, heuristic: str) -> None:
    """With a chance of 1/4 each step costs two more actions."""
    task = asnets.ground_text(
        """(define (domain d) (:requirements :probabilistic-effects :adl)
             (:predicates (far) (near) (done))
             (:action come :precondition (far) :effect (and (not (far)) (near)))
             (:action rest :precondition (near) :effect (and (not (near))))
             (:action finish :precondition (and (not (far)) (not (near))) :effect (done)))""",
        """(define (problem p) (:domain d) (:init (probabilistic 1/4 (far) 1/2 (near)))
             (:goal (done)))""",
    )
    found = solved(task, solver, heuristic)
    assert found.value() == pytest.approx(1 / 4 * 3 + 1 / 2 * 2 + 1 / 4 * 1)
    lengths = [len(found.execute(seed)) for seed in range(200)]
    assert set(lengths) == {1, 2, 3}
    # Five standard deviations of a mean of 200.
    assert sum(lengths) / 200 == pytest.approx(2, abs=5 * (0.5 / 200) ** 0.5)


CIRCLE = """(define (domain circle) (:requirements :probabilistic-effects :action-costs :adl)
  (:predicates (a) (b) (done)) (:functions (total-cost))
  (:action there :precondition (a) :effect (and (not (a)) (b)))
  (:action back :precondition (b) :effect (and (not (b)) (a)))
  (:action leave :precondition (b)
    :effect (and (increase (total-cost) 3) (probabilistic 1/2 (done)))))
  (define (problem p) (:domain circle) (:init (a)) (:goal (done)) (:metric minimize (total-cost)))"""


def test_free_circle() -> None:
    task = asnets.ground_text(CIRCLE)
    found = asnets.Solver(task, "value_iteration", epsilon=1e-9)
    assert found.solve() == "solved"
    assert found.value() == pytest.approx(6)
    at_b = task.state(["b"])
    assert {a.name: q for a, q in found.q_values(at_b).items()} == pytest.approx(
        {"back": 6, "leave": 6}
    )


@pytest.mark.parametrize("solver", ["lrtdp", "ssipp"])
def test_free_actions_are_refused(solver: str) -> None:
    with pytest.raises(ValueError, match=r"\(back\) is free; value_iteration takes such tasks"):
        asnets.Solver(asnets.ground_text(CIRCLE), solver, "h_max")


@pytest.mark.parametrize(("solver", "heuristic"), SOLVERS, ids=NAMES)
def test_deterministic_tasks(solver: str, heuristic: str) -> None:
    """The value is the cheapest plan's cost, and the policy is such a plan."""
    task = generated("blocksworld", 4, 1)
    cost = asnets.search(task).cost
    found = solved(task, solver, heuristic)
    trajectory = found.execute()
    assert found.value() == trajectory.cost == len(trajectory) == cost
    assert trajectory.reached_goal
    assert trajectory.states[0] == task.initial_state
    for state, action, after in zip(trajectory.states, trajectory.actions, trajectory.states[1:]):
        assert task.successors(state, action) == [(after, 1.0)]


@pytest.mark.parametrize(("solver", "heuristic"), SOLVERS, ids=NAMES)
def test_executions(solver: str, heuristic: str) -> None:
    """An execution follows the policy through possible successors; same seed, same execution."""
    task = generated("exploding-blocksworld", 4)
    found = solved(task, solver, heuristic)
    different = set()
    for seed in range(20):
        run, again = found.execute(seed), found.execute(seed)
        assert (run.actions, run.states) == (again.actions, again.states)
        assert run.cost == sum(action.cost for action in run.actions)
        assert run.reached_goal == run.states[-1].is_goal
        for state, action, after in zip(run.states, run.actions, run.states[1:]):
            assert action == found.action(state)
            assert after in [successor for successor, _ in task.successors(state, action)]
        assert run.reached_goal or found.action(run.states[-1]) is None
        different.add(run.states)
    assert len(different) > 1
    assert len(found.execute(max_steps=1)) == 1
    assert len(found.execute(max_steps=0)) == 0


def test_execution_plans_on_its_way() -> None:
    """Nothing was solved before; the run solves what it meets."""
    task = generated("triangle-tireworld", 2)
    solver = asnets.Solver(task)
    assert not solver.is_solved(task.initial_state)
    run = solver.execute()
    assert run.reached_goal
    assert all(solver.is_solved(state) for state in run.states)
    assert solver.value() == pytest.approx(11.5)


def test_same_seed_same_result() -> None:
    task = generated("probabilistic-blocksworld", 5, 1)

    def run(seed: int) -> tuple[float, int]:
        solver = asnets.Solver(task, "lrtdp", "h_max", seed=seed)
        solver.solve()
        return solver.value(), solver.statistics.expansions

    assert run(1) == run(1)
    assert len({run(seed) for seed in range(5)}) > 1


def test_depth_of_ssipp() -> None:
    task = generated("triangle-tireworld", 2)
    expansions = set()
    for depth in (1, 3, 100):
        solver = asnets.Solver(task, "ssipp", "h_max", depth=depth)
        assert solver.solve() == "solved"
        assert solver.value() == pytest.approx(11.5)
        expansions.add(solver.statistics.expansions)
    assert len(expansions) > 1


def test_mistakes() -> None:
    task = asnets.ground_text(COIN)
    with pytest.raises(ValueError, match="known are lrtdp, ssipp, value_iteration"):
        asnets.Solver(task, "lao")
    with pytest.raises(ValueError, match="known are h_add, h_ff, h_max, lm_cut"):
        asnets.Solver(task, "lrtdp", "lmcut")
    for wrong in ({"epsilon": 0}, {"dead_end": 0}, {"dead_end": float("nan")}, {"depth": 0}):
        with pytest.raises(ValueError, match="must be positive"):
            asnets.Solver(task, **wrong)
    solver = asnets.Solver(task)
    other = asnets.ground_text(COIN).initial_state
    for use in (solver.solve, solver.value, solver.q_values, solver.action, solver.is_solved):
        with pytest.raises(ValueError, match="another task"):
            use(other)
