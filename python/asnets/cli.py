"""The command line: `asnets ground`, `solve`, `train`, `prune`, `plan`, `evaluate`, `explain`, `info`,
`models`, `generate` and `build-downward`. One function a command: the file is long because each of their
options stands here once, with its help."""

import importlib.util
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from asnets import catalogue, generators, info, shipped
from asnets import plan as planning
from asnets._core import HEURISTICS, SEARCHES, SOLVERS, ground
from asnets.cli_options import (
    AvoidLoops,
    BackendName,
    DomainFile,
    FindDeadEnds,
    JsonFile,
    Limit,
    MemoryLimit,
    ModelFile,
    PlanFile,
    ProblemFile,
    ProblemName,
    Sample,
    Seed,
    Temperature,
    TimeLimit,
    not_nan,
    one_of,
)
from asnets.describe import describe, figures
from asnets.ending import fail, guarded, quiet_exit
from asnets.errors import UsageError
from asnets.exit_codes import ExitCode
from asnets.files import write_text
from asnets.limits import limits, peak_kb
from asnets.policy import find_model, reading
from asnets.shipped import read_model
from asnets.solve import Determinisation, Options, solve

DEFAULTS = Options()
EQUATION_FORMATS = ("text", "markdown", "latex", "json")

app = typer.Typer(
    help="Planning with Action Schema Networks.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
)


def main() -> None:
    """Entry point of the `asnets` command."""
    quiet_exit(lambda: run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code."""

    def command() -> int:
        try:
            result = app(list(arguments), prog_name="asnets", standalone_mode=False)
        except SystemExit as end:
            if end.code == 1:  # what typer makes of a broken pipe
                raise BrokenPipeError from None
            result = end.code  # of the argument parsers of train and build-downward
        if result == ExitCode.INTERRUPTED:  # what typer makes of Ctrl-C
            return fail("interrupted", ExitCode.INTERRUPTED)
        return int(result or ExitCode.SUCCESS)

    return guarded(command)


@app.command(name="ground")
def ground_command(
    domain: DomainFile,
    problem: ProblemFile = None,
    json_file: JsonFile = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List every proposition and action.")
    ] = False,
    problem_name: ProblemName = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
) -> None:
    """Ground a problem and describe it."""
    baseline = peak_kb()
    start = time.perf_counter()
    with limits(time_limit, memory_limit):
        task = ground(domain, problem, problem_name=problem_name)
    seconds = time.perf_counter() - start
    for warning in task.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    if json_file is not None:
        write_text(json_file, json.dumps(figures(task, seconds, baseline), indent=2) + "\n")
    if listing:
        for proposition in task.propositions:
            print("proposition", proposition)
        for action in task.actions:
            print("action", action)
    else:
        describe(task, seconds, baseline)


@app.command(name="solve")
def solve_command(
    domain: DomainFile,
    problem: ProblemFile = None,
    search: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            callback=one_of((*SEARCHES, *SOLVERS)),
            help=f"For a plan: {', '.join(SEARCHES)}; for a policy: {', '.join(SOLVERS)}. "
            "Default: astar, or lrtdp if the task is probabilistic.",
        ),
    ] = DEFAULTS.search,
    heuristic: Annotated[
        str,
        typer.Option(metavar="NAME", callback=one_of(HEURISTICS), help=f"{', '.join(HEURISTICS)}."),
    ] = DEFAULTS.heuristic,
    determinise: Annotated[
        Determinisation | None,
        typer.Option(help="Plan as if the outcomes of a probabilistic task could be chosen."),
    ] = DEFAULTS.determinise,
    problem_name: ProblemName = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    max_expansions: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=(1 << 63) - 1, help="Then give up.")
    ] = DEFAULTS.max_expansions,
    plan_file: PlanFile = DEFAULTS.plan_file,
    json_file: JsonFile = None,
    epsilon: Annotated[
        float,
        typer.Option(min=1e-12, max=1e9, callback=not_nan, help="Policies: residual to reach."),
    ] = DEFAULTS.epsilon,
    dead_end: Annotated[
        float,
        typer.Option(
            metavar="D", min=1e-6, max=1e12, callback=not_nan, help="Policies: cost of giving up."
        ),
    ] = DEFAULTS.dead_end,
    depth: Annotated[
        int, typer.Option(min=1, max=1 << 30, help="ssipp: actions to look ahead.")
    ] = DEFAULTS.depth,
    rollouts: Annotated[
        int, typer.Option(min=0, max=1 << 30, help="Policies: executions to run.")
    ] = DEFAULTS.rollouts,
    seed: Annotated[
        int, typer.Option(min=0, max=1 << 62, help="Of the first execution; the next has seed + 1.")
    ] = DEFAULTS.seed,
    max_steps: Annotated[
        int, typer.Option(min=1, max=1 << 30, help="Of an execution.")
    ] = DEFAULTS.max_steps,
) -> int:
    """Find a plan, or a policy for a probabilistic problem."""
    options = Options(
        search=search,
        heuristic=heuristic,
        determinise=determinise,
        problem_name=problem_name,
        time_limit=time_limit,
        memory_limit=memory_limit,
        max_expansions=max_expansions,
        plan_file=plan_file,
        json_file=json_file,
        epsilon=epsilon,
        dead_end=dead_end,
        depth=depth,
        rollouts=rollouts,
        seed=seed,
        max_steps=max_steps,
    )
    return solve(domain, problem, options)


@app.command(name="plan")
def plan_command(
    domain: DomainFile,
    problem: ProblemFile = None,
    *,
    model: ModelFile,
    plan_file: PlanFile = None,
    limit: Limit = 300,
    sample: Sample = False,
    temperature: Temperature = 1.0,
    seed: Seed = 0,
    avoid_loops: AvoidLoops = None,
    find_dead_ends: FindDeadEnds = False,
    backend: BackendName = "native",
    problem_name: ProblemName = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    json_file: JsonFile = None,
) -> int:
    """Act on a problem as a trained network does; a plan is validated before it is written."""
    options = planning.Options(
        model=find_model(model),
        problem_name=problem_name,
        backend=backend,
        limit=limit,
        sample=sample,
        temperature=temperature,
        seed=seed,
        avoid_loops=avoid_loops,
        find_dead_ends=find_dead_ends,
        time_limit=time_limit,
        memory_limit=memory_limit,
        plan_file=plan_file,
        json_file=json_file,
    )
    return planning.plan(domain, problem, options)


@app.command(name="evaluate")
def evaluate_command(
    domain: DomainFile,
    problems: Annotated[list[Path], typer.Argument(help="Problem files.")],
    *,
    model: ModelFile,
    rollouts: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1 << 30,
            help="Of each problem. Default: 30 if it is probabilistic, else 10 with --sample and 1 "
            "without.",
        ),
    ] = None,
    limit: Limit = 300,
    sample: Sample = False,
    temperature: Temperature = 1.0,
    seed: Annotated[
        int, typer.Option(min=0, max=1 << 62, help="Of the first rollout; the next has seed + 1.")
    ] = 0,
    avoid_loops: AvoidLoops = None,
    find_dead_ends: FindDeadEnds = False,
    backend: BackendName = "native",
    workers: Annotated[
        int, typer.Option(min=0, max=1024, help="Processes; 0: one for each core.")
    ] = 0,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.001,
            max=1e9,
            callback=not_nan,
            help="For grounding a problem, and for each rollout.",
        ),
    ] = None,
    memory_limit: Annotated[
        int | None,
        typer.Option(
            metavar="MB", min=1, max=1 << 40, help="Of resident memory, for each process."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Append a JSON line for each rollout; what is there already is not run again.",
        ),
    ] = None,
) -> int:
    """Run a trained network on many problems, and count how often it reaches the goal."""
    from asnets import evaluate as evaluation  # the other commands need no processes

    options = evaluation.Options(
        model=find_model(model),
        backend=backend,
        rollouts=rollouts,
        limit=limit,
        sample=sample,
        temperature=temperature,
        seed=seed,
        avoid_loops=avoid_loops,
        find_dead_ends=find_dead_ends,
        workers=workers,
        time_limit=time_limit,
        memory_limit=memory_limit,
        output=output,
    )
    return evaluation.evaluate(domain, problems, options)


@app.command(
    name="train",
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def train_command(context: typer.Context) -> int:
    """Train a policy for a domain: python -m asnets_train under another name."""
    from asnets_train import command

    return command.run(context.args, prog="asnets train")


@app.command(name="prune")
def prune_command(
    model_file: Annotated[
        str, typer.Argument(metavar="MODEL", help="Model file, or name of one that ships.")
    ],
    domain: DomainFile,
    problems: Annotated[list[Path], typer.Argument(help="Problems that it must go on solving.")],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The smaller model.")
    ],
    tolerance: Annotated[
        float,
        typer.Option(min=0.0, max=1e9, callback=not_nan, help="Drop smaller weights first."),
    ] = 1e-3,
    rollouts: Annotated[
        int, typer.Option(min=2, max=1 << 20, help="Of each probabilistic problem.")
    ] = 30,
    limit: Limit = 300,
    steps: Annotated[
        int,
        typer.Option(min=1, max=1 << 20, help="Of the optimiser, after weights were dropped."),
    ] = 150,
    seed: Seed = 0,
    time_limit: TimeLimit = None,
) -> int:
    """Leave out the weights that a policy can do without: it solves the same problems at the same cost."""
    chosen = find_model(model_file)
    _check_torch()
    from asnets_train import prune_command as pruning
    from asnets_train.prune import Options as PruneOptions

    options = PruneOptions(
        tolerance=tolerance, rollouts=rollouts, limit=limit, seed=seed, steps=steps
    )
    return pruning.prune(chosen, domain, problems, output, options, time_limit)


@app.command(name="explain")
def explain_command(
    model_file: Annotated[
        str, typer.Argument(metavar="MODEL", help="Model file, or name of one that ships.")
    ],
    domain: Annotated[
        Path | None, typer.Argument(help="Domain file; without it, print the equations.")
    ] = None,
    problem: ProblemFile = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            callback=one_of(EQUATION_FORMATS),
            help=f"Of the equations: {', '.join(EQUATION_FORMATS)}.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="With a problem the page, else the equations."
        ),
    ] = None,
    png: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A picture of --step, else of the first.")
    ] = None,
    step: Annotated[
        int | None,
        typer.Option(min=1, max=1 << 30, help="Say why this decision of the run was taken."),
    ] = None,
    nodes: Annotated[
        int,
        typer.Option(
            min=1, max=1 << 20, help="Actions and propositions on a page: those near decisions."
        ),
    ] = 600,
    limit: Limit = 300,
    seed: Seed = 0,
    problem_name: ProblemName = None,
) -> int:
    """Show how a network decides: as equations, as a page of its activations, in words."""
    from asnets.explain import command as explaining

    options = explaining.Options(
        model=find_model(model_file),
        problem_name=problem_name,
        form=form,
        output=output,
        png=png,
        step=step,
        nodes=nodes,
        seed=seed,
        limit=limit,
    )
    return explaining.explain(domain, problem, options)


def _check_torch() -> None:
    if importlib.util.find_spec("torch") is None:
        raise UsageError("this needs torch: pip install 'asnets[train]'")


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


@app.command(name="info")
def info_command(
    model_file: Annotated[
        str, typer.Argument(metavar="MODEL", help="Model file, or name of one that ships.")
    ],
    json_file: JsonFile = None,
    domain: Annotated[
        bool, typer.Option("--domain", help="Print the PDDL text of its domain instead.")
    ] = False,
) -> None:
    """Describe a trained network."""
    with reading(model_file):
        model = read_model(model_file)
    found = info.figures(model)
    if json_file is not None:
        write_text(json_file, json.dumps(found, indent=2) + "\n")
    if domain:
        sys.stdout.write(model.domain_text)
    else:
        info.describe(found)


@app.command(name="models")
def models_command(
    name: Annotated[
        str | None, typer.Argument(help="Show the record of this one, and its path.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """List the trained networks that ship with the package; the other commands know their names."""
    chosen = shipped.names() if name is None else (name,)
    records = [shipped.read_record(each) for each in chosen]
    if json_file is not None:
        found = [record.as_json() for record in records]
        text = json.dumps(found if name is None else found[0], indent=2)
        write_text(json_file, text + "\n")
    if name is None:
        catalogue.list_models(records)
    else:
        catalogue.show_model(records[0])


@app.command(
    name="build-downward",
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def build_downward_command(context: typer.Context) -> int:
    """Build Fast Downward with the policy plugin, for the command fast-downward."""
    from downward_patch import build

    return int(build.main(context.args))
