"""Why an item is believed: the steps that it comes from, and what showing it was worth.

Everything here can be looked up: a step by run and row of its journal, a prompt and a reply by
digest, a lift in the exposures. Not here: how a lift is estimated (`item_credit`).
"""

from __future__ import annotations

from dataclasses import dataclass

from se_agent.memory.experience.exposure_rows import ExposureLog, ExposureRow
from se_agent.memory.experience.item_credit import NOTHING_KNOWN, Lift, item_lifts
from se_agent.memory.experience.item_rows import ItemRow, ItemSource, ItemVersion
from se_agent.memory.experience.items import Items


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """What is known of an item.

    Attributes:
        item: The item.
        sources: Steps that it comes from.
        versions: What it was before, and why it changed.
        exposures: Slots in which it was eligible.
        lift: What showing it was worth, by all exposures of all items.
    """

    item: ItemRow
    sources: tuple[ItemSource, ...]
    versions: tuple[ItemVersion, ...]
    exposures: tuple[ExposureRow, ...]
    lift: Lift


def explanation_of(items: Items, id_: str) -> Explanation | None:
    """Return what is known of an item; None: there is none of this id.

    Raises:
        MemoryFileError: It cannot be read.
    """
    item = items.get(id_)
    if item is None:
        return None
    rows = list(ExposureLog(items.db).rows())
    lifts = item_lifts([row.exposure for row in rows])
    return Explanation(
        item=item,
        sources=tuple(items.sources(id_)),
        versions=tuple(items.versions(id_)),
        exposures=tuple(row for row in rows if row.exposure.item == id_),
        lift=lifts.get(id_, NOTHING_KNOWN),
    )
