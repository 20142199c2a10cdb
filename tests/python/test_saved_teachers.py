"""Teachers that are saved half-way: a fresh one goes on as the one that was saved."""

import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import asnets
from tasks import generated
from teaching import PLANNERS

Answer = tuple[object, ...]

# Of expansions: with the low ones many states are given up, with the high one some or none.
LIMITS = (28, 36, 1000)


def task_for(teacher: str, seed: int = 1) -> asnets.Task:
    domain, size = ("blocksworld", 5) if teacher in PLANNERS else ("triangle-tireworld", 3)
    return generated(domain, size, seed)


def fresh(name: str, task: asnets.Task, limit: int = LIMITS[-1]) -> asnets.Teacher:
    return asnets.Teacher(task, name, time_limit=600, max_expansions=limit)


def questions(task: asnets.Task, count: int = 40) -> list[tuple[str, asnets.State, int]]:
    """Kind of question, state and seed, from random walks that start over at their ends."""
    rng = random.Random(5)
    sampling = asnets.Rng(5)
    result = []
    state = task.initial_state
    for i in range(count):
        result.append((rng.choice(["q_values", "rollout"]), state, i))
        applicable = state.applicable()
        again = state.is_goal or not applicable or i % 12 == 11
        state = (
            task.initial_state if again else task.sample(state, rng.choice(applicable), sampling)
        )
    return result


def answer(teacher: asnets.Teacher, kind: str, state: asnets.State, seed: int) -> Answer:
    if kind == "q_values":
        values = teacher.q_values(state)
        return (None,) if values is None else tuple((a.name, v) for a, v in values.items())
    run = teacher.rollout(state, seed)
    if run is None:
        return (None,)
    return (*[a.name for a in run.actions], run.cost, run.reached_goal, hash(run.states))


def counts(teacher: asnets.Teacher) -> dict[str, float]:
    return {key: value for key, value in teacher.statistics.items() if key != "seconds"}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_goes_on_as_the_one_that_was_saved(name: str, limit: int) -> None:
    task = task_for(name)
    asked = questions(task)
    half = len(asked) // 2
    teacher = fresh(name, task, limit)
    for each in asked[:half]:
        answer(teacher, *each)
    data = teacher.save()
    other = fresh(name, task, limit)
    other.load(data)
    assert other.statistics == teacher.statistics
    assert other.save() == data
    for each in asked[half:] + asked[:half]:
        assert answer(other, *each) == answer(teacher, *each)
        assert counts(other) == counts(teacher)


@pytest.mark.parametrize("name", asnets.TEACHERS)
def test_the_limits_matter(name: str) -> None:
    """Some questions are given up and others are not, or less would be compared than it seems."""
    task = task_for(name)
    given_up = set()
    for limit in LIMITS:
        teacher = fresh(name, task, limit)
        given_up |= {answer(teacher, *each) == (None,) for each in questions(task)}
    assert given_up == {True, False}


@pytest.mark.parametrize("name", ["astar:lm_cut", "lrtdp:h_add", "ssipp:lm_cut", "value_iteration"])
def test_every_moment(name: str) -> None:
    """Saved after each question, also amid what a limit stopped."""
    task = task_for(name)
    teacher = fresh(name, task, LIMITS[0])
    asked = questions(task, 12)
    saved = []
    expected = []
    for each in asked:
        saved.append(teacher.save())
        expected.append(answer(teacher, *each))
    for i, data in enumerate(saved):
        other = fresh(name, task, LIMITS[0])
        other.load(data)
        assert [answer(other, *each) for each in asked[i:]] == expected[i:]


def ask_on(name: str, data: bytes) -> list[Answer]:
    task = task_for(name)
    teacher = fresh(name, task)
    teacher.load(data)
    return [answer(teacher, *each)[:-1] for each in questions(task, 20)]


def test_another_process() -> None:
    """The task is grounded anew there."""
    names = ["astar:h_add", "lrtdp:h_add", "ssipp:lm_cut"]
    saved = []
    for name in names:
        task = task_for(name)
        teacher = fresh(name, task)
        for each in questions(task, 8):
            answer(teacher, *each)
        saved.append(teacher.save())
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for name, data, found in zip(names, saved, pool.map(ask_on, names, saved)):
            assert found == ask_on(name, data)


def small(name: str) -> tuple[asnets.Teacher, bytes]:
    """A teacher, and what another one for the same task saved after one question."""
    task = task_for(name)
    teacher = fresh(name, task)
    teacher.rollout(task.initial_state)
    return fresh(name, task), teacher.save()


@pytest.mark.parametrize("name", ["astar:h_add", "lrtdp:h_add", "ssipp:h_add", "value_iteration"])
def test_damaged_data(name: str) -> None:
    teacher, data = small(name)
    before = teacher.save()
    rng = random.Random(0)
    for length in [*range(min(len(data), 400)), *rng.choices(range(len(data)), k=200)]:
        with pytest.raises(RuntimeError, match="the data"):
            teacher.load(data[:length])
    for _ in range(300):
        flipped = bytearray(data)
        flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        with pytest.raises(RuntimeError, match="the data are damaged"):
            teacher.load(bytes(flipped))
    for wrong in (b"", b"x", bytes(1000), data + b"x", data + data):
        with pytest.raises(RuntimeError, match="the data"):
            teacher.load(wrong)
    assert teacher.save() == before
    teacher.load(data)
    assert teacher.save() == data


@pytest.mark.parametrize("name", ["astar:h_add", "lrtdp:h_add"])
def test_other_teachers_data(name: str) -> None:
    teacher, data = small(name)
    before = teacher.save()
    task = task_for(name)
    with pytest.raises(ValueError, match="saved by another teacher than greedy:h_ff"):
        asnets.Teacher(task_for("greedy:h_ff"), "greedy:h_ff").load(data)
    with pytest.raises(ValueError, match="other options"):
        asnets.Teacher(task, name, dead_end=70).load(data)
    with pytest.raises(TypeError):
        teacher.load("text")  # type: ignore[arg-type]
    assert teacher.save() == before
    asnets.Teacher(task, name, time_limit=1, max_expansions=3).load(data)  # limits may differ


def test_other_tasks_data() -> None:
    """As many propositions and actions, but another goal."""
    _, data = small("astar:h_add")
    other = task_for("astar:h_add", seed=2)
    assert len(other.actions) == len(task_for("astar:h_add").actions)
    with pytest.raises(ValueError, match="for another task"):
        fresh("astar:h_add", other).load(data)
