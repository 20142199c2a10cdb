"""What a training run shows: a live table on a terminal, plain lines elsewhere."""

import os
import sys
import time
from collections import deque
from typing import Any, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

SHOWN_EPOCHS = 12


class Display(Protocol):
    """Told what happens, in this order: stages with their steps, then the epoch's figures."""

    def stage(self, name: str, steps: int) -> None: ...
    def advance(self, done: int) -> None: ...
    def epoch(self, figures: dict[str, Any], seconds_left: float | None) -> None: ...
    def warn(self, message: str) -> None: ...
    def close(self) -> None: ...


def make_display() -> Display:
    return LiveTable() if sys.stdout.isatty() else Lines()


class Lines:
    """One line an epoch on standard output, warnings on standard error."""

    def stage(self, name: str, steps: int) -> None:
        pass

    def advance(self, done: int) -> None:
        pass

    def epoch(self, figures: dict[str, Any], seconds_left: float | None) -> None:
        cells = [f"{name} {text}" for name, text in row(figures, seconds_left).items()]
        by_problem = figures["success_by_problem"]
        if by_problem:
            cells.append("by problem " + " ".join(f"{each:.2f}" for each in by_problem.values()))
        say(", ".join(cells))

    def warn(self, message: str) -> None:
        print(f"warning: {message}", file=sys.stderr, flush=True)

    def close(self) -> None:
        pass


class LiveTable:
    """A table of the last epochs, the success of each problem, and what is going on."""

    def __init__(self) -> None:
        self._epochs: deque[dict[str, str]] = deque(maxlen=SHOWN_EPOCHS)
        self._by_problem: dict[str, float] = {}
        self._stage = Text("starting")
        self._name, self._steps, self._begin = "", 0, time.monotonic()
        self._console = Console()
        self._live = Live(self._render(), console=self._console, auto_refresh=False)
        self._live.start()
        self._last = 0.0

    def stage(self, name: str, steps: int) -> None:
        self._name, self._steps, self._begin = name, steps, time.monotonic()
        self.advance(0)

    def advance(self, done: int) -> None:
        if done and time.monotonic() - self._last < 0.2:
            return
        self._last = time.monotonic()
        seconds = time.monotonic() - self._begin
        self._stage = Text(f"{self._name}: {done} of {self._steps}, {seconds:.0f} s")
        self._refresh()

    def epoch(self, figures: dict[str, Any], seconds_left: float | None) -> None:
        self._epochs.append(row(figures, seconds_left))
        self._by_problem = figures["success_by_problem"]
        self._refresh()

    def warn(self, message: str) -> None:
        self._console.print(f"warning: {message}", style="yellow", markup=False)

    def close(self) -> None:
        self._stage = Text("")
        self._refresh()
        self._live.stop()

    def _refresh(self) -> None:
        self._live.update(self._render(), refresh=True)

    def _render(self) -> Group:
        table = Table()
        for name in self._epochs[-1] if self._epochs else ():
            table.add_column(name, justify="right")
        for each in self._epochs:
            table.add_row(*each.values())
        problems = Text()
        for name, success in self._by_problem.items():
            style = "green" if success == 1 else "red" if success == 0 else "yellow"
            problems.append(f"{short(name)} {success:.2f}  ", style=style)
        return Group(table, problems, self._stage)


def say(text: str) -> None:
    """Print a line; if nobody reads it any more, go on without."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def row(figures: dict[str, Any], seconds_left: float | None) -> dict[str, str]:
    """What is shown of an epoch."""
    cells = {
        "epoch": str(figures["epoch"]),
        "loss": f"{figures['loss']:.4f}",
        "success": f"{figures['success']:.3f}" if figures["rollouts"] else "-",
        "cost": "-" if figures["cost"] is None else f"{figures['cost']:.2f}",
        "states": str(figures["states"]),
        "samples": str(figures["samples"]),
        "MB": f"{figures['memory_bytes'] / 1e6:.1f}",
        "duplicates": str(figures["duplicates"]),
        "teacher calls": str(figures["teacher_searches"]),
        "teacher s": f"{figures['teacher_seconds']:.1f}",
        "policy s": f"{figures['policy_seconds']:.1f}",
        "optimiser s": f"{figures['optimise_seconds']:.1f}",
    }
    if "validation_success" in figures:
        cells["validation"] = f"{figures['validation_success']:.3f}"
    cells["time left"] = "-" if seconds_left is None else f"{seconds_left:.0f} s"
    return cells


def short(path: str) -> str:
    """The last part of a path, without what all problems share."""
    return path.rsplit("/", 1)[-1].removesuffix(".pddl")
