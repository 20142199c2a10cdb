"""Fixtures shared by the Python tests."""

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from asnets import generators, shipped
from training import QUICK, Files, problem_files, train

if TYPE_CHECKING:
    from shipping import Place

ROOT = Path(__file__).resolve().parents[2]

# Examples are judged by their result, never by their time; CI draws the same ones every run.
settings.register_profile(
    "asnets",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("asnets")

# A shell's background jobs ignore Ctrl-C, and so would all that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's top folder."""
    return ROOT


@pytest.fixture(scope="session")
def domains() -> Path:
    """The folder of the planning domains that come with the project."""
    return ROOT / "domains"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of outside planning tasks next to the project; skips where there is none."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where tests put a task; nothing else is in its folder."""
    folder = tmp_path / "task"
    folder.mkdir()
    return folder / "task.pddl"


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """Where tests put a plan; the file holds an older one."""
    folder = tmp_path / "plan"
    folder.mkdir()
    (folder / "sas_plan").write_text("old")
    return folder / "sas_plan"


def task_files(folder: Path, name: str, size: int, seed: int = 0) -> list[Path]:
    files = [folder / f"{name}-domain.pddl", folder / f"{name}-{size}.pddl"]
    files[0].write_text(generators.domain_text(name))
    files[1].write_text(generators.generate(name, size, seed=seed))
    return files


@pytest.fixture(scope="session")
def blocks4(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return task_files(tmp_path_factory.mktemp("blocks"), "blocksworld", 4)


@pytest.fixture(scope="session")
def blocks20(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """With h_max a search that ends neither soon nor in little memory."""
    return task_files(tmp_path_factory.mktemp("blocks"), "blocksworld", 20)


@pytest.fixture(scope="session")
def exploding(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Far from solved after a minute."""
    return task_files(tmp_path_factory.mktemp("exploding"), "exploding-blocksworld", 15)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Place":
    """Models in place of those that ship; the working folder has a task for them."""
    from shipping import Place  # not all tests need torch

    found = Place(tmp_path)
    monkeypatch.setenv(shipped.VARIABLE, str(found.models))
    monkeypatch.chdir(found.work)
    return found


@pytest.fixture(scope="session")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Three problems to train on."""
    return problem_files(tmp_path_factory.mktemp("blocks"), "blocksworld", [3, 4, 5], seed=1)


@pytest.fixture(scope="session")
def undisturbed(blocks: Files, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model of a run that nothing disturbed."""
    output = tmp_path_factory.mktemp("whole") / "bw.pt"
    done = train(blocks[0], *blocks[1], "-o", output, *QUICK)
    assert done.returncode == 0, done.stderr
    return output
