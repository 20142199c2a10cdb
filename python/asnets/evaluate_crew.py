"""The worker processes of `asnets evaluate`: who does what, and who takes over from a dead one."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Protocol

from asnets import processes
from asnets.evaluate_table import Problem
from asnets.evaluate_worker import Answer, Failed, Grounded, Ran, Work, serve
from asnets.limits import signals_held

LONGEST_WAIT = 0.5
"""Seconds between two looks at the table."""


class Ledger(Protocol):
    """Is told what happens, and knows what is left to do."""

    def unfinished_problems(self) -> Sequence[Problem]: ...
    def seeds_left(self, problem: Problem) -> deque[int] | None: ...
    def grounded(self, problem: Problem, grounded: Grounded) -> None: ...
    def not_grounded(self, problem: Problem) -> None: ...
    def record(self, problem: Problem, seed: int, answer: Ran | Failed) -> None: ...
    def show(self) -> None: ...


@dataclass(eq=False)
class Job:
    """A problem that has rollouts left."""

    problem: Problem
    seeds: deque[int] | None = None
    """Those that nobody has begun with; None until they are known."""
    can_be_shared: bool = True


@dataclass(eq=False)
class Member:
    """A worker process, which is started with its first problem, and what it is doing."""

    process: SpawnProcess | None = None
    connection: Connection | None = None
    job: Job | None = None
    seed: int | None = None
    """What it runs; None if it grounds."""


class Crew:
    """Shares the problems out to worker processes, in the order given. Those that are free at the
    end help with the rollouts of the others' problems. A rollout depends on its seed alone, so that
    the number of workers changes nothing."""

    def __init__(self, work: Work, workers: int, ledger: Ledger) -> None:
        self._work = work
        self._ledger = ledger
        self._jobs = [
            Job(problem, ledger.seeds_left(problem)) for problem in ledger.unfinished_problems()
        ]
        self._waiting = deque(self._jobs)
        self._members = [Member() for _ in range(workers)]

    def run(self) -> None:
        with self._processes_ended():
            while True:
                for member in self._members:
                    if member.job is None:
                        self._give_problem(member)
                busy = [each for each in self._members if each.job is not None]
                if not busy and not self._waiting:
                    return
                ready = wait([each.connection for each in busy if each.connection], LONGEST_WAIT)
                for member in busy:
                    if member.connection in ready:
                        self._hear(member)
                self._ledger.show()

    @contextmanager
    def _processes_ended(self) -> Iterator[None]:
        try:
            yield
        finally:
            with signals_held():
                for member in self._members:
                    if member.process is not None:
                        member.process.kill()
                for member in self._members:
                    self._part_with(member)

    def _give_problem(self, member: Member) -> None:
        """Let a free worker ground the next problem, or else one that others are at."""
        if self._waiting:
            member.job = self._waiting.popleft()
        else:
            shared = [job for job in self._jobs if job.can_be_shared and len(job.seeds or ()) > 1]
            if not shared:
                return
            member.job = max(shared, key=lambda job: len(job.seeds or ()))
        problem = member.job.problem
        self._ask(member, "ground", problem.path, problem.sha256)

    def _give_rollout(self, member: Member) -> None:
        """Let a worker go on with its problem, or be free."""
        assert member.job is not None
        if member.job.seeds:
            member.seed = member.job.seeds.popleft()
            self._ask(member, "run", member.seed)
        else:
            member.job = None

    def _ask(self, member: Member, method: str, *arguments: Any) -> None:
        if member.process is None:
            member.process, member.connection = processes.start(serve, self._work)
        assert member.connection is not None
        try:
            member.connection.send((method, *arguments))
        except OSError:
            self._bury(member)

    def _hear(self, member: Member) -> None:
        """Take a worker's answer and give it what comes next."""
        assert member.connection is not None
        try:
            answer: Answer = member.connection.recv()
        except (EOFError, OSError):
            self._bury(member)
            return
        if isinstance(answer, Exception):
            raise answer
        self._take(member, answer)

    def _bury(self, member: Member) -> None:
        """A worker has died: what it was doing has failed, and its place is free for another."""
        assert member.process is not None
        reason = f"crashed: {processes.death_of(member.process)}"
        self._part_with(member)
        self._take(member, Failed(reason, {}, None))

    def _part_with(self, member: Member) -> None:
        if member.process is not None:
            member.process.join()
        if member.connection is not None:
            member.connection.close()
        member.process = member.connection = None

    def _take(self, member: Member, answer: Grounded | Ran | Failed) -> None:
        job, seed = member.job, member.seed
        assert job is not None
        member.seed = None
        if seed is not None:
            assert not isinstance(answer, Grounded)
            self._ledger.record(job.problem, seed, answer)
        elif isinstance(answer, Failed):
            self._fail_to_ground(member, job, answer)
        elif isinstance(answer, Grounded):
            self._ledger.grounded(job.problem, answer)
            job.seeds = self._ledger.seeds_left(job.problem) if job.seeds is None else job.seeds
        if member.process is None:
            self._leave(member, job)
        elif member.job is not None:
            self._give_rollout(member)

    def _leave(self, member: Member, job: Job) -> None:
        """A job that a dead worker leaves behind, and that nobody else has, is open again."""
        member.job = None
        if job.seeds and not any(each.job is job for each in self._members):
            self._waiting.appendleft(job)

    def _fail_to_ground(self, member: Member, job: Job, failed: Failed) -> None:
        """If nobody else has the problem, that is all that comes of it."""
        member.job = None
        job.can_be_shared = False
        if any(each.job is job for each in self._members):
            return
        if job.seeds is None:
            self._ledger.not_grounded(job.problem)
            job.seeds = self._ledger.seeds_left(job.problem)
        while job.seeds:
            self._ledger.record(job.problem, job.seeds.popleft(), failed)
