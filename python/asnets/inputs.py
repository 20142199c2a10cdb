"""Which inputs a network has beyond truth and goal of an action's slots."""

from collections.abc import Mapping
from typing import Any

FEATURES = ("landmarks", "counts", "helpful", "last_action")
"""What asnets.Features takes."""


def features_of(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a model; one that its manifest does not name is not there."""
    return {name: manifest["features"].get(name, False) for name in FEATURES}


def extra_inputs(features: Mapping[str, Any]) -> int:
    """How many they are, the one that tells what is applicable included."""
    flags = [features[name] for name in FEATURES if name != "landmarks"]
    return 1 + (0 if features["landmarks"] == "none" else 3) + sum(map(bool, flags))
