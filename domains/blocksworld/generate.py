"""Blocksworld: from one uniformly drawn state to another, both complete."""

from random import Random

from .. import blocks
from ..common import problem

SIZE = "number of blocks"
MINIMUM_SIZE = blocks.MINIMUM_SIZE
OPTIONS = {
    "towers": {
        **blocks.TOWERS,
        "help": "towers of the initial and of the goal state, with as many as blocks nothing is to "
        "do; any number if not given",
        "limits": lambda size: (1, size),
    }
}


def generate(size: int, seed: int, *, towers: int | None) -> str:
    init, goal = (
        ["handempty", *blocks.positions(state, "ontable"), *blocks.clear(state)]
        for state in _pair(Random(seed), size, towers)
    )
    name = blocks.problem_name("blocksworld", size, seed, towers)
    return problem(name, "blocks", {"block": blocks.names(size)}, init, goal)


def _pair(rng: Random, size: int, towers: int | None) -> tuple[blocks.State, blocks.State]:
    if towers == size:  # there is one such state
        return [0] * size, [0] * size
    return blocks.random_pair(rng, size, towers)
