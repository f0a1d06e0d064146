"""The world of lessons: a scripted model adds an idea, and hears what earlier ones brought.

Programs are sets of ideas (`experiments/figures/ideas.py`): some bring a point, some take one,
some make the program wrong. The model draws anew when its idea is said to have failed, and
takes one that is said to have worked, as often as its compliance says.

Arms: `outcomes` is told what came of earlier steps, `raw` these steps word by word,
`directions` the directions of LocalMemory, `built` directions and bank; `stale` is told as
much, of a world in which the ideas had other places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from experiments.figures.ideas import IDEAS, Listener, Worth, good_ideas, named
from experiments.worlds.arms import BUILT, NONE, RAW, SIBLINGS, TIERS, Arm, World, model_parts
from experiments.worlds.reading import earlier_answers, sibling_lines
from se_agent.chat.messages import Message
from se_agent.config.sections import Endpoint

TURNED = 7
"""Places by which ideas have moved since the lessons that are stale."""

_APPLIED = re.compile(r"Apply idea (\d+)")
_OUTCOME = re.compile(r"^Outcome \(step \d+\): (.*)", re.MULTILINE)


class Learner(Listener):
    """A listener that also hears what stands in earlier steps and among rejected siblings.

    Its name says compliance and seed, and `stale` where the ideas have changed places.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        compliance, seed, misread = model_parts(endpoint.name)
        super().__init__(endpoint.model_copy(update={"name": f"{compliance} seed {seed}"}))
        self._turned = TURNED if misread else 0

    def heard(self, messages: Sequence[Message]) -> tuple[set[int], set[int]]:
        """Return which ideas are said to have worked, and which to have failed."""
        worked, failed = named(messages[0].content)
        for answer in earlier_answers(messages):
            outcome = _OUTCOME.search(answer)
            ideas = {int(number) for number in _APPLIED.findall(answer)}
            if outcome and "better" in outcome[1]:
                worked |= ideas
            elif outcome and "no change" not in outcome[1]:
                failed |= ideas
        for line in sibling_lines(messages[-1].content):
            failed |= {int(number) for number in _APPLIED.findall(line)}
        return self._today(worked - failed), self._today(failed - worked)

    def _today(self, ideas: set[int]) -> set[int]:
        return {(idea + self._turned) % IDEAS for idea in ideas}


LESSONS = World(
    name="lessons",
    arms={
        NONE: Arm(),
        "outcomes": Arm(memory={"context": {"history": "outcomes"}}),
        RAW: Arm(memory={"context": {"history": "full"}}),
        "directions": Arm(memory={"local": {"bank": False}}),
        BUILT: Arm(memory={"local": {}}),
        "stale": Arm(memory={"local": {}}, misread="stale"),
        SIBLINGS: Arm(siblings=True),
        TIERS: Arm(
            memory={"local": {}, "context": {"history": "full"}, "session": {"shown": True}}
        ),
    },
    provider="experiments.worlds.lessons:Learner",
    evaluator=Worth,
    wanted=good_ideas,
    policy="sequential_refine",
    operators=("rewriting",),
)

if TYPE_CHECKING:
    from se_agent.protocols import Model

    _model: Model = Learner(Endpoint(name="0.5 seed 0"))
