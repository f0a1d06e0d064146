"""Repair by a model: a candidate that was not right is mended, after what was seen of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.written.writing import Writing
from se_agent.chat.messages import Role
from se_agent.values.brief import Brief
from se_agent.values.solution import Solution


class Repair(Writing):
    """Mends a failed candidate; the child is compared with what that one was made from."""

    name = "repair"
    role = Role.REPAIR

    def base(self, brief: Brief) -> Solution:
        """Return the failed candidate."""
        assert brief.search.failure is not None, "a slot that repairs names its subject"
        return brief.search.failure.solution


if TYPE_CHECKING:
    from se_agent.protocols import ModelWritten

    _: ModelWritten = Repair()
