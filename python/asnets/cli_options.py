"""Arguments and options that several commands have."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from asnets.policy import Backend


def one_of(names: Sequence[str]) -> Callable[[str | None], str | None]:
    """Check an option against a registry."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(names)}.")
        return value

    return check


def not_nan(value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise typer.BadParameter("expected a number, found nan.")
    return value


DomainFile = Annotated[Path, typer.Argument(help="Domain file.")]
ProblemFile = Annotated[
    Path | None, typer.Argument(help="Problem file; without it, the first file holds both.")
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the figures as JSON.")
]
ProblemName = Annotated[
    str | None,
    typer.Option("--problem-name", metavar="NAME", help="Which problem of a file with several."),
]
PlanFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the plan there, not to standard output.")
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="SECONDS", min=0.001, max=1e9, callback=not_nan),
]
MemoryLimit = Annotated[
    int | None,
    typer.Option(
        "--memory-limit", metavar="MB", min=1, max=1 << 40, help="Of resident memory, in all."
    ),
]
ModelFile = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        help="File that training wrote, or name of a model that ships (asnets models).",
    ),
]
BackendName = Annotated[
    Backend, typer.Option(help="torchscript runs the exported network with torch, to compare.")
]
Limit = Annotated[int, typer.Option(min=1, max=1 << 30, help="Steps at most.")]
Sample = Annotated[bool, typer.Option("--sample", help="Draw actions by their probabilities.")]
Temperature = Annotated[
    float,
    typer.Option(min=1e-6, max=1e6, callback=not_nan, help="With --sample: below 1, bolder."),
]
Seed = Annotated[int, typer.Option(min=0, max=1 << 62, help="Equal seeds give equal runs.")]
AvoidLoops = Annotated[
    bool | None,
    typer.Option(
        "--avoid-loops/--no-avoid-loops",
        help="Never repeat an action in a state while another one is left. Default: in deterministic "
        "problems without --sample.",
    ),
]
FindDeadEnds = Annotated[
    bool, typer.Option("--find-dead-ends", help="Stop where h_max says the goal is out of reach.")
]
