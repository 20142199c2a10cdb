"""The models that ship: what they can do, their records, and their names through every door."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks.article.protocol import DOMAINS
from downward_patch.places import planner, source_folder

import asnets
from asnets import generators, info, shipped
from asnets.errors import DamagedFileError, UsageError
from driving import Driven, drive, needs_planner, policy, write_model

Run = subprocess.CompletedProcess[str]

RECORD: dict[str, Any] = {
    "name": "blocks",
    "domain": "blocks",
    "sha256": "",
    "parameters": 17_668,
    "coverage": {"solved": 29.5, "problems": 30, "sizes": [35, 50], "by": "likeliest action"},
    "command": "asnets train domain.pddl training/*.pddl -o blocks.pt --seed 3",
    "seed": 3,
    "commit": "c0ffee",
    "seconds": 1_230.5,
    "epochs": 12,
    "validation": 1.0,
}


class TestShipped:
    """What lies in the package."""

    @pytest.mark.xfail(strict=True, reason="the models are in training")
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
        files = {path.name for path in shipped.FOLDER.iterdir()} if shipped.names() else set()
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


class Place:
    """A folder with a task, and beside it a folder of models in place of the package's."""

    def __init__(self, folder: Path) -> None:
        self.models = folder / "models"
        self.work = folder / "work"
        self.models.mkdir()
        self.work.mkdir()
        domain = generators.domain_text("blocksworld")
        problem = generators.generate("blocksworld", 5, seed=2)
        self.write(domain, problem)
        self.task = asnets.ground_text(domain, problem)
        self.model = write_model(self.models / "blocks.pt", domain, self.task)
        write_model(self.models / "two.pt", domain, self.task)
        self.write_record({})

    def write(self, domain: str, problem: str) -> None:
        (self.work / "domain.pddl").write_text(domain)
        (self.work / "p.pddl").write_text(problem)

    def write_record(self, changes: dict[str, Any], name: str = "blocks") -> Path:
        """One that fits, with changes; None takes a field out."""
        model = self.models / f"{name}.pt"
        sha256 = hashlib.sha256(model.read_bytes()).hexdigest()
        fields = {**RECORD, "name": name, "sha256": sha256, **changes}
        text = json.dumps({key: value for key, value in fields.items() if value is not None})
        model.with_suffix(".json").write_text(text)
        return model.with_suffix(".json")

    def asnets(self, command: str, *arguments: object) -> Run:
        return subprocess.run(
            [sys.executable, "-m", "asnets", command, *map(str, arguments)],
            check=False, cwd=self.work, text=True, capture_output=True, timeout=60,
        )  # fmt: skip

    def plan(self, model: object, *arguments: object) -> Run:
        return self.asnets("plan", "domain.pddl", "p.pddl", "-m", model, *arguments)

    def evaluate(self, model: object) -> Run:
        files = ["domain.pddl", "p.pddl", "-m", model]
        return self.asnets("evaluate", *files, "--workers", 1, "-o", "results.jsonl")

    def drive(self, search: str) -> Driven:
        return drive(self.work, "domain.pddl", "p.pddl", "--search", search)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    found = Place(tmp_path)
    monkeypatch.setenv(shipped.VARIABLE, str(found.models))
    monkeypatch.chdir(found.work)
    return found


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
            for done in (place.plan(text), place.evaluate(text), place.asnets("info", text)):
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


@needs_planner
class TestFastDownward:
    def test_names(self, place: Place) -> None:
        run = asnets.Policy("blocks").run(place.task)
        steps = [str(action).strip("()") for action in run.actions]
        for name in ("blocks", "'blocks'", place.model):
            done = place.drive(policy(name, verbosity="debug"))
            assert done.code == (0 if run.reached_goal else 12), done.err
            assert (done.steps, done.err) == (steps, "")
            assert f"Following {place.model}, " in done.out

    def test_preferred_operators(self, place: Place) -> None:
        outputs = []
        for model in ("blocks", place.model):
            done = place.drive(
                f"lazy_greedy([ff()], preferred=[{policy(model, 'asnet_preferred')}])"
            )
            assert (done.code, done.err) == (0, "")
            outputs.append(done.plan.read_text())
        assert outputs[0] == outputs[1]

    def test_files_win(self, place: Place) -> None:
        (place.work / "blocks").write_text("a file")
        done = place.drive(policy("blocks"))
        assert done.code == 33
        assert done.err.splitlines()[0].startswith("blocks: not an ASNets model")

    def test_folders_do_not(self, place: Place) -> None:
        (place.work / "blocks").mkdir()
        assert f"Following {place.model}, " in place.drive(policy("blocks")).out

    def test_unknown(self, place: Place) -> None:
        for search in (policy("Bloks"), f"lazy_greedy([{policy('Bloks', 'asnet_preferred')}])"):
            done = place.drive(search)
            assert done.code == 33
            line = "Bloks: no such file, and no such model; models that ship: blocks, two"
            assert done.err.splitlines()[0] == line

    def test_paths_are_no_names(self, place: Place) -> None:
        for text in ("./blocks", "blocks.pt"):
            done = place.drive(policy(text))
            assert done.code == 33
            assert done.err.splitlines()[0] == f"{text}: No such file or directory"

    def test_the_package_is_the_default(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for value in (None, ""):
            monkeypatch.delenv(shipped.VARIABLE, raising=False)
            if value is not None:
                monkeypatch.setenv(shipped.VARIABLE, value)
            with pytest.raises(FileNotFoundError) as caught:
                asnets.Policy("bloks")
            line = f"bloks: {caught.value.strerror}"
            assert place.drive(policy("bloks")).err.splitlines()[0] == line


DOMAIN = """\
(define (domain tidy)  ; of another author
  (:requirements :strips)
  (:predicates (ONTABLE ?a) (on ?a ?b) (clear ?a) (handempty) (holding ?a))
  (:action UNSTACK
    :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y))))
  (:action stack
    :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action put-down
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action pick-up
    :parameters (?x)
    :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x))))
"""


class TestFits:
    """A model is for the schemas of its domain, whatever else the file says."""

    def other_words(self, place: Place) -> None:
        """The same problem without types and with names of its own, in the same order."""
        problem = re.sub(r"\bb(\d)\b", r"Cube-\1", (place.work / "p.pddl").read_text())
        problem = problem.replace("(:domain blocks)", "(:domain tidy)").replace(" - block", "")
        place.write(DOMAIN, problem)

    def test_another_domain_with_the_same_schemas(self, place: Place) -> None:
        found = asnets.Policy("blocks")
        actions = [str(action) for action in found.run(place.task).actions]
        self.other_words(place)
        task = asnets.ground("domain.pddl", "p.pddl")
        assert task.domain_name == "tidy"
        expected = [action.replace(" b", " cube-") for action in actions]
        assert [str(action) for action in found.run(task).actions] == expected
        assert place.plan("blocks").returncode in (0, 12)

    @needs_planner
    def test_fast_downward(self, place: Place) -> None:
        run = asnets.Policy("blocks").run(place.task)
        self.other_words(place)
        done = place.drive(policy("blocks", verbosity="debug"))
        assert done.err == ""
        steps = [str(action).strip("()").replace(" b", " cube-") for action in run.actions]
        assert done.steps == steps

    @pytest.mark.parametrize(
        ("old", "new", "difference"),
        [
            ("pick-up", "grab", "schema pick-up of the model is not in the task"),
            ("(ontable ?x) (handempty)", "(handempty) (ontable ?x)",
             "schema pick-up: slot 2 is (ontable ?b) in the model, (handempty) in the task"),
            ("?x ?y)\n    :precondition (and (holding ?x)", "?y ?x)\n    :precondition (and (holding ?x)",
             "schema stack: slot 1 is (holding ?top) in the model, (holding ?bottom) in the task"),
        ],
    )  # fmt: skip
    def test_differences(self, place: Place, old: str, new: str, difference: str) -> None:
        self.other_words(place)
        assert DOMAIN.count(old) == 1
        (place.work / "domain.pddl").write_text(DOMAIN.replace(old, new))
        line = f"{place.model}: not for domain tidy of this problem: {difference}"
        for done in (place.plan("blocks"), place.evaluate("blocks")):
            assert (done.returncode, done.stderr) == (33, line + "\n")
        with pytest.raises(asnets.ModelError) as caught:
            asnets.Policy("blocks").of(asnets.ground("domain.pddl", "p.pddl"))
        assert str(caught.value) == line
        if planner(source_folder()).exists():
            found = place.drive(policy("blocks"))
            assert found.code == 33
            assert found.err.splitlines()[0] == line.replace(" of this problem", "")
