"""Printed equations, worked out from their text, against the network that they describe."""

from pathlib import Path

import pytest
import torch

import asnets
from asnets import generators
from asnets.explain.equations import Writer
from asnets.explain.network import NetworkParts
from asnets.explain.notation import as_text
from asnets_train.export import export_model
from oracles.equation_reader import Decision, Equations
from oracles.slow_network import Setting, task_of
from torch_networks import SETTINGS, Walk, export_random, model_of


def sparse_model(
    path: Path, domain: str, task: asnets.Task, setting: Setting, share: float
) -> None:
    """Most weights are 0, the others have two digits."""
    signature = asnets.NetworkStructure(task, setting.pooling).signature
    generator = torch.Generator().manual_seed(4)
    model = model_of(signature, setting, channels=3).eval()
    with torch.no_grad():
        for each in model.parameters():
            kept = torch.rand(each.shape, generator=generator) < share
            values = torch.randn(each.shape, generator=generator) * 0.7
            each.copy_(((values * 100).round() / 100) * kept)
    export_model(
        model, path, signature=signature, features=setting.features, pooling=setting.pooling,
        domain_name=task.domain_name, domain_text=domain, training={},
    )  # fmt: skip


def check(path: Path, task: asnets.Task, setting: Setting, steps: int = 4) -> str:
    """The text's decisions on the states of a walk are the network's."""
    model = asnets.read_model(path)
    parts = NetworkParts.of(model)
    text = as_text(parts, Writer(parts, model.domain_text).layers())
    equations = Equations(text, parts.layers + 1)
    walk = Walk(task, setting, steps)
    for state, seen, logits in zip(walk.states, walk.seen, walk.native(model.arrays, setting)):
        inputs = walk.features.batch([seen]).inputs
        rows = [row for schema in inputs for row in schema]
        flags = {
            (action.schema.name, *action.arguments): dict(
                zip(parts.flags, row[len(row) - len(parts.flags) :].tolist())
            )
            for action, row in zip(task.actions, rows, strict=True)
        }
        decision = Decision(equations, task, state, flags)
        for action in state.applicable():
            expected = logits[action.index]
            assert decision.logit(action) == pytest.approx(expected, rel=1e-4, abs=1e-4), text
    return text


@pytest.mark.parametrize("domain", generators.names())
def test_equations_are_the_network(domain: str, tmp_path: Path) -> None:
    task = task_of(domain)
    for name, setting in SETTINGS.items():
        path = tmp_path / f"{name}.pt"
        sparse_model(path, generators.domain_text(domain), task, setting, 0.15)
        check(path, task, setting)
    export_random(path, generators.domain_text(domain), task, Setting(), channels=2, noise=0.05)
    check(path, task, Setting(), 2)
