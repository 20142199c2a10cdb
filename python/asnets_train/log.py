"""What a training run writes down of its epochs."""

import json
import math
import os
from pathlib import Path
from typing import Any

from asnets.files import OutputError, write_text


class Log:
    """metrics.jsonl, one line an epoch, and TensorBoard's files if wanted."""

    def __init__(self, folder: Path, tensorboard: bool, epochs: int) -> None:
        self.folder = folder
        path = folder / "metrics.jsonl"
        # Lines of epochs that are lost come again.
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        lines = [line for line in text.splitlines() if epoch_of(line) <= epochs]
        write_text(path, "".join(line + "\n" for line in lines))
        self._file = path.open("a")
        self._board: Any = None
        if tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(folder / "tensorboard", purge_step=epochs + 1)

    def write(self, figures: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(figures) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OutputError(error.errno, error.strerror, self._file.name) from error
        if self._board is not None:
            for name, value in figures.items():
                if isinstance(value, int | float):
                    self._board.add_scalar(name, value, figures["epoch"])

    def close(self) -> None:
        self._file.close()
        if self._board is not None:
            self._board.close()


def epoch_of(line: str) -> float:
    """Of a line of metrics.jsonl; infinite if it is none."""
    try:
        return float(json.loads(line)["epoch"])
    except (ValueError, KeyError, TypeError):
        return math.inf
