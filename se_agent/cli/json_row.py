"""The object that `--json` prints for a run, and how it is read from a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from se_agent.engine.journal.result import Result, RunStatus
    from se_agent.report.story import Story
    from se_agent.values.doubts import Doubt

_KEYS = (
    "run",
    "problem",
    "seed",
    "settings",
    "status",
    "verdict",
    "best_solution_id",
    "gain",
    "gain_low",
    "gain_high",
    "score",
    "evaluations",
    "cpu_seconds",
    "budget_end",
)
_SCORED = ("score_initial", "direction")
_ASKED = ("calls", "tokens", "money")
_COMPARED = ("objective", "et", "mp", "mi")


def row(result: Result, doubts: Sequence[Doubt] = ()) -> dict[str, object]:
    """Return a result under the keys of `--json`.

    Scored problems have their scores besides, others what was compared and its shares; a run
    that asked models has what these cost, one that memory had a say in what was seen of its
    worth; an untrusted result says so, one with doubts about its inputs has them, and one of a
    compiled program what flags gain beyond its source.

    Args:
        result: Result of the run.
        doubts: About its best program; under `doubts` if there are some.
    """
    keys = _KEYS + (_SCORED if result.direction else _COMPARED)
    keys += _ASKED if result.calls else ()
    keys += ("memory",) if result.memory.has_steps else ()
    keys += () if result.trusted else ("trusted",)
    keys += ("notes",) if result.notes else ()
    keys += ("with_flags",) if result.with_flags else ()
    found = asdict(result) | {"verdict": result.verdict}
    told = {"doubts": [doubt._asdict() for doubt in doubts]} if doubts else {}
    return {key: found[key] for key in keys} | told


def read(folder: Path, unread: Callable[[str], None] | None = None) -> tuple[Result, Story]:
    """Read a run, finished or not, without disturbing whoever writes it.

    A run that has not ended is running while a process holds its lock.

    Args:
        folder: Folder of the run.
        unread: Told of each event that cannot be read; see `Journal.events`.

    Raises:
        JournalError: The folder holds no journal that we can read.
    """
    from se_agent.engine.journal.journal import Journal, belonging
    from se_agent.engine.journal.result import summarize
    from se_agent.report.story import Story
    from se_agent.store.lock import is_locked

    with Journal(folder / "run.db", write=False) as journal:
        events = list(journal.events(unread=unread))
    with belonging(folder):
        result, story = summarize(folder, events), Story.of(events)
    if result.status in ("interrupted", "failed") and is_locked(folder / "run.db"):
        result, story.running = replace(result, status="running"), True
    return result, story


def broken_off(folder: Path, status: RunStatus) -> Result:
    """Return the result of a run that did not get to its end just now."""
    result, story = read(folder)
    return result if story.ended else replace(result, status=status)
