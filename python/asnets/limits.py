"""Time and memory limits for a command, and what it has used."""

import os
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


class OutOfTimeError(Exception):
    """Raised in the main thread when a command's time is over."""


class NoProcessError(Exception):
    """The system does not let a command have another process."""


class Deadline:
    """A point in time some seconds from now, or never."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """The seconds until then, None if there is no limit; raises OutOfTimeError afterwards."""
        if self._end is None:
            return None
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise OutOfTimeError
        return seconds


@contextmanager
def limits(seconds: float | None, megabytes: int | None) -> Iterator[None]:
    """Run a block under limits: OutOfTimeError and MemoryError come out of it."""
    with _memory_limit(megabytes), _time_limit(seconds):
        yield


@contextmanager
def _memory_limit(megabytes: int | None) -> Iterator[None]:
    """Let resident memory grow to the limit. The system limits address space, so what is mapped now
    without being resident is added."""
    if megabytes is None:
        yield
        return
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = [(megabytes << 20) + _mapped_only_bytes()]
    allowed += [each for each in (before, hard) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(allowed), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))


@contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    if seconds is None:
        yield
        return

    def stop(signum: int, frame: FrameType | None) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def signals_held() -> Iterator[None]:
    """Let what asks the process to stop wait until the end of the block."""
    stopping = {signal.SIGINT, signal.SIGTERM, signal.SIGALRM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, stopping)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def peak_kb() -> int:
    """The most memory this process has held so far, in kB (Linux; elsewhere what getrusage says)."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _mapped_only_bytes() -> int:
    """Address space of this process that is not resident; 0 where the system does not say."""
    file = Path("/proc/self/statm")
    if not file.exists():
        return 0
    size, resident = map(int, file.read_text().split()[:2])
    return (size - resident) * os.sysconf("SC_PAGE_SIZE")
