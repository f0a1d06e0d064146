"""The first plan: several strategies that differ in structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.written.planning import PlanMaking


class Plan(PlanMaking):
    """Names five different ways to solve the problem, with what each should cost."""

    name = "plan"
    count = 5


if TYPE_CHECKING:
    from se_agent.abilities.optional import Planning
    from se_agent.protocols import ModelWritten

    _: ModelWritten = Plan()
    __: Planning = Plan()
