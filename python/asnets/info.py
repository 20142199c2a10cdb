"""What `asnets info` tells about a model file."""

import json
from typing import Any

from asnets._core import Model
from asnets.inputs import features_of

LONGEST = 100
"""Characters of a value in the record of the training; the JSON file has all of it."""


def figures(model: Model) -> dict[str, Any]:
    """For the JSON file."""
    manifest = model.manifest
    signature = manifest["signature"]
    names = [predicate["name"] for predicate in signature["predicates"]]
    arrays = model.arrays
    return {
        "domain": model.domain_name,
        "format": manifest["version"],
        "layers": manifest["layers"],
        "channels": _channels(manifest),
        "pooling": manifest["pooling"],
        "skip": manifest["skip"],
        "nonlinearity": manifest["nonlinearity"],
        "features": features_of(manifest),
        "parameters": sum(array.size for array in arrays),
        "nonzero_parameters": sum(int((array != 0).sum()) for array in arrays),
        "schemas": [
            {
                "name": schema["name"],
                "parameters": schema["parameters"],
                "slots": [_atom(names[s["predicate"]], s["terms"]) for s in schema["slots"]],
            }
            for schema in signature["schemas"]
        ],
        "predicates": [
            {"name": each["name"], "arity": each["arity"], "pools": len(each["pools"])}
            for each in signature["predicates"]
        ],
        "training": manifest.get("training"),
    }


def describe(found: dict[str, Any]) -> None:
    """Print figures: the network, its schemas and predicates, the record of its training."""
    print(f"network for domain {_shown(found['domain'])} (model format {found['format']})")
    print(f"parameters: {found['parameters']:,} ({found['nonzero_parameters']:,} are not zero)")
    print(f"layers: {found['layers']}")
    if found["channels"]:
        ranges = [f"{a}" if a == b else f"{a} to {b}" for a, b in found["channels"]]
        print("channels:", ranges[0] if len(set(ranges)) == 1 else ", ".join(ranges))
    for key in ("pooling", "skip", "nonlinearity"):
        print(f"{key}: {_shown(found[key])}")
    for key, value in found["features"].items():
        print(f"{key.replace('_', ' ')}: {_shown(value)}")
    print("schemas:")
    for schema in found["schemas"]:
        slots = " ".join(map(_shown, schema["slots"]))
        print(f"  {_shown(_atom(schema['name'], schema['parameters']))}: {slots}")
    print("predicates:")
    for predicate in found["predicates"]:
        print(f"  {_shown(predicate['name'])}/{predicate['arity']}: {_pools(predicate['pools'])}")
    training = found["training"]
    if isinstance(training, dict):
        print("training:")
        for key, value in training.items():
            print(f"  {_shown(key)}: {_shown(value)}")
    elif training is not None:
        print(f"training: {_shown(training)}")


def _channels(manifest: dict[str, Any]) -> list[tuple[int, int]]:
    """The least and the most outputs of the modules in each hidden layer."""
    by_layer: dict[int, list[int]] = {}
    for module in manifest["modules"]:
        if module["layer"] <= manifest["layers"]:
            by_layer.setdefault(int(module["layer"]), []).append(int(module["outputs"]))
    return [(min(each), max(each)) for _, each in sorted(by_layer.items())]


def _atom(name: str, terms: list[str]) -> str:
    return "(" + " ".join([name, *terms]) + ")"


def _pools(count: int) -> str:
    return {0: "in no schema", 1: "1 pool"}.get(count, f"{count} pools")


def _shown(value: object) -> str:
    """On one line, with nothing that a terminal would obey."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value if isinstance(value, str) and value.isprintable() else json.dumps(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."
