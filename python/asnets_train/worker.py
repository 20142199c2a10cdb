"""A process that explores some of the training problems. It has their teachers and memories, and knows
nothing of PyTorch."""

import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asnets import (
    Explorer,
    Features,
    Network,
    NetworkStructure,
    StateMemory,
    Task,
    TaskPolicy,
    Teacher,
    ground,
)
from asnets.processes import die_with_parent
from asnets_train.options import ARTICLE, Options

Arrays = list[NDArray[np.float32]]

EASILY = 10_000
"""Expansions by which a search that its heuristic leads to the goal is over."""

SPENT = ("searches", "expansions", "timeouts", "seconds", "teacher_seconds", "feature_seconds")
"""What a report has of work done, whether it was of use or not."""


@dataclass(frozen=True)
class ProblemFile:
    """A problem by its place on the command line."""

    index: int
    path: Path
    validation: bool = False


@dataclass(frozen=True)
class Saved:
    """What a checkpoint has of a problem."""

    memory: NDArray[np.uint32]
    teacher: NDArray[np.uint8]
    offers_left: int
    """Of teachers, which shows which one that is."""
    taught: int
    """Expansions of the teacher for the ways from the initial states."""


@dataclass(frozen=True)
class Explored:
    """What happened in one exploration of a problem."""

    report: dict[str, Any]
    new: NDArray[np.uint32]
    """What came into its memory."""


@dataclass(frozen=True)
class Validated:
    rollouts: int
    successes: int
    cost: float
    """Of the successful ones, in all."""


Offer = tuple[str | None, int | None]
"""A teacher by name (None: the default for a task of its kind), and expansions for a state."""


def teacher_offers(task: Task, options: Options) -> list[Offer]:
    """Teachers for a task in the order of preference: the first that has a way from the initial states is
    taken.

    Plans that h_add leads to at once make better policies for large problems than optimal ones (measured on
    Matching Blocksworld). Where it does not lead, optimal plans take not much longer, and one search gives
    all of them.
    """
    if options.teacher == ARTICLE or (options.teacher is None and not task.is_deterministic):
        return [(None, options.teacher_expansions)]
    if options.teacher is not None:
        return [(options.teacher, options.teacher_expansions)]
    most = options.teacher_expansions
    if most is not None and most <= EASILY:
        return [("astar:h_add", most), ("astar:lm_cut", most)]
    return [("astar:h_add", EASILY), ("astar:lm_cut", most), ("astar:h_add", most)]


class Problem:
    """One problem with all that exploring takes."""

    def __init__(self, domain: Path, file: ProblemFile, saved: Saved | None, options: Options):
        self._options = options
        self._task = ground(domain, file.path)
        self._structure = NetworkStructure(self._task, options.pooling)
        self._features = Features(self._structure, **options.features)
        if file.validation:
            return
        self._offers = teacher_offers(self._task, options)
        self._engage_teacher()
        if saved is not None:
            while len(self._offers) > saved.offers_left:
                self._engage_teacher()
            self._memory.append(saved.memory)
            self._teacher.load(saved.teacher.tobytes())
            self._before = self._teacher.statistics
            self._taught = saved.taught

    def _engage_teacher(self) -> None:
        """The next one, with a memory of its own."""
        options = self._options
        name, expansions = self._offers.pop(0)
        self._teacher = Teacher(
            self._task,
            name,
            time_limit=options.teacher_time,
            max_expansions=expansions,
            dead_end=options.dead_end,
        )
        self._memory = StateMemory(self._structure)
        self._explorer = Explorer(self._memory, self._teacher, **options.features)
        self._before = self._teacher.statistics

    def teach(self, seed: int) -> Explored:
        spent: dict[str, float] = dict.fromkeys(SPENT, 0)
        while True:
            report = self._explorer.teach(max_steps=self._options.max_steps, seed=seed)
            explored = self._explored(report, (0, 0))
            for name in SPENT:  # what was in vain counts too
                spent[name] += report[name]
            if report["has_teacher"] or not self._offers:
                break
            self._engage_teacher()
        report |= spent | {"teacher": self._teacher.name}
        self._taught = int(self._before["expansions"])
        return explored

    def wander(self, epoch: int, rollouts: int, seed: int) -> Explored:
        before = self._memory.states, self._memory.samples
        report = self._explorer.wander(**self._exploration(epoch, rollouts, seed))
        return self._explored(report, before)

    def explore(self, weights: Arrays, epoch: int, rollouts: int, seed: int) -> Explored:
        before = self._memory.states, self._memory.samples
        report = self._explorer.explore(
            self._policy(weights),
            sample=self._options.selection == "sample",
            consult=self._options.consult,
            **self._exploration(epoch, rollouts, seed),
        )
        return self._explored(report, before)

    def _exploration(self, epoch: int, rollouts: int, seed: int) -> dict[str, Any]:
        allowed = self._taught + epoch * self._options.epoch_expansions
        return {
            "rollouts": rollouts,
            "max_steps": self._options.max_steps,
            "wander": self._options.wander,
            "teacher_expansions": max(0, allowed - int(self._before["expansions"])),
            "seed": seed,
        }

    def validate(self, weights: Arrays, seed: int) -> Validated:
        """Roll the policy out, always taking the most likely action."""
        policy = self._policy(weights)
        certain = self._task.is_deterministic and len(self._task.initial_states) == 1
        runs = [
            policy.run(seed + i, self._options.validation_steps, find_dead_ends=True)
            for i in range(1 if certain else self._options.validation_rollouts)
        ]
        costs = [run.cost for run in runs if run.reached_goal]
        return Validated(len(runs), len(costs), sum(costs))

    def save_teacher(self) -> tuple[NDArray[np.uint8], int, int]:
        """As a checkpoint has it."""
        tables = np.frombuffer(bytearray(self._teacher.save()), np.uint8)
        return tables, len(self._offers), self._taught

    def _policy(self, weights: Arrays) -> TaskPolicy:
        o = self._options
        network = Network(
            self._structure, self._features, weights, o.layers, o.skip, o.nonlinearity
        )
        return TaskPolicy(network, self._features)

    def _explored(self, report: dict[str, Any], before: tuple[int, int]) -> Explored:
        now = self._teacher.statistics
        report |= {name: now[name] - self._before[name] for name in now}
        self._before = now
        return Explored(report, self._memory.since(*before))


def run(connection: Connection, domain: Path, options: Options) -> None:
    """Answer what the trainer asks: (method, {problem: arguments}) gives a (problem, result) each,
    then None; an exception ends the process and is the last answer."""
    die_with_parent()
    problems: dict[int, Problem] = {}
    try:
        while True:
            method, calls = connection.recv()
            for index, arguments in calls.items():
                result = None
                if method == "set_up":
                    file, saved = arguments
                    problems[index] = Problem(domain, file, saved, options)
                else:
                    result = getattr(problems[index], method)(*arguments)
                connection.send((index, result))
            connection.send(None)
    except (EOFError, BrokenPipeError):  # the trainer is gone
        return
    except Exception as error:  # noqa: BLE001 - the trainer tells the user
        error.add_note(traceback.format_exc())
        connection.send(error)
