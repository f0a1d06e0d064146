"""Where a lesson, a policy or a solution stands, as a person says it by its id.

Not here: what runs find out about it (`promotion`).
"""

from __future__ import annotations

from se_agent.memory.experience.item_rows import ItemStatus
from se_agent.memory.experience.items import Items
from se_agent.memory.experience.long_term import LongTerm


def set_standing(items: Items, id_: str, status: ItemStatus, *, why: str, at: str) -> None:
    """Say where an item or a solution stands from now on.

    Args:
        items: The items, with all tables beside them.
        id_: Its id.
        status: Whether runs may be given it.
        why: Kept with it.
        at: The time, UTC.

    Raises:
        MemoryFileError: It cannot be written, or there is no such item or solution.
    """
    with items.db.transaction():
        solutions = LongTerm(items.db, secrets=items.secrets)
        if items.get(id_) is not None or not solutions.set_status(id_, status.value, why):
            items.status(id_, status, why=why, at=at)
