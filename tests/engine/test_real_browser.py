"""A whole task with the real composition and a real Chromium (FIELD_CASES P1, P2, P14)."""

from pathlib import Path

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from tests.loopback.replies import ARTICLE, Reply
from tests.loopback.search import at_searxng, searxng
from tests.loopback.world import LoopbackWorld, Request

QUESTION = "What does each closing of the river barrier cost?"


def for_browsers_only(request: Request) -> Reply:
    """A check that a browser passes: a script sets a cookie and asks again."""
    if "passed=yes" in request.headers.get("cookie", ""):
        text = "".join(f"<p>{paragraph}</p>" for paragraph in ARTICLE)
        return Reply(f"<html><title>Barrier</title><body>{text}</body></html>".encode())
    check = (
        "<html><head><title>Just a moment...</title></head><body>Checking your browser before "
        "accessing this site.<script>document.cookie = 'passed=yes'; location.reload()</script>"
        "</body></html>"
    )
    return Reply(check.encode(), 403)


def built_by_a_script(request: Request) -> Reply:
    paragraphs = ", ".join(f"`{paragraph}`" for paragraph in ARTICLE)
    script = (
        f"for (const text of [{paragraphs}]) {{ const p = document.createElement('p'); "
        "p.textContent = text; document.getElementById('root').append(p); }"
    )
    page = f"<div id=root></div><noscript>You need to enable JavaScript.</noscript><script>{script}"
    return Reply(f"<html><title>App</title><body>{page}</script></body></html>".encode())


def test_what_only_a_browser_is_shown_is_read_in_one_and_quoted(
    tmp_path: Path, web: LoopbackWorld
) -> None:
    site = f"http://127.0.0.1:{web.port}"
    checked = web.put(f"{site}/checked", for_browsers_only)
    scripted = web.put(f"{site}/scripted", built_by_a_script)
    found = [(checked, "River barrier closing", ""), (scripted, "River barrier cost", "")]
    web.put(at_searxng(site), searxng(found))
    settings = Settings(cache=tmp_path / "cache", search=(f"searxng:{site}",))
    allowed = [f"127.0.0.1:{web.port}"]
    with Engine(tmp_path / "run.duckdb", settings=settings, allow_hosts=allowed) as engine:
        task = engine.research(QUESTION, gaps=0)
        task.wait(timeout=120)
        states = {source.url: (source.state, source.via) for source in task.sources}
        assert states == {checked: ("read", "browser"), scripted: ("read", "browser")}
        assert task.usage.pages == 4, "each reading spends a page"
        assert task.guide is not None
        assert any("about 1.2 million euros" in quote for quote in task.guide.quotes)
        rows = engine.sql("SELECT kind, error FROM data.evidence WHERE kind <> 'search' ORDER BY 1")
        assert [row[0] for row in rows.fetchall()] == ["browser", "browser", "page", "page"]
