"""What each operator brought and what it cost, for reports and notebooks alike. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from se_agent.analysis.run_tables.columns import names_of
from se_agent.analysis.run_tables.step_facts import Row, StepOutcome

_OPERATOR, _OUTCOME, _COST = map(
    names_of("steps").index, ("operator", "outcome", "cost_seconds")
)


class OperatorCredit(NamedTuple):
    """The steps of an operator.

    Attributes:
        operator: Its name.
        outcomes: How many of its steps ended how.
        cost_seconds: What its candidates cost of the budget, in CPU seconds.
        share: Part of that in what all operators cost, 0 to 1; None: nothing cost anything.
    """

    operator: str
    outcomes: Mapping[str, int]
    cost_seconds: float
    share: float | None

    @property
    def tries(self) -> int:
        """Steps in which it was asked."""
        return sum(self.outcomes.values())

    @property
    def gains(self) -> int:
        """Steps whose program was proven better than its parent."""
        return self.outcomes.get(StepOutcome.BETTER, 0)


def operator_credit(steps: Iterable[Row]) -> tuple[OperatorCredit, ...]:
    """Return the credit of each operator, those with the most gains first.

    Args:
        steps: Rows of the table `steps`, of one run or of several.
    """
    outcomes: dict[str, Counter[str]] = {}
    costs: dict[str, float] = {}
    for row in steps:
        if name := str(row[_OPERATOR] or ""):
            outcomes.setdefault(name, Counter())[str(row[_OUTCOME])] += 1
            cost = row[_COST]
            costs[name] = costs.get(name, 0.0) + (cost if isinstance(cost, float) else 0.0)
    whole = sum(costs.values())
    found = (
        OperatorCredit(name, ended, costs[name], costs[name] / whole if whole else None)
        for name, ended in outcomes.items()
    )
    return tuple(sorted(found, key=lambda each: (-each.gains, each.operator)))
