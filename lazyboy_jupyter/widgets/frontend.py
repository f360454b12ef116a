"""Owns whether a cell's output can be a widget here; where it cannot, the static twin is all."""

import os
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..config import Settings

STATIC = Path(__file__).parent / "static"
BUNDLE, STYLE = STATIC / "ui.js", STATIC / "ui.css"


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
    return find_spec("anywidget") is not None and BUNDLE.exists() and STYLE.exists()
