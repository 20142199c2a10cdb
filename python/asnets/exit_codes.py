"""Exit codes of the command line, in Fast Downward's blocks: 0-9 success, 10-19 no plan, 20-29 a limit
was hit, 30-39 bad input or error."""

from enum import IntEnum


class ExitCode(IntEnum):
    SUCCESS = 0
    USAGE = 2
    UNSOLVABLE = 11
    GAVE_UP = 12
    OUT_OF_MEMORY = 22
    OUT_OF_TIME = 23
    BAD_INPUT = 31
    OUTPUT_FAILED = 32
    BAD_MODEL = 33
    INTERNAL_ERROR = 39
    INTERRUPTED = 130
    BROKEN_PIPE = 141
