"""Dependencies point one way: each stage knows itself and the stages before it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

# The folders of cpp/, in the order of the flow.
STAGES = (
    "base", "pddl", "grounding", "task", "heuristics", "search", "network", "policy", "plain",
)  # fmt: skip

# The core is a plain C++ library: none of these belongs in it.
FOREIGN = re.compile(r"(pybind11|torch|ATen|c10|caffe2|numpy)/|Python\.h$")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def cpp_violations(core: Path) -> Iterator[str]:
    """What is wrong with the includes below `core`, one line each."""
    for path in sorted([*core.rglob("*.h"), *core.rglob("*.cc")]):
        where = path.relative_to(core)
        stage = where.parts[0]
        if stage not in STAGES:
            yield f"{where}: not in a stage folder ({', '.join(STAGES)})"
            continue
        for bracket, target in INCLUDE.findall(path.read_text()):
            if FOREIGN.match(target):
                yield f"{where}: the core must not include {target}"
            elif bracket == '"':
                other = target.split("/")[0]
                if other not in STAGES:
                    yield f"{where}: write {target} as <stage>/<file>"
                elif STAGES.index(other) > STAGES.index(stage):
                    yield f"{where}: {stage} comes before {other}, yet includes {target}"


def imports(node: ast.AST, deferred: bool = False) -> Iterator[tuple[str, int, bool]]:
    """Every import below `node`: package, line, and whether loading the module leaves it out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for name in child.names:
                yield name.name.split(".")[0], child.lineno, deferred
        elif isinstance(child, ast.ImportFrom) and not child.level:
            yield (child.module or "").split(".")[0], child.lineno, deferred
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from imports(child, deferred or function or is_type_checking(child))


def is_type_checking(node: ast.AST) -> bool:
    """Is `node` an `if TYPE_CHECKING:`?"""
    return isinstance(node, ast.If) and ast.unparse(node.test) in (
        "TYPE_CHECKING",
        "typing.TYPE_CHECKING",
    )


def python_violations(package: Path) -> Iterator[str]:
    """What is wrong with the imports below `package`, one line each."""
    for path in sorted(package.rglob("*.py")):
        where = path.relative_to(package)
        for name, line, deferred in imports(ast.parse(path.read_text())):
            # The command line is a door to both, and opens the trainer's when asked.
            if name == "asnets_train" and not (where.name == "cli.py" and deferred):
                yield f"{where}:{line}: asnets must not know asnets_train"
            if name == "torch" and not deferred:
                yield f"{where}:{line}: import torch inside the function that needs it"


def test_core_includes_point_one_way(root: Path) -> None:
    assert list(cpp_violations(root / "cpp")) == []


def test_package_imports_point_one_way(root: Path) -> None:
    assert list(python_violations(root / "python" / "asnets")) == []


@pytest.mark.parametrize(
    ("file", "line", "caught"),
    [
        ("task/task.h", '#include "pddl/parser.h"', False),
        ("task/task.h", '#include "task/state.h"', False),
        ("task/task.h", "#include <vector>", False),
        ("network/forward.cc", "#include <numeric>", False),
        ("pddl/parser.h", '#include "task/task.h"', True),
        ("base/ids.h", '  #  include "pddl/parser.h"', True),
        ("task/task.h", '#include "state.h"', True),
        ("task/task.cc", "#include <pybind11/pybind11.h>", True),
        ("task/task.cc", "#include <Python.h>", True),
        ("network/model.cc", "#include <torch/script.h>", True),
        ("extra/thing.h", "#include <vector>", True),
    ],
)
def test_cpp_check_catches(tmp_path: Path, file: str, line: str, caught: bool) -> None:
    path = tmp_path / file
    path.parent.mkdir()
    path.write_text(f"#pragma once\n\n{line}\n")
    assert bool(list(cpp_violations(tmp_path))) == caught


@pytest.mark.parametrize(
    ("source", "caught"),
    [
        ("import numpy", False),
        ("from . import _core", False),
        ("def f():\n    import torch", False),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch", False),
        ("import torch", True),
        ("from torch.nn import Module", True),
        ("try:\n    import torch\nexcept ImportError:\n    pass", True),
        ("class C:\n    import torch", True),
        ("def f():\n    from asnets_train import collect", True),
        ("if typing.TYPE_CHECKING:\n    import asnets_train", True),
    ],
)
def test_python_check_catches(tmp_path: Path, source: str, caught: bool) -> None:
    (tmp_path / "module.py").write_text(source + "\n")
    assert bool(list(python_violations(tmp_path))) == caught


@pytest.mark.parametrize(
    ("source", "caught"),
    [("def f():\n    import asnets_train", False), ("import asnets_train", True)],
)
def test_only_the_command_line_knows_the_trainer(tmp_path: Path, source: str, caught: bool) -> None:
    (tmp_path / "cli.py").write_text(source + "\n")
    assert bool(list(python_violations(tmp_path))) == caught
