"""Policies that were learnt, for any problem of their domain."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Literal, SupportsIndex

from asnets._core import Action, Run, State, Task, TaskPolicy
from asnets.errors import ModelError, PddlError
from asnets.shipped import model_path, read_model
from asnets.torchscript import Archive

Backend = Literal["native", "torchscript"]

TIE = 1e-4
"""Logits as close as that to the highest are equal to it, and the first action by name is taken."""


class Policy:
    """What a trained network does, on every problem of its domain.

    The model is a file, or the name of one that ships with the package. The backend "torchscript" runs the network that is exported in the same file with torch; it
    chooses the same actions, slower.
    """

    def __init__(self, model: str | PathLike[str], *, backend: Backend = "native") -> None:
        self.path = fspath(model_path(model))
        self.model = read_model(self.path)
        if backend == "torchscript":
            self._archive = Archive(self.path)
        elif backend != "native":
            raise ValueError(f'unknown backend "{backend}"; known are native, torchscript')
        self.backend = backend
        self._last: tuple[Task, TaskPolicy] | None = None

    def of(self, task: Task) -> TaskPolicy:
        """The policy in one task; the last one is kept. Raises ModelError with the first difference
        if the model is for another domain, PddlError where no network can follow the task."""
        last = self._last
        if last is None or last[0] is not task:
            self._last = last = task, self.bind(task)
        return last[1]

    def bind(self, task: Task) -> TaskPolicy:
        """The same, and nobody keeps it."""
        try:
            if self.backend == "native":
                return self.model.policy(task)
            return self._archive.policy(self.model, task)
        except PddlError:
            raise
        except ValueError as error:
            message = f"not for domain {task.domain_name} of this problem: {error}"
            raise ModelError(self.path, message) from None

    def probabilities(
        self,
        task: Task,
        state: State | None = None,
        history: Iterable[Action | SupportsIndex | str] = (),
        *,
        temperature: float = 1.0,
    ) -> dict[Action, float]:
        """For each applicable action of a state (else the initial one) how likely it is to be
        chosen, after the actions of `history`."""
        return self.of(task).probabilities(state, history, temperature=temperature)

    def run(
        self,
        task: Task,
        seed: int = 0,
        limit: int = 300,
        sample: bool = False,
        *,
        temperature: float = 1.0,
        avoid_loops: bool | None = None,
        find_dead_ends: bool = False,
        time_limit: float | None = None,
        state: State | None = None,
    ) -> Run:
        """Follow the policy from a state, or an initial one: the most likely action, of equals the
        first by name, or a sampled one. Outcomes are sampled; equal seeds give equal runs.

        `avoid_loops`: never repeat an action of this run in the same state while another one is
        left; if it is None, so in deterministic tasks without sampling. `find_dead_ends`: stop where
        h_max says that the goal is out of reach."""
        return self.of(task).run(
            seed,
            limit,
            sample,
            temperature=temperature,
            avoid_loops=avoid_loops,
            find_dead_ends=find_dead_ends,
            time_limit=time_limit,
            state=state,
        )


@contextmanager
def reading(model: str | PathLike[str]) -> Iterator[None]:
    """For commands: a model file that cannot be read is a ModelError too."""
    try:
        yield
    except OSError as error:
        raise ModelError(fspath(model), error.strerror or str(error)) from None


def find_model(model: str) -> Path:
    """The file that a command was asked for."""
    with reading(model):
        return model_path(model)


def read_policy(model: Path, backend: Backend) -> Policy:
    """A policy for a command."""
    with reading(model):
        return Policy(model, backend=backend)
