"""What Fast Downward's driver does for the policies of ASNets."""

import os
import re
import sys
from pathlib import Path

from . import returncodes

# Runs the translator as a module of a package, which its relative imports need.
START = (
    "import runpy, sys; sys.path[:0] = [sys.argv.pop(1), sys.argv.pop(1)]; "
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
    """What the translator said; for a policy rather what the core says of a file that is wrong."""
    said = stderr.decode(errors="replace").rstrip("\n")
    if follows_policy(args):
        try:
            import asnets

            asnets.ground(*args.translate_inputs)
        except ImportError:
            pass
        except (asnets.PddlError, OSError) as error:
            return str(error)
    return said


def pass_files(args):
    """A policy grounds the PDDL files itself."""
    if len(args.translate_inputs) == 2:
        domain, problem = args.translate_inputs
        os.environ["ASNETS_DOMAIN"] = str(Path(domain).absolute())
        os.environ["ASNETS_PROBLEM"] = str(Path(problem).absolute())
