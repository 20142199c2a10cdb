"""Several trainings of which the sparsest counts."""

import json
import signal
import subprocess
from pathlib import Path

import asnets
from asnets_train.trainer import weight_count
from training import QUICK, Files, command, equal, train

SPARSE = [*QUICK, "--preset", "sparse", "--batches", "30", "--channels", "4"]


def weights(model: Path) -> int:
    return weight_count(asnets.read_model(model).arrays)


def summary(output: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(
        (output.with_name(output.name + ".run") / "summary.json").read_text()
    )
    return found


def test_the_sparsest_is_kept(blocks: Files, tmp_path: Path) -> None:
    domain, problems = blocks
    output = tmp_path / "bw.pt"
    end = train(domain, *problems, "-o", output, *SPARSE, "--restarts", 2, "--seed", 7)
    assert end.returncode == 0, end.stderr
    runs = [output.with_name("bw.pt.run") / f"{number}.pt" for number in (1, 2)]
    alone = tmp_path / "alone.pt"
    assert train(domain, *problems, "-o", alone, *SPARSE, "--seed", 8).returncode == 0
    assert equal(alone, runs[1])
    best = min(runs, key=lambda run: (-float(str(summary(run)["success"])), weights(run)))
    assert output.read_bytes() == best.read_bytes()
    assert summary(output) == summary(best)
    assert summary(output)["weights"] == weights(output)
    assert f"{output}: {weights(output):,} weights" in end.stdout
    # It is done: another one does not need --restart.
    assert train(domain, *problems, "-o", output, *QUICK).returncode == 0


def test_an_interrupted_one_goes_on(blocks: Files, tmp_path: Path) -> None:
    domain, problems = blocks
    output = tmp_path / "bw.pt"
    arguments = (domain, *problems, "-o", output, *SPARSE, "--restarts", 2)
    with subprocess.Popen(command(*arguments), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("run 2"):
                break
        process.stdout.readline()  # its first epoch
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert process.wait() == 130
    assert not output.exists()
    first = (output.with_name("bw.pt.run") / "1.pt").stat().st_mtime_ns
    end = train(*arguments)
    assert end.returncode == 2
    assert "an unfinished run; --resume goes on with it" in end.stderr
    assert train("-o", output, "--resume").returncode == 0
    assert (output.with_name("bw.pt.run") / "1.pt").stat().st_mtime_ns == first
    whole = tmp_path / "whole.pt"
    assert train(domain, *problems, "-o", whole, *SPARSE, "--restarts", 2).returncode == 0
    assert equal(whole, output)


def test_how_many(blocks: Files) -> None:
    domain, problems = blocks
    end = train(domain, *problems, "--restarts", 0)
    assert end.returncode == 2
    assert "expected a whole number from 1 to 1000, found '0'" in end.stderr
