"""ASNets: generalised policies for classical and probabilistic planning.

>>> import asnets
>>> domain = asnets.generators.domain_text("blocksworld")
>>> task = asnets.ground_text(domain, asnets.generators.generate("blocksworld", 3, seed=1))
>>> task
<Task blocksworld-n3-s1 of blocks: 24 actions, 19 propositions>
>>> print(task.goal)
(and (clear b2) (handempty) (on b2 b3) (on b3 b1) (ontable b1))
>>> [str(action) for action in task.initial_state.applicable()]
['(unstack b3 b1)']
"""

from collections.abc import Sequence as _Sequence

from asnets import generators
from asnets._core import (
    HEURISTICS,
    SEARCHES,
    SOLVERS,
    TEACHERS,
    Action,
    Actions,
    Batch,
    Condition,
    ConditionalEffect,
    Explorer,
    Features,
    Heuristic,
    Model,
    Network,
    NetworkStructure,
    Observation,
    Outcome,
    Proposition,
    Propositions,
    Rng,
    Run,
    Schema,
    SearchResult,
    Solver,
    State,
    StateMemory,
    Statistics,
    Task,
    TaskPolicy,
    Teacher,
    Trajectory,
    ground,
    ground_text,
    sample_batch,
    search,
)
from asnets.errors import ModelError, PddlError
from asnets.policy import Policy
from asnets.shipped import read_model

_Sequence.register(Actions)
_Sequence.register(Propositions)

__all__ = [
    "HEURISTICS",
    "SEARCHES",
    "SOLVERS",
    "TEACHERS",
    "Action",
    "Actions",
    "Batch",
    "Condition",
    "ConditionalEffect",
    "Explorer",
    "Features",
    "Heuristic",
    "Model",
    "ModelError",
    "Network",
    "NetworkStructure",
    "Observation",
    "Outcome",
    "PddlError",
    "Policy",
    "Proposition",
    "Propositions",
    "Rng",
    "Run",
    "Schema",
    "SearchResult",
    "Solver",
    "State",
    "StateMemory",
    "Statistics",
    "Task",
    "TaskPolicy",
    "Teacher",
    "Trajectory",
    "generators",
    "ground",
    "ground_text",
    "read_model",
    "sample_batch",
    "search",
]
