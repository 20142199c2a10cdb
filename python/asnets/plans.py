"""Plans in Fast Downward's format: an action a line, then a comment with the cost."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from asnets._core import Action, Outcome, Proposition, State, Task

COST_LINE = re.compile(r";\s*cost\s*=\s*(\S+)\s*\((?:unit|general) cost\)", re.IGNORECASE)
ACTION_LINE = re.compile(r"\(\s*([^\s();]+(?:\s+[^\s();]+)*)\s*\)")


class PlanError(ValueError):
    """A plan that cannot be read, or does not do what a plan must."""


@dataclass(frozen=True)
class Plan:
    actions: tuple[str, ...]
    """In lower case, such as "(stack a b)"."""
    cost: float | None
    """What the plan's last line claims."""


def plan_text(actions: Iterable[object], cost: float, unit_cost: bool) -> str:
    """The plan as a file holds it.

    >>> print(plan_text(["(pick-up a)", "(stack a b)"], 2.0, unit_cost=True), end="")
    (pick-up a)
    (stack a b)
    ; cost = 2 (unit cost)
    """
    lines = [str(action).lower() for action in actions]
    lines.append(f"; cost = {number(cost)} ({'unit' if unit_cost else 'general'} cost)")
    return "\n".join(lines) + "\n"


def read_plan(text: str) -> Plan:
    """Read a plan; comments and empty lines may stand anywhere. Raises PlanError."""
    actions = []
    cost = None
    for count, line in enumerate(text.splitlines(), 1):
        code, semicolon, comment = line.partition(";")
        if code.strip():
            match = ACTION_LINE.fullmatch(code.strip())
            if match is None:
                raise PlanError(f"line {count}: expected (action object ...), found {line.strip()}")
            actions.append(f"({' '.join(match[1].lower().split())})")
        claim = COST_LINE.fullmatch((semicolon + comment).strip())
        if claim is not None:
            try:
                cost = float(claim[1])
            except ValueError:
                raise PlanError(f"line {count}: expected a cost, found {claim[1]}") from None
    return Plan(tuple(actions), cost)


def replay(task: Task, actions: Sequence[str], outcomes: Sequence[int] | None = None) -> float:
    """Execute a plan from the initial state and return what it costs.

    Raises PlanError unless every action is known and applicable, has the effect that its outcome
    describes, and the goal holds at the end. A probabilistic task needs `outcomes`: for each
    action the index of the outcome that is hoped for.
    """
    state = task.initial_state
    costs = []
    if outcomes is not None and len(outcomes) != len(actions):
        raise PlanError(f"{len(actions)} actions, but {len(outcomes)} outcomes")
    for index, name in enumerate(actions):
        where = f"step {index + 1}: {name}"
        try:
            action = task.action(name)
        except KeyError as error:
            raise PlanError(f"step {index + 1}: {error.args[0]}") from None
        if not action.precondition.holds(state):
            raise PlanError(f"{where} is not applicable")
        if outcomes is None and len(action.outcomes) > 1:
            raise PlanError(f"{where} has several outcomes, and none is chosen")
        chosen = 0 if outcomes is None else outcomes[index]
        if chosen not in range(len(action.outcomes)):
            raise PlanError(f"{where} has no outcome {chosen}")
        after = _apply(task, state, action, chosen)
        if after is None:
            raise PlanError(f"{where} does not have the effect of its outcome {chosen}")
        state = after
        costs.append(action.cost)
    if not task.goal.holds(state):
        raise PlanError("the goal does not hold at the end")
    return math.fsum(costs)


def checked_text(
    task: Task, actions: Sequence[object], cost: float, outcomes: Sequence[int] | None = None
) -> str:
    """The plan as a file holds it. Raises PlanError unless replaying that text reaches the goal at
    this cost."""
    text = plan_text(actions, cost, task.has_unit_cost)
    written = read_plan(text)
    actual = replay(task, written.actions, outcomes)
    if written.cost is None or not math.isclose(actual, written.cost, abs_tol=1e-9):
        raise PlanError(f"the plan costs {actual}, not {written.cost}")
    return text


def _apply(task: Task, state: State, action: Action, chosen: int) -> State | None:
    """The successor that agrees with the outcome's description, wherever the action changes
    anything. What is derived follows from that."""
    added, deleted = _changes(action.outcomes[chosen], state)
    touched: set[Proposition] = set()
    for outcome in action.outcomes:
        touched.update(*_changes(outcome, state))
    expected = {
        each: each in added or (each not in deleted and state.holds(each)) for each in touched
    }
    matching = [
        successor
        for successor, _ in task.successors(state, action)
        if all(successor.holds(each) == truth for each, truth in expected.items())
    ]
    return matching[0] if len(matching) == 1 else None


def _changes(outcome: Outcome, state: State) -> tuple[set[Proposition], set[Proposition]]:
    """What the outcome adds to the state and deletes from it."""
    effects = [effect for effect in outcome.conditional if effect.condition.holds(state)]
    added = set(outcome.add).union(*(effect.add for effect in effects))
    deleted = set(outcome.delete).union(*(effect.delete for effect in effects))
    return added, deleted


def number(value: float) -> str:
    """A cost without decimals where it has none.

    >>> number(12.0), number(0.1 + 0.2)
    ('12', '0.3')
    """
    return str(int(value)) if value == int(value) else f"{value:.12g}"
