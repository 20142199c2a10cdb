"""What the README and the guide show runs as they show it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import asnets
from asnets import generators
from driving import drive, needs_planner, policy

PAGES = ["README.md", "docs/guide.md", "docs/models.md"]


def blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


def run_commands(page: Path, programs: str, folder: Path) -> None:
    """The commands of a page in a folder, in their order."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    commands = re.findall(rf"^    ((?:{programs}) .*)$", page.read_text(), re.MULTILINE)
    for command in commands:
        subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path},
            timeout=600,
            check=True,
        )


@needs_planner
def test_fast_downward(root: Path, tmp_path: Path) -> None:
    (tmp_path / "domains").symlink_to(root / "domains")
    run_commands(root / "docs" / "fast-downward.md", "asnets|fast-downward", tmp_path)
    # What was learnt there is the same policy through both doors.
    files = [root / "domains" / "blocksworld" / "domain.pddl", tmp_path / "p.pddl"]
    for size in (10, 20, 30):
        files[1].write_text(generators.generate("blocksworld", size, seed=size))
        for avoid_loops in (False, True):
            search = policy(tmp_path / "bw.pt", avoid_loops=avoid_loops, verbosity="debug")
            done = drive(tmp_path, *files, "--search", search)
            task = asnets.ground(*files)
            run = asnets.Policy(tmp_path / "bw.pt").run(task, avoid_loops=avoid_loops)
            assert done.steps == [str(action).strip("()") for action in run.actions]
            assert (done.code == 0) == run.reached_goal


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str, root: Path, tmp_path: Path) -> None:
    """First the commands, then what Python does with their results."""
    (tmp_path / "domains").symlink_to(root / "domains")
    run_commands(root / page, "asnets", tmp_path)
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
        "docs/explain.md",
        "docs/fast-downward.md",
        "docs/model-format.md",
        "docs/results.md",
        "docs/training.md",
        "domains/README.md",
        "downward_patch/README.md",
    ],
)
def test_links(page: str, root: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (root / page).read_text()):
        assert (root / page).parent.joinpath(target).exists(), target
