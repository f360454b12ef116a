import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.urls import canonical_url, host_of, urls_in_text


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTP://Example.com:80/a#frag", "http://example.com/a"),
        ("https://example.com:443", "https://example.com/"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://example.com/a/./b/../c", "https://example.com/a/c"),
        ("https://example.com/../../x", "https://example.com/x"),
        ("https://example.com/a/..", "https://example.com/"),
        ("https://example.com/%7euser/%2f%c3%a9", "https://example.com/~user/%2F%C3%A9"),
        ("https://example.com/é", "https://example.com/%C3%A9"),
        ("https://example.com/a b", "https://example.com/a%20b"),
        ("https://example.com/?b=2&a=1", "https://example.com/?b=2&a=1"),
        ("https://example.com/?", "https://example.com/?"),
        ("https://example.com/?q=1#x?y", "https://example.com/?q=1"),
        ("https://Bücher.example/", "https://xn--bcher-kva.example/"),
        ("http://user:pw@Example.com/", "http://user:pw@example.com/"),
        ("http://[::1]:8888/x", "http://[::1]:8888/x"),
        (" https://example.com/ ", "https://example.com/"),
        ("pydoc:topic/with", "pydoc:topic/with"),
        ("PYDOC:module/asyncio#top", "pydoc:module/asyncio"),
        ("file:///home/a/My%20File.md", "file:///home/a/My%20File.md"),
        ("file:///home/a/My File.md", "file:///home/a/My%20File.md"),
        ("S3", "S3"),
        ("http://[broken/", "http://[broken/"),
        ("http://a:99999999/", "http://a:99999999/"),
        ("", ""),
    ],
)
def test_canonical_url(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical


@given(st.text())
def test_any_text_has_a_canonical_form_that_is_its_own(text: str) -> None:
    once = canonical_url("https://example.com/" + text)
    assert canonical_url(once) == once
    canonical_url(text)
    host_of(text)
    urls_in_text(text)


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("See https://a.example/x.", ["https://a.example/x"]),
        ("(https://a.example/x_(y))", ["https://a.example/x_(y)"]),
        ("[link](https://a.example/), and HTTP://B.example?q=1!", None),
        ("read pydoc:topic/with; not e.g. a:b", ["pydoc:topic/with"]),
        ("no address, 10:30, and C:\\path", []),
        ("file:///etc/passwd", ["file:///etc/passwd"]),
    ],
)
def test_urls_in_text(text: str, urls: list[str] | None) -> None:
    expected = ["https://a.example/", "HTTP://B.example?q=1"] if urls is None else urls
    assert urls_in_text(text) == expected


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Docs.Example.org:8080/x", "docs.example.org:8080"),
        ("pydoc:topic/with", "pydoc"),
        ("file:///home/me/my%20docs/b.md", "my docs/b.md"),
        ("http://[broken", ""),
    ],
)
def test_host_of(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    "text",
    [
        "参见https://a.example/1。",
        "seehttps://a.example/1",
        "（https://a.example/1）",
        "x_https://a.example/1",
    ],
)
def test_an_address_is_found_in_text_without_spaces(text: str) -> None:
    assert urls_in_text(text) == ["https://a.example/1"]
