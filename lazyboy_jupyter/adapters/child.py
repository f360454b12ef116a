"""Owns the command that starts a child process on a function of this package."""

import sys
from pathlib import Path

_PACKAGE_PARENT = str(Path(__file__).resolve().parents[2])


def child_command(module: str, executable: str = sys.executable) -> list[str]:
    """Return the command that calls `main` of a module below `lazyboy_jupyter`.

    It works however the parent found the package, and never looks into the current folder, where
    a person's own file may have the name of a standard module.
    """
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); "
        f"from lazyboy_jupyter.{module} import main; main()"
    )
    return [executable, "-P", "-W", "ignore", "-c", code, _PACKAGE_PARENT]
