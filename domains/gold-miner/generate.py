"""Gold Miner: a square of rock with a clear left column.

Laser and bombs share a cell of the left column, the robot starts in another one. The gold is in the
right column, below soft rock. Every other cell holds hard rock with the chance given by `hard`,
else soft rock. The known strategy solves all of these: take the laser, clear a way to a neighbour
of the gold, fetch a bomb, and bomb the last rock.
"""

from random import Random

from ..common import below, problem, shuffled

SIZE = "side length of the grid"
MINIMUM_SIZE = 2
OPTIONS = {
    "hard": {
        "help": "chance of hard rock in a cell, in percent",
        "default": 36,
        "limits": lambda size: (0, 100),
    },
}


def generate(size: int, seed: int, *, hard: int) -> str:
    rng = Random(seed)
    store, start = shuffled(rng, range(size))[:2]
    gold = (below(rng, size), size - 1)

    cells = [(row, column) for row in range(size) for column in range(size)]
    init = [
        "arm-empty",
        f"robot-at {_name(start, 0)}",
        f"laser-at {_name(store, 0)}",
        f"bomb-at {_name(store, 0)}",
        f"gold-at {_name(*gold)}",
    ]
    for row, column in cells:
        for i, j in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if 0 <= i < size and 0 <= j < size:
                init.append(f"connected {_name(row, column)} {_name(i, j)}")
    for row, column in cells:
        if column == 0:
            content = "clear"
        elif (row, column) != gold and below(rng, 100) < hard:
            content = "hard-rock-at"
        else:
            content = "soft-rock-at"
        init.append(f"{content} {_name(row, column)}")

    name = f"gold-miner-{size}x{size}-h{hard}-s{seed}"
    names = [_name(*cell) for cell in cells]
    return problem(name, "gold-miner-typed", {"loc": names}, init, ["holds-gold"])


def _name(row: int, column: int) -> str:
    return f"f{row}-{column}f"
