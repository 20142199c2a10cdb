"""What prints numbers: ratios against named peers, measured in one run."""

import sys
from pathlib import Path

# The peers are the tests' outside oracles.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "python"))
