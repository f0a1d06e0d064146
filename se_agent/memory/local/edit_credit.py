"""What each change is worth, learned from all that were tried: alone or together.

Pure. A change of a program saves about the same share of the initial program's cost whatever
else was changed, so each comparison is an equation in the changes that tell the two apart, and
their least-squares solution, drawn towards nothing where little is known, says what each
brings. A union that is right clears all in it; one that is not accuses those that nothing has
cleared, unless one of them is surely wrong; where it raised an exception, those in the
function that did. Scores do not add up so: of them nothing is
believed. Not here: what lessons say in words (`directions`), and what is tried next
(`se_agent.engine.search.group_testing`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from se_agent.memory.local.evidence import MeasuredChange, raised_in
from se_agent.stats.sequential import SPREAD_FLOOR, Z_YES
from se_agent.values.evaluation import Status
from se_agent.values.memory_context import Believed
from se_agent.values.solution import Edit
from se_agent.values.step import Step

KEPT = 256
"""Comparisons that are remembered: the latest ones, and of each change the last right one and
the last wrong one."""

UNKNOWN = 1 / 8
"""How likely a change does harm of which nothing is known."""

TRACED = 0.9
"""How likely it is a change of the function that raised an exception that is wrong: 172 of 188
programs of eight problems, and the others had two changes of it that do not go together."""

_FAR = 300.0  # effect beyond which a ratio is no number any more
_USUAL = 0.15  # share of the cost that a change saves, as a deviation from nothing


@dataclass(frozen=True)
class Equation:
    """One comparison of a program with its parent.

    Attributes:
        program: Id of the program.
        made: Changes that the program has and its parent has not.
        undone: Changes that the parent has and the program has not.
        has: All changes of the program.
        saved: What the program saves against its parent, as a share of the initial program's
            cost; None: it was not right.
        error: Standard error of that.
        raised: Functions that the exception of a wrong one passed, the innermost one first.
    """

    program: str
    made: tuple[Edit, ...]
    undone: tuple[Edit, ...] = ()
    has: tuple[Edit, ...] = ()
    saved: float | None = None
    error: float = SPREAD_FLOOR
    raised: tuple[str, ...] = ()

    @property
    def is_harmful(self) -> bool:
        """Whether what was made did harm: the program is right, and clearly slower.

        One that has lost changes of its parent may be slower for that.
        """
        if self.saved is None or self.undone:
            return False
        return self.saved < -Z_YES * self.error


@dataclass(frozen=True)
class Credit:
    """An immutable record of comparisons, and what follows from them."""

    equations: tuple[Equation, ...] = ()

    def after(self, step: Step) -> Credit:
        """Return the record with a closed step, where it says something of changes."""
        known = self._without(step.withdrawn) if step.withdrawn else self
        new = equation_of(step)
        return known if new is None else Credit(_kept((*known.equations, new)))

    def _without(self, wrong: Container[str]) -> Credit:
        """Return the record where programs turned out to be wrong that were held for right."""
        return Credit(
            tuple(
                replace(one, saved=None) if one.program in wrong else one
                for one in self.equations
            )
        )

    @cached_property
    def beliefs(self) -> Mapping[Edit, Believed]:
        """What is believed of each change that was tried."""
        each = (edit for one in self.equations for edit in (*one.made, *one.undone))
        edits = list(dict.fromkeys(each))
        blame, solved = _blamed(self.equations), _solved(self.equations, edits)
        right = [one for one in self.equations if one.saved is not None]
        measured = {edit for one in right for edit in (*one.made, *one.undone)}
        return {
            edit: Believed(gain, error, blame.get(edit, 0.0), edit in measured)
            for edit, (gain, error) in zip(edits, solved, strict=True)
        }


def _kept(equations: tuple[Equation, ...]) -> tuple[Equation, ...]:
    """Drop the oldest comparison that says nothing alone, if they are too many."""
    if len(equations) <= KEPT:
        return equations
    said = [
        [*((e, one.saved is None) for e in one.made), *((e, "undone") for e in one.undone)]
        for one in equations
    ]
    seen = Counter(edit for edits in said for edit in edits)
    told = (all(seen[edit] > 1 for edit in edits) for edits in said)
    gone = next((index for index, again in enumerate(told) if again), 0)
    return equations[:gone] + equations[gone + 1 :]


def equation_of(step: Step) -> Equation | None:
    """Return what a judged step says of its changes; None: nothing."""
    if step.proposal is None or step.verdict is None:
        return None
    parent, child = step.slot.parents[0], step.proposal.solution
    if parent.root != child.root:
        return None  # written anew: it has none of its parent's changes, nor undoes them
    made, undone = MeasuredChange(parent, child).edits, MeasuredChange(child, parent).edits
    if not made and not undone:
        return None
    plain = Equation(step.slot.child, made, undone, child.edits)
    verdict = step.verdict
    if verdict.status is not Status.AC:
        told = step.evaluation.feedback if step.evaluation else ""
        return replace(plain, raised=raised_in(told)) if made else None
    if step.effect is None:
        return None
    low, high = verdict.interval
    error = (high - low) / 2 / Z_YES
    left = math.exp(min(-step.effect, _FAR))  # of the initial program's cost
    saved = left * math.expm1(min(verdict.effect, _FAR))
    return replace(plain, saved=saved, error=left * (error + SPREAD_FLOOR))


def _blamed(equations: Sequence[Equation]) -> dict[Edit, float]:
    """Return how likely each change is what made a program wrong, or slower.

    Any of its changes may be, but for those that another program had without that harm; each of
    them is as likely, and one alone is sure. Of a program that raised an exception it is most
    likely one of the function that did. One that is surely wrong explains all wrong programs
    that have it: of the others there nothing is known. It explains no slow one, for that harm
    has a size.
    """
    right = [one for one in equations if one.saved is not None]
    sound = {edit for one in right for edit in one.has}
    harmless = {
        edit for one in right if not one.is_harmful and not one.undone for edit in one.made
    }
    slower = [(_without(one.made, harmless), 1.0) for one in right if one.is_harmful]
    wrong = [(_without(one.made, sound), one) for one in equations if one.saved is None]
    sure = {suspects[0]: 1.0 for suspects, _ in wrong if len(suspects) == 1}
    found = dict(sure)
    unexplained = (_accused(each, one) for each, one in wrong if sure.keys().isdisjoint(each))
    for suspects, share in (*unexplained, *slower):
        for edit in suspects:
            found[edit] = 1 - (1 - found.get(edit, 0.0)) * (1 - share / len(suspects))
    spared = {edit: UNKNOWN for suspects, _ in wrong for edit in suspects}
    return spared | found


def _without(edits: Iterable[Edit], others: Collection[Edit]) -> tuple[Edit, ...]:
    """Return the edits that are not among others, each once, in their order."""
    return tuple(edit for edit in dict.fromkeys(edits) if edit not in others)


def _accused(suspects: Collection[Edit], one: Equation) -> tuple[Collection[Edit], float]:
    """Return which suspects of a wrong program are accused, and how likely it is they."""
    for name in one.raised:
        if inside := [edit for edit in suspects if _around(name, edit.function)]:
            return inside, TRACED
    return suspects, 1.0


def _around(one: str, other: str) -> bool:
    """Whether two functions are the same, or one is defined within the other."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _solved(
    equations: Sequence[Equation], edits: Sequence[Edit]
) -> Iterable[tuple[float, float]]:
    """Return what each change saves, and the standard error of that."""
    import numpy as np  # 80 ms: a command that only imports memory solves nothing

    place = {edit: index for index, edit in enumerate(edits)}
    right = [(one, one.saved) for one in equations if one.saved is not None]
    rows, told = np.zeros((len(right), len(edits))), np.zeros(len(right))
    for row, (one, saved) in enumerate(right):
        weight = 1 / max(one.error, SPREAD_FLOOR**2)
        rows[row, [place[edit] for edit in one.made]] = weight
        rows[row, [place[edit] for edit in one.undone]] = -weight
        told[row] = weight * saved
    spread = np.linalg.inv(rows.T @ rows + np.eye(len(edits)) / _USUAL**2)
    errors = np.sqrt(np.diag(spread))
    return zip(map(float, spread @ rows.T @ told), map(float, errors), strict=True)
