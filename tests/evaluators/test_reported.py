"""The one door for what a jail reports: what fits passes, and all else is a `WireError`."""

from __future__ import annotations

import contextlib
import json
import math
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evaluators import reported
from evaluators.observing.report import LineCosts, ProgramText, reached
from evaluators.running.shown import shown
from evaluators.sandbox.frames import COMPILED
from evaluators.sandbox.job import JobAnswer
from experiments.bench.doors import DOORS, Forging, observed
from experiments.bench.readers import counted
from se_agent import wire
from se_agent.engine.journal.journal import Journal
from se_agent.errors import JournalError, WireError
from se_agent.events import Observed
from se_agent.values.observation import HotLine, Observation

TEXT = ProgramText.of("def f(n):\n    return n\n")
ENDLESS = range(10**20)


@pytest.mark.parametrize("found", [math.inf, -math.inf, math.nan, True, "1", None, ENDLESS])
def test_a_figure_is_a_finite_number(found: object) -> None:
    with pytest.raises(WireError, match="where a number is due"):
        reported.figure(found)


@pytest.mark.parametrize(
    ("found", "kept"),
    [(10**5000, reported.MOST), (-(10**400), 0), (1e308, reported.MOST), (0.5, 0.5), (7, 7)],
    ids=["huge", "negative", "a-large-float", "seconds", "hits"],
)
def test_a_figure_is_cut_to_what_a_journal_holds(found: float, kept: float) -> None:
    assert reported.figure(found) == kept


@pytest.mark.parametrize("found", [0, 3, -1, True, 1.0, "1", None])
def test_a_line_is_one_of_those_that_there_are(found: object) -> None:
    assert [reported.place(line, 2) for line in (1, 2)] == [1, 2]
    with pytest.raises(WireError, match="a line"):
        reported.place(found, 2)


@pytest.mark.parametrize("found", [ENDLESS, {1: 2}, "ab", 1, None])
def test_rows_are_a_list_or_a_tuple(found: object) -> None:
    with pytest.raises(WireError, match="where a list is due"):
        reported.rows(found)


@pytest.mark.parametrize("digits", [b"", b"9" * 5000, b"1.5", b"-1", b"\xd9\xa1"])
def test_a_count_in_decimal_has_few_digits(digits: bytes) -> None:
    assert reported.count(digits) is None
    assert reported.count(b"0123") == 123


@pytest.mark.parametrize("told", [math.nan, math.inf, -math.inf, -1.0, 1e308])
def test_seconds_that_a_process_says_are_within_bounds(told: float) -> None:
    (packed,) = COMPILED.unpack(COMPILED.pack(told))
    assert 0 <= reported.seconds(packed, 0.01) <= 0.01


@pytest.mark.parametrize(
    "report",
    [
        pytest.param([True, ENDLESS, [], 0.0], id="endless-rows"),
        pytest.param([True, [("f", 2, math.inf, 0.1, 1)], [], 0.0], id="hits-for-ever"),
        pytest.param([True, [("f", 2, math.nan, 0.1, 1)], [], 0.0], id="no-hits"),
        pytest.param([True, [("f", 2, 1, 0.1, 10**400)], [], math.inf], id="no-least"),
        pytest.param([True, [("f", 2, 1, 0.1, 1)], [("f", math.inf, 1)], 0.0], id="the-whole"),
    ],
)
def test_a_forged_profile_is_none_and_ends_nothing(report: Any) -> None:
    _, costs, whole, least = report
    found = LineCosts(TEXT, timed=True)
    with contextlib.suppress(WireError):
        found.add(costs, whole, least)
    assert all(0 <= line.hits <= reported.MOST for line in found.hot())
    assert reached(TEXT, [report, [True, [("f", 1, 1, 0.0, 1)]]]) >= {("", 1)}


def test_a_report_that_is_endless_is_no_report_of_lines() -> None:
    forged = [JobAnswer(value=wire.dumps(ENDLESS))]
    assert observed(Forging(forged=forged)).hot == ()


@pytest.mark.parametrize(
    "data",
    [
        b'{"n":["<M8","0100000000000000",[1]]}',
        b'{"g":["<m8","0100000000000000"]}',
        b'[{"n":["<M8","0100000000000000",[]]}]',
    ],
)
def test_a_time_that_numpy_cannot_write_is_shown_by_its_type(data: bytes) -> None:
    assert shown(wire.loads(data))


def test_a_key_of_any_length_is_told_in_an_error() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    with pytest.raises(WireError, match="nested deeper"):
        wire.dumps({10**5000: deep})


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    hot = HotLine(function="f", line=2, text="", share=1.0, hits=10**5000)
    event = Observed(solution="a", observation=Observation(hot=(hot,)))
    with Journal(tmp_path / "run.db") as journal:
        with pytest.raises(JournalError, match="observed of slot -1 is not written"):
            journal.append(event)
        assert list(journal.events()) == []


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    hot = HotLine(function="f", line=2, text="half \ud800", share=1, hits=3)
    event = Observed(solution="a", observation=Observation(hot=(hot,)))
    with Journal(tmp_path / "run.db") as journal:
        assert journal.append(event) == tuple(journal.events())


@pytest.mark.tier("hunts")
def test_forgeries_crash_no_reader_and_all_events_come_back() -> None:
    counts = counted(2000, seed=1)
    assert set(counts) == set(DOORS)
    assert {name: one.why for name, one in counts.items() if one.crashes} == {}
    assert sum(one.others for one in counts.values()) == 0
    assert sum(one.events for one in counts.values()) > 1500


def test_forgeries_are_the_same_for_one_seed() -> None:
    made = [DOORS["answers"][0](Random("1 7")) for _ in range(2)]
    told = [[json.loads(e.model_dump_json(exclude={"at"})) for e in one] for one in made]
    assert told[0] == told[1]
