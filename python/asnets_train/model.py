"""Action Schema Networks in PyTorch (JAIR 2020, section 3).

Layers alternate: action modules 1, proposition modules 1, ..., action modules L + 1, whose one channel
is an action's logit. A module is f(W u + b), in the last layer W u + b. u of an action: the vectors of
its slots' propositions, then, with skip connections, its own of the layer before; layer 1 takes the
inputs. u of a proposition: for each pool the maximum over its actions, at least the lower bound of f,
which is also what an empty pool gives; then, from layer 2 on and with skip connections, its own of the
layer before.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor, nn

from asnets.explain.network import FLOORS
from asnets_train.connections import Connections, Wiring, added_products, maxima


class Module(NamedTuple):
    """One module's weights, outputs x inputs."""

    kind: str  # "action" or "proposition"
    layer: int  # from 1
    name: str  # of its schema or predicate
    weight: Tensor
    bias: Tensor


def dropped(values: Tensor, share: float) -> Tensor:
    """Set a share of the values to 0 and scale the others up."""
    if torch.jit.is_scripting():  # type: ignore[attr-defined]
        return F.dropout(values, share, True)
    else:  # noqa: RET505 (TorchScript passes over this)
        # Sixteen random bits a value; F.dropout would take five times as long.
        cut = round(share * 2**16)
        bits = torch.empty((values.numel() + 3) // 4, dtype=torch.int64).random_(-(2**63), None)
        bits = bits.view(torch.int16)[: values.numel()].view_as(values)
        kept = torch.ge(bits, cut - 2**15, out=torch.empty_like(values))
        return values * kept.mul_(2**16 / (2**16 - cut))


class Dense(nn.Module):
    """W and b of a module that takes several vectors.

    All rows of a table are as wide as the widest vectors in it; `padded` gives the weights from and to
    such rows. `sources` has the width of each vector and that of its table.
    """

    columns: Tensor

    def __init__(self, outputs: int, table: int, sources: Sequence[tuple[int, int]]) -> None:
        super().__init__()
        self.inputs = sum(width for width, _ in sources)
        self.weight = nn.Parameter(torch.empty(outputs, self.inputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        nn.init.xavier_uniform_(self.weight)
        self.table = table
        self.missing = table - outputs
        self.even = all(width == padded for width, padded in sources)
        columns: list[int] = []
        first = 0
        for width, padded in sources if not self.even else []:
            columns += [*range(first, first + width), *[self.inputs] * (padded - width)]
            first += width
        # Of the weights and one more column, of zeros
        order = torch.tensor(columns, dtype=torch.int64)
        self.register_buffer("columns", order, persistent=False)

    def padded(self) -> tuple[Tensor, Tensor]:
        weight: Tensor = self.weight
        bias: Tensor = self.bias
        if not self.even:
            weight = F.pad(weight, (0, 1)).index_select(1, self.columns)
        if self.missing > 0:
            weight = F.pad(weight, (0, 0, 0, self.missing))
            bias = F.pad(bias, (0, self.missing))
        return weight, bias


class DenseList(nn.ModuleList):
    """A list of Dense."""

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[Dense]: ...


class InputLayer(nn.Module):
    """The first action modules, by schema."""

    def __init__(self, modules: Sequence[Dense]) -> None:
        super().__init__()
        self.schemas = DenseList(modules)

    def forward(self, inputs: list[Tensor]) -> Tensor:
        parts: list[Tensor] = []
        for s, module in enumerate(self.schemas):
            weight, bias = module.padded()
            values = inputs[s].reshape(inputs[s].size(0), module.inputs)
            parts.append(F.linear(values, weight, bias))
        return torch.cat(parts)


class PropositionLayer(nn.Module):
    """Proposition modules, by predicate that has pools."""

    pools: list[int]

    def __init__(self, modules: Sequence[Dense], pools: list[int]) -> None:
        super().__init__()
        self.predicates = DenseList(modules)
        self.pools = pools
        self.outputs = modules[0].table if modules else 1

    def forward(self, pooled: Tensor, before: Tensor | None, connections: Connections) -> Tensor:
        rows = connections.proposition_rows
        channels = pooled.size(1)
        own: list[Tensor] = []
        if before is not None:
            own = list(before.split_with_sizes(rows))
        parts = [pooled.new_zeros((0, self.outputs))]
        by_predicate = pooled.split_with_sizes([n * pools for n, pools in zip(rows, self.pools)])
        for p, module in enumerate(self.predicates):
            weight, bias = module.padded()
            values = by_predicate[p].view(self.pools[p], rows[p], channels).transpose(0, 1)
            values = values.reshape(rows[p], self.pools[p] * channels)
            if before is None:
                parts.append(F.linear(values, weight, bias))
            else:
                first, second = weight.split_with_sizes([values.size(1), own[p].size(1)], dim=1)
                parts.append(torch.addmm(F.linear(own[p], second, bias), values, first.t()))
        return torch.cat(parts)


class ActionLayer(nn.Module):
    """Action modules of layer 2 or later, by schema."""

    slots: list[int]
    uses: list[int]
    order: Tensor

    def __init__(self, modules: Sequence[Dense], wiring: Wiring) -> None:
        super().__init__()
        self.schemas = DenseList(modules)
        self.slots = wiring.slots
        self.uses = wiring.uses
        self.outputs = modules[0].table
        order = torch.tensor(wiring.order, dtype=torch.int64)
        self.register_buffer("order", order, persistent=False)

    def forward(
        self, before: Tensor | None, propositions: Tensor, connections: Connections
    ) -> Tensor:
        rows = connections.action_rows
        channels = propositions.size(1)
        own: list[Tensor] = []
        if before is not None:
            own = list(before.split_with_sizes(rows))
        parts: list[Tensor] = []
        slices: list[Tensor] = []  # by schema: (slots, outputs, channels)
        for s, module in enumerate(self.schemas):
            weight, bias = module.padded()
            if before is None:
                parts.append(bias.expand(rows[s], -1))
            else:
                weight, second = weight.split_with_sizes(
                    [self.slots[s] * channels, own[s].size(1)], dim=1
                )
                parts.append(F.linear(own[s], second, bias))
            slices.append(weight.view(self.outputs, self.slots[s], channels).transpose(0, 1))
        weights = torch.cat(slices).index_select(0, self.order).split_with_sizes(self.uses)
        products = [propositions.new_zeros((0, self.outputs))]
        for p, vectors in enumerate(propositions.split_with_sizes(connections.proposition_rows)):
            if self.outputs == 1:
                values = torch.mm(weights[p].view(-1, channels), vectors.t())
            else:
                values = torch.mm(vectors, weights[p].view(-1, channels).t())
                values = values.view(-1, self.uses[p], self.outputs).transpose(0, 1)
            products.append(values.reshape(-1, self.outputs))
        return torch.cat(parts).add_(added_products(torch.cat(products), connections))


class ActionSchemaNetwork(nn.Module):
    """A network for all tasks with one signature (`asnets.NetworkStructure(task).signature`).

    Hidden modules have `channels` outputs, or `outputs` has for each of the layers 1 to L the outputs
    by schema and by predicate. `extra_inputs`: inputs of an action beside the two of each slot, that is
    one, three more for landmarks, one each for counts, helpful actions and the last action.
    """

    def __init__(
        self,
        signature: dict[str, Any],
        *,
        layers: int = 2,
        channels: int = 16,
        outputs: Sequence[tuple[Sequence[int], Sequence[int]]] | None = None,
        extra_inputs: int = 5,
        skip: bool = True,
        dropout: float = 0.0,
        nonlinearity: str = "elu",
    ) -> None:
        super().__init__()
        schemas, predicates = signature["schemas"], signature["predicates"]
        if outputs is None:
            outputs = [([channels] * len(schemas), [channels] * len(predicates))] * layers
        _check(signature, layers, outputs, dropout, nonlinearity)
        self.signature = signature
        self.layers = layers
        self.extra_inputs = extra_inputs
        self.skip = skip
        self.dropout = float(dropout)
        self.nonlinearity = nonlinearity
        self.floor = FLOORS[nonlinearity]
        self.wiring = Wiring(signature)

        used = [p for p, predicate in enumerate(predicates) if predicate["pools"]]
        # Width and table width of each module's vectors, by layer
        actions = [_with_widest(by_schema) for by_schema, _ in outputs]
        actions.append([(1, 1)] * len(schemas))
        propositions = [
            dict(zip(used, _with_widest([by_predicate[p] for p in used])))
            for _, by_predicate in outputs
        ]
        counts = [2 * len(schema["slots"]) + extra_inputs for schema in schemas]
        self.inputs = InputLayer(
            [Dense(*of, [(count, count)]) for of, count in zip(actions[0], counts)]
        )
        self.propositions = nn.ModuleList()
        self.actions = nn.ModuleList()
        for layer in range(layers):
            modules = []
            for p in used:
                sources = [actions[layer][pool["schema"]] for pool in predicates[p]["pools"]]
                if skip and layer > 0:
                    sources.append(propositions[layer - 1][p])
                modules.append(Dense(*propositions[layer][p], sources))
            self.propositions.append(PropositionLayer(modules, self.wiring.pools))
            modules = []
            for s, schema in enumerate(schemas):
                sources = [propositions[layer][slot["predicate"]] for slot in schema["slots"]]
                if skip:
                    sources.append(actions[layer][s])
                modules.append(Dense(*actions[layer + 1][s], sources))
            self.actions.append(ActionLayer(modules, self.wiring))

    def forward(
        self,
        inputs: list[Tensor],
        slots: list[Tensor],
        pool_begin: list[Tensor],
        pool_members: list[Tensor],
    ) -> Tensor:
        """The logit of every action, schema after schema.

        `inputs` and `slots` are by schema: (rows, inputs) float and (rows, slots) int64, rows of the
        slot's predicate. `pool_begin` and `pool_members` have an entry for each pool, all predicates
        one after the other: (rows of the predicate + 1) and (members), int64. As asnets.Batch has
        them.
        """
        connections = self.wiring(slots, pool_begin, pool_members)
        actions = self.activated(self.inputs(inputs))
        before: Tensor | None = None
        for i, (proposition_layer, action_layer) in enumerate(zip(self.propositions, self.actions)):
            pooled = maxima(actions, connections, self.floor)
            propositions = self.activated(proposition_layer(pooled, before, connections))
            own = actions if self.skip else None
            actions = action_layer(own, propositions, connections)
            if i + 1 < self.layers:
                actions = self.activated(actions)
            before = propositions if self.skip else None
        return actions.squeeze(1)

    def activated(self, values: Tensor) -> Tensor:
        """The nonlinearity, in place, and dropout."""
        if self.nonlinearity == "elu":
            values = F.elu(values, inplace=True)
        elif self.nonlinearity == "relu":
            values = F.relu(values, inplace=True)
        else:
            values = values.tanh_()
        if self.training and self.dropout > 0:
            values = dropped(values, self.dropout)
        return values

    def modules_in_order(self) -> Iterator[Module]:
        """The modules as asnets.Network and model files have them: layer by layer, action modules by
        schema, then proposition modules by predicate, leaving out predicates without pools."""
        schemas = [schema["name"] for schema in self.signature["schemas"]]
        predicates = [each["name"] for each in self.signature["predicates"] if each["pools"]]
        lists: list[tuple[str, Any, list[str]]] = [("action", self.inputs.schemas, schemas)]
        for proposition_layer, action_layer in zip(self.propositions, self.actions):
            lists.append(("proposition", proposition_layer.predicates, predicates))
            lists.append(("action", action_layer.schemas, schemas))
        for i, (kind, modules, names) in enumerate(lists):
            for name, dense in zip(names, modules):
                yield Module(kind, i // 2 + 1, name, dense.weight, dense.bias)

    def arrays(self) -> list[NDArray[np.float32]]:
        """Copies of weights and biases in turn, as asnets.Network takes them."""
        return [
            part.detach().to(torch.float32).numpy().copy()
            for module in self.modules_in_order()
            for part in (module.weight, module.bias)
        ]


def _with_widest(sizes: Sequence[int]) -> list[tuple[int, int]]:
    return [(size, max(sizes)) for size in sizes]


def _check(
    signature: dict[str, Any],
    layers: int,
    outputs: Sequence[tuple[Sequence[int], Sequence[int]]],
    dropout: float,
    nonlinearity: str,
) -> None:
    if not signature["schemas"]:
        raise ValueError("a network needs a domain with at least one action")
    if nonlinearity not in FLOORS:
        known = ", ".join(FLOORS)
        raise ValueError(f'unknown nonlinearity "{nonlinearity}"; known are {known}')
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout must be at least 0 and less than 1, not {dropout}")
    if layers < 1:
        raise ValueError(f"a network needs at least one layer, not {layers}")
    expected = (len(signature["schemas"]), len(signature["predicates"]))
    if len(outputs) != layers or any((len(a), len(p)) != expected for a, p in outputs):
        raise ValueError(
            f"expected outputs for {layers} layers of {expected[0]} schemas and "
            f"{expected[1]} predicates"
        )
    if any(size < 1 for layer in outputs for sizes in layer for size in sizes):
        raise ValueError("a module needs at least one output")
