"""`make bench`: prints the figures of the README and of ARCHITECTURE.md, with the machine's load.

`python -m tests.benchmarks NAME …` runs only those named.
"""

import os
import sys
import time

from tests.benchmarks import (
    api,
    cards,
    extraction,
    flow,
    guides,
    kernel_flow,
    kernel_latency,
    loading,
    pages,
    side,
    store,
    timing,
)

BENCHMARKS = {
    "loading": loading.report,
    "flow": flow.report,
    "kernel": kernel_latency.report,
    "kernel-flow": kernel_flow.report,
    "cards": cards.report,
    "api": api.report,
    "store": store.report,
    "timing": timing.report,
    "side": side.report,
    "extraction": extraction.report,
    "pages": pages.report,
    "pydoc": guides.report_pydoc,
    "multihop": guides.report_multihop,
}


def main(names: list[str]) -> None:
    for name in names or list(BENCHMARKS):
        began, load = time.perf_counter(), os.getloadavg()[0]
        lines = list(BENCHMARKS[name]())
        took = time.perf_counter() - began
        print(f"\n## {name} ({took:.0f} s; load {load:.1f} before on {os.cpu_count()} cores)\n")
        print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
