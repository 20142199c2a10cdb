"""Training: the optimiser next to a plain PyTorch loop, workers, where time goes, time to learn.

    python -m benchmarks.training [--quick]

The peer of the optimiser is what a straightforward implementation does: the same network and the same
step of Adam, but a loop over the states of a batch, each with a forward pass of its own, module by
module, on rows gathered by padded indices; then the mean of the losses and one backward pass. Its
tensors are cut out of the batch beforehand; ours are made of the batch's arrays within the time that is
measured. Without dropout, the two must give the same loss. CPU time of one thread, with dropout; the
two take turns; numbers are medians of three.

All other times are wall times and mean little on a busy machine.
"""

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

import asnets
from asnets import generators
from asnets.limits import Deadline
from asnets_train import worker
from asnets_train.display import Lines
from asnets_train.model import FLOORS, ActionSchemaNetwork
from asnets_train.options import Options
from asnets_train.trainer import BIAS_SHARE, Trainer, logits_of, policy_loss
from asnets_train.worker import ProblemFile
from asnets_train.workers import Workers
from benchmarks import measure

TARGET = 5  # times the peer's samples a second
TOLERANCE = 1e-4  # between the losses of the two
OUR_BATCHES, THEIR_BATCHES = 20, 4  # in a turn
ROLLOUTS = 2  # of a new policy in each problem, beside the teacher's, to have states

EPOCHS = 3  # to see where time goes
TIREWORLD_TARGET = 60  # seconds
BLOCKSWORLD_TARGET = 15 * 60

OPTIONS = Options()

Kind = tuple[int, int, dict[str, int]]  # size, seed, options of the generator


@dataclass(frozen=True)
class Domain:
    """What to train on."""

    name: str
    folder: str
    problems: tuple[Kind, ...]
    few: tuple[Kind, ...]  # one of each size; the teacher is soon done with them

    def write(self, folder: Path, few: bool) -> list[Path]:
        """The domain's file, then those of its problems."""
        files = [generators.domain_path(self.folder)]
        for number, (size, seed, options) in enumerate(self.few if few else self.problems):
            files.append(folder / f"{self.folder}-{size}-{number}.pddl")
            files[-1].write_text(generators.generate(self.folder, size, seed=seed, **options))
        return files


def of_sizes(counts: dict[int, int], **options: int) -> tuple[Kind, ...]:
    """So many problems of each size."""
    return tuple((size, seed, options) for size, count in counts.items() for seed in range(count))


# As many of each size as the article trains on.
BLOCKSWORLD = Domain(
    "Blocksworld 8-10",
    "blocksworld",
    of_sizes({8: 10, 9: 5, 10: 5}) + of_sizes({8: 5}, towers=1),
    of_sizes({8: 1, 9: 1, 10: 1}),
)
TRIANGLES = of_sizes({1: 1, 2: 1, 3: 1})
TIREWORLD = Domain("Triangle Tireworld 1-3", "triangle-tireworld", TRIANGLES, TRIANGLES)
GOLD_MINER = Domain(
    "Gold Miner 4-6",
    "gold-miner",
    of_sizes({4: 5, 5: 10, 6: 2}),
    ((4, 0, {}), (5, 4, {}), (6, 8, {})),
)
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
        width = max([1, *sizes])
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
                parts = [
                    padded[pool["schema"]][next(pools)].max(1).values for pool in predicate["pools"]
                ]
                parts += [before[p]] if layer > 0 else []
                propositions[p] = self.activated(next(linears)(torch.cat(parts, 1)))
            before = propositions
            for s, (schema, slots) in enumerate(zip(self.schemas, sample.indices.slots)):
                parts = [
                    before[slot["predicate"]][slots[:, k]] for k, slot in enumerate(schema["slots"])
                ]
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


def new_model(files: list[Path]) -> ActionSchemaNetwork:
    torch.manual_seed(0)
    return ActionSchemaNetwork(
        asnets.NetworkStructure(asnets.ground(*files[:2])).signature,
        layers=OPTIONS.layers,
        channels=OPTIONS.channels,
        extra_inputs=OPTIONS.extra_inputs,
        dropout=OPTIONS.dropout,
    )


def memories_of(files: list[Path], model: ActionSchemaNetwork) -> list[asnets.StateMemory]:
    """What the teacher and a few rollouts of the model give."""
    memories = []
    for number, path in enumerate(files[1:]):
        problem = worker.Problem(files[0], ProblemFile(number, path), None, OPTIONS)
        memory = asnets.StateMemory(asnets.NetworkStructure(asnets.ground(files[0], path)))
        memory.append(problem.teach(seed=number).new)
        memory.append(problem.explore(model.arrays(), 2, ROLLOUTS, seed=number).new)
        memories.append(memory)
    return memories


def our_loss(model: ActionSchemaNetwork, batch: asnets.Batch) -> Tensor:
    return policy_loss(logits_of(model, batch), batch, OPTIONS.loss)


@torch.no_grad()
def difference(
    model: ActionSchemaNetwork, plain: PlainNetwork, batch: asnets.Batch, samples: Sequence[Sample]
) -> float:
    """Between the losses of the two, without dropout."""
    losses = our_loss(model.eval(), batch), plain_loss(plain.eval(), samples)
    return abs(losses[0] - losses[1]).item()


def seconds_of(network: nn.Module, losses: Sequence[Callable[[], Tensor]]) -> float:
    """CPU time of a step of the optimiser for each loss."""
    network.train()
    optimiser = adam(network)
    begin = time.process_time()
    for loss in losses:
        value = loss()
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
    return time.process_time() - begin


def compare(domain: Domain, folder: Path, quick: bool) -> float:
    """Prints a line; the ratio of samples a second."""
    print(f"{domain.name:24}", end="", flush=True)
    files = domain.write(folder, few=True)
    model = new_model(files)
    plain = PlainNetwork(model)
    memories = memories_of(files, model)
    indices = [indices_of(memory, model.signature) for memory in memories]
    shared = {**OPTIONS.features, "size": OPTIONS.batch_size}
    batches = [asnets.sample_batch(memories, **shared, seed=seed) for seed in range(OUR_BATCHES)]
    samples = [samples_of(batch, indices) for batch in batches[:THEIR_BATCHES]]
    off = max(difference(model, plain, *pair) for pair in zip(batches, samples))
    share = 4 if quick else 1
    ours = [lambda b=b: our_loss(model, b) for b in batches[: OUR_BATCHES // share]]
    theirs = [lambda s=s: plain_loss(plain, s) for s in samples[: THEIR_BATCHES // share]]
    seconds_of(model, ours[:1])
    seconds_of(plain, theirs[:1])
    runs = measure.take_turns(
        (lambda: seconds_of(model, ours), lambda: seconds_of(plain, theirs)), lambda run: run
    )
    us, they = (
        len(losses) * OPTIONS.batch_size / median(own) for losses, own in zip((ours, theirs), runs)
    )
    print(f"{us:10.0f}{they:10.0f}{off:12.1e}   {measure.verdict(us / they, TARGET)}", end="")
    print(" NOT THE SAME NETWORK" if off > TOLERANCE else "")
    return us / they


def compare_optimisers(folder: Path, quick: bool) -> None:
    torch.set_num_threads(1)  # as the trainer does
    print("Samples a second of CPU: forward, loss, backward, Adam; batches of 64")
    print(f"{'':24}{'ours':>10}{'a loop':>10}{'difference':>12}   to reach")
    ratios = [compare(domain, folder, quick) for domain in DOMAINS]
    measure.print_mean("optimiser", ratios, TARGET)


def exploration(files: list[Path], count: int) -> dict[str, Any]:
    """The figures of the first exploration with a policy, by so many workers."""
    options = replace(OPTIONS, workers=count, batches=50)
    problems = [ProblemFile(number, path) for number, path in enumerate(files[1:])]
    tasks = [asnets.ground(files[0], path) for path in files[1:]]
    structures = [asnets.NetworkStructure(task, options.pooling) for task in tasks]
    never = Deadline(None)
    with Workers(files[0], options, problems, [len(task.actions) for task in tasks]) as workers:
        trainer = Trainer(options, structures, problems, workers, Lines())
        workers.set_up(problems, {}, never)
        trainer.explore(never)
        trainer.optimise(never)
        return trainer.explore(never)


def compare_workers(folder: Path) -> None:
    files = BLOCKSWORLD.write(folder, few=False)
    seconds_in = itemgetter("explore_seconds")
    runs = measure.take_turns(
        (lambda: exploration(files, 1), lambda: exploration(files, 2)), seconds_in
    )
    one, two = (measure.middle(own, seconds_in) for own in runs)
    ratio = seconds_in(one) / seconds_in(two)
    print(
        f"\nExploring {len(files) - 1} Blocksworld problems, load {os.getloadavg()[0]:.1f}: ",
        end="",
    )
    print(f"{one['rollouts']} rollouts, {one['visits']} visits, {one['new_samples']} samples")
    print(f"one worker {seconds_in(one):.2f} s, two {seconds_in(two):.2f} s: {ratio:.2f}x")
    if one["new_samples"] != two["new_samples"]:
        print("!!! the two do not find the same samples")


def print_shares(folder: Path, quick: bool) -> None:
    epochs = 1 if quick else EPOCHS
    print(
        f"\nWhere the time of the first epochs goes ({epochs}, one worker). Rollouts have the features"
    )
    print("of their states, features are those of the teacher's; the rest is messages and saving")
    names = ("teacher", "policy", "feature", "optimise")
    print(f"{'':24}{'seconds':>10}{'teacher':>10}{'rollouts':>10}", end="")
    print(f"{'features':>10}{'optimiser':>10}{'rest':>10}")
    for domain in DOMAINS:
        print(f"{domain.name:24}", end="", flush=True)
        files = domain.write(folder, few=quick)
        output = folder / f"{domain.folder}-shares.pt"
        lines = measure.train(files, output, f"--epochs={epochs}", "--workers=1").epochs
        # The last line is of one more exploration; the first epoch has the teacher's alone.
        first = lines[0]
        begin = first["seconds"] - first["explore_seconds"] - first["optimise_seconds"]
        whole = lines[-1]["seconds"] - begin
        parts = [sum(line.get(f"{name}_seconds", 0) for line in lines) for name in names]
        parts.append(whole - sum(parts))
        print(f"{whole:10.1f}", *(f"{part / whole:9.1%}" for part in parts))


def print_time_to_learn(domain: Domain, folder: Path, target: float) -> None:
    print(f"{domain.name:24}", end="", flush=True)
    files = domain.write(folder, few=False)
    output = folder / f"{domain.folder}.pt"
    training = measure.train(files, output, "--stop-after=1", f"--time-limit={2 * target}")
    last = training.epochs[-1]
    print(f"{last['epoch']:8}{last['success']:10.3f}{training.wall:10.1f}{target:10}", end="")
    reached = last["success"] == 1 and training.wall < target
    print(f"   {'pass' if reached else 'MISS'}, load {os.getloadavg()[0]:.1f}")


def print_times_to_learn(folder: Path, quick: bool) -> None:
    print("\nFrom the start of the command to the first epoch whose rollouts all succeed")
    print(f"{'':24}{'epoch':>8}{'success':>10}{'seconds':>10}{'to reach':>10}")
    print_time_to_learn(TIREWORLD, folder, TIREWORLD_TARGET)
    if not quick:
        print_time_to_learn(BLOCKSWORLD, folder, BLOCKSWORLD_TARGET)


def run(options: measure.Options) -> None:
    print("Training")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        compare_optimisers(folder, options.quick)
        compare_workers(folder)
        print_shares(folder, options.quick)
        print_times_to_learn(folder, options.quick)


if __name__ == "__main__":
    measure.main(__doc__, run)
