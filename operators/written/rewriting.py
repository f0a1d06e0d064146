"""Rewriting by a model: a whole new program, after the strategy of the slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.written.writing import Writing
from se_agent.chat.messages import Role


class Rewriting(Writing):
    """Writes another program for the same problem, unlike the parent in structure."""

    name = "rewriting"
    role = Role.REWRITE


if TYPE_CHECKING:
    from se_agent.protocols import ModelWritten

    _: ModelWritten = Rewriting()
