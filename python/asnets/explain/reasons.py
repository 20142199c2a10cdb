"""Why a policy took one action and not another: the decision computed again without each of the inputs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asnets._core import Action
from asnets.errors import UsageError
from asnets.explain.network import LANDMARK_NAMES
from asnets.explain.rollout import Rollout, Step
from asnets.policy import TIE

Inputs = list[NDArray[np.float32]]

MOST_ATOMS = 200
"""That are taken away one by one: those of the two actions first."""
LISTED = 8


@dataclass(frozen=True)
class Reason:
    """What the decision is without one input, or one group of them."""

    what: str
    is_group: bool
    lead: float
    """Of the chosen action over the runner-up."""
    taken: Action
    """What would be taken."""


@dataclass(frozen=True)
class Decision:
    """A step of a rollout, numbered from 1, with the actions that its logits speak for."""

    number: int
    step: Step
    chosen: Action
    runner_up: Action | None
    lead: float
    reasons: tuple[Reason, ...]
    """The strongest first."""
    left_out: int
    """Atoms that were not taken away, as there are too many."""


def decision(rollout: Rollout, number: int) -> Decision:
    """Of one step, from 1; UsageError if the run has no such step."""
    if not 1 <= number <= len(rollout.run):
        raise UsageError(f"--step {number}: the run has {len(rollout.run)} steps")
    step = rollout[number - 1]
    chosen = rollout.run.actions[number - 1]
    others = [each for each in step.probabilities if each != chosen]
    if not others:
        return Decision(number, step, chosen, None, 0.0, (), 0)
    logits = step.activations.logits
    runner_up = max(others, key=lambda each: (logits[each.index], -each.index))
    lead = float(logits[chosen.index] - logits[runner_up.index])
    removals = Removals(rollout, step, chosen, runner_up)
    reasons = []
    for what, is_group, inputs in removals:
        if all(np.array_equal(a, b) for a, b in zip(inputs, step.inputs)):
            continue
        found = rollout.network(inputs).logits
        reasons.append(
            Reason(
                what,
                is_group,
                float(found[chosen.index] - found[runner_up.index]),
                _taken([chosen, *others], found),
            )
        )
    reasons.sort(key=lambda each: -abs(each.lead - lead))
    return Decision(number, step, chosen, runner_up, lead, tuple(reasons), removals.left_out)


def _taken(applicable: list[Action], logits: NDArray[np.float64]) -> Action:
    highest = max(logits[each.index] for each in applicable)
    best = [each for each in applicable if logits[each.index] >= highest - TIE]
    return min(best, key=lambda each: each.name)


class Removals:
    """The inputs of a step without something: what, is it a group, and what is left."""

    def __init__(self, rollout: Rollout, step: Step, chosen: Action, runner_up: Action) -> None:
        self.rollout = rollout
        self.parts = rollout.parts
        self.inputs = step.inputs
        self.actions = chosen, runner_up
        self.left_out = 0
        landmarks = rollout.model.manifest["features"]["landmarks"]
        self.absent = {name: float(name == "no-landmark") for name in LANDMARK_NAMES[landmarks]}
        """The landmark flags of an action that is in none."""

    def __iter__(self) -> Iterator[tuple[str, bool, Inputs]]:
        yield from self._flags()
        yield from self._flags_of_actions()
        for place, kind in enumerate(("truth", "goals")):
            for p, predicate in enumerate(self.parts.predicates):
                what = f"the {kind} of {predicate['name']}"
                yield what, True, self._without_atoms(p, None, place)
        yield from self._atoms()

    def _flags(self) -> Iterator[tuple[str, bool, Inputs]]:
        """The landmarks of all actions, and so on."""
        groups = {"the landmarks": dict(self.absent)}
        groups |= {
            f"the {each}s" if each == "count" else f"what is {each}": {each: 0.0}
            for each in self.parts.flags
            if each not in self.absent
        }
        for what, values in groups.items():
            if values:
                inputs = self._copy()
                for s in range(len(inputs)):
                    for flag, value in values.items():
                        inputs[s][:, self._column(s, flag)] = value
                yield what, True, inputs

    def _flags_of_actions(self) -> Iterator[tuple[str, bool, Inputs]]:
        """The same of single actions, where they say something."""
        for s, rows in enumerate(self.inputs):
            first = self._first(s)
            if self.absent:
                names = list(self.absent)
                columns = [self._column(s, name) for name in names]
                values = [self.absent[name] for name in names]
                for row in np.flatnonzero((rows[:, columns] != values).any(axis=1)):
                    inputs = self._copy()
                    inputs[s][row, columns] = values
                    said = [
                        n for n, c in zip(names, columns) if rows[row, c] and n != "no-landmark"
                    ]
                    action = self.rollout.task.actions[first + int(row)]
                    yield f"{action} is {' and '.join(said)}", False, inputs
            if "count" in self.parts.flags:
                column = self._column(s, "count")
                for row in np.flatnonzero(rows[:, column]):
                    inputs = self._copy()
                    inputs[s][row, column] = 0
                    action = self.rollout.task.actions[first + int(row)]
                    times = int(rows[row, column])
                    often = {1: "once", 2: "twice"}.get(times, f"{times} times")
                    yield f"{action} was taken {often} before", False, inputs

    def _atoms(self) -> Iterator[tuple[str, bool, Inputs]]:
        """Single atoms that are true or goals; those in slots of the two actions first."""
        near: dict[tuple[int, int, int], str] = {}
        far: dict[tuple[int, int, int], str] = {}
        own = {action.index for action in self.actions}
        for s, schema in enumerate(self.parts.schemas):
            slots = self.rollout.structure.slots[s]
            for i, slot in enumerate(schema["slots"]):
                name = self.parts.predicates[slot["predicate"]]["name"]
                for place in range(2):
                    for row in np.flatnonzero(self.inputs[s][:, 2 * i + place]):
                        action = self.rollout.task.actions[self._first(s) + int(row)]
                        bound = dict(zip(schema["parameters"], action.arguments))
                        atom = " ".join([name, *(bound.get(t, t) for t in slot["terms"])])
                        said = f"({atom}) is {'a goal' if place else 'true'}"
                        key = (slot["predicate"], int(slots[row, i]), place)
                        (near if action.index in own else far)[key] = said
        far = {key: said for key, said in far.items() if key not in near}
        keys = [*near, *far]
        self.left_out = max(0, len(keys) - MOST_ATOMS)
        for key in keys[:MOST_ATOMS]:
            p, number, place = key
            yield (near | far)[key], False, self._without_atoms(p, number, place)

    def _without_atoms(self, predicate: int, row: int | None, place: int) -> Inputs:
        """No truth (place 0) or goal (1) of a predicate's atoms, or of one of them."""
        inputs = self._copy()
        for s, schema in enumerate(self.parts.schemas):
            for i, slot in enumerate(schema["slots"]):
                if slot["predicate"] == predicate:
                    here = (
                        slice(None) if row is None else self.rollout.structure.slots[s][:, i] == row
                    )
                    inputs[s][here, 2 * i + place] = 0
        return inputs

    def _copy(self) -> Inputs:
        return [each.copy() for each in self.inputs]

    def _column(self, schema: int, flag: str) -> int:
        return 2 * len(self.parts.schemas[schema]["slots"]) + self.parts.flags.index(flag)

    def _first(self, schema: int) -> int:
        """The first action of a schema."""
        return sum(len(each) for each in self.inputs[:schema])


def words(found: Decision) -> str:
    """The decision and its reasons, a line each."""
    chances = found.step.probabilities
    if found.runner_up is None:
        return f"Step {found.number} takes {found.chosen}: no other action is applicable.\n"
    taken, other = (
        f"{each} (probability {chances[each]:.4f})" for each in (found.chosen, found.runner_up)
    )
    lines = [f"Step {found.number} takes {taken}, not {other}."]
    if abs(found.lead) <= TIE:
        lines.append("Their logits are equal: the first by name is taken.")
    elif found.lead < 0:
        lines.append(
            f"Its logit is lower by {-found.lead:.3g}: what is likelier was taken here before."
        )
    else:
        lines.append(f"Its logit is higher by {found.lead:.3g}.")
    for is_group, title in ((True, "Groups of inputs"), (False, "Single inputs")):
        own = [each for each in found.reasons if each.is_group == is_group]
        telling = [each for each in own if abs(each.lead - found.lead) > TIE]
        if own:
            lines += ["", f"{title}, the decision computed again without each:"]
            lines += [f"  {_sentence(each, found)}" for each in telling[:LISTED]]
        if len(telling) > LISTED:
            lines.append(f"  and {len(telling) - LISTED} more that make less of a difference")
        if len(telling) < len(own):
            none = [each.what for each in own if each not in telling]
            names = "; ".join(none[:LISTED]) if is_group else f"{len(none)} more"
            more = f" and {len(none) - LISTED} more" if is_group and len(none) > LISTED else ""
            lines.append(f"  no difference: {names}{more}")
    if found.left_out:
        lines += ["", f"{found.left_out} atoms that are further away were not tried."]
    return "\n".join(lines) + "\n"


def _sentence(reason: Reason, found: Decision) -> str:
    what = f"without {reason.what}:" if reason.is_group else f"{reason.what}; else"
    if reason.taken == found.chosen:
        return f"{what} it would lead by {reason.lead:.3g}"
    behind = f" (behind by {-reason.lead:.3g})" if reason.lead < -TIE else ""
    return f"{what} {reason.taken} would be taken{behind}"
