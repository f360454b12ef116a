"""The extractive model as a function of the request: it keeps nothing between turns."""

from collections.abc import Mapping
from typing import Any

from lazyboy_jupyter.adapters.models.extractive_turn import next_calls
from lazyboy_jupyter.core.left import BudgetLeft
from lazyboy_jupyter.core.messages import Message, ToolCall, ToolResult, opening, reply, results

QUESTION = "How much did harbour gates reduce flood losses in Hamburg?"
ALL = frozenset({"web_search", "open_page", "read_tool_output", "publish_research"})
PUBLISH = frozenset({"read_tool_output", "publish_research"})
TEXT = "Harbour gates reduced flood losses in Hamburg by 17 percent. Swans live there too."


def left(searches: int = 2, pages: int = 6, **more: Any) -> BudgetLeft:
    values = {"phase": "collecting", "supplement": False, "seconds": 100.0, "rounds": 20,
              "max_gaps": 2, **more}  # fmt: skip
    return BudgetLeft(searches=searches, pages=pages, **values)


class Talk:
    """Messages as the engine would write them."""

    def __init__(self) -> None:
        self.messages: list[Message] = [opening("system", QUESTION)]
        self._count = 0

    def answer(self, *pairs: tuple[tuple[str, dict[str, Any]], Mapping[str, Any]]) -> None:
        calls, answers = [], []
        for (tool, args), content in pairs:
            self._count += 1
            calls.append(ToolCall(f"c{self._count}", tool, args))
            answers.append(ToolResult(f"c{self._count}", tool, content))
        self.messages += [reply("", calls), results(answers)]

    def searched(self, *titles: str) -> None:
        found = [
            {"source": f"S{n}", "url": f"https://a/{n}", "title": title, "snippet": title}
            for n, title in enumerate(titles, 1)
        ]
        self.answer((("web_search", {"query": "q"}), {"query": "q", "results": found}))

    def opened(self, number: int, text: str, **more: Any) -> None:
        url = f"https://a/{number}"
        content = {"source": f"S{number}", "url": url, "title": f"T{number}", "text": text,
                   "characters": len(text), **more}  # fmt: skip
        self.answer((("open_page", {"url": url}), content))


def tools(calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return [tool for tool, _ in calls]


def test_it_says_what_it_looks_for_and_searches() -> None:
    report, search = next_calls(Talk().messages, left(), ALL)
    assert report[0] == "report_progress"
    assert search[0] == "web_search"
    assert "gates" in search[1]["query"]
    assert search[1]["query"] in report[1]["text"]


def test_it_reads_the_better_half_and_keeps_the_rest_for_the_next_search() -> None:
    talk = Talk()
    talk.searched(*(f"Harbour gates {n}" for n in range(10)))
    calls = next_calls(talk.messages, left(searches=1), ALL)
    assert tools(calls) == ["open_page"] * 3
    assert (
        tools(next_calls(talk.messages, left(searches=0), ALL - {"web_search"}))
        == ["open_page"] * 6
    )


def test_it_reads_long_pages_to_their_end_before_anything_else() -> None:
    talk = Talk()
    talk.searched("Harbour gates")
    talk.opened(1, TEXT * 70, characters=29_000, output_id="O1", next_offset=len(TEXT * 70))
    start = len(TEXT * 70)
    calls = next_calls(talk.messages, left(), ALL)
    assert [(tool, args["offset"]) for tool, args in calls] == [
        ("read_tool_output", start),
        ("read_tool_output", start + 12_000),
    ]


def test_it_publishes_only_what_stands_in_a_page_with_its_quote() -> None:
    talk = Talk()
    talk.searched("Harbour gates")
    talk.opened(1, TEXT)
    ((tool, args),) = next_calls(talk.messages, left(0, 0), PUBLISH)
    assert tool == "publish_research"
    claims = args["steps"] + args["findings"]
    quotes = [citation["quote"] for claim in claims for citation in claim["citations"]]
    assert any("17 percent" in quote for quote in quotes)
    assert all(quote in TEXT for quote in quotes)


def test_without_anything_found_it_says_so_and_quotes_nothing() -> None:
    talk = Talk()
    talk.answer((("web_search", {"query": "q"}), {"query": "q", "error": "timeout", "detail": "x"}))
    ((tool, args),) = next_calls(talk.messages, left(0, 0), PUBLISH)
    assert tool == "publish_research"
    assert args["findings"] == args["steps"] == []
    assert args["unknowns"]


def test_a_failed_page_is_not_asked_for_again() -> None:
    talk = Talk()
    talk.searched("Harbour gates", "Flood losses in Hamburg")
    failed = {"source": "S1", "url": "https://a/1", "error": "tls", "detail": "x"}
    talk.answer((("open_page", {"url": "https://a/1"}), failed))
    calls = next_calls(talk.messages, left(searches=0, pages=5), ALL - {"web_search"})
    assert [args["url"] for tool, args in calls if tool == "open_page"] == ["https://a/2"]


def test_a_supplement_searches_and_reads_for_each_gap_and_adds() -> None:
    talk = Talk()
    gaps = [{"question": "What do swans cost?", "why": "w"}, {"question": "Who pays?", "why": "w"}]
    published = {"summary": "s", "steps": [], "findings": [], "unknowns": [], "gaps": gaps}
    talk.answer((("publish_research", published), {"published": 0, "gaps": []}))
    both = left(2, 4, supplement=True, gaps=(("What do swans cost?", 1, 2), ("Who pays?", 1, 2)))

    calls = next_calls(talk.messages, both, ALL)
    assert [(tool, args["gap"]) for tool, args in calls] == [("web_search", 0), ("web_search", 1)]

    found = {"source": "S1", "url": "https://a/1", "title": "Swans", "snippet": "swans cost"}
    talk.answer(
        (("web_search", {"query": "swans", "gap": 0}), {"query": "swans", "results": [found]}),
        (("web_search", {"query": "pays", "gap": 1}), {"query": "pays", "results": []}),
    )
    spent = left(0, 4, supplement=True, gaps=(("What do swans cost?", 0, 2), ("Who pays?", 0, 2)))
    calls = next_calls(talk.messages, spent, ALL - {"web_search"})
    assert calls == [("open_page", {"url": "https://a/1", "gap": 0})]

    talk.opened(1, "Swans cost the city 9,000 euros a year. Everybody knows that.")
    ((tool, args),) = next_calls(talk.messages, spent, PUBLISH)
    assert tool == "publish_research"
    assert set(args) == {"additions", "unknowns"}
    assert "9,000 euros" in args["additions"][0]["citations"][0]["quote"]
    assert any("Who pays?" in unknown for unknown in args["unknowns"])


WITH_BROWSER = ALL | {"open_page", "browser_open"}


def test_a_page_that_wants_a_browser_is_opened_in_it_once() -> None:
    talk = Talk()
    talk.searched("Harbour gates of Hamburg", "Flood losses")
    talk.answer(
        (("open_page", {"url": "https://a/1"}), {"source": "S1", "error": "needs_browser"}),
        (("open_page", {"url": "https://a/2"}), {"source": "S2", "error": "http_status"}),
    )
    assert "browser_open" not in tools(next_calls(talk.messages, left(1, 4), ALL | {"open_page"}))
    again = next_calls(talk.messages, left(1, 4), WITH_BROWSER)
    assert again == [("browser_open", {"url": "https://a/1"})]
    talk.answer((again[0], {"source": "S1", "error": "blocked"}))
    assert "browser_open" not in tools(next_calls(talk.messages, left(1, 3), WITH_BROWSER))


def test_what_the_browser_read_is_quoted() -> None:
    talk = Talk()
    talk.searched("Harbour gates of Hamburg")
    page = {"source": "S1", "url": "https://a/1", "title": "T", "text": TEXT, "characters": 80}
    talk.answer((("browser_open", {"url": "https://a/1"}), page))
    (publication,) = next_calls(talk.messages, left(0, 0), PUBLISH)
    assert "17 percent" in str(publication)


def test_addresses_in_the_question_are_opened_at_once() -> None:
    question = "What do https://a.example/x and (https://b.example/y) say of gates?"
    calls = next_calls([opening("system", question)], left(), ALL | {"open_page"})
    opened = [args["url"] for tool, args in calls if tool == "open_page"]
    assert opened == ["https://a.example/x", "https://b.example/y"]
    assert tools(calls)[-1] == "web_search"
