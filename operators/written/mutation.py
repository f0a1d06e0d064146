"""Mutation by a model: a diff of the parent, at the place that costs most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.written.writing import Writing
from se_agent.chat.messages import Role


class Mutation(Writing):
    """Changes the hot region of a right program, and leaves the rest as it is."""

    name = "mutation"
    role = Role.REFINE


if TYPE_CHECKING:
    from se_agent.protocols import ModelWritten

    _: ModelWritten = Mutation()
