"""What `asnets evaluate` shows: a live table on a terminal, a line for each problem elsewhere."""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

from asnets.intervals import mean_interval
from asnets.results import Row


@dataclass
class Problem:
    """A problem of the evaluation with its rows so far."""

    path: Path
    sha256: str | None
    deterministic: bool | None = None
    rollouts: int | None = None
    """None until the task is known."""
    rows: dict[int, Row] = field(default_factory=dict)
    """By seed."""

    @property
    def is_done(self) -> bool:
        return self.rollouts is not None and len(self.rows) >= self.rollouts

    @property
    def successes(self) -> int:
        return sum(row.success for row in self.rows.values())

    @property
    def coverage(self) -> Fraction:
        return Fraction(self.successes, self.rollouts) if self.rollouts else Fraction(0)


class Summary:
    """Figures of the rows of one problem, or of several."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        rows = [row for problem in problems for row in problem.rows.values()]
        costs = [row.cost for row in rows if row.success and row.cost is not None]
        self.cost = fmean(costs) if costs else None
        self.interval = mean_interval(costs)
        steps = [row.steps for row in rows if row.steps is not None]
        self.steps = fmean(steps) if steps else None
        self.seconds = {
            phase: sum(row.seconds[phase] for row in rows) for phase in ("features", "network")
        }
        # Rows that share a grounding repeat its time.
        self.seconds["ground"] = sum(
            max((row.seconds["ground"] for row in problem.rows.values()), default=0.0)
            for problem in problems
        )
        peaks = [row.peak_kb for row in rows if row.peak_kb is not None]
        self.peak_kb = max(peaks, default=None)
        self.failures = Counter(row.reason for row in rows if not row.success)

    def cost_text(self) -> str:
        """Of the successes, with its 95% interval, which is Student's and so symmetric."""
        if self.cost is None:
            return "-"
        reach = "" if self.interval is None else f" ± {plain(self.interval[1] - self.cost, 3)}"
        return f"{plain(self.cost, 6)}{reach}"

    def steps_text(self) -> str:
        return "-" if self.steps is None else plain(self.steps, 4)

    def memory_text(self) -> str:
        return "-" if self.peak_kb is None else f"{self.peak_kb / 1024:.1f}"

    def seconds_text(self) -> str:
        phases = ("ground", "features", "network")
        return ", ".join(f"{phase} {self.seconds[phase]:.3f} s" for phase in phases)

    def failures_text(self) -> str:
        return ", ".join(
            reason if count == 1 and ":" in reason else f"{reason} {count}"
            for reason, count in self.failures.most_common()
        )


def plain(value: float, digits: int) -> str:
    """A number with so many digits, or all of those before the point."""
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e+" in text and abs(value) < 1e15 else text


def coverage_text(problems: Sequence[Problem]) -> str:
    """The sum over the problems of the fraction of successful rollouts, as the article has it. What
    is no whole number does not look like one."""
    value = sum((problem.coverage for problem in problems), Fraction(0))
    digits = 4
    text = f"{float(value):.{digits}f}"
    while value.denominator != 1 and set(text.partition(".")[2]) <= {"0"} and digits < 12:
        digits += 1
        text = f"{float(value):.{digits}f}"
    return f"{text.rstrip('0').rstrip('.')}/{len(problems)}"


def print_summary(problems: Sequence[Problem], is_whole: bool) -> None:
    """The figures of all problems; the last line is the coverage."""
    found = Summary(problems)
    done = sum(len(problem.rows) for problem in problems)
    successes = sum(problem.successes for problem in problems)
    print(f"problems: {len(problems)}; rollouts: {done}; successes: {successes}")
    if found.cost is not None:
        spread = found.interval
        ends = [plain(each, 4) for each in spread or ()]
        between = f" (95% interval {' to '.join(ends)})" if ends else ""
        print(f"mean cost of successes: {plain(found.cost, 6)}{between}")
    print(f"time: {found.seconds_text()}; peak memory {found.memory_text()} MB")
    print(f"coverage{'' if is_whole else ' so far'}: {coverage_text(problems)}", flush=True)


class Display(Protocol):
    def show(self) -> None: ...
    def finished(self, problem: Problem) -> None: ...
    def warn(self, message: str) -> None: ...
    def close(self) -> None: ...


def make_display(problems: Sequence[Problem]) -> Display:
    return LiveTable(problems) if sys.stdout.isatty() else Lines(problems)


class Lines:
    """A line for each finished problem on standard output, warnings on standard error."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self._problems = problems

    def show(self) -> None:
        pass

    def finished(self, problem: Problem) -> None:
        found = Summary([problem])
        text = f"{problem.path}: {problem.successes}/{problem.rollouts} successes"
        if not problem.is_done:
            text += f" in {len(problem.rows)}"
        text += f", cost {found.cost_text()}, steps {found.steps_text()}; {found.seconds_text()}"
        text += f"; {found.memory_text()} MB"
        if found.failures:
            text += f"; {found.failures_text()}"
        print(text, flush=True)

    def warn(self, message: str) -> None:
        print(f"warning: {message}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Tell of what was not finished, too."""
        for problem in self._problems:
            if problem.rows and not problem.is_done:
                self.finished(problem)


class LiveTable:
    """A row for each problem; as long as they do not fit, those that changed last."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        from rich.console import Console
        from rich.live import Live

        self._problems = problems
        self._seen = [-1] * len(problems)
        self._recent = list(reversed(range(len(problems))))
        """The one that changed last is the last."""
        self._console = Console()
        self._begin = time.monotonic()
        self._last = 0.0
        self._live = Live(self._render([]), console=self._console, auto_refresh=False)
        self._live.start()

    def show(self) -> None:
        if time.monotonic() - self._last < 0.2:
            return
        self._last = time.monotonic()
        for index, problem in enumerate(self._problems):
            if len(problem.rows) != self._seen[index]:
                self._seen[index] = len(problem.rows)
                if problem.rows:
                    self._recent.remove(index)
                    self._recent.append(index)
        most = max(1, self._console.height - 6)
        self._live.update(self._render(sorted(self._recent[-most:])), refresh=True)

    def finished(self, problem: Problem) -> None:
        self.show()

    def warn(self, message: str) -> None:
        self._console.print(f"warning: {message}", style="yellow", markup=False, highlight=False)

    def close(self) -> None:
        self._live.update(self._render(range(len(self._problems))), refresh=True)
        self._live.stop()

    def _render(self, shown: Iterable[int]) -> Any:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table()
        table.add_column("problem", overflow="fold")
        for name in ("done", "successes", "cost", "steps"):
            table.add_column(name, justify="right")
        for name in ("ground s", "features s", "network s", "MB"):
            table.add_column(name, justify="right")
        table.add_column("failures", overflow="fold")
        for problem in (self._problems[index] for index in shown):
            found = Summary([problem])
            rollouts = "?" if problem.rollouts is None else str(problem.rollouts)
            table.add_row(
                Text(str(problem.path)),
                f"{len(problem.rows)}/{rollouts}",
                str(problem.successes),
                found.cost_text(),
                found.steps_text(),
                *(f"{found.seconds[each]:.3f}" for each in ("ground", "features", "network")),
                found.memory_text(),
                Text(found.failures_text()),
            )
        done = sum(problem.is_done for problem in self._problems)
        seconds = time.monotonic() - self._begin
        return Group(table, Text(f"{done} of {len(self._problems)} problems done, {seconds:.0f} s"))
