"""What a run has cost: the fold that the loop, the reports and `--json` share."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from se_agent.engine.journal.result import summarize
from se_agent.events import (
    BlockMeasured,
    Evaluated,
    Event,
    GenerationOpened,
    Started,
    dumps,
    loads,
)
from se_agent.stats.costs import Costs
from tests.finished import events


def opened(at: dt.datetime, *, cpu: float, wall: float) -> Event:
    return GenerationOpened(
        at=at, slot=0, generation=1, size=1, cpu_seconds=cpu, wall_seconds=wall
    )


def folded(past: Sequence[Event]) -> Costs:
    costs = Costs()
    for event in past:
        costs.apply(event)
    return costs


@pytest.mark.parametrize("timed", [True, False], ids=["timed", "scored"])
def test_candidates_cost_what_their_events_say(timed: bool) -> None:
    past = events(timed=timed)
    costs = folded(past)
    paid = sum(e.evaluation.cost_seconds for e in past if isinstance(e, Evaluated))
    paid += sum(e.block.cost_seconds for e in past if isinstance(e, BlockMeasured))
    paid += sum(e.cost_seconds for e in past if isinstance(e, Started))
    assert paid > 0
    assert costs.child_seconds == pytest.approx(paid)
    assert costs.evaluations == sum(isinstance(e, Evaluated) for e in past)


def test_a_reading_holds_the_engine_and_what_follows_comes_on_top() -> None:
    started, *rest = events(timed=True)
    assert isinstance(started, Started)
    begun, children = started.at, started.cost_seconds
    block = next(event for event in rest if isinstance(event, BlockMeasured))
    reading = opened(begun + dt.timedelta(seconds=9), cpu=children + 5.0, wall=9.0)
    later = block.model_copy(update={"at": begun + dt.timedelta(seconds=11)})
    costs = folded([started, reading, later])
    cpu = children + 5.0 + block.block.cost_seconds
    assert costs.engine_seconds == pytest.approx(5.0)
    assert costs.so_far().cpu_seconds == pytest.approx(cpu)
    assert costs.so_far().wall_seconds == pytest.approx(11.0)
    result = summarize(Path("r"), [started, reading, later])
    assert result.cpu_seconds == pytest.approx(cpu)


def test_a_reading_below_what_candidates_took_gives_the_engine_nothing_back() -> None:
    started, *_ = events(timed=True)
    assert folded([started, opened(started.at, cpu=0.0, wall=0.0)]).engine_seconds == 0.0


def test_a_start_that_does_not_say_what_its_check_cost_adds_nothing() -> None:
    started, *_ = events(timed=True)
    old = json.loads(dumps(started))
    assert old.pop("cost_seconds") > 0
    assert folded([loads(json.dumps(old))]).child_seconds == 0.0
