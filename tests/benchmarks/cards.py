"""How a page stays while fifty cards run in it at once: a real JupyterLab in a real Chromium."""

import json
import os
import struct
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, WebSocket

from tests.benchmarks import flow_world as world
from tests.benchmarks.flow import the_world
from tests.browsers import LOOPBACK_ONLY, chromium_browser
from tests.e2e.lab import BLOCKS, Lab, notebook_file
from tests.e2e.server import JupyterServer, jupyter_server
from tests.ui import traits
from tests.ui.conftest import Host

CARDS = 50
_KEYS = "the quick brown fox jumps over the lazy dog"
_LIVE = "() => document.querySelectorAll('.lzu-dot.live').length"
_WATCH = """() => {
  window.slow = [];
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) if (one.name === 'keydown') window.slow.push(one.duration);
  }).observe({type: 'event', durationThreshold: 16});
}"""


class Traffic:
    """What the server sends to a page, counted by the widget it is for."""

    def __init__(self, page: Page) -> None:
        self.updates: dict[str, list[float]] = defaultdict(list)
        self.messages = 0
        self.warned = False
        page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._received)

    def _received(self, frame: bytes | str) -> None:
        if isinstance(frame, str):
            return
        self.messages += 1
        self.warned = self.warned or b"rate exceeded" in frame
        header, content = _parts(frame)
        if header["msg_type"] == "comm_msg" and content["data"].get("method") == "update":
            sent = datetime.fromisoformat(header["date"])
            self.updates[content["comm_id"]].append(sent.timestamp())

    def most_a_second(self) -> int:
        """The most updates that one widget got within any second."""
        return max(
            sum(start <= at < start + 1 for at in times)
            for times in self.updates.values()
            for start in times
        )


_GOAL_MS = 100


def _parts(frame: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and content of a message in Jupyter's binary protocol, version 1."""
    (count,) = struct.unpack_from("<Q", frame)
    offsets = struct.unpack_from(f"<{count}Q", frame, 8)
    parts = [frame[a:b] for a, b in pairwise(offsets)]
    return json.loads(parts[1]), json.loads(parts[4])


def report() -> Iterator[str]:
    with chromium_browser(LOOPBACK_ONLY) as browser:
        yield _driven(browser)
    with (
        tempfile.TemporaryDirectory() as name,
        the_world() as (_, port),
        jupyter_server(Path(name), Path(name, "cache")) as server,
        chromium_browser(LOOPBACK_ONLY) as browser,
    ):
        for version in ("7.3", "7.4"):
            took = _stop(browser, server, version, port)
            yield f"Stop, clicked beside a busy cell, ipykernel {version}: {took:.2f} s"
        folder = _folder(server, "cards", port)
        cells = ["%load_ext lazyboy_jupyter", _ask(0, 1, port), ""]
        cells += [_ask(1 + CARDS // 2 * half, 1 + CARDS // 2 * (half + 1), port) for half in (0, 1)]
        page = browser.new_context(viewport={"width": 1200, "height": 1500}).new_page()
        traffic = Traffic(page)
        lab = Lab(page, server, notebook_file(folder / "cards.ipynb", cells)).open()
        lab.run(0)
        lab.run(1)  # the model's process and the page's code are loaded once
        lab.card(1).says("complete")
        page.evaluate(_WATCH)
        idle = _type(page, lab)
        lab.begin(3)
        lab.begin(4)
        page.wait_for_function(f"() => ({_LIVE})() > 0")
        during, most = list[float](), 0
        while (live := page.evaluate(_LIVE)) > 0:
            most = max(most, live)
            during += _type(page, lab)
        done = page.evaluate("() => document.querySelectorAll('.lzu-dot.ok').length")
        yield (
            f"{CARDS} cards, {most} of them live at once: {done} complete; "
            f"at most {traffic.most_a_second()} updates of one card within a second; "
            f"{traffic.messages} messages; rate warnings: "
            f"{'some' if traffic.warned else 'none'}; load {os.getloadavg()[0]:.1f}"
        )
        yield f"a keypress drawn, idle: {_spread(idle)}; while they run: {_spread(during)}"


def _driven(browser: Browser) -> str:
    """The page alone: nothing of a kernel or a server runs beside it."""
    page = browser.new_context(viewport={"width": 1200, "height": 1500}).new_page()
    host = Host(page)
    host.load()
    for _ in range(CARDS):
        host.open(traits.run(guide=traits.guide()))
    page.evaluate("() => document.body.prepend(document.createElement('textarea'))")
    page.evaluate(_WATCH)
    host.call("drive", [{"sources": traits.sources()}, {"sources": traits.sources()[:2]}], 250)
    page.locator("textarea").first.click()
    times = [one for _ in range(8) for one in _keys(page)]
    page.close()
    return (
        f"{CARDS} cards in a page alone, each told something new four times a second: "
        f"a keypress drawn in {_spread(times)}"
    )


def _folder(server: JupyterServer, name: str, port: int) -> Path:
    """Make a folder whose notebooks research in the benchmark's world."""
    settings = server.root / name / ".lazyboy" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f'model = "openai-compatible:bench@http://127.0.0.1:{port}/v1"\n'
        f'allow_hosts = ["127.0.0.0/8"]\nmodel_slots = {CARDS}\n'
    )
    return server.root / name


def _stop(browser: Browser, server: JupyterServer, version: str, port: int) -> float:
    """Return how long after the click a card says that its task is stopped."""
    cells = ["%load_ext lazyboy_jupyter", _ask(1000, 1001, port), BLOCKS]
    page = browser.new_context(viewport={"width": 1200, "height": 1500}).new_page()
    file = _folder(server, f"stop-{version.replace('.', '-')}", port) / "stop.ipynb"
    lab = Lab(page, server, notebook_file(file, cells, f"ipykernel-{version}")).open()
    lab.run(0, 1)
    card = lab.card(1)
    card.says("collecting")
    lab.block(2)
    began = time.perf_counter()
    card.stop()
    card.says("stopped after")
    took = time.perf_counter() - began
    lab.let_go(2)
    page.close()
    server.shut_down_kernels()
    return took


def _ask(first: int, last: int, port: int) -> str:
    """A cell that shows so many cards: one by one a browser would take longer than the tasks."""
    return (
        "from IPython.display import display\n"
        "from lazyboy_jupyter import get_engine\n"
        f"for task in range({first}, {last}):\n"
        "    display(get_engine().research(\n"
        '        f"How often do the gates of river barrier {task} close, and what does it cost?",\n'
        f'        search=f"searxng:http://127.0.1.{{task % {world.HOSTS // 3} + 1}}:{port}",\n'
        f"        searches={world.SEARCHES}, pages={world.PAGES}, gaps=0))"
    )


def _type(page: Page, lab: Lab) -> list[float]:
    """Type a line into an empty cell; return how long each keypress took to be drawn, in
    milliseconds: 16 where it was within a frame."""
    lab.cells.nth(2).locator(".cm-content").click()
    times = _keys(page)
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    return times


def _keys(page: Page) -> list[float]:
    page.evaluate("() => { window.slow = [] }")
    for key in _KEYS:
        page.keyboard.press("Space" if key == " " else key)
    slow = [float(one) for one in page.evaluate("() => window.slow")]
    return slow + [16.0] * (len(_KEYS) - len(slow))


def _spread(times: list[float]) -> str:
    ordered = sorted(times)
    middle, most, nearly = (ordered[int(len(ordered) * part)] for part in (0.5, 0.95, 0.99))
    over = sum(one > _GOAL_MS for one in ordered)
    return (
        f"{middle:.0f} ms median, {most:.0f} ms at p95, {nearly:.0f} at p99, {ordered[-1]:.0f} ms "
        f"longest, {over} of {len(ordered)} over {_GOAL_MS} ms"
    )
