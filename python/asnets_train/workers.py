"""The worker processes, seen from the trainer."""

import signal
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from asnets import processes
from asnets.limits import Deadline, signals_held
from asnets_train.options import Options
from asnets_train.worker import ProblemFile, Saved, run

LONGEST_WAIT = 3600.0
"""Seconds; the system takes no more than some weeks at once."""


class WorkerDiedError(RuntimeError):
    """A worker process ended on its own."""

    def __init__(self, message: str, out_of_memory: bool) -> None:
        super().__init__(message)
        self.out_of_memory = out_of_memory


class Workers:
    """Problems are shared out once and for all, the largest first, each to the worker with the least
    to do. What a problem gives does not depend on which worker has it."""

    def __init__(
        self, domain: Path, options: Options, files: Sequence[ProblemFile], sizes: Sequence[int]
    ) -> None:
        count = options.workers or processes.core_count()
        load = [0] * min(count, len(files))
        self._worker_of: dict[int, int] = {}
        for file, size in sorted(zip(files, sizes), key=lambda each: -each[1]):
            worker = load.index(min(load))
            load[worker] += size
            self._worker_of[file.index] = worker
        self.count = len(load)
        self._connections: list[Connection] = []
        self._processes = []
        for _ in load:
            process, connection = processes.start(run, domain, options)
            self._connections.append(connection)
            self._processes.append(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the workers, whatever they do."""
        with signals_held():
            for process in self._processes:
                process.kill()
            for process in self._processes:
                process.join()
            for connection in self._connections:
                connection.close()

    def set_up(
        self, files: Sequence[ProblemFile], saved: Mapping[int, Saved], deadline: Deadline
    ) -> None:
        self.ask("set_up", {f.index: (f, saved.get(f.index)) for f in files}, deadline)

    def ask(
        self,
        method: str,
        calls: Mapping[int, tuple[Any, ...]],
        deadline: Deadline,
        progress: Callable[[int], None] = lambda done: None,
    ) -> dict[int, Any]:
        """Call a method of problems with arguments; the results are in the order of the calls."""
        results: dict[int, Any] = {}
        busy = set()
        for worker in range(self.count):
            own = {i: c for i, c in calls.items() if self._worker_of[i] == worker}
            if own:
                self._send(worker, (method, own))
                busy.add(worker)
        while busy:
            left = deadline.left()
            patience = LONGEST_WAIT if left is None else min(left, LONGEST_WAIT)
            ready = wait([self._connections[worker] for worker in busy], patience)
            for worker in [each for each in busy if self._connections[each] in ready]:
                answer = self._receive(worker)
                if answer is None:
                    busy.remove(worker)
                elif isinstance(answer, Exception):
                    raise answer
                else:
                    results[answer[0]] = answer[1]
                    progress(len(results))
        return {index: results[index] for index in calls}

    def _send(self, worker: int, message: Any) -> None:
        try:
            self._connections[worker].send(message)
        except OSError:
            raise self._death(worker) from None

    def _receive(self, worker: int) -> Any:
        try:
            return self._connections[worker].recv()
        except (EOFError, OSError):
            raise self._death(worker) from None

    def _death(self, worker: int) -> WorkerDiedError:
        process = self._processes[worker]
        message = processes.death_of(process)
        return WorkerDiedError(message, process.exitcode == -signal.SIGKILL)
