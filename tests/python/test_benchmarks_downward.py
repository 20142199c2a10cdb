"""The benchmark of Fast Downward reads what the planner says."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

LOG = """\
Done! [0.640s CPU, 0.655s wall-clock]
[t=0.0112s, 9892 KB] Initial heuristic value for ff: 12
[t=0.5s, 9892 KB] Plan length: 150 step(s).
[t=0.5s, 9892 KB] Plan cost: 151
[t=0.5s, 9892 KB] Expanded 152 state(s).
[t=0.5s, 9892 KB] Expanded until last jump: 150 state(s).
[t=0.5s, 9892 KB] Policy steps: 150
[t=0.5s, 9892 KB] Policy grounding time: 0.05s
[t=0.5s, 9892 KB] Policy model time: 7.5e-05s
[t=0.5s, 9892 KB] Policy feature time: 0.2s
[t=0.5s, 9892 KB] Policy network time: 0.1s
[t=0.5s, 9892 KB] Policy mapping time: 0.025s
[t=0.5s, 9892 KB] Search time: 0.45s
[t=0.5s, 9892 KB] Total time: 0.5s
Solution found.
Peak memory: 9892 KB
"""


@pytest.fixture
def downward(root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(root)
    return importlib.import_module("benchmarks.downward")


def test_figures(downward: ModuleType) -> None:
    found = downward.figures(LOG)
    assert found["Plan cost"] == 151
    assert found["Plan length"] == 150
    assert found["Expanded"] == 152
    assert found["Expanded until last jump"] == 150
    assert found["Policy model time"] == 7.5e-5
    assert found["Total time"] == 0.5
    assert found["Peak memory"] == 9892


def test_shares_add_up_to_the_whole(downward: ModuleType) -> None:
    parts = downward.shares(downward.Run(is_solved=True, wall=1.5, log=LOG))
    assert sum(parts.values()) == pytest.approx(1.5)
    assert parts["feature"] == 0.2
    assert parts["rest of downward"] == pytest.approx(0.5 - 0.375 - 7.5e-5)
    assert parts["translator"] == 0.655


def test_interval_of_median(downward: ModuleType) -> None:
    """Ranks 10 and 21 of 30 miss the median with a probability of 4.3 %."""
    assert downward.interval_of_median(range(30, 0, -1)) == (10, 21)
    assert downward.interval_of_median([5]) == (5, 5)


def run(downward: ModuleType, solved: bool, expanded: int, seconds: float) -> object:
    log = f"Expanded {expanded} state(s).\nTotal time: {seconds}s\n"
    return downward.Run(is_solved=solved, wall=seconds, log=log)


def test_coverage(downward: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {
        "plain": [run(downward, True, 100, 2), run(downward, False, 9000, 60)],
        "policy": [run(downward, True, 10, 1), run(downward, True, 20, 3)],
    }
    downward.print_coverage(rows, "rooms")
    assert capsys.readouterr().out.splitlines() == [
        "rooms, solved of 2: plain 1, policy 2",
        "  policy on the 1 that both solve, geometric means: 10.0x fewer expansions, 2.00x as fast",
    ]
