"""Helpers of the tests of `asnets evaluate`: models with random weights, and the command as a user
runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asnets import generators
from model_files import make_model

LONG = ["--rollouts", "3", "--sample", "--limit", "8000"]
"""With 30 blocks: rollouts that take about a second each."""


@dataclass(frozen=True)
class Case:
    """A folder with a model, a domain and problems."""

    folder: Path
    problems: list[str]

    def command(self, *arguments: object) -> list[str]:
        # A background job of a shell ignores SIGINT, and so would its children.
        start = ["env", "--default-signal=INT", sys.executable, "-m", "asnets", "evaluate"]
        return [*start, "-m", "model.pt", "domain.pddl", *map(str, arguments)]

    def evaluate(self, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments),
            check=False, cwd=self.folder, text=True, capture_output=True, timeout=300, **options,
        )  # fmt: skip

    def rows(self, file: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / file).read_text().splitlines()]

    @contextmanager
    def started(self, *arguments: object) -> Iterator[subprocess.Popen[str]]:
        """The command in a process group of its own."""
        with subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            process_group=0,
        ) as process:  # fmt: skip
            try:
                yield process
            finally:
                process.kill()

    def wait_for_row(self, file: str, count: int = 1) -> None:
        path = self.folder / file
        for _ in range(600):
            if path.exists() and path.read_bytes().count(b"\n") >= count:
                return
            time.sleep(0.05)
        raise AssertionError(f"no {count} rows in {file}")


def make_case(folder: Path, domain: str, sizes: list[int]) -> Case:
    make_model(domain).write(folder / "model.pt")
    (folder / "domain.pddl").write_text(generators.domain_text(domain))
    problems = []
    for size in sizes:
        problems.append(f"p{size:02}.pddl")
        (folder / problems[-1]).write_text(generators.generate(domain, size, seed=1))
    return Case(folder, problems)


def without_times(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """In a fixed order."""
    kept = [{k: v for k, v in row.items() if k not in ("seconds", "peak_kb")} for row in rows]
    return sorted(kept, key=lambda row: (row["problem"], row["seed"]))


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [
        int(child)
        for child in children
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def wait_for_workers(process: subprocess.Popen[str], count: int) -> list[int]:
    for _ in range(600):
        found = workers_of(process)
        if len(found) == count:
            return found
        time.sleep(0.05)
    raise AssertionError(f"no {count} workers")


def all_end(processes: list[int]) -> bool:
    for _ in range(200):
        if not any(is_alive(each) for each in processes):
            return True
        time.sleep(0.05)
    return False


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)
