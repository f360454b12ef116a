"""Owns what a person is handed of a guide: a quote in its page's own words, the guide as a file."""

from functools import partial
from typing import TYPE_CHECKING, Any

from ..core.card import citation_of, context_of
from ..core.exports import EXPORTS, MEDIA, file_name
from ..core.sanitise import safe_link, visible
from ..core.view import RunView
from ..errors import UsageError
from ..threads import off_loop

if TYPE_CHECKING:
    from .engine import Engine

Values = dict[str, Any]


async def quote_in_its_page(engine: "Engine", view: RunView, key: str) -> Values:
    """Return what stands around the quote of a citation, by its key in `guide_values`.

    Raises `UsageError` where there is no such citation, or none whose quote was found.
    """
    guide = view.guide
    citation = citation_of(guide, key) if guide is not None else None
    if guide is None or citation is None:
        raise UsageError("That claim is not in the guide any more.", "Look at the guide again.")
    if citation.quote is None or citation.offset is None or citation.output_id is None:
        raise UsageError("There is no quote that was found in a page.")
    read = partial(engine.page_text, view.task_id, citation.output_id)
    text = await off_loop(read)
    if text is None:
        raise UsageError("The page's text is not in the store any more.")
    around = partial(context_of, text, citation.offset, citation.quote)
    before, quote, after = await off_loop(around)
    source = next(one for one in guide.sources if one.source_id == citation.source)
    return {
        "before": before,
        "quote": quote,
        "after": after,
        "title": visible(source.title or source.url, 300),
        "url": safe_link(source.url) or "",
        "source": source.source_id,
    }


async def guide_as_file(view: RunView, kind: str) -> Values:
    """Return the guide as a file of a kind of `EXPORTS`: its name, text and media type.

    Raises `UsageError` where there is no guide yet.
    """
    if view.guide is None:
        raise UsageError("There is no guide yet.", "It can be exported when it is published.")
    text = await off_loop(partial(EXPORTS[kind], view))
    return {"name": file_name(view, kind), "text": text, "media": MEDIA[kind]}
