"""The command `asnets info`."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asnets import generators
from model_files import make_model
from oracles.slow_network import Setting


def info(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "asnets", "info", *map(str, arguments)]
    return subprocess.run(command, check=False, cwd=cwd, text=True, capture_output=True, timeout=60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_model(channels=16).write(tmp_path / "bw.pt")
    return tmp_path


def test_description(folder: Path) -> None:
    done = info("bw.pt", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        """\
network for domain blocks (model format 1)
parameters: 17,668 (17,668 are not zero)
layers: 2
channels: 16
pooling: slot
skip: yes
nonlinearity: elu
landmarks: article
counts: yes
helpful: no
last action: no
schemas:
  (pick-up ?b): (clear ?b) (ontable ?b) (handempty) (holding ?b)
  (put-down ?b): (holding ?b) (clear ?b) (handempty) (ontable ?b)
  (stack ?top ?bottom): (holding ?top) (clear ?bottom) (clear ?top) (handempty) (on ?top ?bottom)
  (unstack ?top ?bottom): (on ?top ?bottom) (clear ?top) (handempty) (holding ?top) (clear ?bottom)
predicates:
  clear/1: 6 pools
  handempty/0: 4 pools
  holding/1: 4 pools
  on/2: 2 pools
  ontable/1: 2 pools
training:
  problems: 3
  seconds: 1.5
"""
    )


def test_json(folder: Path) -> None:
    parts = make_model("triangle-tireworld", channels=3, training={"curve": list(range(999))})
    floats = np.frombuffer(parts.weights, "<f4").copy()
    floats[::2] = 0
    parts.weights = floats.tobytes()
    parts.write(folder / "tt.pt")
    done = info("tt.pt", "--json", "out.json", cwd=folder)
    assert done.returncode == 0
    found = json.loads((folder / "out.json").read_text())
    assert found["domain"] == "triangle-tire"
    assert found["format"] == 1
    assert found["channels"] == [[3, 3], [3, 3]]
    assert found["features"] == Setting().features
    assert found["parameters"] == len(floats)
    assert found["nonzero_parameters"] == len(floats) // 2
    assert [schema["name"] for schema in found["schemas"]] == ["changetire", "move-car"]
    assert found["training"] == {"curve": list(range(999))}
    assert "curve: [0, 1, 2" in done.stdout
    assert all(len(line) < 200 for line in done.stdout.splitlines())


def test_domain(folder: Path) -> None:
    done = info("bw.pt", "--domain", cwd=folder)
    assert (done.returncode, done.stdout) == (0, generators.domain_text("blocksworld"))


def narrow(manifest: dict[str, Any]) -> bytes:
    """Give the first module one channel less, and all that read it one input less."""
    offset = 0
    pools = [
        sum(pool["schema"] == 0 for pool in predicate["pools"])
        for predicate in manifest["signature"]["predicates"]
    ]
    for module in manifest["modules"]:
        if module["offset"] == 0:
            module["outputs"] -= 1
        elif module["layer"] == 1 and module["kind"] == "proposition":
            module["inputs"] -= pools.pop(0)
        elif module["layer"] == 2 and module["name"] == manifest["modules"][0]["name"]:
            module["inputs"] -= 1
    for module in manifest["modules"]:
        module["offset"] = offset
        offset += module["outputs"] * (module["inputs"] + 1)
    manifest["weights"]["floats"] = offset
    return np.ones(offset, "<f4").tobytes()


def test_channels_that_differ(folder: Path) -> None:
    parts = make_model(channels=5)
    parts.weights = narrow(parts.manifest)
    parts.write(folder / "narrow.pt")
    assert "\nchannels: 4 to 5, 5\n" in info("narrow.pt", cwd=folder).stdout


@pytest.mark.parametrize(
    ("training", "lines"),
    [
        ({"note": "a\nb\x1b[2J", "k\n": None}, ["training:", r'  note: "a\nb\u001b[2J"', r'  "k\n": null']),
        ({"domain": "größe", "done": True}, ["training:", "  domain: größe", "  done: yes"]),
        ([1, 2], ["training: [1, 2]"]),
    ],
)  # fmt: skip
def test_any_training_record(folder: Path, training: Any, lines: list[str]) -> None:
    make_model(training=training).write(folder / "any.pt")
    done = info("any.pt", cwd=folder)
    assert done.stdout.splitlines()[-len(lines) :] == lines


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing.pt"], 33, "missing.pt: No such file or directory"),
        (["."], 33, ".: Is a directory"),
        (["text.pt"], 33, "text.pt: not an ASNets model: it is no zip archive"),
        (["/dev/zero"], 33, "/dev/zero: not an ASNets model: it is no zip archive"),
        (["cut.pt"], 33, "cut.pt: damaged: the end of the archive is missing"),
        (["later.pt"], 33, "later.pt: made for format 2, this version reads 1"),
        (["bw.pt", "--json", "/nowhere/x.json"], 32, "/nowhere/x.json: cannot write"),
        ([], 2, "model"),
    ],
)
def test_mistakes(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "text.pt").write_text("(define (domain d))")
    (folder / "cut.pt").write_bytes((folder / "bw.pt").read_bytes()[:-30])
    later = make_model()
    later.manifest["version"] = 2
    later.write(folder / "later.pt")
    done = info(*arguments, cwd=folder)
    assert done.returncode == code
    assert message.lower() in done.stderr.lower()
    assert len(done.stderr.splitlines()) <= 3
    assert (done.stdout, "Traceback" in done.stderr) == ("", False)
