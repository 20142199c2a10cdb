"""A model's network by its parts: which module takes what from where."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from asnets._core import Model
from asnets.inputs import features_of

Array = NDArray[np.float32]

LANDMARK_NAMES = {
    "none": (),
    "article": ("sole-landmark", "in-landmark", "no-landmark"),
    "last-cut": ("in-landmark", "sole-landmark", "in-last-cut"),
    "necessary": ("in-landmark", "sole-landmark", "in-last-cut"),
}
"""What the three landmark flags of an action say, by encoding (docs/model-format.md)."""

FLOORS = {"elu": -1.0, "relu": 0.0, "tanh": -1.0}
"""Lower bounds of the nonlinearities, and what an empty pool gives."""


@dataclass(frozen=True)
class Source:
    """Where one input of a module comes from.

    truth, goal: of the action's slot `index`. flag: the input called `name` of the action. slot: channel
    `channel` of that slot's proposition module. pool: the maximum of that channel over the predicate's
    pool `index`. own: that channel of the module itself, a layer before.
    """

    kind: Literal["truth", "goal", "flag", "slot", "pool", "own"]
    index: int = 0
    channel: int = 0
    name: str = ""


@dataclass(frozen=True)
class Module:
    """f(W u + b), in the last layer W u + b; one row of W and entry of b for each channel."""

    kind: Literal["action", "proposition"]
    layer: int  # from 1
    index: int  # of its schema or predicate
    weight: Array  # (channels, inputs)
    bias: Array  # (channels)
    sources: tuple[Source, ...]  # by input

    @property
    def channels(self) -> int:
        return len(self.bias)


class NetworkParts:
    """The modules of a model, `actions[layer - 1][schema]` and `propositions[layer - 1][predicate]`;
    predicates in no schema have no modules."""

    def __init__(self, manifest: dict[str, Any], arrays: list[Array]) -> None:
        self.signature: dict[str, Any] = manifest["signature"]
        self.schemas: list[dict[str, Any]] = self.signature["schemas"]
        self.predicates: list[dict[str, Any]] = self.signature["predicates"]
        self.layers = int(manifest["layers"])
        self.skip = bool(manifest["skip"])
        self.nonlinearity: str = manifest["nonlinearity"]
        self.floor = FLOORS[self.nonlinearity]
        features = features_of(manifest)
        self.flags = (
            "applicable",
            *LANDMARK_NAMES[features["landmarks"]],
            *(["count"] if features["counts"] else []),
            *(["helpful"] if features["helpful"] else []),
            *(["last"] if features["last_action"] else []),
        )
        """Names of an action's inputs beside truth and goal of its slots, in their order."""
        self.actions: list[list[Module]] = []
        self.propositions: list[dict[int, Module]] = []
        pairs = iter(zip(arrays[::2], arrays[1::2]))
        for layer in range(1, self.layers + 2):
            self.actions.append([])
            for s in range(len(self.schemas)):
                module = Module("action", layer, s, *next(pairs), self._of_action(layer, s))
                self.actions[-1].append(module)
            if layer > self.layers:
                break
            self.propositions.append({})
            for p, predicate in enumerate(self.predicates):
                if predicate["pools"]:
                    sources = self._of_proposition(layer, p)
                    module = Module("proposition", layer, p, *next(pairs), sources)
                    self.propositions[-1][p] = module

    @classmethod
    def of(cls, model: Model) -> "NetworkParts":
        return cls(model.manifest, model.arrays)

    @property
    def modules(self) -> Iterator[Module]:
        """In the order of a model file."""
        for layer in range(self.layers):
            yield from self.actions[layer]
            yield from self.propositions[layer].values()
        yield from self.actions[-1]

    def _of_action(self, layer: int, s: int) -> tuple[Source, ...]:
        slots = self.schemas[s]["slots"]
        if layer == 1:
            inputs = [Source(kind, i) for i in range(len(slots)) for kind in ("truth", "goal")]
            return (*inputs, *(Source("flag", name=each) for each in self.flags))
        below = self.propositions[layer - 2]
        inputs = [
            Source("slot", i, channel)
            for i, slot in enumerate(slots)
            for channel in range(below[slot["predicate"]].channels)
        ]
        return (*inputs, *self._own(self.actions[layer - 2][s]))

    def _of_proposition(self, layer: int, p: int) -> tuple[Source, ...]:
        inputs = [
            Source("pool", i, channel)
            for i, pool in enumerate(self.predicates[p]["pools"])
            for channel in range(self.actions[layer - 1][pool["schema"]].channels)
        ]
        return (*inputs, *(self._own(self.propositions[layer - 2][p]) if layer > 1 else ()))

    def _own(self, before: Module) -> list[Source]:
        return [Source("own", channel=c) for c in range(before.channels)] if self.skip else []
