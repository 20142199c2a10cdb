"""The command `fast-downward`: Fast Downward's driver."""

import filecmp
import logging
import os
import signal
import sys
import sysconfig
from pathlib import Path

from downward_patch.places import LIBRARY, planner, source_folder

DRIVER_INPUT_ERROR = 36
INTERRUPTED = 130


def main() -> None:
    source = source_folder()
    if not planner(source).exists():
        sys.exit(
            _fail(
                f"{planner(source)}: not built yet: run `asnets build-downward` "
                "(in the source tree: make downward), a matter of minutes",
                DRIVER_INPUT_ERROR,
            )
        )
    _warn_of_another_core(planner(source).with_name(LIBRARY))
    logging.raiseExceptions = False  # nobody may be reading
    signal.signal(signal.SIGTERM, _end)
    sys.path.insert(0, str(source))
    try:
        from driver.main import main as drive  # type: ignore[import-not-found]

        drive()
    except KeyboardInterrupt:
        sys.exit(_fail("interrupted", INTERRUPTED))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        if error.filename is None:
            raise
        sys.exit(_fail(f"{error.filename}: {error.strerror}", DRIVER_INPUT_ERROR))


def _warn_of_another_core(library: Path) -> None:
    """The planner has a copy of the package's core, which may be newer."""
    installed = Path(sysconfig.get_path("platlib")) / "asnets" / "core" / LIBRARY
    try:
        if filecmp.cmp(library, installed, shallow=False):
            return
    except OSError:  # one is not there: the planner says so
        return
    print(
        "warning: the planner was built with another version of asnets: run `asnets build-downward`",
        file=sys.stderr,
    )


def _end(number: int, _: object) -> None:
    """What the driver started ends with it."""
    raise SystemExit(128 + number)


def _fail(message: str, code: int) -> int:
    sys.stdout.flush()
    print(message, file=sys.stderr)
    return code
