"""What a panel of side questions is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.render_side import SideView
from lazyboy_jupyter.core.side import ENDED, STATUS_WORDS, Rest, SideStatus
from lazyboy_jupyter.core.side_panel import SidePage, SnapshotSeen, item_of, panel_of
from tests.core.test_render_side import ENDED_SIDE, HEARD, NEW, SECOND, view
from tests.core.test_sanitise import EVIL

SEEN = SnapshotSeen(100 * SECOND, "reply", 2)


def page(*views: SideView, why_not: str = "", seen: SnapshotSeen | None = SEEN) -> SidePage:
    return SidePage("0190-1234abcd", views, 0, seen, why_not, 130 * SECOND, "task 1234abcd")


def test_a_page_says_of_when_the_snapshot_is_and_whether_one_may_ask() -> None:
    told = panel_of(page(view(ENDED_SIDE)))
    assert told["parent_words"] == "task 1234abcd"
    assert told["snapshot"] == {"age_s": 30.0, "boundary": "after its last reply", "ahead": 2}
    assert (told["can_ask"], told["why_not"]) == (True, "")
    told = panel_of(page(why_not="It knows nothing.", seen=None))
    assert (told["can_ask"], told["snapshot"], told["items"]) == (False, None, [])


def test_an_answer_keeps_its_lines_and_groups_what_it_rests_on() -> None:
    twice = (*ENDED_SIDE.rests_on, Rest("S1", "Gates", "https://a.example/x", 3, "a year"))
    side = HEARD.end("completed", 112 * SECOND, rests_on=twice)
    told = item_of(view(side, 3))
    assert told["answer"] == "Nine\nmillion.\n\nA year."
    assert [(one["source"], one["quotes"], one["url"]) for one in told["rests"]] == [
        ("S1", ["nine million", "a year"], "https://a.example/x"),
        ("S2", [], ""),
    ]
    assert told["known"] == "from what it knew 1.0 s before, after its last reply"
    assert (told["ahead"], told["can_promote"]) == (3, True)


@pytest.mark.parametrize("status", sorted(ENDED))
def test_every_end(status: SideStatus) -> None:
    told = item_of(view(HEARD.end(status, 112 * SECOND, tool="web_search", problem="Oh.")))
    assert told["status_words"] == STATUS_WORDS[status]
    assert (told["live"], told["tool"], told["problem"]) == (False, "web_search", "Oh.")


def test_only_an_ended_answer_of_a_live_task_can_be_given_to_its_agent() -> None:
    assert not item_of(view(NEW))["can_promote"]
    assert not item_of(view(ENDED_SIDE, None))["can_promote"]
    given_side = ENDED_SIDE.promoted(120 * SECOND)
    told = item_of(view(given_side))
    assert (told["can_promote"], told["promoted"]) == (False, True)


@given(EVIL, st.text(max_size=50))
def test_links_are_followed_only_where_they_may_be(evil: str, text: str) -> None:
    side = HEARD.end("completed", 112 * SECOND, rests_on=(Rest("S1", evil, evil + text, 1, evil),))
    url = item_of(view(side))["rests"][0]["url"]
    assert url == "" or url.startswith(("http://", "https://"))
