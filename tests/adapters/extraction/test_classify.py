"""What stands in a page's place, and the articles that only look like it."""

import pytest

from lazyboy_jupyter.adapters.sources.documents import Failure
from lazyboy_jupyter.adapters.sources.extraction.classify import Shown, classify_text
from lazyboy_jupyter.adapters.sources.extraction.job import extract, is_challenge
from lazyboy_jupyter.adapters.sources.extraction.page import PageText
from tests.adapters.extraction.pages import PARAGRAPH, page, stored, stored_names

EMPTY = "<html><head><title>Nothing</title></head><body></body></html>"


def read(html: str) -> PageText | Failure:
    return extract(html.encode(), "text/html; charset=utf-8", "https://site.example/p", False)


@pytest.mark.parametrize("name", stored_names("challenge_"))
def test_a_challenge_is_blocked(name: str) -> None:
    found = read(stored(name))
    assert isinstance(found, Failure)
    assert found.kind == "blocked"
    assert "human" in found.sentence
    assert "browser_open" not in found.hint
    assert is_challenge(stored(name).encode(), "text/html")


@pytest.mark.parametrize("name", stored_names("scripts_"))
def test_a_page_that_is_made_by_scripts_needs_a_browser(name: str) -> None:
    html = stored(name)
    found = read(html)
    assert isinstance(found, Failure)
    assert found.kind == "needs_browser"
    assert not is_challenge(html.encode(), "text/html")


def test_a_login_form_is_no_page() -> None:
    found = read(stored("login"))
    assert isinstance(found, Failure)
    assert found.kind == "blocked"
    assert "login" in found.sentence


@pytest.mark.parametrize(
    "html",
    [
        stored("not_found"),
        page("404 - File or directory not found", "<p>Sorry.</p>"),
        page("Seite nicht gefunden", "<p>Diese Adresse gibt es nicht.</p>"),
        page("ページが見つかりません", "<p>お探しのページは削除された可能性があります。</p>"),
    ],
)
def test_a_page_that_says_it_does_not_exist_is_not_found(html: str) -> None:
    found = read(html)
    assert isinstance(found, Failure)
    assert found.kind == "not_found"


@pytest.mark.parametrize("html", [EMPTY, "", "<html></html>", "   \n "])
def test_a_page_without_text_is_unreadable(html: str) -> None:
    found = read(html)
    assert isinstance(found, Failure)
    assert found.kind == "unreadable"


@pytest.mark.parametrize(
    "html",
    [
        page(
            "Cloudflare replaces captchas",
            f"<p>{PARAGRAPH * 6}</p><p>Those who saw “Checking your browser before accessing” or "
            f"“verify you are human” know it. {PARAGRAPH * 3}</p>",
        ),
        page(
            "How to enable JavaScript",
            "<p>Some pages say: You need to enable JavaScript to run this app. "
            f"{PARAGRAPH * 4}</p>",
        ),
        page("Why servers answer 404 not found", f"<p>{PARAGRAPH * 4}</p>"),
        page("A short note", "<p>The bridge opens on Monday. Ray Idol sang there.</p>"),
        page("Access denied: the story of a lock", f"<p>{PARAGRAPH * 3}</p>"),
        page(
            "News",
            f"<form><input type='password'> Sign in</form><p>{PARAGRAPH * 4}</p>"
            "<section id='comments'><h2>Comments</h2><p>Please log in to comment.</p></section>",
        ),
        page("Just a moment: on waiting", f"<p>{PARAGRAPH}</p>"),
        page("The 404 group", "<p>A band from Leeds that played between 1998 and 2003.</p>"),
    ],
    ids=range(8),
)
def test_an_article_about_such_pages_is_an_article(html: str) -> None:
    assert isinstance(read(html), PageText)
    assert not is_challenge(html.encode(), "text/html")


def test_what_a_browser_without_scripts_shows_is_read_when_there_is_nothing_else() -> None:
    found = read(
        "<html><head><title>Thread</title></head><body><div id='app'></div><script></script>"
        f"<noscript><h1>Thread</h1><p>{PARAGRAPH * 4}</p></noscript></body></html>"
    )
    assert isinstance(found, PageText)
    assert "five hundred years" in found.text


def test_bytes_that_are_no_page_are_no_challenge() -> None:
    assert not is_challenge(b"%PDF-1.7 \x00\x01", "text/html")
    assert not is_challenge(bytes(range(256)) * 20, "text/html")
    assert is_challenge(
        b"You don't have permission to access / on this server. Reference #18.2f", ""
    )


def test_a_text_is_classified_without_its_markup() -> None:
    assert classify_text(Shown("Just a moment...", "", 0)) == "challenge"
    assert classify_text(Shown("", "", 0)) == "empty"
    assert classify_text(Shown("Tides", "The tide rises.", 13)) == "article"
