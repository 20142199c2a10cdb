"""The PyTorch network against slow loops, the native forward pass and numerical gradients."""

import random
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import asnets
from asnets import generators
from asnets_train.connections import (
    Connections,
    Wiring,
    added_products,
    maxima,
    plain_maxima,
)
from asnets_train.model import ActionSchemaNetwork, dropped
from oracles.slow_network import (
    Setting,
    random_arrays,
    random_weights,
    slow_logits,
    task_of,
)
from torch_networks import (
    SETTINGS,
    Walk,
    in_states,
    model_of,
    scripted,
    set_weights,
    tensors_of,
)

# Parameters of the published networks: two layers of 16 channels, skip connections, all inputs.
PUBLISHED = {
    "cosanostra-pizza": 18_629,
    "exploding-blocksworld": 21_796,
    "probabilistic-blocksworld": 19_300,
    "triangle-tireworld": 7_634,
    "blocksworld": 17_668,
    "gold-miner": 33_079,
    "matching-blocksworld": 63_034,
}


@pytest.mark.parametrize("domain", PUBLISHED)
def test_published_sizes(domain: str) -> None:
    model = ActionSchemaNetwork(asnets.NetworkStructure(task_of(domain)).signature)
    assert sum(each.numel() for each in model.parameters()) == PUBLISHED[domain]
    assert sum(each.size for each in model.arrays()) == PUBLISHED[domain]


@pytest.mark.parametrize("domain", generators.names())
def test_forward_pass(domain: str) -> None:
    task = task_of(domain)
    for name, setting in SETTINGS.items():
        walk = Walk(task, setting, 3)
        signature = walk.structure.signature
        model = model_of(signature, setting, channels=3)
        arrays = random_weights(signature, 3, setting)
        set_weights(model, arrays)
        found = in_states(model, [walk])
        for logits, native in zip(found, walk.native(arrays, setting), strict=True):
            assert logits == pytest.approx(native, rel=1e-4, abs=1e-5), name
        last = slow_logits(task, walk.states[-1], walk.history, arrays, setting)
        assert found[-1] == pytest.approx(last, rel=1e-4, abs=1e-5), name
        assert all(np.array_equal(a, b) for a, b in zip(model.arrays(), arrays, strict=True))


@pytest.mark.parametrize("domain", generators.names())
@pytest.mark.parametrize("pooling", ["slot", "schema"])
def test_modules_of_different_sizes(domain: str, pooling: Any) -> None:
    setting = Setting(pooling=pooling)
    walk = Walk(task_of(domain), setting, 2)
    signature = walk.structure.signature
    rng = random.Random(4)
    outputs = [
        (
            [rng.randint(1, 4) for _ in signature["schemas"]],
            [rng.randint(1, 4) for _ in signature["predicates"]],
        )
        for _ in range(setting.layers)
    ]
    model = model_of(signature, setting, outputs=outputs)
    arrays = random_arrays([tuple(each.weight.shape) for each in model.modules_in_order()])
    set_weights(model, arrays)
    found = in_states(model, [walk])
    assert np.concatenate(found) == pytest.approx(
        np.concatenate(walk.native(arrays, setting)), rel=1e-4, abs=1e-5
    )
    model(*tensors_of(walk.features.batch(walk.seen))).sum().backward()
    assert all(each.grad is not None for each in model.parameters())


@pytest.mark.parametrize("domain", ["blocksworld", "gold-miner", "triangle-tireworld"])
@pytest.mark.parametrize("setting", [SETTINGS["default"], SETTINGS["pooling by schema"]])
def test_batch_of_several_tasks(domain: str, setting: Setting) -> None:
    sizes = {"gold-miner": (4, 5), "triangle-tireworld": (1, 2)}.get(domain, (3, 5))
    walks = [Walk(task_of(domain, size), setting, 3) for size in (*sizes, sizes[0])]
    model = model_of(walks[0].structure.signature, setting, channels=4)
    alone = [logits for walk in walks for logits in in_states(model, [walk])]
    for logits, expected in zip(in_states(model, walks), alone, strict=True):
        assert logits == pytest.approx(expected, rel=1e-5, abs=1e-6)  # sums in another order


# "never" has no ground action, "rest" no slots; nothing takes "nobody"; "lonely" has no propositions, and
# "near" and "far" have some that only one of their pools knows.
STRANGE = """(define (domain strange) (:predicates (near ?x) (far ?x) (lonely ?x) (nobody) (start))
(:action begin :parameters (?x) :precondition (start) :effect (near ?x))
(:action go :parameters (?x) :precondition (and (near ?x) (not (= ?x c))) :effect (far ?x))
(:action never :parameters (?x) :precondition (and (far ?x) (lonely ?x)) :effect (near ?x))
(:action rest :parameters (?x)))"""
STRANGE_PROBLEM = """(define (problem p) (:domain strange) (:objects a b c d)
(:init (start) (near a) (near b) (nobody)) (:goal (and (far a) (far b) (far c))))"""


@pytest.mark.parametrize("skip", [True, False])
@pytest.mark.parametrize("pooling", ["slot", "schema"])
def test_modules_without_rows_and_pools(skip: bool, pooling: Any) -> None:
    domain = STRANGE.replace(
        "(:predicates", "(:requirements :equality) (:constants c) (:predicates"
    )
    task = asnets.ground_text(domain, STRANGE_PROBLEM)
    setting = Setting(skip=skip, pooling=pooling)
    walk = Walk(task, setting, 3)
    names = [each["name"] for each in walk.structure.signature["schemas"]]
    rows = dict(zip(names, (len(each) for each in walk.structure.slots)))
    assert rows == {"begin": 4, "go": 3, "never": 0, "rest": 4}
    arrays = random_weights(walk.structure.signature, 3, setting)
    model = model_of(walk.structure.signature, setting, channels=3)
    set_weights(model, arrays)
    found = in_states(model, [walk])
    for logits, native in zip(found, walk.native(arrays, setting), strict=True):
        assert logits == pytest.approx(native, rel=1e-4, abs=1e-5)
    model(*tensors_of(walk.features.batch(walk.seen))).sum().backward()
    assert all(each.grad is None or each.grad.isfinite().all() for each in model.parameters())


def test_no_predicate_at_all() -> None:
    domain = "(define (domain d) (:predicates (p)) (:action a) (:action b))"
    task = asnets.ground_text(domain, "(define (problem p) (:domain d) (:init) (:goal (p)))")
    for setting in (Setting(), Setting(skip=False)):
        walk = Walk(task, setting, 2)
        arrays = random_weights(walk.structure.signature, 3, setting)
        model = model_of(walk.structure.signature, setting, channels=3)
        set_weights(model, arrays)
        assert in_states(model, [walk]) == [pytest.approx(n) for n in walk.native(arrays, setting)]


def renamed(problem: str, seed: int) -> tuple[str, dict[str, str]]:
    """A problem with other names for its objects, which also stand in another order."""
    rng = random.Random(seed)
    match = re.search(r"\(:objects([^)]*)\)", problem)
    assert match is not None
    groups, names = [], []
    for group in re.findall(r"[^-\s](?:(?! - ).)*? - \S+", match[1], re.DOTALL):
        own, kind = group.rsplit(" - ", 1)
        names += own.split()
        groups.append(" ".join(rng.sample(own.split(), len(own.split()))) + f" - {kind}")
    assert names
    new = dict(zip(names, rng.sample([f"o{i}" for i in range(len(names))], len(names))))
    shuffled = problem.replace(match[0], f"(:objects {' '.join(rng.sample(groups, len(groups)))})")
    return re.sub(r"[\w-]+", lambda word: new.get(word[0], word[0]), shuffled), new


@pytest.mark.parametrize("domain", generators.names())
def test_names_and_order_of_objects_do_not_matter(domain: str) -> None:
    """Probabilities are permuted and nothing else. Without landmarks: which cuts LM-cut finds does
    depend on the order."""
    setting = Setting(landmarks="none")
    size = {"gold-miner": 4, "triangle-tireworld": 2, "cosanostra-pizza": 3}.get(domain, 5)
    problem = generators.generate(domain, size, seed=5)
    other_problem, new = renamed(problem, 6)
    text = generators.domain_text(domain)
    walk = Walk(asnets.ground_text(text, problem), setting, 1)
    other = Walk(asnets.ground_text(text, other_problem), setting, 1)
    torch.manual_seed(8)
    model = model_of(walk.structure.signature, setting, channels=8)

    def policy(walk: Walk, names: dict[str, str]) -> dict[tuple[str, ...], float]:
        (logits,) = in_states(model, [walk])
        applicable = walk.states[0].applicable()
        chances = torch.tensor([logits[action.index] for action in applicable]).softmax(0).tolist()
        return {
            (action.schema.name, *(names.get(each, each) for each in action.arguments)): chance
            for action, chance in zip(applicable, chances, strict=True)
        }

    assert [each.name for each in walk.task.actions] != [each.name for each in other.task.actions]
    assert policy(walk, new) == pytest.approx(policy(other, {}), abs=1e-6)


@pytest.mark.parametrize("name", ["default", "no skip", "pooling by schema", "relu, last cut"])
def test_script_is_the_same_function(name: str) -> None:
    """Values and gradients: TorchScript takes other operations, whose gradients torch derives."""
    setting = SETTINGS[name]
    walk = Walk(task_of("blocksworld", 4), setting, 4)
    model = model_of(walk.structure.signature, setting, channels=5)
    script = scripted(model)
    tensors = tensors_of(walk.features.batch(walk.seen))
    results, gradients = [], []
    for network in (model, script):
        logits = network(*tensors)
        weights = torch.linspace(-1, 1, len(logits))
        results.append(logits)
        gradients.append(torch.autograd.grad((logits * weights).sum(), list(model.parameters())))
    torch.testing.assert_close(results[0], results[1])
    torch.testing.assert_close(gradients[0], gradients[1], rtol=1e-4, atol=1e-5)


def connected(slots: list[list[int]], rows: int, pooling: str) -> Connections:
    """One schema whose slots have one predicate, with `rows` propositions."""
    columns = range(len(slots[0]))
    pools = [[k] for k in columns] if pooling == "slot" else [list(columns)]
    signature = {
        "schemas": [{"name": "a", "slots": [{"predicate": 0, "terms": []} for _ in columns]}],
        "predicates": [{"name": "p", "pools": [{"schema": 0, "slots": own} for own in pools]}],
    }
    begin, members = [], []
    for own in pools:
        lists = [
            [a for a, row in enumerate(slots) for k in own if row[k] == n] for n in range(rows)
        ]
        members.append(torch.tensor([a for each in lists for a in each], dtype=torch.int64))
        begin.append(torch.tensor(np.cumsum([0, *(len(each) for each in lists)])))
    return Wiring(signature)([torch.tensor(slots)], begin, members)


# Slots of the actions, and how many propositions there are: empty pools at the beginning, in the middle
# and at the end; one row of each; an action with one proposition twice.
SHAPES = {
    "empty pools": ([[1, 4], [1, 2], [4, 2], [4, 1]], 6),
    "one row": ([[0]], 1),
    "one proposition": ([[0], [0], [0]], 1),
    "twice": ([[1, 1], [0, 1], [2, 0]], 3),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("pooling", ["slot", "schema"])
def test_maxima(shape: str, pooling: str) -> None:
    slots, rows = SHAPES[shape]
    connections = connected(slots, rows, pooling)
    torch.manual_seed(1)
    actions = torch.randn(len(slots), 3, dtype=torch.float64, requires_grad=True)
    expected = []
    for own in [[k] for k in range(len(slots[0]))] if pooling == "slot" else [range(len(slots[0]))]:
        for n in range(rows):
            members = [actions[a] for a, row in enumerate(slots) for k in own if row[k] == n]
            expected.append(torch.stack([*members, torch.full((3,), -0.5)]).amax(0))
    found = maxima(actions, connections, -0.5)
    torch.testing.assert_close(found, torch.stack(expected), rtol=0, atol=0)
    torch.testing.assert_close(found, plain_maxima(actions, connections, -0.5), rtol=0, atol=0)
    assert torch.autograd.gradcheck(lambda x: maxima(x, connections, -0.5), actions)
    products = torch.randn(rows * len(slots[0]), 3, dtype=torch.float64, requires_grad=True)
    sums = added_products(products, connections)
    for a, row in enumerate(slots):
        terms = [products[k * rows + n] for k, n in enumerate(row)]
        torch.testing.assert_close(sums[a], torch.stack(terms).sum(0))
    assert torch.autograd.gradcheck(lambda x: added_products(x, connections), products)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_ties_share_the_gradient(sign: float) -> None:
    connections = connected([[0, 1], [0, 1], [0, 0], [1, 1]], 2, "slot")
    actions = torch.tensor([[2.0], [2.0], [1.0], [-3.0]], requires_grad=True)
    found = maxima(
        actions, connections, -1.0
    )  # slot 0: of 0, 1, 2 and of 3; slot 1: of 2, of 0, 1, 3
    assert found.view(-1).tolist() == [2, -1, 1, 2]
    (gradient,) = torch.autograd.grad(found, actions, sign * torch.tensor([[2.0], [8], [3], [10]]))
    assert gradient.view(-1).tolist() == [sign * 6, sign * 6, sign * 3, 0]


@pytest.mark.parametrize("name", ["default", "no skip", "pooling by schema", "tanh, helpful"])
def test_gradients_of_a_network(name: str) -> None:
    setting = SETTINGS[name]
    walks = [Walk(task_of("blocksworld", size), setting, 2) for size in (2, 3)]
    model = model_of(walks[0].structure.signature, setting, channels=2).double()
    inputs, *indices = tensors_of(
        walks[0].features.batch([each for walk in walks for each in walk.seen])
    )
    tensors = ([each.double() for each in inputs], *indices)
    names = [name for name, _ in model.named_parameters()]

    def logits(*parameters: Tensor) -> Any:
        return torch.func.functional_call(model, dict(zip(names, parameters)), tensors)

    assert torch.autograd.gradcheck(logits, tuple(model.parameters()), fast_mode=True)


def test_dropped() -> None:
    torch.manual_seed(2)
    values = torch.rand(301, 333).add_(1).requires_grad_()
    result = dropped(values, 0.3)
    zero = result == 0
    assert zero.float().mean().item() == pytest.approx(0.3, abs=0.01)
    assert zero.float().mean(0).std() < 0.05  # no column is left out more often
    torch.testing.assert_close(result[~zero], values[~zero] / 0.7, rtol=1e-4, atol=0)
    (gradient,) = torch.autograd.grad(result.sum(), values)
    torch.testing.assert_close(gradient, result / values)
    torch.manual_seed(2)
    torch.rand(301, 333)
    assert torch.equal(dropped(values, 0.3), result)


def test_dropout_in_training_only(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Walk(task_of("blocksworld", 3), Setting(), 2)
    tensors = tensors_of(walk.features.batch(walk.seen))
    model = model_of(walk.structure.signature, Setting(), dropout=0.9)
    plain = model_of(walk.structure.signature, Setting())
    plain.load_state_dict(model.state_dict())
    expected = plain(*tensors)
    assert torch.equal(model.eval()(*tensors), expected)
    assert not torch.allclose(model.train()(*tensors), expected)
    sizes = []
    monkeypatch.setattr(
        "asnets_train.model.dropped", lambda values, share: sizes.append(len(values)) or values
    )
    model(*tensors)  # actions and propositions of both hidden layers, not the logits
    rows = sum(len(each) for each in tensors[0])
    propositions = sum(len(each) for each in walk.structure.goal) * len(walk.seen)
    assert sizes == [rows, propositions, rows, propositions]


def test_initial_weights() -> None:
    torch.manual_seed(0)
    model = ActionSchemaNetwork(asnets.NetworkStructure(task_of("blocksworld", 3)).signature)
    for module in model.modules_in_order():
        bound = (6 / sum(module.weight.shape)) ** 0.5
        highest = module.weight.abs().max().item()
        assert 0.8 * bound < highest <= bound
        assert not module.bias.any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nonlinearity": "gelu"}, 'unknown nonlinearity "gelu"; known are elu, relu, tanh'),
        ({"dropout": 1.0}, "dropout must be at least 0 and less than 1, not 1.0"),
        ({"layers": 0}, "a network needs at least one layer, not 0"),
        ({"channels": 0}, "a module needs at least one output"),
        ({"outputs": [([4], [4])]}, "expected outputs for 2 layers of 4 schemas and 5 predicates"),
    ],
)
def test_refused_options(options: dict[str, Any], message: str) -> None:
    signature = asnets.NetworkStructure(task_of("blocksworld", 3)).signature
    with pytest.raises(ValueError, match=re.escape(message)):
        ActionSchemaNetwork(signature, **options)


def test_no_actions() -> None:
    with pytest.raises(ValueError, match="at least one action"):
        ActionSchemaNetwork({"schemas": [], "predicates": []})


def test_package_does_not_import_torch() -> None:
    code = "import asnets_train, sys; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
