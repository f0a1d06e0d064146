"""The champion of a run, and the pattern of its program, as `memory.db` keeps them. Pure.

Not here: all else that a run leaves (`harvest`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from se_agent.events import Confirmed
from se_agent.memory.experience.archetype_rows import ArchetypeRow
from se_agent.memory.experience.long_term import KnownRun, KnownSolution
from se_agent.problem.model import Problem
from se_agent.program.language import Language
from se_agent.program.same_function import function_form
from se_agent.store.blobs import digest_of
from se_agent.values.session import ArchetypeRecord
from se_agent.values.solution import Solution


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
