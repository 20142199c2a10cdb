"""The models that ship: what they can do, their records, and their names through every door."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks.article.protocol import DOMAINS

import asnets
from asnets import generators, info, shipped
from asnets.errors import DamagedFileError, UsageError
from driving import needs_planner
from shipping import RECORD, Place


class TestShipped:
    """What lies in the package."""

    def test_one_for_each_domain_of_the_article(self) -> None:
        assert set(shipped.names()) == {
            "blocksworld",
            "cosanostra-pizza",
            "exploding-blocksworld",
            "gold-miner",
            "matching-blocksworld",
            "probabilistic-blocksworld",
            "triangle-tireworld",
        }

    def test_nothing_else_lies_there(self) -> None:
        files = {path.name for path in shipped.FOLDER.iterdir()}
        assert files == {name + suffix for name in shipped.names() for suffix in (".pt", ".json")}

    @pytest.mark.parametrize("name", shipped.names())
    def test_record(self, name: str) -> None:
        record = shipped.read_record(name)
        file = shipped.path_of(name)
        assert file.stat().st_size < 2_000_000
        assert record.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
        figures = info.figures(asnets.read_model(name))
        assert (record.domain, record.parameters) == (figures["domain"], figures["parameters"])
        assert 0 < record.coverage.solved <= record.coverage.problems
        assert 0 < record.validation <= 1
        assert record.command.startswith("asnets train domain.pddl ")
        assert f"--seed {record.seed}" in record.command

    @pytest.mark.parametrize("name", shipped.names())
    def test_solves_problems_of_test_size(self, name: str) -> None:
        """Of seeds that are nobody's."""
        domain = DOMAINS[name]
        found = asnets.Policy(name)
        reached = []
        for seed, size in enumerate(sorted(size for size, _ in domain.test)[:3], 5_000):
            problem = generators.generate(name, size, seed=seed)
            task = asnets.ground_text(generators.domain_text(name), problem)
            rollouts = 10 if domain.is_probabilistic else 1
            reached += [found.run(task, i).reached_goal for i in range(rollouts)]
        # What explodes may leave no way to the goal.
        assert any(reached) if name == "exploding-blocksworld" else all(reached)


@needs_planner
def test_comparison(root: Path) -> None:
    """The end of `make run`."""
    script = root / "docs" / "examples" / "compare.py"
    command = [sys.executable, script, "blocksworld", "8", "1"]
    done = subprocess.run(command, check=False, text=True, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    header, *rows = [line.rsplit(maxsplit=2) for line in done.stdout.splitlines()[-4:]]
    assert header == ["blocksworld 8", "steps", "seconds"]
    assert [name for name, _, _ in rows] == [
        "asnets plan",
        "fast-downward, policy",
        "fast-downward, LAMA",
    ]
    assert rows[0][1] == rows[1][1]
    assert all(int(steps) > 0 for _, steps, _ in rows)


class TestNames:
    def test_a_name(self, place: Place) -> None:
        assert shipped.names() == ("blocks", "two")
        assert shipped.model_path("blocks") == place.model
        assert shipped.model_path(Path("blocks")) == place.model

    def test_files_win(self, place: Place) -> None:
        (place.work / "blocks").write_text("a file")
        assert shipped.model_path("blocks") == Path("blocks")

    def test_folders_do_not(self, place: Place) -> None:
        for name in ("blocks", "none"):
            (place.work / name).mkdir()
        assert shipped.model_path("blocks") == place.model
        for text in ("none", "./blocks", ".", ".."):
            with pytest.raises(IsADirectoryError):
                shipped.model_path(text)

    @pytest.mark.parametrize("text", ["./blocks", "blocks.pt", "a/blocks", "/blocks"])
    def test_paths_are_no_names(self, place: Place, text: str) -> None:
        with pytest.raises(FileNotFoundError, match="No such file or directory"):
            shipped.model_path(text)

    def test_unknown(self, place: Place) -> None:
        with pytest.raises(FileNotFoundError, match="no such model; models that ship: blocks, two"):
            shipped.model_path("bloks")
        with pytest.raises(
            UsageError, match="bloks: no model of this name; models that ship: blocks"
        ):
            shipped.path_of("bloks")

    def test_no_models(self, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(shipped.VARIABLE, str(place.work))
        with pytest.raises(FileNotFoundError, match="no models are there"):
            shipped.model_path("blocks")

    def test_the_package_is_the_default(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for value in (None, ""):
            monkeypatch.delenv(shipped.VARIABLE, raising=False)
            if value is not None:
                monkeypatch.setenv(shipped.VARIABLE, value)
            assert shipped.folder() == Path(asnets.__file__).resolve().parent / "models"


class TestDoors:
    """A name does what the path does."""

    def test_python(self, place: Place) -> None:
        named, given = asnets.Policy("blocks"), asnets.Policy(place.model)
        assert named.path == str(place.model)
        actions = [str(action) for action in given.run(place.task).actions]
        assert [str(action) for action in named.run(place.task).actions] == actions
        assert asnets.read_model("blocks").manifest == given.model.manifest
        scripted = asnets.Policy("blocks", backend="torchscript")
        assert [str(action) for action in scripted.run(place.task).actions] == actions

    def test_plan(self, place: Place) -> None:
        found = []
        for model in ("blocks", place.model):
            done = place.plan(model, "--json", "out.json")
            assert (done.returncode in (0, 12), "Traceback" in done.stderr) == (True, False)
            found.append(json.loads((place.work / "out.json").read_text()))
        assert found[0]["model"] == found[1]["model"] == str(place.model)
        assert found[0]["actions"] == found[1]["actions"] != []

    def test_plan_does_not_write_over_it(self, place: Place) -> None:
        content = place.model.read_bytes()
        done = place.plan("blocks", "--json", place.model)
        assert (done.returncode, place.model.read_bytes()) == (2, content)
        assert "given to be read" in done.stderr

    def test_evaluate_goes_on_by_either_name(self, place: Place) -> None:
        first = place.evaluate("blocks")
        assert first.returncode == 0, first.stderr
        assert "already" not in first.stdout
        assert "results.jsonl has 1 of the rollouts already" in place.evaluate(place.model).stdout
        (row,) = (place.work / "results.jsonl").read_text().splitlines()
        sha256 = hashlib.sha256(place.model.read_bytes()).hexdigest()
        assert json.loads(row)["model_sha256"] == sha256

    def test_info(self, place: Place) -> None:
        done = place.asnets("info", "blocks")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == place.asnets("info", place.model).stdout

    def test_unknown_names(self, place: Place) -> None:
        message = "bloks: no such file, and no such model; models that ship: blocks, two"
        for done in (place.plan("bloks"), place.evaluate("bloks"), place.asnets("info", "bloks")):
            assert (done.returncode, done.stdout, done.stderr) == (33, "", message + "\n")
        with pytest.raises(FileNotFoundError, match="models that ship: blocks, two"):
            asnets.Policy("bloks")

    def test_missing_files(self, place: Place) -> None:
        for text in ("bloks.pt", "a/bloks", "./blocks"):
            message = f"{text}: No such file or directory\n"
            done = place.plan(text)
            assert (done.returncode, done.stdout, done.stderr) == (33, "", message)


class TestModelsCommand:
    def test_table(self, place: Place) -> None:
        coverage = {"solved": 7, "problems": 17, "sizes": [4, 4], "by": "likeliest action"}
        place.write_record({"coverage": coverage, "seconds": 60}, "two")
        done = place.asnets("models")
        assert (done.returncode, done.stderr) == (0, "")
        header, *rows = [line.split() for line in done.stdout.splitlines()]
        assert header == ["model", "domain", "parameters", "size", "coverage", "on", "sizes", "trained"]  # fmt: skip
        size = f"{place.model.stat().st_size / 1000:.0f}"
        assert rows[0] == ["blocks", "blocks", "17,668", size, "kB", "29.5/30", "35", "to", "50", "20.5", "min"]  # fmt: skip
        assert rows[1][:3] + rows[1][5:] == ["two", "blocks", "17,668", "7/17", "4", "1.0", "min"]

    def test_no_models(self, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(shipped.VARIABLE, str(place.work))
        done = place.asnets("models")
        assert (done.returncode, done.stdout) == (0, f"no models in {place.work}\n")

    def test_one(self, place: Place) -> None:
        done = place.asnets("models", "blocks")  # the other one has no record
        assert (done.returncode, done.stderr) == (0, "")
        for part in (
            f"file: {place.model.resolve()} ({place.model.stat().st_size:,} bytes)",
            f"sha256: {shipped.read_record('blocks').sha256}",
            "coverage: 29.5 of 30 test problems of size 35 to 50, by likeliest action",
            "trained: 12 epochs in 1,230 s, seed 3",
            "commit: c0ffee",
            f"command: {RECORD['command']}",
        ):
            assert part in done.stdout.splitlines()

    def test_json(self, place: Place) -> None:
        place.write_record({}, "two")
        assert place.asnets("models", "--json", "all.json").returncode == 0
        assert place.asnets("models", "two", "--json", "two.json").returncode == 0
        found = json.loads((place.work / "all.json").read_text())
        assert [each["name"] for each in found] == ["blocks", "two"]
        assert json.loads((place.work / "two.json").read_text()) == found[1]
        assert found[1] == json.loads((place.models / "two.json").read_text())

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            (["bloks"], 2, "bloks: no model of this name; models that ship: blocks, two"),
            (["../blocks"], 2, "../blocks: no model of this name; models that ship: blocks, two"),
            (["two"], 31, "two.json: No such file or directory"),
            (["blocks", "--json", "/none/x"], 32, "/none/x: cannot write: No such file"),
        ],
    )
    def test_mistakes(self, place: Place, arguments: list[str], code: int, message: str) -> None:
        done = place.asnets("models", *arguments)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (code, "", 1)
        assert message in done.stderr


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": None}, "damaged: seed is missing"),
        ({"seed": "3"}, 'damaged: seed: unexpected "3"'),
        ({"seed": True}, "damaged: seed: unexpected true"),
        ({"seeds": 3}, "damaged: unknown field seeds"),
        ({"coverage": 30}, "damaged: coverage: unexpected 30"),
        ({"coverage": {}}, "damaged: solved is missing"),
        ({"coverage": {**RECORD["coverage"], "sizes": [35]}}, "damaged: sizes: expected"),
        ({"coverage": {**RECORD["coverage"], "sizes": ["a", "b"]}}, "damaged: sizes: expected"),
        ({"name": "two"}, "expected the record of blocks, found two"),
        ({"sha256": "0" * 64}, "blocks.pt: its SHA-256 is not that of its record blocks.json"),
    ],
)
def test_records_that_are_wrong(place: Place, changes: dict[str, Any], message: str) -> None:
    place.write_record(changes)
    with pytest.raises(DamagedFileError, match=message):
        shipped.read_record("blocks")


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "\udcff", "[" * 100_000])
def test_records_that_are_none(place: Place, text: str) -> None:
    (place.models / "blocks.json").write_text(text, errors="surrogateescape")
    done = place.asnets("models", "blocks")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (31, "", 1)
    assert done.stderr.startswith(f"{place.models / 'blocks.json'}: damaged: ")
