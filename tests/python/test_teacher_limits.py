"""Teachers: what they remember, limits, threads, processes, Ctrl-C."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import asnets
from interrupting import ctrl_c_after, rounds_during
from tasks import generated, walk
from teaching import EASY, PLANNERS, endless, named, small


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


def test_a_search_that_reached_its_limit_is_remembered_for_the_successor() -> None:
    task = generated("blocksworld", 30, seed=2)
    teacher = asnets.Teacher(task, "astar:h_max", max_expansions=5)
    start = task.initial_state
    assert teacher.q_values(start) is None
    searches = teacher.statistics["searches"]
    first = task.successors(start, start.applicable()[0])[0][0]
    assert teacher.rollout(first) is None
    assert teacher.statistics["searches"] == searches


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
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for name, found in zip(names, pool.map(answers_of, names)):
            assert found == answers_of(name)


@pytest.mark.parametrize("name", ["astar:lm_cut", "lrtdp:lm_cut"])
def test_other_threads_run_meanwhile(name: str) -> None:
    task = endless(name)
    teacher = asnets.Teacher(task, name, time_limit=0.5)
    values, rounds = rounds_during(lambda: teacher.q_values(task.initial_state))
    assert values is None
    # Were the lock held, this thread would wait for the end of the search in the first rounds.
    assert rounds > 20


@pytest.mark.parametrize("name", ["astar:lm_cut", "lrtdp:lm_cut"])
def test_ctrl_c(name: str) -> None:
    """Ctrl-C is no reason to give a state up."""
    task = endless(name)
    teacher = asnets.Teacher(task, name, time_limit=60)
    with ctrl_c_after(0.3), pytest.raises(KeyboardInterrupt):
        teacher.q_values(task.initial_state)
    assert teacher.statistics["given_up"] == 0
