"""The seed of a confirmation: made when it begins, so that nothing before can know its inputs.

It is on record before anything is measured by it: who takes up the run again draws the same.
Not here: what is drawn (`se_agent.abilities.evaluator.Drawing`).
"""

from __future__ import annotations

from collections.abc import Callable

from se_agent.abilities.evaluator import Drawing
from se_agent.engine.judging.evaluator_pool import RUN, Arena, Recorder
from se_agent.events import Seeded

Seeds = Callable[[], int | None]
"""Gives the seed of a confirmation; None: its inputs are those of the seed of the run."""


def draw(arena: Arena, record: Recorder, seeds: Seeds) -> None:
    """Have a confirmation draw by a seed of its own, where its evaluators draw at all."""
    drawing = [one for one in arena.evaluators if isinstance(one, Drawing)]
    if drawing and record.state.seeded is None and (seed := seeds()) is not None:
        record(Seeded(slot=RUN, seed=seed))
    for one in drawing:
        if record.state.seeded is not None:
            one.draw(record.state.seeded.seed)
