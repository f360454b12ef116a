"""Owns what Python would put into the traits, for each state of a run, a panel and a dashboard."""

from typing import Any

Json = dict[str, Any]

QUESTION = "How do harbour gates change flood losses?"
PANGRAM = "Gates reduced measured losses by 17 % on average between 1998 and 2020."


def activity(state: str = "idle", question: str | None = None) -> Json:
    """Return an activity; all but idle name one task."""
    return {
        "state": state,
        "task_ids": [] if state == "idle" else ["1f3e9c2a"],
        "pending_question": question,
    }


def meters(seconds: float = 41, searches: int = 2, pages: int = 4) -> list[Json]:
    """Return the three meters of the initial collection."""
    return [
        {"label": "Time", "used": seconds, "total": 120, "unit": "s"},
        {"label": "Searches", "used": searches, "total": 2, "unit": ""},
        {"label": "Pages", "used": pages, "total": 6, "unit": ""},
    ]


def card(**changes: Any) -> Json:
    """Return the card of a run that collects."""
    live = changes.get("live", True)
    return {
        "task_id": "1f3e9c2a77", "short_id": "1f3e9c2a", "agent_id": "researcher", "version": 7,
        "question": QUESTION, "status": "running", "live": True, "dot": "live",
        "headline": "collecting", "elapsed_s": 41.0, "ticking": True, "meters": meters(),
        "meters_of": "", "acknowledgement": "", "progress": "", "error": "", "problems": [],
        "search": "searxng", "foot": "" if live else "2 searches, 6 pages, 5 read", "listed": 14,
        "can_ask": True, "activity": activity("running" if live else "idle"),
    } | changes  # fmt: skip


def sources() -> list[Json]:
    """Return rows of every state."""
    rows = [
        ("S1", "Annual flood survey", "data.example.org", "read", "read, 3 quotes", "ok", "0.8 s"),
        ("S2", "Gate maintenance costs", "port.example.net", "reading", "reading", "", "2.1 s"),
        ("S3", "Audit of the barrier", "audit.example.com", "failed", "blocked", "bad", "0.3 s"),
        ("…", "flood losses after barrier", "", "searching", "searching", "", ""),
    ]
    return [
        {
            "id": name, "title": title, "url": f"https://{host}/report" if host else "",
            "host": host, "state": state, "tag": tag, "tone": tone, "took": took,
            "detail": "The site refused the request (403)." if state == "failed" else "",
        }
        for name, title, host, state, tag, tone, took in rows
    ]  # fmt: skip


def citation(key: str, source: str = "S1", tone: str = "ok", quote: str | None = "") -> Json:
    """Return a citation; its mark follows from its tone."""
    marks = {"ok": "quote found", "warn": "unverified", "bad": "quote not found", "": "no quote"}
    if quote == "":
        quote = "losses fell by seventeen percent between 1998 and 2020"
    return {
        "key": key, "source": source, "url": "https://data.example.org/report", "quote": quote,
        "mark": marks[tone], "tone": tone,
    }  # fmt: skip


def claim(key: str, text: str, *citations: Json) -> Json:
    """Return a claim; one without citations has no source."""
    return {"key": key, "text": text, "no_source": not citations, "citations": list(citations)}


def guide(*, additions: bool = False) -> Json:
    """Return a first guide, or one with what a supplement added."""
    steps = [
        claim(
            "0.1", "Compare your gate's closing time with the survey's median.", citation("0.1.1")
        ),
        claim(
            "0.2", "Ask the port for its pooled maintenance plan.", citation("0.2.1", "S2", "warn")
        ),
        claim("0.3", "Record water levels upstream before and after each closure."),
    ]
    findings = [
        claim(
            "0.4", "Costs fell after maintenance was pooled.",
            citation("0.4.1", "S2"), citation("0.4.2", "S3", "", None),
        ),
        claim("0.5", "Three barriers were closed in error.", citation("0.5.1", "S3", "bad")),
    ]  # fmt: skip
    sections = [
        {"key": "steps", "title": "Steps", "ordered": True, "claims": steps},
        {"key": "findings", "title": "Findings", "ordered": False, "claims": findings},
    ]
    if additions:
        added = claim("1.1", "Dredging is 40 % of yearly cost.", citation("1.1.1", "S5"))
        title = "Added after following up “Which costs?”"
        sections.append({"key": "added", "title": title, "ordered": False, "claims": [added]})
    read = [("S1", "Annual flood survey", "data"), ("S2", "Gate maintenance costs", "port")]
    return {
        "summary": PANGRAM,
        "lead": claim("0.0", PANGRAM, citation("0.0.1")),
        "sections": sections,
        "unknowns": ["Effects on salinity upstream", "Losses before 1998"],
        "sources": [
            {
                "id": name, "title": title, "url": f"https://{host}.example.org/",
                "host": f"{host}.example.org", "tag": "read", "tone": "ok",
            }
            for name, title, host in read
        ],
        "unread": [
            {
                "title": "Audit of the barrier", "url": "https://audit.example.com/",
                "reason": "The site refused the request (403).",
            }
        ],
    }  # fmt: skip


def item(ordinal: int = 1, **changes: Any) -> Json:
    """Return a side question with its complete answer."""
    return {
        "id": f"q{ordinal}", "ordinal": ordinal, "question": "Why was the audit not used?",
        "answer": "The site refused the request with **403**; a browser read is under way.\n\n"
        "- first try: plain request\n- second try: `browser_open`",
        "live": False, "status": "completed", "status_words": "answered", "problem": "",
        "tool": "", "known": "from what it knew 12 s before, after a complete reply",
        "tokens": "1,204 tokens in, 86 out", "ahead": 0,
        "rests": [
            {
                "source": "S3", "title": "Audit of the barrier", "url": "https://audit.example.com/",
                "message": 4, "quotes": ["403 Forbidden"],
            }
        ],
        "promoted": False, "can_promote": True,
    } | changes  # fmt: skip


def side(*items: Json, **changes: Any) -> Json:
    """Return a panel with these questions, newest first."""
    return {
        "parent": "1f3e9c2a77", "parent_words": "task 1f3e9c2a", "can_ask": True, "why_not": "",
        "snapshot": {"age_s": 12.0, "boundary": "after a complete reply", "ahead": 2},
        "items": list(items), "next_cursor": 0, "version": 3,
    } | changes  # fmt: skip


def run(shown: Json | None = None, **traits: Any) -> Json:
    """Return all traits of a run card."""
    return {
        "kind": "run", "card": shown or card(), "sources": sources(), "guide": None,
        "side": side(), "current": None, "roster": None,
    } | traits  # fmt: skip


def panel(*items: Json, **traits: Any) -> Json:
    """Return all traits of a side panel of its own."""
    return {
        "kind": "side", "card": None, "sources": [], "guide": None, "side": side(*items),
        "current": None, "roster": None,
    } | traits  # fmt: skip


def task(number: int, status: str, headline: str, dot: str, **changes: Any) -> Json:
    """Return a row of the dashboard."""
    return {
        "task_id": f"task-{number}", "short_id": f"{number:08x}", "question": QUESTION,
        "status": status, "headline": headline, "dot": dot, "elapsed_s": 41.0,
        "ticking": status == "running", "meters": meters(), "read": 3, "model": "extractive",
        "search": "pydoc",
    } | changes  # fmt: skip


def dashboard(**changes: Any) -> Json:
    """Return all traits of a dashboard."""
    roster = {
        "version": 5, "activity": activity("running"),
        "agents": [
            {"agent_id": "coordinator", "name": "coordinator", "state": "idle", "task_ids": []},
            {"agent_id": "researcher", "name": "researcher", "state": "running",
             "task_ids": ["task-1", "task-2"]},
        ],
        "tasks": [
            task(1, "running", "collecting", "live"),
            task(2, "queued", "queued", "", question="Which codecs may fail?", elapsed_s=0),
            task(3, "completed", "first guide in 1:52, complete in 2:40", "ok"),
            task(4, "failed", "failed after 2:06", "bad", question="Who pays for it?", read=0),
        ],
        "note": "1 of 4 workers runs; the store is .lazyboy/store.duckdb",
    }  # fmt: skip
    return {
        "kind": "status", "card": None, "sources": [], "guide": None, "side": None,
        "current": None, "roster": roster | changes,
    }  # fmt: skip


def ended(status: str, headline: str, dot: str, **changes: Any) -> Json:
    """Return the card of a run that has ended."""
    return card(
        status=status, headline=headline, dot=dot, live=False, ticking=False, version=30, **changes
    )


def states() -> dict[str, Json]:
    """Return the traits of a run in every state, by name."""
    done = "first guide in 1:52, complete in 2:40"
    queued = card(status="queued", dot="", headline="queued", elapsed_s=0.0, ticking=False,
                  activity=activity("queued"), listed=0, meters=meters(0, 0, 0))  # fmt: skip
    following = card(
        headline="following up", meters_of="following up 2 gaps", elapsed_s=130.0,
        meters=meters(12, 1, 2), progress="Looking for what dredging costs.",
    )  # fmt: skip
    return {
        "queued": run(queued, sources=[]),
        "collecting": run(card(
            acknowledgement="I will look at losses, then costs.",
            progress="Reading the audit in a browser, since the site refused a plain request.",
        )),
        "synthesis": run(card(headline="writing the guide", meters=meters(98, 2, 6))),
        "waiting": run(card(
            status="waiting_input", dot="", headline="waiting for you", ticking=False,
            activity=activity("waiting_input", "May I open a page of example.org?"),
        )),
        "first guide": run(following, guide=guide()),
        "supplement": run(card(headline="writing the additions", elapsed_s=140.0,
                               meters_of="following up 2 gaps"), guide=guide()),
        "completed": run(ended("completed", done, "ok"), guide=guide(additions=True)),
        "failed": run(ended(
            "failed", "failed after 2:06", "bad",
            error="The model published nothing within its three last rounds.",
            problems=["The key of openai: was refused (401). Set OPENAI_API_KEY."],
        )),
        "interrupted": run(ended("interrupted", "interrupted after 0:41", "")),
        "stopped": run(ended("cancelled", "stopped after 1:02", ""), guide=guide()),
        "empty": run(ended("completed", "complete in 0:03", "warn", listed=0,
                           foot="1 search, 0 pages, 0 read"), sources=[]),
    }  # fmt: skip
