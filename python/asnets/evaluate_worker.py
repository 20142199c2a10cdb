"""A process that runs a policy on problems for `asnets evaluate`."""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from asnets._core import TaskPolicy, ground
from asnets.errors import DamagedFileError, ModelError, PddlError, UsageError
from asnets.limits import OutOfTimeError, limits, peak_kb
from asnets.policy import Backend, Policy, read_policy
from asnets.processes import die_with_parent
from asnets.results import sha256_of, sha256_or_none

CHANGED = "changed during the evaluation"


@dataclass(frozen=True)
class Work:
    """What all workers of an evaluation are told at their start."""

    domain: Path
    domain_sha256: str
    model: Path
    model_sha256: str
    backend: Backend
    run_options: dict[str, Any]
    """Of TaskPolicy.run, but for the seed and the time."""
    time_limit: float | None
    memory_limit: int | None


@dataclass(frozen=True)
class Grounded:
    deterministic: bool
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Ran:
    """A rollout that came to an end of its own."""

    end: str
    cost: float
    steps: int
    avoided: int
    seconds: dict[str, float]
    peak_kb: int


@dataclass(frozen=True)
class Failed:
    """Grounding or a rollout that did not."""

    reason: str
    seconds: dict[str, float]
    peak_kb: int | None
    is_stored: bool = True
    """Else the same command will try again."""


Answer = Grounded | Ran | Failed | Exception
"""An exception is for the whole evaluation."""


class Worker:
    """Has one problem at a time."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._model: Policy | None = None
        self._policy: TaskPolicy | None = None
        self._seconds: dict[str, float] = {}

    def ground(self, problem: Path) -> Grounded:
        """Take a problem, and read the model before the first one."""
        self._policy = None  # one problem's memory is enough
        self._seconds = {}
        _forget_peak()
        work = self._work
        if self._model is None:
            with limits(None, work.memory_limit):
                self._model = self._read_model()
        with limits(work.time_limit, work.memory_limit):
            begin = time.perf_counter()
            task = ground(work.domain, problem)
            middle = time.perf_counter()
            self._policy = self._model.bind(task)
            self._seconds = {"ground": middle - begin, "bind": time.perf_counter() - middle}
        certain = task.is_deterministic and len(task.initial_states) == 1
        return Grounded(certain, task.warnings)

    def run(self, seed: int) -> Ran:
        """Roll the policy out on the problem."""
        assert self._policy is not None
        work = self._work
        begin = time.perf_counter()
        with limits(None, work.memory_limit):
            run = self._policy.run(seed, time_limit=work.time_limit, **work.run_options)
        seconds = {**self._seconds, **run.seconds, "rollout": time.perf_counter() - begin}
        return Ran(run.end, run.cost, len(run), run.avoided, seconds, peak_kb())

    def answer(self, method: str, *arguments: Any) -> Answer:
        """What came of a call; a problem's failure is not the evaluation's."""
        if method == "ground":
            return self._ground_unchanged(*arguments)
        return self._try("rollout", self.run, *arguments)

    def _ground_unchanged(self, problem: Path, sha256: str | None) -> Answer:
        """The files must be those that the rows will name, however grounding ended."""
        answer = self._try("ground", self.ground, problem)
        work = self._work
        if sha256_or_none(work.domain) != work.domain_sha256:
            return DamagedFileError(str(work.domain), CHANGED)
        if isinstance(answer, Exception) or sha256_or_none(problem) == sha256:
            return answer
        reason = f"bad input: {problem}: {CHANGED}"
        return Failed(reason, self._seconds, peak_kb(), is_stored=False)

    def _try(self, phase: str, call: Callable[..., Answer], *arguments: Any) -> Answer:
        begin = time.perf_counter()
        try:
            return call(*arguments)
        except (ModelError, UsageError) as error:
            return error
        except PddlError as error:
            reason = f"bad input: {str(error).splitlines()[0]}"
        except OSError as error:
            reason = f"bad input: {error.filename}: {error.strerror}"
        except MemoryError:
            reason = "out of memory"
        except OutOfTimeError:
            reason = "time limit"
        except Exception as error:  # noqa: BLE001 - our mistake, and one row only
            reason = f"crashed: {type(error).__name__}: {error}"
        return Failed(reason, {**self._seconds, phase: time.perf_counter() - begin}, peak_kb())

    def _read_model(self) -> Policy:
        work = self._work
        policy = read_policy(work.model, work.backend)
        if sha256_of(work.model) != work.model_sha256:
            raise ModelError(str(work.model), CHANGED)
        return policy


def serve(connection: Connection, work: Work) -> None:
    """Answer (method, arguments...) until the evaluation is over."""
    die_with_parent()
    # It was held at the start, and the time limit needs it.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # for torch: the workers are the threads
    worker = Worker(work)
    try:
        while True:
            connection.send(worker.answer(*connection.recv()))
    except (EOFError, OSError):  # the evaluation is over
        return


def _forget_peak() -> None:
    """Let peak_kb() start anew, where the system can do it."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return
