"""Owns finding the conversation of a notebook: its path is its key, also after a restart."""

from ..store.database import Database
from ..store.rows import Batch, at
from ..store.schema import CONVERSATION
from .world import World


def conversation_of(database: Database, notebook: str, world: World) -> str:
    """Return the id of the notebook's conversation, made when it has none yet."""
    rows = database.rows(
        """SELECT conversation_id FROM data.conversation
           WHERE notebook = ? ORDER BY created_at LIMIT 1""",
        [notebook],
    )
    if rows:
        return str(rows[0]["conversation_id"])
    conversation_id = world.ids.new()
    batch = Batch().add(
        CONVERSATION,
        conversation_id=conversation_id,
        notebook=notebook,
        created_at=at(world.clock.now_us()),
    )
    database.append(batch).result()
    return conversation_id
