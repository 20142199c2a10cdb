"""Training: the optimiser next to a plain PyTorch loop, workers, where time goes, time to learn.

    python -m benchmarks.training [--quick]

The peer of the optimiser is what a straightforward implementation does: the same network and the same
step of Adam, but a loop over the states of a batch, each with a forward pass of its own, module by
module, on rows gathered by padded indices; then the mean of the losses and one backward pass. Its
tensors are cut out of the batch beforehand; ours are made of the batch's arrays within the time that is
measured. Without dropout, losses and gradients of the two must be equal. CPU time of one thread,
dropout on; the two take turns; numbers are medians of three.

All other times are wall times and mean little on a busy machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

import asnets
from asnets import generators
from asnets_train import worker
from asnets_train.model import FLOORS, ActionSchemaNetwork
from asnets_train.options import Options
from asnets_train.trainer import BIAS_SHARE
from asnets_train.worker import ProblemFile

TARGET = 5  # times the peer's samples a second
TOLERANCE = 1e-4  # between losses and gradients of the two
OUR_BATCHES, THEIR_BATCHES = 20, 4  # in a turn
ROLLOUTS = 2  # of a new policy in each problem, beside the teacher's, to have states

EPOCHS = 3  # to see where time goes
TIREWORLD_TARGET = 60  # seconds
BLOCKSWORLD_TARGET = 15 * 60

OPTIONS = Options()


@dataclass(frozen=True)
class Problems:
    """Training problems of a domain, and how many of them are enough for a quick look."""

    name: str
    domain: str
    problems: tuple[tuple[int, int, dict[str, int]], ...]  # size, seed, options of the generator

    def write(self, folder: Path, every: int = 1) -> list[Path]:
        """The domain's file, then those of the problems, or of one in `every`."""
        files = [generators.domain_path(self.domain)]
        for number, (size, seed, options) in enumerate(self.problems[::every]):
            files.append(folder / f"{self.domain}-{number:02}-{size}.pddl")
            files[-1].write_text(generators.generate(self.domain, size, seed=seed, **options))
        return files


def of_sizes(counts: dict[int, int], **options: int) -> tuple[tuple[int, int, dict[str, int]], ...]:
    """So many problems of each size."""
    return tuple((size, seed, options) for size, count in counts.items() for seed in range(count))


# As many of each size as the article trains on.
BLOCKSWORLD = Problems(
    "Blocksworld 8-10",
    "blocksworld",
    of_sizes({8: 10, 9: 5, 10: 5}) + of_sizes({8: 5}, towers=1),
)
TIREWORLD = Problems("Tireworld 1-3", "triangle-tireworld", of_sizes({1: 1, 2: 1, 3: 1}))
GOLD_MINER = Problems("Gold Miner 4-6", "gold-miner", of_sizes({4: 5, 5: 10, 6: 2}))
DOMAINS = (BLOCKSWORLD, TIREWORLD, GOLD_MINER)


# The peer


@dataclass(frozen=True)
class Indices:
    """How the network of a problem is connected; made once."""

    slots: list[Tensor]  # by schema: (actions, slots), propositions of the slot's predicate
    pools: list[Tensor]  # by pool: (propositions, members), padded with the number of actions


@dataclass(frozen=True)
class Sample:
    """A state to learn from."""

    indices: Indices
    inputs: list[Tensor]  # by schema: (actions, inputs)
    choices: Tensor  # (choices): applicable actions, all schemas numbered through
    targets: Tensor  # (choices)


def indices_of(memory: asnets.StateMemory, signature: dict[str, Any]) -> Indices:
    batch = asnets.sample_batch([memory], **OPTIONS.features, size=1)
    kinds = [pool for predicate in signature["predicates"] for pool in predicate["pools"]]
    pools = []
    for kind, begin, members in zip(kinds, batch.pool_begin, batch.pool_members):
        sizes = np.diff(begin)
        width = max(1, *sizes)
        padded = np.full((len(sizes), width), len(batch.slots[kind["schema"]]))
        padded[np.arange(width) < sizes[:, None]] = members
        pools.append(torch.from_numpy(padded))
    return Indices([torch.from_numpy(each) for each in batch.slots], pools)


def samples_of(batch: asnets.Batch, problems: Sequence[Indices]) -> list[Sample]:
    """The states of a batch, which come from the problems in turn, the first one's first."""
    owners = [problems[state % len(problems)] for state in range(batch.states)]
    rows = np.array([[len(slots) for slots in owner.slots] for owner in owners])
    inputs = [
        torch.from_numpy(values).split(rows[:, schema].tolist())
        for schema, values in enumerate(batch.inputs)
    ]
    # In the batch a schema has rows of all states, in a state's own numbering all schemas follow.
    in_state = rows.cumsum(1) - rows
    numbers = [
        np.arange(first, first + count)
        for schema in range(rows.shape[1])
        for first, count in zip(in_state[:, schema], rows[:, schema])
    ]
    choices = np.concatenate(numbers)[batch.choice_rows]
    return [
        Sample(
            owner,
            [by_state[state] for by_state in inputs],
            torch.from_numpy(choices[batch.choice_states == state]),
            torch.from_numpy(batch.targets[batch.choice_states == state]),
        )
        for state, owner in enumerate(owners)
    ]


class PlainNetwork(nn.Module):
    """The network of a model, with a copy of its weights, for one state at a time."""

    def __init__(self, model: ActionSchemaNetwork) -> None:
        super().__init__()
        self.layers, self.dropout = model.layers, model.dropout
        self.schemas = model.signature["schemas"]
        self.predicates = model.signature["predicates"]
        self.linears = nn.ModuleList()
        for module in model.modules_in_order():
            linear = nn.Linear(module.weight.shape[1], module.weight.shape[0])
            linear.weight.data.copy_(module.weight)
            linear.bias.data.copy_(module.bias)
            self.linears.append(linear)

    def forward(self, sample: Sample) -> Tensor:
        """The logit of every action."""
        linears = iter(self.linears)
        actions = [self.activated(next(linears)(values)) for values in sample.inputs]
        before: dict[int, Tensor] = {}
        for layer in range(self.layers):
            padded = [F.pad(values, (0, 0, 0, 1), value=FLOORS["elu"]) for values in actions]
            pools = iter(sample.indices.pools)
            propositions = {}
            for p, predicate in enumerate(self.predicates):
                if not predicate["pools"]:
                    continue
                parts = [padded[pool["schema"]][next(pools)].amax(1) for pool in predicate["pools"]]
                parts += [before[p]] if layer > 0 else []
                propositions[p] = self.activated(next(linears)(torch.cat(parts, 1)))
            before = propositions
            for s, (schema, slots) in enumerate(zip(self.schemas, sample.indices.slots)):
                parts = [before[slot["predicate"]][slots[:, k]] for k, slot in enumerate(schema["slots"])]
                values = next(linears)(torch.cat([*parts, actions[s]], 1))
                actions[s] = self.activated(values) if layer + 1 < self.layers else values
        return torch.cat(actions).squeeze(1)

    def activated(self, values: Tensor) -> Tensor:
        return F.dropout(F.elu(values), self.dropout, self.training)


def plain_loss(network: PlainNetwork, samples: Sequence[Sample]) -> Tensor:
    losses = []
    for sample in samples:
        log_policy = F.log_softmax(network(sample)[sample.choices], 0)
        losses.append(-(sample.targets * log_policy).sum())
    return torch.stack(losses).mean()


def adam(network: nn.Module) -> torch.optim.Adam:
    """As the trainer has it."""
    groups = [
        {
            "params": [p for p in network.parameters() if (p.ndim == 1) == biases],
            "weight_decay": OPTIONS.l2 * (BIAS_SHARE if biases else 1),
        }
        for biases in (False, True)
    ]
    return torch.optim.Adam(groups, lr=OPTIONS.learning_rate, fused=True)


# Samples a second


def memories_of(files: list[Path], model: ActionSchemaNetwork) -> list[asnets.StateMemory]:
    """What two rollouts of an untrained policy and the teacher give."""
    memories = []
    for number, path in enumerate(files[1:]):
        problem = worker.Problem(files[0], ProblemFile(number, path), None, OPTIONS)
        memory = asnets.StateMemory(asnets.NetworkStructure(asnets.ground(files[0], path)))
        memory.append(problem.teach(seed=number).new)
        memory.append(problem.explore(model.arrays(), ROLLOUTS, seed=number).new)
        if memory.samples:
            memories.append(memory)
    return memories


def new_model(files: list[Path]) -> ActionSchemaNetwork:
    torch.manual_seed(0)
    return ActionSchemaNetwork(
        asnets.NetworkStructure(asnets.ground(*files[:2])).signature,
        layers=OPTIONS.layers,
        channels=OPTIONS.channels,
        extra_inputs=OPTIONS.extra_inputs,
        dropout=OPTIONS.dropout,
    )
