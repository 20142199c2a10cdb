"""results.jsonl: a line for each run, appended as soon as it is over. Every figure comes from there."""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    domain: str
    planner: str
    """A baseline, or a configuration of the network with how it acts."""
    training_seed: int | None
    """Of the network; None for baselines."""
    problem: str
    """Its size and seed, "35-2000"."""
    run: int
    success: bool
    cost: float | None
    seconds: float
    """From reading the files on; for training, all of it."""
    reason: str
    """How it ended."""

    @property
    def key(self) -> tuple[object, ...]:
        return self.domain, self.planner, self.training_seed, self.problem, self.run


TRAINING = "training"
"""The problem of a row that tells of a training run."""


class Rows:
    """The rows of a file. A line that was cut off by an interruption does not count."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows: dict[tuple[object, ...], Row] = {}
        if path.exists():
            content = path.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]
            if len(whole) < len(content):
                path.write_bytes(whole)
            for line in whole.splitlines():
                row = Row(**json.loads(line))
                self._rows[row.key] = row

    def __contains__(self, key: tuple[object, ...]) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows.values())

    def add(self, row: Row) -> None:
        self._rows[row.key] = row
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps(asdict(row)) + "\n")
            file.flush()
            os.fsync(file.fileno())
