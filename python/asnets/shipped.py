"""The models that ship with the package: what they are called, and the record of each.

A model is `<name>.pt` with its record `<name>.json`, in the package's folder `models` or in the one that
the variable ASNETS_MODELS names.
"""

import errno
import hashlib
import json
import os
from dataclasses import asdict, dataclass, fields
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from asnets import _core
from asnets._core import Model
from asnets.errors import DamagedFileError, UsageError

FOLDER = Path(__file__).resolve().parent / "models"
VARIABLE = "ASNETS_MODELS"


@dataclass(frozen=True)
class Coverage:
    """On problems that the model was neither trained nor chosen on."""

    solved: float
    """A sum over the problems: of each, the share of its rollouts that reached the goal."""
    problems: int
    sizes: list[int]
    """The least and the greatest."""
    by: str
    """How the policy chose its actions."""


@dataclass(frozen=True)
class Record:
    name: str
    domain: str
    """Its name in PDDL."""
    sha256: str
    """Of the model file."""
    parameters: int
    coverage: Coverage
    command: str
    """That trained it."""
    seed: int
    commit: str
    """Of the project, at the training."""
    seconds: float
    epochs: int
    validation: float
    """Share of the rollouts on the validation problems that reached the goal."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "domain": (str,),
    "sha256": (str,),
    "parameters": (int,),
    "coverage": (dict,),
    "command": (str,),
    "seed": (int,),
    "commit": (str,),
    "seconds": (float, int),
    "epochs": (int,),
    "validation": (float, int),
}
COVERAGE_KINDS: dict[str, tuple[type, ...]] = {
    "solved": (float, int),
    "problems": (int,),
    "sizes": (list,),
    "by": (str,),
}
assert list(KINDS) == [field.name for field in fields(Record)]
assert list(COVERAGE_KINDS) == [field.name for field in fields(Coverage)]


def folder() -> Path:
    given = os.environ.get(VARIABLE)
    return Path(given) if given else FOLDER


def names() -> tuple[str, ...]:
    """The models, in alphabetical order."""
    return tuple(sorted(file.stem for file in folder().glob("*.pt")))


def path_of(name: str) -> Path:
    """The model file of a name."""
    if name not in names():
        raise UsageError(f"{name}: no model of this name; {_listed()}")
    return folder() / f"{name}.pt"


def model_path(given: str | PathLike[str]) -> Path:
    """The file that is meant: an existing one, else the model that ships under this name.
    FileNotFoundError tells the names if a word is neither."""
    text, path = fspath(given), Path(given)
    is_word = text == path.name and not path.suffix
    if path.exists() and not path.is_dir():
        return path
    if is_word and text in names():
        return folder() / f"{text}.pt"
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), text)
    message = (
        f"no such file, and no such model; {_listed()}" if is_word else os.strerror(errno.ENOENT)
    )
    raise FileNotFoundError(errno.ENOENT, message, text)


def read_model(model: str | PathLike[str]) -> Model:
    """Read a model file, or the model that ships under a name, without torch, and check all of it.
    Raises ModelError if it is no model or damaged, and OSError if it cannot be read."""
    return _core.read_model(model_path(model))


def read_record(name: str) -> Record:
    """Raises DamagedFileError if it is none, or not that of the model beside it."""
    model = path_of(name)
    file = model.with_suffix(".json")
    try:
        record = _record(json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedFileError(str(file), f"damaged: {error}") from None
    if record.name != name:
        raise DamagedFileError(str(file), f"expected the record of {name}, found {record.name}")
    if record.sha256 != hashlib.sha256(model.read_bytes()).hexdigest():
        raise DamagedFileError(str(model), f"its SHA-256 is not that of its record {file.name}")
    return record


def _record(value: Any) -> Record:
    """Raises ValueError or TypeError."""
    coverage = Coverage(**_checked(_checked(value, KINDS)["coverage"], COVERAGE_KINDS))
    if len(coverage.sizes) != 2 or not all(type(size) is int for size in coverage.sizes):
        raise ValueError("sizes: expected the least and the greatest")
    return Record(**{**value, "coverage": coverage})


def _checked(value: Any, kinds: dict[str, tuple[type, ...]]) -> dict[str, Any]:
    """An object with these fields and no others."""
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    for name, kind in kinds.items():
        if name not in value:
            raise ValueError(f"{name} is missing")
        if type(value[name]) not in kind:
            raise ValueError(f"{name}: unexpected {json.dumps(value[name])}")
    for name in value:
        if name not in kinds:
            raise ValueError(f"unknown field {name}")
    return value


def _listed() -> str:
    known = names()
    return f"models that ship: {', '.join(known)}" if known else "no models are there"
