"""Owns what `%btw` alone shows: the side questions of one task, live where there are widgets."""

from dataclasses import dataclass

from ..core.render_side import SideView, side_to_html, side_to_markdown
from ..core.sanitise import to_html
from ..engine.engine import Engine


@dataclass(frozen=True, slots=True)
class SideHistory:
    """The newest side questions of a task, oldest first. `text`: the same in words."""

    engine: Engine
    parent: str
    views: tuple[SideView, ...]
    text: str
    live: bool = False
    stage: object = None

    @property
    def id(self) -> str:
        """What tells it from another card."""
        return f"side-{self.parent}"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {
            "text/plain": self.text,
            "text/markdown": "\n\n".join(map(side_to_markdown, self.views)) or self.text,
            "text/html": "".join(map(side_to_html, self.views)) or f"<p>{to_html(self.text)}</p>",
        }


def side_history(engine: Engine, parent: str, empty: str) -> SideHistory:
    """Return the newest side questions of a task; `empty` is said when there are none."""
    text = engine.side.history_text(parent) or empty
    return SideHistory(engine, parent, tuple(engine.side.history(parent)), text)
