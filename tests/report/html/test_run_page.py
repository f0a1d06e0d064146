"""The data of a run's page: read on as the run goes on, they are those of one reading."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any  # a page holds JSON of any shape

import pytest

from se_agent.analysis.run_tables.followed_run import FollowedRun
from se_agent.engine.journal.journal import Journal
from se_agent.errors import JournalError
from se_agent.events import Event
from se_agent.report.html.run_data import RunPage
from se_agent.report.html.text_pool import TextPool
from tests.finished import finished, recorded
from tests.report.html.runs import asked_run

FEW = {"evaluations": 6}


def spelled(page: RunPage) -> dict[str, Any]:
    """Return the data of a page with each text in the place of its number."""
    found, pool = page.data()
    texts = pool.plain()
    data: dict[str, Any] = json.loads(json.dumps(found))
    *_, text, detail = data["steps"]["fields"]
    assert (text, detail) == ("text", "detail")
    for row in data["steps"]["rows"]:
        row[-2] = row[-2] is not None and texts[row[-2]]
        row[-1] = _detail(texts[row[-1]], texts)
    for program in data["programs"]:
        program |= {"text": texts[program["text"]]}
        program |= {"detail": _detail(texts[program["detail"]], texts)}
    data["memory"]["text"] = json.loads(texts[data["memory"]["text"]])
    return data


def _detail(text: str, texts: Sequence[str]) -> dict[str, Any]:
    detail: dict[str, Any] = json.loads(text)
    for call in detail["calls"]:
        call["asked"] = [[role, texts[number]] for role, number in call["asked"] or ()]
        call["reply"] = call["reply"] is not None and texts[call["reply"]]
    for case in detail["failing"]:
        case |= {key: texts[case[key]] for key in ("input", "expected", "got")}
    return detail


def begun(whole: Path, folder: Path) -> Path:
    """Return a folder in which nothing of a run has happened yet."""
    shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("run.*"))
    return folder


def go_on(folder: Path, events: Sequence[Event], whole: Path) -> None:
    """Let a run go on by events of another one, with the texts that they name."""
    with Journal(whole / "run.db", write=False) as other, Journal(folder / "run.db") as journal:
        requests = [request for e in events if (request := getattr(e, "request", ""))]
        listed = [other.text(request) for request in requests]
        parts = [other.text(part) for each in listed for _, part in json.loads(each)]
        journal.append(*events, texts=[*listed, *parts])


@pytest.mark.tier("runs")
@pytest.mark.parametrize("kind", ["asked", "timed"])
def test_read_on_is_the_same_as_read_at_once(kind: str, tmp_path: Path) -> None:
    home = tmp_path / "whole"
    whole = asked_run(home) if kind == "asked" else finished(home, timed=True)
    events = list(recorded(whole))
    folder = begun(whole, tmp_path / "run")
    live, size = RunPage(folder), max(1, len(events) // 6)
    for at in range(0, len(events), size):
        go_on(folder, events[at : at + size], whole)
        assert spelled(live) == spelled(RunPage(folder))


@pytest.mark.tier("runs")
def test_no_event_is_read_twice(tmp_path: Path) -> None:
    whole = finished(tmp_path / "whole", timed=True)
    events, heard = list(recorded(whole)), list[Event]()
    folder = begun(whole, tmp_path / "run")
    run = FollowedRun(folder, heard.append)
    for part in (events[:30], events[30:31], events[31:]):
        with Journal(folder / "run.db") as journal:
            journal.append(*part)
            assert run.is_same(journal)
            run.read_on(journal)
            run.read_on(journal)
    assert heard == events


def test_another_journal_in_its_place_is_read_from_its_beginning(tmp_path: Path) -> None:
    first, other = (
        finished(tmp_path / name, timed=True, seed=n, budget=FEW) for n, name in enumerate("ab")
    )
    live = RunPage(first)
    before = spelled(live)
    shutil.copy(other / "run.db", first / "run.db")
    after = spelled(live)
    assert after == spelled(RunPage(first))
    assert after["summary"]["seed"] != before["summary"]["seed"]


@pytest.mark.tier("runs")
def test_after_a_reading_that_failed_it_begins_anew(tmp_path: Path) -> None:
    folder = finished(tmp_path, timed=True)
    live = RunPage(folder)
    before = spelled(live)
    kept = (folder / "run.db").read_bytes()
    for file in folder.glob("run.db-*"):
        file.unlink()
    (folder / "run.db").write_bytes(b"no journal" * 100)
    with pytest.raises(JournalError, match="not a journal"):
        live.data()
    (folder / "run.db").write_bytes(kept)
    assert spelled(live) == before


def test_copies_of_a_pool_pack_alike_what_they_have_in_common() -> None:
    pool = TextPool(plain=0, part=30)
    for n in range(8):
        pool.add(f"text number {n}")
    first, second = pool.copy(), pool.copy()
    first.add("one more")
    second.add("another text that is longer than a part may be")
    for copy in (first, second, first):
        alone = TextPool(plain=0, part=30)
        for text in copy.plain():
            alone.add(text)
        assert list(copy.packed()) == list(alone.packed())
