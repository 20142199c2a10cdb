"""Every kind of path in the search string of `fast-downward`."""

from pathlib import Path

import pytest

from asnets import generators
from driving import Given, drive, needs_planner

pytestmark = needs_planner


@pytest.fixture
def given(tmp_path: Path) -> Given:
    problems = [generators.generate("blocksworld", 2, seed=6)]
    return Given(tmp_path, generators.domain_text("blocksworld"), problems, counts=False)


@pytest.mark.parametrize(
    ("name", "quotes"),
    [
        ("Upper/CASE.pt", ("", "'", '"')),
        ("with some spaces/BW one.pt", ("", "'", '"')),
        ("a,b (c)=d.pt", ("'", '"')),
        ("Blöcke-積木.pt", ("", "'")),
        (f"{'long' * 25}/{'Name' * 24}.pt", ("",)),
        ("model=x.pt", ("", '"')),
        ("it's.pt", ("", '"')),
    ],
)
@pytest.mark.parametrize("key", ["model=", " MODEL = ", ""])
def test_paths(given: Given, name: str, quotes: tuple[str, ...], key: str) -> None:
    if name == "model=x.pt" and not key:
        quotes = ('"',)
    moved = given.folder / name
    moved.parent.mkdir(exist_ok=True)
    given.model.rename(moved)
    for path in (moved, moved.relative_to(given.folder)):
        for quote in quotes:
            search = f"ASNET_Policy({key}{quote}{path}{quote}, Max_Steps=1)"
            done = given.drive(search)
            assert (done.code, done.err) == (12, ""), search


def test_messages_show_paths(given: Given) -> None:
    for option in ("no_option=1", "temperature=0"):
        done = given.drive(f"asnet_policy(model={given.model},{option})")
        assert done.code == 33
        assert str(given.model) in done.err, option


def test_text_after_quotes(given: Given) -> None:
    for text in ("'bw'.pt", "'bw' zz", "'bw", '"', "''"):
        done = given.drive(f"asnet_policy(model={text})")
        assert done.code == 33, text
        assert "terminate" not in done.err


def test_paths_without_names(given: Given) -> None:
    """Fast Downward's way to give arguments by place."""
    for file in (given.domain, given.problems[0]):
        file.rename(file.with_name(file.name.upper()))
    places = f"{given.model}, DOMAIN.PDDL, P0.PDDL"
    done = drive(given.folder, "DOMAIN.PDDL", "P0.PDDL", "--search",
                 f"asnet_policy({places}, native, true, 1000, max_steps=100000)")  # fmt: skip
    assert (done.code, done.err) == (0, "")
