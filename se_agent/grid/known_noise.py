"""The noise of a grid's problems, as far as its finished cells show it. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from se_agent.analysis.arms import NULL
from se_agent.engine.journal.result import Result
from se_agent.grid.grid_run import PlannedCell
from se_agent.grid.smallest_effect import spread_of

_Seeds = dict[int, float]
"""What a problem came to in an arm, by seed."""


@dataclass(frozen=True, kw_only=True)
class KnownNoise:
    """What finished cells say.

    Attributes:
        gains: Spread of the logarithm of the gain of a run, by arm and problem.
        scores: Spread of the score, of problems that have one.
    """

    gains: tuple[float, ...]
    scores: tuple[float, ...]


def known_noise(planned: Iterable[PlannedCell]) -> KnownNoise:
    """Return the noise that the finished cells of a grid show.

    Runs are compared with those of the same seed: what a seed does to all arms alike is no
    noise. So the spread is that of the differences between pairs, over the root of two; with
    fewer than two pairs that between the seeds of an arm.
    """
    gains, scores = dict[tuple[str, str], _Seeds](), dict[tuple[str, str], _Seeds]()
    for each in planned:
        result = each.found.result if each.found and each.is_over else None
        if result is not None:
            _add(result, each, gains, scores)
    return KnownNoise(gains=_spreads(gains), scores=_spreads(scores))


def _add(
    result: Result,
    each: PlannedCell,
    gains: dict[tuple[str, str], _Seeds],
    scores: dict[tuple[str, str], _Seeds],
) -> None:
    key = each.cell.source.id, each.cell.arm.name
    if result.gain:
        gains.setdefault(key, {})[each.cell.seed] = math.log(result.gain)
    elif result.score is not None:
        scores.setdefault(key, {})[each.cell.seed] = result.score


def _spreads(found: Mapping[tuple[str, str], _Seeds]) -> tuple[float, ...]:
    """Return the spreads of a run; none where nothing differs, which is no knowledge."""
    others = {key: seeds for key, seeds in found.items() if key[1] != NULL}
    alone = (spread_of(seeds.values()) for seeds in found.values())
    known = tuple(_paired(others)) or tuple(_paired(found))  # a null arm may be exact
    spreads = known or tuple(spread for spread in alone if spread is not None)
    return spreads if any(spreads) else ()


def _paired(found: Mapping[tuple[str, str], _Seeds]) -> Iterator[float]:
    """Yield the spread of a run, from the differences of each arm to the first."""
    first: dict[str, _Seeds] = {}
    for (problem, _), seeds in found.items():
        base = first.setdefault(problem, seeds)
        if base is not seeds:
            pairs = [seeds[seed] - base[seed] for seed in seeds if seed in base]
            if (spread := spread_of(pairs)) is not None:
                yield spread / math.sqrt(2)
