"""Blocksworld: from one uniformly drawn state to another, both complete."""

from random import Random

from .. import blocks
from ..common import problem

SIZE = "number of blocks"
MINIMUM_SIZE = blocks.MINIMUM_SIZE
OPTIONS = {"towers": blocks.TOWERS}


def generate(size: int, seed: int, *, towers: int | None) -> str:
    init, goal = (
        ["handempty", *blocks.positions(state, "ontable"), *blocks.clear(state)]
        for state in blocks.random_pair(Random(seed), size, towers)
    )
    name = blocks.problem_name("blocksworld", size, seed, towers)
    return problem(name, "blocks", {"block": blocks.names(size)}, init, goal)
