"""A document of a few kinds of blocks, as Markdown and as one page for a browser that asks for nothing
else."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --faint: #d5d5d5; --note: #555; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181c; --ink: #e8e8e8; --faint: #3c4048; --note: #aab; }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 12px;
       background: var(--paper); color: var(--ink); overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid var(--faint); }
figure { margin: 1rem 0; max-width: 28rem; }
svg { display: block; width: 100%; height: auto; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .5rem; text-align: right; border-bottom: 1px solid var(--faint);
         white-space: nowrap; }
th { vertical-align: bottom; white-space: normal; }
th:first-child, td:first-child { padding-left: 0; text-align: left; position: sticky; left: 0;
                                 background: var(--paper); }
pre { overflow-x: auto; font-size: 13px; padding: .6rem; border: 1px solid var(--faint); }
summary { cursor: pointer; }
.note { color: var(--note); font-size: 14px; }
"""


@dataclass(frozen=True)
class Paragraph:
    text: str
    is_note: bool = False


@dataclass(frozen=True)
class Table:
    name: str
    """Read out where the table is not seen."""
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Figure:
    file: str
    """Next to the Markdown."""
    title: str
    svg: str


@dataclass(frozen=True)
class Code:
    text: str


@dataclass(frozen=True)
class Folded:
    """Shown when it is asked for, where that is possible."""

    title: str
    blocks: Sequence["Block"]


Block = Paragraph | Table | Figure | Code | Folded


@dataclass(frozen=True)
class Section:
    name: str
    title: str
    blocks: Sequence[Block]


def markdown(title: str, sections: Sequence[Section]) -> str:
    parts = [f"# {title}"]
    for section in sections:
        parts += [f"## {section.title}", *map(_as_markdown, section.blocks)]
    return "\n\n".join(parts) + "\n"


def _as_markdown(block: Block) -> str:
    match block:
        case Paragraph():
            return _plain(block.text)
        case Code():
            return "\n".join(f"    {line}" for line in block.text.splitlines())
        case Figure():
            return f"![{block.title}]({block.file})"
        case Folded():
            return "\n\n".join([f"### {_plain(block.title)}", *map(_as_markdown, block.blocks)])
        case Table():
            lines = [block.headings, ["---", *["---:"] * (len(block.headings) - 1)]]
            lines += [[_plain(cell) for cell in row] for row in block.rows]
            return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _plain(text: str) -> str:
    return text.replace("*", r"\*")


def page(title: str, sections: Sequence[Section], style: str = "") -> str:
    """`style` is added to the page's own."""
    body = "".join(
        f'<section id="{section.name}">\n<h2>{escape(section.title)}</h2>\n'
        f"{''.join(map(_as_html, section.blocks))}</section>\n"
        for section in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n"
        f"<body>\n<h1>{escape(title)}</h1>\n{body}</body>\n</html>\n"
    )


def _as_html(block: Block) -> str:
    match block:
        case Paragraph():
            note = ' class="note"' if block.is_note else ""
            return f"<p{note}>{escape(block.text)}</p>\n"
        case Code():
            return f'<pre tabindex="0"><code>{escape(block.text)}</code></pre>\n'
        case Figure():
            return f"<figure>\n{block.svg}</figure>\n"
        case Folded():
            inner = "".join(map(_as_html, block.blocks))
            return f"<details>\n<summary>{escape(block.title)}</summary>\n{inner}</details>\n"
        case Table():
            rows = _table_row("th", block.headings) + "".join(
                _table_row("td", row) for row in block.rows
            )
            return (
                f'<div class="wide" role="region" tabindex="0" aria-label="{escape(block.name)}">'
                f"<table>\n{rows}</table></div>\n"
            )


def _table_row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>\n"
