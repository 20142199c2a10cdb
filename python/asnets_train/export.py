"""Writing a trained network as a model file: a TorchScript archive that any libtorch program can run,
with manifest, plain weights and the domain's text as extra files (docs/model-format.md)."""

import copy
import hashlib
import io
import json
import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

from asnets.files import write_bytes
from asnets.inputs import extra_inputs
from asnets_train.model import ActionSchemaNetwork

VERSION = 1


def export_model(
    model: ActionSchemaNetwork,
    path: Path | str,
    *,
    signature: dict[str, Any],
    features: Mapping[str, Any],
    pooling: str,
    domain_name: str,
    domain_text: str,
    training: Mapping[str, Any],
) -> None:
    """Write a model file, whole or not at all.

    `features` is what asnets.Features takes. `training` is any record of
    the training run. ValueError if the model is for another signature or other features or has weights
    that are not finite; OutputError if the file cannot be written.
    """
    extra = extra_inputs(features)
    if signature != model.signature:
        raise ValueError("the model is for another signature")
    if extra != model.extra_inputs:
        raise ValueError(f"the features have {extra} inputs, the model takes {model.extra_inputs}")
    weights = b"".join(array.astype("<f4").tobytes() for array in model.arrays())
    if not np.isfinite(np.frombuffer(weights, "<f4")).all():
        raise ValueError("the model has weights that are not finite")
    domain = domain_text.encode("utf-8", "surrogateescape")  # the bytes that were read
    manifest = {
        "format": "asnets-model",
        "version": VERSION,
        "domain": {"name": domain_name, "sha256": hashlib.sha256(domain).hexdigest()},
        "signature": signature,
        "pooling": pooling,
        "skip": model.skip,
        "layers": model.layers,
        "nonlinearity": model.nonlinearity,
        "features": dict(features),
        "modules": list(_module_table(model)),
        "weights": {"floats": len(weights) // 4, "sha256": hashlib.sha256(weights).hexdigest()},
        "training": _plain(training),
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False, allow_nan=False)
    files = {
        "manifest.json": text.encode("utf-8", "replace"),
        "weights.bin": weights,
        "domain.pddl": domain,
    }
    archive = _archive(model, files)
    _check(model, archive, files)
    write_bytes(Path(path), archive)


def _module_table(model: ActionSchemaNetwork) -> Iterator[dict[str, Any]]:
    offset = 0
    for module in model.modules_in_order():
        outputs, inputs = module.weight.shape
        yield {
            "kind": module.kind,
            "layer": module.layer,
            "name": module.name,
            "inputs": inputs,
            "outputs": outputs,
            "offset": offset,
        }
        offset += outputs * inputs + outputs


def _plain(value: Any) -> Any:
    """What JSON can say: nothing for numbers that are not finite, text for what it does not know."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else str(value)


def _archive(model: ActionSchemaNetwork, files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with _deprecation_ignored():
        script = torch.jit.script(copy.deepcopy(model).eval())
        torch.jit.save(script, buffer, _extra_files=files)
    return buffer.getvalue()


def _check(model: ActionSchemaNetwork, archive: bytes, files: dict[str, bytes]) -> None:
    """Read the archive back: its parameters are the plain weights, its extra files as given."""
    found = dict.fromkeys(files, b"")
    with _deprecation_ignored():
        script = torch.jit.load(  # type: ignore[no-untyped-call]
            io.BytesIO(archive), map_location="cpu", _extra_files=found
        )
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    parameters = dict(script.named_parameters())
    parts = [part for each in model.modules_in_order() for part in (each.weight, each.bias)]
    saved = [parameters[names[id(part)]].detach().numpy().astype("<f4").tobytes() for part in parts]
    if found != files or b"".join(saved) != files["weights.bin"] or len(parameters) != len(parts):
        raise RuntimeError("the archive does not hold what was written to it")


@contextmanager
def _deprecation_ignored() -> Iterator[None]:
    """torch.jit says that torch.export is to replace it; its format is what libtorch programs read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
