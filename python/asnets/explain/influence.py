"""Which parts of a network could influence a decision, as far as its connections tell."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asnets._core import Action, NetworkStructure
from asnets.explain.network import Module, NetworkParts

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Influence:
    """From where non-zero weights lead to a decision, in the shape of Activations:
    `actions[layer - 1][schema]`, `propositions[layer - 1][predicate]`, each (rows, channels)."""

    actions: list[list[Mask]]
    propositions: list[dict[int, Mask]]
    inputs: list[Mask]
    """Of layer 1, by schema: (actions, inputs)."""


def influence(
    parts: NetworkParts, structure: NetworkStructure, applicable: Iterable[Action]
) -> Influence:
    """On the logits of these actions; no others take part in a decision."""
    actions = [
        [np.zeros((len(structure.slots[m.index]), m.channels), bool) for m in layer]
        for layer in parts.actions
    ]
    propositions = [
        {p: np.zeros((len(structure.goal[p]), m.channels), bool) for p, m in layer.items()}
        for layer in parts.propositions
    ]
    for action in applicable:
        schema = action.schema
        actions[-1][schema.index][action.index - schema.action_range.start] = True
    for layer in range(parts.layers, 0, -1):
        below = propositions[layer - 1]
        for s, module in enumerate(parts.actions[layer]):
            slots = parts.schemas[s]["slots"]
            *blocks, own = _needed(module, actions[layer][s], len(slots))
            for i, (slot, block) in enumerate(zip(slots, blocks)):
                rows, channels = np.nonzero(block)
                below[slot["predicate"]][structure.slots[s][rows, i], channels] = True
            if parts.skip:
                actions[layer - 1][s] |= own
        for p, module in parts.propositions[layer - 1].items():
            pools = parts.predicates[p]["pools"]
            *blocks, own = _needed(module, below[p], len(pools))
            for pool, block in zip(pools, blocks):
                for i in pool["slots"]:
                    actions[layer - 1][pool["schema"]] |= block[
                        structure.slots[pool["schema"]][:, i]
                    ]
            if parts.skip and layer > 1:
                propositions[layer - 2][p] |= own
    inputs = [_inputs(module, actions[0][s]) for s, module in enumerate(parts.actions[0])]
    return Influence(actions, propositions, inputs)


def _inputs(module: Module, channels: Mask) -> Mask:
    """(rows, inputs): does a non-zero weight lead from the input to one of the row's channels?"""
    found: Mask = channels.astype(np.float32) @ (module.weight != 0).astype(np.float32) > 0
    return found


def _needed(module: Module, channels: Mask, count: int) -> list[Mask]:
    """The inputs from each of `count` slots or pools, then those from the module itself."""
    needed = _inputs(module, channels)
    places: list[list[int]] = [[] for _ in range(count + 1)]
    for i, source in enumerate(module.sources):
        places[count if source.kind == "own" else source.index].append(i)
    return [needed[:, each] for each in places]
