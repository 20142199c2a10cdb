"""The trainer as a program: what it writes, that it repeats itself, resumes, and survives."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

import asnets
from training import QUICK, command, metrics, problem_files, train

Files = tuple[Path, list[Path]]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return problem_files(tmp_path_factory.mktemp("blocks"), "blocksworld", [3, 4, 5], seed=1)


@pytest.fixture(scope="module")
def whole(files: Files, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model of a run that nothing disturbed."""
    output = tmp_path_factory.mktemp("whole") / "bw.pt"
    done = train(files[0], *files[1], "-o", output, *QUICK)
    assert done.returncode == 0, done.stderr
    return output


def weights(model: Path) -> list[np.ndarray]:
    return asnets.read_model(model).arrays


def equal(one: Path, other: Path) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(weights(one), weights(other), strict=True))


def without_times(lines: list[dict[str, object]]) -> list[dict[str, object]]:
    return [{k: v for k, v in line.items() if "seconds" not in k} for line in lines]


def test_files_of_a_run(whole: Path, files: Files) -> None:
    folder = whole.with_name("bw.pt.run")
    lines = metrics(whole)
    assert [line["epoch"] for line in lines] == [1, 2, 3, 4]  # the last one only judges
    assert all(line["loss"] > 0 for line in lines[:3])
    assert set(lines[1]["success_by_problem"]) == {str(path) for path in files[1]}
    assert lines[0]["states"] <= lines[3]["states"] <= lines[3]["samples"]
    assert lines[3]["memory_bytes"] > 0
    config = json.loads((folder / "config.json").read_text())
    assert config["options"]["batches"] == 8
    assert [Path(each["path"]) for each in config["problems"]] == files[1]
    summary = json.loads((folder / "summary.json").read_text())
    assert summary == asnets.read_model(whole).manifest["training"]
    assert summary["epochs"] == 3
    assert summary["repeatable"]


def test_lines_when_piped(files: Files, tmp_path: Path) -> None:
    done = train(files[0], *files[1], "-o", tmp_path / "bw.pt", *QUICK, "--epochs", "1")
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("epoch 1, loss ")
    assert last.startswith(f"{tmp_path / 'bw.pt'}: weights of epoch 1, success ")


def test_default_output_is_named_after_the_domain(files: Files, tmp_path: Path) -> None:
    done = train(files[0], files[1][0], *QUICK, "--epochs", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert asnets.read_model(tmp_path / "blocks.pt").domain_name == "blocks"


@pytest.mark.parametrize("workers", [1, 2])
def test_equal_seeds_give_equal_weights(
    files: Files, whole: Path, tmp_path: Path, workers: int
) -> None:
    output = tmp_path / "again.pt"
    train(files[0], *files[1], "-o", output, *QUICK, "--workers", workers)
    assert equal(output, whole)
    assert without_times(metrics(output)) == without_times(metrics(whole))


def test_other_seeds_give_other_weights(files: Files, whole: Path, tmp_path: Path) -> None:
    train(files[0], *files[1], "-o", tmp_path / "other.pt", *QUICK, "--seed", "1")
    assert not equal(tmp_path / "other.pt", whole)


def test_resuming_gives_the_same_weights(files: Files, whole: Path, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    train(files[0], *files[1], "-o", output, *QUICK, "--epochs", "1")
    done = train("--resume", "-o", output, "--epochs", "3")
    assert done.returncode == 0, done.stderr
    assert equal(output, whole)
    assert without_times(metrics(output))[1:] == without_times(metrics(whole))[1:]


def test_resuming_on_a_probabilistic_domain(tmp_path: Path) -> None:
    """The teacher's values and its random numbers are part of a checkpoint."""
    domain, problems = problem_files(tmp_path, "exploding-blocksworld", [3, 4], seed=2)
    once, twice = tmp_path / "once.pt", tmp_path / "twice.pt"
    train(domain, *problems, "-o", once, *QUICK)
    train(domain, *problems, "-o", twice, *QUICK, "--epochs", "2")
    done = train(domain, *problems, "--resume", "-o", twice, "--epochs", "3", "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert equal(once, twice)


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )


def wait_for_epoch(process: subprocess.Popen[str], number: int) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(f"epoch {number},"):
            return
    raise AssertionError(process.communicate()[1])


LONG = [*QUICK, "--epochs", "100000", "--stop-after", "100000"]


def test_killed_runs_resume(files: Files, whole: Path, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    process = start(files[0], *files[1], "-o", output, *LONG)
    wait_for_epoch(process, 2)
    process.kill()
    process.communicate()
    assert not output.exists()
    # Not by accident:
    refused = train(files[0], *files[1], "-o", output, *QUICK)
    assert refused.returncode == 2
    assert "unfinished run; --resume goes on with it" in refused.stderr
    finished = int(metrics(output)[-1]["epoch"])
    done = train("--resume", "-o", output, "--epochs", max(3, finished))
    assert done.returncode == 0, done.stderr
    if finished <= 3:
        assert equal(output, whole)


def test_workers_die_with_the_trainer(files: Files, tmp_path: Path) -> None:
    process = start(files[0], *files[1], "-o", tmp_path / "bw.pt", *LONG, "--workers", "2")
    wait_for_epoch(process, 1)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) >= 2
    process.kill()
    process.communicate()
    for _ in range(100):
        if not any(Path(f"/proc/{child}").exists() for child in children):
            return
        time.sleep(0.1)
    raise AssertionError("a worker outlives its trainer")


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_writes_the_best_model(files: Files, tmp_path: Path, workers: int) -> None:
    output = tmp_path / "bw.pt"
    process = start(files[0], *files[1], "-o", output, *LONG, "--workers", workers)
    wait_for_epoch(process, 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "go on with --resume" in out
    assert asnets.read_model(output).manifest["training"]["end"] == "interrupted"


def test_ctrl_c_before_the_first_epoch(files: Files, tmp_path: Path) -> None:
    process = start(files[0], *files[1], "-o", tmp_path / "bw.pt", *LONG, "--batches", "1000000")
    while not (tmp_path / "bw.pt.run" / "config.json").exists():
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert not (tmp_path / "bw.pt").exists()


def test_time_limit_ends_a_run_in_peace(files: Files, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    done = train(files[0], *files[1], "-o", output, *LONG, "--time-limit", "10")
    assert done.returncode == 0, done.stderr
    assert asnets.read_model(output).manifest["training"]["end"] == "time limit"


def test_time_limit_before_the_first_epoch(files: Files, tmp_path: Path) -> None:
    done = train(files[0], *files[1], "-o", tmp_path / "bw.pt", *LONG, "--time-limit", "0.01")
    assert done.returncode == 23
    assert "no model written" in done.stderr


def test_two_runs_do_not_share_a_folder(files: Files, tmp_path: Path) -> None:
    process = start(files[0], *files[1], "-o", tmp_path / "bw.pt", *LONG)
    wait_for_epoch(process, 1)
    done = train("--resume", "-o", tmp_path / "bw.pt")
    process.kill()
    process.communicate()
    assert done.returncode == 2
    assert "another training run is writing there" in done.stderr


def test_full_disk_keeps_the_last_checkpoint(files: Files, tmp_path: Path) -> None:
    """Files that may not grow are what a full disk looks like."""
    output = tmp_path / "bw.pt"
    train(files[0], *files[1], "-o", output, *QUICK, "--epochs", "1")
    before = (tmp_path / "bw.pt.run" / "checkpoint.pt").read_bytes()
    limit = len(before) // 2
    process = subprocess.run(
        command("--resume", "-o", output, "--epochs", "3"),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert process.returncode == 32
    assert "checkpoint.pt: cannot write: File too large" in process.stderr
    assert "Traceback" not in process.stderr
    assert (tmp_path / "bw.pt.run" / "checkpoint.pt").read_bytes() == before
    assert not list((tmp_path / "bw.pt.run").glob(".checkpoint*"))


def test_damaged_checkpoints(files: Files, whole: Path, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    shutil.copytree(whole.with_name("bw.pt.run"), tmp_path / "bw.pt.run")
    file = tmp_path / "bw.pt.run" / "checkpoint.pt"
    good = file.read_bytes()
    for damaged in (b"", b"nonsense", good[: len(good) // 2], good[:-1]):
        file.write_bytes(damaged)
        done = train("--resume", "-o", output)
        assert done.returncode == 31
        assert done.stderr.startswith(f"{file}: damaged: ")
        assert len(done.stderr.splitlines()) == 1


def test_changed_files_cannot_be_resumed(tmp_path: Path) -> None:
    domain, problems = problem_files(tmp_path, "blocksworld", [3])
    output = tmp_path / "bw.pt"
    train(domain, *problems, "-o", output, *QUICK)
    for extra, message in (
        (["--channels", "8"], "the run was begun with --channels 16: it cannot change"),
        ([], f"{problems[0]}: changed since the run began"),
    ):
        if not extra:
            problems[0].write_text(problems[0].read_text() + "\n")
        done = train("--resume", "-o", output, *extra)
        assert done.returncode == 2
        assert message in done.stderr


def test_validation_judges_weights(files: Files, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    done = train(files[0], *files[1][:2], "--validation", files[1][2], "-o", output, *QUICK)
    assert done.returncode == 0, done.stderr
    lines = metrics(output)
    scores = [(line["validation_success"], -(line["validation_cost"] or 0)) for line in lines[:3]]
    record = asnets.read_model(output).manifest["training"]
    assert record["judged_on"] == "validation"
    assert record["success"] == max(scores)[0]


UNSOLVABLE = """(define (problem none) (:domain blocks) (:objects a b - block)
(:init (clear a) (clear b) (ontable a) (ontable b) (handempty)) (:goal (and (on a b) (on b a))))"""


def test_unsolvable_problems_are_skipped(files: Files, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pddl"
    bad.write_text(UNSOLVABLE)
    done = train(files[0], files[1][0], bad, "-o", tmp_path / "bw.pt", *QUICK)
    assert done.returncode == 0
    assert f"warning: {bad}: skipped, the teacher finds no way to the goal" in done.stderr
    assert asnets.read_model(tmp_path / "bw.pt").manifest["training"]["skipped"] == [str(bad)]
    alone = train(files[0], bad, "-o", tmp_path / "alone.pt", *QUICK)
    assert alone.returncode == 12
    assert "no training problem has a choice that a teacher could label" in alone.stderr
    assert not (tmp_path / "alone.pt").exists()


def test_teacher_without_the_means(files: Files, tmp_path: Path) -> None:
    limited = ["--teacher", "astar:h_max", "--teacher-expansions", "1"]
    done = train(files[0], *files[1], "-o", tmp_path / "bw.pt", *QUICK, *limited)
    assert done.returncode == 12
    assert "skipped, the teacher reached its limits" in done.stderr


def test_problem_of_another_domain(files: Files, tmp_path: Path) -> None:
    _, others = problem_files(tmp_path, "triangle-tireworld", [1])
    done = train(files[0], files[1][0], *others, "-o", tmp_path / "bw.pt", *QUICK)
    assert done.returncode == 31
    assert done.stderr.startswith(f"{others[0]}:")
    assert not (tmp_path / "bw.pt.run").exists()


QUANTIFIED = """(define (domain blocks) (:requirements :adl) (:predicates (p ?x) (q))
(:action a :parameters () :precondition (forall (?x) (p ?x)) :effect (q)))"""


def test_domain_that_no_network_can_follow(tmp_path: Path) -> None:
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_text(QUANTIFIED)
    problem.write_text(
        "(define (problem x) (:domain blocks) (:objects o) (:init (p o)) (:goal (q)))"
    )
    done = train(domain, problem, "-o", tmp_path / "bw.pt")
    assert done.returncode == 31
    assert done.stderr.startswith(f"{domain}:2:")
    assert "a" in done.stderr.splitlines()[0]


def test_same_problem_twice(files: Files, tmp_path: Path) -> None:
    done = train(files[0], files[1][0], files[1][0], "-o", tmp_path / "bw.pt", *QUICK)
    assert done.returncode == 2
    assert f"{files[1][0]}: given 2 times" in done.stderr


def test_two_problems_of_one_name(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    problems = []
    for folder in folders:
        folder.mkdir()
        domain, own = problem_files(folder, "blocksworld", [3], seed=len(problems))
        problems += own
    done = train(domain, *problems, "-o", tmp_path / "bw.pt", *QUICK)
    assert done.returncode == 0
    assert "warning: 2 problems are named p03.pddl" in done.stderr
    assert len(metrics(tmp_path / "bw.pt")[1]["success_by_problem"]) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_unwritable_folder(files: Files, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = train(files[0], *files[1], "-o", tmp_path / "bw.pt", *QUICK)
    tmp_path.chmod(0o700)
    assert done.returncode == 32


@pytest.mark.parametrize("output", ["missing/bw.pt", "."])
def test_output_that_cannot_be(files: Files, tmp_path: Path, output: str) -> None:
    done = train(files[0], *files[1], "-o", output, *QUICK, cwd=tmp_path)
    assert done.returncode == 32
    assert "cannot write" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_same_as_asnets_train(files: Files, whole: Path, tmp_path: Path) -> None:
    executable = Path(command()[0]).with_name("asnets")
    arguments = [executable, "train", files[0], *files[1], "-o", tmp_path / "bw.pt", *QUICK]
    done = subprocess.run(
        [str(each) for each in arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert equal(tmp_path / "bw.pt", whole)


def test_tensorboard_files(files: Files, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    done = train(files[0], *files[1], "-o", tmp_path / "bw.pt", *QUICK, "--tensorboard")
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "bw.pt.run" / "tensorboard").glob("events.out.tfevents.*"))


def test_table_on_a_terminal(files: Files, tmp_path: Path) -> None:
    main, other = os.openpty()
    process = subprocess.Popen(
        command(files[0], *files[1], "-o", tmp_path / "bw.pt", *QUICK),
        stdout=other,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "200"},
    )
    os.close(other)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    assert process.wait() == 0
    os.close(main)
    for text in (
        b"epoch",
        b"teacher calls",
        b"time left",
        b"p03 ",
        b"optimising: ",
        b"exploring: ",
    ):
        assert text in shown
