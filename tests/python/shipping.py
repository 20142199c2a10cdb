"""Helpers of the tests of shipped models: a folder of models in place of the package's, with a task."""

import hashlib
import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import asnets
from asnets import generators
from driving import Driven, drive, write_model

Run = subprocess.CompletedProcess[str]

PROBLEM = generators.generate("blocksworld", 5, seed=2)

RECORD: dict[str, Any] = {
    "name": "blocks",
    "domain": "blocks",
    "sha256": "",
    "parameters": 17_668,
    "coverage": {"solved": 29.5, "problems": 30, "sizes": [35, 50], "by": "likeliest action"},
    "command": "asnets train domain.pddl training/*.pddl -o blocks.pt --seed 3",
    "seed": 3,
    "commit": "c0ffee",
    "seconds": 1_230.5,
    "epochs": 12,
    "validation": 1.0,
}


class Place:
    """A folder with a task, and beside it a folder of models in place of the package's."""

    def __init__(self, folder: Path) -> None:
        self.models = folder / "models"
        self.work = folder / "work"
        self.models.mkdir()
        self.work.mkdir()
        self.write(generators.domain_text("blocksworld"), PROBLEM)
        self.task = asnets.ground_text(generators.domain_text("blocksworld"), PROBLEM)
        self.model = self.models / "blocks.pt"
        for name in ("blocks.pt", "two.pt"):
            (self.models / name).write_bytes(_exported())
        self.write_record({})

    def write(self, domain: str, problem: str) -> None:
        (self.work / "domain.pddl").write_text(domain)
        (self.work / "p.pddl").write_text(problem)

    def write_record(self, changes: dict[str, Any], name: str = "blocks") -> Path:
        """One that fits, with changes; None takes a field out."""
        model = self.models / f"{name}.pt"
        sha256 = hashlib.sha256(model.read_bytes()).hexdigest()
        fields = {**RECORD, "name": name, "sha256": sha256, **changes}
        text = json.dumps({key: value for key, value in fields.items() if value is not None})
        model.with_suffix(".json").write_text(text)
        return model.with_suffix(".json")

    def asnets(self, command: str, *arguments: object) -> Run:
        return subprocess.run(
            [sys.executable, "-m", "asnets", command, *map(str, arguments)],
            check=False, cwd=self.work, text=True, capture_output=True, timeout=60,
        )  # fmt: skip

    def plan(self, model: object, *arguments: object) -> Run:
        return self.asnets("plan", "domain.pddl", "p.pddl", "-m", model, *arguments)

    def evaluate(self, model: object) -> Run:
        files = ["domain.pddl", "p.pddl", "-m", model]
        return self.asnets("evaluate", *files, "--workers", 1, "-o", "results.jsonl")

    def drive(self, search: str) -> Driven:
        return drive(self.work, "domain.pddl", "p.pddl", "--search", search)


@cache
def _exported() -> bytes:
    """A model for Blocksworld, in both forms."""
    domain = generators.domain_text("blocksworld")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.pt"
        return write_model(path, domain, asnets.ground_text(domain, PROBLEM)).read_bytes()
