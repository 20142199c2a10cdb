"""Model files with random weights, written without the exporter, for tests of what reads them."""

import hashlib
import json
import warnings
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import asnets
from asnets import generators
from asnets.inputs import extra_inputs, features_of


@dataclass
class ModelParts:
    """The extra files of an archive."""

    manifest: dict[str, Any]
    weights: bytes
    domain: bytes

    def extra_files(self, seal: bool = True) -> dict[str, bytes]:
        """By name; `seal` makes hashes and counts right, whatever was done to the parts."""
        if seal:
            self.manifest["domain"]["sha256"] = hashlib.sha256(self.domain).hexdigest()
            self.manifest["weights"]["sha256"] = hashlib.sha256(self.weights).hexdigest()
        return {
            "manifest.json": json.dumps(self.manifest).encode(),
            "weights.bin": self.weights,
            "domain.pddl": self.domain,
        }

    def write(self, path: Path, root: str = "bw", seal: bool = True) -> Path:
        """Write a zip archive of these files alone."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(f"{root}/data.pkl", b"not for us")
            for name, content in self.extra_files(seal).items():
                archive.writestr(f"{root}/extra/{name}", content)
        return path

    def write_torch(self, path: Path) -> Path:
        """Write a TorchScript archive whose network does nothing."""
        import torch

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scripted = torch.jit.script(torch.nn.Identity())
            torch.jit.save(scripted, str(path), _extra_files=self.extra_files())
        return path


def module_table(
    signature: dict[str, Any], layers: int, channels: int, skip: bool, extra_inputs: int
) -> list[dict[str, Any]]:
    """The manifest's list of modules."""
    result: list[dict[str, Any]] = []
    offset = 0

    def add(kind: str, layer: int, name: str, inputs: int) -> None:
        nonlocal offset
        outputs = channels if layer <= layers else 1
        result.append(
            {
                "kind": kind,
                "layer": layer,
                "name": name,
                "inputs": inputs,
                "outputs": outputs,
                "offset": offset,
            }
        )
        offset += outputs * (inputs + 1)

    for layer in range(1, layers + 2):
        for schema in signature["schemas"]:
            slots = len(schema["slots"])
            first = 2 * slots + extra_inputs
            add("action", layer, schema["name"], first if layer == 1 else channels * (slots + skip))
        for predicate in signature["predicates"] if layer <= layers else []:
            if predicate["pools"]:
                own = skip and layer > 1
                add(
                    "proposition",
                    layer,
                    predicate["name"],
                    channels * (len(predicate["pools"]) + own),
                )
    return result


def make_model(
    domain: str = "blocksworld",
    *,
    layers: int = 2,
    channels: int = 4,
    pooling: Any = "slot",
    skip: bool = True,
    nonlinearity: str = "elu",
    features: dict[str, Any] | None = None,
    training: Any = None,
) -> ModelParts:
    """A model for one of the shipped domains, with random weights."""
    usual = {"landmarks": "article", "counts": True, "helpful": False, "last_action": False}
    features = features or usual
    signature = asnets.NetworkStructure(small_task(domain), pooling).signature
    extra = extra_inputs(features_of({"features": features}))
    modules = module_table(signature, layers, channels, skip, extra)
    floats = sum(module["outputs"] * (module["inputs"] + 1) for module in modules)
    weights = np.random.default_rng(3).normal(0, 0.5, floats).astype("<f4")
    manifest = {
        "format": "asnets-model",
        "version": 1,
        "domain": {"name": small_task(domain).domain_name, "sha256": ""},
        "signature": signature,
        "pooling": pooling,
        "skip": skip,
        "layers": layers,
        "nonlinearity": nonlinearity,
        "features": features,
        "modules": modules,
        "weights": {"floats": floats, "sha256": ""},
        "training": {"problems": 3, "seconds": 1.5} if training is None else training,
    }
    return ModelParts(manifest, weights.tobytes(), generators.domain_text(domain).encode())


def small_task(domain: str, seed: int = 1) -> asnets.Task:
    """A small problem of one of the shipped domains."""
    size = {"gold-miner": 4, "triangle-tireworld": 2, "cosanostra-pizza": 2}.get(domain, 3)
    problem = generators.generate(domain, size, seed=seed)
    return asnets.ground_text(generators.domain_text(domain), problem)


def arrays_of(parts: ModelParts) -> list[NDArray[np.float32]]:
    """Matrix and vector of each module, cut out by its offset."""
    floats = np.frombuffer(parts.weights, "<f4")
    result: list[NDArray[np.float32]] = []
    for module in parts.manifest["modules"]:
        inputs, outputs, begin = (module[key] for key in ("inputs", "outputs", "offset"))
        middle = begin + outputs * inputs
        result += [floats[begin:middle].reshape(outputs, inputs), floats[middle : middle + outputs]]
    return result
