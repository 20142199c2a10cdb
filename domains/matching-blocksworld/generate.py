"""Matching Blocksworld: the states of Blocksworld; the goal only says which block is on which.

Hand h1 and the first blocks are positive, hand h2 and the other blocks negative; the states are
random, so it does not matter which blocks these are. Every problem can be solved: moving each block
with the hand of its own polarity damages none.
"""

from random import Random

from .. import blocks
from ..common import problem

SIZE = "number of blocks"
MINIMUM_SIZE = blocks.MINIMUM_SIZE
OPTIONS = {
    "towers": blocks.TOWERS,
    "positive": {
        "help": "number of positive blocks; half of them, rounded down, if not given",
        "default": None,
        "limits": lambda size: (0, size),
    },
}


def generate(size: int, seed: int, *, towers: int | None, positive: int | None) -> str:
    if positive is None:
        positive = size // 2
    initial, goal = blocks.random_pair(Random(seed), size, towers, table_in_goal=False)
    names = blocks.names(size)
    init = [
        "empty h1",
        "empty h2",
        "hand-positive h1",
        "hand-negative h2",
        *(f"block-positive {b}" for b in names[:positive]),
        *(f"block-negative {b}" for b in names[positive:]),
        *(f"solid {b}" for b in names),
        *blocks.positions(initial, "on-table"),
        *blocks.clear(initial),
    ]
    wanted = [atom for atom in blocks.positions(goal, "on-table") if atom.startswith("on ")]
    name = blocks.problem_name("matching-blocksworld", size, seed, towers)
    objects = {"hand": ["h1", "h2"], "block": names}
    return problem(name, "matching-bw-typed", objects, init, wanted)
