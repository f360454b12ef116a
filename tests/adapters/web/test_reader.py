"""Pages of every kind, from the wire to the text a model gets (FIELD_CASES P1–P13, B6, B8, X3)."""

import asyncio
import gzip
import io
import zipfile
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from lazyboy_jupyter.adapters.sources.page_texts import PageTexts
from lazyboy_jupyter.adapters.sources.web.access import WebAccess
from lazyboy_jupyter.adapters.sources.web.reader import WebReader
from lazyboy_jupyter.adapters.workers import WorkerPool
from lazyboy_jupyter.engine.services import Sources
from lazyboy_jupyter.errors import SourceError
from lazyboy_jupyter.ports import Page
from tests.fakes import ManualClock
from tests.loopback.documents import pdf_of
from tests.loopback.network import WorldNetwork
from tests.loopback.replies import ARTICLE, Reply, page, redirect
from tests.loopback.world import LoopbackWorld

CHALLENGE = Reply(
    b"<html><head><title>Just a moment...</title></head><body><h1>a.example</h1>"
    b"<p>Checking your browser before accessing a.example.</p>"
    b"<script src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1'></script>"
    b"</body></html>",
    403,
)
SCRIPTED = Reply(
    b"<html><head><title>App</title></head><body><noscript>You need to enable JavaScript to run "
    b"this app.</noscript><div id='root'></div><script src='/main.js'></script></body></html>"
)


def reading(
    web: LoopbackWorld, work: Callable[[WebReader], Coroutine[Any, Any, Any]], seconds: float = 30
) -> Any:
    async def scenario() -> Any:
        access, pool = WebAccess((), WorldNetwork(web), web.trust()), WorkerPool(1)
        try:
            return await work(WebReader(access.client, PageTexts(pool, seconds)))
        finally:
            await access.close()
            await pool.close()

    return asyncio.run(scenario())


def read(web: LoopbackWorld, url: str) -> Page:
    async def work(reader: WebReader) -> Page:
        return await reader.read(url)

    found: Page = reading(web, work)
    return found


def failure(web: LoopbackWorld, url: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        read(web, url)
    return caught.value


def html_of(*paragraphs: str, head: str = "", around: str = "{}") -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    body = around.format(f"<article><h1>Gates</h1>{text}</article>")
    return f"<html><head><title>Gates</title>{head}</head><body>{body}</body></html>"


def test_an_article_is_read_with_its_title_and_its_structure(web: LoopbackWorld) -> None:
    extra = (
        "<h2>Costs</h2><ul><li>First cost of many</li><li>Second cost of many</li></ul>"
        "<table><tr><th>Year</th><th>Closings</th></tr><tr><td>2019</td><td>4</td></tr></table>"
        "<pre><code class='language-python'>for gate in gates:\n    gate.close()\n</code></pre>"
        "<p>See <a href='/report'>the report</a> for more of all this.</p>"
    )
    body = html_of(*ARTICLE).replace("</article>", extra + "</article>")
    found = read(web, web.put("http://a.example/x", Reply(body.encode())))
    assert found.title == "Gates"
    assert (found.kind, found.charset, found.truncated) == ("html", "utf-8", False)
    for wanted in (
        *ARTICLE, "## Costs", "- First cost of many", "| Year | Closings |",
        "for gate in gates:\n    gate.close()", "[the report](http://a.example/report)",
    ):  # fmt: skip
        assert wanted in found.text


def test_a_challenge_is_blocked_and_no_article(web: LoopbackWorld) -> None:
    """P1; also where it comes as an ordinary answer."""
    web.put("http://a.example/403", CHALLENGE)
    web.put("http://a.example/200", Reply(CHALLENGE.body))
    for path in ("403", "200"):
        assert failure(web, f"http://a.example/{path}").kind == "blocked"


def test_a_page_that_is_built_by_a_script_needs_a_browser(web: LoopbackWorld) -> None:
    """P2."""
    error = failure(web, web.put("http://a.example/", SCRIPTED))
    assert error.kind == "needs_browser"


@pytest.mark.parametrize(
    "content_type", ["application/octet-stream", "text/html", "application/pdf", ""]
)
def test_a_pdf_is_known_by_its_first_bytes(web: LoopbackWorld, content_type: str) -> None:
    """P3."""
    reply = Reply(pdf_of(["Gates cost money.", "A second page."]), content_type=content_type)
    found = read(web, web.put("http://a.example/download?id=7", reply))
    assert found.kind == "pdf"
    assert "Gates cost money." in found.text
    assert "A second page." in found.text


def test_html_at_an_address_that_ends_in_pdf_is_html(web: LoopbackWorld) -> None:
    """P4."""
    reply = Reply(html_of(*ARTICLE).encode(), content_type="application/pdf")
    assert read(web, web.put("http://a.example/report.pdf", reply)).kind == "html"


def test_a_broken_pdf_is_a_clear_error(web: LoopbackWorld) -> None:
    """P5."""
    error = failure(web, web.put("http://a.example/a.pdf", Reply(b"%PDF-1.7\n1 0 obj\n<<")))
    assert error.kind == "unreadable"
    assert "PDF" in error.sentence


def _zip(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("body", "content_type", "named"),
    [
        (_zip(word__document="<w:p/>"), "application/octet-stream", ""),
        (_zip(a="b"), "application/zip", "ZIP"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "text/html", "PNG"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 100, "image/jpeg", "JPEG"),
        (b"ID3\x03" + b"\0" * 100, "audio/mpeg", ""),
        (b"\0\0\0\x18ftypmp42" + b"\0" * 100, "video/mp4", ""),
        (bytes(range(256)) * 20, "text/html; charset=utf-8", ""),
    ],
)
def test_what_is_no_text_is_named_and_its_bytes_go_nowhere(
    web: LoopbackWorld, body: bytes, content_type: str, named: str
) -> None:
    """P6."""
    error = failure(web, web.put("http://a.example/", Reply(body, content_type=content_type)))
    assert error.kind == "unsupported_type"
    assert named.lower() in error.sentence.lower()


CHINESE = (
    "大坝的闸门去年冬天关闭了四次，比以往任何一年都多。"
    "每次关闭大约花费一百二十万欧元，因为船只必须等待。"
)
JAPANESE = (
    "昨年の冬、川の水門は四回閉められ、これまでのどの年よりも多かった。"
    "閉鎖には毎回およそ百二十万ユーロかかる。"
)
RUSSIAN = (
    "Прошлой зимой ворота плотины закрывали четыре раза, чаще, чем в любой предыдущий год, "
    "сообщил оператор."
)
FRENCH = (
    "L’hiver dernier, les portes du barrage ont été fermées quatre fois, plus souvent qu’à "
    "l’accoutumée, et coûtèrent très cher à la région."
)


@pytest.mark.parametrize("declared", ["header", "meta", "nowhere"])
@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("gb2312", CHINESE), ("gb18030", CHINESE), ("euc-jp", JAPANESE), ("shift_jis", JAPANESE),
        ("windows-1251", RUSSIAN), ("iso-8859-1", FRENCH.replace("’", "'")), ("utf-8", CHINESE),
        ("utf-16", RUSSIAN),
    ],
)  # fmt: skip
def test_a_page_is_decoded_as_it_was_written(
    web: LoopbackWorld, charset: str, text: str, declared: str
) -> None:
    """P7, P12."""
    head = f"<meta charset='{charset}'>" if declared == "meta" else ""
    body = html_of(*[text * 4] * 3, head=head).encode(charset)
    content_type = f"text/html; charset={charset}" if declared == "header" else "text/html"
    found = read(web, web.put("http://a.example/", Reply(body, content_type=content_type)))
    assert text in found.text


def test_an_article_deep_in_boxes_is_read(web: LoopbackWorld) -> None:
    """P9."""
    body = html_of(*ARTICLE, around="<div>" * 400 + "{}" + "</div>" * 400)
    assert ARTICLE[1] in read(web, web.put("http://a.example/", Reply(body.encode()))).text


def test_hidden_text_is_not_given_to_the_model(web: LoopbackWorld) -> None:
    """P10, X2."""
    hidden = (
        "<p hidden>secret one</p><p style='display:none'>secret two</p>"
        "<p style='font-size:0'>secret three</p><!-- secret four -->"
        "<p>vis\u200bible \U000e0073\U000e0065text</p><p style='visibility: hidden'>secret five</p>"
    )
    body = html_of(*ARTICLE).replace("</article>", hidden + "</article>")
    text = read(web, web.put("http://a.example/", Reply(body.encode()))).text
    assert "secret" not in text
    assert "visible text" in text


def test_broken_markup_and_odd_characters_are_read(web: LoopbackWorld) -> None:
    """P11."""
    body = html_of(*ARTICLE).replace("<article>", "<table width='100%'><td><b><article>\0&#xD800;")
    body = body.replace("</article>", "").replace("</p>", "")
    assert ARTICLE[1] in read(web, web.put("http://a.example/", Reply(body.encode()))).text


def test_each_way_to_be_no_page_has_its_own_words(web: LoopbackWorld) -> None:
    """P13."""
    web.expired.add("old.example")
    web.put("https://old.example/", page("Old"))
    web.put("http://a.example/reset", Reply(fault="reset"))
    web.put("http://a.example/circle", redirect("/circle"))
    for status in (400, 401, 403, 404, 410, 418, 429, 451, 500, 503):
        web.put(f"http://a.example/{status}", Reply(b"<p>No.</p>", status))
    urls = [
        *(f"http://a.example/{s}" for s in (400, 401, 403, 404, 410, 418, 429, 451, 500, 503)),
        "https://old.example/", "http://nowhere.example/", "http://a.example/reset",
        "http://a.example/circle",
    ]  # fmt: skip
    errors = [failure(web, url) for url in urls]
    assert len({error.sentence for error in errors}) == len(urls)
    assert [error.kind for error in errors] == [
        "http_status", "blocked", "blocked", "http_status", "http_status", "http_status",
        "rate_limited", "http_status", "http_status", "http_status",
        "tls", "dns", "connection", "http_status",
    ]  # fmt: skip
    assert all(error.sentence.endswith(".") for error in errors)


def test_a_page_of_css_is_read_for_its_article(web: LoopbackWorld) -> None:
    """B8; how fast is the benchmark's matter."""
    css = "<style>" + ".a{color:red}\n" * 80_000 + "</style>"
    body = html_of(*ARTICLE, head=css)
    assert len(body) > 1_100_000
    text = read(web, web.put("http://a.example/", Reply(body.encode()))).text
    assert ARTICLE[1] in text
    assert "color:red" not in text


def test_a_page_over_the_limit_is_read_by_its_beginning_and_marked(web: LoopbackWorld) -> None:
    body = html_of(*ARTICLE).encode() + b"<!-- " + b"x" * 20_000_000
    packed = Reply(gzip.compress(body), headers={"Content-Encoding": "gzip"})
    found = read(web, web.put("http://a.example/", packed))
    assert found.truncated
    assert ARTICLE[1] in found.text


def test_a_page_that_drips_ends_at_the_limit_of_the_whole_call(web: LoopbackWorld) -> None:
    """B6: headers at once, then a byte now and then; the limit covers the whole read."""
    web.put("http://a.example/", Reply(b"x", fault="drip"))

    async def work(reader: WebReader) -> SourceError:
        clock = ManualClock()
        sources = Sources([], [reader])
        task = asyncio.ensure_future(sources.read("http://a.example/", clock, 30))
        await asyncio.to_thread(web.wait_until, lambda world: bool(world.log))
        clock.advance(29.9)
        done, _ = await asyncio.wait({task}, timeout=0.05)
        assert not done
        clock.advance(0.2)
        with pytest.raises(SourceError) as caught:
            await task
        await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 0)
        return caught.value

    assert reading(web, work).kind == "timeout"


def test_a_page_that_sends_its_reader_on_is_followed(web: LoopbackWorld) -> None:
    def sends(target: str) -> Reply:
        meta = f"<meta http-equiv='refresh' content='0; url={target}'>"
        return Reply(f"<html><head>{meta}</head><body>Redirecting to…</body></html>".encode())

    web.put("http://a.example/docs/", sends("stable/"))
    web.put("http://a.example/docs/stable/", page("Docs", *ARTICLE))
    found = read(web, "http://a.example/docs/")
    assert (found.url, found.title) == ("http://a.example/docs/stable/", "Docs")
    web.put("http://a.example/a", sends("/b"))
    web.put("http://a.example/b", sends("/a"))
    assert failure(web, "http://a.example/a").kind == "http_status"
    web.put("http://a.example/in", sends("http://169.254.169.254/"))
    assert failure(web, "http://a.example/in").kind == "refused"


def test_a_page_that_is_too_complex_is_killed_and_the_next_one_is_read(web: LoopbackWorld) -> None:
    rows = "".join(f"<tr><td>{n}</td><td>Gate</td><td><b>x</b></td></tr>" for n in range(150_000))
    web.put("http://a.example/rows", Reply(f"<table>{rows}</table>".encode()))
    web.put("http://a.example/page", page("Gates", *ARTICLE))

    async def work(reader: WebReader) -> tuple[Page, SourceError]:
        await reader.read("http://a.example/page")
        with pytest.raises(SourceError) as caught:
            await reader.read("http://a.example/rows")
        return await reader.read("http://a.example/page"), caught.value

    found, error = reading(web, work, seconds=2)
    assert found.title == "Gates"
    assert error.kind == "timeout"
    assert "too complex" in error.sentence
