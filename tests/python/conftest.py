"""Fixtures shared by the Python tests."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[2]

# Examples are judged by their result, never by their time; CI draws the same ones every run.
settings.register_profile(
    "asnets",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("asnets")


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
