import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.sources.search.redirects import direct_link
from lazyboy_jupyter.adapters.sources.search.results import Hit, cleaned, hits_of, plain
from lazyboy_jupyter.core.urls import canonical_url

TARGET = "https://de.example/M%C3%BCnchen?a=1%262&b=c%20d"
QUOTED = quote(TARGET, safe="")
WRAPPED = f"https://duckduckgo.com/l/?uddg={QUOTED}"
BING = "a1" + base64.urlsafe_b64encode(TARGET.encode()).decode().rstrip("=")


def urls(*given: str, base: str = "", limit: int = 10) -> list[str]:
    return [one.url for one in cleaned((Hit(url, "T", "") for url in given), limit, base)]


@pytest.mark.parametrize(
    "link",
    [
        TARGET,
        f"https://duckduckgo.com/l/?uddg={QUOTED}&rut=abc",
        f"//duckduckgo.com/l/?uddg={QUOTED}",
        f"https://html.duckduckgo.com/l/?kh=-1&uddg={QUOTED}",
        f"https://www.google.com/url?q={QUOTED}&sa=U",
        f"https://www.google.co.uk/url?sa=t&url={QUOTED}",
        f"/url?q={QUOTED}",
        f"https://www.bing.com/ck/a?!&&p=1&u={BING}&ntb=1",
        f"https://r.search.yahoo.com/_ylt=A/RV=2/RE=1/RO=10/RU={QUOTED}/RK=2/RS=x-",
        f"https://www.google.com/url?q={quote(WRAPPED, safe='')}",
    ],
)
def test_a_tracking_redirect_is_undone_to_the_very_address(link: str) -> None:
    """FIELD_CASES S4."""
    assert urls(link, base="https://www.google.com/search?q=x") == [TARGET]


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "mailto:a@b.example",
        "file:///etc/passwd", "ftp://a.example/", "", "   ", "#", "http://", "https:///x",
        "http://[::1", "http://user:secret@a.example/", "https://a.example/ b",
        "https://duckduckgo.com/y.js?ad_domain=shop.example", "https://duckduckgo.com/l/?rut=a",
        "https://www.bing.com/aclick?ld=1", "https://www.bing.com/ck/a?u=a1%%%",
        "https://www.bing.com/ck/a?u=a1L3ZpZGVvcw", "https://www.google.com/aclk?sa=l",
        "https://www.google.com/url?q=/search%3Fq%3Dx",
        f"https://duckduckgo.com/l/?uddg={quote('javascript:alert(1)')}",
        "https://r.search.yahoo.com/cbclk2/dWU9", "https://a.example/" + "x" * 5_000,
    ],
)  # fmt: skip
def test_what_is_no_page_is_dropped(link: str) -> None:
    """FIELD_CASES S4, D3."""
    assert urls(link, "https://kept.example/") == ["https://kept.example/"]


def test_a_redirect_through_itself_ends() -> None:
    link = "https://a.example/"
    for _ in range(20):
        link = f"https://duckduckgo.com/l/?uddg={quote(link, safe='')}"
    assert direct_link(link) is None


def test_relative_links_are_resolved_against_the_provider_or_dropped() -> None:
    assert urls("/a", "b", "?c", base="https://s.example/search/x") == [
        "https://s.example/a",
        "https://s.example/search/b",
        "https://s.example/search/x?c",
    ]
    assert urls("/a", "b", "//a.example/c") == []


def test_one_result_for_each_page_the_first_one_staying() -> None:
    same = ["https://A.example:443/x", "https://a.example/x#part", "https://a.example/./x"]
    hits = [Hit(url, f"Title {number}", "") for number, url in enumerate(same)]
    assert [(one.url, one.title) for one in cleaned(hits, 10)] == [(same[0], "Title 0")]


def test_the_limit_counts_what_is_kept() -> None:
    assert len(urls("javascript:x", *(f"https://a.example/{n}" for n in range(9)), limit=3)) == 3


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("Gates <strong>cost</strong> &amp; rise", "Gates cost & rise"),
        ('in<span class="searchmatch">side</span> a word', "inside a word"),
        ("<p>One</p><p>Two<br/>Three</p>", "One Two Three"),
        ("x<script>alert(1)</script>y <style>a{}</style>z", "x y z"),
        ("Title <img src=x onerror=alert(1)>", "Title"),
        ("cut off <img src=x onerror=aler", "cut off"),
        ("a <!-- hidden --> b <!-- open", "a b"),
        ("&lt;b&gt; is an element", "<b> is an element"),
        ("vector<int> and a < b > c", "vector<int> and a < b > c"),
        ("&#8212; &nbsp; &unknown; &#xD800;", "— &unknown; \ufffd"),
        ("one\n\ttwo\x00\u202e\u200bthree", "one two\ufffdthree"),
        ("<scr<script>ipt>alert(1)</script>", "<scr"),
        ("", ""),
    ],
)
def test_markup_becomes_the_text_it_shows(markup: str, text: str) -> None:
    assert plain(markup) == text


def test_a_snippet_is_cut_at_a_word_and_a_title_is_never_empty() -> None:
    (one,) = cleaned([Hit("https://a.example/x", "<b> </b>", "word " * 100)], 10)
    assert one.title == "a.example"
    assert 290 < len(one.snippet) <= 300
    assert one.snippet.endswith("word…")
    assert one.matched is None


def test_hits_keep_what_has_their_form() -> None:
    items: list[object] = [
        {"url": "u", "title": 1, "content": None},
        "x",
        None,
        3,
        {"title": "t"},
        [],
    ]
    assert hits_of(items, "content") == [Hit("u", "", ""), Hit("", "t", "")]
    assert hits_of({"url": "u"}, "content") is None
    assert hits_of([], "content") == []


@given(st.lists(st.tuples(st.text(), st.text(), st.text())), st.text())
def test_no_hit_breaks_the_cleaning(found: list[tuple[str, str, str]], base: str) -> None:
    results = cleaned((Hit(*one) for one in found), 10, base)
    keys = [canonical_url(one.url) for one in results]
    assert len(keys) == len(set(keys))
    for one in results:
        assert one.url.lower().startswith(("http://", "https://"))
        assert one.title
        assert len(one.snippet) <= 300


@pytest.mark.parametrize("piece", ["<", "<script", "<!--", "<b", "&", "<img ", "<a href="])
def test_of_an_endless_title_only_the_beginning_is_looked_at(piece: str) -> None:
    assert plain(piece * 200_000) == plain(piece * 20_000)
    assert len(plain(piece * 200_000)) <= 4_000
