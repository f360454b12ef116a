"""Owns how the Jupyter server finds a kernel's API: a private file beside the kernel's connection
file. It imports the standard library alone: the server loads it too."""

import contextlib
import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Address:
    """Where a kernel's API listens: on the Unix socket `socket`, or on `port` of this machine.

    `token`: what each request must carry; `pid`: whose address this is.
    """

    token: str
    pid: int
    socket: str = ""
    port: int = 0

    def is_alive(self) -> bool:
        """Whether its process is there, as far as the system tells."""
        if os.name != "posix":  # elsewhere the question itself would end it
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def address_file(connection_file: Path) -> Path:
    """Return the file for a kernel's connection file: in a folder of its own, since Jupyter takes
    whatever beside that one has the kernel's id in its name for a connection file."""
    return connection_file.parent / "lazyboy" / f"{connection_file.stem}.json"


def write_address(connection_file: Path, address: Address) -> None:
    """Write it, for this user's eyes alone, in the place of what was there."""
    path = address_file(connection_file)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        fresh.unlink()
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(address), file)
    fresh.replace(path)


def read_address(connection_file: Path) -> Address | None:
    """Return it, or None where there is none that can be read."""
    try:
        values = json.loads(address_file(connection_file).read_text("utf-8"))
        return Address(**{one.name: values[one.name] for one in fields(Address)})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remove_address(connection_file: Path, address: Address) -> None:
    """Remove it, unless another process has put its own there."""
    if read_address(connection_file) == address:
        with contextlib.suppress(OSError):
            address_file(connection_file).unlink()
