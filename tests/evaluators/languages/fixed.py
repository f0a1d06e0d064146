"""An operator that knows one other program: for languages that have no rules."""

from __future__ import annotations

from se_agent.values.brief import Brief
from se_agent.values.step import Proposal

BETTER = """const numbers = require('fs').readFileSync(0, 'utf8').trim().split(' ').map(Number);
console.log(numbers.reduce((a, b) => Math.max(a, b)));
"""


class Fixed:
    """Proposes that program, once."""

    name = "tests.evaluators.languages.fixed:Fixed"
    arity = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return it, unless it was tried."""
        child = brief.child({"main.js": BETTER}, operator=self.name)
        if child.content in brief.tried:
            return None
        return Proposal(solution=child, direction="Look at all numbers")
