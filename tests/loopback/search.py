"""Search services as they answer: loopback copies of their documented wire formats.

Each function takes what is to be found and returns what `LoopbackWorld.put` takes; `at_…` are the
addresses to put them at. A service that needs a key refuses every other one, as the real one does.
"""

import html
import json
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qs, quote

from tests.loopback.replies import Reply
from tests.loopback.world import Request

Found = Sequence[tuple[str, str, str]]
"""Pages as (address, title, snippet), the last two as text."""
Handler = Callable[[Request], Reply]

AT_BRAVE = "https://api.search.brave.com/res/v1/web/search"
AT_TAVILY = "https://api.tavily.com/search"
AT_DUCKDUCKGO = "https://html.duckduckgo.com/html/"
AT_BRAVE_PAGE = "https://search.brave.com/search"
AT_MOJEEK = "https://www.mojeek.com/search"
AT_STARTPAGE = "https://www.startpage.com/*"
AT_YAHOO = "https://search.yahoo.com/*"
ENGINE_PAGES = (AT_DUCKDUCKGO, AT_BRAVE_PAGE, AT_MOJEEK, AT_STARTPAGE, AT_YAHOO)


def at_wikipedia(language: str = "en") -> str:
    """The address of a Wikipedia's API."""
    return f"https://{language}.wikipedia.org/w/api.php"


def at_searxng(base: str) -> str:
    """The address of a SearXNG's API."""
    return f"{base}/search"


def parameters(request: Request) -> dict[str, str]:
    """The parameters in a request's address."""
    query = request.target.partition("?")[2]
    return {name: values[0] for name, values in parse_qs(query).items()}


def json_reply(value: Any, status: int = 200, **headers: str) -> Reply:
    """A JSON answer; `headers` such as retry_after="2"."""
    named = {name.replace("_", "-").title(): text for name, text in headers.items()}
    return Reply(json.dumps(value).encode(), status, "application/json; charset=utf-8", named)


def html_reply(body: str, status: int = 200) -> Reply:
    """A page in place of an answer."""
    return Reply(f"<!DOCTYPE html><html><body>{body}</body></html>".encode(), status)


def in_turn(*answers: Reply | Handler) -> Handler:
    """Answers one after the other, the last one again and again."""
    waiting = list(answers)

    def handler(request: Request) -> Reply:
        answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return answer(request) if callable(answer) else answer

    return handler


def brave(found: Found, key: str) -> Handler:
    """Brave's web search: a wrong key is 422, as is a query it does not take; matches are bold."""

    def handler(request: Request) -> Reply:
        asked = parameters(request)
        if request.headers.get("x-subscription-token") != key:
            return brave_error(422, "SUBSCRIPTION_TOKEN_INVALID")
        query = asked.get("q", "")
        if not 0 < len(query) <= 400 or len(query.split()) > 50:
            return brave_error(422, "VALIDATION")
        results = [
            {"type": "search_result", "url": url, "title": _bold(title, query),
             "description": _bold(text, query)}
            for url, title, text in found[: int(asked.get("count", 20))]
        ]  # fmt: skip
        answer: dict[str, Any] = {"type": "search", "query": {"original": query}}
        if results:
            answer["web"] = {"type": "search", "results": results}
        return json_reply(answer)

    return handler


def brave_error(status: int, code: str, detail: str = "", **headers: str) -> Reply:
    """An error of Brave's; `headers` such as x_ratelimit_reset="1, 1419704"."""
    error = {"id": "0", "status": status, "code": code, "detail": detail or code, "meta": {}}
    return json_reply({"type": "ErrorResponse", "error": error, "time": 1}, status, **headers)


def tavily(found: Found, key: str) -> Handler:
    """Tavily's search: a POST with a bearer key; a query over 400 characters is 400."""

    def handler(request: Request) -> Reply:
        if request.headers.get("authorization") != f"Bearer {key}":
            return tavily_error(401, "Unauthorized: missing or invalid API key.")
        asked = json.loads(request.body)
        if len(asked["query"]) > 400:
            return tavily_error(400, "Query is too long. Max query length is 400 characters.")
        results = [
            {"url": url, "title": title, "content": text, "score": 0.9, "raw_content": None}
            for url, title, text in found[: asked["max_results"]]
        ]
        return json_reply({"query": asked["query"], "results": results, "response_time": 0.5})

    return handler


def tavily_error(status: int, error: str, **headers: str) -> Reply:
    """An error of Tavily's."""
    return json_reply({"detail": {"error": error}}, status, **headers)


def searxng(
    found: Found,
    formats: Sequence[str] = ("html", "json"),
    unresponsive: Sequence[tuple[str, str]] = (),
    login: str = "",
) -> Handler:
    """A SearXNG; a format that is not enabled is 403. `login`: of an Authorization header."""

    def handler(request: Request) -> Reply:
        asked = parameters(request)
        if login and request.headers.get("authorization") != login:
            return html_reply("<h1>401 Authorization Required</h1>", 401)
        if asked.get("format", "html") not in formats:
            return html_reply("<h1>Forbidden</h1>", 403)
        results = [
            {"url": url, "title": title, "content": text, "engine": "one", "engines": ["one"]}
            for url, title, text in found
        ]
        silent = [list(pair) for pair in unresponsive]
        empty: dict[str, Any] = {"answers": [], "infoboxes": [], "suggestions": []}
        whole = {"query": asked["q"], "results": results, "unresponsive_engines": silent}
        return json_reply({**whole, **empty})

    return handler


def wikipedia(found: Found) -> Handler:
    """MediaWiki's `list=search`; an article's address follows from its title alone."""

    def handler(request: Request) -> Reply:
        asked = parameters(request)
        words = asked["srsearch"]
        if len(words) > 300:
            return json_reply({"error": {"code": "cirrussearch-query-too-long", "info": words}})
        marked = '<span class="searchmatch">{}</span>'
        articles = [
            {"ns": 0, "title": title, "pageid": number, "snippet": _marked(text, words, marked)}
            for number, (_, title, text) in enumerate(found[: int(asked["srlimit"])], 1)
        ]
        hits = {"totalhits": len(articles)}
        return json_reply(
            {"batchcomplete": True, "query": {"searchinfo": hits, "search": articles}}
        )

    return handler


def duckduckgo(found: Found) -> Reply:
    """DuckDuckGo's HTML page, its links through its own redirect."""
    rows = "".join(
        '<div class="result"><div class="links_main result__body">'
        f'<h2 class="result__title"><a href="{link}">{html.escape(title)}</a></h2>'
        f'<a class="result__snippet" href="{link}">{html.escape(text)}</a></div></div>'
        for url, title, text in found
        for link in [f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&amp;rut=0"]
    )
    return html_reply(f'<div id="links">{rows}</div>')


def brave_page(found: Found) -> Reply:
    """Brave's HTML page."""
    return html_reply(
        "".join(
            f'<div data-type="web"><a href="{html.escape(url)}"><div class="title">'
            f'{html.escape(title)}</div></a><div class="snippet"><div class="content">'
            f"{html.escape(text)}</div></div></div>"
            for url, title, text in found
        )
    )


def mojeek(found: Found) -> Reply:
    """Mojeek's HTML page."""
    rows = "".join(
        f'<li><h2><a href="{html.escape(url)}">{html.escape(title)}</a></h2>'
        f'<p class="s">{html.escape(text)}</p></li>'
        for url, title, text in found
    )
    return html_reply(f'<ul class="results-standard">{rows}</ul>')


def startpage(found: Found) -> Handler:
    """Startpage: its start page with the value of its form, then the results."""
    rows = "".join(
        f'<div class="result css-1"><a href="{html.escape(url)}"><h2>{html.escape(title)}</h2></a>'
        f"<p>{html.escape(text)}</p></div>"
        for url, title, text in found
    )
    start = '<form id="search"><input name="sc" value="abc"></form>'
    return lambda request: html_reply(rows if request.method == "POST" else start)


def yahoo(found: Found) -> Reply:
    """Yahoo's HTML page, its links through its own redirect."""
    rows = "".join(
        f'<div class="relsrch"><div class="compTitle"><h3>{html.escape(title)}</h3>'
        f'<a href="https://r.search.yahoo.com/_ylt=A/RV=2/RU={quote(url, safe="")}/RK=2/RS=x">x</a>'
        f'</div><div class="compText">{html.escape(text)}</div></div>'
        for url, title, text in found
    )
    return html_reply(rows)


def robot_check(status: int = 202) -> Reply:
    """What DuckDuckGo shows to whoever asks too often."""
    return html_reply('<div class="anomaly-modal__title">Unfortunately, bots…</div>', status)


def _bold(text: str, query: str) -> str:
    return _marked(text, query, "<strong>{}</strong>")


def _marked(text: str, query: str, mark: str) -> str:
    """`text` as HTML, each word of the query marked where it stands."""
    words = {word.lower() for word in query.split()}
    return " ".join(
        mark.format(html.escape(word)) if word.lower() in words else html.escape(word)
        for word in text.split(" ")
    )
