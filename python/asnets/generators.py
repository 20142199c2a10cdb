"""The domains that ship with the package, and problems of any size for them.

Each domain is a folder with `domain.pddl` and `generate.py`; the folders are `asnets/domains` in an
installed package and `domains` in the source tree.
"""

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from operator import index
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, SupportsIndex, cast


class DomainError(ValueError):
    """An unknown domain, or a size, seed or option that its generator does not take."""


@dataclass(frozen=True)
class Option:
    """An option of a generator. Its value is an integer; a default of None leaves it open."""

    name: str
    help: str
    default: int | None
    limits: Callable[[int], tuple[int, int]]
    """Smallest and largest value for a problem of the given size."""


class _Generator(Protocol):
    """What a domain's generate.py defines."""

    SIZE: str
    MINIMUM_SIZE: int
    OPTIONS: Mapping[str, Mapping[str, Any]]

    def generate(self, size: int, seed: int, **options: int | None) -> str: ...


def names() -> tuple[str, ...]:
    """The domains, in alphabetical order.

    >>> names()
    ('blocksworld', 'cosanostra-pizza', ..., 'unreliable-robot')
    """
    return tuple(sorted(file.parent.name for file in _root().glob("*/domain.pddl")))


def domain_path(name: str) -> Path:
    """The domain's PDDL file; problems that the generator wrote lie next to it."""
    if name not in names():
        raise DomainError(f'unknown domain "{name}"{_instead(name, names())}')
    return _root() / name / "domain.pddl"


def domain_text(name: str) -> str:
    """The domain's PDDL text."""
    return domain_path(name).read_text(encoding="utf-8")


def size_help(name: str) -> str:
    """What a problem's size means.

    >>> size_help("blocksworld")
    'number of blocks, at least 2'
    """
    generator = _generator(name)
    return f"{generator.SIZE}, at least {generator.MINIMUM_SIZE}"


def options(name: str) -> tuple[Option, ...]:
    """The options of the domain's generator.

    >>> [option.name for option in options("matching-blocksworld")]
    ['towers', 'positive']
    """
    return tuple(Option(key, **fields) for key, fields in _generator(name).OPTIONS.items())


def generate(name: str, size: int, seed: int = 0, **values: int) -> str:
    """The text of a problem. The same arguments give the same text everywhere.

    >>> print(generate("cosanostra-pizza", 1))
    (define (problem cosanostra-pizza-1)
      (:domain cosanostra)
      (:objects
        b0 - toll-booth shop home - open-intersection)
      (:init
        (deliverator-at shop) (pizza-at shop) (tires-intact) (road shop b0) (road b0 shop)
        (road b0 home) (road home b0))
      (:goal
        (and (pizza-at home) (deliverator-at shop))))
    """
    return problem_text(name, size, seed, values)


def problem_text(name: str, size: int, seed: int, values: Mapping[str, int]) -> str:
    """The same with the generator's options in a mapping."""
    generator = _generator(name)
    known = {option.name: option for option in options(name)}
    size = _integer(name, "size", size, generator.MINIMUM_SIZE)
    seed = _integer(name, "seed", seed, 0)
    chosen = {option.name: option.default for option in known.values()}
    for key, value in values.items():
        if key not in known:
            raise DomainError(f'{name}: unknown option "{key}"{_instead(key, tuple(known))}')
        chosen[key] = _integer(name, key, value, *known[key].limits(size))
    return generator.generate(size, seed, **chosen)


def _integer(domain: str, what: str, value: object, least: int, most: int | None = None) -> int:
    """The value as an int (numpy's integers are fine too), within its limits."""
    if not isinstance(value, SupportsIndex):
        raise DomainError(f"{domain}: {what} must be an integer, not {value!r}")
    number = index(value)
    if most is None and number < least:
        raise DomainError(f"{domain}: {what} must be at least {least}, not {number}")
    if most is not None and not least <= number <= most:
        raise DomainError(f"{domain}: {what} must be from {least} to {most}, not {number}")
    return number


def _instead(name: str, known: tuple[str, ...]) -> str:
    if not known:
        return "; it has none"
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"


def _root() -> Path:
    here = Path(__file__).resolve().parent
    installed = here / "domains"
    return installed if installed.is_dir() else here.parents[1] / "domains"


def _generator(name: str) -> _Generator:
    domain_path(name)
    return cast(_Generator, _module(f"{name}.generate"))


@cache
def _module(name: str) -> ModuleType:
    """A module of the domains folder, imported as part of a package that has this folder as path.

    Generators reach shared modules by relative import, although their folders' names have hyphens.
    """
    package = "asnets._domains"
    if package not in sys.modules:
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [str(_root())]
    return importlib.import_module(f"{package}.{name}")
