"""Model files: read back by torch, by zipfile and by the core; written whole or not at all."""

import errno
import hashlib
import json
import os
import random
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import asnets
from asnets import generators
from asnets.files import OutputError
from asnets_train import export
from asnets_train.export import export_model
from asnets_train.model import ActionSchemaNetwork
from oracles.slow_network import Setting, task_of
from torch_networks import SETTINGS, Walk, in_states, model_of, tensors_of

TRAINING = {"epochs": 3, "success": 0.5, "cost": float("inf"), "problems": [Path("p1"), "p\udc80"]}


def export_to(path: Path, model: ActionSchemaNetwork, setting: Setting, **changes: Any) -> None:
    options: dict[str, Any] = {
        "signature": model.signature,
        "features": setting.features,
        "pooling": setting.pooling,
        "domain_name": "blocks",
        "domain_text": generators.domain_text("blocksworld"),
        "training": TRAINING,
    }
    export_model(model, path, **(options | changes))


def extra_files(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {
            Path(info.filename).name: archive.read(info)
            for info in archive.infolist()
            if Path(info.filename).parts[1] == "extra" and info.compress_type == zipfile.ZIP_STORED
        }


def small_model(setting: Setting = SETTINGS["default"], **options: Any) -> ActionSchemaNetwork:
    structure = asnets.NetworkStructure(task_of("blocksworld", 3), setting.pooling)
    return model_of(structure.signature, setting, **{"channels": 4, **options})


@pytest.mark.parametrize("name", SETTINGS)
def test_archive_is_the_same_network(tmp_path: Path, name: str) -> None:
    """In plain torch, on a task larger than the model was made with; and in the core."""
    setting = SETTINGS[name]
    model = small_model(setting, dropout=0.5).train()
    file = tmp_path / "bw.pt"
    export_to(file, model, setting)
    assert model.training  # the model itself is left as it was
    walk = Walk(task_of("blocksworld", 5), setting, 3)
    expected = in_states(model.eval(), [walk])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        archive = torch.jit.load(str(file))
    found = in_states(archive, [walk])
    arrays = asnets.read_model(file).arrays
    native = walk.native(arrays, setting)
    for state, *logits in zip(walk.states, expected, found, native, strict=True):
        applicable = [action.index for action in state.applicable()]
        chances = [torch.tensor(each)[applicable].softmax(0).tolist() for each in logits]
        assert chances[1] == pytest.approx(chances[0], abs=1e-6)
        assert chances[2] == pytest.approx(chances[0], abs=1e-5)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, model.arrays(), strict=True))


def test_archive_runs_in_many_shapes(tmp_path: Path) -> None:
    """The executor of TorchScript specialises on what it has seen: other sizes must still work."""
    model = small_model()
    export_to(tmp_path / "bw.pt", model, Setting())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        archive = torch.jit.load(str(tmp_path / "bw.pt"))
    walks = [Walk(task_of("blocksworld", size), Setting(), 2) for size in (2, 4, 2, 3, 6, 2)]
    for walk in walks:
        tensors = tensors_of(walk.features.batch(walk.seen))
        for _ in range(2):
            torch.testing.assert_close(archive(*tensors), model(*tensors))


@pytest.mark.parametrize("different", [False, True])
def test_extra_files(tmp_path: Path, different: bool) -> None:
    rng = random.Random(1)
    sizes = [([rng.randint(1, 5) for _ in range(4)], [rng.randint(1, 5) for _ in range(5)])] * 2
    model = small_model(outputs=sizes if different else None)
    file = tmp_path / "bw.pt"
    export_to(file, model, Setting())
    files = extra_files(file)
    assert sorted(files) == ["domain.pddl", "manifest.json", "weights.bin"]
    manifest = json.loads(files["manifest.json"])
    assert manifest["format"] == "asnets-model"
    assert manifest["version"] == 1
    assert files["domain.pddl"].decode() == generators.domain_text("blocksworld")
    assert manifest["domain"] == {
        "name": "blocks",
        "sha256": hashlib.sha256(files["domain.pddl"]).hexdigest(),
    }
    assert manifest["signature"] == model.signature
    assert (manifest["pooling"], manifest["skip"], manifest["layers"]) == ("slot", True, 2)
    assert manifest["nonlinearity"] == "elu"
    assert manifest["features"] == Setting().features
    assert manifest["weights"]["floats"] * 4 == len(files["weights.bin"])
    assert manifest["weights"]["sha256"] == hashlib.sha256(files["weights.bin"]).hexdigest()
    assert manifest["training"] == {
        "epochs": 3,
        "success": 0.5,
        "cost": None,
        "problems": ["p1", "p?"],
    }
    floats = np.frombuffer(files["weights.bin"], "<f4")
    names = [(each["kind"], each["layer"], each["name"]) for each in manifest["modules"]]
    actions = ["pick-up", "put-down", "stack", "unstack"]
    predicates = ["clear", "handempty", "holding", "on", "ontable"]
    assert names == [
        *[("action", 1, name) for name in actions],
        *[("proposition", 1, name) for name in predicates],
        *[("action", 2, name) for name in actions],
        *[("proposition", 2, name) for name in predicates],
        *[("action", 3, name) for name in actions],
    ]
    arrays = iter(model.arrays())
    end = 0
    for module in manifest["modules"]:
        assert module["offset"] == end
        outputs, inputs = module["outputs"], module["inputs"]
        matrix = floats[end : end + outputs * inputs].reshape(outputs, inputs)
        end += outputs * inputs
        assert np.array_equal(matrix, next(arrays))
        assert np.array_equal(floats[end : end + outputs], next(arrays))
        end += outputs
    assert end == len(floats) == manifest["weights"]["floats"]


def test_domain_keeps_its_bytes(tmp_path: Path) -> None:
    domain = tmp_path / "domain.pddl"
    domain.write_bytes("; é ".encode() + b"\xff\r\n(define)")
    text = domain.read_bytes().decode("utf-8", "surrogateescape")
    export_to(tmp_path / "bw.pt", small_model(), Setting(), domain_text=text)
    assert extra_files(tmp_path / "bw.pt")["domain.pddl"] == domain.read_bytes()


def test_what_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bw.pt"
    model = small_model()
    other = asnets.NetworkStructure(task_of("triangle-tireworld", 1)).signature
    with pytest.raises(ValueError, match="another signature"):
        export_to(file, model, Setting(), signature=other)
    with pytest.raises(ValueError, match="the features have 2 inputs, the model takes 5"):
        export_to(file, model, Setting(landmarks="none"))
    with torch.no_grad():
        next(model.parameters())[0, 0] = torch.nan
    with pytest.raises(ValueError, match="not finite"):
        export_to(file, model, Setting())
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_differs_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, wrong = small_model(), small_model()
    archive = export._archive
    monkeypatch.setattr(export, "_archive", lambda model, files: archive(wrong, files))
    with pytest.raises(RuntimeError, match="does not hold what was written"):
        export_to(tmp_path / "bw.pt", model, Setting())
    assert list(tmp_path.iterdir()) == []


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "bw.pt"
    file.write_text("old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        export_to(file, small_model(), Setting())
    assert [each.name for each in tmp_path.iterdir()] == ["bw.pt"]
    assert file.read_text() == "old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_full_device() -> None:
    with pytest.raises(OutputError, match="No space left"):
        export_to(Path("/dev/full"), small_model(), Setting())


def test_impossible_paths(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "no" / "bw.pt", tmp_path / "file" / "bw.pt"):
        with pytest.raises(OutputError) as caught:
            export_to(path, small_model(), Setting())
        assert caught.value.filename == str(path)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_link_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "run-7.pt", tmp_path / "bw.pt"
    target.write_text("old")
    link.symlink_to(target)
    export_to(link, small_model(), Setting())
    assert link.is_symlink()
    assert zipfile.is_zipfile(target)
