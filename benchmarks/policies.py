"""Policies: the native network next to TorchScript and PyTorch, and plans next to LAMA's.

    python -m benchmarks.policies [--quick]

Microseconds a state, on one core, over the first states of a trajectory: the network alone, and with
what it sees (LM-cut is most of that). TorchScript and PyTorch get the arrays of a state that somebody
else has put together, with one thread. All take turns; numbers are medians of the rounds.

Then whole commands, wall time from start to end: `asnets plan` against Fast Downward 26.6's lama-first,
which translates and searches, on problems that the policy has not seen. The policy is trained first, on 25
problems of 8 to 10 blocks, and kept in build/.
"""

import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median

import torch

import asnets
from asnets import generators
from asnets.plans import read_plan
from asnets_train.model import ActionSchemaNetwork
from asnets_train.options import Options
from benchmarks import measure
from oracles import fast_downward
from oracles.corpus import Files

NATIVE_TARGET = 10  # times TorchScript, at 50 blocks
PLAN_TARGET = 3  # times lama-first
COST_TARGET = 0.5  # of its plan's cost
STATES = 40
ROUNDS = 5

MODEL = "blocksworld"  # that ships


@dataclass(frozen=True)
class Times:
    """Microseconds a state."""

    features: float
    native: float
    script: float
    eager: float


def untrained(domain: str) -> ActionSchemaNetwork:
    """Random weights: they change nothing about the time."""
    task = asnets.ground_text(
        generators.domain_text(domain), generators.generate(domain, 3, seed=1)
    )
    torch.manual_seed(0)
    signature = asnets.NetworkStructure(task).signature
    extra_inputs = Options().extra_inputs
    return ActionSchemaNetwork(signature, extra_inputs=extra_inputs, dropout=0.0).eval()


def seconds_of(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def state_times(domain: str, size: int) -> tuple[int, Times]:
    """The number of actions, and what a state takes."""
    model = untrained(domain)
    task = asnets.ground_text(
        generators.domain_text(domain), generators.generate(domain, size, seed=1)
    )
    structure = asnets.NetworkStructure(task)
    features = asnets.Features(structure, **Options().features)
    network = asnets.Network(structure, features, model.arrays(), 2)
    policy = asnets.TaskPolicy(network, features)
    run = policy.run(limit=STATES)
    batches = [features.batch([features.observe(state)]) for state in run.states[:-1]]
    tensors = [
        [[torch.from_numpy(array) for array in each] for each in lists]
        for b in batches
        for lists in [(b.inputs, b.slots, b.pool_begin, b.pool_members)]
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        script = torch.jit.freeze(torch.jit.script(model))
    rounds = []
    with torch.inference_mode():
        for each in tensors[:5]:  # TorchScript compiles at its first calls
            script(*each)
        for _ in range(ROUNDS):
            again = policy.run(limit=STATES)
            scripted = seconds_of(lambda: [script(*each) for each in tensors])
            eager = seconds_of(lambda: [model(*each) for each in tensors])
            times = (again.seconds["features"], again.seconds["network"], scripted, eager)
            rounds.append([1e6 * each / len(tensors) for each in times])
    return len(task.actions), Times(*map(median, zip(*rounds)))


def compare_states(quick: bool) -> None:
    sizes = [("blocksworld", size) for size in ((10, 50) if quick else (10, 25, 50, 100, 200))]
    sizes += [] if quick else [("triangle-tireworld", 20)]
    print(
        f"{'microseconds a state':24}{'actions':>9}{'features':>10}{'native':>9}{'a 1000':>8}"
        f"{'TorchScript':>13}{'PyTorch':>10}  TorchScript / native"
    )
    for domain, size in sizes:
        actions, found = state_times(domain, size)
        ratio = found.script / found.native
        whole = (found.features + found.script) / (found.features + found.native)
        goal = measure.verdict(ratio, NATIVE_TARGET) if size == 50 else f"{ratio:.1f}x"
        print(
            f"{domain + ' ' + str(size):24}{actions:9,}{found.features:10.1f}{found.native:9.1f}"
            f"{1000 * found.native / actions:8.1f}{found.script:13.1f}{found.eager:10.1f}"
            f"  {goal}, with features {whole:.1f}x",
            flush=True,
        )


@dataclass(frozen=True)
class Plan:
    seconds: float
    cost: float | None  # None: not found
    phases: dict[str, float]


def ours(files: Files, folder: Path) -> Plan:
    plan, figures = folder / "ours.plan", folder / "figures.json"
    for file in (plan, figures):
        file.unlink(missing_ok=True)
    command = [sys.executable, "-m", "asnets", "plan", *map(str, files.paths), "-m", MODEL]
    command += ["--plan-file", str(plan), "--json", str(figures), "--limit", "2000"]
    wall = seconds_of(lambda: subprocess.run(command, check=False, capture_output=True))
    cost = read_plan(plan.read_text()).cost if plan.exists() else None
    phases = json.loads(figures.read_text())["seconds"] if figures.exists() else {}
    return Plan(wall, cost, phases)


def lama(files: Files, folder: Path) -> Plan:
    found = fast_downward.folder()
    if found is None:
        sys.exit("up-fast-downward is not installed")
    driver = found.parents[2] / "fast-downward.py"
    plan = folder / "lama.plan"
    plan.unlink(missing_ok=True)
    command = [sys.executable, str(driver), "--alias", "lama-first", "--plan-file", str(plan)]
    command += map(str, files.paths)
    wall = seconds_of(lambda: subprocess.run(command, check=False, capture_output=True, cwd=folder))
    return Plan(wall, read_plan(plan.read_text()).cost if plan.exists() else None, {})


def compare_plans(quick: bool) -> None:
    problems = [(50, seed) for seed in range(100, 102 if quick else 110)]
    problems += [] if quick else [(100, 100)]
    print(
        f"{'plans':18}{'asnets plan':>12}{'lama-first':>12}{'ratio':>8}{'cost':>7}{'LAMA':>7}{'ratio':>7}"
    )
    ratios: dict[int, list[tuple[float, float]]] = {}
    phases: dict[str, list[float]] = {}
    missing: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for size, seed in problems:
            problem = folder / f"p{size}-{seed}.pddl"
            problem.write_text(generators.generate("blocksworld", size, seed=seed))
            files = Files(generators.domain_path("blocksworld"), problem)
            runs = measure.take_turns(
                (lambda f=files: ours(f, folder), lambda f=files: lama(f, folder)),
                lambda plan: plan.seconds,
            )
            us, they = (measure.middle(own, lambda plan: plan.seconds) for own in runs)
            if us.cost is None or they.cost is None:
                who = "asnets plan" if us.cost is None else "lama-first"
                missing[size] = missing.get(size, 0) + (us.cost is None)
                print(f"blocksworld {size}-{seed}: no plan by {who}", flush=True)
                continue
            if size == 50:
                parts = sum(us.phases.values()) - us.phases["features"] - us.phases["network"]
                whole = {"start and end of Python": us.seconds - parts, "all": us.seconds}
                for name, seconds in (us.phases | whole).items():
                    phases.setdefault(name, []).append(seconds)
            pair = they.seconds / us.seconds, us.cost / they.cost
            ratios.setdefault(size, []).append(pair)
            print(
                f"blocksworld {size}-{seed:3}{us.seconds:11.3f}s{they.seconds:11.3f}s{pair[0]:7.1f}x"
                f"{us.cost:7.0f}{they.cost:7.0f}{pair[1]:7.2f}",
                flush=True,
            )
    for size, count in missing.items():
        print(f"{size} blocks: {count} problems that asnets plan did not solve MISS")
    for size, pairs in ratios.items():
        speed, cost = (geometric_mean(each) for each in zip(*pairs))
        reached = "pass" if cost <= COST_TARGET else "MISS"
        print(
            f"{size} blocks, geometric means of {len(pairs)}: {measure.verdict(speed, PLAN_TARGET)}; "
            f"cost {cost:.2f} of at most {COST_TARGET} {reached}"
        )
    listed = ", ".join(f"{name} {1000 * median(each):.1f}" for name, each in phases.items())
    print(f"50 blocks, milliseconds (median): {listed}")


def run(options: measure.Options) -> None:
    torch.set_num_threads(1)
    compare_states(options.quick)
    print()
    compare_plans(options.quick)


if __name__ == "__main__":
    measure.main(__doc__ or "", run)
