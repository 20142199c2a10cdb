"""The experiment on the seven domains: problems, training, evaluation, baselines. A step is left out where
its results are there already."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from asnets import generators
from asnets.processes import core_count
from asnets.results import Row as Rollout
from benchmarks.article import baselines, record, steps
from benchmarks.article.protocol import MEMORY_MB, REPEATING, SAMPLING, Budget, Domain, Instance
from benchmarks.article.rows import TRAINING, Row, Rows


@dataclass(frozen=True)
class Configuration:
    name: str
    options: tuple[str, ...]
    """Of the trainer."""


class Experiment:
    """All runs below a folder."""

    def __init__(self, folder: Path, budget: Budget) -> None:
        self.folder = folder
        self.budget = budget
        self.rows = Rows(folder / "results.jsonl")

    def problems(self, domain: Domain, part: str) -> list[Path]:
        """The files of "training", "validation" or "test"; written if they are missing."""
        folder = self.folder / domain.name / part
        wanted: Sequence[Instance] = getattr(domain, part)
        return [
            write_problem(
                folder / f"{size}-{seed}.pddl", generators.generate(domain.name, size, seed=seed)
            )
            for size, seed in wanted
        ]

    def train(self, domain: Domain, configuration: Configuration, seed: int) -> Path:
        """The model; an unfinished run goes on."""
        model = self._place(domain, configuration, seed) / "model.pt"
        is_default = configuration.name == "default"
        lesson = steps.Lesson(
            domain=generators.domain_path(domain.name),
            training=self.problems(domain, "training"),
            validation=self.problems(domain, "validation"),
            seconds=self.budget.training_seconds if is_default else self.budget.ablation_seconds,
            seed=seed,
            options=configuration.options,
        )
        self.train_once(model, lesson, domain.name, configuration.name)
        return model

    def train_once(self, model: Path, lesson: steps.Lesson, domain: str, planner: str) -> None:
        key = (domain, planner, lesson.seed, TRAINING, 0)
        if key not in self.rows or not model.exists():
            done = steps.train(model, lesson)
            how = f"{done.epochs} epochs, {done.end}"
            self.rows.add(Row(*key, True, None, done.seconds, how))

    def evaluate(self, domain: Domain, configuration: Configuration, seed: int) -> None:
        """By the likeliest action, and by sampling if it is no ablation: the article has no such entries."""
        ways: dict[str, tuple[str, ...]] = {"": ()}
        if not domain.is_probabilistic:
            ways[REPEATING] = ("--no-avoid-loops",)
        if configuration.name == "default":
            ways[SAMPLING] = ("--sample",)
        left = {
            suffix: options
            for suffix, options in ways.items()
            if not self._is_evaluated(domain, configuration.name + suffix, seed)
        }
        if not left:
            return
        model = self.train(domain, configuration, seed)
        tests = self.problems(domain, "test")
        for suffix, options in left.items():
            output = model.parent / f"rollouts{suffix.replace(', ', '-')}.jsonl"
            path = generators.domain_path(domain.name)
            for rollout in steps.evaluate(model, path, tests, output, options):
                self.add_rollout(domain.name, configuration.name + suffix, seed, rollout)

    def _is_evaluated(self, domain: Domain, planner: str, seed: int) -> bool:
        runs = 30 if domain.is_probabilistic else 10 if planner.endswith(SAMPLING) else 1
        return all(
            (domain.name, planner, seed, f"{size}-{number}", run) in self.rows
            for size, number in domain.test
            for run in range(runs)
        )

    def add_rollout(self, domain: str, planner: str, seed: int, found: Rollout) -> None:
        key = (domain, planner, seed, Path(found.problem).stem, found.seed)
        if key not in self.rows:
            cost = found.cost if found.success else None
            row = Row(*key, found.success, cost, steps.seconds_of(found), found.reason)
            self.rows.add(row)

    def run_baselines(self, domain: Domain) -> None:
        """As many at a time as there are cores, and memory for their limit."""
        tests = self.problems(domain, "test")[:: self.budget.baseline_every]
        left = [
            (planner, path)
            for planner in baselines.names(domain)
            for path in tests
            if (domain.name, planner, None, path.stem, 0) not in self.rows
        ]
        if not left:
            return
        stop = threading.Event()

        def run(planner: str, path: Path) -> list[Row]:
            files = (generators.domain_path(domain.name), path.absolute())
            return list(baselines.runs(domain, planner, path.stem, files, self.budget, stop))

        with ThreadPoolExecutor(_places()) as pool:
            jobs = [pool.submit(run, *each) for each in left]
            try:
                for job in as_completed(jobs):
                    self._add_baseline(job.result())
            except BaseException:
                stop.set()
                pool.shutdown(cancel_futures=True)
                raise

    def _add_baseline(self, found: Sequence[Row]) -> None:
        for row in reversed(found):  # run 0 last: with it the problem is done
            self.rows.add(row)
        solved = sum(row.success for row in found)
        first = found[0]
        print(
            f"{first.domain} {first.problem}, {first.planner}: {solved} of {len(found)}", flush=True
        )

    def _place(self, domain: Domain, configuration: Configuration, seed: int) -> Path:
        return self.folder / domain.name / f"{configuration.name.replace(' ', '-')}-seed{seed}"


def write_problem(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return path


def _places() -> int:
    return max(1, min(core_count(), record.memory_bytes() // (MEMORY_MB * 1_000_000)))
