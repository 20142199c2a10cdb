"""The command `asnets explain`: a network's equations, its activations on a problem as a page or a picture,
or one of its decisions in words."""

import sys
from dataclasses import dataclass
from pathlib import Path

from asnets._core import ground
from asnets.errors import UsageError
from asnets.exit_codes import ExitCode
from asnets.explain.equations import Writer
from asnets.explain.network import NetworkParts
from asnets.explain.notation import FORMATS
from asnets.explain.reasons import decision, words
from asnets.explain.rollout import Rollout
from asnets.files import write_text
from asnets.policy import read_policy


@dataclass(frozen=True)
class Options:
    model: Path
    problem_name: str | None = None
    form: str | None = None
    """Of the equations; one of FORMATS."""
    output: Path | None = None
    png: Path | None = None
    step: int | None = None
    """From 1."""
    nodes: int = 600
    """Of a page: what is furthest from the decisions is left out."""
    seed: int = 0
    limit: int = 300


def explain(domain: Path | None, problem: Path | None, options: Options) -> ExitCode:
    """Without a problem: equations. With one: what is asked for, of a run of the policy."""
    _check_paths([domain, problem, options.model], [options.output, options.png])
    if domain is None:
        return _equations(options)
    if options.form is not None:
        raise UsageError("--format is about equations, which need no problem")
    if options.output is None and options.png is None and options.step is None:
        raise UsageError("expected -o PAGE, --png FILE or --step N: what to make of the run")
    policy = read_policy(options.model, "native")
    task = ground(domain, problem, problem_name=options.problem_name)
    for warning in task.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    policy.of(task)  # a model for another domain is refused before anything else
    rollout = Rollout(policy, task, seed=options.seed, limit=options.limit)
    if options.step is not None:
        found = decision(rollout, options.step)
        sys.stdout.write(words(found))
    if options.output is not None or options.png is not None:
        _draw(rollout, options)
    return ExitCode.SUCCESS


def _equations(options: Options) -> ExitCode:
    for flag, value in (("--png", options.png), ("--step", options.step)):
        if value is not None:
            raise UsageError(f"{flag} needs a domain and a problem to run the policy on")
    model = read_policy(options.model, "native").model
    parts = NetworkParts.of(model)
    text = FORMATS[options.form or "text"](parts, Writer(parts, model.domain_text).layers())
    if options.output is not None:
        write_text(options.output, text)
    else:
        sys.stdout.write(text)
    return ExitCode.SUCCESS


def _draw(rollout: Rollout, options: Options) -> None:
    from asnets.explain.drawing import Drawing  # a drawing takes libraries that words do not

    drawing = Drawing(rollout, nodes=options.nodes)
    if options.output is not None:
        from asnets.explain.page import write_page

        write_page(drawing, options.output)
        print(f"{options.output}: {options.output.stat().st_size:,} bytes")
    if options.png is not None:
        from asnets.explain.picture import write_picture

        write_picture(drawing, options.png, step=options.step or 1)
        print(f"{options.png}: step {options.step or 1}")


def _check_paths(inputs: list[Path | None], outputs: list[Path | None]) -> None:
    """Nothing that is written may replace something else of the command."""
    read = {path.resolve() for path in inputs if path is not None}
    written = [path for path in outputs if path is not None]
    for path in written:
        if path.resolve() in read:
            raise UsageError(f"{path}: would be written, but is also given to be read")
    if len({path.resolve() for path in written}) < len(written):
        raise UsageError(f"{written[0]}: the page is also the picture")
