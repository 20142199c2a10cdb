"""Teachers: their labels against slow oracles, what they remember, limits, threads, processes."""

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import asnets
from asnets import generators
from oracles import random_tasks, value_iteration
from oracles.optimal import cheapest_plan

PLANNERS = [name for name in asnets.TEACHERS if name.split(":")[0] in asnets.SEARCHES]
SOLVERS = [name for name in asnets.TEACHERS if name.split(":")[0] in asnets.SOLVERS]
# Their labels are optimal: admissible heuristics in searches that need them.
OPTIMAL = [
    name
    for name in asnets.TEACHERS
    if name.endswith((":h_max", ":lm_cut", "value_iteration")) and not name.startswith("greedy")
]
OPTIMAL_PLANNERS = [name for name in OPTIMAL if name in PLANNERS]
OPTIMAL_SOLVERS = [name for name in OPTIMAL if name in SOLVERS]

# A door shuts behind who goes without the key; with it, the way costs one more.
DOOR = """(define (domain door) (:requirements :strips :action-costs)
  (:predicates (home) (key) (in) (lost) (done)) (:functions (total-cost))
  (:action take :precondition (home) :effect (and (key) (increase (total-cost) 1)))
  (:action enter :precondition (and (home) (key))
    :effect (and (not (home)) (in) (increase (total-cost) STEP)))
  (:action slip :precondition (home)
    :effect (and (not (home)) (lost) (increase (total-cost) 1)))
  (:action finish :precondition (in) :effect (and (done) (increase (total-cost) STEP)))
  (:action wander :precondition (lost) :effect (and (key) (increase (total-cost) 1))))
  (define (problem p) (:domain door) (:init (home)) (:goal (done)) (:metric minimize (total-cost)))"""
EASY = DOOR.replace("STEP", "2")
FAR = DOOR.replace("STEP", "400")

# Out of reach within the limits of these tests.
ENDLESS = {True: ("blocksworld", 30), False: ("triangle-tireworld", 15)}


def generated(name: str, size: int, seed: int = 0) -> asnets.Task:
    return asnets.ground_text(
        generators.domain_text(name), generators.generate(name, size, seed=seed)
    )


def endless(teacher: str) -> asnets.Task:
    return generated(*ENDLESS[teacher in PLANNERS])


def small(teacher: str) -> asnets.Task:
    """A task of the kind that the teacher is for."""
    return (
        generated("blocksworld", 4, 1)
        if teacher in PLANNERS
        else generated("triangle-tireworld", 2)
    )


def named(q_values: dict[asnets.Action, float] | None) -> dict[str, float]:
    assert q_values is not None
    return {action.name: value for action, value in q_values.items()}


def cost_from(task: asnets.Task, state: asnets.State) -> float | None:
    plan = cheapest_plan(task, state)
    return None if plan is None else sum(action.cost for action in plan)


def walk(task: asnets.Task, steps: int, seed: int = 0) -> list[asnets.State]:
    """States of a random walk, its goals included."""
    rng = asnets.Rng(seed)
    states = [task.initial_states[0][0]]
    while len(states) <= steps and states[-1].applicable():
        applicable = states[-1].applicable()
        action = applicable[int(rng.random() * len(applicable))]
        states.append(task.sample(states[-1], action, rng))
    return states


def check_optimal_plans(teacher: asnets.Teacher, task: asnets.Task, state: asnets.State) -> None:
    """Q(s, a) = cost(a) + the cheapest plan from the successor, 500 at dead ends."""
    expected = {}
    for action in () if state.is_goal else state.applicable():
        ((successor, _),) = task.successors(state, action)
        rest = cost_from(task, successor)
        expected[action] = 500 if rest is None else action.cost + rest
    q_values = teacher.q_values(state)
    assert q_values == pytest.approx(expected)
    assert q_values is not None
    assert list(q_values) == list(expected)  # in the actions' order


@pytest.mark.parametrize("name", OPTIMAL)
@pytest.mark.parametrize(
    ("domain", "size"), [("blocksworld", 4), ("gold-miner", 3), ("matching-blocksworld", 3)]
)
def test_optimal_q_values(domain: str, size: int, name: str) -> None:
    task = generated(domain, size, seed=1)
    teacher = asnets.Teacher(task, name)
    for state in walk(task, 12):
        check_optimal_plans(teacher, task, state)


@settings(max_examples=50)
@given(random_tasks.tasks(free=False), st.randoms(use_true_random=False))
def test_optimal_q_values_on_random_tasks(text: str, random: object) -> None:
    """One teacher answers for all states of a task: what it remembers must be right."""
    task = asnets.ground_text(text)
    states = value_iteration.explore(task).states
    random.shuffle(states)  # type: ignore[attr-defined]
    for name in OPTIMAL:
        teacher = asnets.Teacher(task, name)
        for state in states:
            check_optimal_plans(teacher, task, state)


@given(random_tasks.tasks())
def test_optimal_q_values_with_free_actions(text: str) -> None:
    task = asnets.ground_text(text)
    for name in OPTIMAL_PLANNERS:
        teacher = asnets.Teacher(task, name)
        for state in walk(task, 4):
            check_optimal_plans(teacher, task, state)


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_hand_computed(name: str) -> None:
    task = asnets.ground_text(EASY)
    teacher = asnets.Teacher(task, name)
    start = task.initial_state
    assert named(teacher.q_values(start)) == {"slip": 500, "take": 5}
    ((key, _),) = task.successors(start, "take")
    assert named(teacher.q_values(key)) == {"enter": 4, "slip": 500, "take": 5}
    ((lost, _),) = task.successors(start, "slip")
    assert named(teacher.q_values(lost)) == {"wander": 500}
    assert teacher.q_values(task.state(["done", "in", "key"])) == {}
    # A dead end's rollout is empty, and so is a goal's.
    dead = teacher.rollout(lost)
    assert dead is not None
    assert (dead.actions, dead.states, dead.reached_goal) == ((), (lost,), False)
    done = teacher.rollout(task.state(["done", "in", "key"]))
    assert done is not None
    assert (len(done), done.cost, done.reached_goal) == (0, 0, True)


@pytest.mark.parametrize("name", PLANNERS)
def test_dead_end_is_worse_than_a_long_plan(name: str) -> None:
    """The plan costs 801, more than a dead end does elsewhere."""
    task = asnets.ground_text(FAR)
    q_values = named(asnets.Teacher(task, name).q_values(task.initial_state))
    assert q_values["take"] == 801
    assert q_values["slip"] > q_values["take"]


@pytest.mark.parametrize("name", SOLVERS)
def test_solvers_cap_at_the_penalty(name: str) -> None:
    """The plan costs 801."""
    task = asnets.ground_text(FAR)
    start = task.initial_state
    assert named(asnets.Teacher(task, name).q_values(start)) == {"slip": 500, "take": 500}
    patient = asnets.Teacher(task, name, dead_end=1000)
    assert named(patient.q_values(start)) == {"slip": 1000, "take": 801}


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_dead_end_cost(name: str) -> None:
    task = asnets.ground_text(EASY)
    teacher = asnets.Teacher(task, name, dead_end=70)
    assert named(teacher.q_values(task.initial_state)) == {"slip": 70, "take": 5}


@pytest.mark.parametrize("name", PLANNERS)
@pytest.mark.parametrize("domain", ["blocksworld", "gold-miner", "matching-blocksworld"])
def test_planners_rollouts(domain: str, name: str) -> None:
    """The trajectory is a plan, and the label of its action is what it costs from there."""
    task = generated(domain, 4)
    teacher = asnets.Teacher(task, name)
    run = teacher.rollout(task.initial_state)
    assert run is not None
    assert run.reached_goal
    assert run.states[0] == task.initial_state
    assert run.states[-1].is_goal
    assert run.cost == sum(action.cost for action in run.actions)
    rest = run.cost
    for state, action, after in zip(run.states, run.actions, run.states[1:]):
        assert task.successors(state, action) == [(after, 1)]
        q_values = teacher.q_values(state)
        assert q_values is not None
        assert q_values[action] == rest
        rest -= action.cost
    assert rest == 0
    if name in OPTIMAL:
        assert run.cost == asnets.search(task).cost


PROBABILISTIC = [
    ("cosanostra-pizza", 2),
    ("exploding-blocksworld", 3),
    ("probabilistic-blocksworld", 4),
    ("triangle-tireworld", 2),
    ("unreliable-robot", 3),
]


def check_optimal_policy(
    name: str, task: asnets.Task, states: list[asnets.State], mdp: value_iteration.Mdp
) -> None:
    values = value_iteration.values(mdp)
    teacher = asnets.Teacher(task, name)
    for state in states:
        expected = {
            action: min(500, action.cost + sum(p * values[s] for s, p in successors))
            for action, successors in mdp.choices[mdp.number[state]]
        }
        assert teacher.q_values(state) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("name", OPTIMAL_SOLVERS)
@pytest.mark.parametrize(("domain", "size"), PROBABILISTIC)
def test_optimal_q_values_of_solvers(domain: str, size: int, name: str) -> None:
    task = generated(domain, size, seed=1)
    mdp = value_iteration.explore(task)
    check_optimal_policy(name, task, walk(task, 12), mdp)


@given(random_tasks.tasks(probabilistic=True, free=False))
def test_optimal_q_values_of_solvers_on_random_tasks(text: str) -> None:
    task = asnets.ground_text(text)
    mdp = value_iteration.explore(task)
    for name in OPTIMAL_SOLVERS:
        check_optimal_policy(name, task, mdp.states[:6], mdp)


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_never_better_than_optimal(name: str) -> None:
    """Labels of the other teachers are costs of real plans or policies."""
    task = small(name)
    mdp = value_iteration.explore(task)
    values = value_iteration.values(mdp)
    teacher = asnets.Teacher(task, name)
    for state in walk(task, 10):
        q_values = teacher.q_values(state)
        assert q_values is not None
        for action, successors in mdp.choices[mdp.number[state]]:
            optimal = action.cost + sum(p * values[s] for s, p in successors)
            assert q_values[action] >= min(500, optimal) * (1 - 1e-3)


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_second_call_searches_nothing(name: str) -> None:
    task = small(name)
    teacher = asnets.Teacher(task, name)
    states = walk(task, 8)
    first = [teacher.q_values(state) for state in states]
    before = teacher.statistics
    assert before["searches"] > 0
    assert before["labelled"] == len(set(states))
    assert before["given_up"] == 0
    assert [teacher.q_values(state) for state in states] == first
    assert teacher.statistics == before


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_rollouts_make_known(name: str) -> None:
    """All states of a rollout are known afterwards: rollouts from them search nothing."""
    task = small(name)
    teacher = asnets.Teacher(task, name)
    run = teacher.rollout(task.initial_state)
    assert run is not None
    before = teacher.statistics["searches"]
    assert before > 0
    for i, state in enumerate(run.states):
        again = teacher.rollout(state)
        assert again is not None
        if task.is_deterministic:
            assert again.states == run.states[i:]
    assert teacher.statistics["searches"] == before


@pytest.mark.parametrize("name", PLANNERS)
def test_plan_suffixes_are_known(name: str) -> None:
    """Along a plan only the other successors need searches."""
    task = generated("blocksworld", 4, 1)
    teacher = asnets.Teacher(task, name)
    run = teacher.rollout(task.initial_state)
    assert run is not None
    assert teacher.statistics["searches"] == 1
    last = run.states[-2]
    others = {s for a in last.applicable() for s, _ in task.successors(last, a)} - set(run.states)
    teacher.q_values(last)
    assert teacher.statistics["searches"] <= 1 + len(others)


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_given_up_states_are_remembered(name: str) -> None:
    task = endless(name)
    teacher = asnets.Teacher(task, name, time_limit=1e-9)
    state = task.initial_state
    assert teacher.q_values(state) is None
    # A planner also remembers the successor whose search took all the time.
    given_up = 2 if name in PLANNERS else 1
    assert teacher.statistics["given_up"] == given_up
    searches = teacher.statistics["searches"]
    for _ in range(3):
        assert teacher.q_values(state) is None
    assert teacher.statistics["searches"] == searches
    assert teacher.statistics["given_up"] == given_up
    assert teacher.statistics["labelled"] == 0


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_given_up_rollouts_are_remembered(name: str) -> None:
    task = endless(name)
    teacher = asnets.Teacher(task, name, time_limit=1e-9)
    state = task.initial_state
    assert teacher.rollout(state) is None
    before = teacher.statistics
    assert before["given_up"] == 1
    assert teacher.rollout(state) is None
    assert teacher.statistics == before


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_expansion_limit(name: str) -> None:
    task = endless(name)
    teacher = asnets.Teacher(task, name, time_limit=600, max_expansions=3)
    assert teacher.q_values(task.initial_state) is None
    assert teacher.rollout(task.initial_state) is None
    before = teacher.statistics
    assert teacher.q_values(task.initial_state) is None
    assert teacher.rollout(task.initial_state) is None
    assert teacher.statistics == before


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_expansion_limit_that_suffices(name: str) -> None:
    task = asnets.ground_text(EASY)
    teacher = asnets.Teacher(task, name, max_expansions=100)
    assert teacher.q_values(task.initial_state) == asnets.Teacher(task, name).q_values(
        task.initial_state
    )


def test_defaults() -> None:
    assert asnets.Teacher(generated("blocksworld", 3)).name == "astar:h_add"
    assert asnets.Teacher(generated("triangle-tireworld", 1)).name == "lrtdp:h_add"
    named_ones = {"astar:h_add", "lrtdp:h_add", "lrtdp:lm_cut", "ssipp:lm_cut", "astar:lm_cut"}
    assert named_ones <= set(asnets.TEACHERS)
    for name in asnets.TEACHERS:
        assert asnets.Teacher(generated("blocksworld", 3), name).name == name


def test_mistakes() -> None:
    task = generated("blocksworld", 3)
    with pytest.raises(ValueError, match='unknown teacher "astar"; there are astar:h_add'):
        asnets.Teacher(task, "astar")
    with pytest.raises(ValueError, match="must be positive"):
        asnets.Teacher(task, time_limit=0)
    with pytest.raises(ValueError, match="must be positive"):
        asnets.Teacher(task, dead_end=-1)
    with pytest.raises(ValueError, match="needs a deterministic task"):
        asnets.Teacher(generated("triangle-tireworld", 1), "astar:lm_cut")
    with pytest.raises(ValueError, match=r"\(slip\) is free"):
        asnets.Teacher(
            asnets.ground_text(EASY.replace("total-cost) 1)", "total-cost) 0)")), "ssipp:h_max"
        )
    other = generated("blocksworld", 3).initial_state
    teacher = asnets.Teacher(task)
    with pytest.raises(ValueError, match="another task"):
        teacher.q_values(other)
    with pytest.raises(ValueError, match="another task"):
        teacher.rollout(other)


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_same_seed_same_answers(name: str) -> None:
    task = small(name)

    def run(seed: int) -> tuple[object, ...]:
        teacher = asnets.Teacher(task, name)
        trajectory = teacher.rollout(task.initial_state, seed)
        assert trajectory is not None
        return trajectory.states, trajectory.actions, answers(teacher, task)

    assert run(3) == run(3)
    if not task.is_deterministic:
        assert len({run(seed)[0] for seed in range(10)}) > 1


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_steps_of_a_rollout(name: str) -> None:
    task = small(name)
    teacher = asnets.Teacher(task, name)
    for most in (0, 1, 3):
        run = teacher.rollout(task.initial_state, max_steps=most)
        assert run is not None
        assert len(run) == most
        assert len(run.states) == most + 1
        assert not run.reached_goal


def answers(teacher: asnets.Teacher, task: asnets.Task) -> list[dict[str, float]]:
    """The labels along a random walk."""
    return [named(teacher.q_values(state)) for state in walk(task, 8)]


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_threads(name: str) -> None:
    """Threads with their own teachers of one task, and threads that share a teacher.

    Those that share one ask in the same order, so that who asks first does not matter.
    """
    task = small(name)
    expected = answers(asnets.Teacher(task, name), task)
    shared = asnets.Teacher(task, name)
    with ThreadPoolExecutor(4) as pool:
        own = pool.map(lambda _: answers(asnets.Teacher(task, name), task), range(8))
        same = pool.map(lambda _: answers(shared, task), range(8))
        for each in [*own, *same]:
            assert each == expected


def answers_of(name: str) -> list[dict[str, float]]:
    task = small(name)
    return answers(asnets.Teacher(task, name), task)


def test_processes() -> None:
    names = ["astar:h_add", "lrtdp:h_add", "ssipp:lm_cut"]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as pool:
        for name, found in zip(names, pool.map(answers_of, names)):
            assert found == answers_of(name)


@pytest.mark.parametrize("name", ["astar:lm_cut", "lrtdp:lm_cut"])
def test_other_threads_run_meanwhile(name: str) -> None:
    task = endless(name)
    teacher = asnets.Teacher(task, name, time_limit=0.5)
    results: list[object] = []
    asking = threading.Thread(target=lambda: results.append(teacher.q_values(task.initial_state)))
    asking.start()
    rounds = 0
    while asking.is_alive():
        time.sleep(0.001)
        rounds += 1
    assert results == [None]
    # Were the lock held, this thread would wait for the end of the search in the first rounds.
    assert rounds > 20


@pytest.mark.parametrize("name", ["astar:lm_cut", "lrtdp:lm_cut"])
def test_ctrl_c(name: str) -> None:
    """Ctrl-C is no reason to give a state up."""
    task = endless(name)
    teacher = asnets.Teacher(task, name, time_limit=60)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            teacher.q_values(task.initial_state)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, handler)
    assert teacher.statistics["given_up"] == 0


def test_default_for_probabilistic_tasks_with_free_actions() -> None:
    task = asnets.ground_text(
        """(define (domain d) (:requirements :probabilistic-effects :action-costs)
             (:predicates (a) (b)) (:functions (total-cost))
             (:action look :effect (a))
             (:action try :precondition (a)
               :effect (and (increase (total-cost) 1) (probabilistic 1/4 (b)))))""",
        "(define (problem p) (:domain d) (:init) (:goal (b)) (:metric minimize (total-cost)))",
    )
    teacher = asnets.Teacher(task)
    assert teacher.name == "value_iteration"
    values = teacher.q_values(task.initial_state)
    assert values is not None
    assert {str(a): v for a, v in values.items()} == {"(look)": pytest.approx(4, rel=1e-3)}


def test_every_state_of_a_failed_search_is_a_dead_end() -> None:
    task = asnets.ground_text(
        """(define (domain d) (:predicates (a) (b) (c) (goal))
             (:action one :effect (a)) (:action two :effect (b)) (:action three :effect (c))
             (:action win :precondition (and (a) (b) (c)) :effect (goal))
             (:action lose :effect (and (not (a)) (not (b)) (not (c)))))""",
        "(define (problem p) (:domain d) (:init) (:goal (and (goal) (not (a)) (a))))",
    )
    teacher = asnets.Teacher(task, "astar:h_max")
    values = teacher.q_values(task.initial_state)
    assert values is not None
    assert set(values.values()) == {500}
    assert teacher.statistics["searches"] <= 1


def test_a_search_that_reached_its_limit_is_remembered_for_the_successor() -> None:
    task = asnets.ground_text(
        generators.domain_text("blocksworld"), generators.generate("blocksworld", 30, seed=2)
    )
    teacher = asnets.Teacher(task, "astar:h_max", max_expansions=5)
    start = task.initial_state
    assert teacher.q_values(start) is None
    searches = teacher.statistics["searches"]
    first = task.successors(start, start.applicable()[0])[0][0]
    assert teacher.rollout(first) is None
    assert teacher.statistics["searches"] == searches


@pytest.mark.parametrize("name", ["lrtdp:h_add", "ssipp:h_add"])
def test_estimates_above_the_penalty_are_no_dead_ends(name: str) -> None:
    """Ten goals need the same preparation, which h_add counts ten times: 110 instead of 20."""
    goals = " ".join(f"(g{i})" for i in range(10))
    steps = " ".join(
        f"(:action a{i} :precondition (ready) :effect (and (g{i}) (increase (total-cost) 1)))"
        for i in range(10)
    )
    task = asnets.ground_text(
        f"(define (domain d) (:requirements :action-costs) (:predicates (ready) {goals})"
        " (:functions (total-cost))"
        f" (:action prepare :effect (and (ready) (increase (total-cost) 10))) {steps})",
        f"(define (problem p) (:domain d) (:init) (:goal (and {goals}))"
        " (:metric minimize (total-cost)))",
    )
    assert asnets.Heuristic(task, "h_add")(task.initial_state) == 110
    trajectory = asnets.Teacher(task, name, dead_end=60).rollout(task.initial_state)
    assert trajectory is not None
    assert (trajectory.cost, trajectory.reached_goal) == (20, True)
