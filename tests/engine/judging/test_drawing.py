"""The seed of a confirmation: made when it begins, on record, the same for who takes it up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.events import BlockMeasured, Challenged, Event, Seeded
from se_agent.report.story import Story
from se_agent.report.words.doubts import doubts
from se_agent.values.doubts import UNSEARCHED
from se_agent.values.evaluation import ComparisonKind, Hunt, InputSet
from se_agent.values.solution import Solution
from tests.engine.challengers import Believer
from tests.engine.runs import CrashAt, events_of, ran
from tests.fakes import number_problem, number_run


class Drawer(Believer):
    """Notes the seeds that it draws by."""

    def __init__(self) -> None:
        super().__init__(ComparisonKind.TIMED)
        self.seeds: list[int] = []

    def draw(self, seed: int) -> None:
        """Note it."""
        self.seeds.append(seed)


class Dull(Drawer):
    """Its searches compare nothing once it draws by another seed."""

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Find no input any more."""
        found = super().hunt(solution, seconds=seconds, strict=strict)
        return Hunt(note="no input was answered") if self.seeds else found


def counting(first: int = 7) -> Iterator[int]:
    return count(first)


def drawn(
    results: Path, drawer: Drawer, seeds: Iterator[int], *listeners: CrashAt, **changes: object
) -> Result:
    return start(
        number_run(results, **changes),
        problem=number_problem(timed=True),
        evaluators=lambda problem, config: drawer,
        listeners=listeners,
        seeds=seeds.__next__,
    )


def seeds_of(events: list[Event]) -> list[int]:
    return [event.seed for event in events if isinstance(event, Seeded)]


@pytest.mark.tier("runs")
def test_it_is_on_record_before_anything_is_measured_by_it(tmp_path: Path) -> None:
    drawer = Drawer()
    events = events_of(drawn(tmp_path, drawer, counting()))
    kinds = [event.kind for event in events]
    final = [
        number
        for number, event in enumerate(events)
        if isinstance(event, BlockMeasured) and event.inputs is InputSet.FINAL
    ]
    assert kinds.index("search_ended") < kinds.index("seeded") < min(final)
    assert seeds_of(events) == drawer.seeds == [7]


@pytest.mark.tier("runs")
def test_every_worker_draws_by_it(tmp_path: Path) -> None:
    drawers: list[Drawer] = []

    def made(problem: object, config: object) -> Drawer:
        drawers.append(Drawer())
        return drawers[-1]

    problem, config = number_problem(timed=True), number_run(tmp_path, workers=2)
    start(config, problem=problem, evaluators=made, seeds=lambda: 9)
    assert [drawer.seeds for drawer in drawers] == [[9], [9]]


@pytest.mark.tier("runs")
def test_who_draws_nothing_has_none(tmp_path: Path) -> None:
    assert seeds_of(events_of(ran(tmp_path, timed=True))) == []


@pytest.mark.tier("runs")
@pytest.mark.parametrize("kind", ["seeded", "confirmed"])
def test_a_run_that_is_taken_up_draws_by_the_same(tmp_path: Path, kind: str) -> None:
    with pytest.raises(SandboxError, match="the machine gave up"):
        drawn(tmp_path, Drawer(), counting(7), CrashAt(kind))
    (folder,) = (path.parent for path in tmp_path.rglob("run.db"))
    drawer = Drawer()
    result = resume(
        folder, evaluators=lambda problem, config: drawer, seeds=counting(99).__next__
    )
    assert seeds_of(events_of(result)) == [7]
    assert drawer.seeds == ([7] if kind == "seeded" else [])
    assert replay(folder).differences == ()


@pytest.mark.tier("runs")
def test_a_run_that_goes_on_after_its_end_draws_by_another(tmp_path: Path) -> None:
    budget = {"evaluations": 8}
    result = drawn(tmp_path, Drawer(), counting(7), budget=budget)
    drawer, folder = Drawer(), Path(result.run)
    result = resume(
        folder,
        evaluators=lambda problem, config: drawer,
        overrides=["budget.evaluations=16"],
        seeds=counting(99).__next__,
    )
    assert seeds_of(events_of(result)) == [7, 99]
    assert drawer.seeds == [99]
    assert replay(folder).differences == ()


@pytest.mark.tier("runs")
def test_the_best_faces_a_search_by_it_whatever_it_faced_before(tmp_path: Path) -> None:
    events = events_of(drawn(tmp_path, Drawer(), counting()))
    place = next(n for n, event in enumerate(events) if isinstance(event, Seeded))
    before, after = (
        {event.solution for event in part if isinstance(event, Challenged)}
        for part in (events[:place], events[place:])
    )
    assert after
    assert after <= before


@pytest.mark.tier("runs")
def test_an_older_run_is_replayed_without_one(tmp_path: Path) -> None:
    """It had evaluators that draw, and no seed of its own for them."""
    folder = Path(ran(tmp_path, timed=True).run)
    assert replay(folder).differences == ()


@pytest.mark.tier("runs")
def test_a_later_search_that_compares_nothing_is_no_doubt_about_an_earlier_one(
    tmp_path: Path,
) -> None:
    story = Story.of(events_of(drawn(tmp_path, Dull(), counting())))
    assert story.confirmed is not None
    assert story.confirmed.status == "proven"
    assert UNSEARCHED not in {doubt.name for doubt in doubts(story)}
