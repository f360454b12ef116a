"""Runs research without end and prints each acknowledged event, until it is killed."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from lazyboy_jupyter.adapters.clock import SystemClock, UuidV7
from lazyboy_jupyter.core.budget import Budget
from lazyboy_jupyter.engine.hub import Hub
from lazyboy_jupyter.engine.run import ResearchRun
from lazyboy_jupyter.engine.services import Services, Sources, TaskSpec
from lazyboy_jupyter.store.database import open_database
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages


def script() -> list[Any]:
    opens = [call("open_page", url=f"https://a.example/{n}") for n in range(1, 6)]
    progress = [call("report_progress", text=f"At {n}.") for n in range(3)]
    return [[*progress, call("web_search", query="q")], opens, [guide(("S1", "Page 1 says"))]]


async def main(path: Path) -> None:
    services = Services(SystemClock(), UuidV7(), open_database(path), Hub())
    runs: dict[str, ResearchRun] = {}
    told: dict[str, int] = {}

    def tell(task_id: str) -> None:
        """Print events up to the newest acknowledged; a hub call comes after each commit."""
        seq = runs[task_id].recorder.acknowledged if task_id in runs else 0
        for number in range(told.get(task_id, 0) + 1, seq + 1):
            os.write(1, f"{task_id} {number}\n".encode())
        told[task_id] = max(told.get(task_id, 0), seq)

    services.hub.subscribe(tell)

    async def forever() -> None:
        while True:
            web = FakeWeb(pages(6))
            spec = TaskSpec(
                services.ids.new(), "c", services.ids.new(), "", ScriptedModel(script()),
                Sources([web], [web]),
            )  # fmt: skip
            run = runs[spec.task_id] = ResearchRun(services, spec)
            await run.queue("Q?", Budget())
            await run.start()

    await asyncio.gather(*(forever() for _ in range(4)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
