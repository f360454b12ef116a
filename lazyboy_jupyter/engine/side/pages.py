"""Owns the pages of side questions that panels show: history, the newest snapshot, what may be
asked. On the engine's thread; it reads only."""

from collections.abc import Callable
from functools import partial

from ...core.render_side import SideView
from ...core.side import Seen, SideQuestion
from ...core.side_panel import PAGE, SidePage, SnapshotSeen, parent_words
from ...errors import SideQuestionRefused
from ...store.side import newest_seen
from ...threads import off_loop
from ..services import Services
from .service import SideQuestions


class SidePages:
    """Gives a parent's side questions by twenties (DESIGN §10). `view`: what one looks like now."""

    def __init__(
        self,
        service: SideQuestions,
        services: Services,
        view: Callable[[SideQuestion], SideView],
    ) -> None:
        self._service = service
        self._services = services
        self._view = view
        self._last: dict[str, Seen] = {}

    async def page(self, parent: str, before: int | None = None) -> SidePage:
        """Return the newest twenty of a parent's questions before the ordinal `before`; None: the
        newest there are."""
        items = await self._service.history(parent)
        snapshot = await self._snapshot(parent)
        refusal = await self._service.refusal(parent)
        if refusal is None and snapshot is None:
            refusal = self._service.without_snapshot(parent)
        return self._page(parent, items, snapshot, before, refusal)

    def _page(
        self,
        parent: str,
        items: tuple[SideQuestion, ...],
        snapshot: SnapshotSeen | None,
        before: int | None,
        refusal: SideQuestionRefused | None,
    ) -> SidePage:
        earlier = [one for one in items if before is None or one.ordinal < before]
        shown = earlier[-PAGE:]
        return SidePage(
            parent,
            tuple(self._view(side) for side in reversed(shown)),
            shown[0].ordinal if len(earlier) > len(shown) else 0,
            snapshot,
            refusal.sentence if refusal is not None else "",
            self._services.clock.now_us(),
            parent_words(parent, self._service.conversation_id),
        )

    async def _snapshot(self, parent: str) -> SnapshotSeen | None:
        at_hand = self._services.snapshots.at_hand(parent)
        run = self._service.run_of(parent)
        if at_hand is not None:
            ahead = None if run is None else run.state.request_no - at_hand.request_no
            return SnapshotSeen(at_hand.taken_us, at_hand.boundary, ahead)
        if parent not in self._last:
            read = partial(newest_seen, self._services.database, parent)
            seen = await off_loop(read)
            if seen is None:
                return None
            self._last[parent] = seen  # its run has ended, so there will be no newer one
        seen = self._last[parent]
        return SnapshotSeen(seen.taken_us, seen.boundary, None)
