"""Pruning: simplified networks compute the same, pruned policies act as well, nothing dead is left."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import asnets
from asnets import generators
from asnets.explain.equations import Dependencies, Writer, key_of
from asnets.explain.network import NetworkParts
from asnets.explain.notation import as_text
from asnets.inputs import features_of
from asnets_train.export import export_model
from asnets_train.prune import rounded
from asnets_train.simplify import numbered, simplified
from oracles.equation_reader import Decision, Equations, flags_of
from oracles.slow_network import task_of
from torch_networks import SETTINGS, Walk, export_random, model_of
from training import problem_files, train


@pytest.mark.parametrize("domain", generators.names())
def test_simplified_networks_compute_the_same(domain: str, tmp_path: Path) -> None:
    """Up to a number that is added to all logits; every channel that is left has a say."""
    task = task_of(domain)
    generator = torch.Generator().manual_seed(1)
    for name, setting in SETTINGS.items():
        path = tmp_path / "m.pt"
        signature = asnets.NetworkStructure(task, setting.pooling).signature
        model = model_of(signature, setting, channels=4).eval()
        with torch.no_grad():
            for each in model.parameters():
                kept = torch.rand(each.shape, generator=generator) < 0.1
                each.copy_(torch.randn(each.shape, generator=generator) * kept)
        export_model(
            model, path, signature=signature, features=setting.features, pooling=setting.pooling,
            domain_name=task.domain_name, domain_text=generators.domain_text(domain), training={},
        )  # fmt: skip
        read = asnets.read_model(path)
        arrays = read.arrays
        found = simplified(read.manifest, arrays, numbered(arrays))
        assert found.size <= sum(int(np.count_nonzero(each)) for each in arrays)
        walk = Walk(task, setting, 3)
        for before, after in zip(walk.native(arrays, setting), walk.native(found.arrays, setting)):
            shifts = np.array(after) - np.array(before)
            assert shifts == pytest.approx(np.full(len(shifts), shifts[0]), abs=1e-4), name
        check_nothing_dead(read.manifest, found.arrays)


def check_nothing_dead(manifest: dict[str, object], arrays: list[np.ndarray]) -> None:
    parts = NetworkParts(manifest, arrays)
    dependencies = Dependencies(parts)
    for module in parts.modules:
        live = dependencies.live[key_of(module)]
        assert live.all() or (len(live) == 1 and not module.weight.any() and not module.bias.any())
        for channel in range(module.channels):
            for _, source in dependencies.inputs(module, channel):
                if source.kind in ("own", "slot"):  # what is constant was folded
                    (origin,) = dependencies.origins(module, source)
                    least, greatest = dependencies.bounds[origin][source.channel]
                    assert least < greatest


def test_places_stay_with_their_weights(tmp_path: Path) -> None:
    task = task_of("blocksworld")
    setting = SETTINGS["default"]
    export_random(tmp_path / "m.pt", generators.domain_text("blocksworld"), task, setting)
    read = asnets.read_model(tmp_path / "m.pt")
    arrays = read.arrays
    arrays[0][3:] = arrays[1][3:] = 0  # of the first schema's channels three are left
    found = simplified(read.manifest, arrays, numbered(arrays))
    before = np.concatenate([each.ravel() for each in arrays])
    assert found.size > 10_000
    for array, places in zip(found.arrays[::2], found.places[::2]):  # biases have changed
        assert np.array_equal(array[array != 0], before[places[array != 0]])


def test_rounding() -> None:
    values = np.array([[0.0, 1.2345, -0.00098765]], np.float32)
    assert rounded(values, 2).tolist() == np.array([[0, 1.2, -0.00099]], np.float32).tolist()


@pytest.fixture(scope="module")
def tireworld(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path], Path]:
    """A domain, problems, and a model that solves them."""
    folder = tmp_path_factory.mktemp("tireworld")
    domain, problems = problem_files(folder, "triangle-tireworld", [1, 2, 3])
    quick = [
        "--batches",
        "100",
        "--epochs",
        "3",
        "--rollouts",
        "12",
        "--workers",
        "1",
        "--channels",
        "4",
    ]
    end = train(domain, *problems, "-o", folder / "tt.pt", *quick)
    assert end.returncode == 0, end.stderr
    return domain, problems[1:], folder / "tt.pt"


def prune(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "asnets", "prune", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1000)


def test_pruned_policies_act_as_well(
    tireworld: tuple[Path, list[Path], Path], tmp_path: Path
) -> None:
    domain, problems, model = tireworld
    small = tmp_path / "small.pt"
    end = prune(model, domain, *problems, "-o", small, "--rollouts", 20, "--steps", 30)
    assert end.returncode == 0, end.stderr
    before, after = asnets.read_model(model), asnets.read_model(small)
    size = sum(int(np.count_nonzero(each)) for each in after.arrays)
    assert 0 < size < 30
    assert f"{small}: {size} weights that are not 0" in end.stdout
    record = after.manifest["training"]
    assert record["pruned"]["weights"] == size
    assert record["problems"] == before.manifest["training"]["problems"]
    check_nothing_dead(after.manifest, after.arrays)
    parts = NetworkParts.of(after)
    text = as_text(parts, Writer(parts, after.domain_text).layers())
    for backend in ("native", "torchscript"):
        policy = asnets.Policy(small, backend=backend)
        for problem in problems:
            task = asnets.ground(domain, problem)
            runs = [policy.run(task, seed) for seed in range(20)]
            assert all(run.reached_goal for run in runs)
            check_text(text, parts, after, task, runs)


def check_text(
    text: str,
    parts: NetworkParts,
    model: asnets.Model,
    task: asnets.Task,
    runs: list[asnets.Run],
) -> None:
    """The printed equations decide as the policy does, in every state of its runs."""
    equations = Equations(text, parts.layers + 1)
    features = asnets.Features(model.structure_of(task), **features_of(model.manifest))
    for run in runs:
        for step, (state, action) in enumerate(zip(run.states, run.actions)):
            inputs = features.batch([features.observe(state, run.actions[:step])]).inputs
            decision = Decision(equations, task, state, flags_of(parts.flags, task, inputs))
            applicable = state.applicable()
            logits = np.array([decision.logit(each) for each in applicable])
            assert applicable[int(np.argmax(logits >= logits.max() - 1e-4))] == action


def test_an_interrupted_run_writes_what_it_reached(
    tireworld: tuple[Path, list[Path], Path], tmp_path: Path
) -> None:
    domain, problems, model = tireworld
    small = tmp_path / "small.pt"
    command = [sys.executable, "-m", "asnets", "prune", model, domain, *problems, "-o", small]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(3):  # weights are being left out
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert process.wait() == 130
    after = asnets.read_model(small)
    assert after.manifest["training"]["pruned"]["end"] == "interrupted"
    policy = asnets.Policy(small)
    for problem in problems:
        assert policy.run(asnets.ground(domain, problem)).reached_goal


def test_what_cannot_be_pruned(tireworld: tuple[Path, list[Path], Path], tmp_path: Path) -> None:
    domain, problems, model = tireworld
    out = tmp_path / "out.pt"
    blocks, tasks = problem_files(tmp_path, "blocksworld", [3])
    end = prune(model, blocks, *tasks, "-o", out)
    assert end.returncode == 33
    assert end.stderr.startswith(f"{model}: not for this domain: schema")
    end = prune(model, domain, *problems, "-o", model)
    assert end.returncode == 2
    assert end.stderr == f"{model}: would be written, but is also given to be read\n"
    end = prune(model, domain, *problems, "-o", out, "--limit", 1)
    assert end.returncode == 12
    assert end.stderr == f"{model} solves none of the problems: nothing to keep\n"
    assert not out.exists()
