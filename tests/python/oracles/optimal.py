"""The cheapest plan by blind search: slow, for small deterministic tasks."""

import heapq
from itertools import count

import asnets


def cheapest_plan(
    task: asnets.Task, start: asnets.State, most: int = 20_000
) -> list[asnets.Action] | None:
    """A plan of least cost, None if there is none; OverflowError past `most` states."""
    order = count()
    open_ = [(0.0, next(order), start)]
    best: dict[asnets.State, float] = {start: 0.0}
    parent: dict[asnets.State, tuple[asnets.State, asnets.Action]] = {}
    closed: set[asnets.State] = set()
    while open_:
        cost, _, state = heapq.heappop(open_)
        if state in closed:
            continue
        closed.add(state)
        if len(closed) > most:
            raise OverflowError(f"more than {most} states")
        if state.is_goal:
            plan = []
            while state != start:
                state, action = parent[state]
                plan.append(action)
            return plan[::-1]
        for action in state.applicable():
            ((successor, _),) = task.successors(state, action)
            if cost + action.cost < best.get(successor, float("inf")):
                best[successor] = cost + action.cost
                parent[successor] = (state, action)
                heapq.heappush(open_, (cost + action.cost, next(order), successor))
    return None
