"""What `asnets ground` tells about a task."""

from asnets._core import Task
from asnets.limits import peak_kb


def figures(task: Task, seconds: float, baseline: int) -> dict[str, object]:
    """For the JSON file; the baseline is the memory before grounding, in kB."""
    return {
        "domain": task.domain_name,
        "problem": task.problem_name,
        "objects": len(task.objects),
        "propositions": len(task.propositions),
        "actions": len(task.actions),
        "initial_states": len(task.initial_states),
        "deterministic": task.is_deterministic,
        "schemas": {schema.name: len(schema.action_range) for schema in task.schemas},
        "warnings": list(task.warnings),
        "seconds": seconds,
        "peak_kb": peak_kb(),
        "baseline_kb": baseline,
    }


def describe(task: Task, seconds: float, baseline: int) -> None:
    """Print counts, time, memory and a line a schema."""
    kind = "deterministic" if task.is_deterministic else "probabilistic"
    print(f"{task.problem_name} of domain {task.domain_name} ({kind})")
    print(
        f"{len(task.objects):,} objects, {len(task.propositions):,} propositions, "
        f"{len(task.actions):,} actions; {seconds:.3f} s, "
        f"{(peak_kb() - baseline) / 1024:.1f} MB above {baseline / 1024:.1f} MB"
    )
    rows = [("schema", "parameters", "actions", "outcomes")]
    for schema in task.schemas:
        first = task.actions[schema.action_range.start] if schema.action_range else None
        rows.append(
            (
                schema.name,
                str(len(schema.parameters)),
                f"{len(schema.action_range):,}",
                str(len(first.outcomes)) if first is not None else "-",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [row[i].rjust(widths[i]) for i in (1, 2, 3)]
        print("  " + "  ".join(cells))
