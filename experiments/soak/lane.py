"""One thread's share of a soak: a fork server, all evaluators on it, one program at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from evaluators.kinds.function import FunctionEvaluator
from evaluators.kinds.score import ScoreEvaluator
from evaluators.kinds.stdio import StdioEvaluator
from evaluators.sandbox.job import Sandbox
from experiments.soak.honest import Evaluators, Honest, Result
from se_agent.config.sections import Measure
from se_agent.errors import SeAgentError
from se_agent.problem.model import Problem, ProblemKind
from se_agent.protocols import Evaluator
from se_agent.values.randomness import Purpose, rng_at
from tests.hostile.attack import Attack, Place
from tests.hostile.yard import Yard, possible

HONEST_SHARE = 3
"""So many honest programs for every hostile one."""

_GOES = 3
_BRIEF = Measure(fast_seconds=0.005, slow_seconds=0.05)
_KINDS = {
    ProblemKind.FUNCTION: FunctionEvaluator,
    ProblemKind.STDIO: StdioEvaluator,
    ProblemKind.SCORE: ScoreEvaluator,
}
_RESTARTING = (
    *(Place.MEASURED, Place.COMPILED_MEASURED),
    *(Place.FINAL, Place.LOADED, Place.SCORE),
)

Work = Honest | Attack


@dataclass(frozen=True)
class Ran:
    """What became of a program, and what should have."""

    work: Work
    wanted: Result
    found: Result

    @property
    def well(self) -> bool:
        """Whether it ended as it should."""
        return self.wanted == self.found


def evaluators_on(sandbox: Sandbox) -> Evaluators:
    """Return what makes an evaluator on a sandbox, and keeps it for the next of its problem."""
    made: dict[int, Evaluator] = {}

    def evaluator(problem: Problem) -> Evaluator:
        if id(problem) not in made:
            kind = _KINDS[problem.kind]
            made[id(problem)] = kind(problem, measure=_BRIEF, sandbox=sandbox)
        return made[id(problem)]

    return evaluator


def suited(works: Sequence[Work], *, steady: bool) -> list[Work]:
    """Return what can run here, and what leaves the fork server running where it is to be.

    Args:
        works: Works of any kind.
        steady: Whether the fork server shall last.
    """
    found = [work for work in works if not isinstance(work, Attack) or possible(work)]
    return [work for work in found if not (steady and restarting(work))]


def restarting(work: Work) -> bool:
    """Say whether a program is measured, which starts a new fork server for every block."""
    return work.place in _RESTARTING if isinstance(work, Attack) else work.restarts


def endless(
    honest: Sequence[Work], hostile: Sequence[Work], *, seed: int, lane: int
) -> Iterator[Work]:
    """Yield programs for ever, in a random order that is always the same.

    Every hostile program comes once before one comes twice.
    """
    again = 0
    while True:
        drawn = rng_at(seed, lane, Purpose.PAIR_ORDER, again)
        picked = drawn.integers(len(honest), size=max(1, HONEST_SHARE * len(hostile)))
        deck = [*hostile, *(honest[place] for place in picked)]
        for place in drawn.permutation(len(deck)):
            yield deck[place]
        again += 1


class Lane(Yard):
    """Runs honest and hostile programs, one after the other, without counting around each.

    Args:
        level: Level of isolation.
        alone: What every honest program came to when nobody was beside it.
    """

    def __init__(self, level: str, alone: dict[str, Result]) -> None:
        super().__init__(level)
        self._alone = alone
        self._made = evaluators_on(self.server)

    def run(self, work: Work) -> Ran:
        """Run a program; an error of ours is an ending, too."""
        if isinstance(work, Attack):
            wanted, run = Result(work.ending(self.level), ""), partial(self._attack, work)
        else:
            wanted, run = self._alone[work.name], partial(work.run, self.server, self._made)
        try:
            found = run()
        except SeAgentError as err:
            found = Result(type(err).__name__, str(err))
        return Ran(work, wanted, found)

    def _attack(self, attack: Attack) -> Result:
        """Run a hostile program; only how it ended is compared.

        Two lanes measure at a time, and three pairs are few: a gain has to be seen three times.
        """
        for _ in range(_GOES):
            seen = self._run(attack, self._placed(attack))
            if not seen.ending.startswith("a gain"):
                break
        told = "" if seen.ending == attack.ending(self.level) else seen.feedback
        return Result(seen.ending, told)
