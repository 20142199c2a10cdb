"""docs/explain.md: its commands run, and who follows its equations by hand reaches the goal."""

import re
from pathlib import Path

import numpy as np
import pytest

import asnets
from asnets.explain.network import LANDMARK_NAMES
from oracles.equation_reader import Decision, Equations, flags_of
from oracles.slow_network import task_of
from test_docs import run_commands

FLAGS = ("applicable", *LANDMARK_NAMES["necessary"], "count")


def printed(root: Path, title: str) -> str:
    """The equations below a heading."""
    section = (root / "docs" / "explain.md").read_text().split(f"### {title}\n")[1]
    return re.findall(r"```\n(.*?)```", section, re.DOTALL)[0]


def follow(text: str, task: asnets.Task, seed: int) -> float:
    """The cost of a run in which each decision is worked out from the text."""
    equations = Equations(text, 3)
    structure = asnets.NetworkStructure(task)
    features = asnets.Features(structure, landmarks="necessary")
    history: list[asnets.Action] = []
    state, rng, cost = task.initial_state, asnets.Rng(seed), 0.0
    while not state.is_goal:
        assert cost < 300
        inputs = features.batch([features.observe(state, history)]).inputs
        decision = Decision(equations, task, state, flags_of(FLAGS, task, inputs))
        applicable = state.applicable()
        logits = np.array([decision.logit(action) for action in applicable])
        chosen = applicable[int(np.argmax(logits >= logits.max() - 1e-4))]
        history.append(chosen)
        cost += chosen.cost
        state = task.sample(state, chosen, rng)
    return cost


@pytest.mark.parametrize("size", [4, 7, 10])
def test_triangle_tireworld(size: int, root: Path) -> None:
    text = printed(root, "Triangle Tireworld")
    for seed in range(3):
        follow(text, task_of("triangle-tireworld", size), seed)


@pytest.mark.parametrize("size", [6, 11, 20])
def test_cosanostra_pizza(size: int, root: Path) -> None:
    """At the optimal cost."""
    text = printed(root, "CosaNostra Pizza")
    assert follow(text, task_of("cosanostra-pizza", size), 1) == 3 * size + 4


def test_commands(root: Path, tmp_path: Path) -> None:
    (tmp_path / "domains").symlink_to(root / "domains")
    run_commands(root / "docs" / "explain.md", "asnets (?:explain|generate)", tmp_path)
    assert (tmp_path / "page.html").exists()
