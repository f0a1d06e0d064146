"""`doctor --noise`: how often noise passes for a gain here, and which gain is sure to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import typer

from se_agent.cli.drive import INTERRUPTED
from se_agent.cli.screen import Screen

if TYPE_CHECKING:
    from se_agent.events import SelfTested
    from se_agent.noise.families import World
    from se_agent.noise.figures import Figures
    from se_agent.noise.trials import NoiseTrial, NoiseTrials
    from se_agent.protocols import Evaluator
    from se_agent.report.terminal.columns import Columns

COMPARISONS = 25
"""Comparisons of identical programs per family: an error of 1 % is seen more often than not."""

_TOLD = 5  # comparisons between two lines of progress
_ALL = "all of them"
_LAST = "smallest gain: found in 19 of 20 comparisons, by drawing anew from these samples"


@dataclass
class _Seen:
    """What was measured of a family so far."""

    name: str
    tests: list[SelfTested] = field(default_factory=list)
    trials: list[NoiseTrial] = field(default_factory=list)


def noise(screen: Screen, make: Callable[[World], Evaluator] | None = None) -> None:
    """Compare identical programs on this machine, as it is now, and show what came of it.

    Args:
        screen: Where it is shown.
        make: Makes the evaluator of a world; by default the one that runs use.

    Raises:
        typer.Exit: With 130 when it was interrupted; what there is was shown.
    """
    seen: list[_Seen] = []
    interrupted = False
    screen.say(
        "comparing identical programs, as the machine is now; Ctrl-C shows what there is"
    )
    try:
        _measure(seen, make or evaluator, screen.say)
    except KeyboardInterrupt:
        interrupted = True
    found = dict(_figures(seen))
    if found:
        screen.show([_table(found)])
        screen.say(_LAST)
    screen.answer({"interrupted": interrupted, "families": [*map(_row, found.items())]})
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def evaluator(world: World) -> Evaluator:
    """Return the evaluator that a run of the world's problem would use."""
    from evaluators.kinds.function import FunctionEvaluator
    from se_agent.config.sections import Measure

    return FunctionEvaluator(world.problem(), measure=Measure())


def _measure(
    seen: list[_Seen], make: Callable[[World], Evaluator], tell: Callable[[str], None]
) -> None:
    from se_agent.config.sections import Judge, Measure
    from se_agent.noise.families import World
    from se_agent.noise.kernels import Family
    from se_agent.noise.trials import NoiseTrials

    for family in Family:
        world, mine = World(family, 0), _Seen(family)
        seen.append(mine)
        with closing(make(world)) as measuring:
            _family(world, mine, NoiseTrials(measuring, Judge(), Measure()), tell)


def _family(
    world: World, mine: _Seen, trials: NoiseTrials, tell: Callable[[str], None]
) -> None:
    from se_agent.noise.families import Text

    tell(f"{mine.name}: self-test ...")
    mine.tests.append(trials.self_test(world.problem().initial()))
    for variant in range(COMPARISONS):
        text = list(Text)[variant % len(Text)]
        pair = world.alike(variant, text)
        mine.trials.append(trials.compare(pair, mine.tests[0].spread))
        if len(mine.trials) % _TOLD == 0:
            tell(f"{mine.name}: {len(mine.trials)} of {COMPARISONS} comparisons")


def _figures(seen: Sequence[_Seen]) -> Iterator[tuple[str, Figures]]:
    """Yield the figures of each family that has any, and of all."""
    from se_agent.config.sections import Judge
    from se_agent.noise.figures import figures

    some = [mine for mine in seen if mine.trials]
    for mine in some:
        yield mine.name, figures(mine.tests, mine.trials, Judge())
    if len(some) > 1:
        tests = [test for mine in some for test in mine.tests]
        yield _ALL, figures(tests, [one for mine in some for one in mine.trials], Judge())


def _row(named: tuple[str, Figures]) -> dict[str, object]:
    name, found = named
    return {
        "family": name,
        "comparisons": found.false.total,
        "false": found.false.count,
        "false_at_most": found.false.interval()[1],
        "spread": found.spread,
        "smallest_gain": found.smallest,
        "cpu_seconds": found.cost_seconds,
    }


def _table(found: dict[str, Figures]) -> Columns:
    from se_agent.report.terminal.columns import Columns

    figures = ("compared", "called faster", "95 % bound", "spread", "smallest gain", "CPU s")
    table = Columns(("identical programs", *figures), right=range(1, 7))
    for name, one in found.items():
        table.add(
            name,
            str(one.false.total),
            str(one.false.count),
            f"{one.false.interval()[1]:.1%}",
            f"{one.spread:.2%}",
            "none" if one.smallest is None else f"{one.smallest:.1%}",
            f"{one.cost_seconds:.1f}",
        )
    return table
