"""The memory of a run over its steps, as the data of a timeline. Pure.

Each row is an entry, from the version of the memory that it came with to the one that it was
gone with. Not here: how the rows are made (`se_agent.analysis.run_tables.memory_table`).
"""

from __future__ import annotations

from collections.abc import Mapping

from se_agent.analysis.run_tables.columns import names_of
from se_agent.analysis.run_tables.followed_run import FollowedRun
from se_agent.events import Learned
from se_agent.report.html.figures import short
from se_agent.report.html.text_pool import TextPool

_FIELDS = (
    "kind",
    "entry",
    "from_version",
    "to_version",
    "change",
    "cause",
    "slot",
    "step",
    "source",
    "text",
    "outcome",
    "tries",
    "gains",
    "losses",
    "effect",
    "proven",
    "evidence",
    "shown_to",
    "end",
)


def memory_data(
    run: FollowedRun, lessons: Mapping[int, Learned], pool: TextPool
) -> dict[str, object]:
    """Return how many entries there were, the number of the text that has them all, or why.

    Args:
        run: The run.
        lessons: What closed those steps that taught something, by slot.
        pool: Takes the text.
    """
    if run.no_memory:
        why = f"It cannot be made anew here: {run.no_memory}"
        return {"count": 0, "text": None, "why": why}
    names = names_of("memory")
    places = [names.index(name) for name in _FIELDS]
    rows = [[short(row[place]) for place in places] for row in run.memory]
    whole = {
        "fields": _FIELDS,
        "rows": rows,
        "refused": {slot: each.refused for slot, each in lessons.items() if each.refused},
        "compressed": [slot for slot, each in lessons.items() if each.bank is not None],
    }
    return {"count": len(rows), "text": pool.add_value(whole), "why": ""}
