"""The command line: `asnets ground`, `asnets generate`."""

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from asnets import generators
from asnets._core import Task, ground
from asnets.errors import PddlError
from asnets.exit_codes import ExitCode
from asnets.files import OutputError, write_text
from asnets.limits import OutOfTimeError, limits, peak_kb

app = typer.Typer(
    help="Planning with Action Schema Networks.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
)


def main() -> None:
    """Entry point of the `asnets` command."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        getattr(sys, name).reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; a user's mistake is one message on stderr."""
    try:
        result = app(list(arguments), prog_name="asnets", standalone_mode=False)
        if result == ExitCode.INTERRUPTED:  # what typer makes of Ctrl-C
            return _fail("interrupted", ExitCode.INTERRUPTED)
        sys.stdout.flush()
        return int(result or ExitCode.SUCCESS)
    except typer.TyperException as error:
        return _fail(error.format_message(), ExitCode.USAGE)
    except generators.DomainError as error:
        return _fail(str(error), ExitCode.USAGE)
    except PddlError as error:
        return _fail(str(error), ExitCode.BAD_INPUT)
    except BrokenPipeError:
        _drop_output()
        return ExitCode.BROKEN_PIPE
    except OutputError as error:
        return _fail(f"{error.filename}: cannot write: {error.strerror}", ExitCode.OUTPUT_FAILED)
    except OSError as error:
        if error.filename is None:  # not one of our files: the standard output
            _drop_output()
            return _fail(f"cannot write: {error.strerror}", ExitCode.OUTPUT_FAILED)
        return _fail(f"{error.filename}: {error.strerror}", ExitCode.BAD_INPUT)
    except MemoryError:
        return _fail("out of memory", ExitCode.OUT_OF_MEMORY)
    except OutOfTimeError:
        return _fail("time limit reached", ExitCode.OUT_OF_TIME)
    except KeyboardInterrupt:
        return _fail("interrupted", ExitCode.INTERRUPTED)


def _drop_output() -> None:
    """Keep what could not be printed from being tried again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: ExitCode) -> int:
    print(message, file=sys.stderr)
    return code


@app.command(name="ground")
def ground_command(
    domain: Annotated[Path, typer.Argument(help="Domain file.")],
    problem: Annotated[
        Path | None, typer.Argument(help="Problem file; without it, the first file holds both.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the figures as JSON.")
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List every proposition and action.")
    ] = False,
    problem_name: Annotated[
        str | None,
        typer.Option(
            "--problem-name", metavar="NAME", help="Which problem of a file with several."
        ),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", metavar="SECONDS", min=0.001, max=1e9)
    ] = None,
    memory_limit: Annotated[
        int | None, typer.Option("--memory-limit", metavar="MB", min=1, max=1 << 40)
    ] = None,
) -> None:
    """Ground a problem and describe it."""
    baseline = peak_kb()
    start = time.perf_counter()
    with limits(time_limit, memory_limit):
        task = ground(domain, problem, problem_name=problem_name)
    seconds = time.perf_counter() - start
    for warning in task.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    figures = _figures(task, seconds, baseline)
    if json_file is not None:
        write_text(json_file, json.dumps(figures, indent=2) + "\n")
    if listing:
        for proposition in task.propositions:
            print("proposition", proposition)
        for action in task.actions:
            print("action", action)
    else:
        _describe(task, seconds, baseline)


def _figures(task: Task, seconds: float, baseline: int) -> dict[str, object]:
    return {
        "domain": task.domain_name,
        "problem": task.problem_name,
        "objects": len(task.objects),
        "propositions": len(task.propositions),
        "actions": len(task.actions),
        "initial_states": len(task.initial_states),
        "deterministic": task.is_deterministic,
        "schemas": {schema.name: len(schema.action_range) for schema in task.schemas},
        "warnings": list(task.warnings),
        "seconds": seconds,
        "peak_kb": peak_kb(),
        "baseline_kb": baseline,
    }


def _describe(task: Task, seconds: float, baseline: int) -> None:
    kind = "deterministic" if task.is_deterministic else "probabilistic"
    print(f"{task.problem_name} of domain {task.domain_name} ({kind})")
    print(
        f"{len(task.objects):,} objects, {len(task.propositions):,} propositions, "
        f"{len(task.actions):,} actions; {seconds:.3f} s, "
        f"{(peak_kb() - baseline) / 1024:.1f} MB above {baseline / 1024:.1f} MB"
    )
    rows = [("schema", "parameters", "actions", "outcomes")]
    for schema in task.schemas:
        first = task.actions[schema.action_range.start] if schema.action_range else None
        rows.append(
            (
                schema.name,
                str(len(schema.parameters)),
                f"{len(schema.action_range):,}",
                str(len(first.outcomes)) if first is not None else "-",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [row[i].rjust(widths[i]) for i in (1, 2, 3)]
        print("  " + "  ".join(cells))


@app.command(name="generate")
def generate_command(
    domain: Annotated[str, typer.Argument(help="One of: " + ", ".join(generators.names()) + ".")],
    size: Annotated[
        int, typer.Option(help="Size of the problem: blocks, booths, side of the grid.")
    ],
    seed: Annotated[int, typer.Option(help="Equal seeds give equal problems.")] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="NAME=NUMBER", help="An option of the generator; repeatable."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Else standard output.")
    ] = None,
) -> None:
    """Write a random problem of one of the domains that ship with the package."""
    values = {}
    for each in option or []:
        name, _, number = each.partition("=")
        try:
            values[name] = int(number)
        except ValueError:
            raise typer.BadParameter(f"expected --option NAME=NUMBER, found {each}") from None
    text = generators.problem_text(domain, size, seed, values)
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(output, text)
