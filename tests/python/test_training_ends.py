"""How training runs end, and what is left then: signals, limits, full disks, damaged files."""

import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import asnets
from asnets_train import checkpoint, run
from training import QUICK, Files, command, equal, metrics, problem_files, train


def start(*arguments: object) -> subprocess.Popen[str]:
    """In a process group of its own, as a shell would."""
    return subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )


def wait_for_epoch(process: subprocess.Popen[str], number: int) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(f"epoch {number},"):
            return
    raise AssertionError(process.communicate()[1])


LONG = [*QUICK, "--epochs", "100000", "--stop-after", "100000"]


def test_killed_runs_resume(blocks: Files, undisturbed: Path, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    process = start(blocks[0], *blocks[1], "-o", output, *LONG)
    wait_for_epoch(process, 2)
    process.kill()
    process.communicate()
    assert not output.exists()
    # Not by accident:
    refused = train(blocks[0], *blocks[1], "-o", output, *QUICK)
    assert refused.returncode == 2
    assert "unfinished run; --resume goes on with it" in refused.stderr
    finished = int(checkpoint.load(tmp_path / "bw.pt.run" / "checkpoint.pt").epoch)
    done = train("--resume", "-o", output, "--epochs", max(3, finished))
    assert done.returncode == 0, done.stderr
    if finished <= 3:
        assert equal(output, undisturbed)
    assert [line["epoch"] for line in metrics(output)] == [*range(1, max(3, finished) + 2)]


def test_workers_die_with_the_trainer(blocks: Files, tmp_path: Path) -> None:
    process = start(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *LONG, "--workers", "2")
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
def test_ctrl_c_writes_the_best_model(blocks: Files, tmp_path: Path, workers: int) -> None:
    output = tmp_path / "bw.pt"
    process = start(blocks[0], *blocks[1], "-o", output, *LONG, "--workers", workers)
    wait_for_epoch(process, 2)
    os.killpg(process.pid, signal.SIGINT)  # workers included, as a terminal does
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)  # an impatient user
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "go on with --resume" in out
    assert asnets.read_model(output).manifest["training"]["end"] == "interrupted"
    again = train(blocks[0], *blocks[1], "-o", output, *QUICK)
    assert again.returncode == 2
    assert "unfinished run" in again.stderr


def test_ctrl_c_before_the_first_epoch(blocks: Files, tmp_path: Path) -> None:
    process = start(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *LONG, "--batches", "1000000")
    while not (tmp_path / "bw.pt.run" / "config.json").exists():
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert not (tmp_path / "bw.pt").exists()


def test_time_limit_ends_a_run_in_peace(blocks: Files, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    done = train(blocks[0], *blocks[1], "-o", output, *LONG, "--time-limit", "10")
    assert done.returncode == 0, done.stderr
    assert asnets.read_model(output).manifest["training"]["end"] == "time limit"


def test_time_limit_before_the_first_epoch(blocks: Files, tmp_path: Path) -> None:
    done = train(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *LONG, "--time-limit", "0.01")
    assert done.returncode == 23
    assert "no model written" in done.stderr


def test_two_runs_do_not_share_a_folder(blocks: Files, tmp_path: Path) -> None:
    process = start(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *LONG)
    wait_for_epoch(process, 1)
    done = train("--resume", "-o", tmp_path / "bw.pt")
    process.kill()
    process.communicate()
    assert done.returncode == 2
    assert "another training run is writing there" in done.stderr


def test_full_disk_keeps_the_last_checkpoint(blocks: Files, tmp_path: Path) -> None:
    """Files that may not grow are what a full disk looks like."""
    output = tmp_path / "bw.pt"
    train(blocks[0], *blocks[1], "-o", output, *QUICK, "--epochs", "1")
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


def test_damaged_checkpoints(blocks: Files, undisturbed: Path, tmp_path: Path) -> None:
    output = tmp_path / "bw.pt"
    shutil.copytree(undisturbed.with_name("bw.pt.run"), tmp_path / "bw.pt.run")
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


def test_nobody_reads_the_lines(blocks: Files, tmp_path: Path) -> None:
    process = start(blocks[0], *blocks[1], "-o", tmp_path / "bw.pt", *QUICK)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=120) == 0
    process.communicate()
    assert asnets.read_model(tmp_path / "bw.pt").domain_name == "blocks"


def test_domain_that_goes_away(tmp_path: Path) -> None:
    """The model has the domain's bytes as they were at the start, line ends included."""
    domain, problems = problem_files(tmp_path, "blocksworld", [3])
    text = domain.read_text().replace("\n", "\r\n")
    domain.write_bytes(text.encode())
    process = start(domain, *problems, "-o", tmp_path / "bw.pt", *QUICK)
    wait_for_epoch(process, 1)
    domain.unlink()
    process.communicate()
    assert process.returncode == 0
    assert asnets.read_model(tmp_path / "bw.pt").domain_text == text


def test_resuming_something_else(blocks: Files, undisturbed: Path, tmp_path: Path) -> None:
    for arguments, message in (
        ([blocks[1][0], *blocks[1], "-o", undisturbed], "another set of domain"),
        ([blocks[0], *blocks[1][:2], "-o", undisturbed], "another set of problems"),
        (["--validation", blocks[1][0], "-o", undisturbed], "another set of validation problems"),
    ):
        done = train("--resume", *arguments)
        assert done.returncode == 2
        assert message in done.stderr
    other = tmp_path / "other.pt"
    train(blocks[0], blocks[1][0], "-o", other, *QUICK, "--epochs", "1")
    shutil.copy(undisturbed.with_name("bw.pt.run") / "checkpoint.pt", tmp_path / "other.pt.run")
    done = train("--resume", "-o", other)
    assert done.returncode == 31
    assert (
        done.stderr.strip()
        == f"{tmp_path / 'other.pt.run' / 'checkpoint.pt'}: belongs to another run"
    )


def test_checkpoints_take_a_share_of_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Epochs of one second, checkpoints of half a second: one in five seconds, and the last epoch's."""
    clock = [0.0]
    saved = []

    def pass_time(seconds: float) -> dict[str, Any]:
        clock[0] += seconds
        return {}

    class Epochs:
        validation = True
        epoch = 0

        def finished(self) -> str | None:
            return "done" if self.epoch == 12 else None

        def explore(self, deadline: object) -> dict[str, Any]:
            return pass_time(0.5)

        def optimise(self, deadline: object) -> dict[str, Any]:
            self.epoch += 1
            return pass_time(0.5)

        def save(self, *rest: object) -> None:
            pass_time(0.5)
            saved.append(self.epoch)

    monkeypatch.setattr(run.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(run.checkpoint, "save", lambda *rest: None)
    silent = SimpleNamespace(epoch=lambda *rest: None, left=lambda: 1.0)
    log = SimpleNamespace(folder=tmp_path, write=lambda figures: None)
    job = SimpleNamespace(options=SimpleNamespace(epochs=12), fingerprint=lambda: "")
    assert run.loop(job, Epochs(), silent, silent, log, begin=0.0) == "done"  # type: ignore[arg-type]
    assert saved == [1, 6, 11, 12]
