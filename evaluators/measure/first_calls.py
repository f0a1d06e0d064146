"""Calls that come before the measured ones of a run, and whether they do much by themselves.

Not here: how many are measured (`size`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from evaluators.answers.bench import Batch, Bench
from evaluators.measure.duel import Duel
from se_agent.errors import ProblemError
from se_agent.problem.model import Expr
from se_agent.values.evaluation import InputSet

_SHARE = 8  # measured calls to one that comes before them, and is not
_LONG = 1.0  # seconds of a first call, beyond which no other one is made to compare with
_ONCE = 0.67  # of a first call: where others take less, much of it is done once
_WITNESSES = 3  # inputs whose first call shows it


@dataclass
class FirstCalls:
    """Knows of each rung whether a first call does much that no other does: an import, say.

    Attributes:
        bench: Where programs run.
    """

    bench: Bench
    _long: dict[int, bool] = field(default_factory=dict)

    def are_long(self, duel: Duel, level: int, exprs: Sequence[Expr]) -> bool:
        """Say whether a first call of a rung does much that no other one of it does.

        Asked of the first two programs that are compared there: those of a problem are alike.
        Several inputs have to show it: a core that gets faster meanwhile looks the same. Of a
        single one nothing can be told by comparison: it has a call before it, if there is one.
        """
        if len(self.bench.pool.distinct(exprs, 2)) == 1:
            return bool(smaller_input(self.bench, exprs[0], level))
        if level not in self._long:
            several = (exprs[2 * look :] or exprs for look in range(_WITNESSES))
            self._long[level] = all(self._is_long(duel, some) for some in several)
        return self._long[level]

    def _is_long(self, duel: Duel, exprs: Sequence[Expr]) -> bool:
        first, later = (batch_of(self.bench, exprs, 1, warm) for warm in (0, 1))
        nets = duel.probe(first)
        if not later.warm or max(nets) > _LONG:
            return False
        found = zip(nets, duel.probe(later), strict=True)
        return any(after < _ONCE * before for before, after in found)


def batch_of(
    bench: Bench, exprs: Sequence[Expr], inputs: int, warm: int = 0, level: int = 0
) -> Batch:
    """Return a batch of distinct inputs, `warm` of which come before the measured ones.

    Where the rung has a single input, one of a smaller rung comes before it.

    Raises:
        ProblemError: There is no input.
    """
    batch = bench.batch(bench.pool.distinct(exprs, inputs + warm))
    if not batch.inputs:
        raise ProblemError(
            f"{bench.problem.name!r} has no input to measure with",
            hint="give the problem a generator, or inputs for the search and the final",
        )
    found = len(batch.inputs)
    if warm and found == 1 and (before := smaller_input(bench, exprs[0], level)):
        return replace(bench.batch((*before, exprs[0])), warm=1, borrowed=True)
    return replace(batch, warm=min(warm, found - all_but_first(found)))


def smaller_input(bench: Bench, expr: Expr, level: int) -> tuple[Expr, ...]:
    """Return an input of the rung below, unless there is none that differs: one, or none.

    A process that answers a single input has its imports, and all that a first call does, in
    the figure: a function of one number, in a package that takes 200 ms to import, was measured
    as 8 times as fast, and is 450 times as fast.
    """
    below = bench.exprs(InputSet.SEARCH, 1, level=level - 1) if level else []
    both = bench.pool.distinct((*below, expr), 2)
    return both[:1] if len(both) == 2 else ()


def calls_before(inputs: int) -> int:
    """Return how many calls come before so many that are measured."""
    return 1 + inputs // _SHARE


def all_but_first(inputs: int) -> int:
    """Return how many of all inputs of a run are measured."""
    return max(1, inputs - 1 - inputs // (_SHARE + 1))
