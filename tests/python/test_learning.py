"""Policies that are learnt from small problems solve larger ones."""

from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest

import asnets
from asnets import generators
from training import metrics, train

Instance = tuple[int, int]
"""Size and seed."""


def instances(sizes: Iterable[int], seeds: Iterable[int]) -> list[Instance]:
    return list(product(sizes, seeds))


def problem_files(
    folder: Path, domain: str, wanted: list[Instance], letter: str = "p"
) -> list[Path]:
    result = []
    for size, seed in wanted:
        result.append(folder / f"{letter}{size:02}-{seed}.pddl")
        result[-1].write_text(generators.generate(domain, size, seed=seed))
    return result


def learnt(folder: Path, domain: str, training: list[Instance], *options: object) -> asnets.Policy:
    """A policy trained on these problems."""
    domain_file = folder / "domain.pddl"
    domain_file.write_text(generators.domain_text(domain))
    problems = problem_files(folder, domain, training)
    done = train(domain_file, *problems, "-o", folder / "model.pt", *options)
    assert done.returncode == 0, done.stderr
    return asnets.Policy(folder / "model.pt")


def task_of(domain: str, size: int, seed: int = 0) -> asnets.Task:
    return asnets.ground_text(
        generators.domain_text(domain), generators.generate(domain, size, seed=seed)
    )


def rollouts(
    policy: asnets.Policy, domain: str, size: int, count: int, seed: int = 0
) -> list[asnets.Run]:
    """Executions of a policy on a problem."""
    task = task_of(domain, size, seed)
    return [policy.run(task, i) for i in range(count)]


def check_torchscript(folder: Path, task: asnets.Task) -> None:
    """The exported network does what the native one does, on all of the way."""
    native = asnets.Policy(folder / "model.pt")
    script = asnets.Policy(folder / "model.pt", backend="torchscript")
    run = native.run(task)
    assert script.run(task).actions == run.actions
    for step, state in enumerate(run.states):
        expected = script.probabilities(task, state, run.actions[:step])
        assert native.probabilities(task, state, run.actions[:step]) == pytest.approx(
            expected, abs=1e-4
        )


def test_triangle_tireworld(tmp_path: Path) -> None:
    """From problems 1 to 3 to 4 to 10, where every rollout must take the long way."""
    policy = learnt(tmp_path, "triangle-tireworld", instances([1, 2, 3], [0]), "--stop-after", 3)
    for size in range(4, 11):
        assert all(run.reached_goal for run in rollouts(policy, "triangle-tireworld", size, 30))
    assert metrics(tmp_path / "model.pt")[-1]["success"] == 1
    check_torchscript(tmp_path, task_of("triangle-tireworld", 6))


def test_cosanostra(tmp_path: Path) -> None:
    """From 1 to 5 booths to 6 to 15, at the optimal cost: every operator is paid both ways."""
    policy = learnt(tmp_path, "cosanostra-pizza", instances(range(1, 6), [0]), "--stop-after", 3)
    for booths in range(6, 16):
        for run in rollouts(policy, "cosanostra-pizza", booths, 3):
            assert run.reached_goal
            assert run.cost == 3 * booths + 4
    check_torchscript(tmp_path, task_of("cosanostra-pizza", 8))


def solved(policy: asnets.Policy, domain: str, unseen: list[Instance]) -> int:
    """How many deterministic problems a policy solves."""
    return sum(rollouts(policy, domain, size, 1, seed)[0].reached_goal for size, seed in unseen)


@pytest.mark.slow
def test_blocksworld(tmp_path: Path) -> None:
    """25 problems of 8 to 10 blocks are enough for 30 of 35 and 50 blocks."""
    training = instances([8, 9, 10], range(5)) + instances([8, 9], range(5, 10))
    policy = learnt(tmp_path, "blocksworld", training, "--time-limit", 1200, "--stop-after", 5)
    assert solved(policy, "blocksworld", instances([35, 50], range(100, 115))) == 30


@pytest.mark.slow
def test_gold_miner(tmp_path: Path) -> None:
    """The article's policies solve 19 of 21. As many small training problems as there; weights are
    judged on problems of their own, larger ones, since all that are good in training look alike."""
    training = instances([4], range(5)) + instances([5], range(10)) + instances([6], range(2))
    judges = problem_files(tmp_path, "gold-miner", instances([8, 10, 12, 14], range(50, 53)), "v")
    options = ("--time-limit", 2400, "--stop-after", 40, "--validation", *judges)
    policy = learnt(tmp_path, "gold-miner", training, *options)
    unseen = instances([7, 9, 11, 13, 15, 17, 19], range(100, 103))
    assert solved(policy, "gold-miner", unseen) >= 19


@pytest.mark.slow
def test_matching_blocksworld(tmp_path: Path) -> None:
    """The article's policies solve 26 of 30."""
    training = instances(range(5, 10), range(5))
    options = ("--time-limit", 3600, "--stop-after", 10)
    policy = learnt(tmp_path, "matching-blocksworld", training, *options)
    unseen = instances([15, 20, 30, 40, 50, 60], range(100, 105))
    assert solved(policy, "matching-blocksworld", unseen) >= 26
