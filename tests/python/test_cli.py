"""The command line as a user meets it: output, exit codes, interruption."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

BLOCKSWORLD = "domains/blocksworld/domain.pddl"
SMALL = "domains/blocksworld/p04-s0.pddl"

# A search for an odd cycle in a complete bipartite graph: no action is found, and it takes for ever.
ENDLESS_DOMAIN = """(define (domain cycle) (:requirements :strips) (:predicates (edge ?x ?y) (found))
  (:action find :parameters (?a ?b ?c ?d ?e ?f ?g ?h ?i)
    :precondition (and (edge ?a ?b) (edge ?b ?c) (edge ?c ?d) (edge ?d ?e) (edge ?e ?f) (edge ?f ?g)
                       (edge ?g ?h) (edge ?h ?i) (edge ?i ?a))
    :effect (found)))
"""
NODES = 40
ENDLESS_PROBLEM = (
    "(define (problem bipartite) (:domain cycle) (:objects {}) (:init {}) (:goal (found)))".format(
        " ".join(f"n{i}" for i in range(NODES)),
        " ".join(f"(edge n{i} n{j})" for i in range(NODES) for j in range(NODES) if (i + j) % 2),
    )
)


def asnets(
    *arguments: object, cwd: Path, stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "asnets", *map(str, arguments)]
    return subprocess.run(
        command, check=False, cwd=cwd, text=True, capture_output=True, input=stdin, timeout=300
    )


@pytest.fixture
def endless(tmp_path: Path) -> list[str]:
    (tmp_path / "domain.pddl").write_text(ENDLESS_DOMAIN)
    (tmp_path / "problem.pddl").write_text(ENDLESS_PROBLEM)
    return [str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")]


def test_ground(root: Path, tmp_path: Path) -> None:
    done = asnets("ground", BLOCKSWORLD, SMALL, "--json", tmp_path / "out.json", cwd=root)
    assert (done.returncode, done.stderr) == (0, "")
    assert "40 actions" in done.stdout
    assert ["unstack", "2", "16", "1"] in [line.split() for line in done.stdout.splitlines()]
    figures = json.loads((tmp_path / "out.json").read_text())
    assert (figures["actions"], figures["propositions"], figures["objects"]) == (40, 29, 4)
    assert figures["schemas"] == {"pick-up": 4, "put-down": 4, "stack": 16, "unstack": 16}
    assert figures["seconds"] > 0
    assert figures["peak_kb"] >= figures["baseline_kb"] > 0
    assert [file.name for file in tmp_path.iterdir()] == ["out.json"]


def test_list(root: Path) -> None:
    lines = asnets("ground", BLOCKSWORLD, SMALL, "--list", cwd=root).stdout.splitlines()
    assert len(lines) == 40 + 29
    assert "proposition (on b1 b2)" in lines
    assert lines[-1] == "action (unstack b4 b4)"


def test_one_file_and_warnings(root: Path, tmp_path: Path) -> None:
    both = (root / BLOCKSWORLD).read_text().replace(":strips", ":strps") + (
        root / SMALL
    ).read_text()
    (tmp_path / "both.pddl").write_text(both)
    done = asnets("ground", "both.pddl", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith("warning: both.pddl:")
    assert ":strps" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["ground"], 2, "domain"),
        (["grund"], 2, "No such command 'grund'"),
        (["ground", BLOCKSWORLD, SMALL, "--lsit"], 2, "--lsit"),
        (["ground", BLOCKSWORLD, SMALL, "--time-limit", "soon"], 2, "--time-limit"),
        (["ground", "missing.pddl", SMALL], 31, "missing.pddl: No such file"),
        (["ground", "domains", SMALL], 31, "domains: Is a directory"),
        (["ground", BLOCKSWORLD, "README.md"], 31, "README.md:1:1: expected (define ...)"),
        (["ground", BLOCKSWORLD, SMALL, "--problem-name", "x"], 31, 'unknown problem "x"'),
        (["ground", BLOCKSWORLD, SMALL, "--json", "/nowhere/x.json"], 32, "cannot write"),
        (["ground", BLOCKSWORLD, SMALL, "--json", "/dev/full"], 32, "No space left"),
        (["generate", "blokworld", "--size", "3"], 2, "did you mean blocksworld"),
        (["generate", "blocksworld", "--size", "0"], 2, "size must be at least"),
        (["generate", "blocksworld", "--size", "4", "--option", "towers"], 2, "NAME=NUMBER"),
        (["generate", "blocksworld", "--size", "4", "--option", "tower=1"], 2, "towers"),
        (["generate", "blocksworld", "--size", "4", "--option", "towers=--9"], 2, "NAME=NUMBER"),
        (["generate", "blocksworld", "--size", "4", "--option", "size=9"], 2, 'unknown option "size"'),
        (["ground", BLOCKSWORLD, SMALL, "--time-limit", "inf"], 2, "--time-limit"),
        (["ground", BLOCKSWORLD, SMALL, "--memory-limit", "9" * 20], 2, "--memory-limit"),
        (["ground", BLOCKSWORLD, "/dev/zero"], 31, "/dev/zero:1:1: expected text"),
    ],
)  # fmt: skip
def test_mistakes(root: Path, arguments: list[str], code: int, message: str) -> None:
    done = asnets(*arguments, cwd=root)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3


def test_generate(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "p.pddl"
    assert (
        asnets("generate", "blocksworld", "--size", 5, "--seed", 7, "-o", out, cwd=root).returncode
        == 0
    )
    again = asnets("generate", "blocksworld", "--size", 5, "--seed", 7, cwd=root)
    assert again.stdout == out.read_text()
    done = asnets("generate", "blocksworld", "--size", 5, "--option", "towers=1", cwd=root)
    assert done.stdout.count("(ontable ") == 2  # one tower at first, one in the goal
    assert asnets("ground", BLOCKSWORLD, out, cwd=root).returncode == 0


def test_ctrl_c(endless: list[str], tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    # A background job of a shell ignores SIGINT, and so would its children.
    command = ["env", "--default-signal=INT", sys.executable, "-m", "asnets", "ground", *endless]
    command += ["--json", str(output)]
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            time.sleep(2)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, stdout, stderr) == (130, "", "interrupted\n")
    assert not output.exists()


def test_time_limit(endless: list[str], tmp_path: Path) -> None:
    done = asnets("ground", *endless, "--time-limit", 0.5, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (23, "time limit reached\n")


def test_memory_limit(root: Path, tmp_path: Path) -> None:
    big = tmp_path / "big.pddl"
    assert asnets("generate", "blocksworld", "--size", 300, "-o", big, cwd=root).returncode == 0
    # Address space, which the interpreter alone fills to some extent: find what it starts with.
    command = (
        "import asnets.cli, pathlib; print(pathlib.Path('/proc/self/statm').read_text().split()[0])"
    )
    pages = int(subprocess.check_output([sys.executable, "-c", command], text=True))
    limit = (pages * os.sysconf("SC_PAGE_SIZE") >> 20) + 16
    done = asnets("ground", root / BLOCKSWORLD, big, "--memory-limit", limit, cwd=root)
    assert (done.returncode, done.stderr) == (22, "out of memory\n")


def test_broken_pipe(root: Path) -> None:
    command = f"{sys.executable} -m asnets ground {BLOCKSWORLD} domains/blocksworld/p08-s0.pddl --list | head -1"
    done = subprocess.run(
        command, check=False, shell=True, cwd=root, text=True, capture_output=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("proposition (clear b1)\n", "")


def test_broken_pipe_in_the_midst(root: Path) -> None:
    large = "domains/blocksworld/p08-s0.pddl"
    command = [sys.executable, "-m", "asnets", "ground", BLOCKSWORLD, large, "--list"]
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("redirection", "code", "message"),
    [(">/dev/full", 32, "cannot write: No space left on device\n"), (">&-", 0, "")],
)
def test_standard_output_that_takes_nothing(
    root: Path, redirection: str, code: int, message: str
) -> None:
    command = f"{sys.executable} -m asnets ground {BLOCKSWORLD} {SMALL} {redirection}"
    done = subprocess.run(
        command, check=False, shell=True, cwd=root, text=True, stderr=-1, timeout=60
    )
    assert (done.returncode, done.stderr) == (code, message)


def test_terminal_without_unicode(root: Path, tmp_path: Path) -> None:
    (tmp_path / "p.pddl").write_text((root / SMALL).read_text().replace("(problem ", "(problem é"))
    command = [sys.executable, "-m", "asnets", "ground", root / BLOCKSWORLD, tmp_path / "p.pddl"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    assert b"\\xe9" in subprocess.check_output(command, env=environment)


def test_output_follows_links(root: Path, tmp_path: Path) -> None:
    (tmp_path / "target.json").write_text("old")
    (tmp_path / "link.json").symlink_to("target.json")
    asnets("ground", BLOCKSWORLD, SMALL, "--json", tmp_path / "link.json", cwd=root)
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "target.json").read_text())["actions"] == 40


def test_help_names_every_option(root: Path) -> None:
    done = asnets("ground", "--help", cwd=root)
    assert done.returncode == 0
    for option in ("--json", "--list", "--problem-name", "--time-limit", "--memory-limit"):
        assert option in done.stdout


def test_importing_does_not_import_torch() -> None:
    command = "import sys, asnets.cli; print('torch' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", command], text=True) == "False\n"


@pytest.mark.parametrize("command", ["train", "build-downward"])
def test_commands_with_parsers_of_their_own(command: str, root: Path) -> None:
    done = asnets(command, "--help", cwd=root)
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: asnets" in done.stdout
    done = asnets(command, "--no-such-option", cwd=root)
    assert done.returncode == 2
    assert "--no-such-option" in done.stderr
