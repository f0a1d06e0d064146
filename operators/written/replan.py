"""Another plan, when the strategies so far are used up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.written.planning import PlanMaking
from se_agent.chat.messages import Role


class Replan(PlanMaking):
    """Reads how the strategies fared, and names other ones."""

    name = "replan"
    role = Role.REPLAN
    count = 3


if TYPE_CHECKING:
    from se_agent.abilities.optional import Planning
    from se_agent.protocols import ModelWritten

    _: ModelWritten = Replan()
    __: Planning = Replan()
