"""The command `asnets plan`: act as a trained network does, and check what comes of it."""

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from asnets._core import Run, Task, ground
from asnets.errors import UsageError
from asnets.exit_codes import ExitCode
from asnets.files import write_text
from asnets.limits import Deadline, OutOfTimeError, limits, peak_kb
from asnets.plans import PlanError, checked_text, number
from asnets.policy import Backend, read_policy

FAILURES = {
    "dead end": "dead end: {left} after {steps} steps",
    "loop": "loop: after {steps} steps it is where it was before",
    "step limit": "no goal within {steps} steps (--limit)",
}


@dataclass(frozen=True)
class Options:
    model: Path
    problem_name: str | None = None
    backend: Backend = "native"
    limit: int = 300
    sample: bool = False
    temperature: float = 1.0
    seed: int = 0
    avoid_loops: bool | None = None
    find_dead_ends: bool = False
    time_limit: float | None = None
    """Seconds, grounding included."""
    memory_limit: int | None = None
    """MB of resident memory."""
    plan_file: Path | None = None
    json_file: Path | None = None


def plan(domain: Path, problem: Path | None, options: Options) -> ExitCode:
    """Run a policy on a problem and say how it went; a failure is one line on stderr."""
    _check_paths(domain, problem, options)
    deadline = Deadline(options.time_limit)
    seconds: dict[str, float] = {}
    begin = time.perf_counter()

    def phase(name: str) -> None:
        nonlocal begin
        now = time.perf_counter()
        seconds[name] = now - begin
        begin = now

    with limits(deadline.left(), options.memory_limit):
        policy = read_policy(options.model, options.backend)
        phase("model")
        task = ground(domain, problem, problem_name=options.problem_name)
        phase("ground")
        bound = policy.bind(task)
        phase("bind")
    for warning in task.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    is_plan = task.is_deterministic and len(task.initial_states) == 1
    if options.plan_file is not None and not is_plan:
        raise UsageError("--plan-file: the task is probabilistic, and one sample is not a plan")
    with limits(None, options.memory_limit):
        run = bound.run(
            options.seed,
            options.limit,
            options.sample,
            temperature=options.temperature,
            avoid_loops=options.avoid_loops,
            find_dead_ends=options.find_dead_ends,
            time_limit=deadline.left(),
        )
    phase("act")
    seconds |= run.seconds
    with limits(deadline.left() if run.end != "time limit" else None, options.memory_limit):
        if is_plan and run.reached_goal:
            _accept(task, run, options.plan_file)
        elif not is_plan:
            _tell(task, run)
    phase("validate")
    _report(task, run, seconds)
    if options.json_file is not None:
        write_text(
            options.json_file, json.dumps(_figures(task, run, seconds, options), indent=2) + "\n"
        )
    if run.end == "time limit":
        raise OutOfTimeError
    if run.reached_goal:
        return ExitCode.SUCCESS
    sys.stdout.flush()
    left = (
        "no action is applicable" if not run.states[-1].applicable() else "the goal is out of reach"
    )
    message = FAILURES[run.end].format(left=left, steps=len(run))
    if run.end == "loop":
        message += " (try without --no-avoid-loops, or --sample)"
    print(message, file=sys.stderr)
    return ExitCode.GAVE_UP


def _check_paths(domain: Path, problem: Path | None, options: Options) -> None:
    """Nothing that is written may replace something else of the command."""
    inputs = {path.resolve() for path in (domain, problem, options.model) if path is not None}
    for path in (options.plan_file, options.json_file):
        if path is not None and path.resolve() in inputs:
            raise UsageError(f"{path}: would be written, but is also given to be read")
    outputs = [
        path.resolve() for path in (options.plan_file, options.json_file) if path is not None
    ]
    if len(outputs) > len(set(outputs)):
        raise UsageError(f"{options.plan_file}: the plan file is also the JSON file")


def _accept(task: Task, run: Run, file: Path | None) -> None:
    """Validate a plan from its text, then write or print it."""
    text = checked_text(task, run.actions, run.cost)
    if file is not None:
        write_text(file, text)
    else:
        sys.stdout.write(text)
    print(f"plan validated: {len(run)} actions, cost {number(run.cost)}")


def _tell(task: Task, run: Run) -> None:
    """Print a trajectory of a probabilistic task, after checking it step by step."""
    states = run.states
    if states[0] not in [state for state, _ in task.initial_states]:
        raise PlanError("the trajectory does not begin in an initial state")
    for index, action in enumerate(run.actions):
        chances = dict(task.successors(states[index], action))
        if states[index + 1] not in chances:
            raise PlanError(f"step {index + 1}: {action} does not lead where it did")
        chance = chances[states[index + 1]]
        print(str(action) + (f"  ; probability {chance:.6g}" if chance < 1 else ""))
    end = "reaches the goal" if run.reached_goal else "does not reach the goal"
    print(f"; one sample, {len(run)} actions, cost {number(run.cost)}: {end}")


def _report(task: Task, run: Run, seconds: dict[str, float]) -> None:
    print(
        f"{task.problem_name} of domain {task.domain_name}: {len(task.actions):,} actions; "
        f"steps {len(run)}, cost {number(run.cost)}, loops avoided {run.avoided}"
    )
    phases = ("model", "ground", "bind", "features", "network", "validate")
    total = sum(seconds.values()) - seconds["features"] - seconds["network"]
    listed = ", ".join(f"{name} {seconds[name]:.4f}" for name in phases)
    print(f"seconds: {listed}; all {total:.4f}; peak memory {peak_kb() / 1024:.1f} MB")


def _figures(
    task: Task, run: Run, seconds: dict[str, float], options: Options
) -> dict[str, object]:
    return {
        "domain": task.domain_name,
        "problem": task.problem_name,
        "deterministic": task.is_deterministic and len(task.initial_states) == 1,
        "model": str(options.model),
        "backend": options.backend,
        "seed": options.seed,
        "end": run.end,
        "reached_goal": run.reached_goal,
        "steps": len(run),
        "cost": run.cost,
        "avoided": run.avoided,
        "actions": [str(action) for action in run.actions],
        "seconds": seconds,
        "peak_kb": peak_kb(),
    }
