"""The benchmarks' plain network is the trainer's network, else their ratio would mean nothing."""

import importlib
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
import torch

import asnets

torch.set_num_threads(1)  # small tensors are not worth a second one

SMALL = {
    "blocksworld": ((3, 0, {}), (5, 0, {})),
    "triangle-tireworld": ((1, 0, {}), (2, 0, {})),
    "gold-miner": ((4, 0, {}), (4, 1, {})),
}


@pytest.fixture
def training(root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(root)
    return importlib.import_module("benchmarks.training")


@pytest.mark.parametrize("name", SMALL)
def test_both_networks_give_the_same_loss(training: ModuleType, name: str, tmp_path: Path) -> None:
    (domain,) = (each for each in training.DOMAINS if each.folder == name)
    files = replace(domain, few=SMALL[name]).write(tmp_path, few=True)
    model = training.new_model(files)
    plain = training.PlainNetwork(model)
    memories = training.memories_of(files, model)
    batch = asnets.sample_batch(memories, **training.OPTIONS.features, size=7)
    indices = [training.indices_of(memory, model.signature) for memory in memories]
    samples = training.samples_of(batch, indices)
    assert len(samples) == 7
    assert training.difference(model, plain, batch, samples) < training.TOLERANCE

    with torch.no_grad():
        plain.linears[0].weight.mul_(1.1)
    assert training.difference(model, plain, batch, samples) > training.TOLERANCE


def test_training_problems_are_those_of_the_article(training: ModuleType) -> None:
    counts = {each.folder: len(each.problems) for each in training.DOMAINS}
    assert counts == {"blocksworld": 25, "triangle-tireworld": 3, "gold-miner": 17}
