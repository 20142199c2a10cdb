"""Printed equations, worked out from their text, against the network that they describe."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import asnets
from asnets import generators
from asnets.cli import EQUATION_FORMATS
from asnets.explain.equations import Writer
from asnets.explain.network import NetworkParts
from asnets.explain.notation import FORMATS, as_json, as_latex, as_markdown, as_text
from asnets_train.export import export_model
from oracles.equation_reader import Decision, Equations, flags_of
from oracles.slow_network import Setting, task_of
from torch_networks import SETTINGS, Walk, export_random, model_of
from training import problem_files


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
        decision = Decision(equations, task, state, flags_of(parts.flags, task, inputs))
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


# The article's policy for Triangle Tireworld (JAIR 2020, figure of section 5), by layer and module: inputs
# by their place, and the bias.
ARTICLE: dict[tuple[int, str], tuple[dict[int, float], float]] = {
    (1, "changetire"): ({}, 15.76),
    (1, "vehicle-at"): ({0: 0.81}, 0.02),
    (2, "move-car"): ({3: 0.46}, 0.0),
    (2, "vehicle-at"): ({1: 0.44, 3: 0.35}, 6.45),
    (3, "move-car"): ({3: 1.12}, 0.0),
}


SECOND = "  vehicle-at(?l)^2 = 0.44 pool(move-car(?l, _)^2) + 0.35 vehicle-at(?l)^1 + 6.45"
LAST = """  changetire(?l)^3 = 0
  move-car(?from, ?to)^3 = 1.12 vehicle-at(?to)^2
"""


def test_the_article_s_policy(tmp_path: Path) -> None:
    task = task_of("triangle-tireworld", 2)
    setting = Setting()
    signature = asnets.NetworkStructure(task).signature
    text = generators.domain_text("triangle-tireworld")
    path = tmp_path / "tt.pt"
    model = model_of(signature, setting, channels=1).eval()
    with torch.no_grad():
        for module in model.modules_in_order():
            inputs, bias = ARTICLE.get((module.layer, module.name), ({}, 0.0))
            module.weight.zero_()
            module.bias.fill_(bias)
            for column, value in inputs.items():
                module.weight[0, column] = value
    export_model(
        model, path, signature=signature, features=setting.features, pooling=setting.pooling,
        domain_name="tireworld", domain_text=text,
        training={},
    )  # fmt: skip
    assert check(path, task, setting).split("\n\n")[1:] == [
        "action layer 1\n  changetire(?l)^1 = 15.76",
        "proposition layer 1\n  vehicle-at(?l)^1 = f(0.81 pool(changetire(?l)^1) + 0.02)",
        "action layer 2\n  move-car(?from, ?to)^2 = f(0.46 vehicle-at(?to)^1)",
        "proposition layer 2\n" + SECOND,
        "action layer 3: the applicable action with the highest value is taken\n" + LAST,
    ]


CONSTANTS = """(define (domain constants)
  (:constants home - object)
  (:predicates (link ?a ?b) (at ?p) (lost))
  (:action go :parameters (?x ?y) :precondition (and (link ?x ?y) (at ?x))
    :effect (and (at ?y) (not (at ?x)) (link ?y home)))
  (:action stay :parameters (?x) :precondition (and (at ?x) (link ?x ?x) (not (lost)))
    :effect (and (lost) (at home))))"""
LINKS = """(define (problem p) (:domain constants) (:objects a b)
  (:init (link a b) (link b a) (link a a) (link home a) (at a)) (:goal (and (at b) (link a home))))"""


@pytest.mark.parametrize("name", ["default", "pooling by schema", "no skip"])
def test_constants_and_repeated_variables(name: str, tmp_path: Path) -> None:
    """Some members of a pool are there only where a variable is a constant, or two are equal."""
    task = asnets.ground_text(CONSTANTS, LINKS)
    setting = SETTINGS[name]
    path = tmp_path / "m.pt"
    sparse_model(path, CONSTANTS, task, setting, 0.7)
    text = check(path, task, setting, 6)
    assert "where ?b = home" in text
    assert "where ?a = ?b" in text


def small_model(path: Path) -> asnets.Model:
    task = task_of("cosanostra-pizza")
    text = generators.domain_text("cosanostra-pizza")
    sparse_model(path, text, task, SETTINGS["default"], 0.1)
    return asnets.read_model(path)


def test_other_formats_say_the_same(tmp_path: Path) -> None:
    model = small_model(tmp_path / "m.pt")
    parts = NetworkParts.of(model)
    layers = Writer(parts, model.domain_text).layers()
    lines = [line.strip() for line in as_text(parts, layers).splitlines() if "^" in line]
    markdown = as_markdown(parts, layers)
    assert [line[3:-1] for line in markdown.splitlines() if line.startswith("- `")] == lines
    found = json.loads(as_json(parts, layers))
    equations = [each for layer in found["layers"] for each in layer["equations"]]
    assert [each["text"] for each in equations] == lines
    weights = sum(len(each["terms"]) + (each["constant"] != 0) for each in equations)
    assert 0 < weights <= sum(int(np.count_nonzero(each)) for each in model.arrays)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(tmp_path: Path) -> None:
    model = small_model(tmp_path / "m.pt")
    parts = NetworkParts.of(model)
    parts.schemas[0]["name"] = r"a_b%c&d#e$f{g}~h^i\j"  # what TeX would stumble over
    text = as_latex(parts, Writer(parts, model.domain_text).layers())
    (tmp_path / "m.tex").write_text(text)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "m.tex"]
    end = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert end.returncode == 0, end.stdout
    assert (tmp_path / "m.pdf").read_bytes().startswith(b"%PDF")


def explain(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "asnets", "explain", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    model = small_model(path)
    parts = NetworkParts.of(model)
    layers = Writer(parts, model.domain_text).layers()
    assert set(EQUATION_FORMATS) == set(FORMATS)
    for form, write in FORMATS.items():
        assert explain(path, "--format", form).stdout == write(parts, layers)
    assert explain(path, "-o", tmp_path / "e.txt").stdout == ""
    assert (tmp_path / "e.txt").read_text() == as_text(parts, layers)


def test_what_the_command_refuses(tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    small_model(path)
    blocks, problems = problem_files(tmp_path, "blocksworld", [3])
    for arguments, code, message in (
        ((path, "--step", 2), 2, "--step needs a domain and a problem to run the policy on"),
        ((path, "-o", path), 2, f"{path}: would be written, but is also given to be read"),
        ((path, blocks, *problems), 2, "expected -o PAGE, --png FILE or --step N"),
        ((path, blocks, *problems, "--format", "text"), 2, "--format is about equations"),
        ((path, blocks, *problems, "--step", 1), 33, f"{path}: not for domain"),
        ((tmp_path / "no.pt",), 33, f"{tmp_path / 'no.pt'}: No such file"),
    ):
        end = explain(*arguments)
        assert end.returncode == code, end.stderr
        assert message in end.stderr
        assert end.stderr.count("\n") == 1
