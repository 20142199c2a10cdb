"""Exploding Blocksworld: the states of Blocksworld; the goal only says where each block stands.

Nothing is detonated or destroyed at first.
"""

from random import Random

from .. import blocks
from ..common import problem

SIZE = "number of blocks"
MINIMUM_SIZE = blocks.MINIMUM_SIZE
OPTIONS = {"towers": blocks.TOWERS}


def generate(size: int, seed: int, *, towers: int | None) -> str:
    initial, goal = blocks.random_pair(Random(seed), size, towers)
    names = blocks.names(size)
    init = [
        "emptyhand",
        *blocks.positions(initial, "on-table"),
        *blocks.clear(initial),
        *(f"no-detonated {b}" for b in names),
        *(f"no-destroyed {b}" for b in names),
        "no-destroyed-table",
    ]
    name = blocks.problem_name("exploding-blocksworld", size, seed, towers)
    wanted = blocks.positions(goal, "on-table")
    return problem(name, "exploding-blocksworld", {"block": names}, init, wanted)
