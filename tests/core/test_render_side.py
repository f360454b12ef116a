"""Side questions on a screen: what each state says; foreign text is shown as text (D3)."""

from dataclasses import replace

import pytest
from hypothesis import given

from lazyboy_jupyter.core.render_side import (
    SideView,
    history_to_text,
    side_to_html,
    side_to_markdown,
    side_to_text,
)
from lazyboy_jupyter.core.side import ENDED, Rest, Seen, SideQuestion, SideStatus
from lazyboy_jupyter.core.snapshot import BOUNDARY_WORDS
from tests.core.test_sanitise import EVIL, Tags

SECOND = 1_000_000
SEEN = Seen("run", 3, "reply", 100 * SECOND, 2)
NEW = SideQuestion("r", "task", 2, "c", "What do they cost?", "openai:gpt", SEEN, 101 * SECOND)
HEARD = NEW.running().heard("Nine\nmillion.\n\nA year.", 103 * SECOND)
RESTS = (Rest("S1", "Gates", "https://a.example/x", 3, "nine million", 7),
         Rest("S2", "", "file:///b", 5))  # fmt: skip
ENDED_SIDE = HEARD.end("completed", 112 * SECOND, tokens=(1_200, None), rests_on=RESTS)


def view(side: SideQuestion, ahead: int | None = 0) -> SideView:
    return SideView(side, 130 * SECOND, ahead)


def test_a_whole_answer_as_text() -> None:
    assert side_to_text(view(ENDED_SIDE, 3)) == (
        "2. What do they cost?\n\n"
        "   Nine\n   million.\n\n   A year.\n\n"
        "   S1 Gates (https://a.example/x), message 3, 1 quote found\n"
        "   S2 file:///b (file:///b), message 5\n"
        "   Answered, from what it knew 1.0 s before, after its last reply; 3 steps ago\n"
        "   when this was shown.\n"
        "   openai:gpt: 1,200 tokens in, unknown out."
    )


@pytest.mark.parametrize("status", sorted(ENDED))
def test_every_end_says_what_it_is(status: SideStatus) -> None:
    side = HEARD.end(status, 112 * SECOND, tool="web_search", problem="It <b>failed</b>.")
    for shown in (side_to_text(view(side)), side_to_markdown(view(side)), side_to_html(view(side))):
        assert "million" in shown
        assert "failed" in shown
        assert "unknown" in shown
    assert ("--promote 2" in side_to_text(view(side))) == (status == "needs_tools")
    assert ("web_search" in side_to_text(view(side))) == (status == "needs_tools")


def test_an_answer_that_is_waited_for() -> None:
    assert "…" in side_to_html(view(NEW))
    assert "preparing" in side_to_text(view(NEW)).lower()
    assert "…" not in side_to_html(view(HEARD))
    assert "token" not in side_to_text(view(HEARD))
    assert "1.0 s before" in side_to_text(view(HEARD))


@pytest.mark.parametrize(
    ("ahead", "words"), [(None, ""), (0, ""), (1, "1 step ago"), (2, "2 steps ago")]
)
def test_how_far_the_agent_is_since(ahead: int | None, words: str) -> None:
    text = " ".join(side_to_text(view(ENDED_SIDE, ahead)).split())
    assert words in text
    assert ("when this was shown" in text) == bool(words)


def test_each_boundary_has_its_words() -> None:
    for boundary, words in BOUNDARY_WORDS.items():
        side = replace(ENDED_SIDE, seen=replace(SEEN, boundary=boundary))
        assert words in side_to_text(view(side))


def test_a_model_without_tokens_says_nothing_of_them() -> None:
    side = replace(ENDED_SIDE, model="extractive")
    assert "token" not in side_to_text(view(side))


def test_a_promoted_answer_says_so() -> None:
    assert "Given to the agent" in side_to_text(view(ENDED_SIDE.promoted(115 * SECOND)))
    assert "Given to the agent" not in side_to_text(view(ENDED_SIDE))


def test_a_history_is_one_text() -> None:
    told = history_to_text([view(replace(ENDED_SIDE, ordinal=n)) for n in (1, 2)])
    assert told.index("1. What") < told.index("2. What")
    assert history_to_text([]) == ""


def test_links_can_be_followed_only_to_the_web() -> None:
    html = Tags(side_to_html(view(ENDED_SIDE)))
    links = [attributes["href"] for tag, attributes in html.tags if tag == "a"]
    assert links == ["https://a.example/x"]
    assert "](<https://a.example/x>)" in side_to_markdown(view(ENDED_SIDE))


_FIXED = {"div", "p", "br", "ul", "li", "q", "span", "a"}


@given(EVIL, EVIL, EVIL, EVIL, EVIL)
def test_hostile_text_is_text(question: str, answer: str, title: str, url: str, why: str) -> None:
    rest = Rest("S1", title, url, 3, f"{answer}x", 0)
    named = replace(HEARD, question=question, answer=answer, model=why)
    side = named.end("needs_tools", 112 * SECOND, tool=why, problem=why, rests_on=[rest])
    html = side_to_html(view(side))
    parsed = Tags(html)
    assert {tag for tag, _ in parsed.tags} <= _FIXED
    for _, attributes in parsed.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "src"]
        href = attributes.get("href")
        assert href is None or href.lower().startswith(("http://", "https://"))
    markdown = side_to_markdown(view(side))
    assert "<script" not in markdown
    assert "<img" not in markdown
    assert "![" not in markdown.replace("\\!", "").replace("\\[", "")
    for shown in (html, markdown, side_to_text(view(side))):
        assert "\u202e" not in shown
        assert "\x00" not in shown
    told = side_to_text(view(side))
    assert len(told.split("\n")) < 12 + answer.count("\n") + len(told) // 20


@pytest.mark.parametrize(
    "evil",
    ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))",
     "javascript:alert(1)", '"><svg/onload=alert(1)>', "![x](https://e.example/x.png)"],
)  # fmt: skip
def test_known_attacks_come_out_as_they_read(evil: str) -> None:
    rest = Rest(evil, evil, evil, 3, evil, 0)
    side = replace(ENDED_SIDE, question=evil, answer=evil, rests_on=(rest,))
    parsed = Tags(side_to_html(view(side)))
    assert parsed.text.count(evil) >= 4
    assert {tag for tag, _ in parsed.tags} <= _FIXED - {"a"}
