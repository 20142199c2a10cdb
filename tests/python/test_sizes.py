"""Numbers of ground actions and propositions, on the problems of the published runs.

tests/python/test_domains.py has the same numbers for the problems that our generators draw.
"""

from pathlib import Path

import pytest

import asnets
from asnets import generators
from oracles import fast_downward
from oracles.corpus import PUBLISHED, Files
from oracles.reachability import Reachability

# Domain, problem, ground actions, propositions.
SIZES = [
    ("blocksworld", "prob-blocks-blocks-nblk8-seed236108287-seq0", 144, 89),
    ("blocksworld", "prob-blocks-blocks-nblk8-ntow1-seed270765476-seq0", 144, 89),
    ("gold-miner", "gm-4x4-s40", 141, 114),
    ("gold-miner", "gm-5x5-s50", 262, 181),
    ("matching-bw", "mbw-b5-t1-s20", 120, 59),
    ("matching-bw", "mbw-b5-t3-s22", 120, 59),
    ("cosanostra", "cosanostra-n2", 16, 20),
    ("ex-blocksworld", "ex-bw-train-n05-s00-r275246", 50, 47),
    ("prob-blocksworld", "prob_bw_n5_es1", 50, 36),
    ("triangle-tireworld", "triangle-tire-2", 33, 49),
]

# Domain, problem, operators that Fast Downward leaves: none with contradictory preconditions.
WITHOUT_MUTEXES = [
    ("blocksworld", "prob-blocks-blocks-nblk8-seed236108287-seq0", 128),
    ("matching-bw", "mbw-b5-t1-s20", 100),
]

DOMAINS = sorted({domain for domain, *_ in SIZES})


def published(domain: str, problem: str) -> Files:
    if not PUBLISHED.is_dir():
        pytest.skip(f"no {PUBLISHED}")
    folder = PUBLISHED / domain
    return Files(folder / "domain.pddl", folder / "train" / f"{problem}.pddl")


@pytest.mark.parametrize(("domain", "problem", "actions", "propositions"), SIZES)
def test_table_of_sizes(domain: str, problem: str, actions: int, propositions: int) -> None:
    task = asnets.ground(*published(domain, problem).paths)
    assert (len(task.actions), len(task.propositions)) == (actions, propositions)


@pytest.mark.parametrize(("domain", "problem", "operators"), WITHOUT_MUTEXES)
def test_only_contradictory_actions_go(domain: str, problem: str, operators: int) -> None:
    files = published(domain, problem)
    kept = fast_downward.translate(*files.paths).operators
    assert len(kept) == operators
    names = {action.name for action in asnets.ground(*files.paths).actions}
    assert kept < names
    assert all(len(set(name.split())) < len(name.split()) for name in names - kept)


@pytest.mark.parametrize("domain", DOMAINS)
def test_all_training_problems(domain: str) -> None:
    problems = sorted((PUBLISHED / domain / "train").glob("*.pddl"))
    if not problems:
        pytest.skip(f"no {PUBLISHED / domain}")
    for problem in problems:
        files = Files(PUBLISHED / domain / "domain.pddl", problem)
        task = asnets.ground(*files.paths)
        reached = Reachability(*files.paths).explore()
        assert {action.name for action in task.actions} == reached.actions
        assert {atom.name for atom in task.propositions} == reached.atoms | reached.goal_atoms


@pytest.mark.parametrize("blocks", [2, 3, 10, 30])
def test_blocksworld(blocks: int, tmp_path: Path) -> None:
    """pick-up and put-down of each block, stack and unstack of each pair; all atoms."""
    problem = tmp_path / "p.pddl"
    problem.write_text(generators.generate("blocksworld", blocks, seed=3))
    task = asnets.ground(generators.domain_path("blocksworld"), problem)
    assert len(task.actions) == 2 * blocks + 2 * blocks**2
    assert len(task.propositions) == blocks**2 + 3 * blocks + 1
