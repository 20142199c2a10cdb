"""Exact successor distributions from the text of a schema, for effects nested in any way.

An effect stands for a distribution over pairs of added and deleted atoms; the parts of a
conjunction fall independently. Derived predicates are left out.
"""

from fractions import Fraction
from functools import reduce

from .reader import NUMERIC, Atom, Binding, Expression, PlanningTask, ground, typed

State = frozenset[Atom]
Change = tuple[State, State]  # added, deleted
NOTHING: Change = (frozenset(), frozenset())


def successors(task: PlanningTask, state: State, action: str) -> dict[State, Fraction]:
    """The states that the action ("stack a b") leads to, with their probabilities."""
    name, *arguments = action.split()
    schema = next(schema for schema in task.schemas if schema.name == name)
    binding = dict(zip([name for name, _ in schema.parameters], arguments))
    result: dict[State, Fraction] = {}
    for (added, deleted), chance in changes(task, schema.effect, binding, state).items():
        after = state - deleted | added
        result[after] = result.get(after, Fraction(0)) + chance
    return result


def changes(
    task: PlanningTask, effect: Expression, binding: Binding, state: State
) -> dict[Change, Fraction]:
    match effect:
        case []:
            return {NOTHING: Fraction(1)}
        case ["and", *parts]:
            return reduce(both, [changes(task, p, binding, state) for p in parts], {NOTHING: 1})
        case ["forall", parameters, part]:
            extensions = task.extensions(typed(parameters), binding)
            return reduce(both, [changes(task, part, e, state) for e in extensions], {NOTHING: 1})
        case ["when", condition, part]:
            if holds(task, condition, binding, state):
                return changes(task, part, binding, state)
            return {NOTHING: Fraction(1)}
        case ["probabilistic", *parts]:
            chances = list(map(Fraction, parts[::2]))
            result = {NOTHING: 1 - sum(chances)}
            for chance, part in zip(chances, parts[1::2]):
                for change, share in changes(task, part, binding, state).items():
                    result[change] = result.get(change, Fraction(0)) + chance * share
            return {change: chance for change, chance in result.items() if chance > 0}
        case ["not", part]:
            return {(frozenset(), frozenset([ground(part, binding)])): Fraction(1)}
        case [word, *_] if word in NUMERIC:
            return {NOTHING: Fraction(1)}
    return {(frozenset([ground(effect, binding)]), frozenset()): Fraction(1)}


def both(left: dict[Change, Fraction], right: dict[Change, Fraction]) -> dict[Change, Fraction]:
    result: dict[Change, Fraction] = {}
    for (added, deleted), p in left.items():
        for (more, less), q in right.items():
            change = (added | more, deleted | less)
            result[change] = result.get(change, Fraction(0)) + p * q
    return result


def holds(task: PlanningTask, condition: Expression, binding: Binding, state: State) -> bool:
    match condition:
        case []:
            return True
        case ["not", part]:
            return not holds(task, part, binding, state)
        case ["and", *parts]:
            return all(holds(task, part, binding, state) for part in parts)
        case ["or", *parts]:
            return any(holds(task, part, binding, state) for part in parts)
        case ["imply", premise, conclusion]:
            return not holds(task, premise, binding, state) or holds(
                task, conclusion, binding, state
            )
        case ["forall", parameters, part]:
            extensions = task.extensions(typed(parameters), binding)
            return all(holds(task, part, extension, state) for extension in extensions)
        case ["exists", parameters, part]:
            extensions = task.extensions(typed(parameters), binding)
            return any(holds(task, part, extension, state) for extension in extensions)
        case ["=", left, right]:
            return binding.get(left, left) == binding.get(right, right)
    return ground(condition, binding) in state
