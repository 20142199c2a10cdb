"""Cumulative coverage over time, as SVG."""

import math
from collections.abc import Sequence
from html import escape

from benchmarks.article.summary import Result

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 16, 44
# Told apart by colour-blind readers too (Okabe and Ito), and by dashes.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d00", "#666666")
DASHES = ("", "6 3", "2 3")


def figure(title: str, results: Sequence[Result], problems: int) -> str:
    """One curve a planner; time on a logarithmic axis, from a second on."""
    last = max((each.curve[-1][0] for each in results), default=1.0)
    decades = max(1, math.ceil(math.log10(max(last, 10))))

    def x(seconds: float) -> float:
        share = math.log10(max(seconds, 1)) / decades
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(coverage: float) -> float:
        return HEIGHT - BOTTOM - coverage / problems * (HEIGHT - TOP - BOTTOM)

    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="{escape(title)}" font-family="sans-serif" font-size="12" '
            'stroke="currentColor" fill="currentColor">'
        ),
        f"<title>{escape(title)}</title>",
    ]
    for decade in range(decades + 1):
        place = x(10**decade)
        parts.append(_line(place, TOP, place, HEIGHT - BOTTOM, "0.15"))
        parts.append(_text(place, HEIGHT - BOTTOM + 16, f"{10**decade:,}", "middle"))
    for share in (0, 0.25, 0.5, 0.75, 1):
        place = y(share * problems)
        parts.append(_line(LEFT, place, WIDTH - RIGHT, place, "0.6" if share == 1 else "0.15"))
        parts.append(_text(LEFT - 6, place + 4, f"{share * problems:g}", "end"))
    parts.append(
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "seconds, training included", "middle")
    )
    for i, each in enumerate(results):
        points = [f"{x(each.curve[0][0]):.1f},{y(0):.1f}"]
        for (_, before), (seconds, coverage) in zip(each.curve, each.curve[1:]):
            points.append(f"{x(seconds):.1f},{y(before):.1f}")
            points.append(f"{x(seconds):.1f},{y(coverage):.1f}")
        style = f'stroke="{colour(i)}" stroke-dasharray="{dash(i)}"'
        parts.append(
            f'<polyline fill="none" stroke-width="2" {style} points="{" ".join(points)}">'
            f"<title>{escape(label(each))}</title></polyline>"
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def dash(index: int) -> str:
    return DASHES[index // len(COLOURS) % len(DASHES)]


def label(result: Result) -> str:
    if result.training_seed is None:
        return result.planner
    return f"ASNet {result.planner}, seed {result.training_seed}"


def _line(x1: float, y1: float, x2: float, y2: float, opacity: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" opacity="{opacity}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" stroke="none">{text}</text>'
