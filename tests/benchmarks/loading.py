"""What `import` and `%load_ext` cost over bare IPython, in processes of their own."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

RUNS = 15
SHELL = (
    "from IPython.core.interactiveshell import InteractiveShell\n"
    "shell = InteractiveShell.instance()\n"
)
LOAD = SHELL + "shell.extension_manager.load_extension('lazyboy_jupyter')\n"
FIRST_USE = LOAD + "from lazyboy_jupyter import Engine\n"


def seconds(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began


def report() -> Iterator[str]:
    taken: dict[str, list[float]] = {SHELL: [], LOAD: [], FIRST_USE: []}
    for _ in range(RUNS):  # in turn, so that the machine's mood is shared
        for code in taken:
            taken[code].append(seconds(code))
    bare, load, first = (statistics.median(times) * 1000 for times in taken.values())
    yield f"bare IPython {bare:.0f} ms; with %load_ext {load:.0f} ms: + {load - bare:.0f} ms"
    yield f"with the engine imported, as at the first question: + {first - bare:.0f} ms"
    yield f"(median of {RUNS} processes each)"
