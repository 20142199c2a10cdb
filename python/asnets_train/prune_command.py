"""The command `asnets prune`: from a model file to a smaller one."""

import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import torch

from asnets import Model, Task, ground
from asnets.errors import ModelError, PddlError, UsageError
from asnets.exit_codes import ExitCode
from asnets.limits import Deadline, OutOfTimeError, signals_held
from asnets.policy import reading
from asnets.shipped import read_model
from asnets_train.display import say
from asnets_train.export import export_model
from asnets_train.prune import Options, Pruner


def prune(
    model_file: Path,
    domain: Path,
    problems: Sequence[Path],
    output: Path,
    options: Options,
    time_limit: float | None,
) -> int:
    """Write the smallest model that was found until then, also when interrupted."""
    inputs = [each.resolve() for each in (model_file, domain, *problems)]
    if output.resolve() in inputs:
        raise UsageError(f"{output}: would be written, but is also given to be read")
    begin = time.monotonic()
    deadline = Deadline(time_limit)
    torch.set_num_threads(1)  # the batch is small
    with reading(model_file):
        model = read_model(model_file)
    tasks = [ground(domain, each) for each in problems]
    for warning in [each for task in tasks for each in task.warnings]:
        print(f"warning: {warning}", file=sys.stderr)
    pruner = _pruner(model_file, model, tasks, options)
    solved = sum(each.successes > 0 for each in pruner.wanted)
    if solved == 0:
        print(f"{model_file} solves none of the problems: nothing to keep", file=sys.stderr)
        return ExitCode.GAVE_UP
    if solved < len(tasks):
        print(f"warning: it solves {solved} of {len(tasks)} problems", file=sys.stderr)
    reason, code = "no weight can be left out", ExitCode.SUCCESS
    try:
        pruner.run(deadline)
    except OutOfTimeError:
        reason = "time limit"
    except KeyboardInterrupt:
        reason, code = "interrupted", ExitCode.INTERRUPTED
    with signals_held():
        seconds = round(time.monotonic() - begin, 1)
        _write(pruner, model, output, list(map(str, problems)), reason, seconds)
    return code


def _pruner(model_file: Path, model: Model, tasks: list[Task], options: Options) -> Pruner:
    try:
        return Pruner(model, tasks, options, say)
    except PddlError:
        raise
    except ValueError as error:
        raise ModelError(str(model_file), f"not for this domain: {error}") from None


def _write(
    pruner: Pruner, model: Model, output: Path, problems: list[str], reason: str, seconds: float
) -> None:
    manifest = model.manifest
    before = sum(int((array != 0).sum()) for array in model.arrays)
    record = manifest.get("training")
    export_model(
        pruner.network(),
        output,
        signature=manifest["signature"],
        features=manifest["features"],
        pooling=manifest["pooling"],
        domain_name=model.domain_name,
        domain_text=model.domain_text,
        training={
            **(record if isinstance(record, dict) else {}),
            "pruned": {
                "end": reason,
                "seconds": seconds,
                "weights_before": before,
                "weights": pruner.weights.size,
                "problems": problems,
                "options": asdict(pruner.options),
            },
        },
    )
    say(f"{reason}: {seconds:.0f} s")
    say(f"{output}: {pruner.weights.size:,} weights that are not 0, of {before:,}")
