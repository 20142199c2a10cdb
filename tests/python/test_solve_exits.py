"""`asnets solve` in a process of its own: exit codes, limits, signals."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from asnets import SOLVERS, ground
from asnets.plans import read_plan, replay
from tasks import AT_ONCE, EITHER, NEVER, TRIES


def command(*arguments: object) -> list[str]:
    # A background job of a shell ignores SIGINT, and so would its children.
    words = ["env", "--default-signal=INT", sys.executable, "-m", "asnets", "solve"]
    return words + [str(each) for each in arguments]


def solve(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), check=False, text=True, capture_output=True, timeout=300
    )


def assert_failure(
    done: subprocess.CompletedProcess[str], code: int, message: str, plan: Path
) -> None:
    assert (done.returncode, done.stderr) == (code, message)
    assert plan.read_text() == "old"
    assert [each.name for each in plan.parent.iterdir()] == ["sas_plan"]


def test_found(blocks4: list[Path], plan: Path) -> None:
    done = solve(*blocks4, "--plan-file", plan)
    assert (done.returncode, done.stderr) == (0, "")
    found = read_plan(plan.read_text())
    assert replay(ground(*blocks4), found.actions) == found.cost


@pytest.mark.parametrize("text", [EITHER, NEVER.replace("(probabilistic 1/2 (p))", "(p)")])
def test_unsolvable(file: Path, plan: Path, text: str) -> None:
    file.write_text(text)
    done = solve(file, "--plan-file", plan)
    assert_failure(done, 11, "unsolvable: there is no plan\n", plan)


def test_expansion_limit(blocks20: list[Path], plan: Path) -> None:
    done = solve(*blocks20, "--max-expansions", 5, "--plan-file", plan)
    assert_failure(done, 12, "gave up: expansion limit reached\n", plan)
    assert "expansions 5, " in done.stdout


@pytest.mark.parametrize("search", ["astar", "lrtdp"])
def test_memory_limit(blocks20: list[Path], file: Path, plan: Path, search: str) -> None:
    file.write_text(AT_ONCE)
    output = file.parent / "out.json"
    assert solve(file, "--json", output).returncode == 0
    base = json.loads(output.read_text())["peak_kb"] >> 10
    options = ["--search", search, "--heuristic", "h_max", "--plan-file", plan]
    done = solve(*blocks20, *options, "--memory-limit", base + 6)
    assert_failure(done, 22, "out of memory\n", plan)
    assert "expansions " in done.stdout
    assert ("V(s0) = " in done.stdout) == (search == "lrtdp")


def test_memory_limit_below_what_the_interpreter_has(blocks20: list[Path], plan: Path) -> None:
    done = solve(*blocks20, "--plan-file", plan, "--memory-limit", 1)
    assert_failure(done, 22, "out of memory\n", plan)


@pytest.mark.parametrize("search", ["astar", "lrtdp"])
def test_time_limit(blocks20: list[Path], plan: Path, search: str) -> None:
    options = ["--search", search, "--heuristic", "h_max", "--plan-file", plan]
    done = solve(*blocks20, *options, "--time-limit", 0.5)
    assert_failure(done, 23, "time limit reached\n", plan)
    assert "expansions " in done.stdout
    assert ("not converged; lower bound" in done.stdout) == (search == "lrtdp")


def test_time_limit_while_grounding(file: Path, plan: Path) -> None:
    nodes = [f"n{i}" for i in range(40)]
    edges = [f"(edge {a} {b})" for i, a in enumerate(nodes) for b in nodes[(i + 1) % 2 :: 2]]
    cycle = " ".join(f"(edge ?{i} ?{(i + 1) % 9})".replace("?", "?v") for i in range(9))
    file.write_text(
        f"""(define (domain cycle) (:predicates (edge ?x ?y) (found))
          (:action find :parameters ({" ".join(f"?v{i}" for i in range(9))})
            :precondition (and {cycle}) :effect (found)))
        (define (problem bipartite) (:domain cycle) (:objects {" ".join(nodes)})
          (:init {" ".join(edges)}) (:goal (found)))"""
    )
    done = solve(file, "--plan-file", plan, "--time-limit", 0.5)
    assert_failure(done, 23, "time limit reached\n", plan)
    assert done.stdout == ""


def test_bad_input(file: Path, plan: Path) -> None:
    file.write_text(TRIES.replace("(done))))", "(dome))))"))
    done = solve(file, "--plan-file", plan)
    assert done.returncode == 31
    assert 'unknown predicate "dome"' in done.stderr
    assert plan.read_text() == "old"
    done = solve(file.parent / "missing.pddl", "--plan-file", plan)
    assert done.returncode == 31
    assert "missing.pddl: No such file" in done.stderr


def test_plan_file_that_cannot_be_written(blocks4: list[Path]) -> None:
    done = solve(*blocks4, "--plan-file", "/nowhere/sas_plan")
    assert done.returncode == 32
    assert done.stderr == "/nowhere/sas_plan: cannot write: No such file or directory\n"
    assert "plan validated" not in done.stdout


def signalled(arguments: Sequence[object], number: signal.Signals) -> tuple[int, str, str]:
    """Send a signal a second after the search has begun."""
    with subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert " of domain " in process.stdout.readline()
            time.sleep(1)
            assert process.poll() is None
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    return process.returncode, out, err


def test_ctrl_c_in_a_search(blocks20: list[Path], plan: Path) -> None:
    arguments = [*blocks20, "--heuristic", "h_max", "--plan-file", plan]
    assert signalled(arguments, signal.SIGINT) == (130, "", "interrupted\n")
    assert plan.read_text() == "old"
    assert [each.name for each in plan.parent.iterdir()] == ["sas_plan"]


@pytest.mark.parametrize("search", SOLVERS)
def test_ctrl_c_in_a_solver_keeps_the_value(exploding: list[Path], search: str) -> None:
    arguments = [*exploding, "--search", search, "--heuristic", "h_max"]
    code, out, err = signalled(arguments, signal.SIGINT)
    assert (code, err) == (130, "interrupted\n")
    value, remark = out.splitlines()
    assert 0 < float(value.removeprefix("V(s0) = ")) <= 500
    assert remark.startswith("not converged; ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_killed_in_a_search(blocks20: list[Path], plan: Path, number: signal.Signals) -> None:
    arguments = [*blocks20, "--heuristic", "h_max", "--plan-file", plan]
    assert signalled(arguments, number)[0] == -number
    assert plan.read_text() == "old"
    assert [each.name for each in plan.parent.iterdir()] == ["sas_plan"]


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_signal_while_the_plan_is_written(
    blocks4: list[Path], plan: Path, number: signal.Signals, code: int
) -> None:
    program = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
os.fsync = lambda file: os.kill(os.getpid(), {int(number)})
from asnets.cli import run
sys.exit(run(["solve", *sys.argv[1:]]))
"""
    words = [sys.executable, "-c", program, *map(str, blocks4), "--plan-file", str(plan)]
    done = subprocess.run(words, check=False, text=True, capture_output=True, timeout=60)
    assert done.returncode == code
    if number == signal.SIGKILL:  # nobody can clean up, but the old plan is still there
        assert plan.read_text() == "old"
        return
    found = read_plan(plan.read_text())
    assert replay(ground(*blocks4), found.actions) == found.cost
    assert [each.name for each in plan.parent.iterdir()] == ["sas_plan"]
    assert done.stderr == ("interrupted\n" if number == signal.SIGINT else "")


def test_ctrl_c_after_the_end(blocks4: list[Path], plan: Path) -> None:
    program = """
import atexit, os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
from asnets.cli import main
main()
"""
    words = [sys.executable, "-c", program, "solve", *map(str, blocks4), "--plan-file", str(plan)]
    done = subprocess.run(words, check=False, text=True, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_while_a_module_makes_its_classes(tmp_path: Path) -> None:
    """Dataclasses are made by exec() of a text, and `python -m` remembers a Ctrl-C in there."""
    (tmp_path / "interrupted.py").write_text(
        "from asnets.ending import guarded, quiet_exit\n"
        "quiet_exit(lambda: guarded(lambda: exec('raise KeyboardInterrupt')))\n"
    )
    words = [sys.executable, "-m", "interrupted"]
    done = subprocess.run(
        words, cwd=tmp_path, check=False, text=True, capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_plan_into_a_pipe(blocks4: list[Path], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(
        command(*blocks4, "--plan-file", pipe), stdout=subprocess.DEVNULL
    ) as process:
        try:
            found = read_plan(pipe.read_text())
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
    assert replay(ground(*blocks4), found.actions) == found.cost
