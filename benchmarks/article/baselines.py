"""The article's baselines: Fast Downward's planners, and LRTDP and SSiPP of our own, each on one core."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.article.protocol import MEMORY_MB, Budget, Domain
from benchmarks.article.rows import Row
from oracles import fast_downward

# Options of Fast Downward 26.6's driver.
CLASSICAL = {
    "A*, LM-cut": ("--search", "astar(lmcut())"),
    "A*, LM-count": ("--search", "astar(landmark_sum(lm_rhw()))"),
    "GBF, LM-cut": ("--search", "eager_greedy([lmcut()])"),
    "LAMA-first": ("--alias", "lama-first"),
    "LAMA-2011": ("--alias", "seq-sat-lama-2011"),
}
PROBABILISTIC = {
    f"{solver}, {title}": (name, heuristic)
    for solver, name in (("LRTDP", "lrtdp"), ("SSiPP", "ssipp"))
    for title, heuristic in (("h-add", "h_add"), ("LM-cut", "lm_cut"))
}


def names(domain: Domain) -> Sequence[str]:
    return list(PROBABILISTIC if domain.is_probabilistic else CLASSICAL)


class StoppedError(Exception):
    """Nobody waits for the result any more."""


def check_installed() -> None:
    if fast_downward.folder() is None:
        sys.exit("the baselines need up-fast-downward; --no-baselines leaves them out")


def runs(
    domain: Domain,
    planner: str,
    problem: str,
    files: tuple[Path, Path],
    budget: Budget,
    stop: threading.Event,
) -> Iterator[Row]:
    """What a baseline makes of a problem: one row, or one for each run of one that draws. Raises
    StoppedError soon after `stop` is set."""
    if planner in CLASSICAL:
        limit = budget.baseline_seconds
        success, cost, seconds, reason = _plan(CLASSICAL[planner], files, limit, stop)
        yield Row(domain.name, planner, None, problem, 0, success, cost, seconds, reason)
        return
    left = budget.baseline_seconds
    for run in range(budget.baseline_runs):
        share = max(1.0, left / (budget.baseline_runs - run))  # so that no run goes without
        seed = seed_of(problem, run)
        success, cost, seconds, reason = _solve(PROBABILISTIC[planner], files, seed, share, stop)
        left -= seconds
        yield Row(domain.name, planner, None, problem, run, success, cost, seconds, reason)


def seed_of(problem: str, run: int) -> int:
    """Equal seeds draw equal numbers in all problems: with those of the runs alone, five lucky ones would
    be lucky everywhere."""
    return zlib.crc32(f"{problem} {run}".encode())


Outcome = tuple[bool, float | None, float, str]


def _plan(
    options: Sequence[str], files: tuple[Path, Path], limit: float, stop: threading.Event
) -> Outcome:
    """Fast Downward in a folder of its own. LAMA-2011 goes on after its first plan: the best counts,
    found at whatever time."""
    driver = fast_downward.folder().parents[2] / "fast-downward.py"
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, str(driver), "--overall-time-limit", f"{limit:.0f}s",
                   "--overall-memory-limit", f"{MEMORY_MB}M", "--plan-file", "plan"]  # fmt: skip
        if options[0] == "--alias":
            command += [*options, *map(str, files)]
        else:
            command += [*map(str, files), *options]
        begin = perf_counter()
        done = _run(command, Path(scratch), 2 * limit + 60, stop)
        seconds = perf_counter() - begin
        costs = [
            float(found[1])
            for plan in Path(scratch).glob("plan*")
            if (found := re.search(r"; cost = (\d+)", plan.read_text()))
        ]
    if costs:
        return True, min(costs), seconds, "plan"
    return False, None, seconds, "time limit" if done is None else f"exit code {done}"


def _solve(
    options: tuple[str, str],
    files: tuple[Path, Path],
    seed: int,
    limit: float,
    stop: threading.Event,
) -> Outcome:
    """Until it converges, or time is over; then one rollout of the policy that it has."""
    solver, heuristic = options
    with tempfile.TemporaryDirectory() as scratch:
        result = Path(scratch) / "result.json"
        command = [sys.executable, "-m", "asnets", "solve", *map(str, files), "--search", solver,
                   "--heuristic", heuristic, "--seed", str(seed), "--rollouts", "1",
                   "--depth", "3", "--time-limit", str(limit), "--memory-limit", str(MEMORY_MB),
                   "--json", str(result)]  # fmt: skip
        begin = perf_counter()
        done = _run(command, Path(scratch), 2 * limit + 60, stop)
        seconds = perf_counter() - begin
        if not result.exists():
            return False, None, seconds, "time limit" if done is None else f"exit code {done}"
        found = json.loads(result.read_text())
    rollouts = found.get("rollouts") or {"successes": 0, "mean_cost": None}
    return rollouts["successes"] == 1, rollouts["mean_cost"], seconds, found["status"]


def _run(command: Sequence[str], folder: Path, limit: float, stop: threading.Event) -> int | None:
    """The exit code of a command; None if it had to be killed, with all it started."""
    if stop.is_set():
        raise StoppedError
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    end = perf_counter() + limit
    try:
        while perf_counter() < end:
            try:
                return process.wait(1)
            except subprocess.TimeoutExpired:
                if stop.is_set():
                    raise StoppedError from None
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
