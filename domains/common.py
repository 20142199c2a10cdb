"""What all generators share: random draws and the layout of a problem file.

The draws use `Random.getrandbits` alone, so that a seed gives the same file on every machine and
every Python version.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

LINE_LENGTH = 100


def below(rng: Random, bound: int) -> int:
    """A uniform integer from 0 to bound - 1, of any size."""
    while True:
        number = rng.getrandbits(bound.bit_length())
        if number < bound:
            return number


def shuffled(rng: Random, items: Iterable[T]) -> list[T]:
    """The items in a uniformly random order (Fisher and Yates)."""
    result = list(items)
    for i in range(len(result) - 1, 0, -1):
        j = below(rng, i + 1)
        result[i], result[j] = result[j], result[i]
    return result


def problem(
    name: str,
    domain: str,
    objects: Mapping[str, Sequence[str]],
    init: Iterable[str],
    goal: Iterable[str],
) -> str:
    """A problem file. Objects are given by type, atoms as "predicate argument argument"."""
    typed = [word for kind, names in objects.items() for word in (*names, f"- {kind}")]
    goals = [f"({atom})" for atom in goal]
    if len(goals) > 1:
        goals = ["(and", *goals[:-1], f"{goals[-1]})"]
    return "\n".join(
        [
            f"(define (problem {name})",
            f"  (:domain {domain})",
            _section(":objects", typed),
            _section(":init", [f"({atom})" for atom in init]),
            _section(":goal", goals) + ")",
            "",
        ]
    )


def _section(keyword: str, words: Sequence[str]) -> str:
    """The words, indented, as many a line as fit."""
    lines = [f"  ({keyword}", "   "]
    for word in words:
        if len(lines[-1]) + len(word) > LINE_LENGTH - 3:
            lines.append("   ")
        lines[-1] += f" {word}"
    return "\n".join(lines) + ")"
