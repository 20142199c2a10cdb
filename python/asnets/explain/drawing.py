"""What the page and the picture of a rollout have in common: which nodes, where, with which values."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from asnets._core import Action, State
from asnets.explain.forward import Activations
from asnets.explain.graph import FAR, GroundGraph, Numbers
from asnets.explain.influence import Influence, influence
from asnets.explain.layout import positions
from asnets.explain.rollout import Rollout

RAMP = ("#2a55a8", "#5a76a6", "#8694a0", "#b3ad86", "#dcc85e", "#ffe945")
"""Colours from low to high: from blue to yellow, ever lighter, so that all readers can order them."""

SIZE = 0.44
"""Half the side of an action's largest square; nodes are about 1 apart."""

FEW = (2, 98)
"""In percent: values beyond have the colours of the ends."""

MANY = 400
"""Of a graph with more nodes, only the neighbourhood of the decision is drawn at first."""

Values = NDArray[np.float32]


@dataclass(frozen=True)
class Frame:
    """A step as it is drawn."""

    state: State
    probabilities: dict[Action, float]
    """As in the Step; none in the last state."""
    action: Action | None
    values: list[Values]
    """By layer: (nodes, channels); NaN where a channel could not influence the decision."""
    distances: NDArray[np.uint8]
    """Of the nodes, from the nearest applicable action; where there is none, from the last one chosen."""
    truth: NDArray[np.bool_]
    """Of the nodes; an action is not true."""
    inputs: Values
    """Of the actions among the nodes, one after the other."""

    @property
    def means(self) -> Values:
        """(nodes, layers), over the channels with a value."""
        counts = np.stack([(~np.isnan(each)).sum(axis=1) for each in self.values], axis=1)
        sums = np.stack([np.nansum(each, axis=1) for each in self.values], axis=1)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan).astype(np.float32)


class Drawing:
    """The part of a problem's graph that is nearest to a rollout's decisions, of at most so many nodes."""

    def __init__(self, rollout: Rollout, nodes: int = 600) -> None:
        self.rollout = rollout
        self.graph = GroundGraph(rollout.task, rollout.structure)
        self.shown = self._nearest(nodes)
        """The nodes that are drawn, ascending: actions, then propositions."""
        self.nodes = [self.graph.nodes[node] for node in self.shown.tolist()]
        self.places = {node: place for place, node in enumerate(self.shown.tolist())}
        self.positions = positions(self.graph, self.shown)
        self.edges = sorted(
            {
                (self.places[action], self.places[proposition])
                for action, _, proposition in self.graph.edges.tolist()
                if action in self.places and proposition in self.places
            }
        )
        groups = defaultdict(list)
        for place, node in enumerate(self.nodes):
            groups[node.kind, node.index].append((place, node.row))
        self._groups = {key: np.array(group).T for key, group in groups.items()}
        numbers = {each.name: each.index for each in rollout.task.propositions}
        is_atom = [node.kind == "proposition" and node.name in numbers for node in self.nodes]
        self._atom_places = np.flatnonzero(is_atom)
        self._atoms = np.array([numbers[self.nodes[i].name] for i in self._atom_places], np.int64)

    def _nearest(self, count: int) -> Numbers:
        """The chosen actions first, then what is around them and around what could be chosen."""
        run = self.rollout.run
        chosen = self.graph.distances(action.index for action in run.actions)
        possible = self.graph.distances(
            action for state in run.states for action in state.applicable_ids.tolist()
        )
        distances = np.minimum(chosen, np.minimum(possible, FAR - 1) + 1)
        return np.sort(np.argsort(distances, kind="stable")[:count])

    @cached_property
    def frames(self) -> list[Frame]:
        return [self._frame(index) for index in range(len(self.rollout))]

    @cached_property
    def scales(self) -> list[tuple[float, float]]:
        """Of each layer a low and a high mean, with few means beyond."""
        found = []
        for means in np.stack([frame.means for frame in self.frames]).T:
            known = means[~np.isnan(means)]
            low, high = np.percentile(known, FEW).tolist() if len(known) else (0.0, 0.0)
            found.append((low, high) if low < high else (low - 0.5, high + 0.5))
        return found

    @cached_property
    def radius(self) -> int:
        """How far around a decision to draw at first: in a large graph about 100 nodes, else all."""
        if len(self.shown) <= MANY:
            return FAR
        distances = np.stack([frame.distances for frame in self.frames])
        farthest = int(distances.max(initial=1, where=distances < FAR))
        within = [(distances <= i).sum(axis=1).mean() for i in range(farthest + 1)]
        return max(1, int(np.searchsorted(within, 100, "right")) - 1)

    def _frame(self, index: int) -> Frame:
        rollout, step = self.rollout, self.rollout[index]
        probabilities = step.probabilities if step.action else {}
        found = influence(rollout.parts, rollout.structure, probabilities)
        near = list(step.probabilities) or rollout.run.actions[-1:]
        truth = np.zeros(len(self.shown), bool)
        truth[self._atom_places] = step.state.truth[self._atoms]
        inputs = [
            step.inputs[number][rows].ravel()
            for (kind, number), (_, rows) in self._groups.items()
            if kind == "action"
        ]
        return Frame(
            step.state,
            probabilities,
            step.action,
            [self._values(k, step.activations, found) for k in range(rollout.parts.layers + 1)],
            self.graph.distances(action.index for action in near)[self.shown],
            truth,
            np.concatenate([np.empty(0, np.float32), *inputs]),
        )

    def _values(self, layer: int, activations: Activations, found: Influence) -> Values:
        blocks = []
        for (kind, number), (places, rows) in self._groups.items():
            if kind == "action":
                computed, mask = activations.actions[layer][number], found.actions[layer][number]
            elif layer < len(found.propositions):
                computed = activations.propositions[layer][number]
                mask = found.propositions[layer][number]
            else:
                continue
            blocks.append((places, np.where(mask[rows], computed[rows], np.nan)))
        width = max((block.shape[1] for _, block in blocks), default=1)
        result = np.full((len(self.shown), width), np.nan, np.float32)
        for places, block in blocks:
            result[places, : block.shape[1]] = block
        return result
