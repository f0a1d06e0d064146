"""The last word: the champion against the initial program, on inputs the search never saw.

What is claimed comes from here alone; composed effects only ranked. A champion that is refuted,
wrong on a final input, or scores no better there, is passed over for the next proven one. What
refutes it is a test of all others, and who fails on it is passed over, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from se_agent.abilities.evaluator import Growable
from se_agent.config.run_file import Run
from se_agent.engine.judging.evaluator_pool import RUN, Arena, fallen
from se_agent.engine.judging.terms import final_rule_of
from se_agent.engine.state.population import Population
from se_agent.errors import ProblemError
from se_agent.events import Confirmed
from se_agent.stats.summary import merged_medians
from se_agent.values.evaluation import (
    Comparison,
    ComparisonKind,
    Figure,
    Hunt,
    InputSet,
    SequentialDecision,
    Status,
)
from se_agent.values.observation import GROWS_FASTER, growth_told
from se_agent.values.solution import Solution

_TRIES = 3
"""Champions that are measured; who is refuted before was none."""

OUT_OF_TIME = "the time limit was reached before the confirmation was complete"
"""Why a confirmation that was broken off claims nothing."""

_SHORTEST = 0.5  # CPU seconds of a search for a counterexample that is worth its start

_UNSCORED = "the initial program has no score on the final inputs"

_NO_TIME = "no time was left to search for a counterexample to the next best program"


def confirm(
    arena: Arena,
    population: Population,
    config: Run,
    kind: ComparisonKind,
    spread: float,
    left: Callable[[], float],
    *,
    thrifty: bool = True,
) -> Confirmed:
    """Measure the champion in fresh blocks and say what is proven.

    Args:
        arena: Measures.
        population: With the incumbent.
        config: Its sections `measure` and `judge`.
        kind: Kind of the problem's comparisons.
        spread: From the self-test.
        left: Gives the seconds that are left besides the blocks. The search for a
            counterexample to the champion has what is left of them, others need all their time.
        thrifty: Whether a clear gain takes fewer pairs.
    """
    initial = population.initial.solution
    rule = final_rule_of(config, kind, spread, halved=thrifty)
    try:
        tries, note, wrong, refused = 0, "", set[str](), None
        for place, champion in enumerate(_champions(population)):
            if tries == _TRIES:
                break
            if champion.id in wrong:
                continue
            hunt = _hunted(arena, champion, config, left(), sure=not place)
            if hunt.put_off:
                note = _NO_TIME
                break
            if hunt.found is not None:
                wrong.add(champion.id)
                others = (s for s in population.trusted() if s.id not in wrong)
                wrong.update(fallen(arena, RUN, others, hunt.found))
                continue
            tries += 1
            found = arena.compare(RUN, initial, champion, rule, InputSet.FINAL)
            exact = kind is ComparisonKind.EXACT
            worse = exact and found.decision is not SequentialDecision.YES
            if found.status is Status.AC and not worse:
                last = _grown(arena, initial, champion, found, config.judge.margin)
                if not last.reason:
                    return last
                refused = refused or last
        if refused is not None:
            return refused
        if kind is ComparisonKind.EXACT:
            found = arena.compare(RUN, initial, initial, rule, InputSet.FINAL)
            if found.status is not Status.AC:
                return _nothing(initial.id, note=_UNSCORED)
            return _confirmed(initial, found, config.judge.margin)
    except ProblemError as err:
        return _nothing(initial.id, note=f"the final inputs cannot be measured: {err}")
    return _nothing(initial.id, note=note)


def broken_off(population: Population) -> Confirmed:
    """Return what a confirmation says that had no time: the champion may still be faster."""
    return _nothing(population.best.solution.id, note=OUT_OF_TIME)


def _grown(
    arena: Arena, initial: Solution, champion: Solution, found: Comparison, margin: float
) -> Confirmed:
    """Return what is claimed; nothing of a program whose time grows faster than before."""
    last, evaluator = _confirmed(champion, found, margin), arena.evaluators[0]
    timed = found.kind is ComparisonKind.TIMED and last.status == "proven"
    if not (timed and isinstance(evaluator, Growable)):
        return last
    growth = evaluator.growth(initial, champion)
    if growth is None or not growth.is_worse:
        return last.model_copy(update={"growth": growth})
    refused = _nothing(
        champion.id, note=f"its time {growth_told(growth)}", figures=last.figures
    )
    return refused.model_copy(update={"growth": growth, "reason": GROWS_FASTER})


def _hunted(arena: Arena, champion: Solution, config: Run, left: float, *, sure: bool) -> Hunt:
    """Search for a counterexample to a champion that never faced one.

    It was never the best, or became it when no time was left.
    """
    seconds = config.judge.counterexample_seconds
    if arena.unrefuted(champion):
        return Hunt()
    if sure and seconds:
        seconds, left = min(seconds, max(left, _SHORTEST)), math.inf
    return arena.hunt(RUN, champion, seconds=seconds, left=left)


def _champions(population: Population) -> Sequence[Solution]:
    """Return the incumbent, then the next best that are proven; never the initial program."""
    initial, best = population.initial.solution, population.best.solution
    others = [m.solution for m in population.elite if m.proven and m.solution.id != best.id]
    return [s for s in (best, *others) if s.id != initial.id]


def _confirmed(champion: Solution, found: Comparison, margin: float) -> Confirmed:
    low, high = found.interval
    if found.kind is ComparisonKind.EXACT:
        return Confirmed(
            solution=champion.id,
            status="proven" if found.decision is SequentialDecision.YES else "not_proven",
            score=found.candidate,
            score_initial=found.reference,
        )
    figures = merged_medians([block.figures for block in found.blocks])
    if low <= math.log1p(margin):
        return _nothing(champion.id, figures=figures)
    gains = (math.exp(value) for value in (found.effect, low, high))
    gain, low, high = gains
    return Confirmed(
        solution=champion.id, status="proven", gain=gain, low=low, high=high, figures=figures
    )


def _nothing(solution: str, *, note: str = "", figures: tuple[Figure, ...] = ()) -> Confirmed:
    return Confirmed(
        solution=solution,
        status="not_proven",
        gain=1.0,
        low=1.0,
        high=1.0,
        note=note,
        figures=figures,
    )
