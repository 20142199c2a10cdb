"""Triangle Tireworld: the one problem of each size n, whatever the seed.

The triangle has 2n + 1 rows, the first of 2n + 1 locations, each next one a location shorter;
`l-i-j` is the j-th location of row i. The car goes along row 1 from one corner to the other. Two
rows at a time form a layer, on which a smaller triangle stands:

    odd row i:    l-i-1 -> l-i-2 -> ...      spares at both ends, in row 1 none
    even row i:   no roads along the row     a spare everywhere
    odd to next:  l-i-j -> l-(i+1)-j -> l-i-(j+1)   for all j
    even to next: the same                          for odd j only

The way along the left and the right side has a spare at every location.
"""

from itertools import pairwise

from ..common import problem

SIZE = "n for a triangle with 2n + 1 locations along a side"
MINIMUM_SIZE = 1
OPTIONS: dict[str, dict[str, object]] = {}


def generate(size: int, seed: int) -> str:
    rows = 2 * size + 1
    init = [f"vehicle-at {_name(1, 1)}", "not-flattire"]
    for i in range(1, rows + 1):
        length = rows + 1 - i
        odd = i % 2 == 1
        if odd:
            init += _roads(*((i, j) for j in range(1, length + 1)))
        for j in range(1, length, 1 if odd else 2):
            init += _roads((i, j), (i + 1, j), (i, j + 1))
        for j in range(1, length + 1):
            if not odd or (i > 1 and j in (1, length)):
                init.append(f"spare-in {_name(i, j)}")
    locations = [_name(i, j) for i in range(1, rows + 1) for j in range(1, rows + 2 - i)]
    goal = [f"vehicle-at {_name(1, rows)}"]
    name = f"triangle-tireworld-{size}"
    return problem(name, "triangle-tire", {"location": locations}, init, goal)


def _roads(*way: tuple[int, int]) -> list[str]:
    """One-way roads from each location of the way to the next."""
    return [f"road {_name(*a)} {_name(*b)}" for a, b in pairwise(way)]


def _name(row: int, column: int) -> str:
    return f"l-{row}-{column}"
