"""Policies, state memories and exploration from Python."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import asnets
from asnets import generators
from oracles.slow_network import random_weights


def task_of(domain: str, size: int) -> asnets.Task:
    return asnets.ground_text(
        generators.domain_text(domain), generators.generate(domain, size, seed=1)
    )


class Parts:
    """A task with a random network."""

    def __init__(self, domain: str, size: int) -> None:
        self.task = task_of(domain, size)
        self.structure = asnets.NetworkStructure(self.task)
        self.features = asnets.Features(self.structure)
        weights = random_weights(self.structure.signature, 4)
        self.network = asnets.Network(self.structure, self.features, weights, 2)
        self.policy = asnets.TaskPolicy(self.network, self.features)


@pytest.fixture(scope="module", params=["blocksworld", "triangle-tireworld"])
def parts(request: pytest.FixtureRequest) -> Parts:
    return Parts(request.param, 3)


def test_probabilities_are_a_softmax(parts: Parts) -> None:
    state = parts.task.initial_state
    seen = parts.features.observe(state)
    logits = parts.network.logits(seen)
    weight = {action: math.exp(logits[action.index]) for action in state.applicable()}
    found = parts.policy.probabilities(state)
    assert found == pytest.approx({a: w / sum(weight.values()) for a, w in weight.items()})


@pytest.mark.parametrize("sample", [False, True])
def test_rollouts_replay_and_repeat(parts: Parts, sample: bool) -> None:
    run = parts.policy.run(5, 30, sample)
    again = parts.policy.run(5, 30, sample)
    assert (run.actions, run.states) == (again.actions, again.states)
    assert len(run) <= 30
    for state, action, successor in zip(run.states, run.actions, run.states[1:]):
        assert successor in [s for s, _ in parts.task.successors(state, action)]
    assert run.cost == sum(action.cost for action in run.actions)
    assert run.reached_goal == run.states[-1].is_goal


def test_best_actions_are_those_of_the_highest_logit(parts: Parts) -> None:
    run = parts.policy.run(limit=10, avoid_loops=False)
    for step, (state, action) in enumerate(zip(run.states, run.actions)):
        logits = parts.network.logits(parts.features.observe(state, run.actions[:step]))
        choices = [each.index for each in state.applicable()]
        highest = max(logits[each] for each in choices)
        assert action.index == next(i for i in choices if logits[i] >= highest - 1e-4)


def test_probabilities_after_a_history(parts: Parts) -> None:
    """Counts are an input; a history may name its actions in any way."""
    run = parts.policy.run(limit=4)
    state = run.states[-1]
    logits = parts.network.logits(parts.features.observe(state, run.actions))
    weight = {each: math.exp(logits[each.index] / 0.5) for each in state.applicable()}
    expected = pytest.approx({a: w / sum(weight.values()) for a, w in weight.items()})
    for history in (run.actions, [a.index for a in run.actions], [str(a) for a in run.actions]):
        assert parts.policy.probabilities(state, history, temperature=0.5) == expected


def test_scores_of_a_function(parts: Parts) -> None:
    """A function may take the network's place."""
    called = []

    def logits(batch: asnets.Batch) -> NDArray[np.float32]:
        called.append(batch.states)
        return -np.arange(len(parts.task.actions), dtype=np.float32)

    policy = asnets.TaskPolicy(logits, parts.features)
    state = parts.task.initial_state
    run = policy.run(limit=3)
    assert run.actions[0] == state.applicable()[0]
    assert called == [1] * len(run)
    with pytest.raises(ValueError, match="a logit for each action"):
        asnets.TaskPolicy(lambda batch: np.zeros(1, np.float32), parts.features).run()
    for use in (parts.features.observe, asnets.TaskPolicy(logits, parts.features).probabilities):
        nested = asnets.TaskPolicy(lambda batch, use=use: use(state), parts.features)  # type: ignore[misc]
        with pytest.raises(RuntimeError, match="it is at work"):
            nested.run()
    for bad in (math.nan, math.inf):
        broken = asnets.TaskPolicy(
            lambda batch, bad=bad: np.full(len(parts.task.actions), bad, np.float32),  # type: ignore[misc]
            parts.features,
        )
        with pytest.raises(OverflowError, match="not finite"):
            broken.run()
        with pytest.raises(OverflowError, match="not finite"):
            broken.probabilities()
    with pytest.raises(ZeroDivisionError):
        asnets.TaskPolicy(lambda batch: 1 / 0, parts.features).run()  # type: ignore[arg-type,return-value]


def test_bad_options_of_a_run(parts: Parts) -> None:
    for temperature in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match="temperature must be positive"):
            parts.policy.run(temperature=temperature)
        with pytest.raises(ValueError, match="temperature must be positive"):
            parts.policy.probabilities(temperature=temperature)
    with pytest.raises(ValueError, match="time_limit must be positive"):
        parts.policy.run(time_limit=0)
    with pytest.raises(KeyError, match="nothing"):
        parts.policy.probabilities(history=["(nothing)"])


def test_rollouts_from_a_state(parts: Parts) -> None:
    state = parts.policy.run(limit=3).states[-1]
    assert parts.policy.run(state=state, limit=2).states[0] == state


def test_parts_of_different_tasks_do_not_mix(parts: Parts) -> None:
    other = Parts("blocksworld", 4)
    with pytest.raises(ValueError, match="different structures"):
        asnets.TaskPolicy(parts.network, other.features)
    with pytest.raises(ValueError, match="another structure"):
        parts.network.logits(other.features.observe(other.task.initial_state))
    with pytest.raises(ValueError, match="another task"):
        parts.policy.probabilities(other.task.initial_state)
    with pytest.raises(ValueError, match="another task"):
        parts.policy.run(state=other.task.initial_state)
    with pytest.raises(ValueError, match="another task"):
        asnets.Explorer(asnets.StateMemory(parts.structure), asnets.Teacher(other.task))


def test_memories_go_through_arrays(parts: Parts) -> None:
    memory = asnets.StateMemory(parts.structure)
    explorer = asnets.Explorer(memory, asnets.Teacher(parts.task))
    taught = explorer.teach(max_steps=20, seed=1)
    assert taught["samples"] == memory.samples > 0
    explored = explorer.explore(parts.policy, rollouts=2, max_steps=20, seed=2)
    assert explored["rollouts"] == 2
    assert taught["samples"] + explored["samples"] == memory.samples
    copy = asnets.StateMemory(parts.structure)
    copy.append(memory.since())
    assert np.array_equal(copy.since(), memory.since())
    assert (copy.states, copy.samples, copy.bytes) == (memory.states, memory.samples, memory.bytes)
    with pytest.raises(ValueError, match="does not go on where this one ends"):
        copy.append(memory.since())
    with pytest.raises(ValueError, match="ends too early"):
        copy.append(memory.since(memory.states, memory.samples)[:2])
    with pytest.raises(ValueError, match="has not got as far"):
        memory.since(memory.states + 1, 0)


def test_labels_are_the_teachers() -> None:
    """What batches call good are the actions with the least Q-value, on all of the teacher's way."""
    parts = Parts("blocksworld", 4)
    memory = asnets.StateMemory(parts.structure)
    teacher = asnets.Teacher(parts.task)
    asnets.Explorer(memory, teacher).teach()
    rollout = teacher.rollout(parts.task.initial_state)
    assert rollout is not None
    expected = set()
    for values in map(teacher.q_values, rollout.states):
        if values and len(values) > 1:
            least = min(values.values())
            expected.add(tuple(value <= least + 0.01 for value in values.values()))
    batches = [asnets.sample_batch([memory], size=1, seed=seed) for seed in range(100)]
    assert {tuple(target > 0 for target in batch.targets) for batch in batches} == expected
    assert len(expected) > 1
