"""The report: one page for a browser that asks for nothing else, the same as Markdown, the curves, and a
summary to keep. All of it from the rows and the calls that the experiment wrote."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from asnets.files import write_text
from benchmarks.article import curves, document, extended, record, tables
from benchmarks.article.document import Block, Code, Figure, Folded, Paragraph, Section, Table
from benchmarks.article.protocol import (
    BUDGETS,
    DOMAINS,
    MEMORY_MB,
    STEPS,
    TEST_SEED,
    VALIDATION_SEED,
    Domain,
)
from benchmarks.article.rows import Row, Rows
from benchmarks.article.summary import Result, by_domain, compared, main_part

TITLE = "The article's experiment, run again"


@dataclass(frozen=True)
class Material:
    rows: Sequence[Row]
    calls: Sequence[record.Call]


def write_report(folder: Path) -> None:
    """report.html, report.md, summary.md and a curve for each domain. Raises DamagedError."""
    material = Material(list(Rows(folder / "results.jsonl")), record.calls(folder))
    for name, results in by_domain(material.rows).items():
        both = compared(results)
        if both:
            write_text(folder / f"{name}.svg", figure(DOMAINS[name], results, both, True))
    whole = sections(material)
    write_text(folder / "report.md", document.markdown(TITLE, whole))
    write_text(folder / "report.html", document.page(TITLE, whole, curves.STYLE))
    write_text(folder / "summary.md", document.markdown(TITLE, sections(material, is_short=True)))


def sections(material: Material, is_short: bool = False) -> list[Section]:
    """Without curves and single problems if it is to be short."""
    found = by_domain(material.rows)
    parts = []
    if found:
        parts.append(Section("overview", "Overview", _overview(found)))
    parts += [
        Section(name, DOMAINS[name].title, _domain(DOMAINS[name], results, is_short))
        for name, results in found.items()
    ]
    ablation = tables.ablation_table(found)
    if ablation:
        parts.append(Section("ablations", "Ablations", _ablations(ablation, found, is_short)))
    blocks = extended.blocks(material.rows)
    if blocks:
        parts.append(Section("extended", "Extended Blocksworld", blocks))
    if material.calls:
        parts.append(Section("runs", "How it was run", _runs(material)))
    return parts


def _overview(found: dict[str, list[Result]]) -> list[Block]:
    blocks: list[Block] = [
        Paragraph(
            "Coverage is the sum over the test problems of the share of runs that reach the goal, "
            f"within {STEPS} steps. ASNet takes the likeliest action, in a deterministic problem the "
            "likeliest of those that it has not taken in the same state before; repeating, it may take "
            "them again, as the article's networks do; with sampling it draws. Every training seed has "
            "its own figure."
        ),
        tables.overview(found),
        Paragraph(
            "After a stroke: how many problems there are. The article's figures are of its own problems of "
            "the same sizes.",
            is_note=True,
        ),
    ]
    comparison = tables.comparison(found)
    if comparison:
        blocks += [Paragraph("On the problems that the baselines ran on:"), comparison]
    return blocks


def _domain(domain: Domain, results: Sequence[Result], is_short: bool) -> list[Block]:
    shown = main_part(results)
    if not shown:
        return [Paragraph("Only ablations ran.")]
    both = compared(results)
    blocks: list[Block] = [Paragraph(_which_problems(domain, shown, both))]
    if both and not is_short:
        title = _figure_title(domain, both)
        blocks.append(Figure(f"{domain.name}.svg", title, figure(domain, results, both)))
    blocks.append(tables.planner_table(domain, shown, both))
    if not is_short:
        note = Paragraph(
            "Mean cost of the runs that reached the goal, ± half of its 95% interval, and in parentheses "
            "how many did; -: none did; empty: not run.",
            is_note=True,
        )
        blocks.append(Folded("Every problem", [note, tables.problem_table(domain, shown)]))
    return blocks


def _which_problems(domain: Domain, results: Sequence[Result], both: Sequence[str]) -> str:
    sizes = sorted({size for size, _ in domain.test})
    word = "to" if len(sizes) > 2 else "and"
    text = f"{len(domain.test)} test problems of sizes {sizes[0]} {word} {sizes[-1]}. "
    baselines = [each for each in results if each.is_baseline]
    if not baselines:
        return text + "No baselines ran."
    if len(both) == len(domain.test):
        return text + "The baselines ran on all of them."
    return text + (
        f"The baselines ran on {len(both)} of them: {', '.join(both)}. Their figures compare with those "
        "of the networks on the same problems."
    )


def figure(
    domain: Domain, results: Sequence[Result], problems: Sequence[str], is_alone: bool = False
) -> str:
    """The default network, as it acts by itself and by sampling, and the baselines on problems that all
    ran on."""
    series: dict[str, list[tuple[str, curves.Curve]]] = {}
    for each in main_part(results):
        if each.is_repeating:
            continue
        name = each.planner if each.is_baseline else tables.network_name(each)
        series.setdefault(name, []).append((tables.label(each), each.curve_on(problems)))
    looks = [curves.Series(_series_title(name, len(own)), own) for name, own in series.items()]
    return curves.figure(_figure_title(domain, problems), looks, len(problems), is_alone)


def _series_title(name: str, count: int) -> str:
    return name if count == 1 else f"{name} ({count} seeds)"


def _figure_title(domain: Domain, problems: Sequence[str]) -> str:
    return f"{domain.title}: coverage of {len(problems)} problems over time"


def _ablations(table: Table, found: dict[str, list[Result]], is_short: bool) -> list[Block]:
    blocks: list[Block] = [
        Paragraph(
            "Coverage by the likeliest action, one figure a training seed; in parentheses the article's. "
            "Repeating: it may be one that was taken in the same state before."
        ),
        table,
    ]
    for name, results in found.items():
        networks = [each for each in results if not each.is_baseline]
        if not is_short and any(each.configuration != "default" for each in networks):
            runs = tables.planner_table(DOMAINS[name], networks)
            blocks.append(Folded(f"{DOMAINS[name].title}: every run", [runs]))
    return blocks


def _runs(material: Material) -> list[Block]:
    calls = material.calls
    blocks: list[Block] = [
        Paragraph("Each of these goes on where it was interrupted:"),
        Code("\n".join(dict.fromkeys(call.command for call in calls))),
        Paragraph(_seeds(material.rows)),
    ]
    for name in dict.fromkeys(call.budget for call in calls):
        blocks += [Paragraph(_budget(name)), Code(_commands(name))]
    rows = dict.fromkeys(
        (call.processor, str(call.cores), f"{call.memory_gib:g} GiB", call.system, call.commit,
         ", ".join(f"{name} {version}" for name, version in call.versions.items()))
        for call in calls
    )  # fmt: skip
    headings = ("processor", "cores", "memory", "system", "commit", "versions")
    blocks.append(Table("Machine and versions", headings, list(rows)))
    blocks.append(
        Paragraph(
            f"From {calls[0].begun} UTC on. A + after a commit: with changes that were not in it. The "
            "figures come from results.jsonl, machine and commands from runs.jsonl.",
            is_note=True,
        )
    )
    return blocks


def _seeds(rows: Sequence[Row]) -> str:
    seeds = sorted({row.training_seed for row in rows if row.training_seed is not None})
    return (
        f"Training seeds: {', '.join(map(str, seeds)) or 'none'}. A problem's name is its size and the "
        "seed of its generator; training problems have seeds from 0 on, validation problems from "
        f"{VALIDATION_SEED}, test problems from {TEST_SEED}, those of the extended experiment from "
        f"{extended.SEED}."
    )


def _commands(budget: str) -> str:
    return (
        "asnets train domain.pddl training/*.pddl -o model.pt --seed SEED "
        f"--validation validation/*.pddl --time-limit {BUDGETS[budget].training_seconds:g}\n"
        f"asnets evaluate domain.pddl test/*.pddl -m model.pt --limit {STEPS} "
        f"--memory-limit {MEMORY_MB} -o rollouts.jsonl [--sample]"
    )


def _budget(name: str) -> str:
    budget = BUDGETS[name]
    problems = "all" if budget.baseline_every == 1 else f"one in {budget.baseline_every}"
    return (
        f"Budget {name}: {budget.training_seconds:,.0f} s of training "
        f"({budget.ablation_seconds:,.0f} s in ablations, {budget.extended_seconds:,.0f} s in the extended "
        "experiment); "
        f"{budget.baseline_seconds:,.0f} s for a baseline on a problem, all "
        f"{budget.baseline_runs} runs of LRTDP and SSiPP together, {MEMORY_MB:,} MB; baselines run on "
        f"{problems} of the test problems. For each network, with the options of its ablation:"
    )
