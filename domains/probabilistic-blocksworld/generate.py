"""Probabilistic Blocksworld: the states of Blocksworld in this domain's predicates."""

from random import Random

from .. import blocks
from ..common import problem

SIZE = "number of blocks"
MINIMUM_SIZE = blocks.MINIMUM_SIZE
OPTIONS = {"towers": blocks.TOWERS}


def generate(size: int, seed: int, *, towers: int | None) -> str:
    init, goal = (
        ["emptyhand", *blocks.positions(state, "on-table"), *blocks.clear(state)]
        for state in blocks.random_pair(Random(seed), size, towers)
    )
    name = blocks.problem_name("probabilistic-blocksworld", size, seed, towers)
    return problem(name, "prob_bw", {"block": blocks.names(size)}, init, goal)
