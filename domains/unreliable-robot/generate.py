"""Unreliable Robot: two one-way chains of n places; the goal is the end of one of them.

    m -> l1 -> l2 -> ... -> ln
    m -> r1 -> r2 -> ... -> rn

The robot starts at m and there is no way back, so its first step decides. Even seeds put the goal
on the left chain, odd seeds on the right: any two consecutive seeds give both problems of a size.
"""

from itertools import pairwise

from ..common import problem

SIZE = "number of places in each chain"
MINIMUM_SIZE = 1
OPTIONS: dict[str, dict[str, object]] = {}


def generate(size: int, seed: int) -> str:
    chains = [[f"{side}{i}" for i in range(1, size + 1)] for side in ("l", "r")]
    init = ["at shakey m"]
    for chain in chains:
        init += [f"path {a} {b}" for a, b in pairwise(["m", *chain])]
    objects = {"robot": ["shakey"], "place": ["m", *chains[0], *chains[1]]}
    goal = [f"at shakey {chains[seed % 2][-1]}"]
    return problem(f"unreliable-robot-{size}-s{seed}", "unreliable-robot", objects, init, goal)
