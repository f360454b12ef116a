"""Owns which names of models there are, and making them; nothing is made before it is asked for."""

from dataclasses import dataclass

from ...errors import UsageError
from ...ports import Model
from ..workers import WorkerPool
from .extractive import ExtractiveModel
from .providers.process import ProviderModels
from .providers.reference import PREFIXES, is_reference

NAMES = (ExtractiveModel.name, *PREFIXES)
"""What can be chosen; a name that ends in ":" wants a model's name behind it."""


@dataclass(frozen=True, slots=True)
class ModelFactory:
    """Makes models by name. `beside`: the workers of side questions."""

    workers: WorkerPool
    beside: WorkerPool
    providers: ProviderModels

    def open(self, name: str) -> Model:
        """Return the model of that name. Raises `UsageError`, naming what there is."""
        if name.strip() == ExtractiveModel.name:
            return ExtractiveModel(self.workers, self.beside)
        if is_reference(name):
            return self.providers.open(name)
        forms = ", ".join(f"{prefix}MODEL" for prefix in PREFIXES)
        raise UsageError(
            f"There is no model {name[:80]!r}.", f"Models are {ExtractiveModel.name}, {forms}."
        )
