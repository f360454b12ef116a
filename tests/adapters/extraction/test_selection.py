"""Which blocks of a page are given: aligned with what trafilatura found, or the page as a whole."""

from lxml.html import HtmlElement

from lazyboy_jupyter.adapters.sources.extraction.alignment import aligned
from lazyboy_jupyter.adapters.sources.extraction.blocks import Block
from lazyboy_jupyter.adapters.sources.extraction.html import html_to_text
from tests.adapters.extraction.pages import PARAGRAPH, page

LONG = "The tide rises twice a day and falls twice a day"


def kept(texts: list[str], pieces: list[str]) -> list[str]:
    blocks = [Block("p", text, 0, zone=False, element=HtmlElement()) for text in texts]
    marks = aligned(blocks, pieces)
    return [text for text, mark in zip(texts, marks, strict=True) if mark]


def test_a_short_block_counts_only_at_an_edge_and_in_its_order() -> None:
    pieces = [f"{LONG}, says the US office.", "Tip", "Another sentence of the page, long enough."]
    texts = ["US", f"{LONG}, says the US office.", "Tip", "Share", pieces[2], "Tip"]
    assert kept(texts, pieces) == [texts[1], "Tip", pieces[2]]


def test_white_space_and_signs_do_not_matter() -> None:
    assert kept([f"“{LONG}” — 1"], [LONG.replace(" ", "\n"), "(1)"]) == [f"“{LONG}” — 1"]


def test_a_block_of_which_a_part_was_left_out_is_kept_and_one_of_which_little_is_left_is_not() -> (
    None
):
    text = f"{LONG}. Read more at our shop. {PARAGRAPH}"
    assert kept([text], [LONG, PARAGRAPH]) == [text]
    assert kept([f"{PARAGRAPH * 3} {LONG}"], [LONG]) == []


def test_a_repeated_sentence_does_not_lose_what_stands_between() -> None:
    one = ["Meal 1", f"{LONG} and so on.", "Meal 2", f"{LONG} again.", "Meal 3"]
    assert kept(one * 3, one * 3) == one * 3


def test_nothing_is_kept_of_nothing() -> None:
    assert kept([LONG, "x"], []) == []


def test_a_news_page_is_its_article() -> None:
    cards = "".join(
        f"<div class='card'><a href='/{n}'>Another story number {n}</a></div>" for n in range(30)
    )
    html = page(
        "Tides",
        f"<article><p>{PARAGRAPH}</p><p>{LONG}.</p><p>{PARAGRAPH * 2}</p></article>"
        f"<aside><h3>Most read</h3>{cards}</aside><footer>Imprint</footer>",
        "<meta property='og:type' content='article'>",
    )
    text = html_to_text(html, "https://site.example/")[1]
    assert f"{LONG}." in text
    assert "Another story" not in text
    assert "Imprint" not in text


def test_code_and_tables_between_kept_paragraphs_stay_in_an_article() -> None:
    html = page(
        "Tides",
        f"<article><p>{PARAGRAPH}</p><pre>a = 1</pre><p>{PARAGRAPH * 2}</p>"
        f"<table><tr><th>x<th>y</tr><tr><td>1<td>2</tr></table><p>{PARAGRAPH * 3}</p></article>",
        "<meta property='og:type' content='article'>",
    )
    text = html_to_text(html, "")[1]
    assert "```\na = 1\n```" in text
    assert "| 1 | 2 |" in text


def test_a_page_without_an_article_is_given_whole_without_its_navigation() -> None:
    rows = "".join(
        f"<div class=row><b>Bus {n}</b> <i>every {n} minutes</i></div>" for n in range(20)
    )
    html = f"<body><nav>Home Lines</nav><div><h2>Lines</h2>{rows}</div><footer>Imprint</footer>"
    text = html_to_text(html, "")[1]
    assert text.startswith("## Lines\n\nBus 0 every 0 minutes\n\nBus 1 every 1 minutes")
    assert "Bus 19" in text
    assert "Imprint" not in text


def test_a_page_of_nothing_but_navigation_is_that_navigation() -> None:
    html = "<body><nav><ul><li><a href='/a'>Lines</a><li><a href='/b'>Fares</a></ul></nav>"
    assert html_to_text(html, "https://bus.example/")[1] == (
        "- [Lines](https://bus.example/a)\n- [Fares](https://bus.example/b)"
    )
