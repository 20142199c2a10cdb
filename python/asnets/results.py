"""Files of results: a JSON line for each rollout, appended as soon as it is over."""

import errno
import fcntl
import hashlib
import json
import os
import stat
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from asnets.errors import DamagedFileError, UsageError
from asnets.files import OutputError
from asnets.limits import signals_held

PHASES = ("ground", "bind", "features", "network", "rollout")


@dataclass(frozen=True)
class Conditions:
    """What a row depends on, but for the problem and the seed."""

    domain_sha256: str
    model_sha256: str
    options: dict[str, Any]
    """The policy's: limit, sample, ..."""
    time_limit: float | None
    """Seconds for grounding, and for each rollout."""
    memory_limit: int | None
    """MB of a worker process."""


@dataclass(frozen=True)
class Row:
    """What came of a rollout. None stands for what is not known, as the rollout never began or its
    process died."""

    problem: str
    """The file, as it was given."""
    problem_sha256: str | None
    domain_sha256: str
    model_sha256: str
    options: dict[str, Any]
    time_limit: float | None
    memory_limit: int | None
    deterministic: bool | None
    """Is the task so, and its initial state certain? None if it could not be grounded."""
    seed: int
    success: bool
    reason: str
    """How the run ended, or "bad input: ...", "out of memory", "time limit", "crashed: ..."."""
    cost: float | None
    steps: int | None
    avoided: int | None
    seconds: dict[str, float]
    """By phase; all rollouts that share a grounding have its time."""
    peak_kb: int | None
    """Of the worker process, since it began with the problem."""

    def holds_under(self, conditions: Conditions) -> bool:
        """Was it made so? Under another limit it might have ended in another way."""
        return (
            self.domain_sha256 == conditions.domain_sha256
            and self.model_sha256 == conditions.model_sha256
            and self.options == conditions.options
            and self.time_limit == conditions.time_limit
            and self.memory_limit == conditions.memory_limit
        )


KINDS: dict[str, tuple[type, ...]] = {
    "problem": (str,),
    "problem_sha256": (str, type(None)),
    "domain_sha256": (str,),
    "model_sha256": (str,),
    "options": (dict,),
    "time_limit": (float, int, type(None)),
    "memory_limit": (int, type(None)),
    "deterministic": (bool, type(None)),
    "seed": (int,),
    "success": (bool,),
    "reason": (str,),
    "cost": (float, int, type(None)),
    "steps": (int, type(None)),
    "avoided": (int, type(None)),
    "seconds": (dict,),
    "peak_kb": (int, type(None)),
}
assert list(KINDS) == [field.name for field in fields(Row)]

BEGIN = b'{"problem": '
"""Of every line."""


def sha256_of(path: Path) -> str:
    """Of a file's content. It must be one that can be read more than once."""
    if path.exists() and not path.is_dir() and not path.is_file():
        raise OSError(errno.EINVAL, "expected a regular file", str(path))
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_or_none(path: Path) -> str | None:
    """None if it cannot be read; who needs the file will say so."""
    try:
        return sha256_of(path)
    except OSError:
        return None


class ResultsFile:
    """A file of rows, read and then appended to. A line that was not finished, as its writer was
    killed, is dropped. A pipe or a device is written to and no more. Raises DamagedFileError,
    OutputError, UsageError if another process has the file, and BrokenPipeError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        mode = os.O_RDWR | os.O_CREAT | os.O_APPEND
        try:
            if path.exists() and not path.is_file():
                mode = os.O_WRONLY  # who can read a pipe never learns that nobody else does
            self._file = os.open(path, mode | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise self._error(error) from error
        self._is_regular = stat.S_ISREG(os.fstat(self._file).st_mode)
        self.rows: list[Row] = []
        try:
            self._take_over()
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)

    def append(self, row: Row) -> None:
        """Write a line, to a regular file whole or not at all."""
        line = json.dumps(asdict(row)).encode() + b"\n"
        try:
            if self._is_regular:
                self._append_whole(line)
            else:  # it may take for ever
                self._write(line)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._error(error) from error

    def _append_whole(self, line: bytes) -> None:
        with signals_held():
            size = os.fstat(self._file).st_size
            try:
                self._write(line)
            except OSError:
                os.ftruncate(self._file, size)
                raise

    def _write(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._file, line) :]

    def _take_over(self) -> None:
        if not self._is_regular:  # nothing to go on with
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{self._path}: another evaluation is writing there") from None
        except OSError:  # a file system without locks
            pass
        *lines, rest = self._path.read_bytes().split(b"\n")
        for number, line in enumerate(lines, 1):
            try:
                self.rows.append(parse_row(line))
            except (ValueError, RecursionError) as error:
                raise DamagedFileError(
                    f"{self._path}:{number}", f"damaged: expected a row of results; {error}"
                ) from None
        if rest:
            if not (rest.startswith(BEGIN) or BEGIN.startswith(rest)):
                where = f"{self._path}:{len(lines) + 1}"
                raise DamagedFileError(where, "damaged: expected a row of results")
            os.ftruncate(self._file, os.fstat(self._file).st_size - len(rest))

    def _error(self, error: OSError) -> OutputError:
        return OutputError(error.errno, error.strerror, str(self._path))


def parse_row(line: bytes) -> Row:
    """Raises ValueError with what is wrong."""
    values = json.loads(line)
    fault = _fault(values)
    if fault is not None:
        raise ValueError(fault)
    return Row(**values)


def _fault(values: Any) -> str | None:
    """What keeps values from being a row."""
    if not isinstance(values, dict):
        return "found something else"
    for name, kinds in KINDS.items():
        if name not in values:
            return f'"{name}" is missing'
        if not isinstance(values[name], kinds):
            return f'"{name}" is {json.dumps(values[name])}'
    for phase in PHASES:
        if not isinstance(values["seconds"].get(phase), float | int):
            return f'no seconds of phase "{phase}"'
    unknown = values.keys() - KINDS.keys()
    return f'unknown field "{min(unknown)}"' if unknown else None
