"""One search or SSP solver of ours in a process of its own: prints a line of JSON.

    python -m benchmarks.worker SEARCH HEURISTIC TIME_LIMIT DOMAIN [PROBLEM]

Its keys are those of measure.Run, `grounding`, the wall time of grounding, and `whole`, the CPU time
of grounding, preparing and searching. For an SSP solver `cost` is the value of the initial state.
"""

import json
import sys
from time import perf_counter, process_time

import asnets


def main(name: str, heuristic: str, limit: str, *paths: str) -> None:
    begin, begin_cpu = perf_counter(), process_time()
    task = asnets.ground(*paths)
    grounding, grounding_cpu = perf_counter() - begin, process_time() - begin_cpu

    # Fast Downward's search time does not have what prepares the heuristic: ours neither.
    begin_cpu = process_time()
    asnets.Heuristic(task, heuristic)
    preparing = process_time() - begin_cpu

    begin, begin_cpu = perf_counter(), process_time()
    if name in asnets.SOLVERS:
        solver = asnets.Solver(task, name, heuristic)
        status = solver.solve(time_limit=float(limit))
        cost, statistics = solver.value(), solver.statistics
    else:
        result = asnets.search(task, name, heuristic, time_limit=float(limit))
        status, cost, statistics = result.status, result.cost, result.statistics
    cpu, wall = process_time() - begin_cpu, perf_counter() - begin

    found = {
        "status": status,
        "cost": cost,
        "evaluated": statistics.evaluations,
        "expanded": statistics.expansions,
        "seconds": max(cpu - preparing, 1e-6),
        "wall": wall,
        "grounding": grounding,
        "whole": grounding_cpu + cpu,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
