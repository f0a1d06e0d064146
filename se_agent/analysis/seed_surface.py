"""How good a search with each seed was after each number of evaluations, by arm. Pure.

What differs between the rows of an arm is what the seed does; a longer search shows whether
that wears off. Not here: how it is drawn (`plots`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from se_agent.analysis.arms import arms_of
from se_agent.analysis.records import ComparedRun
from se_agent.errors import ConfigError


class SeedSurface(NamedTuple):
    """An arm of a grid: seeds by evaluations.

    Attributes:
        arm: Name of the arm.
        problems: The problems over which effects are averaged.
        effects: By seed, the mean of the best effects known after 0, 1, 2, ... evaluations. A
            search that ended before the longest one of its arm keeps what it had.
    """

    arm: str
    problems: tuple[str, ...]
    effects: Mapping[int, Sequence[float]]

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the largest effect among the seeds, at the end."""
        ends = [row[-1] for row in self.effects.values()]
        return min(ends), max(ends)


def seed_surfaces(runs: Iterable[ComparedRun]) -> tuple[SeedSurface, ...]:
    """Return a surface for each arm, over the problems that each seed of each arm was run on.

    Raises:
        ConfigError: There is no run, no such problem, or several of them have scores: these
            have units of their own, and no mean.
    """
    arms = [(arm.name, _by_seed(arm.runs)) for arm in arms_of(runs)]
    problems = _shared([cell for _, seeds in arms for cell in seeds.values()])
    return tuple(
        SeedSurface(name, problems, dict(_means(seeds, problems))) for name, seeds in arms
    )


def _shared(cells: Sequence[Mapping[str, ComparedRun]]) -> tuple[str, ...]:
    """Return the problems over which there is a mean."""
    if not cells:
        none = "there is no run to draw"
        raise ConfigError(none, hint="give the runs of a grid")
    problems = tuple(sorted(set.intersection(*map(set, cells))))
    if not problems:
        other = "no problem was run with each seed of each arm: means would be of others"
        raise ConfigError(other, hint="let the grid run what is missing, or give one arm")
    if len(problems) > 1 and not all(
        cell[name].is_timed for cell in cells for name in problems
    ):
        units = "problems with scores have units of their own, and no mean"
        one = f"`[run for run in runs if run.result.problem == {problems[0]!r}]`"
        raise ConfigError(units, hint=f"give the runs of one problem: {one}")
    return problems


def _by_seed(runs: Iterable[ComparedRun]) -> Mapping[int, Mapping[str, ComparedRun]]:
    found: dict[int, dict[str, ComparedRun]] = defaultdict(dict)
    for run in runs:
        found[run.result.seed][run.result.problem] = run
    return dict(sorted(found.items()))


def _means(
    seeds: Mapping[int, Mapping[str, ComparedRun]], problems: Sequence[str]
) -> Iterator[tuple[int, Sequence[float]]]:
    """Yield each seed with its means over the problems."""
    searches = [cell[name] for cell in seeds.values() for name in problems]
    last = max(int(run.searched.evaluations) for run in searches)
    for seed, cell in seeds.items():
        rows = [list(_best_after(cell[name], last)) for name in problems]
        yield seed, [sum(column) / len(problems) for column in zip(*rows, strict=True)]


def _best_after(run: ComparedRun, last: int) -> Iterator[float]:
    """Yield the best effect known after each number of evaluations, from 0 to `last`."""
    known = {int(point.evaluations): point.effect for point in run.course}
    effect = 0.0
    for number in range(last + 1):
        effect = known.get(number, effect)
        yield effect
