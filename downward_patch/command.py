"""The command `fast-downward`: Fast Downward's driver."""

import os
import sys

from downward_patch.places import planner, source_folder

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


def _fail(message: str, code: int) -> int:
    sys.stdout.flush()
    print(message, file=sys.stderr)
    return code
