"""What an item of experience is worth to those who are shown it, measured over runs.

An item that is relevant is shown where steps fare well, or badly, for other reasons; so which
of the eligible items a slot sees is left to chance now and then, and only that variation is
used: an item counts by how much more it was shown than it had to expect. Items are estimated
together, with what else tells how a step fares, and shrunk as far as the data asks for. Pure.
Not here: who is shown what (`engine.step.exposure`), and the rows (`tables`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST_GAIN = math.log(4.0)
"""Log gain of a step beyond which more counts for nothing: one leap is not an item's merit."""

WIDEST = 0.5
"""Standard error of an item that nobody was shown: a lift of 1.6x is not excluded."""

LEAST = 50
"""Exposures below which an item is not quarantined."""

RATE = 0.1
"""Share of quarantined items that may be innocent."""

_PRIOR = 1e-3  # deviation of lifts that is believed at least: no estimate is taken to be 0
_NEAR = 1.0  # ridge on covariates, in rows: it only keeps rare ones from overfitting
_NORMAL = NormalDist()
_Z = 1.96


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """An item that was eligible in one slot, and what came of the slot.

    Attributes:
        run: Name of the run.
        slot: Number of the slot.
        item: Id of the item.
        shown: Whether the prompt had it; else it was withheld.
        gain: Log gain of the step over its parent; 0 where it had none, or was not right.
        family: Family of the problem.
        operator: Operator of the step.
        model: Name of the model that was asked; empty: none was.
        generation: From 1.
        parent_effect: Log gain of the parent over the initial program.
    """

    run: str
    slot: int
    item: str
    shown: bool
    gain: float
    family: str = ""
    operator: str = ""
    model: str = ""
    generation: int = 1
    parent_effect: float = 0.0


class Lift(NamedTuple):
    """What showing an item changes.

    Attributes:
        lift: Log gain that a step has more on average with the item than without it.
        error: Standard error of that.
        shown: In how many slots it was shown.
        withheld: In how many slots it was eligible and not shown.
    """

    lift: float = 0.0
    error: float = WIDEST
    shown: int = 0
    withheld: int = 0

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.lift - _Z * self.error

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.lift + _Z * self.error

    @property
    def harm(self) -> float:
        """Probability that the item makes steps worse."""
        return _NORMAL.cdf(-self.lift / self.error)


NOTHING_KNOWN = Lift()
"""The lift of an item that was never eligible: none, and nothing excluded."""


def item_lifts(exposures: Sequence[Exposure]) -> Mapping[str, Lift]:
    """Return the lift of each item; the order of the exposures changes nothing.

    A ridge regression of the steps' gains on shown-indicators, each centred within the slots
    in which the item was eligible, with family, operator, model, the parent's gain and the
    generation beside them. The ridge is the ratio of the noise to the spread of lifts, both
    estimated from the data (empirical Bayes).

    Args:
        exposures: One for each eligible item of each slot.
    """
    rows = _rows(exposures)
    items = sorted({each.item for each in exposures})
    counts = {item: [0, 0] for item in items}
    for each in rows.values():
        for item, shown in each.items.items():
            counts[item][not shown] += 1
    varied = [item for item in items if all(counts[item])]
    found = _estimated(list(rows.values()), varied, counts) if varied else {}
    nothing = (0.0, WIDEST)
    return {item: Lift(*found.get(item, nothing), *counts[item]) for item in items}


def quarantined_items(
    found: Mapping[str, Lift], *, least: int = LEAST, rate: float = RATE
) -> frozenset[str]:
    """Return the items that are not shown any more: they do harm, at a false discovery rate.

    Benjamini and Hochberg's procedure (1995) on the probability that an item does no harm.

    Args:
        found: Lifts by item.
        least: Exposures from which on an item is judged at all.
        rate: Share of the quarantined that may be innocent.
    """
    judged = {
        item: 1.0 - lift.harm
        for item, lift in found.items()
        if lift.shown + lift.withheld >= least
    }
    ordered = sorted(judged.items(), key=lambda pair: (pair[1], pair[0]))
    last = max(
        (
            place
            for place, (_, innocent) in enumerate(ordered, 1)
            if innocent <= rate * place / len(ordered)
        ),
        default=0,
    )
    return frozenset(item for item, _ in ordered[:last])


@dataclass(frozen=True)
class _Row:
    """A slot: what came of it, what it was like, and which items were shown or withheld."""

    gain: float
    traits: tuple[str, ...]
    numbers: tuple[float, ...]
    items: Mapping[str, bool]


def _rows(exposures: Sequence[Exposure]) -> dict[tuple[str, int], _Row]:
    """Return the slots in a fixed order, each with its items."""
    slots: dict[tuple[str, int], list[Exposure]] = {}
    for each in sorted(exposures, key=lambda one: (one.run, one.slot, one.item)):
        slots.setdefault((each.run, each.slot), []).append(each)
    return {
        place: _Row(
            gain=min(max(first.gain, -LARGEST_GAIN), LARGEST_GAIN),
            traits=(f"f {first.family}", f"o {first.operator}", f"m {first.model}"),
            numbers=(first.parent_effect, math.log(max(1, first.generation))),
            items={one.item: one.shown for one in found},
        )
        for place, found in slots.items()
        for first in found[:1]
    }


def _estimated(
    rows: Sequence[_Row], items: Sequence[str], counts: Mapping[str, Sequence[int]]
) -> dict[str, tuple[float, float]]:
    """Return lift and standard error of items that were shown at times, and at times not."""
    import numpy as np

    place = {item: number for number, item in enumerate(items)}
    shown = np.zeros((len(rows), len(items)))
    for number, row in enumerate(rows):
        for item, was in row.items.items():
            if item in place:
                told, kept = counts[item]
                shown[number, place[item]] = was - told / (told + kept)
    left = _residual(np.array([row.gain for row in rows]), _covariates(rows))
    mass = np.einsum("ij,ij->j", shown, shown)
    alone = shown.T @ left / mass
    noise = float(left @ left) / max(1, len(rows) - 1)
    spread = max(_PRIOR**2, float(np.mean(alone**2 - noise / mass)))
    spread = min(spread, WIDEST**2)
    gram = shown.T @ shown + np.eye(len(items)) * (noise / spread)
    inverse = np.linalg.inv(gram)
    lifts, errors = inverse @ (shown.T @ left), np.sqrt(noise * np.diag(inverse))
    return {
        item: (float(lifts[n]), float(max(errors[n], _PRIOR * _PRIOR)))
        for item, n in place.items()
    }


def _covariates(rows: Sequence[_Row]) -> NDArray[np.float64]:
    """Return what else tells how a step fares: a constant, numbers, and kinds."""
    import numpy as np

    kinds = sorted({trait for row in rows for trait in row.traits})
    place = {kind: number for number, kind in enumerate(kinds)}
    told = np.zeros((len(rows), 3 + len(kinds)))
    for number, row in enumerate(rows):
        told[number, 0] = 1.0
        told[number, 1:3] = row.numbers
        for trait in row.traits:
            told[number, 3 + place[trait]] = 1.0
    return told


def _residual(
    gains: NDArray[np.float64], covariates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what covariates leave of the gains."""
    import numpy as np

    gram = covariates.T @ covariates + _NEAR * np.eye(covariates.shape[1])
    gram[0, 0] -= _NEAR  # the constant is no kind
    return gains - covariates @ np.linalg.solve(gram, covariates.T @ gains)
