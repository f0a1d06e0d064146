"""The winner without one of its edits: a trial after the search. A fold of its events.

Not here: steps of the search (`story`), nor how a trial is worded (`steps`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from se_agent.events import BlockMeasured, Evaluated, Retested, Trimmed
from se_agent.values.evaluation import Evaluation, Status


@dataclass
class ModelTrial:
    """One trial, as far as it got.

    Attributes:
        id: Id of the program without the edit; empty before anything is known of it.
        evaluation: On the tests; the first one that it does not pass, if there is one.
        blocks: Blocks of its comparison with the winner.
        trimmed: What came of it; None while it is under way.
    """

    id: str = ""
    evaluation: Evaluation | None = None
    blocks: list[BlockMeasured] = field(default_factory=list)
    trimmed: Trimmed | None = None

    def hear(self, event: Evaluated | Retested | BlockMeasured | Trimmed) -> None:
        """Go on by one event of the trial."""
        match event:
            case BlockMeasured():
                self.blocks.append(event)
            case Trimmed():
                self.id, self.trimmed = event.solution.id, event
            case _:
                self.id = event.solution
                known = self.evaluation
                fails = event.evaluation.status is not Status.AC
                if known is None or (fails and known.status is Status.AC):
                    self.evaluation = event.evaluation

    @property
    def dropped(self) -> bool:
        """Whether the edit was left out for good."""
        return self.trimmed is not None and self.trimmed.dropped
