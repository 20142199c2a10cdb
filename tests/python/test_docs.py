"""What the README and the guide show runs as they show it."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = ["README.md", "docs/guide.md"]


def blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_python_examples(page: str, root: Path) -> None:
    examples = blocks(root / page)
    assert examples
    for example in examples:
        done = subprocess.run(
            [sys.executable, "-c", example],
            check=False,
            cwd=root,
            text=True,
            capture_output=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout


def test_commands_of_the_readme(root: Path, tmp_path: Path) -> None:
    commands = re.findall(r"^    (asnets .*)$", (root / "README.md").read_text(), re.MULTILINE)
    assert len(commands) >= 2
    (tmp_path / "domains").symlink_to(root / "domains")
    for command in commands:
        words = [sys.executable, "-m", *shlex.split(command)]
        subprocess.run(words, cwd=tmp_path, timeout=60, check=True)


@pytest.mark.parametrize(
    "page", [*PAGES, "docs/architecture.md", "docs/model-format.md", "domains/README.md"]
)
def test_links(page: str, root: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", (root / page).read_text()):
        assert (root / page).parent.joinpath(target).exists(), target
