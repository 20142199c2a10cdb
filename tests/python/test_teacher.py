"""Teachers: their labels and rollouts against slow oracles."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import asnets
from oracles import random_tasks, value_iteration
from oracles.optimal import cheapest_plan
from tasks import generated, walk
from teaching import EASY, FAR, PLANNERS, SOLVERS, named, small

# Their labels are optimal: admissible heuristics in searches that need them.
OPTIMAL = [
    name
    for name in asnets.TEACHERS
    if name.endswith((":h_max", ":lm_cut", ":lm_cut_incremental", "value_iteration"))
    and not name.startswith("greedy")
]
OPTIMAL_PLANNERS = [name for name in OPTIMAL if name in PLANNERS]
OPTIMAL_SOLVERS = [name for name in OPTIMAL if name in SOLVERS]


def cost_from(task: asnets.Task, state: asnets.State) -> float | None:
    plan = cheapest_plan(task, state)
    return None if plan is None else sum(action.cost for action in plan)


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
    assert teacher.good_actions(state) == good_of(expected)


def good_of(q_values: dict[asnets.Action, float]) -> tuple[asnets.Action, ...]:
    """Those with the least value; none if that is all of them."""
    good = tuple(a for a, cost in q_values.items() if cost <= min(q_values.values()) + 0.01)
    return good if len(good) < len(q_values) else ()


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


@pytest.mark.parametrize("name", OPTIMAL_PLANNERS)
@pytest.mark.parametrize(
    ("domain", "size"), [("blocksworld", 5), ("gold-miner", 4), ("matching-blocksworld", 4)]
)
def test_one_search_for_all_states_on_optimal_plans(domain: str, size: int, name: str) -> None:
    """Rollouts draw among them; whatever they pass needs no other search, and the labels are right."""
    task = generated(domain, size, seed=3)
    teacher = asnets.Teacher(task, name)
    runs = [teacher.rollout(task.initial_state, seed) for seed in range(20)]
    assert all(run is not None and run.reached_goal for run in runs)
    assert {run.cost for run in runs} == {asnets.search(task).cost}
    assert len({run.actions for run in runs}) > 1
    states = {state for run in runs for state in run.states}
    good = {state: teacher.good_actions(state) for state in states}
    assert teacher.statistics["searches"] == 1
    other = asnets.Teacher(task, name)
    for state in states:
        assert good[state] == good_of(other.q_values(state) or {})


@given(random_tasks.tasks(), st.randoms(use_true_random=False))
def test_good_actions_on_random_tasks(text: str, random: object) -> None:
    """Some actions are free: then plans may go in circles, but the teacher does not."""
    task = asnets.ground_text(text)
    states = value_iteration.explore(task).states[:30]
    random.shuffle(states)  # type: ignore[attr-defined]
    for name in OPTIMAL_PLANNERS:
        teacher = asnets.Teacher(task, name)
        for state in states:
            run = teacher.rollout(state)
            assert run is not None
            assert run.reached_goal == (cost_from(task, state) is not None)
            assert teacher.good_actions(state) == good_of(
                asnets.Teacher(task, name).q_values(state) or {}
            )


@pytest.mark.parametrize("name", ["astar:lm_cut", "astar:lm_cut_incremental"])
def test_one_plan_if_a_limit_ends_the_search_for_all(name: str) -> None:
    """Lamps may be lit in any order: with one plan 10 states are expanded, with all of them 1,023."""
    lamps = [f"(l{i})" for i in range(10)]
    task = asnets.ground_text(
        f"(define (domain lamps) (:requirements :strips) (:predicates (dark) {' '.join(lamps)})"
        + "".join(f"(:action a{i} :effect {lamp})" for i, lamp in enumerate(lamps))
        + "(:action wait :effect (dark)))"
        + f"(define (problem p) (:domain lamps) (:init) (:goal (and {' '.join(lamps)})))"
    )
    everything = asnets.Teacher(task, name)
    run = everything.rollout(task.initial_state)
    assert run is not None
    assert everything.statistics["expansions"] == 1023
    limited = asnets.Teacher(task, name, max_expansions=200)
    one = limited.rollout(task.initial_state)
    assert one is not None
    assert (one.cost, one.reached_goal) == (10, True)
    assert limited.statistics["expansions"] == 200
    for state in one.states:
        assert limited.good_actions(state) == everything.good_actions(state)
    assert limited.statistics["given_up"] == 0


@pytest.mark.parametrize("name", ["astar:h_add", "astar:lm_cut"])
def test_good_actions_of_close_values(name: str) -> None:
    """Optimal plans have the same cost; other teachers call an action good that is close."""
    task = asnets.ground_text(
        "(define (domain d) (:requirements :strips :action-costs) (:predicates (done) (lost))"
        "(:functions (total-cost) - number)"
        "(:action a :effect (and (done) (increase (total-cost) 0.5)))"
        "(:action b :effect (and (done) (increase (total-cost) 0.505)))"
        "(:action c :effect (and (done) (increase (total-cost) 3))))"
        "(define (problem p) (:domain d) (:init (= (total-cost) 0)) (:goal (done))"
        "(:metric minimize (total-cost)))"
    )
    good = asnets.Teacher(task, name).good_actions(task.initial_state)
    assert good is not None
    assert [action.name for action in good] == (["a"] if name == "astar:lm_cut" else ["a", "b"])


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


def test_defaults() -> None:
    assert asnets.Teacher(generated("blocksworld", 3)).name == "astar:h_add"
    assert asnets.Teacher(generated("triangle-tireworld", 1)).name == "lrtdp:h_add"
    named_ones = {"astar:h_add", "lrtdp:h_add", "lrtdp:lm_cut", "ssipp:lm_cut", "astar:lm_cut"}
    assert named_ones <= set(asnets.TEACHERS)
    for name in asnets.TEACHERS:
        assert asnets.Teacher(generated("blocksworld", 3), name).name == name


def test_mistakes() -> None:
    task = generated("blocksworld", 3)
    with pytest.raises(ValueError, match='unknown teacher "astar"; known are astar:h_add'):
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
def test_steps_of_a_rollout(name: str) -> None:
    task = small(name)
    teacher = asnets.Teacher(task, name)
    for most in (0, 1, 3):
        run = teacher.rollout(task.initial_state, max_steps=most)
        assert run is not None
        assert len(run) == most
        assert len(run.states) == most + 1
        assert not run.reached_goal


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
