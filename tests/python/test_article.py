"""The article's experiment in small: every step with real components, and nothing twice."""

import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.article import baselines, extended, record, steps
from benchmarks.article.__main__ import parser
from benchmarks.article.experiment import Configuration, Experiment
from benchmarks.article.extended import Stratum
from benchmarks.article.protocol import (
    ABLATIONS,
    BUDGETS,
    DOMAINS,
    PUBLISHED,
    TEST_SEED,
    VALIDATION_SEED,
    Budget,
)
from benchmarks.article.report import write_report
from benchmarks.article.rows import Rows

from asnets import generators
from asnets.results import Row as Rollout
from oracles import fast_downward

TINY = Budget(
    training_seconds=60,
    ablation_seconds=50,
    extended_seconds=60,
    baseline_seconds=20,
    baseline_every=2,
    baseline_runs=2,
)
QUICK = Configuration("default", ("--epochs=1", "--batches=20", "--workers=1"))

needs_fast_downward = pytest.mark.skipif(
    fast_downward.folder() is None, reason="up-fast-downward is not installed"
)


def test_sets_are_the_articles() -> None:
    counts = {name: (len(each.training), len(each.test)) for name, each in DOMAINS.items()}
    assert counts == {
        "cosanostra-pizza": (5, 17),
        "exploding-blocksworld": (24, 30),
        "probabilistic-blocksworld": (25, 30),
        "triangle-tireworld": (3, 17),
        "blocksworld": (25, 30),
        "gold-miner": (17, 21),
        "matching-blocksworld": (23, 30),
    }
    for domain in DOMAINS.values():
        for part in (domain.training, domain.validation, domain.test):
            assert len(set(part)) == len(part)
        assert max(seed for _, seed in domain.training) < VALIDATION_SEED
        assert min(seed for _, seed in domain.test) == TEST_SEED
        assert max(domain.training) < min(domain.test)


@pytest.mark.parametrize("name", DOMAINS)
def test_no_problem_is_in_two_sets(name: str) -> None:
    """Whatever its seed: a generator may ignore that."""
    domain = DOMAINS[name]
    sets = [
        {body(generators.generate(name, size, seed=seed)) for size, seed in part}
        for part in (domain.training, domain.validation, domain.test)
    ]
    assert len(set.union(*sets)) == sum(map(len, sets))


def body(problem: str) -> str:
    """Without the name."""
    return problem.partition("(:domain")[2]


@needs_fast_downward
@pytest.mark.parametrize("name", ["triangle-tireworld", "blocksworld"])
def test_every_step(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"triangle-tireworld": (1, 2, 3), "blocksworld": (3, 4, 5)}[name]
    train, validate, test = ((size, 0) for size in small)
    domain = dataclasses.replace(
        DOMAINS[name], training=(train,), validation=(validate,), test=(test, (test[0], 1))
    )
    first = Experiment(tmp_path, TINY)
    first.evaluate(domain, QUICK, seed=3)
    first.run_baselines(domain)
    assert not list(tmp_path.rglob("checkpoint.pt"))
    rows = list(Rows(tmp_path / "results.jsonl"))
    counts = Counter(row.planner for row in rows)
    runs = 2 if domain.is_probabilistic else 1
    assert counts == {
        "default": 1 + 2 * (30 if domain.is_probabilistic else 1),
        "default, sampling": 2 * (30 if domain.is_probabilistic else 10),
        **({} if domain.is_probabilistic else {"default, repeating": 2}),
        **dict.fromkeys(baselines.names(domain), runs),
    }
    best = [row for row in rows if row.planner in ("LRTDP, LM-cut", "A*, LM-cut")]
    assert all(row.success for row in best)
    if not domain.is_probabilistic:
        problem = tmp_path / name / "test" / f"{best[0].problem}.pddl"
        assert best[0].cost == fast_downward.search(generators.domain_path(name), problem).cost

    content = (tmp_path / "results.jsonl").read_bytes()
    monkeypatch.setattr(baselines, "runs", None)
    # The last rollout is lost: it is run again, or taken from where the evaluation wrote it.
    last = max(i for i, row in enumerate(rows) if row.planner == "default, sampling")
    lines = content.splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_bytes(b"".join([*lines[:last], *lines[last + 1 :]]))
    again = Experiment(tmp_path, TINY)
    again.evaluate(domain, QUICK, seed=3)
    again.run_baselines(domain)
    found = (tmp_path / "results.jsonl").read_bytes().splitlines(keepends=True)
    assert sorted(found) == sorted(lines)
    monkeypatch.setattr(steps, "run", None)
    again.evaluate(domain, QUICK, seed=3)


def test_ablations_take_the_likeliest_action(tmp_path: Path) -> None:
    domain = dataclasses.replace(
        DOMAINS["blocksworld"], training=((3, 0),), validation=((4, 0),), test=((5, 0),)
    )
    experiment = Experiment(tmp_path, TINY)
    ablation = Configuration("no skip", (*ABLATIONS["no skip"], *QUICK.options))
    experiment.evaluate(domain, ablation, seed=0)
    assert Counter(row.planner for row in experiment.rows) == {
        "no skip": 2,  # training and a run
        "no skip, repeating": 1,
    }
    config = tmp_path / domain.name / "no-skip-seed0" / "model.pt.run" / "config.json"
    assert json.loads(config.read_text())["options"]["time_limit"] == TINY.ablation_seconds


def test_published_coverage() -> None:
    for planner, entries in PUBLISHED.items():
        for name, coverage in entries.items():
            assert 0 <= coverage <= len(DOMAINS[name].test)
        if planner in ABLATIONS:
            assert len(entries) == len(DOMAINS)
    for domain in DOMAINS.values():
        for planner in baselines.names(domain):
            assert domain.published(planner) is not None
    assert DOMAINS["gold-miner"].published("1 layer") == 21
    assert DOMAINS["gold-miner"].published("LRTDP, h-add") is None


def test_time_is_for_all_runs_of_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run has its share of what those before left; none goes without."""
    taken = iter([2.0, 22.0, 4.0, 40.0, 1.0])
    limits = []

    def solve(options: object, files: object, run: int, limit: float, stop: object):
        limits.append(limit)
        return True, 4.0, next(taken), "solved"

    monkeypatch.setattr(baselines, "_solve", solve)
    domain, budget = DOMAINS["triangle-tireworld"], BUDGETS["small"]
    assert (budget.baseline_seconds, budget.baseline_runs) == (60, 5)
    files = (Path(), Path())
    found = baselines.runs(domain, "LRTDP, h-add", "4-0", files, budget, threading.Event())
    assert [row.success for row in found] == [True] * 5
    assert limits == [60 / 5, 58 / 4, 36 / 3, 32 / 2, 1]


def test_a_baseline_that_fails_stops_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What runs is killed, what waits does not begin, and what was done is kept."""
    domain = dataclasses.replace(DOMAINS["gold-miner"], test=tuple((4, seed) for seed in range(9)))
    begun = []

    def plan(options: object, files: tuple[Path, Path], limit: float, stop: threading.Event):
        begun.append(files[1].stem)
        if len(begun) == 1:
            return True, 3.0, 0.1, "plan"
        if len(begun) == 2:
            raise MemoryError
        code = baselines._run([sys.executable, "-c", "import time; time.sleep(600)"], tmp_path,
                              600, stop)  # fmt: skip
        return False, None, 0.0, f"exit code {code}"

    monkeypatch.setattr(baselines, "_plan", plan)
    with pytest.raises(MemoryError):
        Experiment(tmp_path, TINY).run_baselines(domain)
    assert len(begun) < 9
    assert [row.cost for row in Rows(tmp_path / "results.jsonl")] in ([3.0], [])


def test_commands_that_take_too_long_are_killed(tmp_path: Path) -> None:
    command = ["bash", "-c", "sleep 600 & echo $! > child; wait"]
    assert baselines._run(command, tmp_path, 0.5, threading.Event()) is None
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or is_zombie(child):
            return
        time.sleep(0.1)
    pytest.fail("what the command started goes on")


def is_zombie(process: int) -> bool:
    return ") Z " in Path(f"/proc/{process}/stat").read_text()


def test_failing_commands_end_the_experiment(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="exit code 2, see"):
        steps.run(["train", "--no-such-option"], tmp_path / "log.txt")


def test_training_goes_on(tmp_path: Path) -> None:
    """Whatever the interruption left behind: an empty folder, epochs, a model without a row."""
    problems = [tmp_path / "3.pddl", tmp_path / "4.pddl"]
    for size, path in zip((3, 4), problems):
        path.write_text(generators.generate("blocksworld", size, seed=1))
    model = tmp_path / "run" / "model.pt"
    lesson = steps.Lesson(
        domain=generators.domain_path("blocksworld"),
        training=problems[:1],
        validation=problems[1:],
        seconds=60,
        seed=5,
        options=QUICK.options,
    )
    folder = model.with_name("model.pt.run")
    folder.mkdir(parents=True)
    done = steps.train(model, lesson)
    assert done.epochs == 1
    content = model.read_bytes()
    log = (model.parent / "log.txt").read_text()
    assert steps.train(model, lesson) == done
    assert (model.parent / "log.txt").read_text() == log

    model.unlink()
    (folder / "summary.json").unlink()
    assert steps.train(model, lesson).epochs == 1
    assert len(model.read_bytes()) == len(content)


def test_grounding_counts_once() -> None:
    seconds = {"ground": 2.0, "bind": 1.0, "features": 0.1, "network": 0.2, "rollout": 0.5}
    row = Rollout(
        problem="7-2000.pddl", problem_sha256="", domain_sha256="", model_sha256="", options={},
        time_limit=None, memory_limit=None, deterministic=False, seed=0, success=True,
        reason="goal", cost=1.0, steps=1, avoided=0, seconds=seconds, peak_kb=1,
    )  # fmt: skip
    assert steps.seconds_of(row) == 3.5
    assert steps.seconds_of(dataclasses.replace(row, seed=1)) == 0.5


def test_extended_strata() -> None:
    assert len(extended.STRATA) == 18
    assert extended.ALL == 18_300
    for instances in (extended.FEWEST, 1_000, extended.DEFAULT, extended.ALL):
        found = extended.counts(instances)
        assert sum(found.values()) == instances
        for stratum, count in found.items():
            assert count >= 1
            assert abs(count - instances * stratum.published / extended.ALL) < 1
    assert set(extended.counts(extended.DEFAULT).values()) == {90, 60, 6}
    assert extended.counts(extended.ALL) == {each: each.published for each in extended.STRATA}


def test_extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Training on 50 problems, evaluation by strata, more instances later."""
    strata = (Stratum(4, 4, 3), Stratum(5, 2, 2), Stratum(5, None, 1))
    monkeypatch.setattr(extended, "STRATA", strata)
    monkeypatch.setattr(extended, "OPTIONS", (*extended.OPTIONS, *QUICK.options))
    experiment = Experiment(tmp_path, TINY)
    assert len(set(extended.training_problems(tmp_path / "training"))) == 50
    # The rest of the test is not about them.
    monkeypatch.setattr(extended, "TRAINING_ANY", ((3, 0), (4, 0)))
    monkeypatch.setattr(extended, "TRAINING_ONE_TOWER", ((4, 0),))
    blocksworld = dataclasses.replace(DOMAINS["blocksworld"], validation=((5, 0),))
    monkeypatch.setitem(DOMAINS, "blocksworld", blocksworld)
    extended.run(experiment, 1, dict(zip(strata, (1, 1, 1))))
    extended.run(experiment, 1, dict(zip(strata, (1, 2, 1))))
    rows = list(Rows(tmp_path / "results.jsonl"))
    assert {row.training_seed for row in rows} == {1}
    assert [row.problem for row in rows] == [
        "training", "4-t4-10000", "5-t2-10000", "5-any-10000", "5-t2-10001",
    ]  # fmt: skip
    assert (rows[1].success, rows[1].cost) == (True, 0)
    texts = {path.stem: path.read_text() for path in tmp_path.glob("*/test/*.pddl")}
    assert texts["5-t2-10001"] == generators.generate("blocksworld", 5, seed=10_001, towers=2)
    assert texts["5-any-10000"] == generators.generate("blocksworld", 5, seed=10_000)
    monkeypatch.setattr(steps, "run", None)
    extended.run(experiment, 1, dict(zip(strata, (1, 2, 1))))
    write_report(tmp_path)
    assert "| all |" in (tmp_path / "summary.md").read_text()


def run_article(folder: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.article", "-o", str(folder), *options],
        cwd=Path(__file__).parents[2],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def test_interruption(tmp_path: Path) -> None:
    """Ctrl-C: one line, the exit code, and nothing left running."""
    process = run_article(tmp_path, "--domain", "triangle-tireworld", "--no-baselines")
    config = tmp_path / "triangle-tireworld" / "default-seed0" / "model.pt.run" / "config.json"
    for _ in range(1200):
        if config.exists():
            break
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert (process.returncode, said) == (130, "interrupted; the same command goes on\n")
    for _ in range(300):  # the trainer's workers notice that it is gone
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("something goes on")


@pytest.mark.parametrize(
    ("lines", "options", "code", "message"),
    [
        (None, ["--report-only"], 2, "results.jsonl: no results to report"),
        ("{}\n", ["--report-only"], 31, "results.jsonl:1: expected a row of results"),
        ("[1]\n", ["--report-only"], 31, "results.jsonl:1: expected a row of results"),
        (None, ["--seeds", "0"], 2, "expected a number from 1 on, not 0"),
        (None, ["--extended", "--instances", "9"], 2, "expected a number from 183 on, not 9"),
    ],
)
def test_mistakes(
    tmp_path: Path, lines: str | None, options: list[str], code: int, message: str
) -> None:
    if lines is not None:
        (tmp_path / "results.jsonl").write_text(lines)
    process = run_article(tmp_path, *options)
    _, said = process.communicate(timeout=60)
    assert process.returncode == code
    assert message in said
    assert "Traceback" not in said


def test_one_budget_a_folder(tmp_path: Path) -> None:
    record.add(tmp_path, record.this_call([], "full"))
    process = run_article(tmp_path, "--budget", "small")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said == f"{tmp_path} has runs with the budget full: give another folder with -o\n"


def test_the_manual_has_all_options(root: Path) -> None:
    text = (root / "docs" / "article.md").read_text()
    for action in parser()._actions:
        if action.dest != "help":
            assert f"`{action.option_strings[0]}" in text
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (root / "docs" / target).exists()
