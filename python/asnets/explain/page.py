"""A rollout's activations as one page for a browser, which asks for nothing else."""

import base64
import json
import re
import zlib
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from asnets.explain.drawing import RAMP, SIZE, Drawing, Frame
from asnets.explain.rollout import Rollout
from asnets.files import write_text

TOP = 8
"""Actions that are listed at a decision."""

ENDS = {
    "goal": "Goal reached",
    "dead end": "Dead end",
    "loop": "Loop",
    "step limit": "Limit of steps reached",
    "time limit": "Limit of time reached",
}


def write_page(drawing: Drawing, path: Path) -> None:
    data = json.dumps(_data(drawing), separators=(",", ":"), allow_nan=False)
    texts = {
        "title": escape(drawing.rollout.task.problem_name),
        "summary": escape(_summary(drawing.rollout)),
        "style": _file("page.css"),
        "data": data.replace("<", "\\u003c"),  # no name can end the script
        "script": _file("page.js") + _file("pointing.js"),
    }
    write_text(path, re.sub("@([a-z]+)@", lambda found: texts[found[1]], _file("page.html")))


def _file(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _summary(rollout: Rollout) -> str:
    task, run = rollout.task, rollout.run
    return (
        f"Domain {task.domain_name}, {len(task.actions):,} actions. {ENDS[run.end]} after "
        f"{len(run):,} steps at cost {run.cost:g}."
    )


def _data(drawing: Drawing) -> dict[str, Any]:
    rollout = drawing.rollout
    widths = [values.shape[1] for values in drawing.frames[0].values]
    nodes, inputs, atoms = _nodes(drawing)
    return {
        "ramp": RAMP,
        "size": SIZE,
        "end": ENDS[rollout.run.end],
        "total": len(drawing.graph.nodes),
        "scales": drawing.scales,
        "radius": drawing.radius,
        "width": sum(widths),
        "begin": np.cumsum([0, *widths[:-1]]).tolist(),
        "inputs": inputs,
        "flags": rollout.parts.flags,
        "schemas": [{"name": each["name"]} for each in rollout.parts.schemas],
        "predicates": [
            {"name": each["name"], "pools": _pools(rollout, p)}
            for p, each in enumerate(rollout.parts.predicates)
        ],
        "atoms": atoms,
        "nodes": nodes,
        "edges": drawing.edges,
        "steps": [_step(drawing, index) for index in range(len(rollout))],
        "numbers": base64.b64encode(zlib.compress(_numbers(drawing.frames), 9)).decode(),
    }


def _nodes(drawing: Drawing) -> tuple[list[dict[str, Any]], int, list[str]]:
    """With the number of all inputs of their actions, and the names of all atoms in slots."""
    rollout, graph = drawing.rollout, drawing.graph
    parts, structure = rollout.parts, rollout.structure
    slots: dict[int, list[int]] = {}
    for action, _, proposition in graph.edges.tolist():
        slots.setdefault(action, []).append(proposition)
    members = [
        [
            np.bincount(
                structure.slots[pool["schema"]][:, pool["slots"]].ravel(), minlength=len(goal)
            )
            for pool in each["pools"]
        ]
        for each, goal in zip(parts.predicates, structure.goal)
    ]
    atoms: dict[str, int] = {}
    inputs = 0
    found: list[dict[str, Any]] = []
    for number, node, (x, y) in zip(
        drawing.shown.tolist(), drawing.nodes, drawing.positions.tolist()
    ):
        each: dict[str, Any] = {
            "name": node.name,
            "index": node.index,
            "x": round(x, 2),
            "y": round(y, 2),
        }
        if node.kind == "action":
            modules = [layer[node.index] for layer in parts.actions]
            names = [graph.nodes[proposition].name for proposition in slots.get(number, ())]
            each |= {
                "kind": 0,
                "first": inputs,
                "slots": [atoms.setdefault(name, len(atoms)) for name in names],
            }
            inputs += len(modules[0].sources)
        else:
            modules = [layer[node.index] for layer in parts.propositions]
            each |= {
                "kind": 1,
                "hub": bool(graph.is_hub[number]),
                "goal": bool(structure.goal[node.index][node.row]),
                "pools": [int(pool[node.row]) for pool in members[node.index]],
            }
        found.append(each | {"channels": [module.channels for module in modules]})
    return found, inputs, list(atoms)


def _pools(rollout: Rollout, predicate: int) -> list[str]:
    """What they are called: the schema, with its slots' atoms."""
    name = rollout.parts.predicates[predicate]["name"]
    found = []
    for pool in rollout.parts.predicates[predicate]["pools"]:
        schema = rollout.parts.schemas[pool["schema"]]
        atoms = (" ".join([name, *schema["slots"][i]["terms"]]) for i in pool["slots"])
        found.append(f"{schema['name']}: {', '.join(atoms)}")
    return found


def _step(drawing: Drawing, index: int) -> dict[str, Any]:
    rollout, frame = drawing.rollout, drawing.frames[index]
    top = [
        (action.name, float(f"{probability:.4g}"), drawing.places.get(action.index))
        for action, probability in frame.probabilities.items()
    ]
    after = rollout.run.states[min(index + 1, len(rollout) - 1)].truth
    before, atoms = frame.state.truth, rollout.task.propositions
    return {
        "action": frame.action.name if frame.action else None,
        "chosen": drawing.places.get(frame.action.index) if frame.action else None,
        "top": top[:TOP],
        "others": (len(top[TOP:]), sum(probability for _, probability, _ in top[TOP:])),
        "added": [atoms[i].name for i in np.flatnonzero(after & ~before)],
        "deleted": [atoms[i].name for i in np.flatnonzero(before & ~after)],
    }


def _numbers(frames: list[Frame]) -> bytes:
    """Four arrays, each step after step: the channels' values (float16); distances, truth and inputs
    (bytes)."""
    limit = float(np.finfo(np.float16).max)
    parts = [
        np.stack(
            [np.concatenate(frame.values, axis=1).clip(-limit, limit) for frame in frames]
        ).astype("<f2"),
        np.stack([frame.distances for frame in frames]),
        np.stack([frame.truth for frame in frames]),
        np.stack([frame.inputs for frame in frames]).clip(0, 255).astype(np.uint8),
    ]
    return b"".join(part.tobytes() for part in parts)
