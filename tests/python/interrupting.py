"""Long computations that are interrupted, or that run beside another thread."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def ctrl_c_after(seconds: float) -> Iterator[None]:
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()
        signal.signal(signal.SIGINT, handler)


def rounds_during(work: Callable[[], T]) -> tuple[T, int]:
    """What `work` returns in another thread, and how often this one wakes up in the meantime."""
    results: list[T] = []
    working = threading.Thread(target=lambda: results.append(work()))
    working.start()
    rounds = 0
    while working.is_alive():
        time.sleep(0.001)
        rounds += 1
    return results[0], rounds
