"""How `fast-downward` ends when a policy is to be followed: exit codes, and one line for what is
wrong."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from downward_patch.places import LIBRARY, planner, source_folder

import asnets
from asnets import generators
from driving import COMMAND, ROOMS, Given, drive, needs_planner, policy, rooms, write_model

pytestmark = needs_planner

ENDLESS = {"sample": True, "max_steps": "infinity"}


@pytest.fixture
def given(tmp_path: Path) -> Given:
    """Blocksworld: a problem that chance solves, a large one, and one that has no solution."""
    problems = [generators.generate("blocksworld", size, seed=6) for size in (2, 30)]
    problems.append(
        "(define (problem never) (:domain blocks) (:objects a b - block)\n"
        "  (:init (handempty) (ontable a) (ontable b) (clear a) (clear b))\n"
        "  (:goal (and (on a b) (on b a))))"
    )
    return Given(tmp_path, generators.domain_text("blocksworld"), problems, counts=False)


def reachable(given: Given, **options: object) -> str:
    """A policy that comes upon the goal of the first problem."""
    return policy(given.model, sample=True, temperature=1000, max_steps=100_000, **options)


def test_solved(given: Given) -> None:
    done = given.drive(reachable(given))
    assert (done.code, done.err) == (0, "")
    for line in ("Plan found by the policy.", "Solution found!", "Plan length: ", "Plan cost: ",
                 "Expanded ", "Evaluated ", "Policy steps: ", "Policy evaluations: ",
                 "Policy network time: ", "Search time: ", "Total time: ", "Peak memory: ",
                 "search exit code: 0"):  # fmt: skip
        assert line in done.out, line


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"max_steps": 1}, "step limit reached (steps: 1)"),
        ({"bound": 1}, "bound reached (steps: 1)"),
        ({"max_time": 0.0001}, "time limit reached"),
        ({"max_steps": 100_000, "avoid_loops": False}, "loop, it is where it was before"),
    ],
)
def test_policy_fails(given: Given, options: dict[str, object], reason: str) -> None:
    done = given.drive(policy(given.model, **options), 1)
    assert (done.code, done.err) == (12, "")
    assert done.reason.startswith(reason)
    assert not done.plan.exists()


class TestBadModel:
    """33, and one line that says what is wrong."""

    def check(self, given: Given, search: str, *parts: str) -> None:
        done = given.drive(search)
        assert done.code == 33
        first, last = done.err.splitlines()  # ours, and Fast Downward's own for this exit code
        for part in parts:
            assert part in first
        assert last == "Usage error occurred."
        assert not done.plan.exists()

    def test_missing(self, given: Given) -> None:
        self.check(given, "asnet_policy(model=Missing.pt)", "Missing.pt: No such file or directory")

    def test_not_given(self, given: Given) -> None:
        done = given.drive("asnet_policy()")
        assert done.code == 33
        assert "model" in done.err

    def test_folder(self, given: Given) -> None:
        self.check(given, policy(given.folder), str(given.folder))

    def test_corrupt(self, given: Given) -> None:
        content = bytearray(given.model.read_bytes())
        content[len(content) // 2] ^= 255
        given.model.write_bytes(content[: len(content) * 3 // 4])
        self.check(given, policy(given.model), "model.pt: ")

    def test_other_domain(self, given: Given) -> None:
        text = generators.domain_text("gold-miner")
        task = asnets.ground_text(text, generators.generate("gold-miner", 3, seed=1))
        other = write_model(given.folder / "gold.pt", text, task)
        for name in ("asnet_policy", "asnet_preferred"):
            search = policy(other, name)
            if name == "asnet_preferred":
                search = f"lazy_greedy([ff()],preferred=[{search}])"
            self.check(given, search, "gold.pt: not for domain blocks: ")

    def test_options(self, given: Given) -> None:
        for option in ({"sample": "maybe"}, {"temperature": 0}, {"seed": -1}, {"max_steps": 0},
                       {"backend": "cuda"}, {"no_option": 1}):  # fmt: skip
            assert given.drive(policy(given.model, **option)).code == 33, option

    def test_no_torchscript(self, given: Given) -> None:
        """A planner without the library beside it."""
        built = planner(source_folder()).parent
        folder = given.folder / "bin"
        shutil.copytree(built, folder, ignore=shutil.ignore_patterns("libasnets_torch.so"))
        search = policy(given.model, backend="torchscript")
        done = given.drive(search, 0, "--build", folder)
        assert done.code == 33
        assert "asnets build-downward --torchscript" in done.err.splitlines()[0]
        assert given.drive(reachable(given), 0, "--build", folder).code == 0


def test_no_core(given: Given) -> None:
    """A planner without its library says so, and works where no policy is asked."""
    folder = given.folder / "bin"
    shutil.copytree(planner(source_folder()).parent, folder, ignore=shutil.ignore_patterns("*.so"))
    done = given.drive(policy(given.model), 0, "--build", folder)
    assert done.code == 32
    assert "libasnets_plain.so" in done.err
    assert "asnets build-downward" in done.err
    assert given.drive("lazy_greedy([ff()])", 0, "--build", folder).code == 0


class TestUnsupported:
    """34, and one line."""

    def test_axioms(self, given: Given) -> None:
        text = given.domain.read_text().rstrip()
        given.domain.write_text(
            text.removesuffix(")")
            + "(:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y))))))"
        )
        given.domain.write_text(
            given.domain.read_text().replace("(:predicates", "(:predicates (above ?x ?y)")
        )
        done = given.drive(policy(given.model))
        assert done.code == 34
        assert "domain.pddl:" in done.err.splitlines()[0]

    @pytest.mark.parametrize("name", ["triangle-tireworld", "exploding-blocksworld"])
    def test_probabilistic(self, tmp_path: Path, given: Given, name: str) -> None:
        given.domain.write_text("; (probabilistic 0.5\n" + generators.domain_text(name))
        given.problems[0].write_text(generators.generate(name, 3, seed=1))
        done = given.drive(policy(given.model))
        assert done.code == 34
        (line,) = done.err.splitlines()
        assert line.startswith(f"{given.domain}:")
        assert "asnets plan" in line

    def test_goal_that_the_translator_refuses(self, tmp_path: Path) -> None:
        given = Given(tmp_path, ROOMS, [rooms(0), rooms(0, "(and (lit a) (not (rested)))")])
        done = given.drive(policy(given.model), 1)
        assert done.code == 34
        assert done.err.startswith(f"{given.problems[1]}:3:")
        assert "Traceback" not in done.err

    def test_task_that_the_translator_takes_for_unsolvable(self, tmp_path: Path) -> None:
        """20.06 does not understand `either` in parameters."""
        domain = (
            "(define (domain d) (:requirements :typing) (:types a b)\n"
            "(:predicates (done ?x - (either a b)))\n"
            "(:action do :parameters (?x - (either a b)) :effect (done ?x)))"
        )
        problem = (
            "(define (problem p) (:domain d) (:objects x - a y - b) (:init)\n"
            "(:goal (and (done x) (done y))))"
        )
        given = Given(tmp_path, domain, [problem])
        search = policy(given.model, sample=True, avoid_loops=True)
        done = given.drive(search)
        assert done.code == 34
        assert "asnets plan" in done.err.splitlines()[0]

    def test_goal(self, given: Given) -> None:
        text = given.problems[0].read_text()
        begin = text.index("(:goal")
        given.problems[0].write_text(text[:begin] + "(:goal (not (handempty))))")
        done = given.drive(policy(given.model))
        assert done.code == 34
        assert "p0.pddl:" in done.err.splitlines()[0]


class TestLimits:
    @pytest.mark.parametrize("limit", ["--search-time-limit", "--overall-time-limit"])
    def test_time(self, given: Given, limit: str) -> None:
        done = given.drive(policy(given.model, **ENDLESS), 2, limit, "2s")
        assert done.code == 23
        assert not done.plan.exists()

    @pytest.mark.parametrize("search", ["asnet_policy", "lazy_greedy"])
    def test_short_time(self, given: Given, search: str) -> None:
        """What takes less than a second may have a second."""
        found = reachable(given) if search == "asnet_policy" else "lazy_greedy([ff()])"
        done = given.drive(found, 0, "--overall-time-limit", "1s")
        assert (done.code, done.err) == (0, "")

    def test_torchscript_out_of_memory(self, given: Given) -> None:
        for limit in ("150M", "300M"):
            search = policy(given.model, backend="torchscript", **ENDLESS)
            done = given.drive(search, 2, "--search-memory-limit", limit)
            assert done.code == 22, (limit, done.err)

    def test_sigterm_ends_the_search_too(self, given: Given) -> None:
        command = [COMMAND, given.domain, given.problems[2], "--search",
                   policy(given.model, **ENDLESS)]  # fmt: skip
        with subprocess.Popen(
            command, cwd=given.folder, stdout=subprocess.PIPE, text=True
        ) as started:
            assert started.stdout is not None
            while "Following" not in started.stdout.readline():
                assert started.poll() is None
            started.terminate()
            started.communicate(timeout=30)  # the search holds the pipe for as long as it lives
        assert started.returncode == 143

    def test_memory(self, given: Given) -> None:
        """Long trajectories take memory."""
        done = given.drive(policy(given.model, **ENDLESS), 2, "--search-memory-limit", "80M")
        assert done.code == 22
        assert not done.plan.exists()

    def test_ctrl_c(self, given: Given) -> None:
        command = [COMMAND, given.domain, given.problems[2], "--search",
                   policy(given.model, **ENDLESS)]  # fmt: skip
        started = subprocess.Popen(
            command, cwd=given.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            process_group=0,
        )  # fmt: skip
        assert started.stdout is not None
        while "Following" not in started.stdout.readline():
            assert started.poll() is None
        time.sleep(0.1)
        os.killpg(started.pid, signal.SIGINT)
        with started:
            out, err = started.communicate(timeout=30)
        assert started.returncode == 130
        assert err == "interrupted\n"
        assert "Peak memory: " in out
        assert not (given.folder / "sas_plan").exists()


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("pick-up", "put-down", "pick-up [ab] is not applicable"),
        (" a\n", " b\n", "after pick-up [ab], .* here and .* in the core"),
    ],
)
def test_tasks_that_disagree(given: Given, first: str, second: str, message: str) -> None:
    """A translated task that is not that of the PDDL files: an error of ours, with both states."""
    text = given.problems[2].read_text().replace("(and (on a b) (on b a))", "(on a b)")
    given.problems[2].write_text(text)
    given.drive(policy(given.model, max_steps=1), 2, "--keep-sas-file")
    sas = given.folder / "output.sas"
    swapped = {first: second, second: first}
    sas.write_text(re.sub(f"{first}|{second}", lambda found: swapped[found[0]], sas.read_text()))
    search = policy(given.model, domain=given.domain, problem=given.problems[2])
    done = drive(given.folder, sas, "--search", search)
    assert done.code == 32
    error, translated, core, *_ = done.err.splitlines()
    assert re.fullmatch(
        f"internal error: the translated task and the core disagree: {message}", error
    )
    assert "Atom ontable(" in translated
    assert "(ontable " in core


def test_plan_file_cannot_be_written(given: Given) -> None:
    for name in ("/dev/full", given.folder / "none" / "plan"):
        done = given.drive(reachable(given), 0, "--plan-file", name)
        assert done.code == 33
        assert f"Failed to write plan file: {name}" in done.err


class TestInput:
    def test_modules_of_the_working_folder_are_not_imported(self, given: Given) -> None:
        for name in ("copy.py", "argparse.py", "runpy.py"):
            (given.folder / name).write_text("raise SystemExit(3)\n")
        assert given.drive("lazy_greedy([ff()])").code == 0

    def test_another_translated_task(self, given: Given) -> None:
        given.drive(policy(given.model, max_steps=1), 0, "--keep-sas-file")
        search = policy(given.model, domain=given.domain, problem=given.problems[1])
        done = drive(given.folder, given.folder / "output.sas", "--search", search)
        assert done.code == 33
        assert done.err.startswith(f"the translated task is not that of {given.problems[1]}: ")

    def test_nobody_reads(self, given: Given) -> None:
        search = policy(given.model, **ENDLESS, max_time=5, verbosity="debug")
        command = f"{COMMAND} {given.domain} {given.problems[2]} --search '{search}' | head -n 1"
        done = subprocess.run(
            ["bash", "-c", command], cwd=given.folder, capture_output=True, text=True, check=False
        )
        assert "Logging error" not in done.stderr

    def test_another_core(
        self, given: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The planner has a copy of the core, which may be older than the package."""
        copy = tmp_path / "downward"
        build = copy / "builds" / "release" / "bin"
        shutil.copytree(planner(source_folder()).parent, build)
        shutil.copytree(source_folder() / "driver", copy / "driver")
        monkeypatch.setenv("ASNETS_DOWNWARD", str(copy))
        assert given.drive(reachable(given)).err == ""
        library = build / LIBRARY
        library.write_bytes(library.read_bytes() + b" ")
        done = given.drive(reachable(given))
        assert done.code == 0
        assert "run `asnets build-downward`" in done.err

    def test_bare_sas(self, given: Given) -> None:
        assert given.drive(policy(given.model, max_steps=1), 0, "--keep-sas-file").code == 12
        sas = given.folder / "output.sas"
        search = policy(given.model)
        with sas.open() as file:
            done = subprocess.run(
                [planner(source_folder()), "--search", search],
                stdin=file, capture_output=True, text=True, check=False, cwd=given.folder,
            )  # fmt: skip
        assert done.returncode == 33
        assert "domain= and problem=" in done.stderr.splitlines()[0]
        done_by_driver = drive(given.folder, "--keep-sas-file", sas, "--search", search)
        assert done_by_driver.code == 33
        named = reachable(given, domain=given.domain, problem=given.problems[0])
        assert drive(given.folder, sas, "--search", named).code == 0

    def test_missing_problem(self, given: Given) -> None:
        done = drive(given.folder, given.folder / "none.pddl", "--search", policy(given.model))
        assert done.code == 36
        assert done.err == f"{given.folder / 'none.pddl'}: No such file or directory\n"

    def test_bad_problem(self, given: Given) -> None:
        given.problems[0].write_text("(define (problem p) (:domain blocks)\n(:objekts a))")
        done = given.drive(policy(given.model))
        assert 30 <= done.code <= 31
        assert done.err.startswith(f"{given.problems[0]}:2:2: ")
        assert "Traceback" not in done.err

    def test_not_built(self, given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASNETS_DOWNWARD", str(given.folder))
        done = given.drive(policy(given.model))
        assert done.code == 36
        assert "asnets build-downward" in done.err
        assert "make downward" in done.err
