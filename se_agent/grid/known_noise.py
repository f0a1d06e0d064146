"""The noise of a grid's problems, as far as its finished cells show it. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from se_agent.engine.journal.result import Result
from se_agent.grid.grid_run import PlannedCell
from se_agent.grid.smallest_effect import spread_of


@dataclass(frozen=True, kw_only=True)
class KnownNoise:
    """What finished cells say.

    Attributes:
        gains: Spread of the logarithm of the gain between seeds, by arm and problem.
        scores: Spread of the score, of problems that have one.
    """

    gains: tuple[float, ...]
    scores: tuple[float, ...]


def known_noise(planned: Iterable[PlannedCell]) -> KnownNoise:
    """Return the noise that the finished cells of a grid show."""
    gains, scores = dict[str, list[float]](), dict[str, list[float]]()
    for each in planned:
        result = each.found.result if each.found and each.is_over else None
        if result is None:
            continue
        _add(result, f"{each.cell.arm.name}/{each.cell.source.id}", gains, scores)
    return KnownNoise(gains=_spreads(gains), scores=_spreads(scores))


def _add(
    result: Result, key: str, gains: dict[str, list[float]], scores: dict[str, list[float]]
) -> None:
    if result.gain:
        gains.setdefault(key, []).append(math.log(result.gain))
    elif result.score is not None:
        scores.setdefault(key, []).append(result.score)


def _spreads(values: dict[str, list[float]]) -> tuple[float, ...]:
    found = (spread_of(each) for each in values.values())
    return tuple(spread for spread in found if spread is not None)
