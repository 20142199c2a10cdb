"""The graph of a problem: its ground actions and the propositions in their slots."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from asnets._core import NetworkStructure, Task

Numbers = NDArray[np.int64]

FAR = 255
"""The distance of nodes that no way leads to."""


@dataclass(frozen=True)
class Node:
    """A ground action with all its modules, or a proposition with all of its."""

    kind: Literal["action", "proposition"]
    index: int  # of its schema or predicate
    row: int  # among those of the schema or predicate
    name: str


class GroundGraph:
    """A node for each ground action, numbered like the actions, then one for each proposition that a
    slot refers to; an edge for each slot."""

    def __init__(self, task: Task, structure: NetworkStructure) -> None:
        signature = structure.signature
        begin = np.cumsum([0, *map(len, structure.goal)])
        edges = [np.empty((0, 3), np.int64)]
        for schema, own, rows in zip(task.schemas, signature["schemas"], structure.slots):
            for i, slot in enumerate(own["slots"]):
                atoms = rows[:, i] + begin[slot["predicate"]]
                columns = (np.array(schema.action_range), np.full(len(rows), i), atoms)
                edges.append(np.stack(columns, axis=1).astype(np.int64))
        self.edges: Numbers = np.concatenate(edges)
        """(all slots, 3): the action's node, the number of its slot, the proposition's node."""
        used, places = np.unique(self.edges[:, 2], return_inverse=True)
        self.edges[:, 2] = places + len(task.actions)

        self.nodes = []
        for action in task.actions:
            row = action.index - action.schema.action_range.start
            self.nodes.append(Node("action", action.schema.index, row, action.name))
        names = _proposition_names(task, structure)
        for atom, p in zip(used, np.searchsorted(begin, used, "right") - 1):
            row = int(atom - begin[p])
            self.nodes.append(Node("proposition", int(p), row, names[p][row]))

        degrees = np.bincount(self.edges[:, 2], minlength=len(self.nodes))
        is_global = [
            each.kind == "proposition" and not signature["predicates"][each.index]["arity"]
            for each in self.nodes
        ]
        many = max(24, len(task.actions) / 4)
        self.is_hub = (degrees > many) | ((degrees > 8) & np.array(is_global, bool))
        """Propositions in the slots of so many actions that they bring nothing near."""

    def distances(self, actions: Iterable[int]) -> NDArray[np.uint8]:
        """Of every node from the nearest of these actions, in edges; no way goes through a hub."""
        result = np.full(len(self.nodes), FAR, np.uint8)
        result[list(actions)] = 0
        ends = self.edges[:, 0], self.edges[:, 2]
        for distance in range(1, FAR):
            here, there = ends if distance % 2 else ends[::-1]
            ways = (result[here] == distance - 1) & (result[there] == FAR) & ~self.is_hub[here]
            if not ways.any():
                break
            result[there[ways]] = distance
        return result


def _proposition_names(task: Task, structure: NetworkStructure) -> list[dict[int, str]]:
    """By predicate and row: first the task's propositions, then the atoms that can never be true, which
    are named after a slot that refers to them."""
    predicates = structure.signature["predicates"]
    numbers = {each["name"]: p for p, each in enumerate(predicates)}
    names: list[dict[int, str]] = [{} for _ in predicates]
    for each in task.propositions:
        found = names[numbers[each.predicate]]
        found[len(found)] = each.name
    known = [len(each) for each in names]
    for schema, own, rows in zip(task.schemas, structure.signature["schemas"], structure.slots):
        for i, slot in enumerate(own["slots"]):
            p = slot["predicate"]
            for row in np.flatnonzero(rows[:, i] >= known[p]).tolist():
                action = task.actions[schema.action_range[row]]
                objects = dict(zip(own["parameters"], action.arguments))
                words = [objects.get(term, term) for term in slot["terms"]]
                names[p][int(rows[row, i])] = " ".join([predicates[p]["name"], *words])
    return names
