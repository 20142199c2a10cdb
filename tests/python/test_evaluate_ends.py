"""How evaluations end, and what is left then: signals, dead workers, limits, full disks."""

import errno
import fcntl
import json
import os
import resource
import signal
import sys
import termios
import time
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest

from asnets import processes
from asnets.cli import run
from asnets.evaluate import Options, evaluate
from evaluating import LONG, Case, all_end, kill, make_case, wait_for_workers, without_times


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return make_case(tmp_path, "blocksworld", [2, 3, 30])


def test_killed_workers_are_replaced(case: Case) -> None:
    """One row is lost, and the rest is as without it."""
    words = ["p30.pddl", "p02.pddl", *LONG, "--workers", 1]
    with case.started(*words, "-o", "killed.jsonl") as process:
        case.wait_for_row("killed.jsonl")
        kill(*wait_for_workers(process, 1))
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    crashed = "crashed: a worker process ended by SIGKILL; out of memory?"
    assert crashed in out
    rows = without_times(case.rows("killed.jsonl"))
    assert [(row["problem"], row["seed"]) for row in rows] == [
        (problem, seed) for problem in ("p02.pddl", "p30.pddl") for seed in range(3)
    ]
    (lost,) = [row for row in rows if row["reason"] == crashed]
    assert (lost["success"], lost["cost"], lost["steps"]) == (False, None, None)
    case.evaluate(*words, "-o", "whole.jsonl")
    whole = without_times(case.rows("whole.jsonl"))
    assert [a for a, b in zip(whole, rows) if b is not lost] == [b for b in rows if b is not lost]
    # It stays lost.
    assert "has 6 of" in case.evaluate(*words, "-o", "killed.jsonl").stdout


def test_workers_that_die_before_the_first_row(case: Case) -> None:
    with case.started("p30.pddl", "p02.pddl", "--rollouts", 1, "--workers", 1, "-o", "r.jsonl",
                      "--limit", 200_000) as process:  # fmt: skip
        kill(*wait_for_workers(process, 1))
        out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert out.splitlines()[-1] == "coverage: 1/2"
    assert [row["reason"][:7] for row in case.rows("r.jsonl")] == ["crashed", "goal"]


def end_at_once(connection: Connection, work: Any) -> None:
    pass


def test_workers_that_never_listen(
    case: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each fails a problem, and none is left out."""
    start = processes.start

    def start_late(target: Any, work: Any) -> tuple[SpawnProcess, Connection]:
        process, connection = start(end_at_once, work)
        process.join()
        return process, connection

    monkeypatch.setattr(processes, "start", start_late)
    paths = [case.folder / name for name in case.problems]
    options = Options(case.folder / "model.pt", workers=1)
    assert evaluate(case.folder / "domain.pddl", paths, options) == 31
    out = capsys.readouterr().out
    assert out.count("crashed: a worker process ended with exit code 0") == 3
    assert out.splitlines()[-1] == "coverage: 0/3"


@pytest.mark.parametrize("code", [errno.EAGAIN, errno.ENOMEM, errno.EMFILE])
def test_workers_that_cannot_be_started(
    case: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: int
) -> None:
    def fail(process: SpawnProcess) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.chdir(case.folder)
    monkeypatch.setattr(SpawnProcess, "start", fail)
    assert run(["evaluate", "-m", "model.pt", "domain.pddl", "p02.pddl"]) == 22
    expected = f"cannot start a worker process: {os.strerror(code)}\n"
    assert capsys.readouterr().err == expected


def test_too_few_open_files(case: Case) -> None:
    """Room for some of the workers, and not for all."""
    done = case.evaluate(
        "p02.pddl", "p03.pddl", "p30.pddl", *LONG, "--workers", 20, "-o", "r.jsonl",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (14, 14)),
    )  # fmt: skip
    assert done.returncode == 22
    assert done.stderr == "cannot start a worker process: Too many open files\n"


def test_file_systems_without_locks(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", fail)
    monkeypatch.chdir(case.folder)
    words = ["-m", "model.pt", "domain.pddl", "p02.pddl", "--workers", "1", "-o", "r.jsonl"]
    assert run(["evaluate", *words]) == 0
    assert len(case.rows("r.jsonl")) == 1


def change_late(monkeypatch: pytest.MonkeyPatch, path: Path, text: str | None) -> None:
    """Just before the first worker starts; None: remove it."""
    start = processes.start

    def change_and_start(target: Any, work: Any) -> tuple[SpawnProcess, Connection]:
        if text is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(text)
        return start(target, work)

    monkeypatch.setattr(processes, "start", change_and_start)


@pytest.mark.parametrize("text", [None, "(define (domain blocks))", "(define", "more"])
def test_domains_that_change(
    case: Case,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str | None,
) -> None:
    monkeypatch.chdir(case.folder)
    domain = case.folder / "domain.pddl"
    change_late(monkeypatch, domain, domain.read_text() + "\n" if text == "more" else text)
    words = ["-m", "model.pt", "domain.pddl", "p02.pddl", "--workers", "1", "-o", "r.jsonl"]
    assert run(["evaluate", *words]) == 31
    assert capsys.readouterr().err == "domain.pddl: changed during the evaluation\n"
    assert case.rows("r.jsonl") == []


@pytest.mark.parametrize("text", [None, "(define", "more"])
def test_problems_that_change(
    case: Case,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str | None,
) -> None:
    """They fail, and are tried again the next time."""
    monkeypatch.chdir(case.folder)
    problem = case.folder / "p03.pddl"
    before = problem.read_text()
    change_late(monkeypatch, problem, before + "\n" if text == "more" else text)
    words = ["-m", "model.pt", "domain.pddl", "p02.pddl", "p03.pddl", "--workers", "1"]
    assert run(["evaluate", *words, "-o", "r.jsonl"]) == 0
    out = capsys.readouterr().out
    assert "bad input: p03.pddl: changed during the evaluation\n" in out
    assert out.splitlines()[-1] == "coverage: 1/2"
    assert [row["problem"] for row in case.rows("r.jsonl")] == ["p02.pddl"]
    monkeypatch.undo()
    problem.write_text(before)
    assert "has 1 of" in case.evaluate("p02.pddl", "p03.pddl", "-o", "r.jsonl").stdout
    assert [row["problem"] for row in case.rows("r.jsonl")] == ["p02.pddl", "p03.pddl"]


def test_ctrl_c_keeps_what_is_done(case: Case) -> None:
    words = ["p02.pddl", "p30.pddl", *LONG, "--limit", 100_000, "--workers", 2, "-o", "r.jsonl"]
    with case.started(*words) as process:
        case.wait_for_row("r.jsonl", 3)
        workers = wait_for_workers(process, 2)
        os.killpg(process.pid, signal.SIGINT)  # workers included, as a terminal does
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "interrupted\n")
    assert all_end(workers)
    assert "rollouts: 3; successes: 3" in out
    assert out.splitlines()[-1] == "coverage so far: 1/2"
    assert {row["problem"] for row in case.rows("r.jsonl")} == {"p02.pddl"}
    again = case.evaluate("p02.pddl", *LONG, "--limit", 100_000, "-o", "r.jsonl")
    assert "has 3 of" in again.stdout


def test_killed_evaluations_leave_nothing_behind(case: Case) -> None:
    with case.started("p30.pddl", *LONG, "--workers", 2, "-o", "r.jsonl") as process:
        workers = wait_for_workers(process, 2)
        process.kill()
        process.communicate()
    assert all_end(workers)


def test_two_evaluations_do_not_share_a_file(case: Case) -> None:
    with case.started("p30.pddl", *LONG, "--workers", 1, "-o", "r.jsonl") as process:
        wait_for_workers(process, 1)
        done = case.evaluate("p02.pddl", "-o", "r.jsonl")
        process.kill()
        process.communicate()
    assert (done.returncode, done.stderr) == (
        2,
        "r.jsonl: another evaluation is writing there\n",
    )


def test_time_limit(case: Case) -> None:
    """Rows hold for their own limit alone."""
    words = ["p02.pddl", "p30.pddl", "--workers", 1, "--limit", 100_000, "-o", "r.jsonl"]
    done = case.evaluate(*words, "--time-limit", 0.3)
    assert done.returncode == 0
    rows = case.rows("r.jsonl")
    assert [row["reason"] for row in rows] == ["goal", "time limit"]
    assert rows[1]["steps"] > 0
    assert "has 2 of" in case.evaluate(*words, "--time-limit", 0.3).stdout
    other = case.evaluate(*words, "--time-limit", 0.2)
    assert "already" not in other.stdout
    assert [row["time_limit"] for row in case.rows("r.jsonl")] == [0.3, 0.3, 0.2, 0.2]
    unlimited = case.evaluate("p02.pddl", *words[2:])
    assert "already" not in unlimited.stdout
    assert "has 1 of" in case.evaluate("p02.pddl", *words[2:]).stdout
    both = case.evaluate("p02.pddl", *words[2:], "--memory-limit", 10_000)
    assert "already" not in both.stdout


def test_memory_limit(case: Case) -> None:
    """One problem's want of memory is not the others'."""
    make_case(case.folder, "blocksworld", [200])
    words = ["p200.pddl", "p02.pddl", "--workers", 1, "-o", "r.jsonl", "--limit", 5]
    big = case.evaluate(*words)
    assert big.returncode == 0
    peaks = {row["problem"]: row["peak_kb"] for row in case.rows("r.jsonl")}
    limit = (peaks["p02.pddl"] + peaks["p200.pddl"]) // 2048
    (case.folder / "r.jsonl").unlink()
    done = case.evaluate(*words, "--memory-limit", limit)
    assert (done.returncode, done.stderr) == (0, "")
    reasons = [row["reason"] for row in case.rows("r.jsonl")]
    assert reasons == ["out of memory", "step limit"]


def test_full_disk_keeps_whole_lines(case: Case) -> None:
    """Files that may not grow are what a full disk looks like."""
    limit = 3000
    done = case.evaluate(
        "p02.pddl", "--sample", "--workers", 1, "-o", "r.jsonl",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert done.returncode == 32
    assert done.stderr == "r.jsonl: cannot write: File too large\n"
    rows = case.rows("r.jsonl")
    assert 0 < len(rows) < 10
    assert f"has {len(rows)} of" in case.evaluate("p02.pddl", "--sample", "-o", "r.jsonl").stdout


def test_nobody_reads_the_lines(case: Case) -> None:
    with case.started(*case.problems, *LONG, "--workers", 1, "-o", "r.jsonl") as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(timeout=120) == 141
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert len(case.rows("r.jsonl")) >= 3


def test_nobody_reads_the_rows(case: Case) -> None:
    with case.started(*case.problems, *LONG, "--workers", 1, "-o", "/dev/stdout") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith('{"problem": ')
        process.stdout.close()
        assert process.wait(timeout=120) == 141
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_rows_go_through_a_pipe(case: Case) -> None:
    os.mkfifo(case.folder / "pipe")
    with case.started("p02.pddl", *LONG, "--workers", 1, "-o", "pipe") as process:
        lines = (case.folder / "pipe").read_text().splitlines()
        assert [json.loads(line)["seed"] for line in lines] == [0, 1, 2]
        assert process.wait(timeout=120) == 0


def test_a_full_pipe_can_be_interrupted(case: Case) -> None:
    """Somebody has it open and does not read."""
    os.mkfifo(case.folder / "pipe")
    reader = os.open(case.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    words = ["p02.pddl", "--sample", "--rollouts", 100_000, "--workers", 1, "-o", "pipe"]
    with case.started(*words) as process:
        wait_until_full(reader)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    os.close(reader)
    assert (process.returncode, err) == (130, "interrupted\n")


def wait_until_full(pipe: int) -> None:
    """Until a second brings nothing new."""
    before = 0
    for _ in range(60):
        now = int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)
        if 0 < now == before:
            return
        before = now
        time.sleep(1)
    raise AssertionError("it still grows")
