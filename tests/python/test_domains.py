"""The domains: their slots and sizes are the article's, and their problems have solutions."""

import re
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from importlib.util import find_spec
from itertools import pairwise, product
from pathlib import Path

import pytest

import asnets
from asnets import generators
from oracles.reader import Expression, read, typed

# Where the files of the published runs are, for the domains that have some.
PUBLISHED = {
    "blocksworld": "blocksworld",
    "cosanostra-pizza": "cosanostra",
    "exploding-blocksworld": "ex-blocksworld",
    "gold-miner": "gold-miner",
    "matching-blocksworld": "matching-bw",
    "probabilistic-blocksworld": "prob-blocksworld",
    "triangle-tireworld": "triangle-tireworld",
}

# Slots of each schema.
SLOTS = {
    "blocksworld": {"pick-up": 4, "put-down": 4, "stack": 5, "unstack": 5},
    "cosanostra-pizza": {
        "load-pizza": 3,
        "unload-pizza": 3,
        "pay-operator": 2,
        "leave-toll-booth": 6,
        "leave-open-intersection": 4,
    },
    "exploding-blocksworld": {
        "pick-up": 6,
        "pick-up-from-table": 5,
        "put-down": 5,
        "put-on-block": 6,
    },
    "gold-miner": {
        "move": 4,
        "pickup-laser": 4,
        "pickup-bomb": 4,
        "putdown-laser": 4,
        "detonate-bomb": 6,
        "fire-laser": 7,
        "pick-gold": 4,
    },
    "matching-blocksworld": {
        "pickup": 4,
        "putdown-pos-pos": 6,
        "putdown-neg-neg": 6,
        "putdown-pos-neg": 7,
        "putdown-neg-pos": 7,
        "stack-pos-pos": 8,
        "stack-neg-neg": 8,
        "stack-pos-neg": 9,
        "stack-neg-pos": 9,
        "unstack": 5,
    },
    "probabilistic-blocksworld": {
        "pick-up": 6,
        "pick-up-from-table": 4,
        "put-down": 4,
        "put-on-block": 6,
    },
    "triangle-tireworld": {"move-car": 4, "changetire": 3},
    "unreliable-robot": {"drive": 3},
}

# Domain, size, ground actions, propositions.
SIZES = [
    ("blocksworld", 8, 144, 89),
    ("matching-blocksworld", 5, 120, 59),
    ("cosanostra-pizza", 2, 16, 20),
    ("exploding-blocksworld", 5, 50, 47),
    ("probabilistic-blocksworld", 5, 50, 36),
    ("triangle-tireworld", 2, 33, 49),
    ("unreliable-robot", 3, 6, 13),
]


def schemas(domain: Path) -> dict[str, dict[str, Expression]]:
    """The action schemas of a file: parameters, precondition and effect of each."""
    ((_, *sections),) = read(domain)
    return {
        section[1]: {
            key[1:]: value for key, value in zip(section[2::2], section[3::2], strict=True)
        }
        for section in sections
        if section[0] == ":action"
    }


def rename(schema: dict[str, Expression], part: str) -> Expression:
    """A part of the schema, its variables named by their place in the parameter list."""
    places = {name: f"?{i}" for i, (name, _) in enumerate(typed(schema["parameters"]))}

    def walk(expression: Expression) -> Expression:
        if isinstance(expression, str):
            return places.get(expression, expression)
        return [walk(child) for child in expression]

    return walk(schema[part])


def slots(schema: dict[str, Expression]) -> list[tuple[str, ...]]:
    """The distinct atoms of a schema in the order of a walk through precondition and effect."""

    def atoms(expression: Expression) -> Iterator[tuple[str, ...]]:
        match expression:
            case str() | ["=", *_]:
                return
            case ["and" | "not" | "when" | "probabilistic", *children]:
                for child in children:
                    yield from atoms(child)
            case _:
                yield tuple(expression)

    found = [*atoms(rename(schema, "precondition")), *atoms(rename(schema, "effect"))]
    return list(dict.fromkeys(found))


def canonical(expression: Expression) -> object:
    """Equal for expressions that mean the same: `and` is unordered and flat, 2/5 is 0.4."""
    match expression:
        case ["and", *children]:
            parts = []
            for child in map(canonical, children):
                parts += child[1] if isinstance(child, tuple) and child[0] == "and" else [child]
            return parts[0] if len(parts) == 1 else ("and", sorted(parts, key=repr))
        case ["probabilistic", *items]:
            pairs = zip(items[::2], items[1::2], strict=True)
            return ["probabilistic", *((Fraction(p), canonical(effect)) for p, effect in pairs)]
        case list():
            return [canonical(child) for child in expression]
    return expression


def facts(problem: Path) -> tuple[set[tuple[str, ...]], object]:
    """Initial atoms and goal."""
    ((_, *sections),) = read(problem)
    parts = {section[0]: section[1:] for section in sections}
    return {tuple(atom) for atom in parts[":init"]}, canonical(parts[":goal"][0])


def outcomes(effect: Expression) -> list[Expression]:
    """All deterministic effects that a probabilistic one can turn out to be, in order."""
    match effect:
        case ["and", *children]:
            return [["and", *choice] for choice in product(*map(outcomes, children))]
        case ["when", condition, child]:
            return [["when", condition, outcome] for outcome in outcomes(child)]
        case ["probabilistic", *items]:
            rest = [["and"]] if sum(map(Fraction, items[::2])) < 1 else []
            return [outcome for child in items[1::2] for outcome in outcomes(child)] + rest
    return [effect]


def determinise(domain: Path, first_only: bool) -> str:
    """The domain with an action per outcome, or with the first outcome of each action only."""

    def write(expression: Expression) -> str:
        return (
            expression if isinstance(expression, str) else f"({' '.join(map(write, expression))})"
        )

    ((*head, requirements, types, predicates), *_) = [
        [part for part in define if part[0] != ":action"] for define in read(domain)
    ]
    requirements.remove(":probabilistic-effects")
    actions = []
    for name, schema in schemas(domain).items():
        for i, effect in enumerate(outcomes(schema["effect"])[: 1 if first_only else None]):
            parts = [[":" + key, value] for key, value in {**schema, "effect": effect}.items()]
            actions.append([":action", f"{name}-{i}", *(item for part in parts for item in part)])
    return write([*head, requirements, types, predicates, *actions])


def plan_cost(folder: Path, domain: str, problem: str, *search: str) -> int | None:
    """The cost of the plan that Fast Downward finds; None if it proves that there is none."""
    package = find_spec("up_fast_downward")
    assert package, "up-fast-downward is missing"
    driver = Path(str(package.origin)).parent / "downward" / "fast-downward.py"
    (folder / "domain.pddl").write_text(domain)
    (folder / "problem.pddl").write_text(problem)
    alias = () if search else ("--alias", "lama-first")
    command = [sys.executable, driver, *alias, "domain.pddl", "problem.pddl", *search]
    run = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    if run.returncode in (10, 11, 12):  # unsolvable
        return None
    assert run.returncode == 0, run.stdout + run.stderr
    cost = re.search(r"cost = (\d+)", (folder / "sas_plan").read_text())
    assert cost
    return int(cost[1])


def classical(name: str) -> str:
    """The domain in classical PDDL."""
    text = generators.domain_text(name)
    if ":probabilistic-effects" not in text:
        return text
    return determinise(generators.domain_path(name), first_only=False)


def test_every_domain_is_covered() -> None:
    assert set(SLOTS) == set(generators.names())


@pytest.mark.parametrize("name", SLOTS)
def test_slots(name: str) -> None:
    found = schemas(generators.domain_path(name))
    assert {action: len(slots(schema)) for action, schema in found.items()} == SLOTS[name]


@pytest.mark.parametrize("name", PUBLISHED)
def test_means_the_same_as_the_published_domain(name: str, shared: Path) -> None:
    ours = schemas(generators.domain_path(name))
    theirs = schemas(shared / "paper-instances" / PUBLISHED[name] / "domain.pddl")
    assert ours.keys() == theirs.keys()
    for action, schema in ours.items():
        other = theirs[action]
        assert [kinds for _, kinds in typed(schema["parameters"])] == [
            kinds for _, kinds in typed(other["parameters"])
        ]
        assert slots(schema) == slots(other), action
        for part in ("precondition", "effect"):
            assert canonical(rename(schema, part)) == canonical(rename(other, part)), action


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "size", "actions", "propositions"), SIZES)
def test_size_of_ground_task(
    name: str, size: int, actions: int, propositions: int, seed: int
) -> None:
    problem = generators.generate(name, size, seed)
    task = asnets.ground_text(generators.domain_text(name), problem)
    assert (len(task.actions), len(task.propositions)) == (actions, propositions)


@pytest.mark.parametrize(("size", "seed"), [(2, 0), (4, 0), (4, 1), (7, 0)])
def test_size_of_ground_gold_miner(size: int, seed: int) -> None:
    problem = generators.generate("gold-miner", size, seed)
    soft = re.findall(r"\(soft-rock-at ([^)]+)\)", problem)
    hard = re.findall(r"\(hard-rock-at ([^)]+)\)", problem)
    edges = 4 * size * (size - 1)
    bombed = sum(cell in soft for cell in re.findall(r"\(connected \S+ ([^)]+)\)", problem))
    task = asnets.ground_text(generators.domain_text("gold-miner"), problem)
    # move and fire-laser; pickup-laser and putdown-laser; detonate-bomb; pickup-bomb, pick-gold
    assert len(task.actions) == 2 * edges + 2 * size**2 + bombed + 2
    # connected; robot-at, clear, laser-at; rock; bomb-at, gold-at, arm-empty and three holds-
    assert len(task.propositions) == edges + 3 * size**2 + len(soft) + len(hard) + 6


@pytest.mark.parametrize(
    ("problem", "actions", "propositions"), [("4x4-s40", 141, 114), ("5x5-s50", 262, 181)]
)
def test_size_of_published_gold_miner(
    problem: str, actions: int, propositions: int, shared: Path
) -> None:
    path = shared / "paper-instances" / "gold-miner" / "train" / f"gm-{problem}.pddl"
    task = asnets.ground_text(generators.domain_text("gold-miner"), path.read_text())
    assert (len(task.actions), len(task.propositions)) == (actions, propositions)


def test_committed_problems_are_the_generators(domains: Path) -> None:
    for name in generators.names():
        problems = sorted((domains / name).glob("p*.pddl"))
        assert 0 < len(problems) <= 5
        for problem in problems:
            parts = re.fullmatch(r"p(\d\d)(?:-s(\d))?", problem.stem)
            assert parts, problem
            again = generators.generate(name, int(parts[1]), int(parts[2] or 0))
            assert problem.read_text() == again, problem


@pytest.mark.parametrize(
    ("name", "size", "published"),
    [
        *(("triangle-tireworld", n, f"triangle-tire-{n}.pddl") for n in range(1, 4)),
        *(("cosanostra-pizza", n, f"cosanostra-n{n}.pddl") for n in range(1, 6)),
    ],
)
def test_same_as_the_published_problem(
    name: str, size: int, published: str, shared: Path, tmp_path: Path
) -> None:
    ours = tmp_path / "problem.pddl"
    ours.write_text(generators.generate(name, size))
    theirs = shared / "paper-instances" / PUBLISHED[name] / "train" / published
    assert facts(ours) == facts(theirs)


@pytest.mark.parametrize(
    ("name", "size", "seed", "options"),
    [
        *((name, size, seed, {}) for name in SLOTS for size, seed in ((2, 0), (5, 1))),
        ("blocksworld", 15, 2, {}),
        ("blocksworld", 8, 3, {"towers": 1}),
        ("exploding-blocksworld", 8, 2, {}),
        ("exploding-blocksworld", 6, 3, {"towers": 4}),
        ("gold-miner", 9, 2, {"hard": 100}),
        ("gold-miner", 9, 3, {"hard": 0}),
        ("matching-blocksworld", 9, 2, {}),
        ("matching-blocksworld", 8, 3, {"towers": 1, "positive": 0}),
        ("matching-blocksworld", 6, 4, {"towers": 5, "positive": 6}),
        ("probabilistic-blocksworld", 8, 2, {}),
    ],
)
def test_solvable(name: str, size: int, seed: int, options: dict[str, int], tmp_path: Path) -> None:
    problem = generators.generate(name, size, seed, **options)
    cost = plan_cost(tmp_path, classical(name), problem)
    assert cost is not None
    assert cost > 0


def test_solvable_can_fail(tmp_path: Path) -> None:
    problem = generators.generate("unreliable-robot", 3, seed=0).replace("(path m l1)", "")
    assert plan_cost(tmp_path, classical("unreliable-robot"), problem) is None


@pytest.mark.parametrize(
    ("name", "size", "cost"),
    [
        # Around the triangle, 4n moves, a tire to change after each but the last.
        *(("triangle-tireworld", n, 8 * n - 1) for n in range(1, 4)),
        *(("cosanostra-pizza", n, 3 * n + 4) for n in range(1, 5)),
    ],
)
def test_safe_plan_although_the_worst_happens(
    name: str, size: int, cost: int, tmp_path: Path
) -> None:
    """In these two the first outcome is the bad one: a flat tire, a crushed car."""
    domain = determinise(generators.domain_path(name), first_only=True)
    problem = generators.generate(name, size)
    assert plan_cost(tmp_path, domain, problem, "--search", "astar(blind())") == cost


def miner_plan(problem: str) -> Iterator[str]:
    """The known strategy: take the laser, clear the gold's row, fetch a bomb, use it."""

    def row(predicate: str) -> int:
        found = re.search(rf"\({predicate} f(\d+)-\d+f\)", problem)
        assert found
        return int(found[1])

    def walk(a: int, b: int) -> Iterator[str]:
        """Along the left column."""
        step = 1 if a < b else -1
        for i in range(a, b, step):
            yield f"move f{i}-0f f{i + step}-0f"

    start, store, gold = row("robot-at"), row("laser-at"), row("gold-at")
    cells = [f"f{gold}-{j}f" for j in range(problem.count("(clear "))]
    corridor = list(pairwise(cells[:-1]))  # ends next to the gold
    yield from walk(start, store)
    yield f"pickup-laser f{store}-0f"
    yield from walk(store, gold)
    for here, there in corridor:
        yield f"fire-laser {here} {there}"
        yield f"move {here} {there}"
    yield f"putdown-laser {cells[-2]}"
    yield from (f"move {there} {here}" for here, there in reversed(corridor))
    yield from walk(gold, store)
    yield f"pickup-bomb f{store}-0f"
    yield from walk(store, gold)
    yield from (f"move {here} {there}" for here, there in corridor)
    yield f"detonate-bomb {cells[-2]} {cells[-1]}"
    yield f"move {cells[-2]} {cells[-1]}"
    yield f"pick-gold {cells[-1]}"


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("seed", range(3))
def test_known_strategy_solves_gold_miner(size: int, seed: int) -> None:
    problem = generators.generate("gold-miner", size, seed)
    task = asnets.ground_text(generators.domain_text("gold-miner"), problem)
    state = task.initial_state
    for name in miner_plan(problem):
        assert not state.is_goal
        ((state, probability),) = task.successors(state, task.action(name))
        assert probability == 1
    assert state.is_goal
