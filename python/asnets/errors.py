"""What can go wrong with a user's input."""


class PddlError(ValueError):
    """A mistake in a planning file: where it is, and what was expected and found there."""

    def __init__(self, file: str, line: int, column: int, message: str, excerpt: str) -> None:
        super().__init__(file, line, column, message, excerpt)
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.excerpt = excerpt
        """The source line, and a second line with a caret under the column."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}\n{self.excerpt}"


class UsageError(ValueError):
    """Arguments that do not go together."""


class DamagedFileError(ValueError):
    """A file that the package wrote once and cannot read now."""

    def __init__(self, file: str, message: str) -> None:
        super().__init__(file, message)
        self.file = file
        self.message = message

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"


class ModelError(DamagedFileError):
    """A file that is no model, or a damaged one, or one of another version."""
