"""The article's experiment, run again: train, evaluate, compare.

    python -m benchmarks.article [--domain NAME ...] [--budget small|full] [--seeds N] -o runs/article

Problems of the article's sizes and counts from fixed seeds; training; evaluation by the likeliest action
and by sampling; the baselines on the same problems under the same limits. A second call goes on where the
first was interrupted. Every figure comes from results.jsonl in the output folder.
"""

import argparse
from pathlib import Path

from benchmarks import measure
from benchmarks.article.experiment import Configuration, Experiment
from benchmarks.article.protocol import ABLATIONS, BUDGETS, DOMAINS
from benchmarks.article.report import write_report


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--domain", nargs="+", choices=DOMAINS, default=list(DOMAINS))
    parser.add_argument("--budget", choices=BUDGETS, default="small")
    parser.add_argument("--seeds", type=int, default=1, help="training runs of a domain")
    parser.add_argument(
        "--ablation", action="store_true", help="also the rows of the article's ablation table"
    )
    parser.add_argument("--no-baselines", dest="baselines", action="store_false")
    parser.add_argument("-o", "--output", type=Path, default=Path("runs/article"))
    options = parser.parse_args()
    measure.print_machine()
    experiment = Experiment(options.output, BUDGETS[options.budget])
    names = list(ABLATIONS) if options.ablation else ["default"]
    for name in options.domain:
        domain = DOMAINS[name]
        for row in names:
            for seed in range(options.seeds):
                experiment.evaluate(domain, Configuration(row, ABLATIONS[row]), seed)
        if options.baselines:
            experiment.run_baselines(domain)
        write_report(list(experiment.rows), options.output)
    print(f"wrote {options.output / 'report.html'}")


main()
