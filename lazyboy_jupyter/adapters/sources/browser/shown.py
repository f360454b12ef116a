"""Owns the value that a look at a page in the browser gives."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BrowserPage:
    """A page as a browser shows it. `url`: where it was found in the end.

    `html`: the document as scripts have built it, with the content of open shadow roots and of
    same-origin frames in its place, without scripts and styles; what is not shown carries the
    attribute `hidden`. `text`: what a person sees, for pages whose `html` yields too little.
    `status`: the HTTP status of the main document, 0 if it had none. `truncated`: the page was
    longer, or was still loading at the limit of bytes or time.
    """

    url: str
    title: str
    html: str
    text: str = ""
    status: int = 0
    truncated: bool = False
