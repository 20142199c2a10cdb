"""Helpers of the tests of PyTorch networks: settings, states to run them on, their logits."""

import warnings
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import asnets
from asnets_train.export import export_model
from asnets_train.model import ActionSchemaNetwork
from oracles.slow_network import Arrays, Setting

torch.set_num_threads(1)  # small tensors are not worth a second one

SETTINGS = {
    "default": Setting(),
    "one layer": Setting(layers=1),
    "three layers": Setting(layers=3),
    "no skip": Setting(skip=False),
    "pooling by schema": Setting(pooling="schema"),
    "by schema, no skip, three layers": Setting(pooling="schema", skip=False, layers=3),
    "necessary actions": Setting(landmarks="necessary"),
    "relu, last cut": Setting(nonlinearity="relu", landmarks="last-cut"),
    "tanh, helpful": Setting(nonlinearity="tanh", landmarks="none", counts=False, helpful=True),
    "last action": Setting(landmarks="none", helpful=True, last_action=True),
}


def model_of(signature: dict[str, Any], setting: Setting, **options: Any) -> ActionSchemaNetwork:
    return ActionSchemaNetwork(
        signature,
        layers=setting.layers,
        extra_inputs=setting.extra_inputs,
        skip=setting.skip,
        nonlinearity=setting.nonlinearity,
        **options,
    )


def export_random(
    path: Path,
    domain: str,
    task: asnets.Task,
    setting: Setting,
    seed: int = 5,
    noise: float = 0.2,
    **options: Any,
) -> ActionSchemaNetwork:
    """A network with random weights for the domain of a task, and its model file."""
    signature = asnets.NetworkStructure(task, setting.pooling).signature
    torch.manual_seed(seed)
    model = model_of(signature, setting, **options).eval()
    with torch.no_grad():
        for each in model.parameters():
            each.mul_(1.5).add_(torch.randn_like(each) * noise)
    export_model(
        model,
        path,
        signature=signature,
        features=setting.features,
        pooling=setting.pooling,
        domain_name=task.domain_name,
        domain_text=domain,
        training={},
    )
    return model


def set_weights(model: ActionSchemaNetwork, arrays: Arrays) -> None:
    with torch.no_grad():
        for i, module in enumerate(model.modules_in_order()):
            module.weight.copy_(torch.from_numpy(arrays[2 * i]))
            module.bias.copy_(torch.from_numpy(arrays[2 * i + 1]))


def tensors_of(batch: asnets.Batch) -> tuple[list[Tensor], ...]:
    lists = (batch.inputs, batch.slots, batch.pool_begin, batch.pool_members)
    return tuple([torch.from_numpy(array) for array in each] for each in lists)


class Walk:
    """A task with what a network sees on the way of its first applicable actions."""

    def __init__(self, task: asnets.Task, setting: Setting, steps: int) -> None:
        self.task = task
        self.structure = asnets.NetworkStructure(task, setting.pooling)
        self.features = asnets.Features(self.structure, **setting.features)
        rng = asnets.Rng(3)
        self.states = [task.initial_state]
        self.history: list[asnets.Action] = []
        for _ in range(steps - 1):
            applicable = self.states[-1].applicable()
            if not applicable:
                break
            self.history.append(applicable[0])
            self.states.append(task.sample(self.states[-1], applicable[0], rng))
        self.seen = [
            self.features.observe(state, self.history[:step])
            for step, state in enumerate(self.states)
        ]

    def native(self, arrays: Arrays, setting: Setting) -> list[list[float]]:
        network = asnets.Network(
            self.structure, self.features, arrays, setting.layers, setting.skip,
            nonlinearity=setting.nonlinearity,
        )  # fmt: skip
        return [network.logits(each).tolist() for each in self.seen]


def in_states(model: ActionSchemaNetwork, walks: list[Walk]) -> list[list[float]]:
    """The logits of all states of some walks, in one batch: a list for each state."""
    seen = [each for walk in walks for each in walk.seen]
    batch = walks[0].features.batch(seen)
    with torch.no_grad():
        logits = iter(model(*tensors_of(batch)).tolist())
    sizes = [walk.structure.slots for walk in walks for _ in walk.seen]
    result: list[list[float]] = [[] for _ in sizes]
    for schema in range(len(batch.inputs)):
        for state, slots in enumerate(sizes):
            result[state] += [next(logits) for _ in range(len(slots[schema]))]
    return result


def scripted(model: ActionSchemaNetwork) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return torch.jit.script(model)
