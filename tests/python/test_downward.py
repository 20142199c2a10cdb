"""Fast Downward follows a policy as `asnets plan` and Python do, and still does what it did."""

import itertools
from pathlib import Path
from typing import Any

import pytest

import asnets
from asnets import generators
from asnets.cli import run
from driving import ROOMS, Driven, Given, drive, needs_planner, policy, rooms, write_model
from oracles import fast_downward, val
from oracles.corpus import Files, files_named

pytestmark = needs_planner

LIMIT = 500
SIZES = {
    "blocksworld": (2, 3, 4),
    "matching-blocksworld": (2, 3),
    "gold-miner": (3, 4),
    "rooms": (0,),
}
# A policy that knows nothing comes upon the goal some time, if it is not too sure of itself.
TEMPERATURES = {"blocksworld": 10, "matching-blocksworld": 10, "gold-miner": 10, "rooms": 100}


def problem_text(domain: str, seed: int) -> str:
    if domain == "rooms":
        return rooms(seed)
    sizes = SIZES[domain]
    return generators.generate(domain, sizes[seed % len(sizes)], seed=seed)


class Doors(Given):
    """Ten problems of a domain. On six a policy reaches the goal by chance; the others are for one that
    counts its actions and is followed for long: sampled, or by the likeliest action, with loops that are
    avoided by default and when asked for."""

    def __init__(self, folder: Path, name: str) -> None:
        domain = ROOMS if name == "rooms" else generators.domain_text(name)
        texts = (problem_text(name, seed) for seed in itertools.count())
        super().__init__(folder, domain, [next(texts)], counts=False)
        self.temperature = TEMPERATURES[name]
        task = asnets.ground(self.domain, self.problems[0])
        self.counting = write_model(folder / "counting.pt", domain, task, seed=7)
        chosen: list[str] = []
        while len(chosen) < 10:
            number = len(chosen)
            found = self.run(asnets.ground_text(domain, text := next(texts)), number)
            if (found.reached_goal or number >= 6) and (found.avoided > 0 or number < 8):
                chosen.append(text)
        self.write(chosen)

    def model_of(self, problem: int) -> Path:
        return self.model if problem < 6 else self.counting

    def options_of(self, problem: int) -> dict[str, Any]:
        options = {
            "sample": problem < 8,
            "temperature": self.temperature if problem < 6 else 2,
        }
        return options if problem == 8 else {**options, "avoid_loops": problem > 8}

    def run(self, task: asnets.Task, problem: int) -> asnets.Run:
        learnt = asnets.Policy(self.model_of(problem))
        return learnt.run(task, problem, LIMIT, **self.options_of(problem))


@pytest.fixture(scope="module", params=SIZES)
def doors(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Doors:
    return Doors(tmp_path_factory.mktemp("doors"), request.param)


@pytest.mark.parametrize("problem", range(10))
def test_same_answer_through_every_door(
    doors: Doors, problem: int, capsys: pytest.CaptureFixture[str]
) -> None:
    file, model = doors.problems[problem], doors.model_of(problem)
    expected = doors.run(asnets.ground(doors.domain, file), problem)
    assert problem >= 6 or expected.reached_goal
    own = doors.folder / "own-plan"
    own.unlink(missing_ok=True)
    options = doors.options_of(problem)
    flags = ["--sample"] if options["sample"] else []
    if "avoid_loops" in options:
        flags.append("--avoid-loops" if options["avoid_loops"] else "--no-avoid-loops")
    command = ["plan", doors.domain, file, "-m", model, "--seed", problem, "--limit", LIMIT,
               "--temperature", options["temperature"], "--plan-file", own, *flags]  # fmt: skip
    assert run([str(each) for each in command]) == (0 if expected.reached_goal else 12)
    for backend in ("native", "torchscript"):
        search = policy(model, seed=problem, max_steps=LIMIT, verbosity="debug", backend=backend,
                        **options)  # fmt: skip
        done = doors.drive(search, problem)
        assert done.steps == [str(action).strip("()") for action in expected.actions]
        assert done.code == (0 if expected.reached_goal else 12), done.err
        assert done.plan.exists() == own.exists() == expected.reached_goal
        if expected.reached_goal:
            assert "Plan found by the policy." in done.out
            assert done.plan.read_text() == own.read_text()
            assert val.value(doors.domain, file, done.plan) == expected.cost
            assert f"Plan cost: {expected.cost:g}" in done.out


def actions_of(plan: Path) -> list[str]:
    return [line for line in plan.read_text().splitlines() if not line.startswith(";")]


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
        return Given(tmp_path, generators.domain_text("blocksworld"), problems, counts=False)

    def test_fallback_takes_over(self, blocks: Given) -> None:
        search = policy(blocks.model, max_steps=1, fallback="lazy_greedy([ff()],preferred=[ff()])")
        done = blocks.drive(search)
        assert (done.code, done.err) == (0, "")
        assert "The policy does not reach the goal: step limit reached (steps: 1)." in done.out
        assert "Plan found by the fallback search." in done.out
        assert val.value(blocks.domain, blocks.problems[0], done.plan) is not None

    def test_fallback_is_not_needed(self, blocks: Given) -> None:
        search = policy(blocks.model, sample=True, temperature=1000, max_steps=100_000,
                        fallback="astar(lmcut())")  # fmt: skip
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
        given = Given(tmp_path, ROOMS, [rooms(0)], seed=3, counts=False)
        preferred = policy(given.model, "asnet_preferred", share=1)
        ways = 0
        for seed in range(12):
            given.write([rooms(seed, "(lit D)")])
            way = likeliest_way(given)
            if way is None or len(way) < 3:
                continue
            ways += 1
            done = drive(tmp_path, given.domain, given.problems[0], "--evaluator", "h=goalcount()",
                         "--search", f"ehc(h,preferred=[h,{preferred}])")  # fmt: skip
            assert (done.code, done.err) == (0, "")
            assert actions_of(done.plan) == way
        assert ways > 1

    def test_preferred_with_every_backend(self, blocks: Given) -> None:
        found: list[Driven] = []
        for backend in ("native", "torchscript"):
            preferred = policy(blocks.model, "asnet_preferred", backend=backend, share=0.9)
            found.append(blocks.drive(f"lazy_greedy([ff()],preferred=[{preferred}])", 1))
            assert (found[-1].code, found[-1].err) == (0, "")
            assert val.value(blocks.domain, blocks.problems[1], found[-1].plan) is not None
        assert found[0].plan.read_text() == found[1].plan.read_text()


def likeliest_way(given: Given) -> list[str] | None:
    """Always the likeliest action, as if nothing had been done before; None if that ties or goes in a
    circle."""
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
    @pytest.mark.parametrize(
        "task",
        files_named("blocksworld-p08-s1", "gold-miner-p04-s1", "depot-p1", "elevators-p1",
                    "movie-p1", "logistics00-p1"),
        ids=str,
    )  # fmt: skip
    def test_aliases(self, tmp_path: Path, task: Files) -> None:
        """Optimal costs are those of another release; LAMA's plans are valid."""
        files = task.paths
        best = fast_downward.search(*files).cost
        assert best is not None
        optimal = drive(tmp_path, "--alias", "seq-opt-lmcut", *files)
        assert optimal.code == 0
        assert val.value(*files, optimal.plan) == best
        lama = drive(tmp_path, "--alias", "lama-first", *files)
        assert lama.code == 0
        cost = val.value(*files, lama.plan)
        assert f"Plan cost: {cost:g}" in lama.out

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
        given = Given(tmp_path, ROOMS, [rooms(0, "(lit D)")], counts=False)
        search = policy(given.model, sample=True, temperature=1000, max_steps=LIMIT)
        search = search.replace(")", ",cost_type=S_COST_TYPE,bound=BOUND)")
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
