"""runs.jsonl: a line for each call of the experiment, written when it begins: command, budget, machine and
versions."""

import json
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from benchmarks.article.rows import DamagedError, append_line, whole_lines
from oracles.corpus import ROOT

PACKAGES = ("asnets", "torch", "numpy", "up-fast-downward")
GIB = 2**30


@dataclass(frozen=True)
class Call:
    command: str
    budget: str
    begun: str
    """Date and time, UTC."""
    commit: str
    processor: str
    cores: int
    memory_gib: float
    system: str
    versions: dict[str, str]


def this_call(arguments: Sequence[str], budget: str) -> Call:
    return Call(
        command=shlex.join(["python", "-m", "benchmarks.article", *arguments]),
        budget=budget,
        begun=f"{datetime.now(UTC):%Y-%m-%d %H:%M}",
        commit=_commit(),
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)),
        memory_gib=round(memory_bytes() / GIB, 1),
        system=platform.platform(),
        versions={"Python": platform.python_version(), **_versions()},
    )


def path_in(folder: Path) -> Path:
    return folder / "runs.jsonl"


def add(folder: Path, call: Call) -> None:
    append_line(path_in(folder), json.dumps(asdict(call)))


def calls(folder: Path) -> list[Call]:
    """In their order. Raises DamagedError."""
    found = []
    for number, line in enumerate(whole_lines(path_in(folder)), 1):
        try:
            found.append(Call(**json.loads(line)))
        except (ValueError, TypeError) as error:
            raise DamagedError(f"{path_in(folder)}:{number}: expected a call; {error}") from None
    return found


def memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    for line in file.read_text().splitlines() if file.exists() else ():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _commit() -> str:
    """Of the project, with a + if files of it are changed."""

    def git(*words: str) -> str | None:
        try:
            done = subprocess.run(
                ["git", *words], check=True, capture_output=True, text=True, cwd=ROOT
            )
        except (OSError, subprocess.CalledProcessError):
            return None
        return done.stdout.strip()

    commit = git("rev-parse", "--short=12", "HEAD")
    if commit is None:
        return "unknown"
    return commit + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            print(f"warning: {name} is not installed", file=sys.stderr)
    return found
