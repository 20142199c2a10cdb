"""A reader of PDDL and PPDDL for the oracles; it trusts the files and shares nothing with the core.

Expressions stay nested lists of words, in lower case. Costs and rewards are read over.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

Expression = str | list["Expression"]
Atom = tuple[str, ...]
Binding = dict[str, str]
Parameters = list[tuple[str, list[str]]]  # (variable, its types)

NUMERIC = {"increase", "decrease", "assign", "scale-up", "scale-down"}


def read(*paths: Path) -> list[Expression]:
    """The top-level expressions of the files. A question mark starts a word: `(car?x)` is two."""
    stack: list[list[Expression]] = [[]]
    for path in paths:
        text = re.sub(r";.*", "", path.read_text()).lower()
        for token in re.findall(r"[()]|\??[^\s()?]+", text):
            if token == "(":
                stack.append([])
            elif token == ")":
                stack[-2].append(stack.pop())
            else:
                stack[-1].append(token)
    return stack[0]


def write(expression: Expression) -> str:
    if isinstance(expression, str):
        return expression
    return f"({' '.join(map(write, expression))})"


def words(expression: Expression) -> set[str]:
    """All names and variables in the expression."""
    if isinstance(expression, str):
        return {expression}
    return set().union(*map(words, expression))


def typed(names: Expression) -> Parameters:
    """`a b - t c` gives a and b of type t, c of type object; `(either t u)` gives two types."""
    result: Parameters = []
    waiting: list[str] = []
    tokens = iter(names)
    for token in tokens:
        if token == "-":
            kind = next(tokens)
            result += [(name, kind[1:] if isinstance(kind, list) else [kind]) for name in waiting]
            waiting = []
        else:
            waiting.append(token)
    return result + [(name, ["object"]) for name in waiting]


def ground(atom: Expression, binding: Binding) -> Atom:
    if isinstance(atom, str):  # some files write an atom without arguments bare
        return (atom,)
    return tuple(binding.get(word, word) for word in atom)


def worlds(facts: list[Expression]) -> list[tuple[Fraction, frozenset[Atom]]]:
    """The states that `:init` describes, with their probabilities; equal ones are not merged."""
    choices = []
    for fact in facts:
        match fact:
            case ["=" | "not", *_]:
                pass
            case ["and", *parts]:
                choices.append(worlds(parts))
            case ["probabilistic", *parts]:
                chances = list(map(Fraction, parts[::2]))
                options = [(1 - sum(chances), frozenset())]
                for chance, part in zip(chances, parts[1::2]):
                    options += [(chance * share, world) for share, world in worlds([part])]
                choices.append([(chance, world) for chance, world in options if chance > 0])
            case _:
                choices.append([(Fraction(1), frozenset([ground(fact, {})]))])
    result = [(Fraction(1), frozenset())]
    for options in choices:
        result = [(p * q, atoms | more) for p, atoms in result for q, more in options]
    return result


class Schema:
    """An action, or a derived predicate, whose effect is then the one atom."""

    def __init__(
        self, name: str, parameters: Parameters, condition: Expression, effect: Expression
    ):
        self.name = name
        self.parameters = parameters
        self.condition = condition
        self.effect = effect


class PlanningTask:
    def __init__(self, domain_path: Path, problem_path: Path | None = None):
        definitions = read(*filter(None, (domain_path, problem_path)))
        domain = next(form for form in definitions if form[1][0] == "domain")
        problem = next(form for form in definitions if form[1][0] == "problem")
        self.objects = objects_by_type([*domain, *problem])
        self.schemas: list[Schema] = []
        self.derived: list[Schema] = []
        for part in domain:
            if part[0] == ":action":
                fields = dict(zip(part[2::2], part[3::2]))
                parameters = typed(fields.get(":parameters", []))
                condition, effect = fields.get(":precondition", []), fields.get(":effect", [])
                self.schemas.append(Schema(part[1], parameters, condition, effect))
            elif part[0] == ":derived":
                head, *parameters = part[1]
                arguments = [variable for variable, _ in typed(parameters)]
                self.derived.append(Schema(head, typed(parameters), part[2], [head, *arguments]))
        self.initial_states = worlds(next(part[1:] for part in problem if part[0] == ":init"))
        self.goal = next(part[1] for part in problem if part[0] == ":goal")

    def of_types(self, types: list[str]) -> list[str]:
        return list(dict.fromkeys(name for kind in types for name in self.objects.get(kind, [])))

    def extensions(self, parameters: Parameters, binding: Binding) -> Iterator[Binding]:
        """The binding with the parameters bound in every way."""
        names = [name for name, _ in parameters]
        for values in product(*(self.of_types(types) for _, types in parameters)):
            yield binding | dict(zip(names, values))


def objects_by_type(parts: list[Expression]) -> dict[str, list[str]]:
    """The objects and constants of each type, those of its subtypes included."""
    parents: dict[str, list[str]] = {}
    kinds: dict[str, list[str]] = {}
    for part in parts:
        if part[0] == ":types":
            for name, types in typed(part[1:]):
                parents.setdefault(name, []).extend(types)
        elif part[0] in (":constants", ":objects"):
            for name, types in typed(part[1:]):
                kinds.setdefault(name, []).extend(types)

    def ancestors(kind: str, seen: frozenset[str] = frozenset()) -> set[str]:
        above = [parent for parent in parents.get(kind, []) if parent not in seen]
        return {kind}.union(*(ancestors(parent, seen | {kind}) for parent in above))

    objects: dict[str, list[str]] = {}
    for name, types in kinds.items():
        for kind in {"object"}.union(*map(ancestors, types)):
            objects.setdefault(kind, []).append(name)
    return objects
