"""What a `score` problem tells operators of its answers: elements, and their positions.

Not here: how an answer is rated. No operator and no program knows the scorer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Axis(NamedTuple):
    """One number of an element that is part of its position, and the ends of its range."""

    coordinate: int
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer that is a list of elements, each a list of numbers.

    Attributes:
        coordinates: How many numbers an element has.
        axes: Those coordinates that are its position, and the box that it lies in.
        larger_is_better: Whether a larger score is better.
        cpu_seconds: CPU seconds that a run of a program may take.
    """

    coordinates: int
    axes: tuple[Axis, ...]
    larger_is_better: bool
    cpu_seconds: float
