"""Helpers of the tests that train: problem files, and the trainer as its users run it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import asnets
from asnets import generators

Files = tuple[Path, list[Path]]
"""A domain and its problems."""

QUICK = ["--batches", "8", "--epochs", "3", "--rollouts", "6", "--workers", "1"]
"""A run of a second or two that learns a little."""


def problem_files(folder: Path, domain: str, sizes: list[int], seed: int = 0) -> Files:
    """A domain file and a problem of each size."""
    domain_file = folder / "domain.pddl"
    domain_file.write_text(generators.domain_text(domain))
    problems = []
    for size in sizes:
        problems.append(folder / f"p{size:02}.pddl")
        problems[-1].write_text(generators.generate(domain, size, seed=seed))
    return domain_file, problems


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "asnets_train", *map(str, arguments)]


def train(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, cwd=cwd, timeout=4000
    )


def metrics(output: Path) -> list[dict[str, Any]]:
    """What a run wrote of its epochs."""
    text = (output.with_name(output.name + ".run") / "metrics.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def equal(one: Path, other: Path) -> bool:
    """Do two model files have the same weights?"""
    arrays = [asnets.read_model(model).arrays for model in (one, other)]
    return all(np.array_equal(a, b) for a, b in zip(*arrays, strict=True))
