"""Fewer weights, the same plans: drop what is small, then whatever the policy can do without.

After each step constants are folded, dead channels are taken out (simplify.py) and what is left is fitted
again to the decisions of the model that came in. A step counts only if the policy then still solves what
it solved, at the same cost.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from asnets import Action, Batch, Features, Model, Network, Observation, Run, Task, TaskPolicy
from asnets.inputs import extra_inputs, features_of
from asnets.intervals import mean_interval
from asnets.limits import Deadline
from asnets.policy import TIE
from asnets_train.model import ActionSchemaNetwork
from asnets_train.simplify import Arrays, Outputs, Weights, numbered, simplified
from asnets_train.trainer import logits_of

MOST_STATES = 200
"""To fit the weights to; rollouts have more."""
FITTED_STEPS = 50
"""So often the policy is tried while it is fitted."""
CLEAR = 0.01
"""Of the mean of -log pi(what is chosen): at most, if that can be had."""
EXACTLY_RANKED = 300
"""So many weights are ranked by what leaving them out does; more than that by their size."""


@dataclass(frozen=True)
class Options:
    tolerance: float = 1e-3
    """Smaller weights are dropped first."""
    rollouts: int = 30
    """Of each probabilistic problem."""
    limit: int = 300
    seed: int = 0
    steps: int = 150
    """Of the optimiser, after weights were dropped."""
    learning_rate: float = 1e-2
    l1: float = 1e-3


@dataclass(frozen=True)
class Judgement:
    """What a policy does on a problem."""

    successes: int
    cost: float
    """Mean, of the successful rollouts."""
    most: float
    """What another policy may cost: the same, or where chance has a say the end of its 95% interval."""


class Problem:
    """A problem that pruned policies must solve."""

    def __init__(self, model: Model, task: Task, options: Options) -> None:
        self._manifest = model.manifest
        self._options = options
        self._structure = model.structure_of(task)
        self.features = Features(self._structure, **features_of(model.manifest))
        self.task = task
        certain = task.is_deterministic and len(task.initial_states) == 1
        self.rollouts = 1 if certain else options.rollouts

    def policy(self, arrays: Arrays) -> TaskPolicy:
        kind = (self._manifest[each] for each in ("layers", "skip", "nonlinearity"))
        return TaskPolicy(Network(self._structure, self.features, arrays, *kind), self.features)

    def runs(self, arrays: Arrays) -> list[Run]:
        policy = self.policy(arrays)
        seeds = range(self._options.seed, self._options.seed + self.rollouts)
        return [policy.run(seed, self._options.limit) for seed in seeds]

    def judge(self, arrays: Arrays) -> Judgement:
        costs = [run.cost for run in self.runs(arrays) if run.reached_goal]
        mean = math.fsum(costs) / len(costs) if costs else math.inf
        interval = mean_interval(costs)
        return Judgement(len(costs), mean, max(mean, interval[1]) if interval else mean)

    def accepts(self, arrays: Arrays, wanted: Judgement) -> bool:
        try:
            found = self.judge(arrays)
        except OverflowError:  # logits that are no numbers
            return False
        return found.successes >= wanted.successes and found.cost <= wanted.most


def _seen(history: Sequence[Action]) -> tuple[frozenset[tuple[Action, int]], Action | None]:
    """What a network may see of it: counts, and the last action."""
    return frozenset(Counter(history).items()), history[-1] if history else None


class Decisions:
    """States on the way of a policy with what it chooses there, all in one batch."""

    def __init__(self, problems: Sequence[Problem], arrays: Arrays, seed: int) -> None:
        seen: dict[Any, tuple[Observation, NDArray[np.bool_]]] = {}
        for number, problem in enumerate(problems):
            network = problem.policy(arrays)
            for run in problem.runs(arrays):
                for step, state in enumerate(run.states[:-1]):
                    history = run.actions[:step]
                    chances = network.probabilities(state, history)
                    key = (number, state, *_seen(history))
                    if len(chances) > 1 and key not in seen:
                        values = np.array(list(chances.values()))
                        best = values >= values.max() * math.exp(-TIE)
                        seen[key] = problem.features.observe(state, history), best
        chosen = list(seen.values())
        order = np.random.default_rng(seed).permutation(len(chosen))[:MOST_STATES]
        self.count = len(order)
        if self.count == 0:
            return
        observations = [chosen[i][0] for i in order]
        self.batch: Batch = problems[0].features.batch(observations)
        self.states = torch.from_numpy(self.batch.choice_states)
        self.rows = torch.from_numpy(self.batch.choice_rows)
        self.good = torch.from_numpy(np.concatenate([chosen[i][1] for i in order]))

    def loss(self, model: ActionSchemaNetwork) -> Tensor:
        """Mean of -log pi(what was chosen)."""
        logits = logits_of(model, self.batch).index_select(0, self.rows)
        good = logits.masked_fill(~self.good, -math.inf)
        return (self._log_sums(logits) - self._log_sums(good)).mean()

    def _log_sums(self, values: Tensor) -> Tensor:
        none = torch.full((self.batch.states,), -math.inf)
        highest = none.scatter_reduce(0, self.states, values.detach(), "amax")
        shifted = (values - highest.index_select(0, self.states)).exp()
        return torch.zeros(self.batch.states).index_add(0, self.states, shifted).log() + highest


class Pruner:
    """One model on its way to fewer weights: `weights` always is the best so far."""

    def __init__(
        self, model: Model, tasks: Sequence[Task], options: Options, say: Callable[[str], None]
    ) -> None:
        self.manifest = model.manifest
        self.options = options
        self.say = say
        self.problems = [Problem(model, task, options) for task in tasks]
        arrays = model.arrays
        self.wanted = [problem.judge(arrays) for problem in self.problems]
        self.decisions = Decisions(self.problems, arrays, options.seed)
        places = numbered(arrays)
        self.weights = simplified(self.manifest, arrays, places)
        if not self._accepts(self.weights.arrays):  # a tie that rounding decides
            self.weights = Weights(arrays, places, outputs_of(self.manifest))

    def run(self, deadline: Deadline) -> None:
        """Prune until nothing can be left out; OutOfTimeError leaves what was reached."""
        self.say(f"{self.weights.size:,} weights, {self.decisions.count} decisions to keep")
        tolerance = self.options.tolerance
        while tolerance > self.options.tolerance / 1000:
            deadline.left()
            if self._try([np.abs(array) < tolerance for array in self.weights.arrays]):
                self.say(f"{self.weights.size:,} weights of at least {tolerance:g}")
                break
            tolerance /= 4
        while self._pass(deadline):
            pass
        self._sharpen()
        self._round(deadline)

    def network(self) -> ActionSchemaNetwork:
        """What was reached, to be exported."""
        return network_of(self.manifest, self.weights)

    def _pass(self, deadline: Deadline) -> bool:
        """Try every weight, many together as long as that works. Was any left out?"""
        before = self.weights.size
        needed: set[int] = set()
        chunk = max(1, before // 4)
        while True:
            order = [each for each in self._ranked() if each not in needed]
            if not order:
                return self.weights.size < before
            deadline.left()
            dropped = order[:chunk]
            if self._try([np.isin(places, dropped) for places in self.weights.places]):
                self.say(f"{self.weights.size:,} weights")
                chunk = min(2 * chunk, max(1, self.weights.size // 4))
            elif chunk > 1:
                chunk //= 2
            else:
                needed.add(dropped[0])

    def _ranked(self) -> list[int]:
        """The places of the weights that are not 0, those that matter least first."""
        ranks = {
            int(place): abs(float(value))
            for array, places in zip(self.weights.arrays, self.weights.places)
            for place, value in zip(places[array != 0], array[array != 0])
        }
        if len(ranks) <= EXACTLY_RANKED and self.decisions.count:
            ranks = {place: self._loss_without(place) for place in ranks}
        return sorted(ranks, key=lambda place: ranks[place])

    def _loss_without(self, place: int) -> float:
        weights = self.weights
        arrays = [np.where(p == place, 0, a) for a, p in zip(weights.arrays, weights.places)]
        return self._loss(replace(weights, arrays=arrays))

    def _try(self, dropped: list[NDArray[np.bool_]]) -> bool:
        """Leave weights out; take the result if the policy does as well."""
        arrays = [np.where(mask, np.float32(0), a) for mask, a in zip(dropped, self.weights.arrays)]
        weights = simplified(self.manifest, arrays, self.weights.places)
        if weights.size >= self.weights.size:
            return False
        return self._takes(weights) or (self.decisions.count > 0 and self._refit(weights))

    def _refit(self, weights: Weights) -> bool:
        """Adam on what is not 0, until the policy does as well or the steps are over."""
        options = self.options
        model = network_of(self.manifest, weights)
        parameters = list(model.parameters())
        masks = [parameter.detach() != 0 for parameter in parameters]
        optimiser = torch.optim.Adam(parameters, lr=options.learning_rate)
        for step in range(1, options.steps + 1):
            for group in optimiser.param_groups:
                group["lr"] = options.learning_rate * (1 - 0.9 * step / options.steps)
            loss = self.decisions.loss(model)
            loss = loss + options.l1 * sum(each.abs().sum() for each in parameters)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            for parameter, mask in zip(parameters, masks):
                assert parameter.grad is not None
                parameter.grad.mul_(mask)
            optimiser.step()
            if step % FITTED_STEPS == 0 or step == options.steps:
                if not math.isfinite(loss.item()):
                    return False
                if self._takes(replace(weights, arrays=model.arrays())):
                    return True
        return False

    def _takes(self, weights: Weights) -> bool:
        if not self._accepts(weights.arrays):
            return False
        self.weights = weights
        return True

    def _accepts(self, arrays: Arrays) -> bool:
        return all(p.accepts(arrays, wanted) for p, wanted in zip(self.problems, self.wanted))

    def _sharpen(self) -> None:
        """Few weights are small ones too, and logits close to each other: ten times the last layer's
        give the same decisions, clearer ones where they are those of before."""
        schemas = len(self.manifest["signature"]["schemas"])
        while self.decisions.count and (loss := self._loss(self.weights)) > CLEAR:
            arrays = self.weights.arrays
            last = [np.float32(10) * array for array in arrays[-2 * schemas :]]
            clearer = replace(self.weights, arrays=[*arrays[: -2 * schemas], *last])
            if self._loss(clearer) >= loss or not self._takes(clearer):
                return

    def _loss(self, weights: Weights) -> float:
        with torch.no_grad():
            return self.decisions.loss(network_of(self.manifest, weights)).item()

    def _round(self, deadline: Deadline) -> None:
        """As few digits as will do."""
        for digits in range(1, 7):
            deadline.left()
            arrays = [rounded(array, digits) for array in self.weights.arrays]
            if self._takes(replace(self.weights, arrays=arrays)):
                self.say(f"digits of a weight: {digits}")
                return


def rounded(array: NDArray[np.float32], digits: int) -> NDArray[np.float32]:
    """To so many significant digits."""
    texts = [f"{float(each):.{digits - 1}e}" for each in array.flat]
    return np.array([float(each) for each in texts], np.float32).reshape(array.shape)


def outputs_of(manifest: dict[str, Any]) -> Outputs:
    """The channels that a model's modules have; one for predicates without modules."""
    sizes = {(m["kind"], m["layer"], m["name"]): m["outputs"] for m in manifest["modules"]}
    signature = manifest["signature"]
    return [
        (
            [sizes["action", layer, each["name"]] for each in signature["schemas"]],
            [sizes.get(("proposition", layer, p["name"]), 1) for p in signature["predicates"]],
        )
        for layer in range(1, manifest["layers"] + 1)
    ]


def network_of(manifest: dict[str, Any], weights: Weights) -> ActionSchemaNetwork:
    """The network in PyTorch."""
    network = ActionSchemaNetwork(
        manifest["signature"],
        layers=manifest["layers"],
        outputs=weights.outputs,
        extra_inputs=extra_inputs(features_of(manifest)),
        skip=manifest["skip"],
        nonlinearity=manifest["nonlinearity"],
    ).eval()
    with torch.no_grad():
        for i, module in enumerate(network.modules_in_order()):
            module.weight.copy_(torch.from_numpy(weights.arrays[2 * i]))
            module.bias.copy_(torch.from_numpy(weights.arrays[2 * i + 1]))
    return network
