"""Is credit right? Items of known effect in made-up runs, and what `item_lifts` says of them.

A step's gain is mostly 0, rarely large, and depends on its family, on how good its parent is
already, and on which items its prompt had. Items are eligible where they seem relevant, so that
some are shown where steps fare well anyway. One slot in eight has no memory, else each item is
left out one time in ten. `python -m experiments.figures.lift` prints the table.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from se_agent.memory.experience.item_credit import Exposure, item_lifts, quarantined_items

ITEMS = 30
EFFECTS = {"helpful": 0.12, "neutral": 0.0, "harmful": -0.12}
"""Log gain that an item adds to a step on average, by kind; a third of the items each."""

WITHOUT, DROPOUT, ELIGIBLE = 1 / 8, 0.1, 5
"""Slots without memory, chance of an item to be left out, and items a slot."""

SURE = 0.9
"""Probability from which on an item is called helpful, or harmful."""


class Told(NamedTuple):
    """What credit said of the items of one world.

    Attributes:
        right: Items that were called helpful or harmful, and are.
        called: Items that were called so.
        real: Items that are helpful or harmful.
        innocent: Items in quarantine that do no harm.
        quarantined: Items in quarantine.
        plain: Share that a plain difference of means gets right among as many as it calls.
    """

    right: int
    called: int
    real: int
    innocent: int
    quarantined: int
    plain: float


def kind_of(item: int) -> str:
    """Return the kind of an item by its number."""
    return [*EFFECTS][item % 3]


def exposures(steps: int, seed: int) -> Iterator[Exposure]:
    """Yield the exposures of a world."""
    draw = np.random.default_rng(seed)
    families = draw.normal(0.0, 0.15, 4)
    affinity = draw.dirichlet([0.4] * 4, ITEMS)  # families in which an item seems relevant
    for slot in range(steps):
        family = int(draw.integers(4))
        chances = affinity[:, family] / affinity[:, family].sum()
        eligible = draw.choice(
            ITEMS, ELIGIBLE, replace=False, p=(chances + 1e-3) / (1 + 1e-3 * ITEMS)
        )
        bare = draw.random() < WITHOUT
        shown = [not bare and draw.random() >= DROPOUT for _ in eligible]
        parent = draw.exponential(0.8)
        mean = 0.25 + families[family] - 0.1 * parent
        mean += sum(
            EFFECTS[kind_of(one)] for one, was in zip(eligible, shown, strict=True) if was
        )
        proven = draw.random() < 0.35
        gain = (
            max(0.0, draw.normal(2.0 * mean, 0.4))
            if proven
            else min(0.0, draw.normal(mean - 0.4, 0.2))
        )
        for one, was in zip(eligible, shown, strict=True):
            yield Exposure(
                run="made-up",
                slot=slot,
                item=f"{kind_of(one)} {one}",
                shown=was,
                gain=float(gain),
                family=str(family),
                generation=1 + slot // 10,
                parent_effect=float(parent),
            )


def told(seen: Sequence[Exposure]) -> Told:
    """Return what credit says of a world's exposures."""
    found = item_lifts(seen)
    called = {
        item: "harmful" if lift.harm > 0.5 else "helpful"
        for item, lift in found.items()
        if max(lift.harm, 1 - lift.harm) >= SURE
    }
    away = quarantined_items(found)
    return Told(
        right=sum(item.startswith(kind) for item, kind in called.items()),
        called=len(called),
        real=sum(not item.startswith("neutral") for item in found),
        innocent=sum(not item.startswith("harmful") for item in away),
        quarantined=len(away),
        plain=_plain(seen, len(called)),
    )


def _plain(seen: Sequence[Exposure], many: int) -> float:
    """Return how often a plain difference is right among the items that it is surest of."""
    gains: Mapping[str, dict[bool, list[float]]] = defaultdict(lambda: {True: [], False: []})
    for one in seen:
        gains[one.item][one.shown].append(one.gain)
    said = {
        item: statistics.fmean(of[True]) - statistics.fmean(of[False])
        for item, of in gains.items()
        if of[True] and of[False]
    }
    surest = sorted(said, key=lambda item: -abs(said[item]))[:many]
    right = [item.startswith("helpful" if said[item] > 0 else "harmful") for item in surest]
    return statistics.fmean(right) if right else 0.0


def main(worlds: int = 20) -> None:
    """Print the table."""
    for steps in (500, 1500, 5000):
        rows = [told([*exposures(steps, seed)]) for seed in range(worlds)]
        called = sum(row.called for row in rows)
        away = sum(row.quarantined for row in rows)
        right = sum(row.right for row in rows)
        print(
            f"{steps} candidates: precision {right / max(1, called):.2f} of {called} called,"
            f" recall {right / sum(row.real for row in rows):.2f}; quarantined {away},"
            f" innocent {sum(row.innocent for row in rows) / max(1, away):.2f};"
            f" plain difference {statistics.fmean(row.plain for row in rows):.2f}"
        )


if __name__ == "__main__":
    main()
