"""Networks as their TorchScript archive runs them; needs torch."""

import warnings
from os import PathLike, fspath
from typing import Any

from asnets._core import Batch, Features, Model, Task, TaskPolicy
from asnets.errors import ModelError, UsageError
from asnets.inputs import features_of


class Archive:
    """The exported network of a model file."""

    def __init__(self, path: str | PathLike[str]) -> None:
        try:
            import torch  # takes a second to load
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            raise UsageError(
                "the torchscript backend needs torch: pip install asnets[train]"
            ) from None
        self._torch = torch
        try:
            with warnings.catch_warnings():  # torch would rather have another format
                warnings.simplefilter("ignore", DeprecationWarning)
                self._network = torch.jit.load(fspath(path))  # type: ignore[no-untyped-call]
        except RuntimeError as error:
            reason = str(error).splitlines()[0]
            raise ModelError(fspath(path), f"torch cannot load its archive: {reason}") from None

    def policy(self, model: Model, task: Task) -> TaskPolicy:
        """What the network does in a task; raises what Model.structure_of raises."""
        features = Features(model.structure_of(task), **features_of(model.manifest))
        return TaskPolicy(self._logits, features)

    def _logits(self, batch: Batch) -> Any:
        lists = (batch.inputs, batch.slots, batch.pool_begin, batch.pool_members)
        arguments = [[self._torch.from_numpy(array) for array in each] for each in lists]
        with self._torch.inference_mode():
            return self._network(*arguments).numpy()
