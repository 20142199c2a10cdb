"""The article's experiment, run again: train, evaluate, compare.

    python -m benchmarks.article [--domain NAME ...] [--budget small|full] [--seeds N] -o runs/article

Problems of the article's sizes and counts from fixed seeds; training; evaluation by the likeliest action
and by sampling; the baselines on the same problems under the same limits. A second call goes on where the
first was interrupted. Every figure comes from results.jsonl in the output folder.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from asnets.exit_codes import ExitCode
from benchmarks.article import baselines, extended, record
from benchmarks.article.experiment import Configuration, Experiment
from benchmarks.article.protocol import ABLATIONS, BUDGETS, DOMAINS
from benchmarks.article.report import write_report
from benchmarks.article.rows import DamagedError


def main() -> int:
    try:
        run(parser().parse_args())
    except DamagedError as error:
        print(error, file=sys.stderr)
        return ExitCode.BAD_INPUT
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return ExitCode.OUTPUT_FAILED
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return ExitCode.INTERRUPTED
    return ExitCode.SUCCESS


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.article",
        usage="%(prog)s [OPTIONS]",
        description=(__doc__ or "").splitlines()[0],
    )
    parser.add_argument("--domain", nargs="+", choices=DOMAINS, default=list(DOMAINS))
    parser.add_argument("--budget", choices=BUDGETS, default="small")
    parser.add_argument("--seeds", type=at_least(1), default=1, help="training runs of a domain")
    parser.add_argument(
        "--ablation", action="store_true", help="also the rows of the article's ablation table"
    )
    parser.add_argument("--no-baselines", dest="baselines", action="store_false")
    parser.add_argument(
        "--extended", action="store_true", help="the extended Blocksworld experiment instead"
    )
    parser.add_argument(
        "--instances",
        type=at_least(extended.FEWEST),
        default=extended.DEFAULT,
        help=f"of the extended experiment; the article has {extended.ALL} [default: %(default)s]",
    )
    parser.add_argument(
        "--report-only", action="store_true", help="write the report again, run nothing"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("runs/article"))
    return parser


def at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a number from {least} on, not {text}")
        return int(text)

    return number


def run(options: argparse.Namespace) -> None:
    folder: Path = options.output
    if options.report_only:
        if not (folder / "results.jsonl").exists():
            fail(f"{folder / 'results.jsonl'}: no results to report")
    else:
        begin(options)
        experiment = Experiment(folder, BUDGETS[options.budget])
        if options.extended:
            run_extended(experiment, options)
        else:
            run_domains(experiment, options)
    write_report(folder)
    print(f"wrote {folder / 'report.html'}, report.md, summary.md")


def begin(options: argparse.Namespace) -> None:
    """Check what can be checked before hours pass, and write down what runs where."""
    others = {call.budget for call in record.calls(options.output)} - {options.budget}
    if others:
        fail(
            f"{options.output} has runs with the budget {min(others)}: give another folder with -o"
        )
    classical = any(not DOMAINS[name].is_probabilistic for name in options.domain)
    if options.baselines and classical and not options.extended:
        baselines.check_installed()
    call = record.this_call(sys.argv[1:], options.budget)
    print(f"{call.processor}, {call.cores} cores, {call.memory_gib:g} GiB, commit {call.commit}")
    record.add(options.output, call)


def run_domains(experiment: Experiment, options: argparse.Namespace) -> None:
    names = list(ABLATIONS) if options.ablation else ["default"]
    for name in options.domain:
        for row in names:
            for seed in range(options.seeds):
                experiment.evaluate(DOMAINS[name], Configuration(row, ABLATIONS[row]), seed)
        if options.baselines:
            experiment.run_baselines(DOMAINS[name])
        write_report(experiment.folder)


def run_extended(experiment: Experiment, options: argparse.Namespace) -> None:
    for seed in range(options.seeds):
        extended.run(experiment, seed, extended.counts(options.instances))


def fail(message: str) -> None:
    print(message, file=sys.stderr)
    sys.exit(ExitCode.USAGE)


if __name__ == "__main__":
    sys.exit(main())
