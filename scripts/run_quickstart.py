"""Execute the quickstart without a browser and print its guide; $QUESTION asks another question."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from traitlets.config import Config


def main(path: Path, sockets: Path) -> int:
    notebook: Any = nbformat.reads(path.read_text("utf-8"), as_version=4)  # type: ignore[no-untyped-call]
    question = os.environ.get("QUESTION", "").strip()
    for cell in notebook.cells:
        if question and "question" in cell.metadata.get("tags", ()):
            first_line = cell.source.partition("\n")[0]
            cell.source = f"{first_line}\n{question}"
    settings: Any = Config()
    # Over TCP the kernel warns that it is not encrypted. The sockets' path is absolute, since the
    # kernel works in the notebook's folder and this process does not.
    settings.KernelManager.transport = "ipc"
    settings.KernelManager.ip = str(sockets / "kernel")
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": path.parent}},
        config=settings,
    )
    try:
        client.execute()
    except CellExecutionError as error:
        print(error, file=sys.stderr)
        return 1
    for cell in notebook.cells:
        if "guide" in cell.metadata.get("tags", ()):
            print("".join(out.get("text", "") for out in cell.outputs), end="")
    return 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        status = main(Path(sys.argv[1]).resolve(), Path(folder))
    sys.exit(status)
