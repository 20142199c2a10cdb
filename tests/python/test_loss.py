"""Samples, batches and losses, against what single states give."""

import numpy as np
import pytest
import torch

import asnets
from asnets import generators
from asnets_train.trainer import policy_loss, seed_of


@pytest.fixture(scope="module")
def memories() -> list[asnets.StateMemory]:
    """What a teacher shows of two problems."""
    result = []
    for size in (3, 4):
        problem = generators.generate("blocksworld", size, seed=1)
        task = asnets.ground_text(generators.domain_text("blocksworld"), problem)
        memory = asnets.StateMemory(asnets.NetworkStructure(task))
        asnets.Explorer(memory, asnets.Teacher(task)).teach()
        result.append(memory)
    return result


def test_choices_are_the_applicable_actions() -> None:
    tasks = [
        asnets.ground_text(
            generators.domain_text("blocksworld"), generators.generate("blocksworld", n, seed=1)
        )
        for n in (3, 5)
    ]
    features = [asnets.Features(asnets.NetworkStructure(task)) for task in tasks]
    batch = features[0].batch(
        [each.observe(task.initial_state) for each, task in zip(features, tasks)]
    )
    names = [
        str(action)
        for schema in (schema.name for schema in tasks[0].schemas)
        for task in tasks
        for action in task.actions
        if action.schema.name == schema
    ]
    for state, task in enumerate(tasks):
        rows = batch.choice_rows[batch.choice_states == state]
        assert [names[row] for row in rows] == [str(a) for a in task.initial_state.applicable()]
    assert not batch.targets.any()


def test_targets_are_uniform_over_good_actions(memories: list[asnets.StateMemory]) -> None:
    batch = asnets.sample_batch(memories, size=50, seed=3)
    for state in range(50):
        targets = batch.targets[batch.choice_states == state]
        assert targets.sum() == pytest.approx(1)
        assert len(set(targets[targets > 0])) == 1


def test_batches_spread_evenly_and_repeat(memories: list[asnets.StateMemory]) -> None:
    """Blocks of the larger problem have more actions: states take turns."""
    one, same, other, shifted = (
        asnets.sample_batch(memories, size=7, first=first, seed=seed)
        for first, seed in ((0, 1), (0, 1), (0, 2), (1, 1))
    )
    assert [len(rows) for rows in one.inputs] != [len(rows) for rows in shifted.inputs]
    assert all(np.array_equal(a, b) for a, b in zip(one.inputs, same.inputs))
    assert not all(np.array_equal(a, b) for a, b in zip(one.inputs, other.inputs))


def test_memories_that_cannot_be_drawn_from() -> None:
    with pytest.raises(ValueError, match="at least one memory"):
        asnets.sample_batch([])
    task = asnets.ground_text(
        generators.domain_text("blocksworld"), generators.generate("blocksworld", 3, seed=1)
    )
    with pytest.raises(ValueError, match="no samples"):
        asnets.sample_batch([asnets.StateMemory(asnets.NetworkStructure(task))])


@pytest.mark.parametrize("kind", ["any-good", "article"])
def test_losses_are_the_mean_over_states(memories: list[asnets.StateMemory], kind: str) -> None:
    batch = asnets.sample_batch(memories, size=9, seed=5)
    generator = torch.Generator().manual_seed(1)
    logits = torch.randn(sum(len(rows) for rows in batch.inputs), generator=generator) * 3
    logits.requires_grad_()
    expected = torch.zeros(())
    for state in range(9):
        own = torch.from_numpy(batch.choice_states == state)
        policy = torch.softmax(logits[torch.from_numpy(batch.choice_rows)[own]], 0)
        target = torch.from_numpy(batch.targets)[own]
        if kind == "any-good":
            loss = -(target * policy.log()).sum()
        else:
            good = target > 0
            loss = -(policy[good].log().sum() + (1 - policy[~good]).log().sum())
        expected = expected + loss / 9
    found = policy_loss(logits, batch, kind)
    assert found.item() == pytest.approx(expected.item(), rel=1e-4)
    (mine,) = torch.autograd.grad(found, logits)
    (theirs,) = torch.autograd.grad(expected, logits)
    assert torch.allclose(mine, theirs, atol=1e-5)


@pytest.mark.parametrize("kind", ["any-good", "article"])
def test_losses_stay_finite(memories: list[asnets.StateMemory], kind: str) -> None:
    """A policy that is certain and wrong has a large loss, not an infinite one."""
    batch = asnets.sample_batch(memories, size=9, seed=5)
    logits = torch.zeros(sum(len(rows) for rows in batch.inputs))
    logits[torch.from_numpy(batch.choice_rows)] = 1e4 * torch.from_numpy(1 - batch.targets)
    logits.requires_grad_()
    loss = policy_loss(logits, batch, kind)
    assert torch.isfinite(loss)
    assert torch.isfinite(torch.autograd.grad(loss, logits)[0]).all()


def test_seeds_depend_on_all_parts() -> None:
    seeds = [seed_of(*parts) for parts in ((0,), (0, 0), (1, 0), (0, 1), (0, 1, 2), (0, 12))]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**63 for seed in seeds)
