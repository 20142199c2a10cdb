"""Model files: read as they were written, or refused with one line."""

import copy
import json
import pickle
import random
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import asnets
from asnets import ModelError, generators, info
from model_files import ModelParts, arrays_of, make_model, small_task

PARTS = make_model()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bw.pt"


def edited(edit: Callable[[ModelParts], object]) -> ModelParts:
    parts = copy.deepcopy(PARTS)
    edit(parts)
    return parts


def check_equal(model: asnets.Model, parts: ModelParts) -> None:
    assert model.manifest == parts.manifest
    assert model.domain_name == parts.manifest["domain"]["name"]
    assert model.domain_text.encode() == parts.domain
    expected = arrays_of(parts)
    assert len(model.arrays) == len(expected)
    for found, wanted in zip(model.arrays, expected):
        assert (found.dtype, found.shape) == (np.float32, wanted.shape)
        assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("domain", generators.names())
def test_every_domain(domain: str, path: Path) -> None:
    parts = make_model(domain)
    model = asnets.read_model(parts.write(path))
    check_equal(model, parts)
    assert model.structure_of(small_task(domain, 2)).signature == parts.manifest["signature"]


OPTIONS: list[dict[str, Any]] = [
    {"layers": 1, "channels": 1},
    {"layers": 3, "skip": False},
    {"pooling": "schema"},
    {"nonlinearity": "relu"},
    {"nonlinearity": "tanh"},
    {"features": {"landmarks": "none", "counts": False, "helpful": False}},
    {"features": {"landmarks": "last-cut", "counts": False, "helpful": True}},
    {"features": {"landmarks": "none", "counts": True, "helpful": False, "last_action": True}},
    {"training": {"nested": [{"é\n": [None, 1e-300, -0.0, "\U0001f600"]}]}},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options(options: dict[str, Any], path: Path) -> None:
    parts = make_model(**options)
    model = asnets.read_model(parts.write(path))
    check_equal(model, parts)
    task = small_task("blocksworld", 2)
    structure = model.structure_of(task)
    manifest = model.manifest
    features = asnets.Features(structure, **manifest["features"])
    network = asnets.Network(
        structure,
        features,
        model.arrays,
        manifest["layers"],
        manifest["skip"],
        nonlinearity=manifest["nonlinearity"],
    )
    logits = network.logits(features.observe(task.initial_state))
    assert np.isfinite(logits).all()
    assert len(set(logits.tolist())) > 1


def test_torch_archive(path: Path) -> None:
    pytest.importorskip("torch")
    parts = copy.deepcopy(PARTS)
    check_equal(asnets.read_model(parts.write_torch(path)), parts)
    renamed = path.with_name("another name.bin")
    path.rename(renamed)
    check_equal(asnets.read_model(str(renamed)), parts)
    for size in range(4, renamed.stat().st_size, 97):
        path.write_bytes(renamed.read_bytes()[:size])
        with pytest.raises(ModelError, match="damaged"):
            asnets.read_model(path)


def test_root_folder_has_any_name(path: Path) -> None:
    for root in ("x", "a model of é", "."):
        check_equal(asnets.read_model(PARTS.write(path, root)), PARTS)


def test_comments_of_the_domain_may_hold_any_bytes(path: Path) -> None:
    parts = edited(lambda p: setattr(p, "domain", p.domain + b"; \xe9 \xff"))
    model = asnets.read_model(parts.write(path))
    assert model.domain_text.endswith("; \ufffd \ufffd")
    problem = generators.generate("blocksworld", 3, seed=1)
    model.structure_of(asnets.ground_text(model.domain_text, problem))


def test_documented_manifest_has_the_keys(root: Path) -> None:
    page = (root / "docs" / "model-format.md").read_text()
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)

    def keys(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: keys(value) for key, value in node.items() if key != "training"}
        return keys(node[0]) if isinstance(node, list) else type(node)

    assert keys(json.loads(example)) == keys(PARTS.manifest)


def test_unknown_keys_are_ignored(path: Path) -> None:
    def edit(parts: ModelParts) -> None:
        parts.manifest["later"] = {"anything": [1]}
        parts.manifest["modules"][0]["pruned"] = True
        parts.manifest["signature"]["schemas"][0]["cost"] = 1

    parts = edited(edit)
    check_equal(asnets.read_model(parts.write(path)), parts)


def test_truncated(path: Path) -> None:
    content = PARTS.write(path).read_bytes()
    for size in [*range(4, 200), *range(200, len(content), 61), *range(len(content) - 99, len(content))]:  # fmt: skip
        path.write_bytes(content[:size])
        with pytest.raises(ModelError, match=r"bw.pt: damaged: ."):
            asnets.read_model(path)


def test_flipped_bytes(path: Path) -> None:
    content = PARTS.write(path).read_bytes()
    rng = random.Random(5)
    refused = 0
    for _ in range(1500):
        damaged = bytearray(content)
        for _ in range(rng.choice([1, 1, 2, 8])):
            damaged[rng.randrange(len(damaged))] ^= rng.randrange(1, 256)
        path.write_bytes(damaged)
        try:
            check_equal(asnets.read_model(path), PARTS)
        except ModelError:
            refused += 1
    assert refused > 500


PLACES = st.lists(st.integers(0, 10), max_size=6)
VALUES = st.one_of(
    st.sampled_from([None, True, "", "?x", "on", "action", [], {}, [[]], 1.5, -1]),
    st.sampled_from([0, 1, 2, 3, 4, 5, 2**31, 2**32, 2**53, 2**62, 10**30, 0.0, 1.0]),
    st.integers(0, 40),
)


@given(st.lists(st.tuples(PLACES, VALUES), min_size=1, max_size=3))
def test_anything_in_the_manifest(changes: list[tuple[list[int], Any]]) -> None:
    """With right checksums: the reader's own checks are all there is."""
    parts = make_model("triangle-tireworld", layers=1, channels=1)
    files = parts.extra_files()
    for places, value in changes:
        node: Any = parts.manifest
        for place in places or [0]:
            keys = sorted(node) if isinstance(node, dict) else range(len(node))
            if not keys:
                break
            key = keys[place % len(keys)]
            if not isinstance(node[key], dict | list) or place == 10:
                node[key] = copy.deepcopy(value)  # a later change may go into it
                break
            node = node[key]
    files["manifest.json"] = json.dumps(parts.manifest).encode()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bw.pt"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(f"bw/extra/{name}", content)
        try:
            model = asnets.read_model(path)
        except ModelError:
            return
    assert model.manifest == parts.manifest
    with redirect_stdout(StringIO()) as shown:
        info.describe(info.figures(model))
    assert shown.getvalue().startswith("network for domain")
    assert sum(array.size for array in model.arrays) == parts.manifest["weights"]["floats"]


def compressed(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in PARTS.extra_files().items():
            archive.writestr(f"bw/extra/{name}", content)


def bomb(path: Path) -> None:
    """A small file whose weights would fill the memory."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in PARTS.extra_files().items():
            if name != "weights.bin":
                archive.writestr(f"bw/extra/{name}", content)
        zeros = bytes(1 << 28)
        archive.writestr("bw/extra/weights.bin", zeros, zipfile.ZIP_DEFLATED)


def without_extras(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("bw/data.pkl", b"x")


def without_files(path: Path) -> None:
    zipfile.ZipFile(path, "w").close()


FOREIGN: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "not an ASNets model: it is no zip archive"),
    "text": (lambda path: path.write_text("PK, a text"), "not an ASNets model: it is no zip archive"),
    "pickle": (lambda path: path.write_bytes(pickle.dumps([1])), "not an ASNets model: it is no zip"),
    "zip": (without_extras, "not an ASNets model: there is no extra/manifest.json in it"),
    "empty zip": (without_files, "not an ASNets model: it is no zip archive"),
    "compressed": (compressed, "damaged: manifest.json: compressed"),
    "bomb": (bomb, "damaged: weights.bin: compressed"),
}  # fmt: skip


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_files(kind: str, path: Path) -> None:
    write, message = FOREIGN[kind]
    write(path)
    with pytest.raises(ModelError) as caught:
        asnets.read_model(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert caught.value.file == str(path)


def without(key: str) -> Callable[[ModelParts], object]:
    return lambda parts: parts.manifest.pop(key)


def with_value(value: float) -> Callable[[ModelParts], object]:
    def edit(parts: ModelParts) -> None:
        floats = np.frombuffer(parts.weights, "<f4").copy()
        floats[len(floats) // 2] = value
        parts.weights = floats.tobytes()

    return edit


WRONG: dict[str, tuple[Callable[[ModelParts], object], str]] = {
    "format": (lambda p: p.manifest.update(format="other"), "not an ASNets model: its manifest"),
    "version": (lambda p: p.manifest.update(version=2), "made for format 2, this version reads 1"),
    "nan": (with_value(np.nan), "damaged: .* has a weight that is not a finite number"),
    "infinite": (with_value(-np.inf), "damaged: .* has a weight that is not a finite number"),
    "short": (
        lambda p: setattr(p, "weights", p.weights[:-4]),
        r"damaged: weights.bin: expected \d+ floats, found \d+ bytes",
    ),
    "gap": (
        lambda p: p.manifest["modules"][1].update(offset=p.manifest["modules"][1]["offset"] + 1),
        'damaged: action module "put-down" of layer 1: expected offset 56, found 57',
    ),
    "sizes": (
        lambda p: p.manifest["modules"][0].update(inputs=27, outputs=2),
        "damaged: module pick-up of layer 1 takes 13 inputs, but its weights are for 27",
    ),
    "order": (
        lambda p: p.manifest["modules"].reverse(),
        'damaged: expected action module "pick-up" of layer 1, found "action" "unstack" of layer 3',
    ),
    "one module less": (
        lambda p: p.manifest["modules"].pop(),
        'damaged: action module "unstack" of layer 3 is missing',
    ),
    "pools": (
        lambda p: p.manifest.update(pooling="schema"),
        r"damaged: manifest.json: signature.predicates\[\d\].pools: expected the pools",
    ),
    "predicate": (
        lambda p: p.manifest["signature"]["schemas"][2]["slots"][0].update(predicate=5),
        r"schemas\[2\].slots\[0\].predicate: expected a number below 5",
    ),
    "layers": (lambda p: p.manifest.update(layers=10**15), "layers: expected a network of at most"),
    "infinite number": (
        lambda p: p.manifest.update(training=float("inf")),
        "damaged: manifest.json: line 1, byte",
    ),
} | {
    f"no {key}": (without(key), f"damaged: manifest.json: {key}: missing")
    for key in PARTS.manifest
    if key not in ("format", "training", "domain", "weights")
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_content(kind: str, path: Path) -> None:
    edit, message = WRONG[kind]
    with pytest.raises(ModelError, match=f"bw.pt: .*{message}") as caught:
        asnets.read_model(edited(edit).write(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("part", ["domain", "weights"])
def test_wrong_hash(part: str, path: Path) -> None:
    parts = edited(lambda p: p.extra_files())
    parts.manifest[part]["sha256"] = "0" * 64
    with pytest.raises(ModelError, match="its SHA-256 is not the manifest's"):
        asnets.read_model(parts.write(path, seal=False))


def test_unreadable_files(path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        asnets.read_model(path)
    assert caught.value.filename == str(path)
    with pytest.raises(IsADirectoryError):
        asnets.read_model(path.parent)
    with pytest.raises(ModelError, match="it is no zip archive"):
        asnets.read_model("/dev/zero")


def test_errors_are_values_and_picklable(path: Path) -> None:
    path.write_text("no model")
    with pytest.raises(ValueError, match="not an ASNets model") as caught:
        asnets.read_model(path)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (ModelError, str(caught.value))


def test_task_of_another_domain(path: Path) -> None:
    model = asnets.read_model(PARTS.write(path))
    with pytest.raises(ValueError, match="schema pick-up of the model is not in the task"):
        model.structure_of(small_task("triangle-tireworld"))
    old, new = "(handempty) (on ?top ?bottom)", "(handempty) (on ?bottom ?top)"
    text = generators.domain_text("blocksworld")
    assert text.count(old) == 1
    task = asnets.ground_text(text.replace(old, new), generators.generate("blocksworld", 3, seed=1))
    message = (
        r"schema stack: slot 5 is \(on \?top \?bottom\) in the model, "
        r"\(on \?bottom \?top\) in the task"
    )
    with pytest.raises(ValueError, match=message):
        model.structure_of(task)


def test_reading_needs_no_torch(path: Path) -> None:
    PARTS.write(path)
    command = f"import asnets, sys; asnets.read_model({str(path)!r}); print('torch' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", command], text=True) == "False\n"


@pytest.mark.parametrize("nonlinearity", ["gelu", "ELU", ""])
def test_unknown_nonlinearity(nonlinearity: Any) -> None:
    structure = asnets.NetworkStructure(small_task("blocksworld"))
    with pytest.raises(ValueError, match=r"unknown nonlinearity .*; known are elu, relu, tanh"):
        asnets.Network(
            structure, asnets.Features(structure), arrays_of(PARTS), 2, nonlinearity=nonlinearity
        )
