"""What is made smaller: one measured quantity, or a weighted mean of several. Pure values.

One objective drives the whole search: its effect is the log of reference / candidate in it, so
"1.5x" means the same whatever is measured. Other quantities are reported beside it, never mixed
into it. Not here: how a quantity is read (`evaluators.measure`).
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self


class Quantity(enum.StrEnum):
    """What can be read of a run, from outside of the process that is measured."""

    CPU = "cpu"  # seconds of the CPU clock of its process, threads included
    WALL = "wall"  # seconds on the wall, from its start to its answer
    MEMORY = "memory"  # bytes that it held at most, beyond those of an empty program
    MEMORY_TIME = "memory_time"  # bytes times CPU seconds, integrated over the run
    INSTRUCTIONS = "instructions"  # that the processor was given, start-up excluded


UNITS = {
    Quantity.CPU: "s",
    Quantity.WALL: "s",
    Quantity.MEMORY: "B",
    Quantity.MEMORY_TIME: "B s",
    Quantity.INSTRUCTIONS: "instructions",
}
"""Unit of each quantity's figures."""

TITLES = {
    Quantity.CPU: "CPU time",
    Quantity.WALL: "wall time",
    Quantity.MEMORY: "peak memory",
    Quantity.MEMORY_TIME: "memory over time",
    Quantity.INSTRUCTIONS: "instructions",
}
"""Name of each quantity in a sentence."""

Figures = Mapping[Quantity, float]
"""What one program took, in each quantity that was read."""

_TIMES = ((1.0, 1.0, "s"), (1e-4, 1e-3, "ms"))  # from, unit in seconds, name
_SCALES = {"G": 1e9, "M": 1e6, "k": 1e3, "": 1.0}
_ALONE = "the count is exact: one block of it proves what a mean with noise cannot"


@dataclass(frozen=True)
class Objective:
    """Weights of quantities, which add up to 1; one quantity alone has all of it.

    Attributes:
        weights: Each quantity once, in the order of `Quantity`, with a positive weight.

    Raises:
        ValueError: There is no weight, one is not a positive number, or an exact quantity is
            mixed with others.
    """

    weights: tuple[tuple[Quantity, float], ...] = ((Quantity.CPU, 1.0),)

    def __post_init__(self) -> None:
        for quantity, weight in self.weights:
            if not (math.isfinite(weight) and weight > 0):
                raise ValueError(f"weight of {quantity}: {weight}, not a positive number")
        if not self.weights:
            raise ValueError(f"weights={self.weights}: give one quantity at least")
        if len(self.weights) > 1 and Quantity.INSTRUCTIONS in dict(self.weights):
            raise ValueError(f"instructions have no weight beside others: {_ALONE}")

    @classmethod
    def weighted(cls, weights: Mapping[str, float]) -> Self:
        """Return the objective of these weights, scaled to a sum of 1.

        Raises:
            ValueError: A name is no quantity, or a weight is not a positive number.
        """
        if unknown := sorted(set(weights) - set(Quantity)):
            raise ValueError(f"{unknown[0]!r} is none of {', '.join(Quantity)}")
        given = {Quantity(name): weight for name, weight in weights.items()}
        cls(tuple(given.items()))  # the weights as they were given, for what is told of them
        try:
            total = math.fsum(given.values())
        except OverflowError:
            raise ValueError(f"weights {dict(weights)}: give smaller ones") from None
        return cls(tuple((q, given[q] / total) for q in Quantity if q in given))

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """What has to be read for it."""
        return tuple(quantity for quantity, _ in self.weights)

    @property
    def only(self) -> Quantity | None:
        """The one quantity that it is; None for a weighted one."""
        return self.quantities[0] if len(self.weights) == 1 else None

    @property
    def blind_to_waiting(self) -> bool:
        """Whether a program that sleeps instead of computing would look no worse, or better."""
        return Quantity.WALL not in self.quantities

    @property
    def exact(self) -> bool:
        """Whether its figures have no noise, so that one block is enough."""
        return self.only is Quantity.INSTRUCTIONS

    @property
    def unit(self) -> str:
        """Unit of its figures; empty for a weighted one, which has none."""
        return UNITS[self.only] if self.only else ""

    @property
    def title(self) -> str:
        """Its name in a sentence, such as `CPU time` or `0.7 CPU time and 0.3 peak memory`."""
        if self.only:
            return TITLES[self.only]
        return " and ".join(f"{weight:.2g} {TITLES[q]}" for q, weight in self.weights)

    def effect(self, reference: Figures, candidate: Figures) -> float:
        """Return ln(reference / candidate), the weighted sum over its quantities."""
        logs = (w * math.log(reference[q] / candidate[q]) for q, w in self.weights)
        return math.fsum(logs)

    def figure(self, figures: Figures, against: Figures) -> float:
        """Return its figure of a program, in its unit; weighted: as a share of `against`."""
        if self.only:
            return figures[self.only]
        return math.exp(-self.effect(against, figures))


def after(before: float, effect: float) -> float:
    """Return the figure that an effect leaves of another one: both, and their ratio, agree.

    Args:
        before: Figure of the reference.
        effect: ln(before / after).
    """
    return before * math.exp(-max(-700.0, min(effect, 700.0)))  # beyond that it overflows


def amount(value: float, unit: str) -> str:
    """Return a figure as people write it, such as `8.13 MB` or, of seconds, `0.11 ms`."""
    if unit == "s":
        return seconds(value)
    if unit.partition(" ")[0] != "B":
        return f"{value:.4g} {unit}".rstrip()
    scale = next((s for s in ("G", "M", "k") if value >= _SCALES[s]), "")
    return f"{value / _SCALES[scale]:.3g} {scale}{unit}"


def seconds(value: float, *, least: float = 0.0) -> str:
    """Return a duration such as `0.11 ms`, `12.3 s` or `2 min 5 s`.

    Args:
        value: Seconds.
        least: Seconds below which a figure says nothing: it is told as less than these.
    """
    if least > 0 and value < least:
        return f"less than {seconds(least)}"
    if 100 <= value < math.inf:
        return f"{int(value // 60)} min {int(value % 60)} s"
    fit = ((scale, unit) for least, scale, unit in _TIMES if abs(value) >= least)
    scale, unit = next(fit, (1e-6, "us"))
    return f"{float(f'{value / scale:.3g}'):g} {unit}"


CPU_TIME = Objective()
"""The default."""


@dataclass(frozen=True, kw_only=True)
class Goal:
    """What a program is to be better in, in words, and what an effect of it means.

    Attributes:
        title: Its name in a sentence, such as `CPU time` or `score`.
        unit: Unit of its figures.
        larger: Whether more of it is better.
        ratio: Whether an effect is the log of a ratio; else it is a difference of figures.
        trusted: Whether programs have no part in saying their own figures.
    """

    title: str = TITLES[Quantity.CPU]
    unit: str = "s"
    larger: bool = False
    ratio: bool = True
    trusted: bool = True
