"""Which models of the experiment are shipped, and what their records say."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.article import record, ship
from benchmarks.article.protocol import DOMAINS
from benchmarks.article.rows import TRAINING, Row, Rows

from asnets import shipped
from asnets_train.command import parser
from asnets_train.options import Options, make_options
from model_files import make_model

TIRES = DOMAINS["triangle-tireworld"]


class Runs:
    """The output folder of an experiment with one domain."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows = Rows(folder / "results.jsonl")

    def add(
        self, seed: int, success: float = 1.0, cost: float = 10.0, *, planner: str = "default",
        tests: int = len(TIRES.test), solved: int = 1, **summary: Any,
    ) -> Path:  # fmt: skip
        """A run whose network solves both rollouts, or one, on the first `tests` problems."""
        model = self.folder / TIRES.name / f"{planner.replace(' ', '-')}-seed{seed}" / "model.pt"
        run = model.with_name("model.pt.run")
        run.mkdir(parents=True)
        make_model(TIRES.name, training={"seed": seed}).write(model)
        ended = {"finished": True, "judged_on": "validation", "success": success, "cost": cost,
                 "seconds": 100.5, "epochs": 7, **summary}  # fmt: skip
        (run / "summary.json").write_text(json.dumps(ended))
        options = vars(Options(seed=seed, channels=8, skip=False, workers=3, time_limit=900.0))
        (run / "config.json").write_text(json.dumps({"options": options}))
        self.rows.add(Row(TIRES.name, planner, seed, TRAINING, 0, True, None, 100.5, "7 epochs"))
        for size, number in TIRES.test[:tests]:
            for rollout in range(2):
                won = rollout < solved
                self.rows.add(Row(TIRES.name, planner, seed, f"{size}-{number}", rollout, won,
                                  9.0 if won else None, 0.5, "goal" if won else "loop"))  # fmt: skip
        return model

    def ship(self, output: Path, *arguments: str) -> None:
        ship.main(["--runs", str(self.folder), "-o", str(output), *arguments])


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "runs")


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(shipped.VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


def test_record(runs: Runs, models: Path) -> None:
    model = runs.add(4, success=0.9)
    runs.ship(models, "--commit", "abc")
    assert shipped.names() == (TIRES.name,)
    assert (models / f"{TIRES.name}.pt").read_bytes() == model.read_bytes()
    found = shipped.read_record(TIRES.name)
    assert found.domain == "triangle-tire"
    assert found.coverage == shipped.Coverage(8.5, 17, [4, 20], "likeliest action")
    assert (found.seed, found.commit, found.validation) == (4, "abc", 0.9)
    assert (found.seconds, found.epochs) == (100.5, 7)


def test_command_trains_the_same(runs: Runs, models: Path) -> None:
    runs.add(4)
    runs.ship(models, "--commit", "abc")
    command = shipped.read_record(TIRES.name).command
    assert command == (
        "asnets train domain.pddl training/*.pddl -o triangle-tireworld.pt "
        "--validation validation/*.pddl --channels 8 --no-skip --time-limit 900.0 --seed 4"
    )
    given = vars(parser("asnets train").parse_args(command.split()[2:]))
    options = {key: value for key, value in given.items() if key in vars(Options())}
    wanted = Options(seed=4, channels=8, skip=False, time_limit=900.0)
    assert make_options("default", options) == wanted


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ({0: (0.5, 9.0), 1: (1.0, 20.0), 2: (0.7, 9.0)}, 1),
        ({0: (1.0, 9.5), 1: (1.0, 9.0)}, 1),
        ({2: (1.0, 9.0), 1: (1.0, 9.0)}, 1),
    ],
)
def test_the_best_in_validation(
    runs: Runs, models: Path, scores: dict[int, tuple[float, float]], best: int
) -> None:
    """However well the others do on the test problems."""
    for seed, (success, cost) in scores.items():
        runs.add(seed, success, cost, solved=1 if seed == best else 2)
    runs.ship(models, "--commit", "abc")
    assert shipped.read_record(TIRES.name).seed == best


def test_only_finished_default_runs(runs: Runs, models: Path) -> None:
    runs.add(0, tests=16)
    runs.add(1, finished=False)
    runs.add(2, judged_on="training")
    runs.add(3, planner="3 layers")
    runs.add(4, success=0.0, cost=None)
    with pytest.raises(SystemExit, match="nothing to ship"):
        runs.ship(models, "--commit", "abc")
    assert not models.exists()
    runs.add(5, success=0.1, solved=2)
    runs.ship(models, "--commit", "abc")
    assert shipped.read_record(TIRES.name).seed == 5
    assert (models / f"{TIRES.name}.json").read_text().count('"solved": 17,') == 1


def test_commit(runs: Runs, models: Path) -> None:
    runs.add(0)
    for commit in ("abc", "abc", "def"):
        call = dataclasses.replace(record.this_call([], "small"), commit=commit)
        record.add(runs.folder, call)
        if commit == "abc":
            runs.ship(models)
            assert shipped.read_record(TIRES.name).commit == "abc"
    with pytest.raises(SystemExit, match=r"runs\.jsonl: several commits, abc, def: give --commit"):
        runs.ship(models)
    record.path_in(runs.folder).unlink()
    with pytest.raises(SystemExit, match=r"runs\.jsonl: no commit: give --commit"):
        runs.ship(models)


def test_mistakes(runs: Runs, models: Path) -> None:
    with pytest.raises(SystemExit, match="runs: nothing to ship"):
        runs.ship(models, "--commit", "abc")
    runs.rows.path.parent.mkdir()
    runs.rows.path.write_text("[]\n")
    with pytest.raises(SystemExit, match=r"results\.jsonl:1: expected a row"):
        runs.ship(models, "--commit", "abc")
    runs.rows.path.unlink()
    model = runs.add(0)
    summary = model.with_name("model.pt.run") / "summary.json"
    summary.write_text("{")
    with pytest.raises(SystemExit, match=r"summary\.json: damaged: "):
        runs.ship(models, "--commit", "abc")
    summary.unlink()
    with pytest.raises(SystemExit, match=r"summary\.json: No such file"):
        runs.ship(models, "--commit", "abc")
