"""A made-up run of thousands of programs: the steps of a small one again and again."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from se_agent.engine.journal.journal import Journal
from se_agent.events import Event, Proposed, dumps, loads
from se_agent.memory_events import Surveyed
from tests.finished import finished, recorded
from tests.house import ROOT

_STEPS = 40
_OF_A_LATER_GENERATION = re.compile(r"Gen([1-9]\d*)_Sol_")


def large_run(tmp_path: Path, *, programs: int = 5_000) -> Path:
    """Return a run of so many programs of 3,500 characters; no two of them are the same."""
    whole = finished(
        tmp_path / "whole",
        timed=True,
        operators=["tests.fakes:Endless"],
        budget={"evaluations": _STEPS},
    )
    known = list(recorded(whole))
    folder = tmp_path / "large"
    folder.mkdir()
    (folder / "problem.json").write_bytes((whole / "problem.json").read_bytes())
    with Journal(whole / "run.db", write=False) as old, Journal(folder / "run.db") as journal:
        surveys = [event for event in known if isinstance(event, Surveyed)]
        digests = [digest for one in surveys for digest in one.documents.values()]
        journal.append(*_again(known, programs // _STEPS), texts=map(old.text, digests))
    return folder


def _again(known: Sequence[Event], times: int) -> Iterator[Event]:
    """Yield a run in which the steps that made a program follow one another so many times."""
    made = {event.slot for event in known if isinstance(event, Proposed) and event.proposal}
    opened = {event.slot for event in known if event.kind == "generation_opened"}
    places = [at for at, event in enumerate(known) if event.slot >= 0]
    begin, end = places[0], places[-1] + 1
    steps = [
        event
        for event in known[begin:end]
        if event.slot in made or (event.slot in opened and event.kind == "generation_opened")
    ]
    program = (ROOT / "problems/workshop_schedule/initial.py").read_text(encoding="utf-8")
    draws = random.Random(0)
    slots, generations = max(opened) + 8, len(opened)
    yield from known[:begin]
    for number in range(times):
        for event in steps:
            later = _later(event, slots=number * slots, generations=number * generations)
            yield _other_program(later, f"{program}\n# {draws.randbytes(200).hex()}\n")
    for event in known[end:]:
        yield _later(event, slots=0, generations=(times - 1) * generations)


def _later(event: Event, *, slots: int, generations: int) -> Event:
    """Return an event as it would be told so many slots and generations later."""
    body = _OF_A_LATER_GENERATION.sub(
        lambda found: f"Gen{int(found[1]) + generations}_Sol_", dumps(event)
    )
    changes: dict[str, object] = {"slot": event.slot + slots} if event.slot >= 0 else {}
    if event.kind == "generation_opened":
        changes["generation"] = event.generation + generations
    return loads(body).model_copy(update=changes)


def _other_program(event: Event, text: str) -> Event:
    if not (isinstance(event, Proposed) and event.proposal):
        return event
    solution = replace(event.proposal.solution, files={"main.py": text})
    proposal = replace(event.proposal, solution=solution)
    return event.model_copy(update={"proposal": proposal})
