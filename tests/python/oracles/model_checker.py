"""Exact success probabilities and expected costs by the model checker Storm, on small tasks."""

import importlib.util
from collections.abc import Callable
from typing import Any

import asnets

from .value_iteration import Mdp

available = importlib.util.find_spec("stormpy") is not None

# Labels. Both end states have no way on; giving up costs the penalty.
GOAL, GIVEN_UP = "goal", "given_up"

Row = tuple[float, list[tuple[int, float]]]  # cost, successors with probabilities


class Model:
    """A process over the states of an Mdp, and one state more for having given up."""

    def __init__(self, mdp: Mdp, groups: list[list[Row]], *, is_mdp: bool) -> None:
        from stormpy import datastructures, models

        self.mdp = mdp
        count = len(mdp.states) + 1
        builder = datastructures.SparseMatrixBuilder[float](
            force_dimensions=False, has_custom_row_grouping=is_mdp
        )
        costs = []
        for state, group in enumerate(groups):
            if is_mdp:
                builder.new_row_group(len(costs))
            for cost, successors in group or [(0, [(state, 1)])]:
                total = sum(chance for _, chance in successors)
                for successor, chance in sorted(successors):
                    builder.add_next_value(len(costs), successor, chance / total)
                costs.append(cost)
        labels = models.StateLabeling(count)
        for name in (GOAL, GIVEN_UP):
            labels.add_label(name)
        for number, state in enumerate(mdp.states):
            if state.is_goal:
                labels.add_label_to_state(GOAL, number)
        labels.add_label_to_state(GIVEN_UP, count - 1)
        reward = models.SparseRewardModel[float](optional_state_action_reward_vector=costs)
        parts = models.SparseModelComponents[float](
            transition_matrix=builder.build(),
            state_labeling=labels,
            reward_models={"cost": reward},
        )
        self.model: Any = (models.SparseMdp if is_mdp else models.SparseDtmc)[float](parts)

    def check(self, formula: str) -> float:
        """The formula's value from the initial states."""
        import stormpy

        result = stormpy.model_checking(self.model, stormpy.parse_property(formula))
        start = self.mdp.task.initial_states
        return sum(p * float(result.get_value(self.mdp.number[s])) for s, p in start)


def under_policy(
    mdp: Mdp, policy: Callable[[asnets.State], asnets.Action | None], penalty: float
) -> Model:
    """The chain that a policy makes of a task; None gives up."""
    groups: list[list[Row]] = []
    for state, choices in zip(mdp.states, mdp.choices):
        if state.is_goal:
            groups.append([])
            continue
        action = policy(state)
        if action is None:
            groups.append([(penalty, [(len(mdp.states), 1.0)])])
        else:
            groups.append([(action.cost, dict(choices)[action])])
    return Model(mdp, [*groups, []], is_mdp=False)


def all_policies(mdp: Mdp, penalty: float | None = None) -> Model:
    """The whole task, with giving up as one more choice if it has a penalty."""
    groups: list[list[Row]] = []
    for state, choices in zip(mdp.states, mdp.choices):
        group = [(action.cost, successors) for action, successors in choices]
        if penalty is not None and not state.is_goal:
            group.append((penalty, [(len(mdp.states), 1.0)]))
        groups.append(group)
    return Model(mdp, [*groups, []], is_mdp=True)
