"""The generators: what they draw is distributed as stated, repeatable, and checked."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from itertools import product
from random import Random

import pytest

from asnets import generators
from asnets.generators import DomainError, generate

blocks = generators._module("blocks")

RANDOM = [
    "blocksworld",
    "exploding-blocksworld",
    "gold-miner",
    "matching-blocksworld",
    "probabilistic-blocksworld",
]


def atoms(problem: str, part: str) -> list[str]:
    """The atoms of :init or :goal, "on b1 b2"."""
    sections = dict(re.findall(r"\((:init|:goal)(.*?)(?=\n  \(:|\Z)", problem, re.DOTALL))
    return re.findall(r"\(([^()]+)\)", sections[part])


def state(problem: str, part: str, table: str = "ontable") -> tuple[int, ...]:
    """For each block the one below it, 0 for the table."""
    found = {}
    for atom in atoms(problem, part):
        if match := re.fullmatch(rf"on b(\d+) b(\d+)|{table} b(\d+)", atom):
            found[int(match[1] or match[3])] = int(match[2] or 0)
    return tuple(found[b] for b in sorted(found))


def heights(positions: Iterable[int]) -> list[int]:
    """The heights of the towers; fails on what is no state."""
    above = {}
    for block, under in enumerate(positions, start=1):
        if under:
            assert under not in above
            above[under] = block
    towers = []
    for block, under in enumerate(positions, start=1):
        if under == 0:
            height, top = 1, block
            while top in above:
                height, top = height + 1, above[top]
            towers.append(height)
    assert sum(towers) == len(tuple(positions))  # else there is a circle
    return towers


def is_state(positions: tuple[int, ...]) -> bool:
    try:
        heights(positions)
    except AssertionError:
        return False
    return True


def is_uniform(draws: Counter[tuple[int, ...]], cases: int) -> bool:
    """Pearson's chi-square test that the draws are uniform over so many cases, at level 0.001.

    The critical value is Wilson and Hilferty's approximation.
    """
    degrees = cases - 1
    spread = 2 / (9 * degrees)
    critical = degrees * (1 - spread + 3.0902 * spread**0.5) ** 3
    expected = draws.total() / cases
    assert expected >= 20
    statistic = sum((n - expected) ** 2 / expected for n in draws.values())
    statistic += (cases - len(draws)) * expected
    return statistic < critical


def test_number_of_states() -> None:
    """Slaney and Thiébaux: n ungrounded towers can be put onto k grounded ones in g(n, k) ways."""

    def g(n: int, k: int) -> int:
        return 1 if n == 0 else g(n - 1, k + 1) + (n - 1 + k) * g(n - 1, k)

    assert [g(n, 0) for n in range(1, 6)] == [1, 3, 13, 73, 501]
    for n in range(1, 13):
        assert sum(blocks.tower_counts(n)) == g(n, 0)


def test_blocks_states_are_uniform() -> None:
    rng = Random(1)
    draws = Counter(tuple(blocks.random_state(rng, 4)) for _ in range(73 * 100))
    assert len(draws) == 73
    assert is_uniform(draws, 73)


@pytest.mark.parametrize(("towers", "states"), [(1, 24), (2, 36), (3, 12)])
def test_blocks_states_with_fixed_towers_are_uniform(towers: int, states: int) -> None:
    rng = Random(2)
    draws = Counter(tuple(blocks.random_state(rng, 4, towers)) for _ in range(states * 100))
    assert all(positions.count(0) == towers for positions in draws)
    assert len(draws) == states
    assert is_uniform(draws, states)


def test_blocksworld_problems_are_uniform() -> None:
    problems = [generate("blocksworld", 4, seed) for seed in range(73 * 20)]
    for part in (":init", ":goal"):
        assert is_uniform(Counter(state(problem, part) for problem in problems), 73)


@pytest.mark.parametrize("towers", [1, 2, 3])
def test_blocksworld_problems_with_fixed_towers_are_uniform(towers: int) -> None:
    """Over the states of 4 blocks with so many towers, which are enumerated here."""
    states = {
        below
        for below in product(range(5), repeat=4)
        if below.count(0) == towers and is_state(below)
    }
    assert len(states) == {1: 24, 2: 36, 3: 12}[towers]
    problems = [generate("blocksworld", 4, seed, towers=towers) for seed in range(len(states) * 30)]
    for part in (":init", ":goal"):
        draws = Counter(state(problem, part) for problem in problems)
        assert set(draws) == states
        assert is_uniform(draws, len(states))


def test_pairs_are_uniform() -> None:
    """Over the pairs of different states of 4 blocks with 3 towers."""
    rng = Random(3)
    pairs = (blocks.random_pair(rng, 4, 3) for _ in range(12 * 11 * 40))
    draws = Counter((tuple(init), tuple(goal)) for init, goal in pairs)
    assert len(draws) == 12 * 11
    assert is_uniform(draws, 12 * 11)


def test_as_many_towers_as_blocks() -> None:
    problem = generate("blocksworld", 18, 3, towers=18)
    assert state(problem, ":init") == state(problem, ":goal") == (0,) * 18
    assert "blocksworld-n18-t18-s3" in problem


@pytest.mark.parametrize(
    ("options", "digest"),
    [({}, "9651839bc37172a8"), ({"towers": 3}, "bc5d492e7c05bd74")],
)
def test_blocksworld_problems_stay_as_they_are(options: dict[str, int], digest: str) -> None:
    texts = [generate("blocksworld", 9, seed, **options) for seed in range(20)]
    assert hashlib.sha256("".join(texts).encode()).hexdigest()[:16] == digest


def test_uniformity_test_rejects_a_biased_sampler() -> None:
    """Putting block after block onto a random tower or the table favours many towers."""
    rng = Random(1)

    def biased() -> tuple[int, ...]:
        order = rng.sample(range(1, 5), 4)
        tops: list[int] = []
        positions = [0] * 4
        for block in order:
            choice = rng.randrange(len(tops) + 1)
            if choice < len(tops):
                positions[block - 1], tops[choice] = tops[choice], block
            else:
                tops.append(block)
        return tuple(positions)

    draws = Counter(biased() for _ in range(73 * 100))
    assert len(draws) == 73
    assert not is_uniform(draws, 73)


def test_500_blocks() -> None:
    for options in ({}, {"towers": 3}):
        problem = generate("blocksworld", 500, 1, **options)
        for part in (":init", ":goal"):
            towers = heights(state(problem, part))
            assert sum(towers) == 500
            assert len(towers) == options.get("towers", len(towers))
            assert sum(atom.startswith("clear") for atom in atoms(problem, part)) == len(towers)


@pytest.mark.parametrize("name", generators.names())
@pytest.mark.parametrize("seed", range(5))
def test_problems_are_well_formed(name: str, seed: int) -> None:
    for size in (2, 3, 5):
        problem = generate(name, size, seed)
        assert problem.count("(") == problem.count(")")
        assert max(map(len, problem.splitlines())) <= 100
        domain = re.search(r"\(define \(domain (\S+)\)", generators.domain_text(name))
        assert domain
        assert f"(:domain {domain[1]})" in problem
        init, goal = atoms(problem, ":init"), atoms(problem, ":goal")
        assert len(set(init)) == len(init)
        assert len(set(goal)) == len(goal)
        assert not set(goal) <= set(init), "nothing to do"


@pytest.mark.parametrize("name", RANDOM)
def test_seed_decides(name: str) -> None:
    def body(seed: int) -> str:
        return generate(name, 6, seed).split("\n", 1)[1]  # without the name

    assert body(3) == body(3)
    assert len({body(seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("name", ["triangle-tireworld", "cosanostra-pizza"])
def test_one_problem_a_size(name: str) -> None:
    assert generate(name, 4, 1) == generate(name, 4, 2)
    assert generate(name, 4) != generate(name, 5)


def test_unreliable_robot_goals() -> None:
    goals = [atoms(generate("unreliable-robot", 3, seed), ":goal") for seed in range(4)]
    assert goals == [["at shakey l3"], ["at shakey r3"]] * 2


@pytest.mark.parametrize("seed", range(10))
def test_matching_blocksworld(seed: int) -> None:
    options = {"towers": seed % 4 + 1} if seed % 2 else {}
    problem = generate("matching-blocksworld", 7, seed, **options)
    init, goal = atoms(problem, ":init"), atoms(problem, ":goal")
    assert sum(heights(state(problem, ":init", "on-table"))) == 7
    if options:
        assert sum(atom.startswith("on-table") for atom in init) == options["towers"]
        assert len(goal) == 7 - options["towers"]
    assert all(atom.startswith("on ") for atom in goal)
    assert sum(atom.startswith("block-positive") for atom in init) == 3
    assert sum(atom.startswith("block-negative") for atom in init) == 4
    assert sum(atom.startswith("solid") for atom in init) == 7


def test_matching_blocksworld_polarities() -> None:
    for positive in (0, 2, 5):
        init = atoms(generate("matching-blocksworld", 5, 0, positive=positive), ":init")
        assert sum(atom.startswith("block-positive") for atom in init) == positive
        assert sum(atom.startswith("block-negative") for atom in init) == 5 - positive


def test_probabilistic_and_exploding_use_the_same_states() -> None:
    for seed in range(5):
        plain = generate("blocksworld", 6, seed)
        for name in ("probabilistic-blocksworld", "exploding-blocksworld"):
            problem = generate(name, 6, seed)
            for part in (":init", ":goal"):
                assert state(problem, part, "on-table") == state(plain, part)


@pytest.mark.parametrize("hard", [None, 0, 50, 100])
def test_gold_miner(hard: int | None) -> None:
    options = {} if hard is None else {"hard": hard}
    size, count = 8, Counter[str]()
    for seed in range(20):
        init = atoms(generate("gold-miner", size, seed, **options), ":init")
        where = {atom.split()[0]: atom.split()[1] for atom in init if atom.count(" ") == 1}
        left = [f"clear f{row}-0f" for row in range(size)]
        assert sorted(atom for atom in init if atom.startswith("clear")) == left
        assert f"clear {where['robot-at']}" in left
        assert f"clear {where['laser-at']}" in left
        assert where["robot-at"] != where["laser-at"] == where["bomb-at"]
        assert where["gold-at"].endswith(f"-{size - 1}f")
        assert f"soft-rock-at {where['gold-at']}" in init
        count.update(atom.split()[0] for atom in init)
    assert count["soft-rock-at"] + count["hard-rock-at"] == 20 * size * (size - 1)
    share = count["hard-rock-at"] / (20 * (size * (size - 1) - 1))
    assert abs(share - (36 if hard is None else hard) / 100) < 0.05


def test_options() -> None:
    assert generators.options("triangle-tireworld") == ()
    (towers,) = generators.options("blocksworld")
    assert (towers.name, towers.default, towers.limits(8)) == ("towers", None, (1, 8))
    for name in generators.names():
        assert generators.size_help(name)
        for option in generators.options(name):
            assert option.help
            least, most = option.limits(6)
            for value in (least, most):
                generate(name, 6, 0, **{option.name: value})
            for value in (least - 1, most + 1):
                with pytest.raises(DomainError, match=f"{option.name} must be from"):
                    generate(name, 6, 0, **{option.name: value})


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("blockworld", 4), {}, 'unknown domain "blockworld"; did you mean blocksworld?'),
        (("", 4), {}, 'unknown domain ""; known are blocksworld, cosanostra-pizza, '),
        (("../domains/blocksworld", 4), {}, "unknown domain"),
        (("blocksworld", 1), {}, "blocksworld: size must be at least 2, not 1"),
        (("blocksworld", -5), {}, "blocksworld: size must be at least 2, not -5"),
        (("gold-miner", 1), {}, "gold-miner: size must be at least 2, not 1"),
        (("cosanostra-pizza", 0), {}, "cosanostra-pizza: size must be at least 1, not 0"),
        (("blocksworld", "8"), {}, "blocksworld: size must be an integer, not '8'"),
        (("blocksworld", 8, 1.5), {}, "blocksworld: seed must be an integer, not 1.5"),
        (("blocksworld", 8, -1), {}, "blocksworld: seed must be at least 0, not -1"),
        (("blocksworld", 8), {"towers": 9}, "blocksworld: towers must be from 1 to 8, not 9"),
        (("blocksworld", 8), {"tower": 3}, 'unknown option "tower"; did you mean towers?'),
        (("blocksworld", 8), {"x": 3}, 'unknown option "x"; known are towers'),
        (("triangle-tireworld", 8), {"x": 3}, 'unknown option "x"; it has none'),
    ],
)
def test_bad_requests(arguments: tuple[str, int], options: dict[str, int], message: str) -> None:
    with pytest.raises(DomainError, match=re.escape(message)) as error:
        generate(*arguments, **options)
    assert "\n" not in str(error.value)


def test_domain_error_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="did you mean gold-miner"):
        generators.domain_path("goldminer")


def test_domain_files() -> None:
    for name in generators.names():
        assert generators.domain_path(name).is_file()
        assert generators.domain_path(name).with_name("README.md").is_file()
        assert "(define (domain" in generators.domain_text(name)
