"""Comparisons that the study makes, in their order. Pure.

A session is what a run is: one problem, one self-test, some dozens of comparisons. Each half
(idle, loaded) has the same sessions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from se_agent.noise.families import KernelEdit, ProgramPair, Text, World
from se_agent.noise.kernels import Family
from se_agent.values.randomness import Purpose, rng_at

IDLE = "idle"
HALVES = (IDLE, "loaded")
FIRST = range(6)
"""Sessions a family that hold comparisons of identical programs, too."""

MORE = range(6, 12)
"""Sessions a family that hold edits only: they double the pairs of a row."""

GAINS = (0.02, 0.05, 0.1)
_ALIKE = 25  # comparisons of identical programs a session
_EDITS = 7  # pairs a gain and session
_TEXTS = (Text.SAME, Text.RENAMED, Text.SAME, Text.REORDERED)


@dataclass(frozen=True)
class Session:
    """A world, idle or loaded.

    Attributes:
        half: One of `HALVES`.
        world: Its problem.
    """

    half: str
    world: World

    @property
    def key(self) -> str:
        """Unique; the keys of its comparisons begin with it."""
        return f"{self.half}/{self.world.family}/{self.world.number}"


@dataclass(frozen=True)
class Planned:
    """One comparison.

    Attributes:
        world: The world; its programs are compared.
        gain: Aimed at; 0: the two do the same work.
        variant: Number of the pair of programs.
    """

    world: World
    gain: float
    variant: int

    @property
    def key(self) -> str:
        """Unique within a half."""
        return f"{self.world.family}/{self.world.number}/{self.gain}/{self.variant}"

    @property
    def kind(self) -> str:
        """How the two texts differ."""
        return str(_cycled(list(KernelEdit) if self.gain else list(_TEXTS), self.variant))

    def pair(self) -> ProgramPair:
        """Return the two programs."""
        if self.gain:
            return self.world.gained(self.variant, self.gain, KernelEdit(self.kind))
        return self.world.alike(self.variant, Text(self.kind))


def sessions(half: str, numbers: range) -> list[Session]:
    """Return the sessions of a half: every family once before one has its second."""
    return [Session(half, World(family, n)) for n in numbers for family in Family]


def comparisons(world: World) -> list[Planned]:
    """Return the comparisons of a session, in a random order that is always the same."""
    found = [*_alike(world), *edits(world)]
    family = list(Family).index(world.family)
    order = rng_at(world.number, family, Purpose.PAIR_ORDER).permutation(len(found))
    return [found[place] for place in order]


def edits(world: World) -> Iterator[Planned]:
    """Yield the comparisons with a gain: each variant once a gain."""
    first = _EDITS * world.number
    for variant in range(first, first + _EDITS):
        for gain in GAINS:
            yield Planned(world, gain, variant)


def _alike(world: World) -> Iterator[Planned]:
    if world.number in FIRST:
        for variant in range(_ALIKE):
            yield Planned(world, 0.0, variant)


def _cycled(values: list[KernelEdit] | list[Text], place: int) -> KernelEdit | Text:
    return values[place % len(values)]
