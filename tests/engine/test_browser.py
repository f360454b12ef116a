"""The browser's tools: offered where there is one, under the budget, with evidence of their own."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from lazyboy_jupyter.core.research import ResearchState
from lazyboy_jupyter.engine.run import ResearchRun
from lazyboy_jupyter.errors import SourceError
from lazyboy_jupyter.ports import Page
from lazyboy_jupyter.store.database import Database
from tests.engine.driving import Driver
from tests.fakes import FakeWeb, ScriptedModel, call, guide

URL = "https://a.example/1"
SCRIPTED = "A script wrote that the gates cost 7 million euros."


@dataclass
class FakeBrowser:
    """A browser over pages given as URL to the texts that each look at them gives, in turn."""

    pages: dict[str, list[str]]
    opened: list[tuple[str, str]] = field(default_factory=list)
    released: list[str] = field(default_factory=list)
    hanging: bool = False
    slow: bool = False
    """Whether opening lets everything else go first."""

    def __post_init__(self) -> None:
        self._open: dict[str, str] = {}

    async def open(self, owner: str, url: str) -> Page:
        self.opened.append((owner, url))
        if self.hanging:
            await asyncio.Event().wait()
        for _ in range(20 if self.slow else 0):
            await asyncio.sleep(0)
        if url not in self.pages:
            raise SourceError("http_status", f"There is no such page at {url} (404).")
        self._open[owner] = url
        return await self.snapshot(owner)

    async def snapshot(self, owner: str) -> Page:
        url = self._open.get(owner)
        if url is None:
            raise SourceError("not_found", "No page is open.", "Open one with browser_open.")
        texts = self.pages[url]
        return Page(url, "Gates", texts.pop(0) if len(texts) > 1 else texts[0], "html")

    async def release(self, owner: str) -> None:
        self.released.append(owner)


def blocked() -> FakeWeb:
    error = SourceError("needs_browser", "The page is built by a script.", "Use another source.")
    return FakeWeb(errors={URL: error})


def run(
    database: Database, model: ScriptedModel, browser: FakeBrowser | None, **budget: Any
) -> ResearchRun:
    driver = Driver(database, browser=browser)
    return asyncio.run(driver.finish(model, blocked(), **budget))


def test_without_a_browser_its_tools_are_absent_and_no_error_names_them(database: Database) -> None:
    model = ScriptedModel(
        [[call("open_page", url=URL)], [call("browser_open", url=URL)], [guide()]]
    )
    run(database, model, None)
    assert not {"browser_open", "browser_snapshot"} & set(model.offered(0))
    assert model.results(1)[0]["hint"] == "Use another source."
    assert "browser_open is not offered" in model.results(2)[0]["detail"]


def test_a_page_that_wants_a_browser_is_read_in_it_as_the_same_source(database: Database) -> None:
    browser = FakeBrowser({URL: [SCRIPTED]})
    model = ScriptedModel(
        [[call("open_page", url=URL)], [call("browser_open", url=URL)],
         [guide(("S1", "gates cost 7 million euros"), text="The gates cost 7 million euros.")]],
    )  # fmt: skip
    done = run(database, model, browser)
    assert {"browser_open", "browser_snapshot"} <= set(model.offered(0))
    assert "browser_open" in model.results(1)[0]["hint"]
    assert done.state.pages == 2, "each reading spends a page"
    assert done.guide is not None
    (source,) = done.guide.sources
    assert (source.state, source.via, source.error) == ("read", "browser", "")
    (citation,) = done.guide.findings[0].citations
    assert citation.state == "verbatim"
    kinds = database.relation("select kind, error from data.evidence order by 1").fetchall()
    assert kinds == [("browser", ""), ("page", "needs_browser")]
    assert browser.released == [done.spec.task_id]


def test_the_same_address_is_opened_once(database: Database) -> None:
    browser = FakeBrowser({URL: [SCRIPTED]})
    twice = [call("browser_open", url=URL), call("browser_open", url=URL + "#part")]
    model = ScriptedModel([twice, [guide()]])
    done = run(database, model, browser)
    assert len(browser.opened) == 1
    assert done.state.pages == 1
    assert [result["text"] for result in model.results(1)] == [SCRIPTED] * 2


def test_a_snapshot_is_free_and_what_it_shows_may_be_quoted(database: Database) -> None:
    later = "After a click the price was 9 million euros."
    browser = FakeBrowser({URL: [SCRIPTED, later]})
    model = ScriptedModel(
        [[call("browser_open", url=URL)], [call("browser_snapshot")],
         [guide(("S1", "price was 9 million euros"), ("S1", "gates cost 7 million"), text="So.")]],
    )  # fmt: skip
    done = run(database, model, browser)
    assert done.state.pages == 1
    assert done.guide is not None
    assert [c.state for c in done.guide.findings[0].citations] == ["verbatim", "verbatim"]
    outputs = database.relation("select output_id, text from data.output order by 1").fetchall()
    assert outputs == [("O1", SCRIPTED), ("O1-2", later)]


def test_what_one_reply_asks_of_the_page_happens_in_its_order(database: Database) -> None:
    other = "https://a.example/2"
    browser = FakeBrowser({URL: [SCRIPTED], other: ["The second page."]}, slow=True)
    model = ScriptedModel(
        [[call("browser_open", url=URL), call("browser_snapshot"),
          call("browser_open", url=other), call("browser_snapshot")], [guide()]],
    )  # fmt: skip
    run(database, model, browser)
    urls = [result.get("url") for result in model.results(1)]
    assert urls == [URL, URL, other, other]


def test_an_opening_that_fails_lets_the_look_after_it_go_on(database: Database) -> None:
    browser = FakeBrowser({}, slow=True)
    model = ScriptedModel([[call("browser_open", url=URL), call("browser_snapshot")], [guide()]])
    run(database, model, browser)
    assert [result["error"] for result in model.results(1)] == ["http_status", "not_found"]


def test_a_page_that_has_not_changed_is_kept_once(database: Database) -> None:
    browser = FakeBrowser({URL: [SCRIPTED]})
    model = ScriptedModel(
        [[call("browser_open", url=URL)], [call("browser_snapshot")], [call("browser_snapshot")],
         [guide()]],
    )  # fmt: skip
    run(database, model, browser)
    shown = [model.results(number)[0] for number in (1, 2, 3)]
    assert shown[0] == shown[1] == shown[2]
    assert database.rows("SELECT output_id FROM data.output") == [{"output_id": "O1"}]
    assert database.rows("SELECT count(*) AS n FROM slow_sources") == [{"n": 1}]


def test_a_text_that_comes_back_is_the_output_it_was(database: Database) -> None:
    later = "After a click the price was 9 million euros."
    browser = FakeBrowser({URL: [SCRIPTED, later, SCRIPTED]})
    model = ScriptedModel(
        [[call("browser_open", url=URL)], [call("browser_snapshot")], [call("browser_snapshot")],
         [guide(("S1", "gates cost 7 million euros"), text="The gates cost 7 million euros.")]],
    )  # fmt: skip
    done = run(database, model, browser)
    assert [model.results(n)[0]["output_id"] for n in (1, 2, 3)] == ["O1", "O1-2", "O1"]
    assert done.guide is not None
    assert done.guide.sources[0].output_id == "O1"
    stored = database.rows('SELECT "offset", output_id FROM citations')
    assert stored == [{"offset": SCRIPTED.index("gates"), "output_id": "O1"}]


def test_a_reply_looks_three_times_at_most(database: Database) -> None:
    texts = [f"Text {number}." for number in range(9)]
    browser = FakeBrowser({URL: texts})
    looks = [call("browser_snapshot") for _ in range(5)]
    model = ScriptedModel([[call("browser_open", url=URL)], looks, looks[:1], [guide()]])
    run(database, model, browser)
    assert [result.get("error") for result in model.results(2)] == [None] * 3 + ["refused"] * 2
    assert "at most 3 times" in model.results(2)[4]["detail"]
    assert model.results(3)[0]["text"] == "Text 4.", "the next reply may look again"


def test_a_snapshot_of_nothing_and_one_after_the_collection_are_refused(
    database: Database,
) -> None:
    browser = FakeBrowser({URL: [SCRIPTED]})
    model = ScriptedModel(
        [[call("browser_snapshot")], [call("browser_open", url=URL)], [call("browser_snapshot")],
         [guide()]],
    )  # fmt: skip
    run(database, model, browser, pages=1)
    assert model.results(1)[0]["error"] == "not_found"
    assert "collection is closed" in model.results(3)[0]["detail"]
    assert "browser_snapshot" not in model.offered(2)


def test_a_browser_that_hangs_ends_at_the_limit_of_a_source_call(database: Database) -> None:
    async def scenario() -> ResearchState:
        browser = FakeBrowser({}, hanging=True)
        driver = Driver(database, browser=browser)
        model = ScriptedModel([[call("browser_open", url=URL)], [guide()]])
        run = await driver.start(model, blocked())
        await driver.until(lambda: bool(browser.opened))
        driver.clock.advance(30)
        await driver.until(lambda: run.state.ended)
        assert model.results(1)[0]["error"] == "timeout"
        return run.state

    assert asyncio.run(scenario()).status == "completed"


def test_a_failed_opening_does_not_take_back_a_text_that_was_read(database: Database) -> None:
    web = FakeWeb({URL: "The gates cost 3 million euros."})
    model = ScriptedModel(
        [[call("open_page", url=URL)], [call("browser_open", url=URL)],
         [guide(("S1", "gates cost 3 million euros"), text="They cost 3 million euros.")]],
    )  # fmt: skip
    done = asyncio.run(Driver(database, browser=FakeBrowser({})).finish(model, web))
    assert done.guide is not None
    assert done.guide.sources[0].state == "read"
