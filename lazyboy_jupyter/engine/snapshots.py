"""Owns the snapshots of all agents: taken at a run's boundaries, the newest of each kept at hand.

On the engine's thread. A run takes its own and commits their rows with its own events, so that a
snapshot costs no commit; nothing here ever waits, and nothing a side question does reaches a run.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..core.messages import Message
from ..core.snapshot import Boundary, Copies, Frozen, Identity, Snapshot, freeze, pending_results
from ..core.tools import ToolSpec
from ..ports import Model
from ..store.database import Database
from ..store.rows import Batch
from ..store.side import add_snapshot, load_snapshot

_log = logging.getLogger("lazyboy_jupyter")
STORED_EVERY_US = 250_000
"""A run's snapshots are stored this often at most; the one that is asked always is."""


@dataclass(slots=True)
class _Kept:
    """The newest snapshot of a parent, and the newest of which rows were queued."""

    newest: Snapshot
    stored: Snapshot | None = None
    known: set[str] = field(default_factory=set)


class Snapshots:
    """The newest snapshot of each parent; one that is stored and whose run has ended is read back
    from the store when it is wanted."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: dict[str, _Kept] = {}
        self._gone: set[str] = set()

    def publish(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, unless a newer one is kept, or its parent was deleted."""
        if snapshot.parent in self._gone:
            return
        kept = self._kept.get(snapshot.parent)
        if kept is None:
            self._kept[snapshot.parent] = _Kept(snapshot)
        elif snapshot.is_after(kept.newest):
            kept.newest = snapshot

    def at_hand(self, parent: str) -> Snapshot | None:
        """Return the newest snapshot of a parent that is kept here, which `rows` stores."""
        kept = self._kept.get(parent)
        return kept.newest if kept is not None else None

    def stored(self, parent: str) -> Snapshot | None:
        """Return the newest snapshot that is stored of a parent. Reads only, from any thread."""
        return None if parent in self._gone else load_snapshot(self._database, parent)

    def due(self, parent: str, now_us: int) -> bool:
        """Whether the newest snapshot should be stored now, as often as that is done."""
        kept = self._kept.get(parent)
        if kept is None or kept.stored is kept.newest:
            return False
        return kept.stored is None or now_us - kept.stored.taken_us >= STORED_EVERY_US

    def rows(self, parent: str) -> Batch:
        """Return the rows that store the newest snapshot; none when they were given already. The
        caller queues them at once, before anything else of the parent."""
        kept, batch = self._kept.get(parent), Batch()
        if kept is not None and kept.stored is not kept.newest:
            add_snapshot(batch, kept.newest, kept.stored, kept.known)
            kept.stored = kept.newest
        return batch

    def unsaved(self, parent: str) -> None:
        """Hear that rows given for a parent were not committed: the next ones hold it whole."""
        kept = self._kept.get(parent)
        if kept is not None:
            kept.stored, kept.known = None, set()

    def release(self, parent: str) -> None:
        """Let go of a parent whose newest snapshot is committed and whose run has ended."""
        kept = self._kept.get(parent)
        if kept is not None and kept.stored is kept.newest:
            del self._kept[parent]

    def remember(self, parent: str) -> None:
        """Take snapshots again of a parent that goes on, empty: a conversation."""
        self._gone.discard(parent)

    def forget(self, parent: str) -> None:
        """Refuse every later snapshot of a parent that is deleted."""
        self._gone.add(parent)
        self._kept.pop(parent, None)


class SnapshotTaker:
    """Takes the snapshots of one run. `parent`: whose they are; `run_id`: the run's, where a parent
    has several; those of later runs are higher."""

    def __init__(self, snapshots: Snapshots, parent: str, model: Model, run_id: str = "") -> None:
        self._snapshots = snapshots
        self._parent = parent
        self._run_id = run_id or parent
        self._identity = Identity(model.name, model.identity)
        self._copies = Copies()
        self._version = 0
        self._tools: tuple[Sequence[ToolSpec], Frozen] = ((), freeze([]))

    def take(
        self,
        boundary: Boundary,
        messages: Sequence[Message],
        request_no: int,
        now_us: int,
        tools: Sequence[ToolSpec] | None = None,
    ) -> None:
        """Publish a snapshot. `tools`: those of the request that begins; None: those before.

        Never raises: what cannot be copied has no snapshot, and the run goes on.
        """
        try:
            self._publish(boundary, messages, request_no, now_us, tools)
        except (TypeError, ValueError, RecursionError):  # no JSON, or nested too deep
            _log.exception("no snapshot of %s", self._parent)

    def _publish(
        self,
        boundary: Boundary,
        messages: Sequence[Message],
        request_no: int,
        now_us: int,
        tools: Sequence[ToolSpec] | None,
    ) -> None:
        if tools is not None and tools != self._tools[0]:
            declared = [[tool.name, tool.description, dict(tool.parameters)] for tool in tools]
            self._tools = (tools, freeze(declared))
        self._version += 1
        self._snapshots.publish(
            Snapshot(
                self._parent,
                self._run_id,
                self._version,
                boundary,
                now_us,
                request_no,
                self._identity,
                self._tools[1],
                self._copies.of(messages),
                pending_results(messages),
            )
        )

    def due_rows(self, now_us: int) -> Batch:
        """Return the rows of the newest snapshot when they are due, to be queued at once."""
        due = self._snapshots.due(self._parent, now_us)
        return self._snapshots.rows(self._parent) if due else Batch()

    def last_rows(self) -> Batch:
        """Return the rows of the newest snapshot, to be queued at once."""
        return self._snapshots.rows(self._parent)

    def unsaved(self) -> None:
        """Hear that rows were not committed."""
        self._snapshots.unsaved(self._parent)


def tools_of(snapshot: Snapshot) -> tuple[ToolSpec, ...]:
    """Return a snapshot's tool declarations, as its main request had them."""
    return tuple(ToolSpec(*one) for one in snapshot.tools.thaw())
