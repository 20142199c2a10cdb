"""Unified Planning's own plan validator, another one than VAL's."""

from importlib.util import find_spec
from pathlib import Path


def is_there() -> bool:
    return find_spec("unified_planning") is not None


def is_valid(domain: Path, problem: Path, plan: Path) -> bool:
    """Is a file in Fast Downward's format a plan?"""
    from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
    from unified_planning.io import PDDLReader

    reader = PDDLReader()
    task = reader.parse_problem(str(domain), str(problem))
    with SequentialPlanValidator() as validator:
        result = validator.validate(task, reader.parse_plan(task, str(plan)))
    return bool(result.status == ValidationResultStatus.VALID)
