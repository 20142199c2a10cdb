"""Structure, features and forward pass of networks, against the article's figures and slow loops."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import asnets
from asnets import generators
from oracles.slow_network import Setting, module_sizes, random_weights, slow_logits, task_of

# Slots of each schema and parameters of the network (two layers of 16 channels, skip connections,
# all inputs), as the published models have them.
PUBLISHED: dict[str, tuple[dict[str, int], int]] = {
    "cosanostra-pizza": (
        {
            "leave-open-intersection": 4,
            "leave-toll-booth": 6,
            "load-pizza": 3,
            "pay-operator": 2,
            "unload-pizza": 3,
        },
        18_629,
    ),
    "exploding-blocksworld": (
        {"pick-up": 6, "pick-up-from-table": 5, "put-down": 5, "put-on-block": 6},
        21_796,
    ),
    "probabilistic-blocksworld": ({}, 19_300),
    "triangle-tireworld": ({"changetire": 3, "move-car": 4}, 7_634),
    "blocksworld": ({"pick-up": 4, "put-down": 4, "stack": 5, "unstack": 5}, 17_668),
    "gold-miner": (
        {
            "detonate-bomb": 6,
            "fire-laser": 7,
            "move": 4,
            "pick-gold": 4,
            "pickup-bomb": 4,
            "pickup-laser": 4,
            "putdown-laser": 4,
        },
        33_079,
    ),
    "matching-blocksworld": ({}, 63_034),
}


@pytest.mark.parametrize("domain", PUBLISHED)
def test_published_sizes(domain: str) -> None:
    slots, parameters = PUBLISHED[domain]
    signature = asnets.NetworkStructure(task_of(domain)).signature
    found = {schema["name"]: len(schema["slots"]) for schema in signature["schemas"]}
    assert slots.items() <= found.items()
    assert sum(o * i + o for o, i in module_sizes(signature, 16)) == parameters


@pytest.mark.parametrize("domain", generators.names())
@pytest.mark.parametrize(
    "setting", [Setting(layers=1), Setting(), Setting(skip=False), Setting(pooling="schema")]
)
def test_forward_pass(domain: str, setting: Setting) -> None:
    task = task_of(domain)
    structure = asnets.NetworkStructure(task, setting.pooling)
    features = asnets.Features(structure)
    weights = random_weights(structure.signature, 3, setting)
    network = asnets.Network(structure, features, weights, setting.layers, setting.skip)
    state = task.initial_state
    history: list[asnets.Action] = []
    rng = asnets.Rng(3)
    for _ in range(3):
        found = network.logits(features.observe(state, history))
        expected = slow_logits(task, state, history, weights, setting)
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-4)
        applicable = state.applicable()
        if not applicable:
            break
        history.append(applicable[0])
        state = task.sample(state, applicable[0], rng)


def test_schema_of_many_slots() -> None:
    """More than the key of a kind of actions has room for."""
    atoms = " ".join(f"(p{i} ?x)" for i in range(25))
    domain = (
        f"(define (domain d) (:predicates {atoms} (q ?x)) "
        f"(:action a :parameters (?x) :precondition (and {atoms}) :effect (q ?x)))"
    )
    true = " ".join(f"(p{i} o{k})" for i in range(25) for k in range(3))
    problem = f"(define (problem p) (:domain d) (:objects o0 o1 o2) (:init {true}) (:goal (q o1)))"
    task = asnets.ground_text(domain, problem)
    structure = asnets.NetworkStructure(task)
    features = asnets.Features(structure)
    weights = random_weights(structure.signature, 3)
    network = asnets.Network(structure, features, weights, 2)
    state = task.initial_state
    first, _, third = task.actions
    for history in ([], [first, third, third]):
        expected = slow_logits(task, state, history, weights, Setting())
        found = network.logits(features.observe(state, history))
        assert found == pytest.approx(expected, abs=1e-4)


def test_batch_is_a_disjoint_union() -> None:
    """Rows of the second state refer to its own rows only."""
    tasks = [task_of("blocksworld", size) for size in (3, 5)]
    structures = [asnets.NetworkStructure(task) for task in tasks]
    features = [asnets.Features(structure) for structure in structures]
    seen = [f.observe(t.initial_state) for f, t in zip(features, tasks)]
    batch = features[0].batch(seen)
    assert batch.states == 2
    for s, (first, second) in enumerate(zip(structures[0].slots, structures[1].slots)):
        assert batch.slots[s][: len(first)].tolist() == first.tolist()
        for column, slot in enumerate(structures[0].signature["schemas"][s]["slots"]):
            shift = len(structures[0].goal[slot["predicate"]])
            own = batch.slots[s][len(first) :, column]
            assert own.tolist() == (second[:, column] + shift).tolist()
        alone = [f.batch([o]).inputs[s] for f, o in zip(features, seen)]
        assert batch.inputs[s].tolist() == np.concatenate(alone).tolist()
    pools = zip(batch.pool_begin, batch.pool_members)
    for p, predicate in enumerate(structures[0].signature["predicates"]):
        assert batch.proposition_rows[p] == sum(len(each.goal[p]) for each in structures)
        for pool in predicate["pools"]:
            begin, members = next(pools)
            (slot,) = pool["slots"]
            column = batch.slots[pool["schema"]][:, slot]
            for row, (low, high) in enumerate(pairwise(begin)):
                assert members[low:high].tolist() == np.flatnonzero(column == row).tolist()


def test_last_cut_flags() -> None:
    task = task_of("blocksworld", 5)
    structure = asnets.NetworkStructure(task)
    state = task.initial_state
    landmarks = asnets.Heuristic(task, "lm_cut").landmarks(state)
    features = asnets.Features(structure, landmarks="last-cut", counts=False)
    inputs = features.batch([features.observe(state)]).inputs
    rows = [row for schema in inputs for row in schema]
    for action, row in zip(task.actions, rows):
        mine = [each for each in landmarks if action in each]
        alone = any(len(each) == 1 for each in mine)
        assert row[-3:].tolist() == [bool(mine), alone, action in landmarks[-1]]


def test_necessary_actions() -> None:
    """A robot far from its tools in Gold Miner: without them every way is closed but the one to them, and
    LM-cut's own landmarks do not tell."""
    task = task_of("gold-miner", 8, seed=1003)
    features = {
        each: asnets.Features(asnets.NetworkStructure(task), landmarks=each, counts=False)
        for each in ("last-cut", "necessary")
    }
    found = {}
    for encoding, each in features.items():
        inputs = each.batch([each.observe(task.initial_state)]).inputs
        rows = dict(zip(task.actions, (row for schema in inputs for row in schema)))
        found[encoding] = {
            str(action): rows[action][-3:-1].tolist() for action in task.initial_state.applicable()
        }
    to, away = "(move f5-0f f4-0f)", "(move f5-0f f6-0f)"  # laser and bombs are at f0-0f
    assert found == {
        "last-cut": {to: [1, 0], away: [1, 0]},
        "necessary": {to: [1, 1], away: [1, 0]},
    }


def test_pooling_by_schema_has_fewer_pools() -> None:
    task = task_of("blocksworld", 3)
    pools = {
        pooling: [
            len(p["pools"]) for p in asnets.NetworkStructure(task, pooling).signature["predicates"]
        ]
        for pooling in ("slot", "schema")
    }
    assert all(a >= b for a, b in zip(pools["slot"], pools["schema"]))
    assert math.fsum(pools["slot"]) > math.fsum(pools["schema"])


REFUSED = {
    "quantifier": (
        "(:action a :precondition (forall (?x) (p ?x)) :effect (q))",
        "(q)",
        r'd.pddl:1:\d+: action "a" has a quantifier',
    ),
    "derived": (
        "(:derived (r) (q)) (:action a :effect (q))",
        "(q)",
        r'd.pddl:1:\d+: predicate "r" is derived',
    ),
    "goal": ("(:action a :effect (q))", "(not (q))", r"p.pddl:1:\d+: expected a goal"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_a_network_cannot_follow(kind: str, tmp_path: Any) -> None:
    schema, goal, message = REFUSED[kind]
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_text(
        "(define (domain d) (:requirements :adl :derived-predicates) "
        f"(:predicates (p ?x) (q) (r)) {schema})"
    )
    problem.write_text(f"(define (problem p) (:domain d) (:objects o) (:init) (:goal {goal}))")
    task = asnets.ground(domain, problem)
    with pytest.raises(asnets.PddlError, match=message):
        asnets.NetworkStructure(task)


def test_weights_that_do_not_fit() -> None:
    structure = asnets.NetworkStructure(task_of("blocksworld", 3))
    features = asnets.Features(structure)
    weights = random_weights(structure.signature, 4)
    with pytest.raises(ValueError, match="too few arrays"):
        asnets.Network(structure, features, weights[:-1], 2)
    with pytest.raises(ValueError, match="too many arrays"):
        asnets.Network(structure, features, [*weights, weights[-2], weights[-1]], 2)
    weights[0] = weights[0][:, 1:]
    with pytest.raises(ValueError, match="module pick-up of layer 1 takes 13 inputs"):
        asnets.Network(structure, features, weights, 2)
