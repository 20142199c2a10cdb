"""What Fast Downward's driver does for the policies of ASNets."""

import importlib.util
import os
import re
import sys
from pathlib import Path

from . import returncodes

# Runs the translator as a module of a package, which its relative imports need, and without the
# modules of the folder that it is started in.
START = (
    "import sys; sys.path[:1] = [sys.argv.pop(1), sys.argv.pop(1)]; import runpy; "
    "runpy.run_module('translate.translate', run_name='__main__', alter_sys=True)"
)

# A probabilistic effect, or initial state, of PPDDL.
PROBABILISTIC = re.compile(r"\(\s*probabilistic\s+[0-9.]", re.IGNORECASE)


def translator(script):
    folder = Path(script).absolute().parent
    return ["-c", START, str(folder.parent), str(folder)]


def follows_policy(args):
    """Does the search ask a policy? It then needs all variables, unimportant ones too."""
    searches = list(args.search_options)
    if args.portfolio:
        searches.append(Path(args.portfolio).read_text())
    return any("asnet_" in each.lower() for each in searches)


def refuse_probabilistic(args):
    for name in args.translate_inputs:
        try:
            text = Path(name).read_text(encoding="utf-8", errors="replace")
        except OSError:  # the translator says so
            continue
        text = re.sub(";.*", "", text)
        found = PROBABILISTIC.search(text)
        if found:
            line = text.count("\n", 0, found.start()) + 1
            sys.stdout.flush()
            returncodes.print_stderr(
                f"{name}:{line}: a probabilistic task, which Fast Downward cannot plan for: "
                'use "asnets plan", which simulates it'
            )
            sys.exit(returncodes.SEARCH_UNSUPPORTED)


def translator_error(args, stderr):
    """What the translator said; for a policy rather what the core says of files that are wrong."""
    said = stderr.decode(errors="replace").rstrip("\n")
    if follows_policy(args):
        try:
            import asnets
        except ImportError:
            return said
        try:
            task = asnets.ground(*args.translate_inputs)
        except (asnets.PddlError, OSError) as error:
            return str(error)
        try:
            asnets.NetworkStructure(task)
        except asnets.PddlError as error:
            sys.stdout.flush()
            returncodes.print_stderr(error)
            sys.exit(returncodes.SEARCH_UNSUPPORTED)
    return said


def pass_files(args):
    """A policy grounds the PDDL files itself, and may be one of those that ship with asnets."""
    package = importlib.util.find_spec("asnets")
    if package is not None and package.origin and not os.environ.get("ASNETS_MODELS"):
        os.environ["ASNETS_MODELS"] = str(Path(package.origin).parent / "models")
    if len(args.translate_inputs) == 2:
        domain, problem = args.translate_inputs
        os.environ["ASNETS_DOMAIN"] = str(Path(domain).absolute())
        os.environ["ASNETS_PROBLEM"] = str(Path(problem).absolute())
