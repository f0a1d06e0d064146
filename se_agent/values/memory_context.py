"""What memory gives: texts to prompts, and advice to policies. Frozen and without I/O.

Not here: how memory comes to know it (`se_agent.memory`), nor what is made of it (`operators`,
`se_agent.engine.search`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from se_agent.values.session import NOTHING_AGREED, SessionMemory
from se_agent.values.solution import Edit


@dataclass(frozen=True, kw_only=True)
class ContextSection:
    """What one tier of memory says in a prompt.

    Attributes:
        source: Name of the tier.
        text: Whole lines, each with its end; never empty.
        tokens: Tokens of the text, as the run counts; never more than the limit of the tier.
    """

    source: str
    text: str
    tokens: int


@dataclass(frozen=True, kw_only=True)
class MemoryContext:
    """What memory says in the prompt of one slot, fixed when the slot was selected.

    Attributes:
        sections: In the order of the tiers; a tier that says nothing has none.
        footer: What a reply may add for other roles, as part of what is asked for; whole lines,
            or empty: nothing.
        shown: Ids of the steps whose lessons and directions it shows, the most valuable first.
        withheld: Ids of those whose lesson is left out, for the program has nothing of it.
        items: Ids of the lessons of earlier runs that it shows.
        items_withheld: Ids of those that suit the program, and that chance left out.
    """

    sections: tuple[ContextSection, ...] = ()
    footer: str = ""
    shown: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    items_withheld: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All sections, an empty line between two; empty where memory says nothing."""
        return "\n".join(section.text for section in self.sections)

    @property
    def tokens(self) -> int:
        """Tokens of all sections."""
        return sum(section.tokens for section in self.sections)


class Believed(NamedTuple):
    """What memory believes of a change that was tried, alone or together with others.

    Attributes:
        gain: Share of the initial program's cost that it saves.
        error: Standard error of that.
        blame: How likely it is what made a program wrong, or slower: 0 where another program
            had it without that harm, 1 where nothing else can have been it.
        measured: Whether a right program told what it saves; else `gain` is a guess.
    """

    gain: float
    error: float
    blame: float
    measured: bool = True


class NextAction(NamedTuple):
    """What an agent might do next, and why; the most urgent comes first."""

    agent: str
    action: str
    why: str


def _nothing() -> tuple[NextAction, ...]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What memory tells a policy: a soft prior, never a ban.

    Attributes:
        directions: Factor on the weight of a change by the key of the direction that it
            follows: above 1 for recommended directions, below 1 for tabu ones.
        believed: Tells what memory believes of each change that was tried; None: there is no
            memory, or the program is scored.
        prior: Wins and losses of operators in earlier runs, on programs like this one, as a
            bandit may begin with: a few at most.
        session: What all roles of the run agree on.
        actions: Tells what agents might do next, the most urgent first (AM-29).
    """

    directions: Mapping[str, float] = field(default_factory=dict)
    believed: Callable[[], Mapping[Edit, Believed]] | None = field(default=None, repr=False)
    prior: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    session: SessionMemory = NOTHING_AGREED
    actions: Callable[[], tuple[NextAction, ...]] = field(default=_nothing, repr=False)
