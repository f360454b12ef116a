"""Owns where timing rows go: to the store, and to the log that LAZYBOY_TIMING=1 asks for.

Rows hold no text (DESIGN §7). In a kernel the log is a file, since standard error would land in
whatever cell runs; elsewhere it is standard error.
"""

import json
import logging
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from ..core.timing import TimingRow
from ..store.rows import Batch, at
from ..store.schema import TIMING

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


def add_timing(rows: Batch, row: TimingRow, logger: logging.Logger | None) -> None:
    """Add a timing row to what is stored next, and write it to the log, if there is one."""
    columns = {name: value for name, value in asdict(row).items() if name != "ts_us"}
    rows.add(TIMING, ts=at(row.ts_us), **columns)
    if logger is not None:
        logger.info("%s", json.dumps(asdict(row)))
