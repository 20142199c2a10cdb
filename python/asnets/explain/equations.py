"""The network of a model as lifted equations, one for each channel that has a say in some logit.

An equation reads

    vehicle-at(?loc)^2 = f(0.35 vehicle-at(?loc)^1 + 0.44 pool(move-car(?loc, _)^2) + 6.45)

name(...)^l is a module of layer l, name(...)^l.c its channel c if it has several that matter; pool is the
maximum over all ways to fill the places `_`, at least the lower bound of f. In the first layer there are
inputs instead: name(...) is the truth of an atom, is-goal(name(...)) whether the goal has it, and words
such as `count` are about the module's own action.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asnets.explain.network import Module, NetworkParts, Source
from asnets.explain.variables import predicate_variables

ANYTHING = "_"


@dataclass(frozen=True)
class Atom:
    """name(arguments), with variables or constants."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Unit:
    """A module's channel; 0 if it is the only one."""

    atom: Atom
    layer: int
    channel: int = 0


@dataclass(frozen=True)
class Truth:
    atom: Atom


@dataclass(frozen=True)
class Goal:
    atom: Atom


@dataclass(frozen=True)
class Flag:
    name: str


@dataclass(frozen=True)
class Members:
    """What a pool takes the maximum of: a unit with open places, where some terms are equal."""

    unit: Unit
    equal: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Pool:
    """One entry for each slot."""

    members: tuple[Members, ...]


Factor = Truth | Goal | Flag | Unit | Pool


@dataclass(frozen=True)
class Equation:
    """unit = f(sum of coefficient * factor + constant), f only if `bent`."""

    unit: Unit
    terms: tuple[tuple[np.float32, Factor], ...]
    constant: np.float32
    bent: bool


@dataclass(frozen=True)
class Layer:
    """Equations of the action or the proposition modules of a layer."""

    kind: str
    number: int
    equations: tuple[Equation, ...]


Key = tuple[str, int, int]
"""Kind, layer and schema or predicate of a module."""


def key_of(module: Module) -> Key:
    return module.kind, module.layer, module.index


class Dependencies:
    """Which channels matter, and between which bounds they stay."""

    def __init__(self, parts: NetworkParts) -> None:
        self.parts = parts
        self.modules = {key_of(module): module for module in parts.modules}
        self.bounds: dict[Key, NDArray[np.float64]] = {}  # (channels, 2): least and greatest value
        self.bent: dict[
            Key, NDArray[np.bool_]
        ] = {}  # by channel: may f differ from what it is given?
        for key, module in self.modules.items():
            self._bound(key, module)
        self.live = {key: np.zeros(m.channels, bool) for key, m in self.modules.items()}
        for schema in range(len(parts.schemas)):
            self.live["action", parts.layers + 1, schema][:] = True
        for key, module in reversed(self.modules.items()):
            for channel in np.flatnonzero(self.live[key]):
                for _, source in self.inputs(module, int(channel)):
                    for origin in self.origins(module, source):
                        self.live[origin][source.channel] = True

    def origins(self, module: Module, source: Source) -> list[Key]:
        """The module that an input is a channel of, if it is one."""
        if source.kind == "own":
            return [(module.kind, module.layer - 1, module.index)]
        if source.kind == "slot":
            slot = self.parts.schemas[module.index]["slots"][source.index]
            return [("proposition", module.layer - 1, slot["predicate"])]
        if source.kind == "pool":
            pool = self.parts.predicates[module.index]["pools"][source.index]
            return [("action", module.layer, pool["schema"])]
        return []

    def inputs(self, module: Module, channel: int) -> Iterator[tuple[np.float32, Source]]:
        """What a channel is made of, with the weights: neither has weight 0 nor is 0 always. A pool
        over zeros is not 0 where it is empty."""
        for column in np.flatnonzero(module.weight[channel]):
            source = module.sources[column]
            if source.kind in ("own", "slot"):
                (origin,) = self.origins(module, source)
                if not self.bounds[origin][source.channel].any():
                    continue
            yield module.weight[channel, column], source

    def _bound(self, key: Key, module: Module) -> None:
        least = np.empty((len(module.sources), 2))
        for column, source in enumerate(module.sources):
            least[column] = (0, np.inf) if source.name == "count" else (0, 1)
            for origin in self.origins(module, source):
                low, high = self.bounds[origin][source.channel]
                if source.kind == "pool":  # which may be empty
                    low, high = self.parts.floor, max(high, self.parts.floor)
                least[column] = low, high
        weight = module.weight.astype(np.float64)
        with np.errstate(invalid="ignore"):  # 0 * inf, of weights that are 0
            products = np.nan_to_num(
                weight[:, :, None] * least[None], nan=0.0, posinf=np.inf, neginf=-np.inf
            )
        sums = np.sort(products, axis=2).sum(axis=1) + module.bias[:, None]
        last = module.layer > self.parts.layers
        self.bent[key] = ~(last | (sums[:, 0] >= 0) & (self.parts.nonlinearity != "tanh"))
        self.bounds[key] = sums if last else self._bend(sums)

    def _bend(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.parts.nonlinearity == "tanh":
            return np.asarray(np.tanh(values))
        low = np.expm1(np.minimum(values, 0)) if self.parts.nonlinearity == "elu" else 0.0
        return np.where(values > 0, values, low)


class Writer:
    """Makes the equations of a network."""

    def __init__(self, parts: NetworkParts, domain_text: str) -> None:
        self.parts = parts
        self.dependencies = Dependencies(parts)
        self.variables = [
            predicate_variables(domain_text, each["name"], int(each["arity"]))
            for each in parts.predicates
        ]

    def layers(self) -> list[Layer]:
        """Those in which something matters, first to last."""
        result = []
        for number in range(1, self.parts.layers + 2):
            lists = [("action", self.parts.actions[number - 1])]
            if number <= self.parts.layers:
                lists.append(("proposition", list(self.parts.propositions[number - 1].values())))
            for kind, modules in lists:
                equations = tuple(each for module in modules for each in self._equations(module))
                if equations:
                    result.append(Layer(kind, number, equations))
        return result

    def _equations(self, module: Module) -> Iterator[Equation]:
        for channel in np.flatnonzero(self.dependencies.live[key_of(module)]):
            terms = self.dependencies.inputs(module, int(channel))
            yield Equation(
                self._unit(key_of(module), self._head(module), int(channel)),
                tuple((weight, self._factor(module, source)) for weight, source in terms),
                module.bias[channel],
                bool(self.dependencies.bent[key_of(module)][channel]),
            )

    def _head(self, module: Module) -> Atom:
        if module.kind == "action":
            schema = self.parts.schemas[module.index]
            return Atom(schema["name"], tuple(schema["parameters"]))
        return Atom(self.parts.predicates[module.index]["name"], self.variables[module.index])

    def _unit(self, key: Key, atom: Atom, channel: int) -> Unit:
        live = np.flatnonzero(self.dependencies.live[key]).tolist()
        return Unit(atom, key[1], live.index(channel) + 1 if len(live) > 1 else 0)

    def _factor(self, module: Module, source: Source) -> Factor:
        if source.kind == "flag":
            return Flag(source.name)
        if source.kind == "own":
            (origin,) = self.dependencies.origins(module, source)
            return self._unit(origin, self._head(module), source.channel)
        if source.kind == "pool":
            return self._pool(module, source)
        slot = self.parts.schemas[module.index]["slots"][source.index]
        atom = Atom(self.parts.predicates[slot["predicate"]]["name"], tuple(slot["terms"]))
        if source.kind == "truth":
            return Truth(atom)
        if source.kind == "goal":
            return Goal(atom)
        return self._unit(
            ("proposition", module.layer - 1, slot["predicate"]), atom, source.channel
        )

    def _pool(self, module: Module, source: Source) -> Pool:
        pool = self.parts.predicates[module.index]["pools"][source.index]
        schema = self.parts.schemas[pool["schema"]]
        key: Key = ("action", module.layer, pool["schema"])
        members = []
        for number in pool["slots"]:
            filled: dict[str, str] = {}  # parameter of the schema: variable of the predicate
            equal = []
            for variable, term in zip(
                self.variables[module.index], schema["slots"][number]["terms"]
            ):
                if term not in schema["parameters"]:
                    equal.append((variable, term))
                elif term in filled:
                    equal.append((filled[term], variable))
                else:
                    filled[term] = variable
            places = tuple(filled.get(each, ANYTHING) for each in schema["parameters"])
            unit = self._unit(key, Atom(schema["name"], places), source.channel)
            members.append(Members(unit, tuple(equal)))
        return Pool(tuple(members))
