"""What a run may spend, and what it has spent. A budget that ends is a normal end.

Not here: the clock itself (`meter`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from se_agent.chat.events import Replied, Unanswered
from se_agent.config.changes import more
from se_agent.config.run_file import Run
from se_agent.config.sections import Budget
from se_agent.events import Event, Learned, Resumed, SelfTested, Started
from se_agent.stats.costs import Reading
from se_agent.stats.sequential import RECHECK
from se_agent.values.evaluation import ComparisonKind, Preflight

if TYPE_CHECKING:
    from se_agent.engine.state.state import State

RESERVE_SHARE = 0.25
RESERVE_SECONDS = 10.0
"""The confirmation keeps a quarter of a time limit, and at least this many seconds."""


_TRIM_SHARE = 0.3  # of a search that has time: ten edits take up to 20 trials
_ALL_SEARCH = 30.0  # seconds of a search that are its own: a short one has little to trim

FINAL_PAIRS = 40
"""Pairs of the self-test that cost what a block of the confirmation: 14 to 41 in 21 runs."""

_OLDER_PAIRS = 18  # the same, in a journal that does not say how many

CONFIRM_RUNS = 4.0
"""Runs of the initial program that an input of a final block costs, right answers included."""

_OLDER_RUNS = 2.0  # the same, in a journal that does not say what is kept

START_SECONDS = 0.01
"""CPU seconds that a run costs besides the program's own."""

TIME = ("cpu_seconds", "wall_seconds")
"""The limits of time: they hold whatever is under way when they are reached."""

FIRST = 2
"""Slots of the first generation under a time limit: nothing is known of their cost yet."""


@dataclass
class Spent:
    """Counters of a run: a fold over its closed steps.

    What is decided by them must not depend on which of those under way came first.

    Attributes:
        evaluations: Distinct candidates that were evaluated.
        proposals: Slots that were filled.
        calls: Replies of models.
        tokens: Tokens of these calls, and of attempts without a reply.
        money: For these, as far as they have prices.
        stale: Evaluations since there was a new best program.
        refused: Name of a limit that had no room for a call; empty: there was no such call.
    """

    evaluations: int = 0
    proposals: int = 0
    calls: int = 0
    tokens: int = 0
    money: float = 0.0
    stale: int = 0
    refused: str = ""

    def ask(self, answers: Iterable[Replied | Unanswered]) -> None:
        """Go on by the calls of a step."""
        for answer in answers:
            self.tokens += answer.paid.total
            self.money += answer.money or 0.0
            if isinstance(answer, Replied):
                self.calls += 1
            else:
                self.refused = self.refused or answer.limit


class SpentFold:
    """Spent, moved on by closed steps and by calls that belong to the run itself."""

    reads: ClassVar = (Replied, Unanswered, Learned, Resumed)

    def __init__(self, run: State) -> None:
        self.value = Spent()
        self._run = run

    def apply(self, event: Event) -> None:
        """Count what is decided by; with another budget nothing is refused any more."""
        match event:
            case Learned():
                self._close(event)
            case Replied() | Unanswered() if event.slot < 0:
                self.value.ask([event])
            case Resumed() if more(event.settings):
                self.value.refused, self.value.stale = "", 0

    def _close(self, event: Learned) -> None:
        stages, spent = self._run.open.last.stages, self.value
        spent.proposals += stages.proposed is not None
        spent.evaluations += stages.candidate is not None
        spent.stale += stages.candidate is not None
        spent.ask(stages.answers.values())
        if event.child and event.best == event.child:
            spent.stale = 0


@dataclass(frozen=True)
class BudgetLimits:
    """A budget, with what must be kept for the confirmation.

    Attributes:
        budget: Budget of the run file.
        confirmation: CPU seconds that the confirmation is expected to take, with the search for
            a counterexample that may have been put off to it.
        trim_share: Share of what there is beyond that, and beyond a short search, that is kept
            for the trimming.
    """

    budget: Budget
    confirmation: float = 0.0
    trim_share: float = 0.0

    @classmethod
    def of(
        cls,
        config: Run,
        started: Started,
        tested: SelfTested | None = None,
        *,
        effect: float = 0.0,
    ) -> BudgetLimits:
        """Return the limits of a run that was started, and whose clock was tested.

        Args:
            config: The run file.
            started: How it began.
            tested: Its self-test.
            effect: Effect of the best program: in an older run a large gain counts twice.
        """
        if started.confirmation_seconds is not None:
            expected = started.confirmation_seconds
            if tested is not None and started.thrifty:
                looks = 2 if effect > RECHECK else 1
                expected = max(expected, _as_tested(config, started, tested, looks))
            return cls(config.budget, expected, started.trim_share)
        seconds = started.metric.value if started.measure is ComparisonKind.TIMED else 0.0
        seconds = seconds if started.seconds is None else started.seconds
        inputs = config.measure.confirm_blocks * config.measure.confirm_inputs
        hunt = config.judge.counterexample_seconds
        return cls(config.budget, _OLDER_RUNS * inputs * seconds + hunt)

    def ended(self, spent: Spent, reading: Reading, *, generations: int) -> str:
        """Return the name of the limit that ends the search now, or nothing.

        One that had no room for a call of a model ends it although something is left of it.
        """
        if spent.refused:
            return spent.refused
        budget = self.budget
        pairs = (
            ("evaluations", spent.evaluations, budget.evaluations),
            ("proposals", spent.proposals, budget.proposals),
            ("generations", generations, budget.generations),
            ("calls", spent.calls, budget.calls),
            ("tokens", spent.tokens, budget.tokens),
            ("money", spent.money, budget.money),
            ("patience", spent.stale, budget.patience),
            ("cpu_seconds", reading.cpu_seconds, self.search_seconds(budget.cpu_seconds)),
            ("wall_seconds", reading.wall_seconds, self.search_seconds(budget.wall_seconds)),
        )
        return next((n for n, used, limit in pairs if limit is not None and used >= limit), "")

    def search_seconds(self, limit: float | None) -> float | None:
        """Return what is left to the search of a time limit, all that is kept put aside."""
        if limit is None:
            return None
        reserve = max(RESERVE_SECONDS, RESERVE_SHARE * limit, self.confirmation)
        rest = max(limit - reserve, 0.0)
        return rest - self.trim_share * max(rest - _ALL_SEARCH, 0.0)

    def kept(self, limit: float) -> float:
        """Return what of a time limit is kept from the search."""
        return limit - (self.search_seconds(limit) or 0.0)

    @property
    def kept_for(self) -> str:
        """What that is kept for, in words."""
        return "trimming and the confirmation" if self.trim_share else "the confirmation"

    def scarcest(self, reading: Reading) -> str:
        """Return the name of the time limit of which the search has least left."""
        most = {name: self.search_seconds(getattr(self.budget, name)) for name in TIME}
        return min(
            (name for name in TIME if most[name] is not None),
            key=lambda name: (most[name] or 0.0) - getattr(reading, name),
        )

    def trimming(self, reading: Reading, *, blocks: float = 0.0) -> float:
        """Return the seconds that are left besides those of the confirmation.

        Args:
            reading: What was spent.
            blocks: CPU seconds of its blocks, as others have gone so far: more than expected
                where pairs disagree.
        """
        return self.left(reading, whole=True) - max(self.confirmation, blocks)

    def leaving(self, seconds: float) -> float:
        """Return the least time limit of which the search is left so many seconds."""
        seconds += self.trim_share * max(seconds - _ALL_SEARCH, 0.0) / (1 - self.trim_share)
        return max(
            seconds + RESERVE_SECONDS,
            seconds / (1 - RESERVE_SHARE),
            seconds + self.confirmation,
        )

    def left(self, reading: Reading, *, whole: bool = False) -> float:
        """Return the seconds that are left of the time limits; infinite where there is none.

        Args:
            reading: What was spent.
            whole: Whether the whole budget is meant; otherwise what the search may take of it.
        """
        share = _all if whole else self.search_seconds
        pairs = (
            (reading.cpu_seconds, share(self.budget.cpu_seconds)),
            (reading.wall_seconds, share(self.budget.wall_seconds)),
        )
        return min((end - used for used, end in pairs if end is not None), default=math.inf)

    def room(self, spent: Spent) -> bool:
        """Say whether the limits that are counted leave room for one more slot to be filled.

        It is asked slot by slot: most slots of a late generation find nothing new, and cost
        no evaluation.
        """
        budget = self.budget
        pairs = (
            (spent.evaluations, budget.evaluations),
            (spent.proposals, budget.proposals),
            (spent.calls, budget.calls),
            (spent.tokens, budget.tokens),
            (spent.money, budget.money),
            (spent.stale, budget.patience),
        )
        return not spent.refused and all(limit is None or used < limit for used, limit in pairs)

    def affordable(self, spent: Spent, reading: Reading, *, wanted: int) -> int:
        """Return how many slots of a generation of `wanted` fit into the time left, at least 1.

        They are expected to cost what a proposal has cost so far.
        """
        budget, sizes = self.budget, [wanted]
        for used, limit in (
            (reading.cpu_seconds, self.search_seconds(budget.cpu_seconds)),
            (reading.wall_seconds, self.search_seconds(budget.wall_seconds)),
        ):
            if limit is not None:
                each = used / spent.proposals if spent.proposals else 0.0
                sizes.append(int((limit - used) / each) if each else FIRST)
        return max(1, min(sizes))


def confirmation(config: Run, checked: Preflight, kind: ComparisonKind) -> float:
    """Return the CPU seconds that the confirmation is expected to take.

    Both programs may have to be compiled anew for it, which an evaluation pays for, too.

    Args:
        config: Its sections `measure` and `judge`.
        checked: What the check of the problem found out.
        kind: Kind of the problem's comparisons.
    """
    tests, measure = checked.evaluation.cost_seconds, config.measure
    if kind is not ComparisonKind.TIMED:
        return 2 * max(tests, checked.cost_seconds)
    runs = CONFIRM_RUNS * measure.confirm_blocks * measure.confirm_inputs
    each = START_SECONDS + max(checked.seconds, measure.fast_seconds)
    return runs * each + 2 * tests + config.judge.counterexample_seconds


def trim_share(config: Run) -> float:
    """Return the share of a time limit, without the reserve, that is kept for trimming."""
    return _TRIM_SHARE if config.trim else 0.0


def _as_tested(config: Run, started: Started, tested: SelfTested, looks: int) -> float:
    """Return what the confirmation takes if its pairs cost what those of the self-test did.

    At most half of what was left after it: a search that tries nothing proves nothing.
    """
    costs, budget = [block.cost_seconds for block in tested.blocks], config.budget
    limits = (budget.cpu_seconds, budget.wall_seconds)
    least = min((limit for limit in limits if limit is not None), default=math.inf)
    left = max(0.0, least - started.cpu_seconds - sum(costs))
    each = [block.cost_seconds / max(1, block.pairs) for block in tested.blocks]
    final = started.final_pairs or looks * _OLDER_PAIRS
    pairs = config.measure.confirm_blocks * final
    wanted = pairs * statistics.fmean(each or [0.0]) + config.judge.counterexample_seconds
    return min(wanted, left / 2)


def _all(limit: float | None) -> float | None:
    return limit
