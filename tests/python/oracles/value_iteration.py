"""Optimal expected costs by value iteration over all reachable states: slow, for small tasks.

Giving up costs the penalty D anywhere: V(s) = min(D, min_a cost(a) + sum_s' P(s' | s, a) V(s')),
and V = 0 at goals. Values start at D and fall to the greatest solution, which is the right one
also where actions are free.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

import asnets


@dataclass
class Mdp:
    """What can be reached, numbered from the first start on; goals have no choices."""

    task: asnets.Task
    states: list[asnets.State] = field(default_factory=list)
    number: dict[asnets.State, int] = field(default_factory=dict)
    # Per state and applicable action: the action, and pairs of a state's number and probability.
    choices: list[list[tuple[asnets.Action, list[tuple[int, float]]]]] = field(default_factory=list)

    def insert(self, state: asnets.State) -> int:
        if state not in self.number:
            self.number[state] = len(self.states)
            self.states.append(state)
        return self.number[state]

    @cached_property
    def rows(self) -> tuple[NDArray[np.float64], ...]:
        """Per choice its state and cost, per transition its choice, successor and probability."""
        owners, costs, rows, columns, chances = [], [], [], [], []
        for state, choices in enumerate(self.choices):
            for action, successors in choices:
                for successor, chance in successors:
                    rows.append(len(owners))
                    columns.append(successor)
                    chances.append(chance)
                owners.append(state)
                costs.append(action.cost)
        integer = (np.array(each, dtype=np.intp) for each in (owners, rows, columns))
        owners_, rows_, columns_ = integer
        return owners_, np.array(costs), rows_, columns_, np.array(chances)


def explore(
    task: asnets.Task, starts: Iterable[asnets.State] | None = None, most: int = 20_000
) -> Mdp:
    """All states reachable from the starts (the initial states); OverflowError past `most`."""
    mdp = Mdp(task)
    for start in [s for s, _ in task.initial_states] if starts is None else starts:
        mdp.insert(start)
    for state in mdp.states:  # grows meanwhile
        if len(mdp.states) > most:
            raise OverflowError(f"more than {most} states")
        applicable = () if state.is_goal else state.applicable()
        mdp.choices.append(
            [
                (action, [(mdp.insert(s), p) for s, p in task.successors(state, action)])
                for action in applicable
            ]
        )
    return mdp


def q_values(mdp: Mdp, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Per choice, in the order of the rows, what it costs with these values."""
    _, costs, rows, columns, chances = mdp.rows
    return costs + np.bincount(rows, chances * values[columns], len(costs))


def values(mdp: Mdp, penalty: float = 500, change: float = 1e-11) -> NDArray[np.float64]:
    """Per state its value; stops when no value falls by more than `change` in a sweep."""
    owners = mdp.rows[0]
    start = np.array([0.0 if state.is_goal else penalty for state in mdp.states])
    result = start.copy()
    while True:
        after = start.copy()
        np.minimum.at(after, owners, q_values(mdp, result))
        if np.max(result - after, initial=0) <= change:
            return after
        result = after


def expected_cost(mdp: Mdp, result: NDArray[np.float64]) -> float:
    """The value of the initial states."""
    return sum(p * float(result[mdp.number[s]]) for s, p in mdp.task.initial_states)
