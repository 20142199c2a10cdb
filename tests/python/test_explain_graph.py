"""Rollouts with their activations, what could influence a decision, and the graph that is drawn."""

import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import asnets
from asnets import generators
from asnets.errors import UsageError
from asnets.explain.forward import ForwardPass, Values
from asnets.explain.graph import FAR, GroundGraph
from asnets.explain.influence import Influence, Mask, influence
from asnets.explain.layout import positions
from asnets.explain.network import Module, NetworkParts
from asnets.explain.rollout import Rollout
from oracles.slow_network import Setting, task_of
from torch_networks import SETTINGS, export_random


def random_policy(path: Path, domain: str, setting: Setting, channels: int = 4) -> asnets.Policy:
    text = generators.domain_text(domain)
    export_random(path, text, task_of(domain), setting, channels=channels, noise=0.3)
    return asnets.Policy(path)


@pytest.mark.parametrize("domain", ["triangle-tireworld", "gold-miner"])
def test_steps_are_those_of_the_run(domain: str, tmp_path: Path) -> None:
    task = task_of(domain)
    for name in ("default", "necessary actions", "tanh, helpful"):
        policy = random_policy(tmp_path / f"{name}.pt", domain, SETTINGS[name])
        rollout = Rollout(policy, task, seed=4, limit=6)
        run = policy.run(task, 4, 6)
        assert [step.action for step in rollout] == [*run.actions, None]
        assert [step.state for step in rollout] == list(run.states)
        for i, step in enumerate(rollout):
            assert set(step.probabilities) == set(step.state.applicable())
            before = {run.actions[k] for k in range(i) if run.states[k] == step.state}
            untried = [each for each in step.probabilities if each not in before]
            assert step.action is None or step.action == (untried or list(step.probabilities))[0]
            logits = step.activations.logits[[each.index for each in step.probabilities]]
            shares = np.exp(logits - logits.max(initial=-np.inf))
            found = np.array(list(step.probabilities.values()))
            assert found == pytest.approx(shares / shares.sum(), abs=1e-4), (name, i)


def test_schema_without_actions(tmp_path: Path) -> None:
    """No location has a spare tire."""
    problem = """(define (problem p) (:domain triangle-tire) (:objects a b - location)
      (:init (not-flattire) (vehicle-at a) (road a b)) (:goal (vehicle-at b)))"""
    task = asnets.ground_text(generators.domain_text("triangle-tireworld"), problem)
    policy = random_policy(tmp_path / "model.pt", "triangle-tireworld", Setting())
    rollout = Rollout(policy, task)
    first, last = rollout
    assert [each.shape for each in first.inputs] == [(0, 11), (1, 13)]
    assert last.action is None
    found = influence(rollout.parts, rollout.structure, first.probabilities)
    assert all(mask.all() for mask in found.actions[-1])
    assert len(GroundGraph(task, rollout.structure).nodes) == 1 + 4


class Disturbed(ForwardPass):
    """Adds noise to what modules give, by kind, layer and index."""

    def __init__(self, rollout: Rollout) -> None:
        seen = rollout.features.observe(rollout.run.states[0])
        super().__init__(rollout.parts, rollout.features.batch([seen]))
        self.noise: dict[tuple[str, int, int], Values] = {}

    def _applied(self, module: Module, vectors: Values, last: bool) -> Values:
        values = super()._applied(module, vectors, last)
        return values + self.noise.get((module.kind, module.layer, module.index), 0)


def sparse(parts: NetworkParts, share: float) -> None:
    """Leaves only a share of the weights."""
    rng = np.random.default_rng(0)
    for module in parts.modules:
        module.weight[rng.random(module.weight.shape) > share] = 0


def masks_of(found: Influence) -> dict[tuple[str, int, int], Mask]:
    """By kind, layer and index."""
    result = {}
    for layer, actions in enumerate(found.actions):
        result |= {("action", layer + 1, s): mask for s, mask in enumerate(actions)}
    for layer, propositions in enumerate(found.propositions):
        result |= {("proposition", layer + 1, p): mask for p, mask in propositions.items()}
    return result


@pytest.mark.parametrize("domain", ["blocksworld", "triangle-tireworld", "cosanostra-pizza"])
def test_the_rest_has_no_influence(domain: str, tmp_path: Path) -> None:
    """Noise in all of it changes no logit of an applicable action."""
    rng = np.random.default_rng(1)
    task = task_of(domain)
    for (name, setting), share in product(SETTINGS.items(), (0.04, 0.2, 1)):
        path = tmp_path / f"{name}.pt"
        policy = asnets.Policy(path) if path.exists() else random_policy(path, domain, setting)
        rollout = Rollout(policy, task, limit=1)
        sparse(rollout.parts, share)
        step = rollout[0]
        found = influence(rollout.parts, rollout.structure, step.probabilities)
        applicable = [each.index for each in step.probabilities]
        network = Disturbed(rollout)
        before = network(step.inputs).logits[applicable]
        network.noise = {key: rng.normal(0, 9, m.shape) * ~m for key, m in masks_of(found).items()}
        inputs = [
            each.reshape(mask.shape) + rng.normal(0, 9, mask.shape).astype(np.float32) * ~mask
            for each, mask in zip(step.inputs, found.inputs)
        ]
        after = network(inputs).logits[applicable]
        assert after == pytest.approx(before, abs=1e-9), (name, share)


@pytest.mark.parametrize("skip", [True, False])
@pytest.mark.parametrize("pooling", ["slot", "schema"])
def test_influence_channel_by_channel(pooling: str, skip: bool, tmp_path: Path) -> None:
    """Where all weights are positive and nothing is cut off, a large value shows wherever it can."""
    task = task_of("triangle-tireworld", 1)
    setting = Setting(skip=skip, pooling=pooling, nonlinearity="relu")  # type: ignore[arg-type]
    policy = random_policy(tmp_path / "model.pt", "triangle-tireworld", setting, channels=3)
    rollout = Rollout(policy, task, limit=1)
    sparse(rollout.parts, 0.25)
    for module in rollout.parts.modules:
        np.abs(module.weight, out=module.weight)
        np.abs(module.bias, out=module.bias)
    step = rollout[0]
    applicable = [each.index for each in step.probabilities]
    network = Disturbed(rollout)
    before = network(step.inputs).logits[applicable]
    seen = set()
    found = influence(rollout.parts, rollout.structure, step.probabilities)
    for key, mask in masks_of(found).items():
        for place in np.ndindex(mask.shape):
            noise = np.zeros(mask.shape)
            noise[place] = 1e6
            network.noise = {key: noise}
            changes = not np.allclose(network(step.inputs).logits[applicable], before)
            assert changes == mask[place], (key, place)
            seen.add(changes)
    assert seen == {True, False}


@pytest.mark.parametrize("domain", generators.names())
def test_graph(domain: str) -> None:
    """Every slot leads to the proposition that it names, also to those that are never true."""
    task = task_of(domain)
    structure = asnets.NetworkStructure(task)
    graph = GroundGraph(task, structure)
    assert [node.name for node in graph.nodes[: len(task.actions)]] == [
        a.name for a in task.actions
    ]
    assert len({(node.kind, node.name) for node in graph.nodes}) == len(graph.nodes)
    edges = {(action, slot): node for action, slot, node in graph.edges.tolist()}
    for action in task.actions:
        schema = structure.signature["schemas"][action.schema.index]
        objects = dict(zip(schema["parameters"], action.arguments))
        for i, slot in enumerate(schema["slots"]):
            predicate = structure.signature["predicates"][slot["predicate"]]["name"]
            words = [predicate, *(objects.get(term, term) for term in slot["terms"])]
            node = graph.nodes[edges.pop((action.index, i))]
            assert (node.kind, node.name) == ("proposition", " ".join(words))
    assert not edges
    known = {each.name for each in task.propositions}
    never = [n for n in graph.nodes if n.kind == "proposition" and n.name not in known]
    assert bool(never) == (domain == "gold-miner")


def test_distances() -> None:
    """From a car's first move: its propositions, the actions of these, but not by way of the tire."""
    task = task_of("triangle-tireworld", 3)
    graph = GroundGraph(task, asnets.NetworkStructure(task))
    found = dict(zip((n.name for n in graph.nodes), graph.distances([_index(task, "l-1-1 l-1-2")])))
    assert [n.name for n, hub in zip(graph.nodes, graph.is_hub) if hub] == ["not-flattire"]
    assert found["move-car l-1-1 l-1-2"] == 0
    assert found["vehicle-at l-1-2"] == found["not-flattire"] == found["road l-1-1 l-1-2"] == 1
    assert found["move-car l-1-2 l-1-3"] == found["move-car l-1-1 l-2-1"] == 2
    assert found["vehicle-at l-1-3"] == 3
    assert found["move-car l-1-3 l-1-4"] == 4
    assert FAR not in found.values()
    assert set(graph.distances([])) == {FAR}


def _index(task: asnets.Task, arguments: str) -> int:
    return task.action(f"move-car {arguments}").index


@pytest.mark.parametrize("domain", generators.names())
def test_positions(domain: str) -> None:
    """The same every time, none at the place of another."""
    task = task_of(domain)
    graph = GroundGraph(task, asnets.NetworkStructure(task))
    nodes = np.arange(min(150, len(graph.nodes)))
    points = positions(graph, nodes)
    assert np.array_equal(points, positions(graph, nodes))
    apart = np.linalg.norm(points[:, None] - points[None], axis=2) + 9 * np.eye(len(points))
    assert apart.min() > 0.7
    assert points.std(axis=0)[0] >= points.std(axis=0)[1] / 2
    for few in range(4):
        assert np.isfinite(positions(graph, nodes[:few])).all()


def test_libraries_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    task = task_of("blocksworld")
    graph = GroundGraph(task, asnets.NetworkStructure(task))
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(UsageError, match=r"^this needs networkx: pip install 'asnets\[explain\]'$"):
        positions(graph, np.arange(3))
