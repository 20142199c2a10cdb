"""Fast Downward follows a policy as `asnets plan` and Python do, and still does what it did."""

from pathlib import Path

import pytest

import asnets
from asnets import generators
from asnets.cli import run
from driving import ROOMS, Driven, Given, drive, needs_planner, policy, rooms
from oracles import fast_downward, val

pytestmark = needs_planner

LIMIT = 2000
SIZES = {
    "blocksworld": (2, 3, 4),
    "matching-blocksworld": (2, 3),
    "gold-miner": (3, 4),
    "rooms": (0,),
}
# Of ten problems, at least: a policy that knows nothing comes upon the goal some time.
SOLVED = {"blocksworld": 8, "matching-blocksworld": 1, "gold-miner": 1, "rooms": 8}


@pytest.fixture(scope="module", params=SIZES)
def given(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Given:
    """Ten problems of a domain."""
    name, sizes = request.param, SIZES[request.param]
    folder = tmp_path_factory.mktemp(name)
    if name == "rooms":
        return Given(folder, ROOMS, [rooms(seed) for seed in range(10)])
    problems = [
        generators.generate(name, sizes[seed % len(sizes)], seed=seed) for seed in range(10)
    ]
    return Given(folder, generators.domain_text(name), problems)


def plans_alike(given: Given, problem: int, sample: bool) -> bool:
    """Does the policy reach the goal? It does the same through every door."""
    file = given.problems[problem]
    task = asnets.ground(given.domain, file)
    expected = asnets.Policy(given.model).run(task, problem, LIMIT, sample)
    own = given.folder / "own-plan"
    own.unlink(missing_ok=True)
    options = ["--sample"] if sample else []
    code = run(["plan", str(given.domain), str(file), "-m", str(given.model), "--seed",
                str(problem), "--limit", str(LIMIT), "--plan-file", str(own), *options])  # fmt: skip
    for backend in ("native", "torchscript"):
        search = policy(given.model, sample=sample, seed=problem, max_steps=LIMIT,
                        verbosity="debug", backend=backend)  # fmt: skip
        done = given.drive(search, problem)
        assert done.steps == [str(action).strip("()") for action in expected.actions]
        assert done.code == code == (0 if expected.reached_goal else 12), done.err
        assert done.plan.exists() == own.exists() == expected.reached_goal
        if expected.reached_goal:
            assert "Plan found by the policy." in done.out
            assert actions_of(done.plan) == actions_of(own)
            assert val.value(given.domain, file, done.plan) == expected.cost
            assert f"Plan cost: {expected.cost:g}" in done.out
    return expected.reached_goal


def actions_of(plan: Path) -> list[str]:
    return [line for line in plan.read_text().splitlines() if not line.startswith(";")]


def test_same_answer_through_every_door(
    given: Given, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    solved = [plans_alike(given, problem, sample=problem % 5 != 4) for problem in range(10)]
    name = given.folder.name.removesuffix("0")
    assert sum(solved) >= SOLVED[name]


class TestMadeTasks:
    """Goals that are true from the start, or out of reach: the translator makes a task of its own."""

    def test_trivially_solved(self, tmp_path: Path) -> None:
        given = Given(tmp_path, ROOMS, [rooms(0), rooms(0, "(at a)"), rooms(0, "(linked B C)")])
        for problem in (1, 2):
            done = given.drive(policy(given.model), problem)
            assert (done.code, done.err) == (0, "")
            assert actions_of(done.plan) == []

    def test_unsolvable_is_not_claimed(self, tmp_path: Path) -> None:
        given = Given(tmp_path, ROOMS, [rooms(0), rooms(0, "(and (at a) (at B))"),
                                        rooms(0, "(linked a D)")])  # fmt: skip
        for problem in (1, 2):
            done = given.drive(policy(given.model, max_steps=20, avoid_loops=True), problem)
            assert (done.code, done.err) == (12, "")
            assert not done.plan.exists()

    def test_full_encoding(self, tmp_path: Path) -> None:
        given = Given(tmp_path, ROOMS, [rooms(1)])
        search = policy(given.model, sample=True, max_steps=LIMIT, verbosity="debug")
        plain = given.drive(search)
        full = drive(tmp_path, given.domain, given.problems[0], "--translate-options",
                     "--full-encoding", "--search-options", "--search", search)  # fmt: skip
        assert plain.steps == full.steps != []


class TestSearch:
    """The policy inside search."""

    @pytest.fixture
    def blocks(self, tmp_path: Path) -> Given:
        problems = [generators.generate("blocksworld", size, seed=1) for size in (4, 8)]
        return Given(tmp_path, generators.domain_text("blocksworld"), problems)

    def test_fallback_takes_over(self, blocks: Given) -> None:
        search = policy(blocks.model, max_steps=1, fallback="lazy_greedy([ff()],preferred=[ff()])")
        done = blocks.drive(search)
        assert (done.code, done.err) == (0, "")
        assert "The policy does not reach the goal: step limit reached (steps: 1)." in done.out
        assert "Plan found by the fallback search." in done.out
        assert val.value(blocks.domain, blocks.problems[0], done.plan) is not None

    def test_fallback_is_not_needed(self, blocks: Given) -> None:
        search = policy(blocks.model, sample=True, max_steps=100_000, fallback="astar(lmcut())")
        done = blocks.drive(search)
        assert (done.code, done.err) == (0, "")
        assert "Plan found by the policy." in done.out
        assert "Search takes over." not in done.out

    def test_fallback_has_limits_too(self, blocks: Given) -> None:
        for option in ({"bound": 2}, {"max_time": 0.000001}):
            search = policy(blocks.model, max_steps=1, fallback="astar(blind())", **option)
            done = blocks.drive(search)
            assert (done.code, done.plan.exists()) == (12, False)

    def test_fallback_is_checked_before(self, blocks: Given) -> None:
        done = blocks.drive(policy(blocks.model, fallback="lazy_greedy([nothing()])"))
        assert done.code == 33
        assert "nothing" in done.err

    def test_preferred_operators_are_the_likeliest(self, tmp_path: Path) -> None:
        """Hill climbing that follows nothing but preferred operators is the policy's own way."""
        for seed in range(100):
            given = Given(tmp_path, ROOMS, [rooms(2)], seed=seed)
            way = likeliest_way(given)
            if way is not None and len(way) > 2:
                break
        preferred = policy(given.model, "asnet_preferred", share=1)
        for search in (
            f"ehc(goalcount(),preferred=[{preferred}],preferred_usage=prune_by_preferred)",
            f"lazy_greedy([goalcount()],preferred=[{preferred}],boost=1000000)",
        ):
            done = given.drive(search)
            assert (done.code, done.err) == (0, "")
            assert actions_of(done.plan) == way

    def test_preferred_with_every_backend(self, blocks: Given) -> None:
        found: list[Driven] = []
        for backend in ("native", "torchscript"):
            preferred = policy(blocks.model, "asnet_preferred", backend=backend, share=0.9)
            found.append(blocks.drive(f"lazy_greedy([ff()],preferred=[{preferred}])", 1))
            assert (found[-1].code, found[-1].err) == (0, "")
            assert val.value(blocks.domain, blocks.problems[1], found[-1].plan) is not None
        assert found[0].plan.read_text() == found[1].plan.read_text()


def likeliest_way(given: Given) -> list[str] | None:
    """Always the likeliest action, as if nothing had been done before; None if that goes in a circle
    or ties. Actions that change nothing are no operators."""
    task = asnets.ground(given.domain, given.problems[0])
    learnt = asnets.Policy(given.model)
    state, seen, way = task.initial_state, [], []
    while not task.goal.holds(state):
        seen.append(state)
        best, second, *_ = sorted(
            learnt.probabilities(task, state).items(), key=lambda item: -item[1]
        )
        if best[1] == second[1]:
            return None
        ((state, _),) = task.successors(state, best[0])
        if state in seen:
            return None
        way.append(str(best[0]))
    return way


class TestDriver:
    """The driver does what Fast Downward's does."""

    @pytest.fixture
    def files(self, tmp_path: Path) -> list[Path]:
        domain, problem = tmp_path / "domain.pddl", tmp_path / "p.pddl"
        domain.write_text(generators.domain_text("gold-miner"))
        problem.write_text(generators.generate("gold-miner", 4, seed=1))
        return [domain, problem]

    @pytest.mark.skipif(fast_downward.folder() is None, reason="up-fast-downward is not installed")
    def test_aliases(self, tmp_path: Path, files: list[Path]) -> None:
        best = fast_downward.search(*files).cost
        optimal = drive(tmp_path, "--alias", "seq-opt-lmcut", *files)
        assert optimal.code == 0
        assert val.value(*files, optimal.plan) == best
        lama = drive(tmp_path, "--alias", "lama-first", *files)
        assert lama.code == 0
        cost = val.value(*files, lama.plan)
        assert cost is not None
        assert best is not None
        assert cost >= best

    def test_parts(self, tmp_path: Path, files: list[Path]) -> None:
        assert drive(tmp_path, "--translate", *files).code == 0
        sas = tmp_path / "output.sas"
        assert sas.exists()
        done = drive(tmp_path, "--keep-sas-file", sas, "--search", "astar(lmcut())")
        assert done.code == 0
        assert val.value(*files, done.plan) is not None
        assert drive(tmp_path, files[1], "--search", "lazy_greedy([ff()])").code == 0
        assert not sas.exists()

    def test_validate(
        self, tmp_path: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "validate").symlink_to(val.program() or "")
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        done = drive(tmp_path, "--validate", *files, "--search", "lazy_greedy([ff()])")
        assert done.code == 0
        assert "Plan valid" in done.out

    def test_portfolio(self, tmp_path: Path) -> None:
        given = Given(tmp_path, ROOMS, [rooms(0)])
        search = policy(given.model, sample=True, max_steps=LIMIT)
        portfolio = tmp_path / "portfolio.py"
        portfolio.write_text(f'OPTIMAL = False\nCONFIGS = [(1, ["--search", "{search}"])]\n')
        done = drive(tmp_path, "--portfolio", portfolio, "--search-time-limit", "60s",
                     given.domain, given.problems[0])  # fmt: skip
        assert done.code == 0
        assert val.value(given.domain, given.problems[0], tmp_path / "plan.1") is not None

    def test_help(self, tmp_path: Path) -> None:
        done = drive(tmp_path, "--search", "--", "--help", "asnet_policy")
        assert done.code == 0
        for option in ("model", "domain", "problem", "backend", "sample", "temperature", "seed",
                       "max_steps", "avoid_loops", "fallback", "bound", "max_time", "verbosity"):  # fmt: skip
            assert f" {option} (" in done.out
        assert drive(tmp_path, "--show-aliases").out.splitlines()[0] == "lama"
        assert "20.06" in drive(tmp_path, "--version").out
        assert "usage: fast-downward" in drive(tmp_path, "--help").out

    def test_an_evaluator_may_be_called_model(self, tmp_path: Path, files: list[Path]) -> None:
        done = drive(tmp_path, *files, "--evaluator", "Model=FF()", "--search",
                     "lazy_greedy([MODEL], preferred = [model])")  # fmt: skip
        assert (done.code, done.err) == (0, "")
