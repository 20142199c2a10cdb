"""The steps of the experiment: problems, training, evaluation, baselines. Each is left out where its
results are there already."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from asnets import generators
from asnets.results import Row as Rollout
from asnets.results import parse_row
from benchmarks.article import baselines
from benchmarks.article.protocol import MEMORY_MB, STEPS, Budget, Domain, Instance
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
        folder.mkdir(parents=True, exist_ok=True)
        wanted: Sequence[Instance] = getattr(domain, part)
        paths = []
        for size, seed in wanted:
            paths.append(folder / f"{size}-{seed}.pddl")
            text = generators.generate(domain.name, size, seed=seed)
            if not paths[-1].exists() or paths[-1].read_text() != text:
                paths[-1].write_text(text)
        return paths

    def train(self, domain: Domain, configuration: Configuration, seed: int) -> Path:
        """The model; an unfinished run goes on."""
        model = self._place(domain, configuration, seed) / "model.pt"
        key = (domain.name, configuration.name, seed, TRAINING, 0)
        if key in self.rows and model.exists():
            return model
        model.parent.mkdir(parents=True, exist_ok=True)
        if (model.parent / "model.pt.run").exists():
            command = ["train", "-o", model, "--resume"]
        else:
            command = ["train", generators.domain_path(domain.name),
                       *self.problems(domain, "training"), "-o", model, "--seed", seed,
                       "--validation", *self.problems(domain, "validation"),
                       "--time-limit", self.budget.training_seconds, *configuration.options]  # fmt: skip
        _asnets(command, model.parent / "log.txt")
        metrics = (model.parent / "model.pt.run" / "metrics.jsonl").read_text().splitlines()
        seconds = float(json.loads(metrics[-1])["seconds"])
        self.rows.add(Row(*key, True, None, seconds, f"{len(metrics)} epochs"))
        return model

    def evaluate(self, domain: Domain, configuration: Configuration, seed: int) -> None:
        """By the likeliest action and by sampling."""
        model = self.train(domain, configuration, seed)
        for suffix, options in (("", ()), (", sampling", ("--sample",))):
            planner = configuration.name + suffix
            output = model.parent / f"rollouts{'-sampling' if options else ''}.jsonl"
            tests = self.problems(domain, "test")
            _asnets(["evaluate", generators.domain_path(domain.name), *tests, "-m", model,
                     "--limit", STEPS, "--memory-limit", MEMORY_MB, "-o", output, *options],
                    model.parent / "log.txt")  # fmt: skip
            for line in output.read_bytes().splitlines():
                self._add(domain, planner, seed, parse_row(line))

    def _add(self, domain: Domain, planner: str, seed: int, found: Rollout) -> None:
        key = (domain.name, planner, seed, Path(found.problem).stem, found.seed)
        if key not in self.rows:
            cost = found.cost if found.success else None
            seconds = found.seconds.get("ground", 0) + found.seconds.get("rollout", 0)
            self.rows.add(Row(*key, found.success, cost, seconds, found.reason))

    def run_baselines(self, domain: Domain) -> None:
        tests = self.problems(domain, "test")[:: self.budget.baseline_every]
        for planner in baselines.names(domain):
            for path in tests:
                if (domain.name, planner, None, path.stem, 0) in self.rows:
                    continue
                files = (generators.domain_path(domain.name), path.absolute())
                found = list(baselines.runs(domain, planner, path.stem, files, self.budget))
                for row in reversed(found):  # run 0 last: with it the problem is done
                    self.rows.add(row)
                solved = sum(row.success for row in found)
                print(f"{domain.name} {path.stem}, {planner}: {solved} of {len(found)}", flush=True)

    def _place(self, domain: Domain, configuration: Configuration, seed: int) -> Path:
        return self.folder / domain.name / f"{configuration.name.replace(' ', '-')}-seed{seed}"


def _asnets(command: Sequence[object], log: Path) -> None:
    """Run a command of ours; its output goes to a file."""
    words = [sys.executable, "-m", "asnets", *map(str, command)]
    print(" ".join(words[3:5]), "...", log, flush=True)
    with log.open("a") as file:
        done = subprocess.run(words, check=False, stdout=file, stderr=subprocess.STDOUT)
    if done.returncode not in (0, 12):
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}, see {log}")
