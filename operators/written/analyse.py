"""What a program is like, and what it has to keep to: tags and no candidate (LF-35).

The engine takes the tags of its reply into session memory, as it does with any reply.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from operators.written.prompting import messages
from se_agent.chat.messages import Message, Role
from se_agent.errors import ReplyError
from se_agent.values.brief import Brief

_TAG = re.compile(r"<(archetype|api_constraint)\b")
_NONE = (
    "there is no tag in it: answer with `<archetype type=... phases=... />` and with "
    "`<api_constraint>...</api_constraint>` for each thing that callers rely on"
)


class Analyse:
    """Reads the program beside all archetypes of a pack, and names what fits and what binds."""

    name: ClassVar[str] = "analyse"
    role: ClassVar[str] = Role.ANALYSE
    arity: ClassVar[int] = 1
    by_default: ClassVar[bool] = False

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        """Return the messages, what never changes first; see `ModelWritten`."""
        return messages(self.name, brief, brief.slot.parents[0])

    def parse(self, reply: str, brief: Brief) -> None:
        """Return None: there is no candidate in an analysis.

        Raises:
            ReplyError: There is no tag in it either.
        """
        if not _TAG.search(reply):
            raise ReplyError(_NONE)


if TYPE_CHECKING:
    from se_agent.protocols import ModelWritten

    _: ModelWritten = Analyse()
