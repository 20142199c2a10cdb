"""The command line of the trainer."""

import argparse
import errno
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from asnets.ending import guarded, quiet_exit
from asnets.files import OutputError
from asnets.limits import signals_held
from asnets_train.options import PRESETS, add_arguments, make_options


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def _positive(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 1000, found {text!r}")
    return int(text)


def parser(prog: str) -> Parser:
    result = Parser(
        prog=prog,
        description="Train a policy for all problems of a domain from a few small ones.",
        allow_abbrev=False,
    )
    result.add_argument("domain", nargs="?", type=Path, help="Domain file.")
    result.add_argument("problems", nargs="*", type=Path, help="Problem files to train on.")
    result.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="The model to write [default: <domain name>.pt]; what belongs to the run goes to "
        "<FILE>.run/.",
    )
    result.add_argument(
        "--validation",
        type=Path,
        action="extend",
        nargs="+",
        default=[],
        metavar="FILE",
        help="Problems to judge weights by, which are not trained on.",
    )
    result.add_argument(
        "--preset",
        choices=tuple(PRESETS),
        metavar="NAME",
        help=f"What the options are that are not given: {', '.join(PRESETS)}.",
    )
    result.add_argument(
        "--restarts",
        type=_positive,
        metavar="N",
        help="Train so many times, with the seeds from --seed on, each for its part of the time, and "
        "keep the model with the fewest weights of those that solve most.",
    )
    result.add_argument("--resume", action="store_true", help="Go on with the run of the output.")
    result.add_argument(
        "--restart", action="store_true", help="Begin anew where an unfinished run is."
    )
    add_arguments(result)
    return result


def run(arguments: Sequence[str], prog: str = "python -m asnets_train") -> int:
    """Run the command and return its exit code; may exit on usage errors and --help."""
    # torch takes a second to import: not before the arguments are right.
    own = parser(prog)
    given: dict[str, Any] = vars(own.parse_args(arguments))
    names = "domain", "problems", "output", "validation", "preset", "restarts", "resume", "restart"
    domain, problems, output, validation, preset, restarts, resume, restart = map(given.pop, names)
    if resume and (restart or preset or restarts):
        own.error("--resume goes with none of --restart, --restarts and --preset")
    if not resume and not problems:
        own.error("expected a domain file and at least one problem file")
    if resume and output is None and not problems:
        own.error("--resume needs -o FILE, or the files of the run")
    for package, extra in (("torch", "train"), ("tensorboard", "tensorboard")):
        needed = package == "torch" or given.get("tensorboard")
        if needed and importlib.util.find_spec(package) is None:
            own.error(f"this needs {package}: pip install 'asnets[{extra}]'")
    from asnets import ground

    with signals_held():  # a Ctrl-C while torch loads would be lost
        from asnets_train import run as runs

    if output is not None and (not output.name or output.is_dir()):
        raise OutputError(errno.EISDIR, os.strerror(errno.EISDIR), str(output))
    if output is None:
        output = Path(ground(domain, problems[0]).domain_name + ".pt")
    if resume:
        job = runs.load_job(output, given)
        for name, here, there in (
            ("domain", [domain] if domain else [], [job.domain]),
            ("problems", problems, job.problems),
            ("validation problems", validation, job.validation),
        ):
            if here and [p.resolve() for p in here] != [p.resolve() for p in there]:
                own.error(f"the run in {job.folder} has another set of {name}")
    else:
        job = runs.Job(
            domain,
            problems,
            validation,
            output,
            make_options(preset or "default", given),
            restarts or 1,
        )
    return runs.train(job, resume, restart)


def main() -> None:
    """Entry point of `python -m asnets_train`."""
    quiet_exit(lambda: guarded(lambda: run(sys.argv[1:])))
