"""Owns what a page is given to show widgets, and whether a cell's output can be one here; where it
cannot, the static twin is all."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..config import Settings

STATIC = Path(__file__).parent / "static"
LOADER, BUNDLE, STYLE = STATIC / "loader.js", STATIC / "ui.js", STATIC / "ui.css"


@dataclass(frozen=True, slots=True)
class Interface:
    """What shows widgets; a page takes it once for all that name its `version`."""

    script: str
    style: str
    version: str


@cache
def interface() -> Interface:
    """Return the built interface. Raises `OSError` where it was not built."""
    loader, script, style = (path.read_text("utf-8") for path in (LOADER, BUNDLE, STYLE))
    digest = hashlib.blake2b("\0".join((loader, script, style)).encode(), digest_size=8)
    return Interface(script, style, digest.hexdigest())


def shows_widgets(
    shell: Any, settings: Settings, environment: Mapping[str, str] | None = None
) -> bool:
    """Whether a person looks at this kernel through a front end that shows our widgets.

    Jupyter's server tells the kernels of its notebooks so. A kernel that a program runs (nbclient,
    papermill) has nobody to look; elsewhere the twin, redrawn as things happen, is all.
    """
    if settings.widgets == "off" or not hasattr(shell.display_pub, "pub_socket"):
        return False
    return _installed() and (settings.widgets == "on" or _watched(environment))


def _watched(environment: Mapping[str, str] | None) -> bool:
    env = os.environ if environment is None else environment
    return bool(env.get("JPY_SESSION_NAME"))


@cache
def _installed() -> bool:
    built = all(path.exists() for path in (LOADER, BUNDLE, STYLE))
    return built and find_spec("anywidget") is not None
