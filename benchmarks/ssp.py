"""LRTDP against the times that a published solver needs on the same tasks.

    python -m benchmarks.ssp [--quick]

The peer is not run: its times are those of the SSiPP solver of the article's authors on a machine
of this kind. Ours is CPU time, with grounding and preparing. Medians of three runs. The expected
value is that of an optimal policy with unit costs and dead ends that cost 500: lm_cut is to find
it, h_add is not admissible and may find more.
"""

from dataclasses import dataclass

from benchmarks import measure
from oracles.corpus import PUBLISHED, Files

TARGET = 5  # times faster
LIMIT = 60  # seconds
TOLERANCE = 1e-3  # of a value


@dataclass(frozen=True)
class Case:
    problem: str  # in the folder of published instances
    heuristic: str
    their_seconds: float
    value: float | None  # None: not known

    @property
    def files(self) -> Files:
        problem = PUBLISHED / self.problem
        return Files(problem.parents[1] / "domain.pddl", problem)


TIREWORLD = "triangle-tireworld/train/triangle-tire-3.pddl"
COSANOSTRA = "cosanostra/train/cosanostra-n5.pddl"
PROBABILISTIC = "prob-blocksworld/train/prob_bw_n8_es1.pddl"
EXPLODING = "ex-blocksworld/train/ex-bw-train-n06-s01-r803196.pddl"

CASES = (
    Case(TIREWORLD, "h_add", 0.37, 17.5),
    Case(TIREWORLD, "lm_cut", 0.72, 17.5),
    Case(COSANOSTRA, "h_add", 1.73, 19),
    Case(COSANOSTRA, "lm_cut", 3.70, 19),
    Case(PROBABILISTIC, "h_add", 0.05, None),
    Case(EXPLODING, "lm_cut", 1.58, 82.24),
)


def is_right(case: Case, value: float) -> bool:
    if case.value is None:
        return True
    if case.heuristic == "lm_cut":
        return abs(value - case.value) <= TOLERANCE * case.value
    return value >= (1 - TOLERANCE) * case.value


def compare(case: Case) -> float:
    """Prints a line; how many times faster."""
    name = case.files.problem.stem
    print(f"{name:32}{case.heuristic:>8}", end="", flush=True)
    (runs,) = measure.take_turns(
        (lambda: measure.in_own_process(case.files, "lrtdp", case.heuristic, LIMIT),),
        lambda found: found["wall"],
    )
    found = measure.middle(runs, lambda found: found["whole"])
    ratio = case.their_seconds / found["whole"]
    expected = "-" if case.value is None else f"{case.value:.3f}"
    print(f"{found['cost']:10.3f}{expected:>10}{found['expanded']:9}", end="")
    print(
        f"{found['whole']:9.3f}{case.their_seconds:8.2f}   {measure.verdict(ratio, TARGET)}", end=""
    )
    if found["status"] != "solved":
        print(f" {found['status'].upper()}", end="")
    elif not is_right(case, found["cost"]):
        print(" VALUES DIFFER", end="")
    print()
    return ratio


def run(options: measure.Options) -> None:
    print("LRTDP")
    print(f"{'':40}{'V(s0)':>20}{'':9}{'seconds':>17}")
    print(f"{'task':40}{'ours':>10}{'expected':>10}{'expanded':>9}", end="")
    print(f"{'ours':>9}{'theirs':>8}   to reach")
    ratios = []
    for case in CASES:
        if not case.files.problem.exists():
            print(
                f"{case.files.problem.stem:32}{case.heuristic:>8} skipped: no {case.files.problem}"
            )
        else:
            ratios.append(compare(case))
    measure.print_mean("LRTDP", ratios)


if __name__ == "__main__":
    measure.main(__doc__, run)
