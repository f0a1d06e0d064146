"""What can happen between a run and its models, or the person who watches it, as it is written.

Not here: what is said (`messages`), and all other events (`events`).
"""

from __future__ import annotations

import datetime as dt
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from se_agent.chat.messages import Usage
from se_agent.values.lesson import Direction
from se_agent.values.search_context import Strategy
from se_agent.values.session import SessionMemory


class EventBase(BaseModel):
    """What every event has: when it happened, and the slot that it belongs to (-1: none)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: dt.datetime = Field(default_factory=lambda: dt.datetime.now(dt.UTC))
    slot: int = -1


class Replied(EventBase):
    """A model answered.

    Attributes:
        role: What the call was for.
        attempt: From 0; each further one follows an unusable reply, or what was read.
        model: Name in the run file.
        request: Digest under which the journal keeps what was asked.
        text: The reply. The journal keeps a large one apart, and gives it back here.
        digest: Digest of a reply that is kept apart; empty: `text` is all of it.
        usage: As charged.
        lost: Estimated usage of attempts before it that gave no reply and may be billed.
        counted: Tokens of the prompt as they were counted before the call; 0: not on record.
        money: What it cost, with what was lost, in the run file's currency; None: it names no
            prices.
        seconds: On the clock on the wall.
        thoughts: Digest under which the journal keeps what the model thought on the way; empty:
            the endpoint sent none of it (SQ-01).
    """

    kind: Literal["replied"] = "replied"
    role: str
    attempt: int = 0
    model: str
    request: str = ""
    text: str
    digest: str = ""
    usage: Usage = Usage()
    lost: Usage = Usage()
    counted: int = 0
    money: float | None = None
    seconds: float = 0.0
    complete: bool = True
    thoughts: str = ""

    @property
    def paid(self) -> Usage:
        """Tokens that count against the budget."""
        return self.usage + self.lost


class Objected(EventBase):
    """A reply could not be used; the model is told why, once.

    Attributes:
        why: In the words for the model.
    """

    kind: Literal["objected"] = "objected"
    role: str
    attempt: int = 0
    why: str


class Unanswered(EventBase):
    """No reply could be had: an endpoint failed, or there was no room for the call.

    Attributes:
        request: Digest under which the journal keeps what was asked, or would have been once
            more; empty: nobody was asked.
        limit: Name of the budget that had none; empty: it is for another reason.
        lost: Estimated usage of attempts that gave no reply and may be billed.
        money: What these cost, in the run file's currency; None: it names no prices.
    """

    kind: Literal["unanswered"] = "unanswered"
    role: str
    attempt: int = 0
    model: str
    request: str = ""
    why: str
    limit: str = ""
    lost: Usage = Usage()
    money: float | None = 0.0
    seconds: float = 0.0

    @property
    def paid(self) -> Usage:
        """Tokens that count against the budget."""
        return self.lost


class Lost(EventBase):
    """A call that ended the run without a reply: it is made again when the run goes on.

    Attributes:
        request: Digest under which the journal keeps what was asked.
        why: What ended it.
        lost: Estimated usage of attempts that may be billed.
        money: What these cost, in the run file's currency; None: it names no prices.
    """

    kind: Literal["lost"] = "lost"
    role: str
    attempt: int = 0
    model: str
    request: str = ""
    why: str = ""
    lost: Usage = Usage()
    money: float | None = 0.0
    seconds: float = 0.0

    @property
    def paid(self) -> Usage:
        """Tokens that count against the budget."""
        return self.lost


class Planned(EventBase):
    """The slot made strategies; it has no candidate."""

    kind: Literal["planned"] = "planned"
    strategies: tuple[Strategy, ...]


class Told(EventBase):
    """A person entered a direction, or a constraint; `slot` is the step closed next.

    `memory_version` is LocalMemory's, which a constraint leaves as it is.
    """

    kind: Literal["told"] = "told"
    direction: str
    memory_version: int
    constraint: bool = False


class RolledBack(EventBase):
    """The directions are again those of an earlier version; `slot` is the step closed next.

    What else memory holds stays. Slots of an open generation are asked with what was known when
    it was opened all the same: they see one past. `version` is whose `directions` these are,
    `memory_version` LocalMemory's from here on. Where there is a `session`, it is what roles
    agree on again, as in that version of it, and directions stay.
    """

    kind: Literal["rolled_back"] = "rolled_back"
    version: int
    directions: tuple[Direction, ...]
    memory_version: int
    session: SessionMemory | None = None


ChatEvent = Replied | Unanswered | Lost | Objected | Planned | Told | RolledBack
