"""Widgets in a real kernel, spoken to as a page does: state, messages, the twin beside them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lazyboy_jupyter.core.card import PUBLICATION
from lazyboy_jupyter.widgets.frontend import BUNDLE, STYLE
from tests.notebook.kernel import Kernel, kernel

QUESTION = "How does the with statement work?"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, index_cache: Path) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("widgets")
    with kernel(folder, index_cache, JPY_SESSION_NAME="a.ipynb") as one:
        yield one


@pytest.fixture
def card(watched: Kernel) -> str:
    """The widget of a task that has ended."""
    watched.run(f"%research -w --pages 2 {QUESTION}")
    widget = watched.view()
    watched.listen_until(lambda: not watched.widgets[widget]["card"]["live"])
    return widget


def test_a_card_follows_its_task_and_its_output_keeps_the_twin(watched: Kernel) -> None:
    ran = watched.run(f"%%research --pages 2\n{QUESTION}")
    assert (ran.status, ran.errors) == ("ok", "")
    assert set(ran.shown[0]) == {"text/plain", "text/markdown", "text/html", PUBLICATION}
    assert ran.shown[0][PUBLICATION]["guide"] is None
    widget = watched.view()
    state = watched.widgets[widget]
    assert state["kind"] == "run"
    assert state["card"]["question"] == QUESTION
    version = state["card"]["version"]
    watched.ask(widget, "hello")
    watched.listen_until(lambda: state["card"]["status"] == "completed")
    assert state["card"]["version"] > version
    assert state["card"]["foot"].endswith("read")
    assert {row["state"] for row in state["sources"]} == {"read"}
    quotes = [c["quote"] for part in state["guide"]["sections"] for claim in part["claims"]
              for c in claim["citations"]]  # fmt: skip
    assert len([quote for quote in quotes if quote]) >= 1
    watched.listen_until(lambda: "complete in" in watched.card())
    bundle = list(watched.displays.values())[-1]
    assert state["place"] in bundle["text/html"]
    assert "quote found" in bundle["text/html"]
    kept = bundle[PUBLICATION]
    assert (kept["place"], kept["card"]["status"]) == (state["place"], "completed")
    assert (kept["guide"], kept["sources"]) == (state["guide"], state["sources"])


def test_a_page_takes_the_interface_once_for_all_widgets(watched: Kernel, card: str) -> None:
    state = watched.widgets[card]
    assert len(state["_esm"]) < 5_000
    assert "_css" not in state
    before = len(watched.said[card])
    watched.tell(card, "interface")
    watched.listen_until(lambda: len(watched.said[card]) > before)
    told = watched.said[card][-1]
    assert told["type"] == "interface"
    assert (told["script"], told["style"]) == (BUNDLE.read_text("utf-8"), STYLE.read_text("utf-8"))
    versions = {one["interface"] for one in watched.widgets.values() if "_esm" in one}
    assert versions == {state["interface"]}


def test_a_twin_that_a_widget_covers_is_drawn_once_a_stage(watched: Kernel) -> None:
    watched.run(f"%research --pages 2 {QUESTION}")
    widget, display = watched.view(), list(watched.displays)[-1]
    watched.ask(widget, "hello")
    seen = watched.redrawn.count(display)
    watched.listen_until(lambda: "complete in" in watched.card())
    # collecting, perhaps writing, complete; and one that was on its way
    assert 1 <= watched.redrawn.count(display) - seen <= 4


def test_a_task_is_stopped_by_its_card(watched: Kernel) -> None:
    watched.run(f"%research {QUESTION}")
    widget = watched.view()
    assert watched.ask(widget, "stop")["ok"] is True
    watched.listen_until(lambda: not watched.widgets[widget]["card"]["live"])
    assert watched.widgets[widget]["card"]["status"] in {"cancelled", "completed"}
    assert watched.ask(widget, "stop")["ok"] is True  # once more changes nothing


def test_a_side_question_is_asked_of_a_card_and_seen_by_every_view(
    watched: Kernel, card: str
) -> None:
    watched.run("%btw")
    panel = watched.view()
    told = watched.ask(
        card, "ask", question="What does a context manager do?", client_request_id="one"
    )
    assert told["ok"] is True
    for widget in (card, panel):
        side = watched.widgets[widget]
        watched.listen_until(lambda side=side: side["side"] and side["side"]["items"])
        (item,) = side["side"]["items"]
        assert item["status"] == "completed"
        assert item["rests"]
        assert side["current"] is None
    again = watched.ask(
        panel, "ask", question="What does a context manager do?", client_request_id="one"
    )
    assert again["request_id"] == told["request_id"]
    other = watched.ask(panel, "ask", question="Another?", client_request_id="one")
    assert other == {"type": "reply", "id": other["id"], "ok": False,
                     "error": "That id belongs to another question.",
                     "hint": "Use a new id for a new question."}  # fmt: skip
    refused = watched.ask(panel, "promote", ordinal=1, sure=True)
    assert "has ended" in refused["error"]
    assert "context manager" in watched.ask(panel, "promote", ordinal=1)["note"]
    assert watched.ask(panel, "side_older", before=1) == {
        "type": "reply", "id": watched.said[panel][-1]["id"], "ok": True,
        "items": [], "next_cursor": 0,
    }  # fmt: skip
    assert watched.ask(card, "side_clear")["count"] == 1
    watched.listen_until(lambda: not watched.widgets[panel]["side"]["items"])


def test_the_card_of_one_answer_shows_that_one_and_what_is_asked_from_it(
    watched: Kernel, card: str
) -> None:
    watched.run("%btw -w What does the with statement do?")
    first = watched.widgets[watched.view()]
    watched.run("%btw -w What is an exit method?")
    widget = watched.view()
    second = watched.widgets[widget]
    for state in (first, second):
        watched.listen_until(lambda state=state: state["side"] and state["side"]["items"])
        assert len(state["side"]["items"]) == 1
    watched.ask(widget, "ask", question="And an enter method?", client_request_id="two")
    watched.listen_until(lambda: len(second["side"]["items"]) == 2)
    assert [item["ordinal"] for item in second["side"]["items"]] == [3, 2]
    assert len(first["side"]["items"]) == 1
    assert card in watched.widgets


def test_a_quote_is_shown_in_its_page(watched: Kernel, card: str) -> None:
    guide = watched.widgets[card]["guide"]
    claims = [claim for part in guide["sections"] for claim in part["claims"]]
    claims += [guide["lead"]] if guide["lead"] else []
    citation = next(c for claim in claims for c in claim["citations"] if c["tone"] == "ok")
    told = watched.ask(card, "context", claim=citation["key"])
    assert told["ok"] is True
    assert told["source"] == citation["source"]
    letters = [c for c in told["quote"].casefold() if c.isalnum()]
    assert letters == [c for c in citation["quote"].casefold() if c.isalnum()]
    assert told["before"] or told["after"]
    lost = watched.ask(card, "context", claim="99.0")
    assert lost["error"] == "That claim is not in the guide any more."


@pytest.mark.parametrize("form", ["md", "html", "txt", "json", "bib"])
def test_a_guide_is_exported(watched: Kernel, card: str, form: str) -> None:
    told = watched.ask(card, "export", format=form)
    assert told["name"].endswith(f".{form}")
    assert len(told["text"]) > 100


@pytest.mark.parametrize(
    "message",
    [
        {"kind": "dance"},
        {"kind": "ask"},
        {"kind": "ask", "question": "x" * 50_000, "client_request_id": "c"},
        {"kind": "ask", "question": "x" * 5_000, "client_request_id": "c"},
        {"kind": "ask", "question": "  ", "client_request_id": "c"},
        {"kind": "export", "format": "exe"},
        {"kind": "side_older", "before": "many"},
        {"kind": "promote", "ordinal": 99, "sure": True},
    ],
)
def test_what_cannot_be_done_is_answered_in_a_sentence(
    watched: Kernel, card: str, message: dict[str, object]
) -> None:
    told = watched.ask(card, **message)  # type: ignore[arg-type]
    assert told["ok"] is False
    assert told["error"].endswith((".", ":"))
    assert "Traceback" not in json.dumps(told)
    assert watched.run("1").value == {"text/plain": "1"}


def test_the_roster_follows_the_tasks(watched: Kernel, card: str) -> None:
    ran = watched.run("%lazyboy status")
    widget = watched.view()
    state = watched.widgets[widget]
    assert state["kind"] == "status"
    assert ran.shown[0]["text/plain"].startswith("idle. Stored in")
    known = len(state["roster"]["tasks"])
    assert known >= 1
    watched.run(f"%research --pages 2 {QUESTION}")
    watched.listen_until(lambda: len(state["roster"]["tasks"]) == known + 1)
    task = state["roster"]["tasks"][0]
    assert watched.ask(widget, "stop", task_id=task["task_id"])["ok"] is True
    watched.listen_until(lambda: not state["roster"]["tasks"][0]["live"])
    watched.listen_until(lambda: state["roster"]["activity"]["state"] == "idle")
    assert watched.ask(widget, "export", format="md")["ok"] is False
    assert watched.ask(widget, "reconcile")["activity"]["state"] == "idle"


def test_the_roster_forgets_what_was_deleted_or_put_away(watched: Kernel, card: str) -> None:
    kept = watched.widgets[card]["card"]["short_id"]
    watched.run(f"%research -w --pages 1 {QUESTION}")
    gone = watched.widgets[watched.view()]["card"]["short_id"]
    watched.run("%lazyboy status")
    widget = watched.view()
    state = watched.widgets[widget]

    def ids() -> set[str]:
        return {task["short_id"] for task in state["roster"]["tasks"]}

    watched.listen_until(lambda: {kept, gone} <= ids())
    watched.run(f"%lazyboy delete {gone}")
    watched.listen_until(lambda: gone not in ids())
    watched.run(f"%lazyboy archive {kept}")
    watched.listen_until(lambda: kept not in ids())


def test_what_nobody_looks_at_is_not_followed_and_looked_up_again(watched: Kernel) -> None:
    watched.run("%lazyboy status")
    widget = watched.view()
    state = watched.widgets[widget]
    watched.listen_until(lambda: state["roster"]["version"] > 1)  # drawn for the view that came
    assert watched.ask(widget, "bye")["ok"] is True
    before = state["roster"]["version"]
    watched.run(f"%research -w --name unseen --pages 1 {QUESTION}")
    assert state["roster"]["version"] == before
    watched.ask(widget, "hello")
    watched.listen_until(lambda: state["roster"]["version"] > before)
    watched.listen_until(lambda: "unseen" in {one["name"] for one in state["roster"]["agents"]})


def test_a_panel_opened_before_its_agent_knew_anything_learns_when_it_may_ask(
    watched: Kernel,
) -> None:
    watched.run(f"%research {QUESTION}\n")
    watched.run("%btw")
    side = watched.widgets[watched.view()]
    watched.listen_until(lambda: side["side"] and side["side"]["can_ask"])
    watched.listen_until(lambda: side["side"]["snapshot"]["ahead"] is None)  # it has ended


def test_a_task_of_another_engine_is_followed_there(watched: Kernel) -> None:
    watched.run(
        "from lazyboy_jupyter import Engine\n"
        "other = Engine('other.duckdb')\n"
        f"other.research({QUESTION!r}, pages=1)"
    )
    widget = watched.view()
    watched.listen_until(lambda: watched.widgets[widget]["card"]["status"] == "completed")
    watched.listen_until(lambda: "complete in" in watched.card())
    watched.run("other.close()")


def test_what_an_engine_leaves_when_it_closes_says_how_it_ended(
    tmp_path: Path, index_cache: Path
) -> None:
    with kernel(tmp_path, index_cache, JPY_SESSION_NAME="a.ipynb") as one:
        one.run(f"%research {QUESTION}")
        widget = one.view()
        one.run("from lazyboy_jupyter import get_engine; get_engine().close()")
        ended = {"interrupted", "completed"}
        one.listen_until(lambda: one.widgets[widget]["card"]["status"] in ended)
        one.listen_until(lambda: any(word in one.card() for word in ("interrupted", "complete")))


def test_views_of_an_engine_that_was_closed_say_so(tmp_path: Path, index_cache: Path) -> None:
    with kernel(tmp_path, index_cache, JPY_SESSION_NAME="a.ipynb") as one:
        one.run(f"%research -w --pages 1 {QUESTION}")
        widget = one.view()
        one.run("from lazyboy_jupyter import get_engine; get_engine().close()")
        assert one.ask(widget, "reconcile")["error"] == "The engine of this card has ended."
        one.tell(widget, "interface")  # of a page that was loaded again: it shows what was found
        one.listen_until(lambda: one.said[widget][-1]["type"] == "interface")


@pytest.mark.parametrize("setting", [{}, {"JPY_SESSION_NAME": "a.ipynb", "LAZYBOY_WIDGETS": "off"}])
def test_no_widget_where_nobody_would_see_it(
    tmp_path: Path, index_cache: Path, setting: dict[str, str]
) -> None:
    with kernel(tmp_path, index_cache, **setting) as one:
        one.run(f"%research -w --pages 1 {QUESTION}")
        assert one.widgets == {}
        assert "data-lazyboy-view" not in list(one.displays.values())[-1]["text/html"]
        assert "nothing" in one.run("%btw").text.lower()
