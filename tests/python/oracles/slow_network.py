"""Networks as the article writes them down: loops over names, one module at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import asnets
from asnets import generators

Vector = NDArray[np.float64]
Arrays = list[NDArray[np.float32]]
Atom = tuple[str, ...]

SMALLEST = {"gold-miner": 4, "triangle-tireworld": 2, "cosanostra-pizza": 2}


@dataclass(frozen=True)
class Setting:
    """A kind of network."""

    layers: int = 2
    skip: bool = True
    pooling: Literal["slot", "schema"] = "slot"
    nonlinearity: Literal["elu", "relu", "tanh"] = "elu"
    landmarks: Literal["none", "article", "last-cut", "necessary"] = "article"
    counts: bool = True
    helpful: bool = False
    last_action: bool = False

    @property
    def features(self) -> dict[str, Any]:
        return {
            "landmarks": self.landmarks,
            "counts": self.counts,
            "helpful": self.helpful,
            "last_action": self.last_action,
        }

    @property
    def extra_inputs(self) -> int:
        flags = self.counts + self.helpful + self.last_action
        return 1 + (0 if self.landmarks == "none" else 3) + flags


DEFAULT = Setting()


def task_of(domain: str, size: int | None = None, seed: int = 1) -> asnets.Task:
    """A small task of a shipped domain."""
    problem = generators.generate(domain, size or SMALLEST.get(domain, 4), seed=seed)
    return asnets.ground_text(generators.domain_text(domain), problem)


def module_sizes(
    signature: dict[str, Any], channels: int, setting: Setting = DEFAULT
) -> list[tuple[int, int]]:
    """Outputs and inputs of all modules, in the order that the core takes them."""
    sizes = []
    for layer in range(1, setting.layers + 2):
        outputs = channels if layer <= setting.layers else 1
        for schema in signature["schemas"]:
            slots = len(schema["slots"])
            inputs = 2 * slots + setting.extra_inputs if layer == 1 else channels * slots
            sizes.append((outputs, inputs + (channels if setting.skip and layer > 1 else 0)))
        if layer > setting.layers:
            break
        for predicate in signature["predicates"]:
            if predicate["pools"]:
                own = 1 if setting.skip and layer > 1 else 0
                sizes.append((channels, channels * (len(predicate["pools"]) + own)))
    return sizes


def random_weights(signature: dict[str, Any], channels: int, setting: Setting = DEFAULT) -> Arrays:
    """Matrix and vector of each module."""
    return random_arrays(module_sizes(signature, channels, setting))


def random_arrays(sizes: Sequence[tuple[int, ...]]) -> Arrays:
    """Matrix and vector of modules with these outputs and inputs."""
    rng = np.random.default_rng(7)
    result = []
    for outputs, inputs in sizes:
        result.append(rng.normal(0, 0.5, (outputs, inputs)).astype(np.float32))
        result.append(rng.normal(0, 0.5, outputs).astype(np.float32))
    return result


def apply(nonlinearity: str, value: Vector) -> Vector:
    if nonlinearity == "elu":
        return np.where(value > 0, value, np.expm1(np.minimum(value, 0)))
    return np.maximum(value, 0) if nonlinearity == "relu" else np.tanh(value)


def slot_atoms(task: asnets.Task, signature: dict[str, Any]) -> dict[asnets.Action, list[Atom]]:
    """The atoms of each action's slots, such as ("on", "a", "b")."""
    schemas = {schema["name"]: schema for schema in signature["schemas"]}
    predicates = [each["name"] for each in signature["predicates"]]
    result = {}
    for action in task.actions:
        schema = schemas[action.schema.name]
        bound = dict(zip(schema["parameters"], action.arguments))
        result[action] = [
            (predicates[slot["predicate"]], *(bound.get(term, term) for term in slot["terms"]))
            for slot in schema["slots"]
        ]
    return result


def is_necessary(task: asnets.Task, state: asnets.State, action: asnets.Action) -> bool:
    """Is the goal out of reach in the delete relaxation without the action?"""
    steps = []  # preconditions and effects, as atoms with their truth value
    for other in task.actions:
        for outcome in other.outcomes if other != action else ():
            for change in (outcome, *outcome.conditional):
                needed = [other.precondition, getattr(change, "condition", other.precondition)]
                before = {(a, True) for c in needed for a in c.positive}
                before |= {(a, False) for c in needed for a in c.negative}
                after = {(a, True) for a in change.add} | {(a, False) for a in change.delete}
                steps.append((before, after))
    true = state.atoms()
    reached = {(each, str(each) in true) for each in task.propositions}
    new = {fact for before, after in steps if before <= reached for fact in after} - reached
    while new:
        reached |= new
        new = {fact for before, after in steps if before <= reached for fact in after} - reached
    return not {(each, True) for each in task.goal.positive} <= reached


def first_inputs(
    task: asnets.Task,
    state: asnets.State,
    history: Sequence[asnets.Action],
    slots: dict[asnets.Action, list[Atom]],
    setting: Setting,
) -> dict[asnets.Action, Vector]:
    """What the first action modules take."""
    goal = {(each.predicate, *each.arguments) for each in task.goal.positive}
    true = {tuple(atom.strip("()").split()) for atom in state.atoms()}
    landmarks = asnets.Heuristic(task, "lm_cut").landmarks(state)
    helpful = asnets.Heuristic(task, "h_ff").helpful_actions(state)
    applicable = set(state.applicable())
    result = {}
    for action in task.actions:
        row: list[float] = []
        for atom in slots[action]:
            row += [atom in true, atom in goal]
        row.append(action in applicable)
        mine = [each for each in landmarks if action in each]
        alone = any(len(each) == 1 for each in mine)
        if setting.landmarks == "necessary" and mine and action in applicable:
            alone = is_necessary(task, state, action)
        if setting.landmarks == "article":
            row += [alone, any(len(each) > 1 for each in mine), not mine]
        elif setting.landmarks != "none":
            row += [bool(mine), alone, bool(landmarks) and action in landmarks[-1]]
        if setting.counts:
            row.append(history.count(action))
        if setting.helpful:
            row.append(action in helpful)
        if setting.last_action:
            row.append(action in history[-1:])
        result[action] = np.array(row, dtype=np.float64)
    return result


def slow_logits(
    task: asnets.Task,
    state: asnets.State,
    history: Sequence[asnets.Action],
    weights: Arrays,
    setting: Setting = DEFAULT,
) -> list[float]:
    """The article's equations from names alone: atoms, schemas, landmarks."""
    signature = asnets.NetworkStructure(task, setting.pooling).signature
    slots = slot_atoms(task, signature)
    atoms = sorted({atom for own in slots.values() for atom in own})
    floor = 0.0 if setting.nonlinearity == "relu" else -1.0
    inputs = first_inputs(task, state, history, slots, setting)
    arrays = iter([array.astype(np.float64) for array in weights])
    hidden: dict[asnets.Action, Vector] = {}
    known: dict[Atom, Vector] = {}
    for layer in range(1, setting.layers + 2):
        before, widths = dict(hidden), []
        for schema in signature["schemas"]:
            matrix, bias = next(arrays), next(arrays)
            widths.append(len(bias))
            for action in task.actions:
                if action.schema.name != schema["name"]:
                    continue
                parts = [inputs[action]] if layer == 1 else [known[a] for a in slots[action]]
                if setting.skip and layer > 1:
                    parts.append(before[action])
                value = matrix @ np.concatenate(parts or [np.zeros(0)]) + bias
                last = layer > setting.layers
                hidden[action] = value if last else apply(setting.nonlinearity, value)
        if layer > setting.layers:
            break
        last_known = dict(known)
        for predicate in signature["predicates"]:
            if not predicate["pools"]:
                continue
            matrix, bias = next(arrays), next(arrays)
            for atom in (each for each in atoms if each[0] == predicate["name"]):
                parts = []
                for pool in predicate["pools"]:
                    name = signature["schemas"][pool["schema"]]["name"]
                    highest = np.full(widths[pool["schema"]], floor)
                    for action in task.actions:
                        if action.schema.name == name and any(
                            slots[action][slot] == atom for slot in pool["slots"]
                        ):
                            highest = np.maximum(highest, hidden[action])
                    parts.append(highest)
                if setting.skip and layer > 1:
                    parts.append(last_known[atom])
                value = matrix @ np.concatenate(parts) + bias
                known[atom] = apply(setting.nonlinearity, value)
    return [float(hidden[action][0]) for action in task.actions]
