"""Policies that are learnt from small problems solve larger ones."""

from pathlib import Path

import pytest

import asnets
from asnets import generators
from training import metrics, problem_files, train


def learnt(
    folder: Path, domain: str, sizes: list[int], *options: object, seeds: int = 1
) -> asnets.Model:
    """A model trained on problems of these sizes."""
    problems: list[Path] = []
    for seed in range(seeds):
        own = folder / f"seed{seed}"
        own.mkdir()
        domain_file, files = problem_files(own, domain, sizes, seed)
        problems += [file.rename(folder / f"{file.stem}-{seed}.pddl") for file in files]
    done = train(domain_file, *problems, "-o", folder / "model.pt", *options)
    assert done.returncode == 0, done.stderr
    return asnets.read_model(folder / "model.pt")


def rollouts(
    model: asnets.Model, domain: str, size: int, count: int, seed: int = 0
) -> list[asnets.Trajectory]:
    """Executions of a policy on a problem."""
    text = generators.generate(domain, size, seed=seed)
    policy = model.policy(asnets.ground_text(model.domain_text, text))
    return [policy.rollout(i) for i in range(count)]


def test_triangle_tireworld(tmp_path: Path) -> None:
    """From problems 1 to 3 to 4 to 10, where every rollout must take the long way."""
    model = learnt(tmp_path, "triangle-tireworld", [1, 2, 3], "--stop-after", 3)
    for size in range(4, 11):
        assert all(run.reached_goal for run in rollouts(model, "triangle-tireworld", size, 30))
    assert metrics(tmp_path / "model.pt")[-1]["success"] == 1


def test_cosanostra(tmp_path: Path) -> None:
    """From 1 to 5 booths to 6 to 15, at the optimal cost: every operator is paid both ways."""
    model = learnt(tmp_path, "cosanostra-pizza", [1, 2, 3, 4, 5], "--stop-after", 3)
    for booths in range(6, 16):
        for run in rollouts(model, "cosanostra-pizza", booths, 3):
            assert run.reached_goal
            assert run.cost == 3 * booths + 4


def solved(
    model: asnets.Model, domain: str, instances: list[tuple[int, int]], count: int = 1
) -> int:
    """How many of the (size, seed) instances a policy solves in every rollout."""
    return sum(
        all(run.reached_goal for run in rollouts(model, domain, size, count, seed))
        for size, seed in instances
    )


@pytest.mark.slow
def test_blocksworld(tmp_path: Path) -> None:
    """25 problems of 8 to 10 blocks are enough for 30 of 35 and 50 blocks."""
    options = ("--time-limit", 2400, "--stop-after", 5)
    model = learnt(tmp_path, "blocksworld", [8, 9, 10, 8, 9], *options, seeds=5)
    unseen = [(size, seed) for size in (35, 50) for seed in range(100, 115)]
    assert solved(model, "blocksworld", unseen) == 30


@pytest.mark.slow
def test_gold_miner(tmp_path: Path) -> None:
    """The article's policies solve 19 of 21."""
    model = learnt(
        tmp_path, "gold-miner", [4, 5, 6], "--time-limit", 2400, "--stop-after", 5, seeds=5
    )
    unseen = [(size, seed) for size in (7, 9, 11, 13, 15, 17, 19) for seed in range(100, 103)]
    assert solved(model, "gold-miner", unseen) >= 19


@pytest.mark.slow
def test_matching_blocksworld(tmp_path: Path) -> None:
    """The article's policies solve 26 of 30."""
    options = ("--time-limit", 3600, "--stop-after", 10)
    model = learnt(tmp_path, "matching-blocksworld", [5, 6, 7, 8, 9], *options, seeds=5)
    unseen = [(size, seed) for size in (15, 20, 30, 40, 50, 60) for seed in range(100, 105)]
    assert solved(model, "matching-blocksworld", unseen) >= 26
