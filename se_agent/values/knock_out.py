"""What single edits of a champion turned out to be worth."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from se_agent.values.evaluation import Status
from se_agent.values.solution import Edit


class KnockOutOutcome(StrEnum):
    """What came of leaving an edit out."""

    GAIN = "gain"
    """The program is slower, or scores less, without it, and that is proven."""
    NEEDED = "needed"
    """The program is wrong without it."""
    BOUND = "bound"
    """The other edits find no place without it."""
    UNSEEN = "unseen"
    """No effect beyond the margin is proven either way."""
    HARM = "harm"
    """The program is better without it, and that is proven."""
    REFUTED = "refuted"
    """Not measured: the champion itself is wrong on the inputs that were drawn."""


@dataclass(frozen=True, kw_only=True)
class KnockOut:
    """What one edit is worth.

    Attributes:
        edit: It was left out, and all others stayed.
        outcome: What came of that.
        status: How the program without it ended; of a refuted one, the champion.
        effect: Log of what is taken without it over what is taken with it, or what the score
            loses; above 0 the edit gains. None: not measured.
        low: Low end of the 99 % interval of the effect.
        high: Its high end.
        credited: Share of the initial program's cost that the run's memory believes the edit
            saves; None: it believes nothing. It ranks edits as effects do.
    """

    edit: Edit
    outcome: KnockOutOutcome
    status: Status = Status.AC
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    credited: float | None = None


@dataclass(frozen=True, kw_only=True)
class KnockOutTable:
    """Knock-outs of one champion.

    Attributes:
        solution: Id of the champion.
        content: Digest of its text.
        seed: Seed by which inputs are drawn, where they are.
        blocks: Blocks of each comparison.
        edits: How many edits the champion has.
        rows: Knock-outs so far, the last edit first.
    """

    solution: str
    content: str
    seed: int
    blocks: int
    edits: int
    rows: tuple[KnockOut, ...] = ()

    def continues(self, other: KnockOutTable) -> bool:
        """Say whether the rows of another table are of this one, too."""
        return (self.content, self.seed, self.blocks, self.edits) == (
            other.content,
            other.seed,
            other.blocks,
            other.edits,
        )
