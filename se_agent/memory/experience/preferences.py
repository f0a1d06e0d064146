"""Preferences: what people ask of a role of models, and what did best in earlier runs.

Both hold for a family of problems (SQ-14, AM-66). Not here: who is shown the first
(`se_agent.memory.retrieval.tier`), and who draws by the second (`se_agent.engine`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from statistics import fmean

from se_agent.memory.experience.execution_rows import TaskType
from se_agent.memory.experience.exposure_rows import ExposureLog
from se_agent.memory.experience.item_credit import LARGEST_GAIN, LEAST, Exposure
from se_agent.memory.experience.item_rows import ItemKind, ItemRow, ItemStatus
from se_agent.memory.experience.items import Items
from se_agent.store.database import Database
from se_agent.values.recall import LearnedPreferences, ModelReturns

MOST = 40
"""Preferences that a run takes with it at most, the newest."""

_LEAST_EACH = 10  # steps with so many lessons, below which nobody knows how these fare
_NEAR = 20.0  # steps of the mean kind that each number of lessons begins with
_RETURNS = f"""SELECT json_extract(e.context, '$.model') AS model, COUNT(*),
    SUM(e.success AND json_extract(e.context, '$.effect') > 0)
    FROM executions AS e JOIN runs AS r ON r.run = e.run
    WHERE r.family = ? AND e.task_type = '{TaskType.REFACTORING}' AND model IS NOT NULL
    GROUP BY model ORDER BY model"""  # noqa: S608 - text of ours


def preferences_of(items: Items, family: str, language: str = "") -> Iterator[ItemRow]:
    """Yield what people prefer in a family of problems, the newest first.

    Args:
        items: The items of a workspace.
        family: The family.
        language: Those for this language, and for any; empty: all.

    Raises:
        MemoryFileError: They cannot be read.
    """
    found = [
        row
        for row in items.rows(kinds=[ItemKind.PREFERENCE], language=language)
        if row.family == family and ItemStatus(row.status).is_valid
    ]
    found.sort(key=lambda row: (row.created_at, row.id), reverse=True)
    yield from islice(found, MOST)


def learned_preferences(db: Database, family: str) -> LearnedPreferences:
    """Return what did best in earlier runs: models in this family, and lessons in a prompt.

    Raises:
        MemoryFileError: It cannot be read.
    """
    rows = db.rows(_RETURNS, (family,), where="its executions")
    models = (
        ModelReturns(model=str(model), steps=n, gains=int(won or 0)) for model, n, won in rows
    )
    exposures = (row.exposure for row in ExposureLog(db).rows())
    return LearnedPreferences(models=tuple(models), top_k=best_top_k(exposures))


def best_top_k(exposures: Iterable[Exposure]) -> int:
    """Return with how many lessons in its prompt a step fared best; 0: that is not known.

    Lessons are left out by chance, so steps that had as many to choose from, and were shown
    fewer, differ by nothing else: only these are compared. Means are drawn toward the mean of
    all. It is never 0: a run that shows none learns no more about them.
    """
    slots = defaultdict[tuple[str, int], list[Exposure]](list)
    for one in exposures:
        slots[one.run, one.slot].append(one)
    alike = defaultdict[int, list[tuple[int, float]]](list)
    for eligible in slots.values():
        gain = min(eligible[0].gain, LARGEST_GAIN)
        alike[len(eligible)].append((sum(one.shown for one in eligible), gain))
    ahead = defaultdict[int, list[float]](list)
    for steps in alike.values():
        mean = fmean(gain for _, gain in steps)
        for number, gain in steps:
            ahead[number].append(gain - mean)
    known = {
        n: sum(told) / (len(told) + _NEAR)
        for n, told in ahead.items()
        if len(told) >= _LEAST_EACH
    }
    if len(slots) < LEAST or len(known) < 2:
        return 0
    return max(1, max(known, key=lambda n: (known[n], -n)))
