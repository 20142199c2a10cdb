"""Reasons of a decision: exact recomputation, checked against states and networks made for it."""

from pathlib import Path

import numpy as np
import pytest
import torch

import asnets
from asnets import generators
from asnets.errors import UsageError
from asnets.explain.reasons import decision, words
from asnets.explain.rollout import Rollout
from asnets_train.export import export_model
from asnets_train.model import ActionSchemaNetwork
from oracles.slow_network import Setting, task_of
from torch_networks import SETTINGS, export_random, model_of

DOMAIN = """(define (domain doors)
  (:predicates (at ?r) (open ?r) (treasure ?r))
  (:action enter :parameters (?r) :precondition (open ?r) :effect (at ?r)))"""
PROBLEM = """(define (problem two) (:domain doors) (:objects left right - object)
  (:init (open left) (open right) (treasure right)) (:goal (at right)))"""


def weights(model: ActionSchemaNetwork, found: dict[tuple[int, str, int], float]) -> None:
    """All weights are 0 but those of (layer, module, input), from its first channel to its first."""
    with torch.no_grad():
        for module in model.modules_in_order():
            module.weight.zero_()
            module.bias.zero_()
            for (layer, name, column), value in found.items():
                if (layer, name) == (module.layer, module.name):
                    module.weight[0, column] = value


def policy_with(path: Path, found: dict[tuple[int, str, int], float]) -> asnets.Policy:
    task = asnets.ground_text(DOMAIN, PROBLEM)
    signature = asnets.NetworkStructure(task).signature
    setting = Setting(layers=1, landmarks="article")
    model = model_of(signature, setting, channels=1).eval()
    weights(model, found)
    export_model(
        model, path, signature=signature, features=setting.features, pooling=setting.pooling,
        domain_name="doors", domain_text=DOMAIN, training={},
    )  # fmt: skip
    return asnets.Policy(path)


def test_the_input_that_decides(tmp_path: Path) -> None:
    """enter's slots are open and at; only the goal of at is looked at, by the skip connection."""
    task = asnets.ground_text(DOMAIN, PROBLEM)
    policy = policy_with(tmp_path / "m.pt", {(1, "enter", 3): 2.0, (2, "enter", 2): 1.5})
    found = decision(Rollout(policy, task), 1)
    assert (str(found.chosen), str(found.runner_up)) == ("(enter right)", "(enter left)")
    assert found.lead == pytest.approx(3.0)
    strongest = [each for each in found.reasons if abs(each.lead - found.lead) > 1e-6]
    assert [(each.what, each.is_group) for each in strongest] == [
        ("the goals of at", True),
        ("(at right) is a goal", False),
    ]
    assert all(str(each.taken) == "(enter left)" for each in strongest)  # equal, first by name
    text = words(found)
    assert "Step 1 takes (enter right)" in text
    assert "(at right) is a goal; else (enter left) would be taken" in text
    assert "without the goals of at: (enter left) would be taken" in text
    assert "no difference: " in text


def test_what_was_taken_before_is_not_taken_again(tmp_path: Path) -> None:
    """Away from the goal, until that changes nothing any more."""
    policy = policy_with(tmp_path / "m.pt", {(1, "enter", 3): 2.0, (2, "enter", 2): -1.5})
    rollout = Rollout(policy, asnets.ground_text(DOMAIN, PROBLEM))
    assert [str(each) for each in rollout.run.actions] == ["(enter left)"] * 2 + ["(enter right)"]
    text = words(decision(rollout, 3))
    assert "Step 3 takes (enter right)" in text
    assert "Its logit is lower by 3: what is likelier was taken here before." in text
    assert "Its logit is higher by 3." in words(decision(rollout, 2))


def test_only_one_action(tmp_path: Path) -> None:
    problem = PROBLEM.replace("(open left)", "")
    policy = policy_with(tmp_path / "m.pt", {})
    found = decision(Rollout(policy, asnets.ground_text(DOMAIN, problem)), 1)
    assert words(found) == "Step 1 takes (enter right): no other action is applicable.\n"


def test_no_such_step(tmp_path: Path) -> None:
    rollout = Rollout(policy_with(tmp_path / "m.pt", {}), asnets.ground_text(DOMAIN, PROBLEM))
    for number in (0, len(rollout.run) + 1):
        with pytest.raises(UsageError, match=f"--step {number}: the run has"):
            decision(rollout, number)


@pytest.mark.parametrize("domain", ["blocksworld", "triangle-tireworld", "gold-miner"])
def test_leads_are_the_networks(domain: str, tmp_path: Path) -> None:
    """Without the counts: as if nothing had been done; without landmarks: as in none."""
    task = task_of(domain)
    setting = SETTINGS["default"]
    text = generators.domain_text(domain)
    own = export_random(tmp_path / "m.pt", text, task, setting, channels=3, noise=0.05)
    rollout = Rollout(asnets.Policy(tmp_path / "m.pt"), task, limit=12)
    structure = rollout.structure
    features = asnets.Features(structure, **setting.features)
    network = asnets.Network(structure, features, own.arrays(), setting.layers)
    for number in range(1, len(rollout.run) + 1):
        found = decision(rollout, number)
        if found.runner_up is None:
            continue
        logits = network.logits(features.observe(found.step.state))  # no counts
        lead = logits[found.chosen.index] - logits[found.runner_up.index]
        counts = [each for each in found.reasons if each.what == "the counts"]
        assert [each.lead for each in counts] == pytest.approx(
            [lead] * len(counts), rel=1e-3, abs=1e-3
        )
        assert bool(counts) == (number > 1)
        assert np.isfinite([each.lead for each in found.reasons]).all()
