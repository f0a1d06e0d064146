"""What showing a lesson was worth, by stage of the search: steps with it against those without.

Pure and immutable. A share of few steps says little, so each is drawn towards the share of its
stage, as if there had been some steps more of that. It ranks what is shown, and bans nothing.
Not here: what one step in eight without any memory says (`se_agent.stats.memory_worth`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Stage = Literal["first_gain", "repair", "polish"]
"""Before any gain is proven; a failed program is mended; after a gain."""

PRIOR = 8
"""Steps of the stage's own share that each side is given."""

_KEPT = 512  # lessons by stage that are kept: those shown last


class ShownSteps(NamedTuple):
    """Judged steps, and those of them with a proven gain; of a repair, a right program."""

    gains: int = 0
    steps: int = 0

    def plus(self, gained: bool) -> ShownSteps:
        """Return them with a step more."""
        return ShownSteps(self.gains + gained, self.steps + 1)


@dataclass(frozen=True)
class Uplift:
    """What is known of all lessons.

    Attributes:
        shown: Steps that were shown a lesson, by stage and id of the lesson's step.
        all: All steps of a stage that were shown any memory.
    """

    shown: Mapping[tuple[Stage, str], ShownSteps] = field(default_factory=dict)
    all: Mapping[Stage, ShownSteps] = field(default_factory=dict)

    def after(self, stage: Stage, lessons: Iterable[str], *, gained: bool) -> Uplift:
        """Return what is known after a judged step that was shown these lessons."""
        shown = dict(self.shown)
        for lesson in lessons:
            shown[stage, lesson] = shown.pop((stage, lesson), ShownSteps()).plus(gained)
        kept = dict(list(shown.items())[-_KEPT:])
        return Uplift(kept, {**self.all, stage: self.all.get(stage, ShownSteps()).plus(gained)})

    def of(self, stage: Stage, lesson: str) -> float:
        """Return the share of gains with a lesson less that without; 0 where nothing is known.

        Args:
            stage: Stage of the step that may be shown it.
            lesson: Id of the step that the lesson comes from.
        """
        every, with_it = self.all.get(stage, ShownSteps()), self.shown.get((stage, lesson))
        if with_it is None:
            return 0.0
        without = ShownSteps(every.gains - with_it.gains, every.steps - with_it.steps)
        usual = (every.gains + 1) / (every.steps + 2)
        return _drawn(with_it, usual) - _drawn(without, usual)


def _drawn(side: ShownSteps, usual: float) -> float:
    return (side.gains + PRIOR * usual) / (side.steps + PRIOR)
