"""The article's experiment in small: every step with real components, and nothing twice."""

import dataclasses
import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from benchmarks.article import baselines, experiment
from benchmarks.article.experiment import Configuration, Experiment
from benchmarks.article.protocol import BUDGETS, DOMAINS, TEST_SEED, VALIDATION_SEED, Budget
from benchmarks.article.report import write_report
from benchmarks.article.rows import Row, Rows
from benchmarks.article.summary import by_domain

from asnets import generators
from oracles import fast_downward

TINY = Budget(training_seconds=60, baseline_seconds=20, baseline_every=2, baseline_runs=2)
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
    rows = list(Rows(tmp_path / "results.jsonl"))
    counts = Counter(row.planner for row in rows)
    runs = 2 if domain.is_probabilistic else 1
    assert counts == {
        "default": 1 + 2 * (30 if domain.is_probabilistic else 1),
        "default, sampling": 2 * (30 if domain.is_probabilistic else 10),
        **dict.fromkeys(baselines.names(domain), runs),
    }
    best = [row for row in rows if row.planner in ("LRTDP, LM-cut", "A*, LM-cut")]
    assert all(row.success for row in best)
    if not domain.is_probabilistic:
        problem = tmp_path / name / "test" / f"{best[0].problem}.pddl"
        assert best[0].cost == fast_downward.search(generators.domain_path(name), problem).cost

    content = (tmp_path / "results.jsonl").read_bytes()
    monkeypatch.setattr(baselines, "runs", None)
    again = Experiment(tmp_path, TINY)
    again.evaluate(domain, QUICK, seed=3)
    again.run_baselines(domain)
    assert (tmp_path / "results.jsonl").read_bytes() == content


def test_time_is_for_all_runs_of_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baselines, "_solve", lambda *_: (True, 4.0, 12.0, "solved"))
    domain, budget = DOMAINS["triangle-tireworld"], BUDGETS["small"]
    found = list(baselines.runs(domain, "LRTDP, h-add", "4-0", (Path(), Path()), budget))
    assert [row.success for row in found] == [True] * 5
    limited = dataclasses.replace(budget, baseline_seconds=30)
    found = list(baselines.runs(domain, "LRTDP, h-add", "4-0", (Path(), Path()), limited))
    assert [row.success for row in found] == [True] * 3 + [False] * 2


def some_rows() -> list[Row]:
    return [
        Row("gold-miner", "default", 0, "training", 0, True, None, 100.0, "7 epochs"),
        Row("gold-miner", "default", 0, "9-2000", 0, True, 12.0, 0.5, "goal"),
        Row("gold-miner", "default", 0, "7-2000", 0, True, 10.0, 0.25, "goal"),
        Row("gold-miner", "default", 0, "7-2001", 0, False, None, 0.25, "loop"),
        Row("gold-miner", "LAMA-first", None, "7-2000", 0, True, 11.0, 2.0, "plan"),
        Row("triangle-tireworld", "LRTDP, h-add", None, "4-2000", 0, True, 9.0, 1.0, "solved"),
        Row("triangle-tireworld", "LRTDP, h-add", None, "4-2000", 1, False, None, 1.0, "solved"),
    ]


def test_summary() -> None:
    found = by_domain(some_rows())
    assert list(found) == ["triangle-tireworld", "gold-miner"]
    network, lama = found["gold-miner"]
    assert (network.coverage, network.problems, network.cost) == (2.0, 3, 11.0)
    assert network.curve == [(100, 0), (100.25, 1), (100.5, 1), (101, 2)]
    assert network.training_seconds == 100
    assert (lama.coverage, lama.is_baseline, lama.curve) == (1.0, True, [(0, 0), (2, 1)])
    (lrtdp,) = found["triangle-tireworld"]
    assert (lrtdp.coverage, lrtdp.cost, lrtdp.cost_interval) == (0.5, 9.0, None)


def test_report(tmp_path: Path) -> None:
    write_report(some_rows(), tmp_path)
    for name in ("triangle-tireworld", "gold-miner"):
        root = ElementTree.parse(tmp_path / f"{name}.svg").getroot()
        lines = root.findall("{http://www.w3.org/2000/svg}polyline")
        assert len(lines) == {"triangle-tireworld": 1, "gold-miner": 2}[name]
    text = (tmp_path / "report.md").read_text()
    assert "| ASNet default, seed 0 | 2/3 | 11.00 |" in text
    assert "| LRTDP, h-add | 0.5/1 | 9.00 | - | - | 2.0 s |" in text
    html = (tmp_path / "report.html").read_text()
    assert html.count("<svg") == 2
    for outside in ("src=", "href=", "url(", "@import"):
        assert outside not in html


def test_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    rows = Rows(path)
    for run in range(2):
        rows.add(Row("d", "p", None, "1-0", run, True, 3.0, 0.5, "goal"))
    path.write_bytes(path.read_bytes()[:-10])
    again = Rows(path)
    assert [row.run for row in again] == [0]
    again.add(Row("d", "p", None, "1-0", 1, False, None, 0.5, "loop"))
    assert [json.loads(line)["run"] for line in path.read_text().splitlines()] == [0, 1]


def test_failing_commands_end_the_experiment(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="exit code 2, see"):
        experiment._asnets(["train", "--no-such-option"], tmp_path / "log.txt")
