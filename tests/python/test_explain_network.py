"""The parts of a model and its activations, against the native network."""

from pathlib import Path

import pytest

import asnets
from asnets import generators
from asnets.explain.forward import ForwardPass
from asnets.explain.network import NetworkParts
from oracles.slow_network import task_of
from torch_networks import SETTINGS, Walk, export_random


@pytest.mark.parametrize("domain", generators.names())
def test_logits(domain: str, tmp_path: Path) -> None:
    task = task_of(domain)
    for name, setting in SETTINGS.items():
        path = tmp_path / f"{name}.pt"
        text = generators.domain_text(domain)
        own = export_random(path, text, task, setting, channels=3, noise=0.05)
        parts = NetworkParts.of(asnets.read_model(path))
        walk = Walk(task, setting, 4)
        batch = walk.features.batch([walk.seen[-1]])
        native = walk.native(own.arrays(), setting)[-1]
        found = ForwardPass(parts, batch)(batch.inputs)
        assert found.logits == pytest.approx(native, rel=1e-4, abs=1e-4), name
        assert [m.kind for m in parts.modules] == [m.kind for m in own.modules_in_order()]
        assert all(len(m.sources) == m.weight.shape[1] for m in parts.modules)
