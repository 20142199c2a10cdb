"""Where the planner is built, and where it is found."""

import os
import sys
from pathlib import Path

NAME = "fast-downward-20.06"
LIBRARY = "libasnets_plain.so"
"""The core, beside the planner."""


def default_cache() -> Path:
    """With the virtual environment, if there is one; else with the user's caches."""
    if sys.prefix != sys.base_prefix:
        return Path(sys.prefix) / "share" / "asnets"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "asnets"


def source_folder() -> Path:
    """Fast Downward's folder: what the variable ASNETS_DOWNWARD says, else what was built."""
    given = os.environ.get("ASNETS_DOWNWARD")
    return Path(given).absolute() if given else default_cache() / NAME


def planner(source: Path) -> Path:
    return source / "builds" / "release" / "bin" / "downward"
