"""Cumulative coverage over time, as SVG.

Drawn as wide as a phone, so that its text keeps its size there. What is coloured has a class of its own;
STYLE gives the colours, for light and dark surroundings.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.article.summary import Curve

WIDTH, HEIGHT = 360, 272  # of the plot with its axes; the legend comes below
LEFT, RIGHT, TOP, BOTTOM = 36, 14, 28, 50
LINE = 20  # height of a line of the legend

# After Okabe and Ito: told apart by colour-blind readers too. Each has dashes of its own.
LIGHT = ("#0072b2", "#d55e00", "#007a5a", "#b0438a", "#7a6000", "#333333", "#4b8fc4")
DARK = ("#56b4e9", "#ff8c42", "#2fd3a5", "#f09ccb", "#f0e442", "#dddddd", "#9db8ff")
DASHES = ("none", "7 3", "2 3", "10 3 2 3", "5 5", "4 2 1 2", "12 6")


def _colours(colours: Sequence[str]) -> str:
    return " ".join(f".curve{i} {{ stroke: {colour}; }}" for i, colour in enumerate(colours))


STYLE = f"""
.curve, .sample {{ fill: none; stroke-width: 2.2; stroke-linejoin: round; }}
.plot text {{ fill: currentColor; font: 13px system-ui, sans-serif; }}
.plot .grid {{ stroke: currentColor; opacity: .18; }}
.plot .axis {{ stroke: currentColor; opacity: .8; }}
{_colours(LIGHT)}
@media (prefers-color-scheme: dark) {{ {_colours(DARK)} }}
"""
ALONE = """
.plot { color: #1a1a1a; } .paper { fill: #fff; }
@media (prefers-color-scheme: dark) { .plot { color: #e8e8e8; } .paper { fill: #16181c; } }
"""


@dataclass(frozen=True)
class Series:
    """Curves that look alike: those of a planner, one for each training seed."""

    title: str
    curves: Sequence[tuple[str, Curve]]
    """With their titles."""


@dataclass(frozen=True)
class Scale:
    """From seconds and coverage to places."""

    end: float
    """Seconds at the right edge."""
    problems: int

    def x(self, seconds: float) -> float:
        share = math.log10(max(seconds, 1)) / math.log10(self.end)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, coverage: float) -> float:
        return HEIGHT - BOTTOM - coverage / self.problems * (HEIGHT - TOP - BOTTOM)


def figure(title: str, series: Sequence[Series], problems: int, is_alone: bool = False) -> str:
    """One curve a planner and training seed; time on a logarithmic axis, from a second on. A figure that
    stands alone brings its style and its background."""
    times = [curve[-1][0] for each in series for _, curve in each.curves]
    scale = Scale(2 * max([10.0, *times]), problems)
    height = HEIGHT + LINE * len(series) + 4
    style = f'<style>{STYLE}{ALONE}</style><rect class="paper" width="100%" height="100%"/>\n'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" class="plot" '
        f'role="img" aria-label="{escape(title)}">'
    )
    parts = [head, style if is_alone else "", *_axes(scale)]
    for i, each in enumerate(series):
        parts += [_curve(i, name, curve, scale) for name, curve in each.curves]
        parts.append(_legend(i, each.title, HEIGHT + LINE * (i + 0.5)))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _axes(scale: Scale) -> list[str]:
    bottom, right = scale.y(0), scale.x(scale.end)
    parts = [_text(4, 14, f"coverage of {scale.problems} problems", "start")]
    for decade in range(int(math.log10(scale.end)) + 1):
        place = scale.x(10**decade)
        parts.append(_line(place, TOP, place, bottom, "grid"))
        where = (place, "middle") if place < WIDTH - 30 else (WIDTH - 2, "end")
        parts.append(_text(where[0], bottom + 17, f"{10**decade:,}", where[1]))
    for tick in ticks(scale.problems):
        parts.append(_line(LEFT, scale.y(tick), right, scale.y(tick), "grid"))
        parts.append(_text(LEFT - 6, scale.y(tick) + 4.5, f"{tick}", "end"))
    parts.append(_line(LEFT, scale.y(scale.problems), right, scale.y(scale.problems), "axis"))
    parts.append(_line(LEFT, bottom, right, bottom, "axis"))
    parts.append(_text((LEFT + right) / 2, bottom + 36, "seconds, training included", "middle"))
    return parts


def ticks(problems: int) -> list[int]:
    """Round numbers, and all problems.

    >>> ticks(17), ticks(30), ticks(3)
    ([0, 5, 10, 17], [0, 10, 20, 30], [0, 1, 2, 3])
    """
    step = next(each for each in (1, 2, 5, 10, 20, 50, 100, 10**9) if problems / each <= 4)
    return [*(tick for tick in range(0, problems, step) if problems - tick >= step * 0.6), problems]


def _curve(index: int, title: str, curve: Curve, scale: Scale) -> str:
    """It stays at its height to the right edge."""
    places = [f"M{scale.x(curve[0][0]):.1f} {scale.y(0):.1f}"]
    for seconds, coverage in curve[1:]:
        places.append(f"H{scale.x(seconds):.1f}V{scale.y(coverage):.1f}")
    places.append(f"H{scale.x(scale.end):.1f}")
    return (
        f'<path class="curve {_look(index)} d="{"".join(places)}">'
        f"<title>{escape(title)}</title></path>"
    )


def _legend(index: int, title: str, y: float) -> str:
    sample = f'<path class="sample {_look(index)} d="M{LEFT} {y - 4.5:.1f}h44"/>'
    return sample + _text(LEFT + 54, y, escape(title), "start")


def _look(index: int) -> str:
    """The class, and the dashes."""
    return f'curve{index % len(LIGHT)}" stroke-dasharray="{DASHES[index % len(DASHES)]}"'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'
