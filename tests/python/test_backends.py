"""The native network, its TorchScript archive and the PyTorch model choose the same actions with the same
probabilities, on every state of whole trajectories."""

import dataclasses
import math
import random
from pathlib import Path
from typing import Any

import pytest
import torch

import asnets
from asnets import generators
from model_files import make_model
from oracles.slow_network import Setting, task_of
from torch_networks import SETTINGS, export_random, tensors_of

TIE_BAND = 1e-4
STEPS = 40


class Backends:
    """One network, three ways to run it."""

    def __init__(self, path: Path, domain: str, setting: Setting, **options: Any) -> None:
        self.domain = domain
        self.setting = setting
        text = generators.domain_text(domain)
        self.model = export_random(path, text, task_of(domain), setting, **options)
        self.native = asnets.Policy(path)
        self.script = asnets.Policy(path, backend="torchscript")

    def compare(self, task: asnets.Task, *, sample: bool) -> None:
        run = self.native.run(task, 3, STEPS, sample, avoid_loops=False)
        structure = asnets.NetworkStructure(task, self.setting.pooling)
        features = asnets.Features(structure, **self.setting.features)
        for step, state in enumerate(run.states):
            with torch.no_grad():
                batch = features.batch([features.observe(state, run.actions[:step])])
                logits = self.model(*tensors_of(batch))
            applicable = state.applicable()
            choices = logits[[action.index for action in applicable]]
            expected = dict(zip(applicable, choices.softmax(0).tolist()))
            for policy in (self.native, self.script):
                found = policy.probabilities(task, state, run.actions[:step])
                assert found == pytest.approx(expected, abs=1e-4)
            if step == len(run):
                break
            if not sample:
                check_best(dict(zip(applicable, choices.tolist())), run.actions[step])
        again = self.script.run(task, 3, STEPS, sample, avoid_loops=False)
        assert (again.actions, again.states, again.end) == (run.actions, run.states, run.end)


def check_best(logits: dict[asnets.Action, float], chosen: asnets.Action) -> None:
    """The first action within the band of the best one is chosen; rounding may matter at its edge."""
    edge = max(logits.values()) - TIE_BAND
    assert logits[chosen] > edge - TIE_BAND / 10
    for action, logit in logits.items():
        if action == chosen:
            break
        assert logit < edge + TIE_BAND / 10


@pytest.mark.parametrize("domain", generators.names())
def test_every_domain(tmp_path: Path, domain: str) -> None:
    backends = Backends(tmp_path / "m.pt", domain, Setting())
    for seed, sample in ((1, False), (2, True)):
        backends.compare(task_of(domain, seed=seed), sample=sample)


@pytest.mark.parametrize("name", SETTINGS)
def test_every_ablation(tmp_path: Path, name: str) -> None:
    backends = Backends(tmp_path / "m.pt", "blocksworld", SETTINGS[name], channels=6)
    backends.compare(task_of("blocksworld"), sample=False)


@pytest.mark.parametrize(
    ("channels", "layers"), [(1, 1), (3, 2), (7, 3), (8, 4), (9, 2), (17, 1), (24, 3), (33, 4)]
)
def test_every_size(tmp_path: Path, channels: int, layers: int) -> None:
    setting = dataclasses.replace(Setting(), layers=layers)
    # Logits of a thousand, which wide and deep networks would have else, are rounded to 1e-4 themselves.
    noise = 0.2 / math.sqrt(channels)
    backends = Backends(tmp_path / "m.pt", "gold-miner", setting, channels=channels, noise=noise)
    backends.compare(task_of("gold-miner"), sample=False)


def test_modules_of_different_sizes(tmp_path: Path) -> None:
    rng = random.Random(2)
    sizes = [
        ([rng.randint(1, 20) for _ in range(4)], [rng.randint(1, 20) for _ in range(5)])
        for _ in range(3)
    ]
    setting = dataclasses.replace(Setting(), layers=3)
    backends = Backends(tmp_path / "m.pt", "blocksworld", setting, outputs=sizes)
    backends.compare(task_of("blocksworld", 5), sample=True)


def test_unknown_backend(tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    Backends(path, "blocksworld", Setting())
    with pytest.raises(ValueError, match='unknown backend "cuda"; known are native, torchscript'):
        asnets.Policy(path, backend="cuda")  # type: ignore[arg-type]


def test_archive_that_torch_cannot_load(tmp_path: Path) -> None:
    path = make_model("blocksworld").write(tmp_path / "plain.pt")
    asnets.Policy(path)
    with pytest.raises(asnets.ModelError, match=r"plain.pt: torch cannot load its archive: "):
        asnets.Policy(path, backend="torchscript")
