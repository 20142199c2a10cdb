"""The forward pass with everything that it computes on the way, for all actions of a state at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asnets._core import Batch
from asnets.explain.network import Module, NetworkParts

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Activations:
    """What the modules give: `actions[layer - 1][schema]`, `propositions[layer - 1][predicate]`, each
    (rows, channels). Rows are those of the batch."""

    actions: list[list[Values]]
    propositions: list[dict[int, Values]]

    @property
    def logits(self) -> Values:
        """Of every action, schema after schema."""
        return np.concatenate([each[:, 0] for each in self.actions[-1]])


class ForwardPass:
    """A network on the graphs of a batch; the inputs may be others than the batch's."""

    def __init__(self, parts: NetworkParts, batch: Batch) -> None:
        self.parts = parts
        # Without actions a schema's array has no columns either.
        self.slots = [
            slots.reshape(len(slots), len(schema["slots"]))
            for slots, schema in zip(batch.slots, parts.schemas)
        ]
        self.rows = batch.proposition_rows
        pools = iter(zip(batch.pool_begin, batch.pool_members))
        self.pools = [[next(pools) for _ in each["pools"]] for each in parts.predicates]

    def __call__(self, inputs: list[NDArray[np.float32]]) -> Activations:
        parts = self.parts
        actions: list[list[Values]] = []
        propositions: list[dict[int, Values]] = []
        for layer in range(parts.layers + 1):
            actions.append([])
            for s, module in enumerate(parts.actions[layer]):
                if layer == 0:
                    vectors = (
                        inputs[s].reshape(len(inputs[s]), len(module.sources)).astype(np.float64)
                    )
                else:
                    below = propositions[-1]
                    vectors = np.concatenate(
                        [
                            *(
                                below[slot["predicate"]][self.slots[s][:, i]]
                                for i, slot in enumerate(parts.schemas[s]["slots"])
                            ),
                            *([actions[-2][s]] if parts.skip else []),
                            np.empty((len(inputs[s]), 0)),
                        ],
                        axis=1,
                    )
                actions[-1].append(self._applied(module, vectors, layer == parts.layers))
            if layer == parts.layers:
                break
            current: dict[int, Values] = {}
            for p, module in parts.propositions[layer].items():
                pooled = [
                    self._maxima(actions[-1][pool["schema"]], begin, members)
                    for pool, (begin, members) in zip(parts.predicates[p]["pools"], self.pools[p])
                ]
                own = [propositions[-1][p]] if parts.skip and layer > 0 else []
                current[p] = self._applied(module, np.concatenate([*pooled, *own], axis=1), False)
            propositions.append(current)
        return Activations(actions, propositions)

    def _maxima(
        self, values: Values, begin: NDArray[np.int64], members: NDArray[np.int64]
    ) -> Values:
        """Over the members of each pool, at least the lower bound of the nonlinearity."""
        result = np.full((len(begin) - 1, values.shape[1]), self.parts.floor)
        filled = begin[:-1] < begin[1:]
        if filled.any():
            found = np.maximum.reduceat(values[members], begin[:-1][filled], axis=0)
            result[filled] = np.maximum(result[filled], found)
        return result

    def _applied(self, module: Module, vectors: Values, last: bool) -> Values:
        values = vectors @ module.weight.T.astype(np.float64) + module.bias
        if last:
            return values
        if self.parts.nonlinearity == "elu":
            return np.where(values > 0, values, np.expm1(np.minimum(values, 0)))
        return np.maximum(values, 0) if self.parts.nonlinearity == "relu" else np.tanh(values)
