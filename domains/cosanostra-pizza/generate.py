"""CosaNostra Pizza: the one problem with n toll booths between shop and home, whatever the seed.

The safe way pays at each booth on the way out: 3n + 4 steps there and back.
"""

from itertools import pairwise

from ..common import problem

SIZE = "number of toll booths"
MINIMUM_SIZE = 1
OPTIONS: dict[str, dict[str, object]] = {}


def generate(size: int, seed: int) -> str:
    booths = [f"b{i}" for i in range(size)]
    init = ["deliverator-at shop", "pizza-at shop", "tires-intact"]
    for a, b in pairwise(["shop", *booths, "home"]):
        init += [f"road {a} {b}", f"road {b} {a}"]
    objects = {"toll-booth": booths, "open-intersection": ["shop", "home"]}
    goal = ["pizza-at home", "deliverator-at shop"]
    return problem(f"cosanostra-pizza-{size}", "cosanostra", objects, init, goal)
