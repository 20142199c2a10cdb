"""Algorithm 1 of the article (JAIR 2020, section 4), with its three changes: explore with the policy and
the teacher, label, optimise, until the policy is good or the time is over."""

import copy
import hashlib
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from asnets import Batch, NetworkStructure, StateMemory, sample_batch
from asnets.limits import Deadline
from asnets_train.checkpoint import Checkpoint
from asnets_train.display import Display
from asnets_train.model import ActionSchemaNetwork
from asnets_train.options import Options
from asnets_train.worker import Explored, ProblemFile, Saved, Validated
from asnets_train.workers import Workers

BIAS_SHARE = 0.05
"""Biases are regularised that much less than weights."""
SMALL = 1e-3
"""Weights below do not count where the fewest are wanted."""


class NothingToLearnError(ValueError):
    """No training problem has a state that a teacher could label."""


class DivergedError(ArithmeticError):
    """Weights that are no numbers any more."""


def seed_of(*parts: int) -> int:
    """A number that depends on all parts, for generators that must not depend on each other."""
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


def weight_count(arrays: Sequence[NDArray[np.float32]]) -> int:
    """How many weights are not small."""
    return sum(int((np.abs(array) >= SMALL).sum()) for array in arrays)


def policy_loss(logits: Tensor, batch: Batch, kind: str) -> Tensor:
    """Mean over the states of a batch; only applicable actions can be chosen.

    any-good: -sum_a y_a log pi(a), y uniform over the good actions.
    article: -sum_a [y_a log pi(a) + (1 - y_a) log(1 - pi(a))], y_a = 1 for good actions, else 0.
    """
    states = torch.from_numpy(batch.choice_states)  # (choices)
    targets = torch.from_numpy(batch.targets)  # (choices)
    chosen = logits.index_select(0, torch.from_numpy(batch.choice_rows))  # (choices)
    highest = torch.full((batch.states,), -math.inf).scatter_reduce(
        0, states, chosen.detach(), "amax"
    )
    shifted = chosen - highest.index_select(0, states)
    total = torch.zeros(batch.states).index_add(0, states, shifted.exp())
    log_policy = shifted - total.log().index_select(0, states)
    if kind == "any-good":
        return -(targets * log_policy).sum() / batch.states
    good = (targets > 0).float()
    others = torch.log1p(-log_policy.exp().clamp(max=1 - 1e-6))
    return -(good * log_policy + (1 - good) * others).sum() / batch.states


def logits_of(model: torch.nn.Module, batch: Batch) -> Tensor:
    """The network's output for every action of a batch, schema after schema."""
    lists = (batch.inputs, batch.slots, batch.pool_begin, batch.pool_members)
    result = model(*([torch.from_numpy(array) for array in each] for each in lists))
    assert isinstance(result, Tensor)
    return result


@dataclass
class Progress:
    """What is known of the weights so far; kept in checkpoints."""

    best_weights: dict[str, Tensor] | None = None
    best_score: tuple[float, float] = (-1.0, 0.0)
    """Share of rollouts that reach the goal, then minus their mean cost, or with l1 minus the number of
    weights that are not small."""
    best_cost: float | None = None
    best_epoch: int = 0
    streak: int = 0
    """Epochs in a row in which enough rollouts reached the goal."""
    skipped: list[int] = field(default_factory=list)
    """Problems that no teacher could solve."""
    teachers: dict[int, str] = field(default_factory=dict)
    """By problem, skipped ones apart."""
    clocked: bool = False
    """Was a teacher stopped by a time limit? Then a repetition may give other weights."""


class Trainer:
    """One training run, epoch by epoch; between two epochs it can be saved and restored."""

    def __init__(
        self,
        options: Options,
        structures: list[NetworkStructure],
        files: list[ProblemFile],
        workers: Workers,
        display: Display,
    ) -> None:
        self.options = options
        self.files = [file for file in files if not file.validation]
        self.validation = [file for file in files if file.validation]
        self.workers = workers
        self.display = display
        self.memories = [StateMemory(structures[file.index]) for file in self.files]
        self.signature = structures[0].signature
        torch.manual_seed(seed_of(options.seed, 0))
        self.model = ActionSchemaNetwork(
            self.signature,
            layers=options.layers,
            channels=options.channels,
            extra_inputs=options.extra_inputs,
            skip=options.skip,
            dropout=options.dropout,
            nonlinearity=options.nonlinearity,
        )
        self.policy = copy.deepcopy(self.model).eval()
        """Its weights are a running mean of the model's: they explore, are judged and are written."""
        weights = [p for p in self.model.parameters() if p.ndim > 1]
        biases = [p for p in self.model.parameters() if p.ndim == 1]
        self.optimiser = torch.optim.Adam(
            [
                {"params": weights, "weight_decay": options.l2},
                {"params": biases, "weight_decay": options.l2 * BIAS_SHARE},
            ],
            lr=options.learning_rate,
            fused=True,
        )
        self.epoch = 0
        self.progress = Progress()

    @property
    def taught(self) -> list[ProblemFile]:
        """The problems that are not skipped."""
        return [file for file in self.files if file.index not in self.progress.skipped]

    def finished(self) -> str | None:
        """Why training should end, if it should."""
        if self.progress.streak >= self.options.stop_after:
            return f"{self.progress.streak} epochs in a row with enough successful rollouts"
        if self.epoch >= self.options.epochs:
            return "as many epochs as asked for"
        return None

    def explore(self, deadline: Deadline) -> dict[str, Any]:
        """The first half of an epoch: fill the memories, and judge the present weights by it."""
        begin = time.monotonic()
        explored = self._explore(self.epoch + 1, deadline)
        figures = {"epoch": self.epoch + 1, **self._summary(explored)}
        if self.epoch > 0 and not self.validation:
            self._judge(figures["success"], figures["cost"])
        return figures | {"explore_seconds": time.monotonic() - begin}

    def optimise(self, deadline: Deadline) -> dict[str, Any]:
        """The second half: new weights. Those of an epoch that is not finished do not count."""
        begin = time.monotonic()
        figures = self._optimise(self.epoch + 1, deadline)
        self.epoch += 1
        figures["optimise_seconds"] = time.monotonic() - begin
        if self.validation:
            figures |= self._validate(deadline)
        return figures

    def _explore(self, epoch: int, deadline: Deadline) -> list[tuple[int, Explored]]:
        """What happened, with the problem where it did."""
        seeds = {f.index: seed_of(self.options.seed, 1, epoch, f.index) for f in self.files}
        self.display.stage("exploring", len(self.taught))
        explored: list[tuple[int, Explored]] = []
        calls: dict[int, tuple[Any, ...]]
        if epoch == 1:
            calls = {f.index: (seeds[f.index],) for f in self.files}
            taught = self.workers.ask("teach", calls, deadline, self.display.advance)
            self._skip_hopeless(taught)
            explored += taught.items()
        rollouts = math.ceil(self.options.rollouts / len(self.taught))
        if epoch == 1:
            calls = {f.index: (epoch, rollouts, seeds[f.index]) for f in self.taught}
            explored += self.workers.ask("wander", calls, deadline, self.display.advance).items()
        else:
            weights = self.policy.arrays()
            calls = {f.index: (weights, epoch, rollouts, seeds[f.index]) for f in self.taught}
            explored += self._follow("explore", calls, deadline).items()
        for index, each in explored:
            self.memories[index].append(each.new)
        return explored

    def _follow(self, method: str, calls: dict[int, tuple[Any, ...]], deadline: Deadline) -> Any:
        """Let the workers follow the policy; weights may be finite and its logits not."""
        try:
            return self.workers.ask(method, calls, deadline, self.display.advance)
        except OverflowError as error:
            raise DivergedError(f"{error}; try a lower learning rate") from None

    def _skip_hopeless(self, explored: dict[int, Explored]) -> None:
        for index, each in explored.items():
            if each.report["has_teacher"] and each.report["has_way"]:
                self.progress.teachers[index] = each.report["teacher"]
                continue
            self.progress.skipped.append(index)
            why = (
                "the teacher finds no way to the goal"
                if each.report["has_teacher"]
                else "the teacher reached its limits"
            )
            self.display.warn(f"{self.files[index].path}: skipped, {why}")
        if not any(explored[file.index].report["samples"] for file in self.taught):
            raise NothingToLearnError("no training problem has a choice that a teacher could label")

    def _summary(self, explored: list[tuple[int, Explored]]) -> dict[str, Any]:
        """Figures of an exploration, for all problems together and by problem."""
        reports = [(index, each.report) for index, each in explored]

        def total(name: str) -> Any:
            return sum(report[name] for _, report in reports)

        self.progress.clocked = self.progress.clocked or total("timeouts") > 0
        memories = [self.memories[file.index] for file in self.taught]
        successes = total("successes")
        return {
            "success": successes / max(1, total("rollouts")),
            "success_by_problem": {
                str(self.files[i].path): r["successes"] / r["rollouts"]
                for i, r in reports
                if r["rollouts"]
            },
            "cost": total("cost") / successes if successes else None,
            "rollouts": total("rollouts"),
            "visits": total("visits"),
            "new_samples": total("samples"),
            "duplicates": total("visits") - total("samples"),
            "states": sum(memory.states for memory in memories),
            "samples": sum(memory.samples for memory in memories),
            "memory_bytes": sum(memory.bytes for memory in memories),
            "teacher_searches": total("searches"),
            "given_up": total("given_up"),
            "teacher_seconds": total("teacher_seconds"),
            "policy_seconds": total("policy_seconds"),
            "feature_seconds": total("feature_seconds"),
        }

    def _judge(self, success: float, cost: float | None) -> None:
        """Keep the present weights if none were better."""
        enough = success >= self.options.stop_success
        self.progress.streak = self.progress.streak + 1 if enough else 0
        if self.options.l1 > 0:
            score = (success, -float(weight_count(self.policy.arrays())))
        else:
            score = (success, -(cost if cost is not None else math.inf))
        if self.progress.best_weights is None or score >= self.progress.best_score:
            self.progress.best_score = score
            self.progress.best_cost = cost
            self.progress.best_epoch = self.epoch
            self.progress.best_weights = self.weights()

    def weights(self) -> dict[str, Tensor]:
        return {name: value.clone() for name, value in self.policy.state_dict().items()}

    def _optimise(self, epoch: int, deadline: Deadline) -> dict[str, Any]:
        options = self.options
        for group in self.optimiser.param_groups:
            group["lr"] = options.learning_rate_of(epoch)
        torch.manual_seed(seed_of(options.seed, 2, epoch))  # of dropout
        self.model.train()
        self.display.stage("optimising", options.batches)
        total = 0.0
        for done, batch in enumerate(self._batches(epoch), 1):
            loss = policy_loss(logits_of(self.model, batch), batch, options.loss)
            total += loss.item()
            if options.l1:
                loss = loss + options.l1 * sum(p.abs().sum() for p in self.model.parameters())
            self.optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimiser.step()
            self._average((epoch - 1) * options.batches + done)
            self.display.advance(done)
            deadline.left()
        if not all(torch.isfinite(each).all() for each in self.model.parameters()):
            raise DivergedError(f"the weights diverge in epoch {epoch}; try a lower learning rate")
        return {"loss": total / options.batches}

    def _average(self, batches: int) -> None:
        """After so many batches; a mean of the first few keeps less of what was before."""
        kept = min(self.options.average, batches / (batches + 10))
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.policy.parameters()), list(self.model.parameters()), 1 - kept
            )

    def _batches(self, epoch: int) -> Iterator[Batch]:
        """The batches of an epoch; the next one is put together while one is used."""
        options = self.options
        memories = [self.memories[file.index] for file in self.taught]
        memories = [each for each in memories if each.samples > 0]

        def draw(number: int) -> Batch:
            return sample_batch(
                memories,
                **options.features,
                size=options.batch_size,
                first=number * options.batch_size % len(memories),
                seed=seed_of(options.seed, 3, epoch, number),
            )

        with ThreadPoolExecutor(1) as executor:
            coming = executor.submit(draw, 0)
            for number in range(1, options.batches + 1):
                batch = coming.result()
                if number < options.batches:
                    coming = executor.submit(draw, number)
                yield batch

    def _validate(self, deadline: Deadline) -> dict[str, Any]:
        self.display.stage("validating", len(self.validation))
        weights = self.policy.arrays()
        calls = {
            f.index: (weights, seed_of(self.options.seed, 4, f.index))  # equal luck for all epochs
            for f in self.validation
        }
        runs: dict[int, Validated]
        runs = self._follow("validate", calls, deadline)
        successes = sum(each.successes for each in runs.values())
        success = sum(each.successes / each.rollouts for each in runs.values()) / len(runs)
        cost = sum(each.cost for each in runs.values()) / successes if successes else None
        self._judge(success, cost)
        return {"validation_success": success, "validation_cost": cost}

    def save(self, run: str, seconds: float, deadline: Deadline) -> Checkpoint:
        teachers = self.workers.ask("save_teacher", {f.index: () for f in self.files}, deadline)
        return Checkpoint(
            run,
            self.epoch,
            seconds,
            self.model.state_dict(),
            self.policy.state_dict(),
            self.optimiser.state_dict(),
            vars(self.progress),
            {
                f.index: Saved(self.memories[f.index].since(), *teachers[f.index])
                for f in self.files
            },
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on where a run of the same options and files was; the workers have their part."""
        self.epoch = checkpoint.epoch
        self.model.load_state_dict(checkpoint.model)
        self.policy.load_state_dict(checkpoint.policy)
        self.optimiser.load_state_dict(checkpoint.optimiser)
        self.progress = Progress(**checkpoint.progress)
        for index, saved in checkpoint.problems.items():
            self.memories[index].append(saved.memory)
