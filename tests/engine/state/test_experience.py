"""Runs of one workspace learn from each other, and never need to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.events import Remembered, Started
from se_agent.memory.experience.schema import FILE, read
from se_agent.problem.model import ProblemKind
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import CrashAt, events_of, factory, ran
from tests.fakes import Step1, Step3, number_problem, number_run

LEARNING = {"prior": True}


def learned(results: Path, name: str = "run", **memory: object) -> Result:
    return ran(results, name=name, budget={"evaluations": 16}, memory=LEARNING | memory)


def started(result: Result) -> Started:
    (event,) = (event for event in events_of(result) if isinstance(event, Started))
    return event


def notes(result: Result) -> list[str]:
    return [event.note for event in events_of(result) if isinstance(event, Remembered)]


@pytest.mark.tier("runs")
def test_a_second_run_begins_with_what_the_first_found_out(tmp_path: Path) -> None:
    first = learned(tmp_path, "first")
    second = learned(tmp_path, "second")
    assert started(first).prior == {}
    assert started(second).prior.keys() == {Step1.name, Step3.name}
    assert started(second).prior_from == f"1 earlier run in {tmp_path / FILE}"
    assert notes(first) == notes(second) == [""]
    assert read(tmp_path / FILE).runs == 2


def test_what_was_tried_is_counted(tmp_path: Path) -> None:
    result = learned(tmp_path)
    known = read(tmp_path / FILE).trials
    assert sum(one.tries for one in known) == result.evaluations
    assert all(one.family == "numbers" for one in known)
    assert all(0 < one.credit <= one.wins <= one.tries for one in known)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("kind", [ComparisonKind.TIMED, ComparisonKind.EXACT])
def test_scores_have_no_ratio(tmp_path: Path, kind: ComparisonKind) -> None:
    start(
        number_run(tmp_path, name="run", memory=LEARNING),
        problem=number_problem(timed=kind is ComparisonKind.TIMED),
        evaluators=factory(kind),
    )
    known = read(tmp_path / FILE).trials
    assert sum(one.wins for one in known) > 0
    assert (sum(one.gain for one in known) > 0) == (kind is ComparisonKind.TIMED)


@pytest.mark.tier("runs")
def test_a_run_can_do_without(tmp_path: Path) -> None:
    learned(tmp_path, "first")
    alone = learned(tmp_path, "second", prior=False)
    assert started(alone).prior == {}
    assert notes(alone) == []
    assert read(tmp_path / FILE).runs == 1


@pytest.mark.tier("runs")
def test_what_programs_say_of_themselves_teaches_no_other_run(tmp_path: Path) -> None:
    boasting = start(
        number_run(tmp_path, name="first", memory=LEARNING),
        problem=replace(number_problem(), kind=ProblemKind.COMMAND),
        evaluators=factory(ComparisonKind.EXACT),
    )
    assert notes(boasting) == ["what untrusted scores taught is for no other run"]
    assert started(learned(tmp_path, "second")).prior == {}
    assert read(tmp_path / FILE).runs == 1


@pytest.mark.tier("runs")
def test_its_own_family_can_be_left_out(tmp_path: Path) -> None:
    learned(tmp_path, "first")
    other = learned(tmp_path, "second", exclude_families=["numbers"])
    assert started(other).prior == {}
    assert started(other).prior_from == ""


def test_a_broken_file_costs_a_warning_and_no_run(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 400)
    result = learned(tmp_path)
    assert result.status == "proven"
    assert started(result).prior == {}
    assert "not a memory that can be used" in started(result).prior_from
    assert "not a memory that can be used" in notes(result)[0]


@pytest.mark.tier("runs")
def test_the_recorded_prior_is_replayed_whatever_was_learned_since(tmp_path: Path) -> None:
    learned(tmp_path, "first")
    result = learned(tmp_path, "second")
    learned(tmp_path, "third")
    assert replay(Path(result.run)).differences == ()


@pytest.mark.tier("runs")
@pytest.mark.parametrize("kind", ["learned", "confirmed", "remembered"])
def test_a_resumed_run_keeps_its_prior_and_is_counted_once(tmp_path: Path, kind: str) -> None:
    learned(tmp_path, "first")
    whole = learned(tmp_path, "whole")
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path / "b", name="broken", memory=LEARNING),
            problem=number_problem(),
            evaluators=factory(ComparisonKind.EXACT),
            listeners=[CrashAt(kind)],
        )
    result = resume(tmp_path / "b" / "broken", evaluators=factory(ComparisonKind.EXACT))
    assert result.status == whole.status
    assert read(tmp_path / "b" / FILE).runs == 1
    assert started(result).prior == {}


@pytest.mark.tier("runs")
def test_a_frozen_prior_is_the_same_for_each_run_of_a_series(tmp_path: Path) -> None:
    learned(tmp_path, "before")
    series = [learned(tmp_path, f"seed{n}", prior="read") for n in range(2)]
    first, second = map(started, series)
    assert first.prior == second.prior
    assert first.prior.keys() == {Step1.name, Step3.name}
    told = f"1 earlier run in {tmp_path / FILE}; this run adds nothing to it"
    assert first.prior_from == second.prior_from == told
    assert [notes(result) for result in series] == [[], []]
    assert read(tmp_path / FILE).runs == 1


@pytest.mark.tier("runs")
@pytest.mark.parametrize("off", [False, "off"])
def test_a_run_without_neither_reads_nor_adds(tmp_path: Path, off: object) -> None:
    learned(tmp_path, "before")
    alone = learned(tmp_path, "alone", prior=off)
    assert (started(alone).prior, started(alone).prior_from, notes(alone)) == ({}, "", [])
    assert read(tmp_path / FILE).runs == 1


@pytest.mark.tier("runs")
def test_a_run_may_add_what_it_found_out_and_read_nothing(tmp_path: Path) -> None:
    learned(tmp_path, "before")
    alone = learned(tmp_path, "alone", prior="write")
    assert (started(alone).prior, notes(alone)) == ({}, [""])
    assert read(tmp_path / FILE).runs == 2


@pytest.mark.tier("runs")
def test_a_frozen_prior_is_kept_by_a_run_that_is_resumed_and_replayed(tmp_path: Path) -> None:
    learned(tmp_path, "before")
    frozen = LEARNING | {"prior": "read"}
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, name="broken", memory=frozen),
            problem=number_problem(),
            evaluators=factory(ComparisonKind.EXACT),
            listeners=[CrashAt("learned")],
        )
    learned(tmp_path, "meanwhile")
    result = resume(tmp_path / "broken", evaluators=factory(ComparisonKind.EXACT))
    whole = ran(tmp_path / "b", name="whole", memory=LEARNING)
    assert started(result).prior.keys() == {Step1.name, Step3.name}
    assert started(result).prior_from.startswith("1 earlier run in ")
    assert result.status == whole.status
    assert replay(Path(result.run)).differences == ()
    assert read(tmp_path / FILE).runs == 2
