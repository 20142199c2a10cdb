"""The report: one page for a browser that asks for nothing else, the same as Markdown, and the curves."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from asnets.files import write_text
from benchmarks.article import curves
from benchmarks.article.protocol import DOMAINS, Domain
from benchmarks.article.rows import Row
from benchmarks.article.summary import Result, by_domain

HEADINGS = ("planner", "coverage", "mean cost", "95% interval", "training", "runs")

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .5rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; }
.key { display: inline-block; width: 1.5rem; height: 0; border-top: 3px solid; margin-right: .5rem;
       vertical-align: middle; }
"""


def write_report(rows: Sequence[Row], folder: Path) -> None:
    """report.html, report.md and a curve for each domain."""
    found = by_domain(rows)
    folder.mkdir(parents=True, exist_ok=True)
    for name, results in found.items():
        write_text(folder / f"{name}.svg", figure(DOMAINS[name], results))
    write_text(folder / "report.md", markdown(found))
    write_text(folder / "report.html", page(found))


def figure(domain: Domain, results: Sequence[Result]) -> str:
    title = f"{domain.title}: problems solved over time"
    return curves.figure(title, results, len(domain.test))


def cells(result: Result) -> tuple[str, ...]:
    cost = "-" if result.cost is None else f"{result.cost:.2f}"
    low_high = result.cost_interval
    interval = "-" if low_high is None else f"{low_high[0]:.2f} to {low_high[1]:.2f}"
    training = "-" if result.is_baseline else f"{result.training_seconds:.0f} s"
    return (
        curves.label(result),
        f"{result.coverage:.4g}/{result.problems}",
        cost,
        interval,
        training,
        f"{result.seconds:.1f} s",
    )


def published(domain: Domain) -> str:
    return (
        f"The article's default: {domain.published:g} of {len(domain.test)}; the best of its ablations: "
        f"{domain.best_published:g}."
    )


def markdown(found: dict[str, list[Result]]) -> str:
    lines = ["# The article's experiment, run again", ""]
    for name, results in found.items():
        domain = DOMAINS[name]
        lines += [f"## {domain.title}", "", published(domain), ""]
        lines += [_row(HEADINGS), _row(["---", *["---:"] * (len(HEADINGS) - 1)])]
        lines += [_row(cells(each)) for each in results]
        lines += ["", f"![{domain.title}]({name}.svg)", ""]
    return "\n".join(lines)


def page(found: dict[str, list[Result]]) -> str:
    body = []
    for name, results in found.items():
        domain = DOMAINS[name]
        rows = "".join(
            "<tr>"
            + "".join(f"<td>{_key(i) if j == 0 else ''}{escape(c)}</td>" for j, c in enumerate(row))
            + "</tr>\n"
            for i, row in enumerate(cells(each) for each in results)
        )
        headings = "".join(f"<th>{escape(each)}</th>" for each in HEADINGS)
        body.append(
            f'<section id="{name}">\n<h2>{escape(domain.title)}</h2>\n'
            f"<p>{escape(published(domain))}</p>\n{figure(domain, results)}"
            f'<div class="wide"><table>\n<tr>{headings}</tr>\n{rows}</table></div>\n</section>\n'
        )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>The article's experiment, run again</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<h1>The article's experiment, run again</h1>\n{''.join(body)}</body>\n</html>\n"
    )


def _row(cells_of_row: Sequence[str]) -> str:
    return "| " + " | ".join(cells_of_row) + " |"


def _key(index: int) -> str:
    style = {"": "solid", "6 3": "dashed"}.get(curves.dash(index), "dotted")
    return f'<span class="key" style="border-top: 3px {style} {curves.colour(index)}"></span>'
