"""How a command ends: its exit code, and one message for a user's mistake."""

import os
import signal
import sys
from collections.abc import Callable

import typer

from asnets import generators
from asnets.errors import DamagedFileError, ModelError, PddlError, UsageError
from asnets.exit_codes import ExitCode
from asnets.files import OutputError
from asnets.limits import NoProcessError, OutOfTimeError


def quiet_exit(command: Callable[[], int]) -> None:
    """Run a command and end the process with its exit code, whatever its streams and Ctrl-C do."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        getattr(sys, name).reconfigure(errors="backslashreplace")
    code = command()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done: Ctrl-C comes too late
    # If Ctrl-C came while exec() ran a text, as when modules with dataclasses load, Python would end
    # with that signal though the exception was caught; another text makes it forget.
    exec("")  # noqa: S102
    sys.exit(code)


def guarded(command: Callable[[], int]) -> int:
    """Run a command and return its exit code; a user's mistake is one message on stderr."""
    try:
        code = command()
        sys.stdout.flush()
        return code
    except typer.TyperException as error:
        return fail(error.format_message(), ExitCode.USAGE)
    except (generators.DomainError, UsageError) as error:
        return fail(str(error), ExitCode.USAGE)
    except (ModelError, OverflowError) as error:
        return fail(str(error), ExitCode.BAD_MODEL)
    except (PddlError, DamagedFileError) as error:
        return fail(str(error), ExitCode.BAD_INPUT)
    except BrokenPipeError:
        _drop_output()
        return ExitCode.BROKEN_PIPE
    except OutputError as error:
        return fail(f"{error.filename}: cannot write: {error.strerror}", ExitCode.OUTPUT_FAILED)
    except OSError as error:
        if error.filename is None:  # not one of our files: the standard output
            _drop_output()
            return fail(f"cannot write: {error.strerror}", ExitCode.OUTPUT_FAILED)
        return fail(f"{error.filename}: {error.strerror}", ExitCode.BAD_INPUT)
    except MemoryError:
        return fail("out of memory", ExitCode.OUT_OF_MEMORY)
    except NoProcessError as error:
        return fail(str(error), ExitCode.OUT_OF_MEMORY)
    except OutOfTimeError:
        return fail("time limit reached", ExitCode.OUT_OF_TIME)
    except KeyboardInterrupt:
        return fail("interrupted", ExitCode.INTERRUPTED)


def _drop_output() -> None:
    """Keep what could not be printed from being tried again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str, code: ExitCode) -> int:
    print(message, file=sys.stderr)
    return code
