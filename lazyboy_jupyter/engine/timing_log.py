"""Owns the log of measured stages that LAZYBOY_TIMING=1 asks for (DESIGN §7); rows hold no text.

In a kernel it goes to a file, since standard error would land in whatever cell runs; elsewhere to
standard error.
"""

import json
import logging
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from ..core.timing import TimingRow

LOGGER = "lazyboy_jupyter.timing"


def open_timing_log(environment: Mapping[str, str], folder: Path) -> logging.Logger | None:
    """Return the logger of timing rows, or None when nobody asked for it."""
    if environment.get("LAZYBOY_TIMING") != "1":
        return None
    logger = logging.getLogger(LOGGER)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    if not logger.handlers:
        logger.addHandler(_handler(folder))
    return logger


def _handler(folder: Path) -> logging.Handler:
    if "ipykernel" not in sys.modules:
        return logging.StreamHandler()
    path = folder / "logs" / "timing.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    return logging.FileHandler(path, encoding="utf-8")


def log_row(logger: logging.Logger, row: TimingRow) -> None:
    """Write one row as a line of JSON."""
    logger.info("%s", json.dumps(asdict(row)))
