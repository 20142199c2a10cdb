"""Helpers of the tests of Fast Downward with policies: how to start it, models for any domain."""

import re
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from downward_patch.places import planner, source_folder

import asnets
from oracles.slow_network import Setting
from torch_networks import export_random

COMMAND = Path(sys.executable).with_name("fast-downward")

needs_planner = pytest.mark.skipif(
    not planner(source_folder()).exists(), reason="Fast Downward is not built: make downward"
)


@dataclass(frozen=True)
class Driven:
    """What a run of the driver left behind."""

    code: int
    out: str
    err: str
    plan: Path

    @property
    def steps(self) -> list[str]:
        """What a policy did, by its own account (verbosity=debug)."""
        return re.findall(r"Step \d+: (.*)$", self.out, re.MULTILINE)

    @property
    def reason(self) -> str:
        """Why a policy did not reach the goal."""
        found = re.search(r"The policy does not reach the goal: (.*)\.$", self.out, re.MULTILINE)
        assert found is not None, self.out + self.err
        return found[1]


def drive(folder: Path, *arguments: object, timeout: float = 120) -> Driven:
    """Run the driver in a folder; its plan goes to `plan` there."""
    plan = folder / "plan"
    plan.unlink(missing_ok=True)
    command = [str(COMMAND), "--plan-file", str(plan), *map(str, arguments)]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=timeout, check=False
    )
    return Driven(done.returncode, done.stdout, done.stderr, plan)


def policy(model: Path | str, name: str = "asnet_policy", **options: object) -> str:
    """A search string."""
    values = {key: str(value).lower() for key, value in options.items()}
    listed = "".join(f",{key}={value}" for key, value in values.items())
    return f"{name}(model={model}{listed})"


def write_model(path: Path, domain: str, task: asnets.Task, seed: int = 5, **features: Any) -> Path:
    """A network with random weights, in both forms."""
    export_random(path, domain, task, Setting(**features), seed)
    return path


class Given:
    """A domain, problems and a model in a folder."""

    def __init__(self, folder: Path, domain: str, problems: Sequence[str], **options: Any) -> None:
        self.folder = folder
        self.domain = folder / "domain.pddl"
        self.domain.write_text(domain)
        self.write(problems)
        task = asnets.ground(self.domain, self.problems[0])
        self.model = write_model(folder / "model.pt", domain, task, **options)

    def write(self, problems: Sequence[str]) -> None:
        self.problems = [self.folder / f"p{i}.pddl" for i in range(len(problems))]
        for path, text in zip(self.problems, problems):
            path.write_text(text)

    def drive(self, search: str, problem: int = 0, *arguments: object) -> Driven:
        return drive(
            self.folder, *arguments, self.domain, self.problems[problem], "--search", search
        )


# Everything that the translator treats in its own way: an action without effect, one whose effect
# nothing needs, one without parameters, negated and disjunctive conditions, costs, capital letters.
ROOMS = textwrap.dedent("""\
    (define (domain Rooms)
      (:requirements :typing :negative-preconditions :disjunctive-preconditions :action-costs)
      (:types Room)
      (:predicates (At ?r - Room) (lit ?r - room) (linked ?a ?b - room) (painted ?r - room)
                   (rested))
      (:functions (total-cost) - number)
      (:action Move
        :parameters (?from ?to - room)
        :precondition (and (at ?from) (linked ?from ?to))
        :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 2)))
      (:action sneak
        :parameters (?from ?to - room)
        :precondition (and (at ?from) (linked ?to ?from) (not (lit ?to))
                           (or (lit ?from) (rested)))
        :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 3)))
      (:action SWITCH
        :parameters (?r - room)
        :precondition (and (at ?r) (not (lit ?r)))
        :effect (and (lit ?r) (increase (total-cost) 1)))
      (:action stay
        :parameters (?r - room)
        :precondition (at ?r)
        :effect (and (at ?r) (increase (total-cost) 5)))
      (:action paint
        :parameters (?r - room)
        :precondition (and (at ?r) (lit ?r))
        :effect (and (painted ?r) (increase (total-cost) 1)))
      (:action rest
        :parameters ()
        :precondition (and)
        :effect (and (rested) (increase (total-cost) 1))))
    """)


def rooms(seed: int, goal: str = "(and (lit A) (lit c) (at B))") -> str:
    """Rooms a, B, c and D in a circle, the door between two of them locked."""
    names = "aBcD"
    links = [f"(linked {names[i]} {names[(i + 1) % 4]})" for i in range(4) if i != seed % 4]
    return (
        f"(define (problem Rooms-{seed}) (:domain rooms) (:objects a B c D - room)\n"
        f"  (:init (at {names[seed % 3]}) {' '.join(links)} (= (total-cost) 0))\n"
        f"  (:goal {goal}) (:metric minimize (total-cost)))\n"
    )
