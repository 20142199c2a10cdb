"""The examples in the docstrings of the compiled module run."""

import doctest
from collections.abc import Iterator
from typing import Any

import pytest

from asnets import _core


def documented() -> Iterator[Any]:
    for name, value in vars(_core).items():
        if getattr(value, "__module__", None) != _core.__name__:
            continue
        yield pytest.param(value, id=name)
        for key, member in vars(value).items() if isinstance(value, type) else ():
            if ">>>" in (getattr(member, "__doc__", None) or ""):
                yield pytest.param(member, id=f"{name}.{key}")


@pytest.mark.parametrize("value", [p for p in documented() if ">>>" in (p.values[0].__doc__ or "")])
def test_examples(value: Any) -> None:
    test = doctest.DocTestParser().get_doctest(value.__doc__, {}, value.__name__, None, None)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted > 0
    assert result.failed == 0


def test_examples_are_found() -> None:
    assert {"ground", "ground_text", "State", "Task.successors"} <= {p.id for p in documented()}


def test_public_names_are_documented() -> None:
    for name, value in vars(_core).items():
        if not name.startswith("_") and name not in ("Propositions", "Actions"):
            assert value.__doc__, name
