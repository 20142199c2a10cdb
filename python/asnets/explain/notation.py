"""Equations written down: for a terminal, as Markdown, LaTeX and JSON."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from asnets.explain.equations import Equation, Factor, Flag, Goal, Layer, Pool, Truth, Unit
from asnets.explain.network import NetworkParts

NONLINEARITIES = {
    "elu": "f(x) = x where x > 0, else exp(x) - 1",
    "relu": "f(x) = x where x > 0, else 0",
    "tanh": "f(x) = tanh(x)",
}
LAST = "the applicable action with the highest value is taken"
WIDEST_LINE = 60
"""Characters right of the = in LaTeX."""


def number(value: np.float32) -> str:
    """The shortest text that means this number; without a sign."""
    text = np.format_float_positional(abs(value), trim="-")
    short = np.format_float_scientific(abs(value), trim="-")
    return text if len(text) <= len(short) + 2 else short


def factor_text(factor: Factor) -> str:
    """Of one factor, as in the terminal."""
    if isinstance(factor, Flag):
        return factor.name
    if isinstance(factor, Pool):
        return f"pool({'; '.join(_members_text(each) for each in factor.members)})"
    if isinstance(factor, Unit):
        channel = f".{factor.channel}" if factor.channel else ""
        return f"{_atom_text(factor.atom)}^{factor.layer}{channel}"
    atom = _atom_text(factor.atom)
    return f"is-goal({atom})" if isinstance(factor, Goal) else atom


def _atom_text(atom: Any) -> str:
    return f"{atom.name}({', '.join(atom.arguments)})"


def _members_text(members: Any) -> str:
    where = ", ".join(f"{a} = {b}" for a, b in members.equal)
    return factor_text(members.unit) + (f" where {where}" if where else "")


def _sum(equation: Equation, factor: Callable[[Factor], str]) -> list[str]:
    """The summands, each with its sign."""
    parts = [
        (weight, f"{number(weight)} {factor(each)}" if weight != 1 else factor(each))
        for weight, each in equation.terms
    ]
    if equation.constant != 0 or not parts:
        parts.append((equation.constant, number(equation.constant)))
    first, *others = [("-" if weight < 0 else "+", text) for weight, text in parts]
    return [
        first[1] if first[0] == "+" else f"-{first[1]}",
        *(f"{sign} {text}" for sign, text in others),
    ]


def equation_text(equation: Equation) -> str:
    """On one line."""
    right = " ".join(_sum(equation, factor_text))
    return f"{factor_text(equation.unit)} = " + (f"f({right})" if equation.bent else right)


def _title(layer: Layer, last: int) -> str:
    title = f"{layer.kind} layer {layer.number}"
    return f"{title}: {LAST}" if layer.number == last else title


def _legend(parts: NetworkParts, layers: list[Layer]) -> list[str]:
    """What f and pool are, where there are any."""
    equations = [each for layer in layers for each in layer.equations]
    lines = []
    if any(each.bent for each in equations):
        lines.append(NONLINEARITIES[parts.nonlinearity])
    if any(isinstance(factor, Pool) for each in equations for _, factor in each.terms):
        lines.append(
            f"pool: the maximum over all ways to fill in _, at least {parts.floor:g}, which is also "
            "what it is where there is none"
        )
    return lines


def as_text(parts: NetworkParts, layers: list[Layer]) -> str:
    lines = _legend(parts, layers)
    for layer in layers:
        lines += (
            ["", _title(layer, parts.layers + 1)] if lines else [_title(layer, parts.layers + 1)]
        )
        lines += [f"  {equation_text(each)}" for each in layer.equations]
    return "\n".join(lines) + "\n"


def as_markdown(parts: NetworkParts, layers: list[Layer]) -> str:
    lines = [f"- {each.replace('_', '`_`')}" for each in _legend(parts, layers)]
    for layer in layers:
        title = _title(layer, parts.layers + 1)
        lines += ["", f"**{title[0].upper()}{title[1:]}**", ""]
        lines += [f"- `{equation_text(each)}`" for each in layer.equations]
    return "\n".join(lines) + "\n"


def as_json(parts: NetworkParts, layers: list[Layer]) -> str:
    found = {
        "nonlinearity": parts.nonlinearity,
        "empty_pool": parts.floor,
        "layers": [
            {
                "kind": layer.kind,
                "number": layer.number,
                "equations": [_equation_json(each) for each in layer.equations],
            }
            for layer in layers
        ],
    }
    return json.dumps(found, indent=1) + "\n"


def _equation_json(equation: Equation) -> dict[str, Any]:
    return {
        "text": equation_text(equation),
        "unit": _factor_json(equation.unit),
        "nonlinear": equation.bent,
        "terms": [
            {"coefficient": float(weight), **_factor_json(factor)}
            for weight, factor in equation.terms
        ],
        "constant": float(equation.constant),
    }


def _factor_json(factor: Factor) -> dict[str, Any]:
    if isinstance(factor, Flag):
        return {"input": factor.name}
    if isinstance(factor, Truth | Goal):
        kind = "truth" if isinstance(factor, Truth) else "is-goal"
        return {"input": kind, "name": factor.atom.name, "arguments": factor.atom.arguments}
    if isinstance(factor, Unit):
        return {
            "name": factor.atom.name,
            "arguments": factor.atom.arguments,
            "layer": factor.layer,
            "channel": factor.channel,
        }
    return {
        "pool": [
            {**_factor_json(each.unit), "equal": [list(pair) for pair in each.equal]}
            for each in factor.members
        ]
    }


LATEX_CHARACTERS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{each: f"\\{each}" for each in "#$%&_{}"},
}


def _latex_name(name: str) -> str:
    """As it is; what is not ASCII, pdflatex may not have."""
    safe = "".join(LATEX_CHARACTERS.get(c, c) if " " < c < "\x7f" else "?" for c in name)
    return rf"\textrm{{{safe}}}"


def _latex_atom(atom: Any) -> str:
    arguments = [r"\cdot" if each == "_" else _latex_name(each) for each in atom.arguments]
    return f"{_latex_name(atom.name)}({', '.join(arguments)})"


def _latex_factor(factor: Factor) -> str:
    if isinstance(factor, Flag):
        return _latex_name(factor.name)
    if isinstance(factor, Goal):
        return rf"\textrm{{is-goal}}({_latex_atom(factor.atom)})"
    if isinstance(factor, Truth):
        return _latex_atom(factor.atom)
    if isinstance(factor, Pool):
        return rf"\operatorname{{pool}}\bigl({'; '.join(_latex_members(factor))}\bigr)"
    channel = f",{factor.channel}" if factor.channel else ""
    return f"{_latex_atom(factor.atom)}^{{{factor.layer}{channel}}}"


def _latex_members(pool: Pool) -> Iterator[str]:
    for each in pool.members:
        where = ", ".join(f"{_latex_name(a)} = {_latex_name(b)}" for a, b in each.equal)
        yield _latex_factor(each.unit) + (rf" \mid {where}" if where else "")


def _latex_equation(equation: Equation) -> str:
    summands = [
        re.sub(r"(\d)e([+-]?)0*(\d+)", r"\1 \\cdot 10^{\2\3}", each).replace("{+", "{")
        for each in _sum(equation, lambda factor: rf"\, {_latex_factor(factor)}")
    ]
    if equation.bent:
        summands[0] = rf"f\bigl({summands[0]}"
        summands[-1] += r"\bigr)"
    right, width = "", 0
    for summand, plain in zip(summands, _sum(equation, factor_text)):
        if width and width + len(plain) > WIDEST_LINE:
            right, width = f"{right}\\\\\n    &\\qquad ", 0
        right, width = f"{right}{' ' if width else ''}{summand}", width + len(plain) + 1
    return f"  {_latex_factor(equation.unit)} &= {right}"


def as_latex(parts: NetworkParts, layers: list[Layer]) -> str:
    """A document of its own; what is between \\begin and \\end{document} goes into others that use
    amsmath."""
    lines = [r"\documentclass{article}", r"\usepackage{amsmath}", r"\allowdisplaybreaks"]
    lines += [r"\begin{document}"]
    for layer in layers:
        title = _title(layer, parts.layers + 1)
        equations = "\\\\\n".join(_latex_equation(each) for each in layer.equations)
        lines += [rf"\noindent {title[0].upper()}{title[1:]}:", r"\begin{align*}", equations]
        lines += [r"\end{align*}"]
    for each in _legend(parts, layers):
        text = each.replace("_", r"$\cdot$").replace("exp(x) - 1", "$e^x - 1$")
        text = text.replace("f(x) = x where x > 0", "$f(x) = x$ where $x > 0$")
        lines += [rf"\noindent {text}.", ""]
    return "\n".join([*lines, r"\end{document}"]) + "\n"


FORMATS: dict[str, Callable[[NetworkParts, list[Layer]], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
    "json": as_json,
}
