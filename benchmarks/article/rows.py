"""results.jsonl: a line for each run, appended as soon as it is over. Every figure comes from there."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

TRAINING = "training"
"""The problem of a row that tells of a training run."""


class DamagedError(ValueError):
    """A line of a file is not what it should be; says which."""


@dataclass(frozen=True)
class Row:
    domain: str
    planner: str
    """A baseline, or a configuration of the network with how it acts."""
    training_seed: int | None
    """Of the network; None for baselines."""
    problem: str
    """Its size and seed, "35-2000"; in the extended experiment with the towers, "50-t7-10000"."""
    run: int
    success: bool
    cost: float | None
    seconds: float
    """From reading the files on, or from the end of the run before; for training, all of it."""
    reason: str
    """How it ended."""

    @property
    def key(self) -> tuple[object, ...]:
        return self.domain, self.planner, self.training_seed, self.problem, self.run


class Rows:
    """The rows of a file. Raises DamagedError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows: dict[tuple[object, ...], Row] = {}
        for number, line in enumerate(whole_lines(path), 1):
            try:
                row = Row(**json.loads(line))
            except (ValueError, TypeError) as error:
                raise DamagedError(f"{path}:{number}: expected a row of results; {error}") from None
            self._rows[row.key] = row

    def __contains__(self, key: tuple[object, ...]) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows.values())

    def add(self, row: Row) -> None:
        append_line(self.path, json.dumps(asdict(row)))
        self._rows[row.key] = row


def whole_lines(path: Path) -> list[bytes]:
    """A line that an interruption cut off is removed."""
    if not path.exists():
        return []
    with _locked(path) as file:
        content = file.read()
        end = content.rfind(b"\n") + 1
        file.truncate(end)
    return content[:end].splitlines()


def append_line(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path) as file:
        file.write(line.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _locked(path: Path) -> Iterator[BinaryIO]:
    """For reading and appending; calls for different domains may share a folder."""
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file
