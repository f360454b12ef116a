"""Owns which names of models there are, and making them; nothing is made before it is asked for."""

from dataclasses import dataclass

from ...errors import UsageError
from ..workers import WorkerPool
from .extractive import ExtractiveModel

NAMES = ("extractive",)


@dataclass(frozen=True, slots=True)
class ModelFactory:
    """Makes models by name."""

    workers: WorkerPool

    def open(self, name: str) -> ExtractiveModel:
        """Return the model of that name. Raises `UsageError`, naming what there is."""
        if name.strip() == "extractive":
            return ExtractiveModel(self.workers)
        raise UsageError(f"There is no model {name[:80]!r}.", f"Models are {', '.join(NAMES)}.")
