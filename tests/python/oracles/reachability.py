"""Delete-relaxed reachability, written to be believed rather than to be fast.

Every schema is tried with every tuple of objects of the right types, again and again until
nothing new appears. The one concession to time: a conjunct of the precondition is checked as
soon as the parameters in it are bound, and they are bound in an order that serves this.

An atom can be true if some initial state holds it or a reached effect adds it; it can be false
if some initial state lacks it or a reached effect deletes it; a derived atom can always be
false. A condition can hold if its literals, looked at one by one, can have their values.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from .reader import (
    NUMERIC,
    Atom,
    Binding,
    Expression,
    Parameters,
    PlanningTask,
    Schema,
    ground,
    typed,
    words,
)

CONNECTIVES = {"and", "or", "not", "imply", "forall", "exists", "="}


class Reachability(PlanningTask):
    """What can be reached from the initial states of a task: call `explore`.

    `actions` ("stack a b") and `atoms` ("on a b") are the result. `goal_atoms` are the atoms
    that the goal mentions, reached or not. `positive` tells whether preconditions, conditions
    of effects and of derived predicates are free of negation and universal quantifiers.
    """

    def __init__(self, domain_path: Path, problem_path: Path | None = None):
        super().__init__(domain_path, problem_path)
        states = [state for _, state in self.initial_states]
        self.true = set().union(*states)
        self.never_false = set(states[0]).intersection(*states)
        self.actions: set[str] = set()
        self.atoms: set[str] = set()
        self.goal_atoms = {" ".join(atom) for atom in self.mentioned(self.goal, {})}
        self.derived_names = {schema.name for schema in self.derived}
        conditions = [schema.condition for schema in self.schemas + self.derived]
        for schema in self.schemas:
            conditions += guards(schema.effect)
        self.positive = not words(conditions) & {"not", "imply", "forall"}

    def explore(self) -> "Reachability":
        effects = [schema.effect for schema in self.schemas + self.derived]
        fluents = words(effects) | CONNECTIVES
        orders = [(schema, BindingOrder(schema, fluents)) for schema in self.schemas]
        rules = [(schema, BindingOrder(schema, fluents)) for schema in self.derived]
        size = -1
        while size != (size := len(self.true) - len(self.never_false) + len(self.actions)):
            for schema, order in rules:
                for binding in self.bindings(order):
                    self.apply(schema.effect, binding)
            for schema, order in orders:
                for binding in self.bindings(order):
                    arguments = [binding[name] for name, _ in schema.parameters]
                    self.actions.add(" ".join([schema.name, *arguments]))
                    self.apply(schema.effect, binding)
        self.atoms = {" ".join(atom) for atom in self.true}
        return self

    def bindings(self, order: "BindingOrder") -> Iterator[Binding]:
        """The bindings of the parameters with which the condition can hold."""
        binding: Binding = {}

        def bind(depth: int) -> Iterator[Binding]:
            if not all(self.can_hold(part, binding) for part in order.checks[depth]):
                return
            if depth == len(order.parameters):
                yield dict(binding)
                return
            variable, types = order.parameters[depth]
            for value in self.of_types(types):
                binding[variable] = value
                yield from bind(depth + 1)

        return bind(0)

    def can_hold(self, condition: Expression, binding: Binding, wanted: bool = True) -> bool:
        """Whether the condition can have the truth value `wanted`."""
        match condition:
            case []:
                return wanted
            case ["not", part]:
                return self.can_hold(part, binding, not wanted)
            case ["and" | "or" as word, *parts]:
                values = (self.can_hold(part, binding, wanted) for part in parts)
                return all(values) if (word == "and") == wanted else any(values)
            case ["imply", premise, conclusion]:
                return self.can_hold(["or", ["not", premise], conclusion], binding, wanted)
            case ["forall" | "exists" as word, parameters, part]:
                extensions = self.extensions(typed(parameters), binding)
                values = (self.can_hold(part, extension, wanted) for extension in extensions)
                return all(values) if (word == "forall") == wanted else any(values)
            case ["=", left, right]:
                return (binding.get(left, left) == binding.get(right, right)) == wanted
        atom = ground(condition, binding)
        if wanted:
            return atom in self.true
        return atom not in self.never_false or atom[0] in self.derived_names

    def apply(self, effect: Expression, binding: Binding) -> None:
        """Reach all that the effect may add or delete, whichever way chance falls."""
        match effect:
            case []:
                pass
            case ["and", *parts]:
                for part in parts:
                    self.apply(part, binding)
            case ["when", condition, part]:
                if self.can_hold(condition, binding):
                    self.apply(part, binding)
            case ["forall", parameters, part]:
                for extension in self.extensions(typed(parameters), binding):
                    self.apply(part, extension)
            case ["probabilistic", *parts]:
                for chance, part in zip(parts[::2], parts[1::2]):
                    if Fraction(chance) > 0:
                        self.apply(part, binding)
            case ["not", part]:
                self.never_false.discard(ground(part, binding))
            case [word, *_] if word in NUMERIC:
                pass
            case _:
                self.true.add(ground(effect, binding))

    def mentioned(self, condition: Expression, binding: Binding) -> Iterator[Atom]:
        match condition:
            case [] | ["=", *_]:
                pass
            case ["and" | "or" | "not" | "imply", *parts]:
                for part in parts:
                    yield from self.mentioned(part, binding)
            case ["forall" | "exists", parameters, part]:
                for extension in self.extensions(typed(parameters), binding):
                    yield from self.mentioned(part, extension)
            case _:
                yield ground(condition, binding)


class BindingOrder:
    """The parameters in the order to bind, `checks[i]` to make once i of them are bound."""

    def __init__(self, schema: Schema, fluents: set[str]):
        self.parameters: Parameters = []
        self.fluents = fluents
        rest = list(schema.parameters)
        left = conjuncts(schema.condition)
        self.checks = [[part for part in left if not unbound(part, rest)]]
        while rest:
            left = [part for part in left if unbound(part, rest)]
            nearest = min(rest, key=lambda parameter: self.distance(parameter[0], left, rest))
            rest.remove(nearest)
            self.parameters.append(nearest)
            self.checks.append([part for part in left if not unbound(part, rest)])

    def distance(self, variable: str, left: list[Expression], rest: Parameters) -> tuple[bool, int]:
        """How far a check is that needs the variable; static atoms come first."""
        near = [part for part in left if variable in words(part)]
        options = [(part[0] in self.fluents, len(unbound(part, rest))) for part in near]
        return min(options, default=(True, len(rest) + 1))


def unbound(part: Expression, rest: Parameters) -> set[str]:
    return words(part) & {name for name, _ in rest}


def conjuncts(condition: Expression) -> list[Expression]:
    if not condition:
        return []
    if condition[0] != "and":
        return [condition]
    return [part for child in condition[1:] for part in conjuncts(child)]


def guards(effect: Expression) -> list[Expression]:
    """The conditions of the effect's `when`s."""
    if isinstance(effect, str):
        return []
    own = [effect[1]] if effect and effect[0] == "when" else []
    return own + [guard for part in effect for guard in guards(part)]
