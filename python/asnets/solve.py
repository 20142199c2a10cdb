"""The command `asnets solve`: a validated plan, or a policy with its value and executions."""

import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Literal

from asnets._core import (
    SEARCHES,
    SOLVERS,
    Action,
    Heuristic,
    Solver,
    Statistics,
    Task,
    default_solver,
    ground,
    search,
)
from asnets.errors import UsageError
from asnets.exit_codes import ExitCode
from asnets.files import write_text
from asnets.intervals import mean_interval, rate_interval
from asnets.limits import Deadline, OutOfTimeError, limits, peak_kb
from asnets.plans import checked_text, number, read_plan

Determinisation = Literal["all_outcomes", "most_likely"]

# What stopped a search short, by the core's name for it.
FAILURES = {
    "unsolvable": (ExitCode.UNSOLVABLE, "unsolvable: there is no plan"),
    "out of expansions": (ExitCode.GAVE_UP, "gave up: expansion limit reached"),
    "out of memory": (ExitCode.OUT_OF_MEMORY, "out of memory"),
    "out of time": (ExitCode.OUT_OF_TIME, "time limit reached"),
}


@dataclass(frozen=True)
class Options:
    search: str | None = None
    """One of SEARCHES or SOLVERS; None: astar or lrtdp, as the task is deterministic or not."""
    heuristic: str = "lm_cut"
    determinise: Determinisation | None = None
    problem_name: str | None = None
    time_limit: float | None = None
    """Seconds, grounding included."""
    memory_limit: int | None = None
    """MB of resident memory."""
    max_expansions: int | None = None
    plan_file: Path | None = None
    json_file: Path | None = None
    epsilon: float = 1e-4
    dead_end: float = 500.0
    depth: int = 3
    rollouts: int = 30
    seed: int = 0
    max_steps: int = 300


def solve(domain: Path, problem: Path | None, options: Options) -> ExitCode:
    """Solve a problem and say how it went; a failure is one line on stderr."""
    return _Run(options).run(domain, problem)


class _Run:
    def __init__(self, options: Options) -> None:
        self.options = options
        self.deadline = Deadline(options.time_limit)
        self.figures: dict[str, object] = {}
        """What the JSON file will hold."""

    def run(self, domain: Path, problem: Path | None) -> ExitCode:
        start = time.perf_counter()
        with limits(self.deadline.left(), self.options.memory_limit):
            task = ground(domain, problem, problem_name=self.options.problem_name)
        seconds = time.perf_counter() - start
        for warning in task.warnings:
            print(f"warning: {warning}", file=sys.stderr)
        name = self._search_for(task)
        kind = "deterministic" if task.is_deterministic else "probabilistic"
        print(
            f"{task.problem_name} of domain {task.domain_name} ({kind}): "
            f"{len(task.propositions):,} propositions, {len(task.actions):,} actions",
            flush=True,
        )
        self.figures |= {
            "domain": task.domain_name,
            "problem": task.problem_name,
            "deterministic": task.is_deterministic,
            "determinisation": self.options.determinise,
            "search": name,
            "heuristic": self.options.heuristic,
            "ground_seconds": seconds,
        }
        run = self._find_plan if name in SEARCHES else self._find_policy
        code, message = run(task, name)
        if self.options.json_file is not None:
            self.figures["exit_code"] = int(code)
            write_text(self.options.json_file, json.dumps(self.figures, indent=2) + "\n")
        if message is not None:
            sys.stdout.flush()
            print(message, file=sys.stderr)
        return code

    def _search_for(self, task: Task) -> str:
        """The search to run; raises UsageError if it cannot do what was asked."""
        options = self.options
        certain = task.is_deterministic and len(task.initial_states) == 1
        name = options.search
        if name is None:
            wants_plan = certain or options.determinise is not None
            name = "astar" if wants_plan else default_solver(task)
        if name in SOLVERS:
            if options.determinise is not None:
                raise UsageError(f"--determinise goes with {' or '.join(SEARCHES)}, not {name}")
            if options.plan_file is not None and not certain:
                raise UsageError(
                    "--plan-file: the task is probabilistic, and a policy is not a plan"
                )
        elif len(task.initial_states) > 1:
            raise UsageError(
                f"{name} needs one initial state, but the task has {len(task.initial_states)}; "
                f"use --search {' or '.join(SOLVERS)}"
            )
        elif not task.is_deterministic and options.determinise is None:
            raise UsageError(
                f"{name} needs a deterministic task, but this one is probabilistic; "
                f"add --determinise all_outcomes, or use --search {' or '.join(SOLVERS)}"
            )
        return name

    def _find_plan(self, task: Task, name: str) -> tuple[ExitCode, str | None]:
        options = self.options
        planned = task
        if options.determinise is not None:
            with limits(self.deadline.left(), options.memory_limit):
                planned = task.determinise(options.determinise)
        with limits(None, options.memory_limit):
            result = search(
                planned,
                name,
                options.heuristic,
                time_limit=self.deadline.left(),
                memory_limit=options.memory_limit,
                max_expansions=options.max_expansions,
            )
        self._report_search(result.status, result.statistics)
        if result.plan is None or result.cost is None:
            code, message = FAILURES[result.status]
            if options.determinise is not None and code == ExitCode.UNSOLVABLE:
                message += f" in the {options.determinise} determinisation"
            return code, message
        self._accept_plan(task, result.plan, result.cost)
        return ExitCode.SUCCESS, None

    def _find_policy(self, task: Task, name: str) -> tuple[ExitCode, str | None]:
        options = self.options
        with limits(self.deadline.left(), options.memory_limit):
            try:
                solver = Solver(
                    task,
                    name,
                    options.heuristic,
                    epsilon=options.epsilon,
                    dead_end=options.dead_end,
                    depth=options.depth,
                    seed=options.seed,
                )
            except ValueError as error:  # an option's value, or a task with free actions
                raise UsageError(str(error)) from None
        try:
            with limits(None, options.memory_limit):
                status = solver.solve(
                    time_limit=self.deadline.left(),
                    memory_limit=options.memory_limit,
                    max_expansions=options.max_expansions,
                )
        except KeyboardInterrupt:
            if solver.statistics.expansions > 0:
                self._report_value(solver, "interrupted")
            raise
        value = self._report_value(solver, status)
        self._report_search(status, solver.statistics)
        code, message = FAILURES.get(status, (ExitCode.SUCCESS, None))
        successes, shortage = self._roll_out(solver)
        if shortage is not None and status == "solved":
            code, message = FAILURES[f"out of {shortage}"]
        elif status == "solved" and successes == 0 and _is_at_least(value, options.dead_end):
            code, message = self._no_policy(task, solver)
        if options.plan_file is not None:
            steps = solver.execute(options.seed, max_steps=options.max_steps, time_limit=0.0)
            if steps.reached_goal:
                self._accept_plan(task, steps.actions, steps.cost)
            elif code == ExitCode.SUCCESS:
                code = ExitCode.GAVE_UP
                message = f"gave up: no goal within {options.max_steps} steps (--max-steps)"
        return code, message

    def _report_search(self, status: str, statistics: Statistics) -> None:
        seconds = statistics.seconds
        states = statistics.evaluations or statistics.expansions
        print(
            f"time: ground {self.figures['ground_seconds']:.3f} s, search {seconds:.3f} s; "
            f"peak memory {peak_kb() / 1024:.1f} MB"
        )
        print(
            f"expansions {statistics.expansions:,}, reopened {statistics.reopened:,}, "
            f"evaluations {statistics.evaluations:,}, generated {statistics.generated:,}; "
            f"{states / max(seconds, 1e-6):,.0f} states/s"
        )
        self.figures |= {
            "status": status,
            "search_seconds": seconds,
            "expansions": statistics.expansions,
            "reopened": statistics.reopened,
            "evaluations": statistics.evaluations,
            "generated": statistics.generated,
            "peak_kb": peak_kb(),
        }

    def _accept_plan(self, task: Task, plan: Sequence[Action], cost: float) -> None:
        """Validate the plan from its text, then write or print it."""
        options = self.options
        originals = [task.actions[action.origin] for action in plan]
        outcomes = [action.outcome for action in plan]
        text = checked_text(task, originals, cost, outcomes)
        if options.plan_file is not None:
            write_text(options.plan_file, text)
        else:
            *lines, last = text.splitlines()
            for line, action, outcome in zip(lines, originals, outcomes):
                count = len(action.outcomes)
                chance = action.outcomes[outcome].probability
                remark = f"  ; outcome {outcome + 1} of {count}, probability {chance:.6g}"
                print(line + (remark if count > 1 else ""))
            print(last)
        print(f"plan validated: {len(plan)} actions, cost {number(cost)}")
        actions = list(read_plan(text).actions)
        self.figures |= {"plan": actions, "outcomes": outcomes, "cost": cost}

    def _report_value(self, solver: Solver, status: str) -> float:
        options = self.options
        value = solver.value()
        if status == "solved":
            remark = f"converged: no update changes a value by more than {options.epsilon:g}"
            if solver.bound is None:
                remark += f"; may exceed the optimum, as {options.heuristic} is not admissible"
        else:
            remark = "not converged" + (f"; {solver.bound} bound" if solver.bound else "")
        print(f"V(s0) = {value:.6g}")
        print(remark)
        converged = status == "solved"
        bound = None if converged else solver.bound
        self.figures |= {"value": value, "bound": bound, "converged": converged}
        if solver.bound == "upper":
            self.figures["heuristic"] = None  # it looks at none
        return value

    def _no_policy(self, task: Task, solver: Solver) -> tuple[ExitCode, str]:
        h_max = Heuristic(task, "h_max")
        if all(math.isinf(h_max(state)) for state, _ in task.initial_states):
            return ExitCode.UNSOLVABLE, "unsolvable: the goal cannot be reached"
        price = number(self.options.dead_end)
        if solver.bound is not None:
            return ExitCode.UNSOLVABLE, f"unsolvable: giving up costs {price}, and no policy less"
        heuristic = self.options.heuristic
        remark = f"{heuristic} is not admissible, so there may be one"
        return ExitCode.GAVE_UP, f"gave up: found no policy that costs less than {price}; {remark}"

    def _roll_out(self, solver: Solver) -> tuple[int, str | None]:
        """Execute the policy without planning further. Returns the number of successes, and what
        was not enough for all, time or memory: after a time limit there is as much time again."""
        options = self.options
        shortage = None
        costs = []
        done = 0
        try:
            with limits(options.time_limit, options.memory_limit):
                for seed in range(options.seed, options.seed + options.rollouts):
                    steps = solver.execute(seed, max_steps=options.max_steps, time_limit=0.0)
                    done += 1
                    if steps.reached_goal:
                        costs.append(steps.cost)
        except (OutOfTimeError, MemoryError) as error:
            shortage = "memory" if isinstance(error, MemoryError) else "time"
            print(f"{shortage} for {done} of {options.rollouts} rollouts only")
        if options.rollouts == 0:
            return 0, None
        rate = rate_interval(len(costs), done)
        spread = mean_interval(costs)
        print(f"successes: {len(costs)}/{done}")
        if rate is not None:
            print(f"success rate: {len(costs) / done:.4g}{_between(rate)}")
        if costs:
            print(f"mean cost of successes: {fmean(costs):.6g}{_between(spread)}")
        self.figures["rollouts"] = {
            "seed": options.seed,
            "executions": done,
            "successes": len(costs),
            "success_interval": rate,
            "mean_cost": fmean(costs) if costs else None,
            "mean_cost_interval": spread,
        }
        self.figures["peak_kb"] = peak_kb()
        return len(costs), shortage


def _between(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return ""
    return f" (95% interval {interval[0]:.4g} to {interval[1]:.4g})"


def _is_at_least(value: float, bound: float) -> bool:
    return value >= bound or math.isclose(value, bound)
