"""Best-first search that reaches its limits, is interrupted, or shares the process with threads."""

import math
import os
from pathlib import Path

import pytest

import asnets
from interrupting import ctrl_c_after, rounds_during
from tasks import generated


@pytest.mark.parametrize("heuristic", asnets.HEURISTICS)
@pytest.mark.parametrize("search", asnets.SEARCHES)
def test_expansion_limit(search: str, heuristic: str) -> None:
    task = generated("blocksworld", 6, 1)
    whole = asnets.search(task, search, heuristic)
    needed = whole.statistics.expansions
    assert needed > 1
    assert whole.statistics.generated >= needed
    for most in (0, 1, needed - 1):
        result = asnets.search(task, search, heuristic, max_expansions=most)
        assert (result.status, result.plan, result.cost) == ("out of expansions", None, None)
        assert result.statistics.expansions == most
    exact = asnets.search(task, search, heuristic, max_expansions=needed)
    assert (exact.status, exact.plan) == ("solved", whole.plan)
    assert exact.statistics.expansions == needed


# Blocksworld problems of this size are out of reach of A*.
ENDLESS = ("blocksworld", 30)


@pytest.mark.parametrize("heuristic", asnets.HEURISTICS)
def test_time_limit(heuristic: str) -> None:
    result = asnets.search(generated(*ENDLESS), "astar", heuristic, time_limit=0.1)
    assert (result.status, result.plan, result.cost) == ("out of time", None, None)


def test_no_time() -> None:
    task = generated("blocksworld", 3)
    result = asnets.search(task, time_limit=0)
    assert result.status == "out of time"
    assert result.statistics.expansions == 0


def test_memory_limit() -> None:
    task = generated(*ENDLESS)
    assert asnets.search(task, memory_limit=1).status == "out of memory"
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    limit = (pages * os.sysconf("SC_PAGE_SIZE") >> 20) + 8
    result = asnets.search(task, "astar", "h_max", memory_limit=limit, time_limit=120)
    assert result.status == "out of memory"
    assert result.statistics.expansions > 0


def test_same_search_same_result() -> None:
    task = generated("gold-miner", 4)
    results = [asnets.search(task, "astar", "lm_cut") for _ in range(2)]
    assert results[0].plan == results[1].plan
    assert results[0].statistics.evaluations == results[1].statistics.evaluations


@pytest.mark.parametrize("heuristic", asnets.HEURISTICS)
def test_ctrl_c(heuristic: str) -> None:
    task = generated(*ENDLESS)
    with ctrl_c_after(0.2), pytest.raises(KeyboardInterrupt):
        asnets.search(task, "astar", heuristic, time_limit=60)
    assert asnets.search(task, "astar", heuristic, max_expansions=1).status == "out of expansions"


def test_other_threads_run_meanwhile() -> None:
    task = generated(*ENDLESS)
    result, rounds = rounds_during(lambda: asnets.search(task, "astar", "lm_cut", time_limit=0.5))
    assert result.status == "out of time"
    # Were the lock held, this thread would wait for the end of the search in the first rounds.
    assert rounds > 20


def test_infinite_limits() -> None:
    task = generated("blocksworld", 3)
    assert asnets.search(task, time_limit=math.inf).status == "solved"
