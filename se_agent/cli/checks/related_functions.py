"""Other functions of a file to which the errors of a run's candidates lead, in lines.

Read off the relations that the run's journal gives, as the knowledge graph has them. Not here:
what earlier runs relate to an error (`se_agent.memory.graph.related`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from se_agent.events import Event

_MOST = 3  # lines


def related_functions(folder: Path, function: str) -> list[str]:
    """Return lines for the errors that lead to another function than the one made faster.

    Args:
        folder: Folder of the run.
        function: Its function.

    Raises:
        JournalError: Its journal cannot be read.
    """
    from se_agent.engine.journal.journal import Journal

    with Journal(folder / "run.db", write=False) as journal:
        return list(related_lines(journal.events(), function))[:_MOST]


def related_lines(events: Iterable[Event], function: str) -> Iterator[str]:
    """Yield a line for each error of a run that leads to another function than its own.

    A wrong answer comes up nowhere, and its words are those of no error: it leads nowhere.
    """
    from se_agent.events import Evaluated
    from se_agent.memory.graph import (
        EntityType,
        RelationType,
        derived_of,
        entity_parts,
        error_entity,
    )
    from se_agent.values.evaluation import Status

    told_of = list(events)
    judged = (event.evaluation for event in told_of if isinstance(event, Evaluated))
    wrong = {error_entity(one)[0] for one in judged if one.status is Status.WA}
    found = derived_of(told_of)
    words = {fact.entity: fact.content for fact in found.facts}
    callers: dict[str, list[str]] = {}
    for edge in (triple.relation for triple in found.triples):
        if edge.relation_type == RelationType.CALLS:
            callers.setdefault(edge.target, []).append(edge.source)
    for edge in (triple.relation for triple in found.triples):
        kind, parts = entity_parts(edge.target)
        if edge.relation_type != RelationType.LOCATES or kind != EntityType.FUNCTION:
            continue
        if edge.source in wrong:
            continue
        place = parts[-1]
        by = (entity_parts(one)[1][-1] for one in callers.get(edge.target, ()))
        others = [f"{name}()" for name in by if name != place]
        if place != function or others:
            verb = "calls" if len(others) == 1 else "call"
            called = f", which {', '.join(others)} {verb}" if others else ""
            told = words.get(edge.source, "an error")
            yield f"a candidate's error leads to {place}(){called}: {told}"
