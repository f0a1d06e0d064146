"""Runs that reports are made of: one with a model, and one full of hostile texts."""

from __future__ import annotations

import itertools
import json
import re
import zlib
from base64 import b64decode
from collections.abc import Mapping, Sequence
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

PLACES = ("program", "output", "reply", "direction", "problem")
"""Where a stranger may put a text: the last one is what a problem says of itself."""


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
            asking={"in_flight": 1},  # of two calls at once either gets the first answer
            models={"main": {"name": "counting", "provider": f"{__name__}:FreshCounting"}},
        ),
        problem=number_problem(),
        evaluators=lambda *_: NumberEvaluator(ComparisonKind.EXACT),
    )
    return Path(found.run)


def hostile_run(tmp_path: Path, *, places: Sequence[str] = PLACES) -> Path:
    """Return a run in which programs, outputs, replies and directions are hostile.

    Args:
        tmp_path: Where it is made.
        places: Those of `PLACES` where they are. Each text stands there alone, and one of them
            is a line of ten million characters.
    """
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
        events = [_hostile(event, places) for event in recorded(whole)]
        lessons = [event for event in events if isinstance(event, Learned)]
        version, place = lessons[-1].memory_version + 1, events.index(lessons[-1]) + 1
        said = (*HOSTILE, LINE) if "direction" in places else ()
        told = [Told(direction=d, memory_version=version + n) for n, d in enumerate(said)]
        journal.append(*events[:place], *told, *events[place:], texts=texts.values())
    return folder


def island_of(page: str) -> dict[str, Any]:
    """Return the data of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found is not None
    value = json.loads(found[1])
    assert isinstance(value, dict)
    return value


def texts_of(page: str) -> list[str]:
    """Return the texts of a page, packed or not."""
    data = island_of(page)
    if "texts" in data:
        return list(data["texts"])
    packed = re.findall(r'<script type="text/plain" id="texts-\d+">(.*?)</script>', page)
    return [text for part in packed for text in json.loads(zlib.decompress(b64decode(part)))]


def written_report(folder: Path, file: Path) -> Path:
    """Write the report of a run into a file."""
    file.write_text(report_text(folder), encoding="utf-8")
    return file


def _conversation(request: str, journal: Journal) -> Mapping[str, str]:
    listed = journal.text(request)
    parts = [part for _, part in json.loads(listed)]
    return {request: listed, **{part: journal.text(part) for part in parts}}


def _hostile(event: Event, places: Sequence[str]) -> Event:
    """Return an event with a hostile text wherever a stranger may put one."""
    text = HOSTILE[event.slot % len(HOSTILE)]
    line = LINE if event.slot == 0 else text
    match event:
        case Started():
            if "problem" in places:
                more = {"name": text, "notes": HOSTILE, "machine": text}
                event = event.model_copy(update=more)
            if "program" not in places:
                return event
            bad = {"main.py": "\n".join(HOSTILE)}
            initial = replace(event.initial, files=bad)
            return event.model_copy(update={"initial": initial})
        case Proposed() if event.proposal is not None and "program" in places:
            old = event.proposal.solution
            made = replace(old, files={"main.py": f"# {line}\n{old.text}\n{text}"})
            proposal = replace(event.proposal, solution=made, direction=text, notes=(text,))
            return event.model_copy(update={"proposal": proposal})
        case Evaluated() if "output" in places:
            case = FailedCase(name=text, expected=text, got=line, input=text)
            found = replace(event.evaluation, feedback=line, failing=(case,))
            return event.model_copy(update={"evaluation": found})
        case Replied() if "reply" in places:
            return event.model_copy(update={"text": f"{event.text}\n{line}", "model": text})
        case _:
            return event
