"""Recombination by a model: one program with the strengths of two.

Not for programs that were made by edits: `crossover` unites these exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.written.writing import Writing
from se_agent.chat.messages import Role


class Recombination(Writing):
    """Makes one program out of two right ones; a diff is one of the first."""

    name = "recombination"
    role = Role.CROSS_OVER
    arity = 2


if TYPE_CHECKING:
    from se_agent.protocols import ModelWritten

    _: ModelWritten = Recombination()
