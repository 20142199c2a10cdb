"""What the README and the guide show runs as they show it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = ["README.md", "docs/guide.md"]


def blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str, root: Path, tmp_path: Path) -> None:
    """First the commands, then what Python does with their results."""
    (tmp_path / "domains").symlink_to(root / "domains")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    commands = re.findall(r"^    (asnets .*)$", (root / page).read_text(), re.MULTILINE)
    for command in commands:
        subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            timeout=600,
            check=True,
        )
    examples = blocks(root / page)
    assert examples
    for example in examples:
        done = subprocess.run(
            [sys.executable, "-c", example],
            check=False,
            cwd=tmp_path,
            text=True,
            capture_output=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout


@pytest.mark.parametrize(
    "page",
    [
        *PAGES,
        "docs/architecture.md",
        "docs/model-format.md",
        "docs/training.md",
        "domains/README.md",
    ],
)
def test_links(page: str, root: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", (root / page).read_text()):
        assert (root / page).parent.joinpath(target).exists(), target
