"""Scores of programs, and whether they last: each is found once, and proven by a second run.

Not here: how a score comes about (`evaluators.kinds.scorer`, `evaluators.kinds.command`),
and which of two scores is the better one (`evaluators.kinds.exact`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from evaluators.answers.inputs import Cache, Room
from se_agent.values.evaluation import InputSet, Measurement, Status
from se_agent.values.solution import Solution

_REMEMBERED = 512


@dataclass(frozen=True, kw_only=True)
class Rated:
    """What became of one solution on one set of inputs.

    Attributes:
        status: AC when every answer has a score.
        score: Mean over the inputs; 0 unless AC.
        measurement: CPU time of all runs together, for an AC one.
        feedback: Why there is no score.
        cost_seconds: CPU seconds that it took to find out, inputs included.
        full_output: All that was said, where the feedback is cut.
    """

    status: Status
    score: float = 0.0
    measurement: Measurement | None = None
    feedback: str = ""
    cost_seconds: float = 0.0
    full_output: str = ""


class Rater(Protocol):
    """Runs a solution for its score."""

    @property
    def spent(self) -> float:
        """CPU seconds of all that ran so far."""
        ...

    @property
    def one_set(self) -> bool:
        """Whether search and confirmation have the same inputs, or none."""
        ...

    def count(self, which: InputSet) -> int:
        """Return how many inputs a score is the mean over."""
        ...

    def rate(self, solution: Solution, which: InputSet) -> Rated:
        """Run a solution on a set; what goes wrong with it is a value."""
        ...

    def restart(self) -> None:
        """See to it that the next run has another hash seed."""
        ...

    def close(self) -> None:
        """End all that was started, for good; any thread may, and twice."""
        ...


_Known = Cache[tuple[str, InputSet], Rated]


def _remembered() -> _Known:
    return Cache(lambda *_: 1, Room(_REMEMBERED))


@dataclass(frozen=True)
class Ratings:
    """Rates solutions, each content once a set; a cost is paid once.

    Attributes:
        rater: Runs them.
    """

    rater: Rater
    _first: _Known = field(default_factory=_remembered)
    _steady: _Known = field(default_factory=_remembered)

    def first(self, solution: Solution, which: InputSet) -> Rated:
        """Return the score of a first run: it may be luck."""
        key = self._key(solution, which)
        known = self._first.get(key)
        if known is None:
            known = self.rater.rate(solution, which)
            self._first.put(key, replace(known, full_output=""))  # it may be large
        return known

    def steady(self, solution: Solution, which: InputSet) -> Rated:
        """Return the score if a run in another fork server, so under another hash seed, agrees.

        A score that changes with luck would in the end be taken for a gain: it is WA.
        """
        key = self._key(solution, which)
        known = self._steady.get(key)
        if known is None:
            known = self._confirmed(solution, which)
            self._steady.put(key, known)
        return known

    def _confirmed(self, solution: Solution, which: InputSet) -> Rated:
        rated = self.first(solution, which)
        if rated.status is not Status.AC:
            return rated
        self.rater.restart()
        again = self.rater.rate(solution, which)
        if (again.status, again.score) == (Status.AC, rated.score):
            return rated
        then = again.score if again.status is Status.AC else f"{again.status}: {again.feedback}"
        return replace(
            rated,
            status=Status.WA,
            measurement=None,
            feedback=f"non-deterministic: its score is {rated.score}, then {then}",
        )

    def _key(self, solution: Solution, which: InputSet) -> tuple[str, InputSet]:
        return solution.content, InputSet.SEARCH if self.rater.one_set else which
