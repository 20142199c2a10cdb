"""One step of a rollout as a picture for a paper."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from asnets.errors import UsageError
from asnets.explain.drawing import RAMP, SIZE, Drawing, Frame
from asnets.explain.graph import FAR, Numbers
from asnets.explain.layout import Points, row_below
from asnets.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

MARK, RIM, LINE, INK = "#c2321b", "#8a8a8a", "#d5d5d5", "#1a1a1a"
WIDTH = 7.0
"""In inches, that of a page's text."""
BELOW = 1.05
"""In inches, for colour bars and legend."""


def write_picture(
    drawing: Drawing, path: Path, *, step: int = 1, radius: int | None = None
) -> None:
    """A PNG file of a step, from 1, up to `radius` lines from the decision; if None, as much as the page
    shows at first. UsageError if the run has no such step."""
    count = len(drawing.rollout.run)
    if not 1 <= step <= count:
        raise UsageError(f"--step {step}: the run has {count} steps")
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(f"this needs {error.name}: pip install 'asnets[explain]'") from None

    frame = drawing.frames[step - 1]
    radius = drawing.radius if radius is None else radius
    visible = (
        np.flatnonzero(frame.distances <= radius) if radius < FAR else np.arange(len(drawing.shown))
    )
    points = drawing.positions.copy()
    is_hub = drawing.graph.is_hub[drawing.shown[visible]]
    points[visible[is_hub]] = row_below(points[visible[~is_hub]], int(is_hub.sum()))

    low, high = points[visible].min(axis=0) - 1, points[visible].max(axis=0) + 1
    wide, tall = (high - low).tolist()
    height = min(max(WIDTH * tall / wide, 2.5), 8.0) + BELOW
    figure = Figure((WIDTH, height), dpi=200)
    axes = figure.add_axes((0, BELOW / height, 1, 1 - BELOW / height))
    axes.set(xlim=(low[0], high[0]), ylim=(high[1], low[1]), aspect="equal")
    axes.set_axis_off()
    _add_lines(axes, drawing, visible, points)
    _add_nodes(axes, drawing, frame, visible, points)
    _add_path(axes, drawing, step, visible, points)
    _add_bars(figure, drawing)
    _add_legend(figure)
    data = BytesIO()
    figure.savefig(data, format="png")
    write_bytes(path, data.getbuffer())


def _colours() -> "Colormap":
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("activation", RAMP)


def _add_lines(axes: "Axes", drawing: Drawing, visible: Numbers, points: Points) -> None:
    from matplotlib.collections import LineCollection

    near = set(visible.tolist())
    ends = [
        points[[a, b]]
        for a, b in drawing.edges
        if a in near and b in near and not drawing.graph.is_hub[drawing.shown[b]]
    ]
    axes.add_collection(LineCollection(ends, colors=LINE, linewidths=0.5, zorder=1))


def _add_nodes(
    axes: "Axes", drawing: Drawing, frame: Frame, visible: Numbers, points: Points
) -> None:
    """Nested squares and circles, the larger ones first."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle, Patch, Rectangle

    colours, means = _colours(), frame.means
    layers = means.shape[1]
    for layer in reversed(range(layers)):
        size = SIZE * (layer + 1) / layers
        low, high = drawing.scales[layer]
        patches: list[Patch] = []
        fills, rims = [], []
        for i in visible.tolist():
            (x, y), value = points[i], means[i, layer]
            is_action = drawing.nodes[i].kind == "action"
            if is_action:
                patches.append(Rectangle((x - size, y - size), 2 * size, 2 * size))
            elif layer < layers - 1:
                patches.append(Circle((x, y), size))
            else:
                continue
            fills.append("white" if np.isnan(value) else colours((value - low) / (high - low)))
            rims.append(INK if frame.truth[i] and layer == layers - 2 else RIM)
        collection = PatchCollection(patches, facecolors=fills, edgecolors=rims, linewidths=0.5)
        collection.set_zorder(3 + (layers - layer) / layers)
        axes.add_collection(collection)


def _add_path(axes: "Axes", drawing: Drawing, step: int, visible: Numbers, points: Points) -> None:
    """The chosen action, its name, and arrows between those that were chosen so far."""
    from matplotlib.patches import FancyArrowPatch, Rectangle
    from matplotlib.patheffects import withStroke

    near = set(visible.tolist())
    taken = drawing.rollout.run.actions[:step]
    places = [drawing.places[each.index] for each in taken if each.index in drawing.places]
    for age, (a, b) in enumerate(zip(places[-2::-1], places[:0:-1])):
        if a == b or not {a, b} & near:
            continue
        way = points[b] - points[a]
        way = way / np.linalg.norm(way) * SIZE
        arrow = FancyArrowPatch(
            points[a] + way / 2, points[b] - way, connectionstyle="arc3,rad=0.15",
            arrowstyle="-|>", mutation_scale=9, linewidth=1.6, color=MARK, shrinkA=0, shrinkB=0,
            alpha=max(0.5, 1 - 0.1 * age), zorder=5,
        )  # fmt: skip
        axes.add_patch(arrow)
    action = taken[-1]
    if action.index not in drawing.places:
        return
    (x, y), size = points[drawing.places[action.index]], SIZE + 0.1
    outline = Rectangle((x - size, y - size), 2 * size, 2 * size, fill=False)
    outline.set(edgecolor=MARK, linewidth=2, zorder=6)
    axes.add_patch(outline)
    name = axes.annotate(action.name, (x, y - size), (0, 3), textcoords="offset points")
    left, right = axes.get_xlim()
    place = (x - left) / (right - left)
    side = "left" if place < 0.2 else "right" if place > 0.8 else "center"
    name.set(ha=side, va="bottom", fontsize=8, fontweight="bold", color=INK, zorder=7)
    name.set_path_effects([withStroke(linewidth=2.5, foreground="white")])


def _add_bars(figure: "Figure", drawing: Drawing) -> None:
    """What the colours mean, by layer."""
    count, height = len(drawing.scales), figure.get_figheight()
    for layer, (low, high) in enumerate(drawing.scales):
        bar = figure.add_axes(((layer + 0.2) / count, 0.66 / height, 0.6 / count, 0.12 / height))
        bar.imshow(
            np.linspace(0, 1, 256)[None], aspect="auto", cmap=_colours(), extent=(0, 1, 0, 1)
        )
        bar.set(xticks=(0, 1), xticklabels=(f"≤ {low:.2f}", f"≥ {high:.2f}"), yticks=())
        bar.tick_params(labelsize=7, length=2)
        name = f"layer {layer + 1}" + (" (logits)" if layer == count - 1 else "")
        bar.set_title(name, fontsize=8, pad=2)


def _add_legend(figure: "Figure") -> None:
    from matplotlib.lines import Line2D

    def sample(name: str, marker: str, edge: str = RIM, width: float = 0.5) -> Line2D:
        result = Line2D([], [], linestyle="", label=name)
        result.set(
            marker=marker, markerfacecolor="white", markeredgecolor=edge, markeredgewidth=width
        )
        return result

    samples = [
        sample("action", "s"),
        sample("proposition (dark rim: true)", "o"),
        sample("chosen action", "s", MARK, 2),
        Line2D([], [], color=MARK, linewidth=1.6, label="path"),
    ]
    figure.legend(
        handles=samples, loc="lower center", ncols=4, fontsize=8, frameon=False,
        title="larger: later layer; white: could not influence the decision", title_fontsize=8,
    )  # fmt: skip
