"""What a model declares before its program: direction, expected effect, lessons used.

Not here: the program itself (`reading`).
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, StringConstraints

from se_agent.chat.escaping import inline
from se_agent.chat.structured import validated
from se_agent.errors import ReplyError

_WIDTH = 240  # characters of a declared text
_LESSONS = 8
_ASKED = "what you change and why that helps, in one sentence"
"""What the prompt has in the place of a direction: a reply that repeats it declares nothing."""
_NOTHING = ("none", "nothing", "no change", "n/a", "")


def _words(value: Any) -> str:  # any JSON value
    return inline(value if isinstance(value, str) else "" if value is None else str(value))[
        :_WIDTH
    ]


def _list(value: Any) -> list[str]:  # any JSON value
    given = value if isinstance(value, list) else [value]
    words = [_words(each) for each in given]
    return [each for each in words if each.lower() not in _NOTHING][:_LESSONS]


Words = Annotated[str, BeforeValidator(_words)]


class Declaration(BaseModel):
    """The head of a reply; what a model says of itself is read generously."""

    direction: Annotated[str, BeforeValidator(_words), StringConstraints(min_length=1)]
    """What is changed, and why it helps."""
    expected_effect: Words = ""
    """What the model expects of it."""
    lessons_used: Annotated[tuple[str, ...], BeforeValidator(_list)] = ()
    """Titles of the lessons that it drew on."""

    @property
    def gives_up(self) -> bool:
        """Whether it says that there is nothing to propose."""
        return self.direction.lower().rstrip(".") in _NOTHING


def declared_in(text: str) -> Declaration | None:
    """Return the declaration in a reply without its program, or None.

    A program that can be used is not thrown away for want of words about it.
    """
    try:
        found = validated(Declaration, text)
    except ReplyError:
        return None
    return found if found.direction != _ASKED else None
