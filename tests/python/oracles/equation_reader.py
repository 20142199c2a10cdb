"""Printed equations, read again and worked out by hand: one number at a time, from their text alone."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import asnets

TOKEN = re.compile(
    r"\s*(\d+\.?\d*(?:e[+-]?\d+)?(?![\w-])|[()^,;=+]|-(?![\w])|-(?=\d)|[^\s()^,;=]+)"
)
LINE = re.compile(r"^\s+(\S.*?) = (.*)$")

Key = tuple[str, int, int]


class Reader:
    """The tokens of one right side."""

    def __init__(self, text: str) -> None:
        self.tokens = [each.group(1) for each in TOKEN.finditer(text)]
        self.place = 0

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        assert token, "the text ends early"
        assert expected in (None, token), f"expected {expected}, found {token}"
        self.place += 1
        return token

    def side(self) -> tuple[bool, list[tuple[float, Any]]]:
        """Is it bent, and its summands."""
        bent = self.tokens[:2] == ["f", "("]
        if bent:
            self.place = 2
        found = list(self.summands())
        if bent:
            self.take(")")
        assert not self.peek(), f"{self.peek()} is left"
        return bent, found

    def summands(self) -> Iterator[tuple[float, Any]]:
        first = True
        while self.peek() not in ("", ")"):
            sign = 1.0
            if self.peek() in ("+", "-"):
                sign = -1.0 if self.take() == "-" else 1.0
            else:
                assert first
            first = False
            if self.peek()[0].isdigit():
                sign *= float(self.take())
                if self.peek() in ("", ")", "+", "-"):
                    yield sign, None
                    continue
            yield sign, self.factor()

    def factor(self) -> Any:
        name = self.take()
        if self.peek() != "(":
            return ("flag", name)
        if name == "is-goal":
            self.take("(")
            atom = self.atom(self.take())
            self.take(")")
            return ("goal", atom)
        if name == "pool":
            self.take("(")
            members = [self.members()]
            while self.peek() == ";":
                self.take()
                members.append(self.members())
            self.take(")")
            return ("pool", members)
        return self.unit(name)

    def unit(self, name: str) -> Any:
        atom = self.atom(name)
        if self.peek() != "^":
            return ("truth", atom)
        self.take("^")
        layer, _, channel = self.take().partition(".")
        return ("unit", atom, int(layer), int(channel or 0))

    def members(self) -> Any:
        unit = self.unit(self.take())
        equal = []
        if self.peek() == "where":
            while self.take() in ("where", ","):
                left = self.take()
                self.take("=")
                equal.append((left, self.take()))
                if self.peek() != ",":
                    break
        return unit, equal

    def atom(self, name: str) -> tuple[str, ...]:
        self.take("(")
        arguments = []
        while self.peek() != ")":
            arguments.append(self.take())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return (name, *arguments)


class Equations:
    """All equations of a printed text."""

    def __init__(self, text: str, last_layer: int) -> None:
        self.of: dict[Key, tuple[tuple[str, ...], bool, list[tuple[float, Any]]]] = {}
        self.last_layer = last_layer
        self.floor = 0.0 if "else 0" in text else -1.0
        self.tanh = "tanh" in text
        for line in text.splitlines():
            match = LINE.match(line)
            if match:
                reader = Reader(match[1])
                kind, (name, *variables), layer, channel = reader.unit(reader.take())
                assert kind == "unit"
                assert not reader.peek()
                key = (name, layer, channel)
                assert key not in self.of, f"{line} comes twice"
                self.of[key] = (tuple(variables), *Reader(match[2]).side())

    def bent(self, value: float) -> float:
        if self.tanh:
            return math.tanh(value)
        return value if value > 0 else max(math.expm1(value), self.floor)


class Decision:
    """The values that equations give to the actions in one state."""

    def __init__(
        self,
        equations: Equations,
        task: asnets.Task,
        state: asnets.State,
        flags: Mapping[tuple[str, ...], Mapping[str, float]],
    ) -> None:
        self.equations = equations
        self.flags = flags
        self.true = {tuple(each.strip("()").split()) for each in state.atoms()}
        self.goal = {(each.predicate, *each.arguments) for each in task.goal.positive}
        self.actions: dict[str, list[tuple[str, ...]]] = {}
        for action in task.actions:
            self.actions.setdefault(action.schema.name, []).append(action.arguments)
        self.known: dict[tuple[Any, ...], float] = {}

    def logit(self, action: asnets.Action) -> float:
        return self.value((action.schema.name, *action.arguments), self.equations.last_layer, 0)

    def value(self, atom: tuple[str, ...], layer: int, channel: int) -> float:
        key = (atom, layer, channel)
        if key not in self.known:
            variables, bent, summands = self.equations.of[atom[0], layer, channel]
            bound = dict(zip(variables, atom[1:], strict=True))
            total = 0.0
            for weight, factor in summands:
                total += weight * (1.0 if factor is None else self.factor(factor, bound, atom))
            self.known[key] = self.equations.bent(total) if bent else total
        return self.known[key]

    def factor(self, factor: Any, bound: dict[str, str], own: tuple[str, ...]) -> float:
        kind = factor[0]
        if kind == "flag":
            return self.flags[own][factor[1]]
        if kind == "pool":
            found = [self.equations.floor]
            for (_, pattern, layer, channel), equal in factor[1]:
                if any(bound.get(a, a) != bound.get(b, b) for a, b in equal):
                    continue
                wanted = [bound.get(each) for each in pattern[1:]]
                for arguments in self.actions.get(pattern[0], []):
                    if all(w in (None, a) for w, a in zip(wanted, arguments, strict=True)):
                        found.append(self.value((pattern[0], *arguments), layer, channel))
            return max(found)
        atom = tuple(bound.get(each, each) for each in factor[1])
        if kind == "truth":
            return float(atom in self.true)
        if kind == "goal":
            return float(atom in self.goal)
        return self.value(atom, factor[2], factor[3])


def flags_of(
    names: Sequence[str], task: asnets.Task, inputs: list[NDArray[np.float32]]
) -> dict[tuple[str, ...], dict[str, float]]:
    """What the words are about each action, from the inputs of a state: its last ones."""
    rows = [row[len(row) - len(names) :].tolist() for schema in inputs for row in schema]
    return {
        (action.schema.name, *action.arguments): dict(zip(names, row))
        for action, row in zip(task.actions, rows, strict=True)
    }
