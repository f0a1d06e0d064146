"""The champion of a run, and the pattern of its program, as `memory.db` keeps them (LF-98).

Not here: all else that a run leaves (`harvest`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from se_agent.events import Confirmed
from se_agent.memory.experience.long_term import KnownRun, KnownSolution
from se_agent.problem.model import Problem
from se_agent.program.language import Language
from se_agent.program.same_function import function_form
from se_agent.store.blobs import digest_of
from se_agent.store.database import Database
from se_agent.values.session import ArchetypeRecord
from se_agent.values.solution import Solution

_PUT_ARCHETYPE = "INSERT OR REPLACE INTO archetypes VALUES (?, ?, ?, ?, ?, ?, ?)"
_ARCHETYPES = "SELECT * FROM archetypes ORDER BY project, id"


@dataclass(frozen=True, kw_only=True)
class ArchetypeRow:
    """The pattern that a program follows, and who says so."""

    id: str
    project: str = ""
    function: str = ""
    archetype_type: str = ""
    phases: tuple[str, ...] = ()
    confidence: str = ""
    source: str = ""


def put_archetype(db: Database, one: ArchetypeRow) -> None:
    """Write the pattern that a program follows.

    Raises:
        MemoryFileError: It cannot be written.
    """
    row = (one.id, one.project, one.function, one.archetype_type, json.dumps(one.phases))
    db.execute(_PUT_ARCHETYPE, (*row, one.confidence, one.source))


def archetype_rows(db: Database) -> Iterator[ArchetypeRow]:
    """Yield the patterns of all programs, by problem.

    Raises:
        MemoryFileError: They cannot be read.
    """
    return db.records(_ARCHETYPES, (), make=_archetype, where="its archetypes")


def _archetype(row: tuple[Any, ...]) -> ArchetypeRow:
    id_, project, function, kind, phases, confidence, source = row
    return ArchetypeRow(
        id=str(id_),
        project=str(project or ""),
        function=str(function or ""),
        archetype_type=str(kind or ""),
        phases=tuple(map(str, json.loads(phases or "[]"))),
        confidence=str(confidence or ""),
        source=str(source or ""),
    )


def solutions_of(
    done: Confirmed, best: Solution, initial: Solution, known: KnownRun, problem: Problem
) -> Iterator[KnownSolution]:
    """Yield the champion of a run, if its gain was proven.

    Args:
        done: What the confirmation came to.
        best: The champion.
        initial: The program that the run began with.
        known: The run.
        problem: Its problem.
    """
    if done.status != "proven" or best.id == initial.id:
        return
    yield KnownSolution(
        id=f"S{digest_of(json.dumps([initial.content, best.content]))[:12]}",
        project=known.problem,
        function=known.entry,
        files=dict(best.files),
        entry_content=initial.content,
        effect=_effect(done),
        low=known.low,
        high=known.high,
        edits=best.edits if best.base in ("", initial.id) else (),
        run=known.run,
        initial=dict(initial.files),
        form=form_of(problem, initial),
    )


def form_of(problem: Problem, initial: Solution) -> str:
    """Return what tells the function of a program from others, whatever its names are."""
    if problem.language is not Language.PYTHON or len(initial.files) != 1:
        return ""
    return function_form(initial.text, problem.entry_point)


def archetype_row(found: ArchetypeRecord, known: KnownRun) -> ArchetypeRow:
    """Return the pattern that the program of a run follows, as the survey found it."""
    about = [known.problem, known.entry_content, found.type]
    return ArchetypeRow(
        id=f"A{digest_of(json.dumps(about))[:12]}",
        project=known.problem,
        function=known.entry,
        archetype_type=found.type,
        phases=found.lifecycle_phases,
        confidence=str(found.confidence),
        source=found.source,
    )


def _effect(done: Confirmed) -> float:
    """Return the proven effect: the log of a ratio, or a difference of scores."""
    if done.gain is not None:
        return math.log(done.gain) if done.gain > 0 else 0.0
    return abs((done.score or 0.0) - (done.score_initial or 0.0))
