"""The tables of the report."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from asnets.intervals import mean_interval
from benchmarks.article.document import Table
from benchmarks.article.protocol import ABLATIONS, DOMAINS, REPEATING, SAMPLING, Domain
from benchmarks.article.rows import Row
from benchmarks.article.summary import Result, compared, configuration_of, costs

FAILED = "-"
Found = Mapping[str, Sequence[Result]]
"""Results by domain."""


def label(result: Result) -> str:
    if result.is_baseline:
        return result.planner
    return f"{network_name(result)}, seed {result.training_seed}"


def network_name(result: Result) -> str:
    name = "" if result.configuration == "default" else f" {result.configuration}"
    return f"ASNet{name}{result.planner.removeprefix(result.configuration)}"


def number(value: float) -> str:
    """With two decimals at most.

    >>> number(30), number(5.5), number(5.52999)
    ('30', '5.5', '5.53')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def of(result: Result, problems: Sequence[str] | None = None) -> str:
    """Coverage, and of how many problems."""
    if problems is None:
        return f"{number(result.coverage)}/{result.problems}"
    return f"{number(result.coverage_on(problems))}/{len(problems)}"


def each_seed(domain: Domain, found: Iterable[Result]) -> str:
    """Coverage of every training seed, with the problems where some are still to come."""
    return (
        ", ".join(
            number(each.coverage) if each.problems >= len(domain.test) else of(each)
            for each in found
        )
        or FAILED
    )


def overview(found: Found) -> Table:
    """A row a domain, with every training seed."""
    headings = ("domain", "ASNet", "repeating", "sampling", "article", "article, sampling")
    rows = []
    for name, results in found.items():
        domain = DOMAINS[name]
        article = (domain.published("default"), domain.published("default" + SAMPLING))
        rows.append(
            [f"{domain.title} /{len(domain.test)}",
             *(each_seed(domain, networks) for networks in _networks(results)),
             *(FAILED if value is None else number(value) for value in article)]
        )  # fmt: skip
    return Table("Coverage", headings, rows)


def comparison(found: Found) -> Table | None:
    """Networks and the best baseline, on the problems that all ran on; None without baselines."""
    rows = []
    for name, results in found.items():
        baselines = [each for each in results if each.is_baseline]
        both = compared(results)
        if baselines and both:
            best = max(baselines, key=lambda each: each.coverage_on(both))
            rows.append(
                [f"{DOMAINS[name].title} /{len(both)}",
                 *(_seeds_on(both, networks) for networks in _networks(results)),
                 f"{number(best.coverage_on(both))} ({best.planner})"]
            )  # fmt: skip
    headings = ("domain", "ASNet", "repeating", "sampling", "best baseline")
    return Table("Coverage on the baselines' problems", headings, rows) if rows else None


def _networks(results: Sequence[Result]) -> list[list[Result]]:
    """The default's, by how it acts."""
    return [
        [each for each in results if each.planner == f"default{way}"]
        for way in ("", REPEATING, SAMPLING)
    ]


def _seeds_on(problems: Sequence[str], networks: Sequence[Result]) -> str:
    return ", ".join(number(each.coverage_on(problems)) for each in networks) or FAILED


def planner_table(domain: Domain, results: Sequence[Result], both: Sequence[str] = ()) -> Table:
    """A row for each planner and training seed; `both`: the problems that all of them ran on."""
    is_subset = both and any(each.problems > len(both) for each in results)
    headings = ["planner", "coverage", "article", "mean cost", "95% interval", "training", "runs"]
    if is_subset:
        headings.insert(2, f"on the same {len(both)}")
    rows = []
    for each in results:
        rows.append([label(each), of(each), *_figures(domain, each)])
        if is_subset:
            rows[-1].insert(2, of(each, both))
    return Table(f"{domain.title}: planners", headings, rows)


def _figures(domain: Domain, result: Result) -> list[str]:
    published = domain.published(result.planner)
    interval = result.cost_interval
    return [
        FAILED if published is None else f"{number(published)}/{len(domain.test)}",
        FAILED if result.cost is None else f"{result.cost:.2f}",
        FAILED if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}",
        FAILED if result.is_baseline else f"{result.training_seconds:,.0f} s",
        f"{result.seconds:,.1f} s",
    ]


def problem_table(domain: Domain, results: Sequence[Result]) -> Table:
    """The article's form: a row a problem, a column a planner."""
    names = [f"{size}-{seed}" for size, seed in domain.test]
    names += sorted({each for result in results for each in result.runs} - set(names))
    rows = [
        [name, *(problem_cell(result.runs.get(name, ())) for result in results)]
        for name in names
        if any(name in result.runs for result in results)
    ]
    return Table(f"{domain.title}: problems", ["problem", *map(label, results)], rows)


def problem_cell(runs: Sequence[Row]) -> str:
    """Mean cost with half of its 95% interval, and how many runs reached the goal if there are several;
    empty if there are none."""
    if not runs:
        return ""
    reached = costs(runs)
    solved = "" if len(runs) == 1 else f" ({sum(row.success for row in runs)}/{len(runs)})"
    if not reached:
        return FAILED + solved
    interval = mean_interval(reached)
    reach = "" if interval is None else f" ± {number((interval[1] - interval[0]) / 2)}"
    return f"{number(fmean(reached))}{reach}{solved}"


def ablation_table(found: Found) -> Table | None:
    """Coverage by the likeliest action, every seed, and the article's in parentheses; None if nothing
    but the default ran."""
    titles = [f"{DOMAINS[name].title} /{len(DOMAINS[name].test)}" for name in found]
    rows = []
    for planner in [name + way for name in ABLATIONS for way in ("", REPEATING)]:
        cells = [_ablation_cell(DOMAINS[name], found[name], planner) for name in found]
        if any(ran for _, ran in cells):
            rows.append([planner, *(text for text, _ in cells)])
    if all(configuration_of(row[0]) == "default" for row in rows):
        return None
    return Table("Ablations", ["configuration", *titles], rows)


def _ablation_cell(domain: Domain, results: Sequence[Result], planner: str) -> tuple[str, bool]:
    seeds = [each for each in results if each.planner == planner and not each.is_baseline]
    return f"{each_seed(domain, seeds)} ({number(domain.published(planner) or 0)})", bool(seeds)
