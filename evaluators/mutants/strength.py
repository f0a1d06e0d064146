"""How strong the visible tests of a problem are: how many planted faults do they find?

A mutant that passes them is looked at once more, on inputs that are no tests. One that is
wrong there was missed; one that nothing tells from the original may well be no fault at all,
and does not count. Not here: what mutants there are (`mutants`), and how they run (`look`).
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from evaluators.mutants.faults import Fault
from evaluators.mutants.look import MutantLook
from evaluators.mutants.mutants import Mutant, sample
from se_agent.program.language import Language
from se_agent.values.evaluation import FailedCase, Status

_SPARE = 2
"""Times the mutants that are wanted are drawn where some will not compile."""

_FEW = 3
_MANY = 0.25
"""Share of alike mutants, of no fewer than `_FEW`, from which on it is the inputs: where these
are good, one in eight is no fault."""


class Fate(enum.StrEnum):
    """What became of a mutant."""

    CAUGHT = "caught"  # the visible tests tell it from the original
    MISSED = "missed"  # they do not, though another input does
    ALIKE = "alike"  # nothing does


@dataclass(frozen=True, kw_only=True)
class MutantTried:
    """A mutant and what became of it.

    Attributes:
        mutant: The program.
        fate: What became of it.
        told: The input that tells a missed mutant from the original, if there is one to
            be shown.
    """

    mutant: Mutant
    fate: Fate
    told: FailedCase | None = None


@dataclass(frozen=True, kw_only=True)
class Strength:
    """What the tests are worth.

    Attributes:
        tried: Mutants, in the order in which they were drawn.
        places: Faults that could have been planted, duplicates included.
        not_compiled: Mutants that turned out to be no programs; they do not count.
        complete: Whether all that were drawn were tried; else the time was up.
        cost_seconds: CPU seconds that it took.
    """

    tried: tuple[MutantTried, ...]
    places: int
    not_compiled: int = 0
    complete: bool
    cost_seconds: float

    def count(self, fate: Fate) -> int:
        """Return how many mutants met with a fate."""
        return sum(each.fate is fate for each in self.tried)

    @property
    def share(self) -> float | None:
        """Share of caught mutants among those that something tells from the original."""
        caught, missed = self.count(Fate.CAUGHT), self.count(Fate.MISSED)
        return caught / (caught + missed) if caught + missed else None

    @property
    def doubtful(self) -> bool:
        """Whether so many are alike that the inputs tell little of any program."""
        alike = self.count(Fate.ALIKE)
        return alike >= _FEW and alike > _MANY * len(self.tried)

    @property
    def by_fault(self) -> dict[Fault, Counter[Fate]]:
        """How many met with which fate, by what was done wrong; most frequent first."""
        found: dict[Fault, Counter[Fate]] = {}
        for each in self.tried:
            found.setdefault(each.mutant.fault, Counter())[each.fate] += 1
        return dict(sorted(found.items(), key=lambda item: -item[1].total()))

    @property
    def survivors(self) -> tuple[MutantTried, ...]:
        """Mutants that pass the tests, the missed ones first."""
        passed = [each for each in self.tried if each.fate is not Fate.CAUGHT]
        return tuple(sorted(passed, key=lambda each: each.fate is Fate.ALIKE))


def strength(
    text: str,
    entry_point: str | None,
    tests: MutantLook,
    beyond: MutantLook,
    *,
    count: int,
    seed: int = 0,
    language: Language = Language.PYTHON,
    cpu_seconds: float = math.inf,
    told: Callable[[int, int], None] | None = None,
) -> Strength:
    """Try mutants of a program on its tests, and those that pass on more inputs.

    Args:
        text: The right program.
        entry_point: See `sample`.
        tests: The program on the visible tests.
        beyond: The program on inputs that are no tests.
        count: Mutants to try.
        seed: Seed of the draw.
        language: Language of the program.
        cpu_seconds: After which no further mutant is tried.
        told: Is told after each mutant how many were tried, and of how many.
    """
    wanted = count if language is Language.PYTHON else _SPARE * count
    drawn = sample(text, entry_point, count=wanted, seed=seed, language=language)
    tried, lost, complete = list[MutantTried](), 0, True
    for mutant in drawn.mutants:
        if len(tried) == count:
            break
        if tests.cost_seconds + beyond.cost_seconds > cpu_seconds:
            complete = False
            break
        found = _tried(mutant, tests, beyond)
        tried += [found] if found else []
        lost += found is None
        if told:
            told(len(tried), min(count, len(drawn.mutants) - lost))
    return Strength(
        tried=tuple(tried),
        places=drawn.places,
        not_compiled=lost,
        complete=complete,
        cost_seconds=tests.cost_seconds + beyond.cost_seconds,
    )


def _tried(mutant: Mutant, tests: MutantLook, beyond: MutantLook) -> MutantTried | None:
    """Return what became of a mutant; None for one that does not compile."""
    different = tests.difference(mutant.text)
    if different is not None:
        broken = different.status is Status.CE
        return None if broken else MutantTried(mutant=mutant, fate=Fate.CAUGHT)
    found = beyond.difference(mutant.text)
    if found is None:
        return MutantTried(mutant=mutant, fate=Fate.ALIKE)
    return MutantTried(mutant=mutant, fate=Fate.MISSED, told=next(iter(found.failing), None))
