"""Owns the settings: from the environment, then `.lazyboy/config.toml`, then the user's own file.

It reads, and starts nothing. A key that nobody knows is the person's typing mistake: it is said.
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from .core.budget import Budget
from .errors import UsageError

FOLDER = ".lazyboy"
_LISTS = ("search", "allow_hosts")
_BUDGET_FIELDS = frozenset(field.name for field in fields(Budget))


@dataclass(frozen=True, slots=True)
class Settings:
    """What an engine is made from. `cache`: the folder of indexes that can be built again;
    `model_slots`: how many requests one provider gets at once; `widgets`: `auto`, `on` or `off`."""

    cache: Path
    store: Path | None = None
    model: str = "extractive"
    search: tuple[str, ...] = ("auto",)
    allow_hosts: tuple[str, ...] = ()
    model_slots: int = 16
    widgets: str = "auto"
    budget: Mapping[str, Any] = field(default_factory=dict)


def load_settings(
    environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Settings:
    """Return the settings for a folder, the current one when it is not given.

    Raises `UsageError`, naming the file and the key that is wrong.
    """
    from platformdirs import user_cache_path, user_config_path

    env = os.environ if environment is None else environment
    cache = env.get("LAZYBOY_CACHE") or user_cache_path("lazyboy-jupyter", appauthor=False)
    settings = Settings(cache=Path(cache))
    user_file = user_config_path("lazyboy-jupyter", appauthor=False) / "config.toml"
    near_file = (folder or Path.cwd()) / FOLDER / "config.toml"
    for path in (user_file, near_file):  # the nearer one is applied later
        settings = _applied(settings, _read(path), str(path))
    return _applied(settings, _from_environment(env), "the environment")


def default_store(notebook: str | None, folder: Path) -> Path:
    """Return the store's path: beside the notebook, or in `folder` where its place is not known."""
    path = Path(notebook) if notebook else Path("console")
    beside = path.parent if path.is_absolute() and path.parent.is_dir() else folder
    return beside / FOLDER / f"{path.stem or 'console'}.duckdb"


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", "Correct it, or remove it.") from None


def _from_environment(env: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("store", "model", "widgets"):
        if value := env.get(f"LAZYBOY_{name.upper()}"):
            found[name] = value
    for name in _LISTS:
        if value := env.get(f"LAZYBOY_{name.upper()}"):
            found[name] = [part.strip() for part in value.split(",") if part.strip()]
    return found


def _applied(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    for key, value in values.items():
        match key, value:
            case "model", str():
                settings = replace(settings, model=value)
            case "store", str():
                settings = replace(settings, store=Path(value).expanduser())
            case "search", str() | list() if texts := _texts(value):
                settings = replace(settings, search=texts)
            case "allow_hosts", str() | list() if texts := _texts(value):
                settings = replace(settings, allow_hosts=texts)
            case "model_slots", int() if value > 0 and not isinstance(value, bool):
                settings = replace(settings, model_slots=value)
            case "widgets", "auto" | "on" | "off":
                settings = replace(settings, widgets=value)
            case "budget", dict() if value.keys() <= _BUDGET_FIELDS:
                settings = replace(settings, budget={**settings.budget, **value})
            case _:
                raise UsageError(
                    f"{where} has {key} = {value!r}, which means nothing here.",
                    "Known are model, store, search, allow_hosts, model_slots, "
                    "widgets (auto, on, off) and the table budget.",
                )
    return settings


def _texts(value: str | list[Any]) -> tuple[str, ...]:
    """Return one text or a list of them; nothing for a list of anything else."""
    values = [value] if isinstance(value, str) else value
    return tuple(values) if all(isinstance(one, str) for one in values) else ()


def budget_with(settings: Settings, **asked: Any) -> Budget:
    """Return the budget of one task: the defaults, then the settings, then what was asked for.

    Raises `BudgetError` for a value outside its range.
    """
    return Budget(**{**settings.budget, **{k: v for k, v in asked.items() if v is not None}})


def names_of(search: str | Sequence[str] | None, settings: Settings) -> tuple[str, ...]:
    """Return the names of the sources asked for, or the settings' own."""
    if search is None:
        return settings.search
    return (search,) if isinstance(search, str) else tuple(search)
