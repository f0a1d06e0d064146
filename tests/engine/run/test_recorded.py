"""A journal answers what a run asked its evaluators."""

from __future__ import annotations

from dataclasses import replace

from se_agent.abilities.evaluator import Growable
from se_agent.engine.run.recorded import RecordedEvaluator
from se_agent.events import Confirmed, Started
from se_agent.values.observation import Growth, GrowthPair
from tests.finished import events


def test_how_a_champion_grows_is_on_record() -> None:
    told = events(timed=True)
    line = Growth(exponent=1.0, low=0.9, high=1.1)
    pair = GrowthPair(old=line, new=line, sizes=(10, 100), steeper=False)
    (begun,) = (event for event in told if isinstance(event, Started))
    (end,) = (event for event in told if isinstance(event, Confirmed))
    changed = end.model_copy(update={"growth": pair})
    known = RecordedEvaluator([changed if event is end else event for event in told])
    assert isinstance(known, Growable)
    champion = replace(begun.initial, id=end.solution)
    assert known.growth(begun.initial, champion) == pair
