"""`asnets plan` as a user meets it, and runs of policies against their exact chances."""

import json
import math
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import asnets
import asnets.plan
from asnets import generators
from asnets.cli import run
from asnets.plans import PlanError, read_plan, replay
from interrupting import ctrl_c_after
from model_files import make_model, small_task
from oracles import unified_planning_validator, val

DETERMINISTIC = ["blocksworld", "gold-miner"]
PROBABILISTIC = ["triangle-tireworld", "exploding-blocksworld", "probabilistic-blocksworld"]
PATIENT = ["--sample", "--temperature", 20, "--limit", 100_000]
"""A policy that knows nothing comes upon the goal some time, if it does not count."""
FORGETFUL = {"landmarks": "none", "counts": False, "helpful": False}


class Problem:
    """A problem of a shipped domain, with a model for it that knows nothing."""

    def __init__(self, folder: Path, name: str, size: int = 2, **options: object) -> None:
        self.domain, self.problem = folder / "domain.pddl", folder / "p.pddl"
        self.domain.write_text(generators.domain_text(name))
        self.problem.write_text(generators.generate(name, size, seed=2))
        self.model = make_model(name, **options).write(folder / "model.pt")  # type: ignore[arg-type]
        self.arguments: list[object] = [self.domain, self.problem, "-m", self.model]

    @property
    def task(self) -> asnets.Task:
        return asnets.ground(self.domain, self.problem)


class Outcome:
    """What a command that ran in this process left behind."""

    def __init__(self, capsys: pytest.CaptureFixture[str], arguments: Sequence[object]) -> None:
        self.code = run(["plan", *map(str, arguments)])
        self.out, self.err = capsys.readouterr()
        self.lines = self.out.splitlines()


@pytest.mark.parametrize("name", DETERMINISTIC)
def test_plans_are_valid(
    tmp_path: Path, plan: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """For three validators: ours, VAL, Unified Planning's."""
    given = Problem(tmp_path, name, 3, features=FORGETFUL)
    done = Outcome(capsys, [*given.arguments, *PATIENT, "--plan-file", plan])
    assert (done.code, done.err) == (0, "")
    found = read_plan(plan.read_text())
    assert replay(given.task, found.actions) == found.cost == len(found.actions)
    assert f"plan validated: {len(found.actions)} actions, cost {found.cost:.0f}" in done.lines
    if val.program() is not None:
        assert val.value(given.domain, given.problem, plan) == found.cost
    if unified_planning_validator.is_there():
        assert unified_planning_validator.is_valid(given.domain, given.problem, plan)
        lines = plan.read_text().splitlines(keepends=True)
        plan.write_text("".join(lines[:-2]))
        assert not unified_planning_validator.is_valid(given.domain, given.problem, plan)


def test_the_same_plan_in_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = Problem(tmp_path, "blocksworld", 3, features=FORGETFUL)
    figures = tmp_path / "figures.json"
    done = Outcome(capsys, [*given.arguments, *PATIENT, "--seed", 4, "--json", figures])
    assert done.code == 0
    expected = asnets.Policy(given.model).run(given.task, 4, 100_000, sample=True, temperature=20)
    actions = [line for line in done.lines if line.startswith("(")]
    assert actions == [str(action) for action in expected.actions]
    found = json.loads(figures.read_text())
    assert found["actions"] == actions
    assert (found["end"], found["cost"], found["steps"]) == ("goal", len(actions), len(actions))
    assert {"model", "ground", "bind", "features", "network"} <= found["seconds"].keys()
    assert re.search(
        r"^seconds: model \d.*, ground \d.*, features \d.*, network \d", done.out, re.MULTILINE
    )


@pytest.mark.parametrize("name", PROBABILISTIC)
def test_one_sample(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = Problem(tmp_path, name, 3)
    done = Outcome(capsys, [*given.arguments, "--limit", 20])
    expected = asnets.Policy(given.model).run(given.task, limit=20)
    actions = [line.split("  ;")[0] for line in done.lines if line.startswith("(")]
    assert actions == [str(action) for action in expected.actions]
    assert any(line.startswith("; one sample, ") for line in done.lines)
    assert done.code == (0 if expected.reached_goal else 12)
    assert bool(done.err) != expected.reached_goal


def test_plan_file_of_a_sample(
    tmp_path: Path, plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = Problem(tmp_path, "triangle-tireworld")
    done = Outcome(capsys, [*given.arguments, "--plan-file", plan])
    assert done.code == 2
    assert "one sample is not a plan" in done.err
    assert plan.read_text() == "old"


def test_why_it_fails(tmp_path: Path, plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(given: Problem, *options: object) -> str:
        done = Outcome(capsys, [*given.arguments, *options])
        assert done.code == 12
        return done.err

    given = Problem(tmp_path, "blocksworld", 8)
    message = fail(given, "--limit", 3, "--sample", "--plan-file", plan)
    assert message == "no goal within 3 steps (--limit)\n"
    assert plan.read_text() == "old"
    assert fail(given, "--limit", 300).startswith("loop: after 300 steps it is where it was before")
    message = fail(Problem(tmp_path, "blocksworld", 8, features=FORGETFUL))
    assert re.match(r"loop: after \d\d? steps it is where it was before", message)
    done = Outcome(capsys, [*given.arguments, "--avoid-loops"])
    assert done.code in (0, 12)
    assert re.search(r"loops avoided [1-9]", done.out)
    given.problem.write_text(
        "(define (problem p) (:domain blocks) (:objects a - block) (:init) (:goal (ontable a)))"
    )
    assert fail(given) == "dead end: no action is applicable after 0 steps\n"
    given.problem.write_text(
        "(define (problem p) (:domain blocks) (:objects a b - block) (:init (handempty) (ontable a) "
        "(clear a)) (:goal (ontable b)))"
    )
    assert fail(given, "--find-dead-ends") == "dead end: the goal is out of reach after 0 steps\n"


def test_bad_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = Problem(tmp_path, "blocksworld")
    text = tmp_path / "text.pt"
    text.write_text("no model")
    other = make_model("gold-miner").write(tmp_path / "other.pt")
    for model, message in {
        "missing.pt": "missing.pt: No such file or directory",
        text: f"{text}: not an ASNets model: it is no zip archive",
        other: f"{other}: not for domain blocks of this problem: schema detonate-bomb of the model "
        "is not in the task",
    }.items():
        done = Outcome(capsys, [given.domain, given.problem, "-m", model])
        assert (done.code, done.out, done.err) == (33, "", message + "\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "Missing option '--model' / '-m'."),
        (["-m", "x", "--temperature", "nan"], "--temperature"),
        (["-m", "x", "--temperature", "0"], "greater than or equal to 0.000001"),
        (["-m", "x", "--limit", "0"], "greater than or equal to 1"),
        (["-m", "x", "--backend", "cuda"], "'cuda' is not one of 'native', 'torchscript'."),
    ],
)
def test_usage(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = Outcome(capsys, ["domain.pddl", "p.pddl", *options])
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_limits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = Problem(tmp_path, "blocksworld", 12)
    forever = ["--sample", "--limit", 1 << 30]
    done = Outcome(capsys, [*given.arguments, *forever, "--time-limit", 0.5])
    assert (done.code, done.err) == (23, "time limit reached\n")
    with ctrl_c_after(0.5):
        done = Outcome(capsys, [*given.arguments, *forever])
    assert (done.code, done.err) == (130, "interrupted\n")


def test_a_wrong_plan_is_not_written(
    tmp_path: Path, plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the reason."""
    given = Problem(tmp_path, "blocksworld", 3, features=FORGETFUL)

    def refuse(task: asnets.Task, actions: Sequence[str]) -> float:
        raise PlanError("step 1 is wrong")

    monkeypatch.setattr(asnets.plan, "replay", refuse)
    with pytest.raises(PlanError):
        run(["plan", *map(str, given.arguments), *map(str, PATIENT), "--plan-file", str(plan)])
    assert plan.read_text() == "old"


@pytest.mark.parametrize("temperature", [1.0, 0.5])
@pytest.mark.parametrize("sample", [False, True])
@pytest.mark.parametrize("name", PROBABILISTIC)
def test_success_rate_of_the_chain(
    tmp_path: Path, name: str, sample: bool, temperature: float
) -> None:
    """How many runs succeed is as likely as the Markov chain says that the policy makes of the
    task."""
    counts = name == "triangle-tireworld"
    features = {"landmarks": "article", "counts": counts, "helpful": False}
    policy = asnets.Policy(make_model(name, features=features).write(tmp_path / "model.pt"))
    task = small_task(name)
    limit, runs = 6, 2000

    @cache
    def chance(state: asnets.State, history: tuple[asnets.Action, ...], steps: int) -> float:
        """Of reaching the goal."""
        if state.is_goal or steps == 0:
            return float(state.is_goal)
        likely = policy.probabilities(task, state, history, temperature=temperature)
        if not sample and likely:
            best = max(likely.values())
            likely = {next(a for a, p in likely.items() if p > best * (1 - 1e-4)): 1.0}
        return sum(
            probability * after * chance(successor, (*history, action) if counts else (), steps - 1)
            for action, probability in likely.items()
            for successor, after in task.successors(state, action)
        )

    expected = chance(task.initial_state, (), limit)
    done = [
        policy.run(task, seed, limit, sample, temperature=temperature).reached_goal
        for seed in range(runs)
    ]
    deviation = math.sqrt(max(expected * (1 - expected), 1e-9) / runs)
    assert sum(done) / runs == pytest.approx(expected, abs=4 * deviation)
