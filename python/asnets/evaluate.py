"""The command `asnets evaluate`: how often and at what cost a trained network reaches the goal."""

import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asnets._core import ground
from asnets.errors import PddlError, UsageError
from asnets.evaluate_crew import Crew
from asnets.evaluate_table import Display, Problem, make_display, print_summary
from asnets.evaluate_worker import Failed, Grounded, Ran, Work
from asnets.exit_codes import ExitCode
from asnets.policy import Backend, read_policy
from asnets.processes import core_count
from asnets.results import PHASES, Conditions, ResultsFile, Row, sha256_of, sha256_or_none

EMPTY_PROBLEM = "(define (problem empty) (:domain any) (:init) (:goal (and)))\n"


@dataclass(frozen=True)
class Options:
    model: Path
    backend: Backend = "native"
    rollouts: int | None = None
    """Of each problem; None: default_rollouts."""
    limit: int = 300
    sample: bool = False
    temperature: float = 1.0
    seed: int = 0
    avoid_loops: bool | None = None
    """None: in deterministic problems without sampling."""
    find_dead_ends: bool = False
    workers: int = 0
    """Processes; 0: one for each core."""
    time_limit: float | None = None
    """Seconds for grounding, and for each rollout."""
    memory_limit: int | None = None
    """MB of resident memory of each process."""
    output: Path | None = None

    @property
    def of_runs(self) -> dict[str, Any]:
        """What changes what a policy does."""
        return {
            "limit": self.limit,
            "sample": self.sample,
            "temperature": self.temperature,
            "avoid_loops": self.avoid_loops,
            "find_dead_ends": self.find_dead_ends,
        }

    def rollouts_of(self, deterministic: bool | None) -> int:
        """How many a problem gets; one that cannot be grounded fails once."""
        if self.rollouts is not None:
            return self.rollouts
        if deterministic is None:
            return 1
        if not deterministic:
            return 30
        return 10 if self.sample else 1


def evaluate(domain: Path, problem_files: Sequence[Path], options: Options) -> ExitCode:
    """Run a policy on problems, show how it goes, and keep the rows."""
    for index, path in enumerate(problem_files):
        if path in problem_files[:index]:
            raise UsageError(f"{path}: given twice")
    check_fit(domain, options.model)
    conditions = Conditions(
        domain_sha256=sha256_of(domain),
        model_sha256=sha256_of(options.model),
        options={**options.of_runs, "backend": options.backend},
        time_limit=options.time_limit,
        memory_limit=options.memory_limit,
    )
    work = Work(
        domain=domain,
        domain_sha256=conditions.domain_sha256,
        model=options.model,
        model_sha256=conditions.model_sha256,
        backend=options.backend,
        run_options=options.of_runs,
        time_limit=options.time_limit,
        memory_limit=options.memory_limit,
    )
    problems = [Problem(path, sha256_or_none(path)) for path in problem_files]
    with ExitStack() as stack:
        results = None
        if options.output is not None:
            results = stack.enter_context(ResultsFile(options.output))
            known = _take_known(problems, results.rows, conditions, options)
            if known:
                print(f"{options.output} has {known} of the rollouts already", flush=True)
        display = make_display(problems)
        try:
            for problem in problems:
                if problem.is_done:
                    display.finished(problem)
            ledger = Evaluation(problems, options, conditions, results, display)
            Crew(work, options.workers or core_count(), ledger).run()
        except KeyboardInterrupt:
            display.close()
            print_summary(problems, is_whole=False)
            raise
        except BaseException:
            display.close()
            raise
        display.close()
    print_summary(problems, is_whole=True)
    if all(problem.deterministic is None for problem in problems):
        print("no problem could be grounded", file=sys.stderr)
        return ExitCode.BAD_INPUT
    return ExitCode.SUCCESS


def check_fit(domain: Path, model: Path) -> None:
    """Raise PddlError, OSError or ModelError if the domain is bad or the model is not for it. A
    network's shape depends on the domain alone, so that any problem will do."""
    policy = read_policy(model, "native")
    with tempfile.TemporaryDirectory() as folder:
        problem = Path(folder) / "empty.pddl"
        problem.write_text(EMPTY_PROBLEM)
        try:
            policy.of(ground(domain, problem))
        except PddlError as error:
            if error.file != str(problem):
                raise


def _take_known(
    problems: Sequence[Problem], rows: Sequence[Row], conditions: Conditions, options: Options
) -> int:
    """Give the problems what is known of them, and return how many rollouts that is."""
    by_file: dict[tuple[str, str | None], dict[int, Row]] = {}
    for row in rows:
        if row.holds_under(conditions):
            by_file.setdefault((row.problem, row.problem_sha256), {})[row.seed] = row
    for problem in problems:
        found = by_file.get((str(problem.path), problem.sha256), {})
        kinds = {row.deterministic for row in found.values()} - {None}
        if kinds:
            problem.deterministic = kinds.pop()
        elif options.seed not in found:
            continue
        problem.rollouts = options.rollouts_of(problem.deterministic)
        wanted = range(options.seed, options.seed + problem.rollouts)
        problem.rows = {seed: found[seed] for seed in wanted if seed in found}
    return sum(len(problem.rows) for problem in problems)


class Evaluation:
    """The problems with their rows so far; what is new goes to the file and to the display."""

    def __init__(
        self,
        problems: Sequence[Problem],
        options: Options,
        conditions: Conditions,
        results: ResultsFile | None,
        display: Display,
    ) -> None:
        self._problems = problems
        self._options = options
        self._conditions = conditions
        self._results = results
        self._display = display
        self._warnings: set[str] = set()

    def unfinished_problems(self) -> list[Problem]:
        return [problem for problem in self._problems if not problem.is_done]

    def seeds_left(self, problem: Problem) -> deque[int] | None:
        """None as long as nobody knows."""
        if problem.rollouts is None:
            return None
        seeds = range(self._options.seed, self._options.seed + problem.rollouts)
        return deque(seed for seed in seeds if seed not in problem.rows)

    def grounded(self, problem: Problem, grounded: Grounded) -> None:
        for warning in grounded.warnings:
            if warning not in self._warnings:
                self._warnings.add(warning)
                self._display.warn(warning)
        problem.deterministic = grounded.deterministic
        problem.rollouts = self._options.rollouts_of(grounded.deterministic)

    def not_grounded(self, problem: Problem) -> None:
        problem.rollouts = self._options.rollouts_of(None)

    def show(self) -> None:
        self._display.show()

    def record(self, problem: Problem, seed: int, answer: Ran | Failed) -> None:
        ran = answer if isinstance(answer, Ran) else None
        row = Row(
            problem=str(problem.path),
            problem_sha256=problem.sha256,
            domain_sha256=self._conditions.domain_sha256,
            model_sha256=self._conditions.model_sha256,
            options=self._conditions.options,
            time_limit=self._conditions.time_limit,
            memory_limit=self._conditions.memory_limit,
            deterministic=problem.deterministic,
            seed=seed,
            success=ran is not None and ran.end == "goal",
            reason=answer.end if isinstance(answer, Ran) else answer.reason,
            cost=None if ran is None else ran.cost,
            steps=None if ran is None else ran.steps,
            avoided=None if ran is None else ran.avoided,
            seconds={phase: answer.seconds.get(phase, 0.0) for phase in PHASES},
            peak_kb=answer.peak_kb,
        )
        is_stored = isinstance(answer, Ran) or answer.is_stored
        if self._results is not None and is_stored:
            self._results.append(row)
        problem.rows[seed] = row
        if problem.is_done:
            self._display.finished(problem)
