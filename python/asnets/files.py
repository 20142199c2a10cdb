"""Writing files whole or not at all."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from asnets.limits import signals_held


class OutputError(OSError):
    """A result could not be written; nothing is left behind."""


def write_text(path: Path, text: str) -> None:
    """Write a file of text, in UTF-8, as write_bytes does."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes | memoryview) -> None:
    """Write a file whole, as write_file does."""
    write_file(path, lambda file: file.write(data))


def write_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file under a temporary name and rename it, so that nobody sees a part of it; a signal
    comes before or after."""
    if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced
        try:
            with path.open("wb") as file:
                write(file)
        except OSError as error:
            raise OutputError(error.errno, error.strerror, str(path)) from error
        return
    path = path.resolve()  # a link stays, its target is replaced
    with signals_held():
        _replace(path, write)


def _replace(path: Path, write: Callable[[BinaryIO], object]) -> None:
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise OutputError(error.errno, error.strerror, str(path)) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OutputError(error.errno, error.strerror, str(path)) from error
        raise
