"""Smaller networks that compute the same: without the channels that nothing depends on, and with what is
constant moved into biases."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asnets.explain.equations import Dependencies, key_of
from asnets.explain.network import NetworkParts

Arrays = list[NDArray[np.float32]]
Outputs = list[tuple[list[int], list[int]]]
"""Channels of the hidden modules, as ActionSchemaNetwork takes them."""


Places = list[NDArray[np.int64]]


@dataclass(frozen=True)
class Weights:
    """Of all modules in turn, matrix and vector."""

    arrays: Arrays
    places: Places
    """Of each weight: a number that stays the same while others disappear."""
    outputs: Outputs

    @property
    def size(self) -> int:
        """How many are not 0."""
        return sum(int(np.count_nonzero(array)) for array in self.arrays)


def numbered(arrays: Arrays) -> Places:
    """Places for the weights of a model."""
    ends = np.cumsum([array.size for array in arrays])
    return [
        np.arange(end - array.size, end).reshape(array.shape) for array, end in zip(arrays, ends)
    ]


def simplified(manifest: dict[str, Any], arrays: Arrays, places: Places) -> Weights:
    """Equal logits up to rounding and to a number that is added to all of them."""
    arrays = [array.copy() for array in arrays]
    parts = NetworkParts(manifest, arrays)
    while _fold_constants(parts):
        pass
    _clear_dead(parts)
    _shift_logits(parts)
    return _without_dead(parts, places)


def _fold_constants(parts: NetworkParts) -> bool:
    """Where a channel is a constant, add it to the biases of what takes it, pools apart: those tell
    where they are empty. Did anything change?"""
    dependencies = Dependencies(parts)
    changed = False
    for module in parts.modules:
        for column, source in enumerate(module.sources):
            if source.kind not in ("own", "slot") or not module.weight[:, column].any():
                continue
            (origin,) = dependencies.origins(module, source)
            least, greatest = dependencies.bounds[origin][source.channel]
            if least == greatest:
                module.bias[:] += module.weight[:, column] * np.float32(least)
                module.weight[:, column] = 0
                changed = True
    return changed


def _clear_dead(parts: NetworkParts) -> None:
    """Weights of channels that nothing depends on are 0."""
    dependencies = Dependencies(parts)
    for module in parts.modules:
        dead = ~dependencies.live[key_of(module)]
        module.weight[dead] = 0
        module.bias[dead] = 0


def _shift_logits(parts: NetworkParts) -> None:
    """Add a number to all logits so that as many of their biases as can be are 0."""
    biases = np.array([module.bias[0] for module in parts.actions[-1]])
    values, counts = np.unique(biases, return_counts=True)
    if counts.max() > counts[values == 0].sum():
        for module in parts.actions[-1]:
            module.bias[0] -= values[counts.argmax()]


def _without_dead(parts: NetworkParts, places: Places) -> Weights:
    """A module that has no live channel keeps one, of zeros."""
    dependencies = Dependencies(parts)
    kept: dict[tuple[str, int, int], NDArray[np.intp]] = {}
    arrays: Arrays = []
    left: Places = []
    for number, module in enumerate(parts.modules):
        live = np.flatnonzero(dependencies.live[key_of(module)])
        rows = kept[key_of(module)] = live if len(live) else np.array([0])
        columns = [
            column
            for column, source in enumerate(module.sources)
            if all(
                source.channel in kept[origin] for origin in dependencies.origins(module, source)
            )
        ]
        arrays += [module.weight[rows][:, columns], module.bias[rows]]
        left += [places[2 * number][rows][:, columns], places[2 * number + 1][rows]]
    outputs = [
        (
            [len(kept["action", layer, s]) for s in range(len(parts.schemas))],
            [len(kept.get(("proposition", layer, p), [0])) for p in range(len(parts.predicates))],
        )
        for layer in range(1, parts.layers + 1)
    ]
    return Weights(arrays, left, outputs)
