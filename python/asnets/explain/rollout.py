"""A policy's run on a problem, with all that the network computes at each of its decisions."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asnets._core import Action, Features, Observation, State, Task
from asnets.explain.forward import Activations, ForwardPass
from asnets.explain.network import NetworkParts
from asnets.inputs import features_of
from asnets.policy import Policy


@dataclass(frozen=True)
class Step:
    """One decision, or the state in which a run ended."""

    state: State
    inputs: list[NDArray[np.float32]]
    """What the network sees: by schema, (actions, inputs of layer 1)."""
    activations: Activations
    probabilities: dict[Action, float]
    """Of the applicable actions, the most likely first."""
    action: Action | None
    """The chosen one; None in the last state."""


class Rollout:
    """The steps of a run, each computed when it is asked for: those of `run.actions`, then the last
    state."""

    def __init__(self, policy: Policy, task: Task, *, seed: int = 0, limit: int = 300) -> None:
        self.task = task
        self.model = policy.model
        self.policy = policy.of(task)
        self.run = self.policy.run(seed, limit)
        self.parts = NetworkParts.of(self.model)
        self.structure = self.model.structure_of(task)
        self.features = Features(self.structure, **features_of(self.model.manifest))
        self.network = ForwardPass(self.parts, self.features.batch([self._seen(0)]))

    def __len__(self) -> int:
        return len(self.run.states)

    def __getitem__(self, index: int) -> Step:
        index = range(len(self))[index]
        inputs = [
            each.reshape(len(each), len(module.sources))
            for each, module in zip(
                self.features.batch([self._seen(index)]).inputs, self.parts.actions[0]
            )
        ]
        state, history = self.run.states[index], self.run.actions[:index]
        found = self.policy.probabilities(state, history)
        return Step(
            state,
            inputs,
            self.network(inputs),
            dict(sorted(found.items(), key=lambda item: -item[1])),
            self.run.actions[index] if index < len(self.run) else None,
        )

    def __iter__(self) -> Iterator[Step]:
        return (self[index] for index in range(len(self)))

    def _seen(self, index: int) -> Observation:
        return self.features.observe(self.run.states[index], self.run.actions[:index])
