"""Random Blocksworld states, uniform over all states of n blocks or over those with k towers.

A state with k towers is a permutation of the blocks cut into k pieces, in any of k! orders of the
pieces: a shuffled list cut at k - 1 random gaps is a uniform draw. There are

    L(n, k) = n! / k! * (n - 1 choose k - 1)

of them, and drawing k with these weights first makes all states equally likely. This is the
distribution of Slaney and Thiébaux (Blocks World revisited, Artificial Intelligence 125, 2001),
in exact integers.

A state is a list: the entry of block b, at b - 1, is the block below it, or 0 for the table.
"""

from random import Random

from .common import below, shuffled

State = list[int]

MINIMUM_SIZE = 2
TOWERS = {
    "help": "towers of the initial and of the goal state; any number if not given",
    "default": None,
    "limits": lambda size: (1, size - 1),
}


def tower_counts(blocks: int) -> list[int]:
    """How many states have 1, 2, ... towers."""
    counts = [1]
    for i in range(1, blocks + 1):
        counts[0] *= i
    for k in range(1, blocks):
        counts.append(counts[-1] * (blocks - k) // (k * (k + 1)))
    return counts


def random_state(rng: Random, blocks: int, towers: int | None = None) -> State:
    if towers is None:
        towers = _random_tower_count(rng, blocks)
    order = shuffled(rng, range(1, blocks + 1))
    cuts = set(shuffled(rng, range(1, blocks))[: towers - 1])
    state = [0] * blocks
    for i in range(1, blocks):
        if i not in cuts:
            state[order[i] - 1] = order[i - 1]
    return state


def _random_tower_count(rng: Random, blocks: int) -> int:
    counts = tower_counts(blocks)
    rest = below(rng, sum(counts))
    towers = 1
    while rest >= counts[towers - 1]:
        rest -= counts[towers - 1]
        towers += 1
    return towers


def random_pair(
    rng: Random, blocks: int, towers: int | None = None, table_in_goal: bool = True
) -> tuple[State, State]:
    """An initial and a goal state. The goal is drawn again while nothing is left to do.

    Without `table_in_goal`, the goal only says which block is on which.
    """
    init = random_state(rng, blocks, towers)
    while True:
        goal = random_state(rng, blocks, towers)
        if any(
            have != want and (want != 0 or table_in_goal)
            for have, want in zip(init, goal, strict=True)
        ):
            return init, goal


def names(blocks: int) -> list[str]:
    return [f"b{b}" for b in range(1, blocks + 1)]


def positions(state: State, table: str) -> list[str]:
    """An `on` atom a block, or one of the predicate `table`."""
    return [
        f"on b{b} b{under}" if under else f"{table} b{b}" for b, under in enumerate(state, start=1)
    ]


def clear(state: State) -> list[str]:
    """A `clear` atom for the top of each tower."""
    covered = set(state)
    return [f"clear b{b}" for b in range(1, len(state) + 1) if b not in covered]


def problem_name(domain: str, size: int, seed: int, towers: int | None) -> str:
    return f"{domain}-n{size}{'' if towers is None else f'-t{towers}'}-s{seed}"
