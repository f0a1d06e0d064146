"""Runs that reports are made of: one with a model, and one full of hostile texts."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any  # a page holds JSON of any shape

from se_agent.chat.events import Replied, Told
from se_agent.config.sections import Endpoint
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.start import start
from se_agent.events import Evaluated, Event, Learned, Proposed, Started
from se_agent.report.html.report import report_text
from se_agent.values.evaluation import ComparisonKind, FailedCase
from tests.engine.talking import Counting, run_file
from tests.fakes import NumberEvaluator, number_problem
from tests.finished import recorded

HOSTILE = (
    "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>",
    "<!--<script>",
    "]]></textarea></style><svg onload=window.hacked=1>",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07",
    "null \x00 byte, delete \x7f, half a letter \ud800",
    "\u202etfel ot thgir\u202c \u2066isolate\u2069 \u200bnothing\ufeff",
    "line\u2028separator\u2029paragraph",
    "javascript:window.hacked=1",
    "{{constructor.constructor('window.hacked=1')()}} ${window.hacked=1} `window.hacked=1`",
)
"""Texts that would be markup, a script or a command to a terminal, if anybody let them."""

LINE = "y" * 10_000_000
"""A line that no page should be asked to lay out."""


class FreshCounting(Counting):
    """A model that counts from 1 in each run: its programs are the same every time."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._numbers = itertools.count(1)


def asked_run(results: Path, *, evaluations: int = 24) -> Path:
    """Make a run whose candidates come from a model that was shown the memory."""
    found = start(
        run_file(
            results,
            name="asked",
            budget={"evaluations": evaluations},
            models={"main": {"name": "counting", "provider": f"{__name__}:FreshCounting"}},
        ),
        problem=number_problem(),
        evaluators=lambda *_: NumberEvaluator(ComparisonKind.EXACT),
    )
    return Path(found.run)


def hostile_run(tmp_path: Path) -> Path:
    """Return a run in which programs, outputs, replies and directions are hostile."""
    whole = asked_run(tmp_path / "whole", evaluations=12)
    folder = tmp_path / "hostile <b>run"
    folder.mkdir()
    (folder / "problem.json").write_bytes((whole / "problem.json").read_bytes())
    with Journal(folder / "run.db") as journal:
        texts = dict[str, str]()
        with Journal(whole / "run.db", write=False) as old:
            for event in recorded(whole):
                if isinstance(event, Replied):
                    texts |= _conversation(event.request, old)
        events = [_hostile(event) for event in recorded(whole)]
        lessons = [event for event in events if isinstance(event, Learned)]
        told = Told(direction=" ".join(HOSTILE), memory_version=lessons[-1].memory_version + 1)
        place = events.index(lessons[-1]) + 1
        journal.append(*events[:place], told, *events[place:], texts=texts.values())
    return folder


def island_of(page: str) -> dict[str, Any]:
    """Return the data of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found is not None
    value = json.loads(found[1])
    assert isinstance(value, dict)
    return value


def texts_of(page: str) -> list[str]:
    """Return the texts of a page that are not packed."""
    found: list[str] = island_of(page)["texts"]
    return found


def written_report(folder: Path, file: Path) -> Path:
    """Write the report of a run into a file."""
    file.write_text(report_text(folder), encoding="utf-8")
    return file


def _conversation(request: str, journal: Journal) -> Mapping[str, str]:
    listed = journal.text(request)
    parts = [part for _, part in json.loads(listed)]
    return {request: listed, **{part: journal.text(part) for part in parts}}


def _hostile(event: Event) -> Event:
    """Return an event with a hostile text wherever a stranger may put one."""
    text = HOSTILE[event.slot % len(HOSTILE)]
    match event:
        case Started():
            bad = {"main.py": "\n".join(HOSTILE)}
            initial = replace(event.initial, files=bad)
            return event.model_copy(
                update={"initial": initial, "name": text, "notes": HOSTILE, "machine": text}
            )
        case Proposed() if event.proposal is not None:
            old = event.proposal.solution
            line = LINE if event.slot == 0 else text
            made = replace(old, files={"main.py": f"# {line}\n{old.text}\n{text}"})
            proposal = replace(event.proposal, solution=made, direction=text, notes=(text,))
            return event.model_copy(update={"proposal": proposal})
        case Evaluated():
            case = FailedCase(name=text, expected=text, got=text, input=text)
            found = replace(event.evaluation, feedback=text, failing=(case,))
            return event.model_copy(update={"evaluation": found})
        case Replied():
            return event.model_copy(update={"text": f"{event.text}\n{text}", "model": text})
        case _:
            return event
