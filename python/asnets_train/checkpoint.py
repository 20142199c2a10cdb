"""What a training run keeps between epochs, so that it can go on after anything."""

import pickle
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from asnets.errors import DamagedFileError
from asnets.files import write_file
from asnets_train.worker import Saved

FORMAT = 4


@dataclass
class Checkpoint:
    """Everything that later epochs depend on. Random numbers need no state here: each epoch and each
    batch draws its own from the run's seed (teachers that draw some keep theirs)."""

    run: str
    """Which run it belongs to."""
    epoch: int
    """Epochs done."""
    seconds: float
    """Spent so far, earlier sittings included."""
    model: dict[str, Any]
    policy: dict[str, Any]
    optimiser: dict[str, Any]
    progress: dict[str, Any]
    """Best weights so far with their score, epochs at full success, skipped problems."""
    problems: dict[int, Saved]


def save(path: Path, checkpoint: Checkpoint) -> None:
    """Replace the checkpoint, whole or not at all."""
    content = {
        "format": FORMAT,
        "run": checkpoint.run,
        "epoch": checkpoint.epoch,
        "seconds": checkpoint.seconds,
        "model": checkpoint.model,
        "policy": checkpoint.policy,
        "optimiser": checkpoint.optimiser,
        "progress": checkpoint.progress,
        "problems": {
            index: (
                torch.from_numpy(saved.memory.view(np.int32)),
                torch.from_numpy(saved.teacher),
                saved.offers_left,
                saved.taught,
            )
            for index, saved in checkpoint.problems.items()
        },
    }
    write_file(path, lambda file: torch.save(content, file))


def load(path: Path) -> Checkpoint:
    """OSError if there is none, DamagedFileError if it is damaged or from another version."""
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
        if broken is not None:
            raise ValueError(broken)
        content = torch.load(path, weights_only=True)
        if content["format"] != FORMAT:
            raise DamagedFileError(str(path), "made by another version")
        problems = {
            index: Saved(memory.numpy().view(np.uint32), teacher.numpy(), *counts)
            for index, (memory, teacher, *counts) in content["problems"].items()
        }
        return Checkpoint(
            content["run"],
            content["epoch"],
            content["seconds"],
            content["model"],
            content["policy"],
            content["optimiser"],
            content["progress"],
            problems,
        )
    except DamagedFileError:
        raise
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        RuntimeError,
        EOFError,
        zipfile.BadZipFile,
        pickle.UnpicklingError,
    ) as error:
        raise DamagedFileError(str(path), f"damaged: {error}") from error
