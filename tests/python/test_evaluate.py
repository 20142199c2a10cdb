"""`asnets evaluate`: rows, tables, coverage, and going on with a file of results."""

import json
import os
import pty
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import asnets
from asnets.evaluate_table import Problem, Summary, coverage_text, plain
from asnets.results import PHASES, Row
from evaluating import Case, make_case, without_times
from model_files import make_model
from training import Files


@pytest.fixture(scope="module")
def blocks_case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return make_case(tmp_path_factory.mktemp("blocks"), "blocksworld", [2, 3, 4])


@pytest.fixture(scope="module")
def tire(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A probabilistic domain, evaluated with two workers."""
    case = make_case(tmp_path_factory.mktemp("tire"), "triangle-tireworld", [2, 3])
    done = case.evaluate(*case.problems, "--workers", 2, "-o", "results.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    (case.folder / "stdout").write_text(done.stdout)
    return case


def test_rows_are_the_policys_runs(tire: Case) -> None:
    rows = tire.rows("results.jsonl")
    policy = asnets.Policy(tire.folder / "model.pt")
    for path in tire.problems:
        task = asnets.ground(tire.folder / "domain.pddl", tire.folder / path)
        own = sorted((row for row in rows if row["problem"] == path), key=lambda row: row["seed"])
        assert [row["seed"] for row in own] == [*range(30)]
        for row in own:
            run = policy.run(task, row["seed"])
            found = [row[key] for key in ("success", "reason", "cost", "steps", "avoided")]
            assert found == [run.reached_goal, run.end, run.cost, len(run), run.avoided]
            assert list(row["seconds"]) == list(PHASES)
            assert row["peak_kb"] > 0
            assert row["deterministic"] is False


def test_what_is_printed(tire: Case) -> None:
    lines = (tire.folder / "stdout").read_text().splitlines()
    rows = tire.rows("results.jsonl")
    parts = []
    for path in tire.problems:
        successes = sum(row["success"] for row in rows if row["problem"] == path)
        parts.append(Fraction(successes, 30))
        (line,) = [line for line in lines if line.startswith(f"{path}: ")]
        assert f"{successes}/30 successes, cost " in line
        assert f"dead end {30 - successes}" in line
        for phase in ("ground", "features", "network"):
            assert f"{phase} 0." in line
    costs = [row["cost"] for row in rows if row["success"]]
    assert 0 < len(costs) < 60
    assert f"problems: 2; rollouts: 60; successes: {len(costs)}" in lines
    mean = f"mean cost of successes: {sum(costs) / len(costs):.6g} (95% interval "
    assert any(line.startswith(mean) for line in lines)
    value = float(sum(parts))
    assert lines[-1] == f"coverage: {value:.4f}".rstrip("0") + "/2"


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_nothing(tire: Case, workers: int) -> None:
    """With three, one has no problem of its own and helps with the others'."""
    file = f"workers{workers}.jsonl"
    done = tire.evaluate(*tire.problems, "--workers", workers, "-o", file)
    assert done.returncode == 0
    assert without_times(tire.rows(file)) == without_times(tire.rows("results.jsonl"))


def test_default_rollouts(blocks_case: Case) -> None:
    for arguments, count in (([], 1), (["--sample"], 10), (["--sample", "--rollouts", 2], 2)):
        done = blocks_case.evaluate("p02.pddl", *arguments, "--workers", 1, "--seed", 7)
        assert f"problems: 1; rollouts: {count};" in done.stdout
        assert done.returncode == 0


def test_options_reach_the_policy(blocks_case: Case) -> None:
    policy = asnets.Policy(blocks_case.folder / "model.pt")
    task = asnets.ground(blocks_case.folder / "domain.pddl", blocks_case.folder / "p04.pddl")
    options = {"limit": 40, "sample": True, "temperature": 0.5, "avoid_loops": True,
               "find_dead_ends": True}  # fmt: skip
    words = ["--limit", 40, "--sample", "--temperature", 0.5, "--avoid-loops", "--find-dead-ends"]
    done = blocks_case.evaluate("p04.pddl", *words, "--seed", 5, "--rollouts", 3, "-o", "o.jsonl")
    assert done.returncode == 0, done.stderr
    rows = without_times(blocks_case.rows("o.jsonl"))
    runs = [policy.run(task, seed, **options) for seed in (5, 6, 7)]
    assert [row["seed"] for row in rows] == [5, 6, 7]
    assert [row["steps"] for row in rows] == [len(run) for run in runs]
    assert [row["avoided"] for row in rows] == [run.avoided for run in runs]
    assert all(row["options"] == {**options, "backend": "native"} for row in rows)


def test_what_is_known_is_not_run_again(blocks_case: Case) -> None:
    case = blocks_case
    words = [*case.problems, "--sample", "--workers", 1, "-o", "again.jsonl"]
    first = case.evaluate(*words, "--rollouts", 3)
    before = (case.folder / "again.jsonl").read_text()
    again = case.evaluate(*words, "--rollouts", 3)
    assert again.returncode == 0
    assert (case.folder / "again.jsonl").read_text() == before
    assert again.stdout.splitlines()[0] == "again.jsonl has 9 of the rollouts already"
    assert sorted(again.stdout.splitlines()[1:]) == sorted(first.stdout.splitlines())
    # More rollouts, and other options, add to it.
    case.evaluate(*words, "--rollouts", 5)
    more = (case.folder / "again.jsonl").read_text()
    assert more.startswith(before)
    assert more.count("\n") == 15
    other = case.evaluate(*words, "--rollouts", 3, "--limit", 299)
    assert "already" not in other.stdout
    assert (case.folder / "again.jsonl").read_text().count("\n") == 24
    # With the default, the task is known without grounding it.
    assert "has 15 of" in case.evaluate(*words).stdout


@pytest.mark.parametrize("changed", ["p02.pddl", "domain.pddl", "model.pt"])
def test_changed_files_are_run_again(tmp_path: Path, changed: str) -> None:
    case = make_case(tmp_path, "blocksworld", [2, 3])
    case.evaluate(*case.problems, "--workers", 1, "-o", "r.jsonl")
    path = tmp_path / changed
    if changed == "model.pt":
        make_model("blocksworld", training={"problems": 4}).write(path)
    else:
        path.write_text(path.read_text() + "\n")
    done = case.evaluate(*case.problems, "--workers", 1, "-o", "r.jsonl")
    expected = "r.jsonl has 1 of" if changed == "p02.pddl" else "p02.pddl: "
    assert done.stdout.startswith(expected), done.stdout + done.stderr
    assert len(case.rows("r.jsonl")) == (3 if changed == "p02.pddl" else 4)


@pytest.mark.parametrize("cut", [1, 30, 500])
def test_half_a_line_is_dropped(tire: Case, cut: int) -> None:
    lines = (tire.folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    file = tire.folder / "half.jsonl"
    file.write_bytes(b"".join(lines[:40]) + lines[40][:cut])
    done = tire.evaluate(*tire.problems, "--workers", 1, "-o", "half.jsonl")
    assert done.returncode == 0
    assert "has 40 of" in done.stdout
    assert file.read_bytes().startswith(b"".join(lines[:40]))
    assert without_times(tire.rows("half.jsonl")) == without_times(tire.rows("results.jsonl"))


def damages(line: bytes) -> dict[str, bytes]:
    row = json.loads(line)
    return {
        "cut": line[:50] + b"\n",
        "empty": b"\n",
        "not an object": b"[1, 2]\n",
        "nested": b"[" * 100_000 + b"\n",
        "not text": b"\xff\xfe\n",
        "missing": json.dumps({k: v for k, v in row.items() if k != "seed"}).encode() + b"\n",
        "unknown": json.dumps({**row, "colour": 1}).encode() + b"\n",
        "kind": json.dumps({**row, "cost": "much"}).encode() + b"\n",
        "phase": json.dumps({**row, "seconds": {}}).encode() + b"\n",
    }


def test_damaged_lines(tire: Case) -> None:
    lines = (tire.folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    file = tire.folder / "damaged.jsonl"
    for damaged in damages(lines[2]).values():
        file.write_bytes(b"".join([*lines[:2], damaged, *lines[3:]]))
        before = file.read_bytes()
        done = tire.evaluate(*tire.problems, "-o", "damaged.jsonl")
        assert done.returncode == 31
        assert done.stderr.startswith("damaged.jsonl:3: damaged: expected a row of results; ")
        assert len(done.stderr.splitlines()) == 1
        assert file.read_bytes() == before


@pytest.mark.parametrize("other", ["domain.pddl", "model.pt", "note.txt"])
def test_other_files_are_left_alone(tire: Case, other: str) -> None:
    (tire.folder / "note.txt").write_text("a line without an end")
    before = (tire.folder / other).read_bytes()
    done = tire.evaluate(*tire.problems, "-o", other)
    assert done.returncode == 31
    assert done.stderr.startswith(f"{other}:1: damaged: expected a row of results")
    assert (tire.folder / other).read_bytes() == before


def test_bad_problems_are_rows(blocks_case: Case) -> None:
    case = blocks_case
    (case.folder / "bad.pddl").write_text("(define (problem p) (:domain blocks) (:goal (onn a b)))")
    words = ["bad.pddl", "p02.pddl", "missing.pddl", "/dev/zero", "-o", "bad.jsonl"]
    done = case.evaluate(*words)
    assert done.returncode == 0
    assert "bad.pddl: 0/1 successes, cost -, steps -; " in done.stdout
    assert done.stdout.splitlines()[-1] == "coverage: 1/4"
    reasons = {row["problem"]: row["reason"] for row in case.rows("bad.jsonl")}
    assert reasons["p02.pddl"] == "goal"
    assert reasons["missing.pddl"] == "bad input: missing.pddl: No such file or directory"
    assert reasons["bad.pddl"].startswith('bad input: bad.pddl:1:46: unknown predicate "onn"')
    assert reasons["/dev/zero"].startswith("bad input: /dev/zero:1:1: expected text")
    assert "Traceback" not in done.stderr
    again = case.evaluate(*words)
    assert "has 4 of" in again.stdout
    more = case.evaluate("bad.pddl", "--rollouts", 3, "-o", "bad.jsonl")
    assert more.returncode == 31
    assert more.stderr == "no problem could be grounded\n"
    assert more.stdout.splitlines()[-1] == "coverage: 0/1"
    assert [row["seed"] for row in case.rows("bad.jsonl") if row["problem"] == "bad.pddl"] == [
        0,
        1,
        2,
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["p02.pddl", "-m", "missing.pt"], 33, "missing.pt: No such file or directory"),
        (["p02.pddl", "-m", "p02.pddl"], 33, "p02.pddl: "),
        (["p02.pddl", "-m", "other.pt"], 33, "other.pt: not for domain blocks of this problem: "),
        (["p02.pddl", "p03.pddl", "p02.pddl"], 2, "p02.pddl: given twice"),
        ([], 2, "problems"),
        (["p02.pddl", "--rollouts", "0"], 2, "--rollouts"),
        (["p02.pddl", "--temperature", "nan"], 2, "--temperature"),
        (["p02.pddl", "--time-limit", "nan"], 2, "--time-limit"),
        (["p02.pddl", "-o", "/nowhere/r.jsonl"], 32,
         "/nowhere/r.jsonl: cannot write: No such file or directory"),
        (["p02.pddl", "-o", "."], 32, ".: cannot write: Is a directory"),
        (["p02.pddl", "-o", "/dev/full"], 32, "/dev/full: cannot write: No space left on device"),
    ],
)  # fmt: skip
def test_mistakes(blocks_case: Case, arguments: list[str], code: int, message: str) -> None:
    if "other.pt" in arguments and not (blocks_case.folder / "other").exists():
        (blocks_case.folder / "other").mkdir()
        other = make_case(blocks_case.folder / "other", "triangle-tireworld", [])
        (other.folder / "model.pt").rename(blocks_case.folder / "other.pt")
    done = blocks_case.evaluate(*arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3


def test_bad_domains(tmp_path: Path) -> None:
    case = make_case(tmp_path, "blocksworld", [2])
    (tmp_path / "domain.pddl").write_text("(define (domain blocks) (:predicats))")
    done = case.evaluate("p02.pddl", "-o", "r.jsonl")
    assert done.returncode == 31
    assert done.stderr.startswith("domain.pddl:1:")
    (tmp_path / "domain.pddl").unlink()
    done = case.evaluate("p02.pddl", "-o", "r.jsonl")
    assert (done.returncode, done.stderr) == (31, "domain.pddl: No such file or directory\n")
    assert not (tmp_path / "r.jsonl").exists()


def test_warnings_come_once(tmp_path: Path) -> None:
    case = make_case(tmp_path, "blocksworld", [2, 3])
    text = (tmp_path / "domain.pddl").read_text()
    (tmp_path / "domain.pddl").write_text(text.replace(":strips", ":strps"))
    done = case.evaluate(*case.problems, "--workers", 2)
    assert done.returncode == 0
    assert done.stderr.startswith("warning: domain.pddl:")
    assert len(done.stderr.splitlines()) == 1


def test_torch_is_not_imported(blocks_case: Case) -> None:
    """Neither by the commands nor by worker processes; they say what they import."""
    environment = os.environ | {"PYTHONPROFILEIMPORTTIME": "1"}
    evaluated = blocks_case.evaluate("p02.pddl", "p03.pddl", "--workers", 2, env=environment)
    planned = subprocess.run(
        [sys.executable, "-m", "asnets", "plan", "-m", "model.pt", "domain.pddl", "p02.pddl"],
        check=False, cwd=blocks_case.folder, text=True, capture_output=True, env=environment,
    )  # fmt: skip
    for done, own in ((evaluated, "asnets.evaluate_worker"), (planned, "asnets.plan")):
        assert done.returncode == 0
        modules = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines()]
        assert own in modules
        assert modules.count("asnets.policy") == (3 if done is evaluated else 1)
        assert not [each for each in modules if each.split(".")[0] in ("torch", "asnets_train")]


def test_torchscript(blocks: Files, undisturbed: Path, tmp_path: Path) -> None:
    rows = []
    for backend in ("native", "torchscript"):
        case = Case(tmp_path, [])
        words = [*blocks[1], "-o", f"{backend}.jsonl", "--backend", backend, "--limit", "20"]
        command = [sys.executable, "-m", "asnets", "evaluate", "-m", undisturbed, blocks[0]]
        done = subprocess.run(
            [*command, *words], check=False, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        rows.append(without_times(case.rows(f"{backend}.jsonl")))
        assert all(row.pop("options")["backend"] == backend for row in rows[-1])
    assert rows[0] == rows[1]


def test_table_on_a_terminal(tire: Case) -> None:
    mine, theirs = pty.openpty()
    with subprocess.Popen(
        tire.command(*tire.problems, "missing.pddl", "--workers", 2),
        cwd=tire.folder, stdout=theirs, env=os.environ | {"COLUMNS": "120", "LINES": "30"},
    ) as process:  # fmt: skip
        os.close(theirs)
        text = b""
        while True:
            try:
                text += os.read(mine, 1 << 16)
            except OSError:  # how a terminal ends
                break
    os.close(mine)
    assert process.returncode == 0
    shown = text.decode()
    for path in (*tire.problems, "missing.pddl"):
        assert path in shown
    assert "30/30" in shown
    assert "3 of 3 problems done" in shown
    assert shown.splitlines()[-1].startswith("coverage: 0.")


def row_of(seed: int, success: bool, cost: float | None = 1.0) -> Row:
    phases = dict.fromkeys(PHASES, 0.5)
    return Row("p", None, "d", "m", {}, None, None, True, seed, success,
               "goal" if success else "loop", cost, 3, 0, phases, 1024)  # fmt: skip


@pytest.mark.parametrize(
    ("successes", "rollouts", "expected"),
    [
        ([30, 30], 30, "2/2"),
        ([0], 30, "0/1"),
        ([28], 30, "0.9333/1"),
        ([30, 12], 30, "1.4/2"),
        ([10, 20], 30, "1/2"),
        ([99_999], 100_000, "0.99999/1"),
        ([1], 1_000_000, "0.000001/1"),
        ([], 1, "0/0"),
    ],
)
def test_coverage(successes: list[int], rollouts: int, expected: str) -> None:
    problems = []
    for count in successes:
        rows = {seed: row_of(seed, True) for seed in range(count)}
        problems.append(Problem(Path("p"), None, True, rollouts, rows))
    assert coverage_text(problems) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(20_000, "20000"), (23_633.4, "23633"), (9999.6, "10000"), (23.6333, "23.63"), (0.0, "0"),
     (3.0, "3"), (-12_345.6, "-12346"), (1e30, "1e+30"), (float("inf"), "inf")],
)  # fmt: skip
def test_plain_numbers(value: float, expected: str) -> None:
    assert plain(value, 4) == expected


def test_summary_by_hand() -> None:
    rows = {0: row_of(0, True, 4.0), 1: row_of(1, True, 6.0), 2: row_of(2, False, 300.0)}
    found = Summary([Problem(Path("p"), None, True, 3, rows)])
    assert found.cost == 5.0  # of the successes
    assert found.cost_text() == "5 ± 12.7"  # t(1) = 12.706, the standard error is 1
    assert found.seconds == {"features": 1.5, "network": 1.5, "ground": 0.5}
    assert found.peak_kb == 1024
    assert found.failures_text() == "loop 1"


def test_summary_of_long_runs() -> None:
    rows = {seed: replace(row_of(seed, True, 2e6 + seed * 1e5), steps=20_000) for seed in (0, 1)}
    found = Summary([Problem(Path("p"), None, True, 2, rows)])
    assert found.steps_text() == "20000"
    assert found.cost_text() == "2050000 ± 635310"
