"""Research that a test holds open: a site, a search and a scripted model, all behind gates."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lazyboy_jupyter.core.prompts import side_question
from tests.loopback.gate import Gate
from tests.loopback.models import Asked, Call, ModelEndpoint, Said
from tests.loopback.replies import ARTICLE, Reply, page
from tests.loopback.search import at_searxng, searxng
from tests.loopback.world import LoopbackWorld

QUESTION = "What does each closing of the river barrier cost?"
PROGRESS = "I look for what a closing costs."
SUMMARY = "Each closing of the barrier costs about 1.2 million euros."
STEP = "Plan for one closing a year by 2040."
QUOTE = "one closing a year by 2040"
MADE_UP = "closed nine times last winter"
UNKNOWN = "Who pays for the closings."
SIDE_ANSWER = ("So far: a closing costs ", "about 1.2 million euros (S1).")
_TURNS = 3
_ASIDE = side_question("").split(".")[0]


class HeldResearch:
    """One task's world. It searches at once, reads when `page` opens, publishes when `guide` does.

    An answer on the side says its first half, and the rest when `side` opens.
    """

    def __init__(self, web: LoopbackWorld, title: str = "The river barrier's gates") -> None:
        self.page, self.guide, self.side = Gate(), Gate(), Gate()
        self._web = web
        self._site = f"http://127.0.0.1:{web.port}"
        read = page(title, *ARTICLE)
        self.read = web.put(f"{self._site}/gates", Reply(read.body, before=self.page))
        self.gone = web.put(f"{self._site}/gone", Reply(b"<p>Gone</p>", 404))
        other = web.put(f"{self._site}/swans", page("Swans of the polder", *ARTICLE))
        titles = (title, "Old report on the barrier", "Swans of the polder")
        found = [
            (url, name, "Each closing of the river barrier costs")
            for url, name in zip((self.read, self.gone, other), titles, strict=True)
        ]
        web.put(at_searxng(self._site), searxng(found))
        self._turns = iter(self._main())
        self.model = ModelEndpoint(web, self._answer)

    def settle(self, folder: Path) -> None:
        """Let the notebooks of a folder research in this world."""
        address = self._site.partition("//")[2]
        file = folder / ".lazyboy" / "config.toml"
        file.parent.mkdir()
        file.write_text(
            f'model = "openai-compatible:tiny@{self.model.base_url("openai-chat")}"\n'
            f'search = ["searxng:{self._site}"]\n'
            f'allow_hosts = ["{address}"]\n',
            "utf-8",
        )

    def open_all(self) -> None:
        """Let it go on to its end."""
        for gate in (self.page, self.guide, self.side):
            gate.open()

    def published(self) -> None:
        """Return when the guide was asked of the model."""
        self._web.wait_until(
            lambda web: sum(one.path.endswith("/chat/completions") for one in web.log) >= _TURNS
        )

    def _answer(self, asked: Asked) -> Said:
        if any(_ASIDE in one.text for one in asked.messages):
            return Said([SIDE_ANSWER[0], self.side, SIDE_ANSWER[1]])
        return next(self._turns)

    def _main(self) -> Sequence[Said]:
        return (
            Said(calls=[_call("report_progress", text=PROGRESS),
                        _call("web_search", query="river barrier closing cost")]),
            Said(calls=[_call("open_page", url=self.read), _call("open_page", url=self.gone)]),
            Said(calls=[_call("publish_research", **_GUIDE)], before=self.guide),
        )  # fmt: skip


def _call(name: str, **arguments: Any) -> Call:
    return Call(name, json.dumps(arguments))


def _claim(text: str, quote: str) -> dict[str, Any]:
    return {"text": text, "citations": [{"source": "S1", "quote": quote}]}


_GUIDE = {
    "summary": SUMMARY,
    "steps": [_claim(STEP, QUOTE)],
    "findings": [
        _claim("A closing costs about 1.2 million euros.", "about 1.2 million euros"),
        _claim("It was closed nine times last winter.", MADE_UP),
    ],
    "unknowns": [UNKNOWN],
    "gaps": [],
}
