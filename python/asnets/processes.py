"""Processes that work for a command: Ctrl-C is not for them, and they die with it."""

import multiprocessing
import multiprocessing.resource_tracker
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from asnets.limits import NoProcessError, signals_held


def core_count() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0))


def start(target: Callable[..., None], *arguments: Any) -> tuple[SpawnProcess, Connection]:
    """Call a function in a process of its own, with a connection before its other arguments.
    Returns the process and the other end. The function begins with die_with_parent(). Raises
    NoProcessError."""
    try:
        return _start(target, arguments)
    except OSError as error:  # of no file of the user's
        raise NoProcessError(f"cannot start a worker process: {error.strerror}") from error


def _start(
    target: Callable[..., None], arguments: tuple[Any, ...]
) -> tuple[SpawnProcess, Connection]:
    context = multiprocessing.get_context("spawn")
    # Starting it unblocks signals; so before they are held.
    multiprocessing.resource_tracker.ensure_running()
    mine, theirs = context.Pipe()
    with theirs:
        process = context.Process(target=target, args=(theirs, *arguments), daemon=True)
        try:
            # A child inherits the blocked signals.
            with signals_held():
                process.start()
        except BaseException:
            mine.close()
            raise
    return process, mine


def die_with_parent() -> None:
    """From now on: a command that was killed must not leave its processes behind, however long
    they would work."""
    threading.Thread(target=_wait_and_die, daemon=True).start()


def _wait_and_die() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def death_of(process: SpawnProcess) -> str:
    """How a process that has gone came to its end."""
    process.join()
    code = process.exitcode or 0
    how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
    # What the system does for want of memory:
    hint = "; out of memory?" if code == -signal.SIGKILL else ""
    return f"a worker process ended {how}{hint}"
