"""Time and memory limits for a command, and what it has used."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


class OutOfTimeError(Exception):
    """Raised in the main thread when a command's time is over."""


@contextmanager
def limits(seconds: float | None, megabytes: int | None) -> Iterator[None]:
    """Run a block under limits: OutOfTimeError and MemoryError come out of it."""
    if megabytes is not None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, hard))
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


def peak_kb() -> int:
    """The most memory this process has held so far, in kB (Linux; elsewhere what getrusage says)."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
