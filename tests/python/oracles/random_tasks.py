"""Small random tasks without parameters, whose states can all be enumerated.

Preconditions, goals and the conditions of effects have negations and disjunctions; effects nest
`when` and `probabilistic` in both ways. Costs differ. For each atom there is an action that can
add it, if only under conditions on the atoms before it, so that most of the tasks have plans.
"""

from fractions import Fraction

from hypothesis import strategies as st

from .reader import Expression, write

ATOMS = [f"p{i}" for i in range(5)]
COSTS = ["0", "1", "2", "5", "0.5"]


@st.composite
def literals(draw: st.DrawFn, below: int = len(ATOMS)) -> Expression:
    atom: Expression = [draw(st.sampled_from(ATOMS[:below]))]
    return atom if draw(st.booleans()) else ["not", atom]


@st.composite
def conditions(draw: st.DrawFn, most: int = 2, below: int = len(ATOMS)) -> Expression:
    parts = [
        ["or", draw(literals(below)), draw(literals(below))] if draw(st.integers(0, 3)) == 0 else p
        for p in draw(st.lists(literals(below), max_size=most))
    ]
    return ["and", *parts]


@st.composite
def effects(draw: st.DrawFn, conditional: bool, probabilistic: bool, depth: int = 2) -> Expression:
    kinds = ["literal", "literal", "and"]
    kinds += ["when"] * (2 * conditional) + ["probabilistic"] * (2 * probabilistic)
    kind = draw(st.sampled_from(kinds)) if depth else "literal"

    def part() -> Expression:
        return draw(effects(conditional, probabilistic, depth - 1))

    if kind == "and":
        return ["and", part(), part()]
    if kind == "when":
        return ["when", draw(conditions()), part()]
    if kind == "probabilistic":
        shares = draw(st.lists(st.integers(1, 4), min_size=1, max_size=2))
        whole = sum(shares) + draw(st.integers(0, 2))
        pairs = [[str(Fraction(share, whole)), part()] for share in shares]
        return ["probabilistic", *(word for pair in pairs for word in pair)]
    return draw(literals())


@st.composite
def tasks(
    draw: st.DrawFn, *, conditional: bool = True, probabilistic: bool = False, free: bool = True
) -> str:
    """Domain and problem in one text; `free` says whether actions may cost nothing."""
    sections: list[Expression] = []
    for number in range(len(ATOMS) + draw(st.integers(0, 3))):
        below = number if 0 < number < len(ATOMS) else len(ATOMS)
        cost = draw(st.sampled_from(COSTS if free else COSTS[1:]))
        change = draw(effects(conditional, probabilistic))
        if number < len(ATOMS):
            gain: Expression = [ATOMS[number]]
            if conditional and draw(st.booleans()):
                gain = ["when", draw(conditions(below=below)), gain]
            if probabilistic and draw(st.booleans()):
                gain = ["probabilistic", draw(st.sampled_from(["1/3", "1/2", "0.9"])), gain]
            change = ["and", gain, change]
        paid = ["and", change, ["increase", ["total-cost"], cost]]
        condition = draw(conditions(below=below))
        sections.append([":action", f"act{number}", ":precondition", condition, ":effect", paid])
    facts: list[Expression] = [
        [atom] for atom in draw(st.lists(st.sampled_from(ATOMS), max_size=1))
    ]
    if probabilistic and draw(st.booleans()):
        facts.append(["probabilistic", "1/3", [draw(st.sampled_from(ATOMS))]])
    goal = ["and", [ATOMS[-1]], [ATOMS[-2]], draw(conditions(1))]
    return (
        "(define (domain random) (:requirements :adl :action-costs :probabilistic-effects)"
        f" (:predicates {' '.join(write([atom]) for atom in ATOMS)}) (:functions (total-cost))"
        f" {' '.join(map(write, sections))})\n"
        f"(define (problem one) (:domain random) (:init {' '.join(map(write, facts))})"
        f" (:goal {write(goal)}) (:metric minimize (total-cost)))"
    )
