"""Single steps: training a network and running it, by our own commands. Each goes on where it was
interrupted, and costs little where nothing is left to do."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asnets.exit_codes import ExitCode
from asnets.results import Row as Rollout
from asnets.results import parse_row
from benchmarks.article.protocol import MEMORY_MB, STEPS

GRACE = 60  # seconds for a command to end after Ctrl-C


@dataclass(frozen=True)
class Lesson:
    """What a network is trained on."""

    domain: Path
    training: Sequence[Path]
    validation: Sequence[Path]
    seconds: float
    seed: int
    options: Sequence[str]


@dataclass(frozen=True)
class Trained:
    seconds: float
    epochs: int
    end: str


def train(model: Path, lesson: Lesson) -> Trained:
    folder = model.with_name(model.name + ".run")
    folder.parent.mkdir(parents=True, exist_ok=True)
    summary = _summary(folder)
    if not (summary and summary["finished"] and model.exists()):
        if (folder / "config.json").exists():
            command = ["train", "-o", model, "--resume"]
        else:
            command = ["train", lesson.domain, *lesson.training, "-o", model, "--seed", lesson.seed,
                       "--validation", *lesson.validation, "--time-limit", lesson.seconds,
                       *lesson.options]  # fmt: skip
        run(command, model.parent / "log.txt")
        summary = _summary(folder)
    if summary is None or not model.exists():
        sys.exit(f"{model}: training gave no model, see {model.parent / 'log.txt'}")
    if summary["finished"]:  # it may have gigabytes, and nothing goes on from it
        (folder / "checkpoint.pt").unlink(missing_ok=True)
    return Trained(summary["seconds"], summary["epochs"], summary["end"])


def _summary(folder: Path) -> dict[str, Any] | None:
    """How a training run ended; one whose weights diverged has a model, but is not finished."""
    try:
        return json.loads((folder / "summary.json").read_text())
    except (OSError, ValueError):
        return None


def evaluate(
    model: Path, domain: Path, problems: Sequence[Path], output: Path, options: Sequence[str] = ()
) -> list[Rollout]:
    """All rows of the output file, which may have more problems than these."""
    run(
        ["evaluate", domain, *problems, "-m", model, "--limit", STEPS,
         "--memory-limit", MEMORY_MB, "-o", output, *options],
        model.parent / "log.txt",
    )  # fmt: skip
    return [parse_row(line) for line in output.read_bytes().splitlines()]


def seconds_of(rollout: Rollout) -> float:
    """From reading the files on; that is done once, and the first rollout has it."""
    phases = ("ground", "bind", "rollout") if rollout.seed == 0 else ("rollout",)
    return sum(rollout.seconds[phase] for phase in phases)


def run(command: Sequence[object], log: Path) -> None:
    """A command of ours; its output goes to a file. Ctrl-C reaches it too, and it may end in order."""
    words = [sys.executable, "-m", "asnets", *map(str, command)]
    print(f"asnets {words[3]}, see {log}", flush=True)
    with log.open("a") as file:
        process = subprocess.Popen(words, stdout=file, stderr=subprocess.STDOUT)
        try:
            code = process.wait()
        except BaseException:
            try:
                process.wait(GRACE)
            finally:
                process.kill()
            raise
    if code not in (ExitCode.SUCCESS, ExitCode.GAVE_UP):
        sys.exit(f"asnets {words[3]}: exit code {code}, see {log}")
