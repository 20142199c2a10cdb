"""Where the nodes of a problem's graph are drawn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from asnets.errors import UsageError
from asnets.explain.graph import GroundGraph, Numbers

Points = NDArray[np.float64]


def positions(graph: GroundGraph, nodes: Numbers) -> Points:
    """(nodes, 2), about 1 apart or more, wider than high; y grows downwards. By the springs of Kamada and
    Kawai (1989), the same every time. Hubs would draw everything together: they get a row below."""
    networkx, spatial = _libraries()
    result = np.zeros((len(nodes), 2))
    hubs = graph.is_hub[nodes]
    near = networkx.Graph()
    near.add_nodes_from(nodes[~hubs].tolist())
    near.add_edges_from(
        (action, proposition)
        for action, _, proposition in graph.edges.tolist()
        if action in near and proposition in near
    )
    if near:
        result[~hubs] = _apart(_upright(_springs(networkx, near)), spatial)
    result[hubs] = row_below(result[~hubs], int(hubs.sum()))
    return result


def row_below(points: Points, count: int) -> Points:
    """Places in a row below the others."""
    if not len(points):
        points = np.zeros((1, 2))
    low, high = points.min(axis=0), points.max(axis=0)
    step = min(4.0, max(1.5, (high[0] - low[0]) / max(count, 1)))
    x = (low[0] + high[0]) / 2 + (np.arange(count) - (count - 1) / 2) * step
    return np.stack([x, np.full(count, high[1] + 1.8)], axis=1)


def _libraries() -> tuple[Any, Any]:
    try:
        import networkx  # type: ignore[import-untyped]
        from scipy import spatial  # type: ignore[import-untyped]
    except ImportError as error:
        raise UsageError(f"this needs {error.name}: pip install 'asnets[explain]'") from None
    return networkx, spatial


def _springs(networkx: Any, graph: Any) -> Points:
    """From classical scaling of the distances, which keeps a problem's overall shape."""
    order = {node: place for place, node in enumerate(graph)}
    distances = np.full((len(order), len(order)), np.nan)
    for node, found in networkx.all_pairs_shortest_path_length(graph):
        distances[order[node], [order[other] for other in found]] = list(found.values())
    distances[np.isnan(distances)] = np.nanmax(distances) + 2  # parts without a connection
    products = -(distances**2) / 2
    products -= products.mean(axis=0)
    products -= products.mean(axis=1, keepdims=True)
    sizes, vectors = np.linalg.eigh(products)
    start = vectors[:, -2:] * np.sqrt(np.maximum(sizes[-2:], 0))
    # Nodes with the same neighbours would start at, and never leave, the same place.
    start = np.resize(start, (len(order), 2)) + np.random.default_rng(0).normal(
        0, 0.3, (len(order), 2)
    )
    found = networkx.kamada_kawai_layout(
        graph,
        dist={a: dict(zip(order, row)) for a, row in zip(order, distances.tolist())},
        pos=dict(zip(order, start)),
    )
    return np.array([found[node] for node in order])


def _upright(points: Points) -> Points:
    """Turned so that they are wider than high."""
    points = points - points.mean(axis=0)
    axes = np.linalg.svd(points, full_matrices=False)[2]
    return np.asarray(points @ np.resize(axes, (2, 2)).T)


def _apart(points: Points, spatial: Any) -> Points:
    """Scaled, and pushed away from each other where they are nearer than 1."""
    if len(points) < 2:
        return points
    nearest = spatial.cKDTree(points).query(points, 2)[0][:, 1]
    area = float(np.prod(np.ptp(points, axis=0)))
    points = points * min(
        (3.5 * len(points) / max(area, 1e-9)) ** 0.5, 1 / max(np.median(nearest), 1e-9)
    )
    for _ in range(100):
        pairs = spatial.cKDTree(points).query_pairs(1, output_type="ndarray")
        if not len(pairs):
            break
        apart = points[pairs[:, 0]] - points[pairs[:, 1]]
        lengths = np.linalg.norm(apart, axis=1, keepdims=True) + 1e-9
        push = apart / lengths * (1.01 - lengths) / 4
        np.add.at(points, pairs[:, 0], push)
        np.add.at(points, pairs[:, 1], -push)
    return np.asarray(points)
