"""Pairs of programs whose difference is known: none at all, or so many instructions more.

A *world* is one problem: a kernel and its constants. All programs of a world give the same
answers. Not here: running any of them.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from se_agent.noise.kernels import KERNELS, Family, Kernel
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.solution import Solution

_GENERATOR = """
def generate(rng):
    return ([rng.randrange(1, 1000) for _ in range({length})],)
"""
_FEWEST = 100  # turns of a program, so that a per cent is a turn
_STEPS = 25  # different numbers of turns


class Text(enum.StrEnum):
    """How the text of a candidate of no gain differs from its reference's."""

    SAME = "same"
    RENAMED = "renamed"  # other local names
    REORDERED = "reordered"  # the functions in another order


class KernelEdit(enum.StrEnum):
    """What a candidate with a gain leaves out."""

    TURNS = "turns"  # some turns of work whose result is thrown away
    SPARE = "spare"  # a pass over the input that nobody needs
    BOTH = "both"


@dataclass(frozen=True)
class ProgramPair:
    """Two programs that give the same answers."""

    reference: Solution
    candidate: Solution


@dataclass(frozen=True)
class World:
    """A kernel with its constants.

    Attributes:
        family: Family of the kernel.
        number: Number of the world in its family, from 0; the kernels take turns.
    """

    family: Family
    number: int

    @property
    def kernel(self) -> Kernel:
        """The kernel that all its programs share."""
        mine = [kernel for kernel in KERNELS if kernel.family is self.family]
        return mine[self.number % len(mine)]

    def problem(self) -> Problem:
        """Return the problem that all its programs solve."""
        return Problem(
            name=f"{self.family} {self.number}",
            kind=ProblemKind.FUNCTION,
            programs={"initial": self._text(_FEWEST)},
            entry_point="solve",
            cases=(Case(name="one", input=Expr(code="generate(rng)")),),
            generator=_GENERATOR.format(length=self.kernel.length),
            ladder=Ladder(rungs=(("generate(rng)",),)),
            imports=self.kernel.imports,
        )

    def alike(self, variant: int, text: Text) -> ProgramPair:
        """Return two programs that do the same work.

        Args:
            variant: Decides how much work, from 0.
            text: How their texts differ.
        """
        turns = _turns(variant)
        return _pair(self._text(turns), self._text(turns, text=text))

    def gained(self, variant: int, gain: float, edit: KernelEdit) -> ProgramPair:
        """Return a program and one with less work.

        Args:
            variant: Decides how much work, from 0.
            gain: Aimed at, as a fraction of the candidate's instructions; what it is indeed,
                only a count can tell.
            edit: What the candidate leaves out.
        """
        turns = _turns(variant)
        more = int(
            {KernelEdit.TURNS: 1.0, KernelEdit.BOTH: 0.5, KernelEdit.SPARE: 0.0}[edit]
            * gain
            * turns
        )
        spare = round((gain * turns - more) / self.kernel.share)
        # Both define `spare`, so that the text that has to be compiled is no part of the gain.
        return _pair(self._text(turns + more, spare=spare), self._text(turns, spare=0))

    def _text(self, turns: int, *, spare: int | None = None, text: Text = Text.SAME) -> str:
        parts = [*self.kernel.parts, *([] if spare is None else [self.kernel.spare])]
        parts.append(_solve(turns, spare or 0))
        if text is Text.REORDERED:
            parts.reverse()
        whole = "\n".join((self._head(), *parts))
        return _renamed(whole, self.kernel) if text is Text.RENAMED else whole

    def _head(self) -> str:
        lines = [
            *(["import numpy as np"] if self.kernel.imports else []),
            f"SALT = {3 + self.number}",
            f"MODULUS = {1009 - 2 * self.number}",
            f"SIZE = {2000 + 10 * self.number}",
        ]
        return "\n".join((*lines, ""))


def _turns(variant: int) -> int:
    return _FEWEST + 4 * (variant % _STEPS)


def _solve(turns: int, spare: int) -> str:
    lines = ["", "def solve(values):", "    found = 0"]
    if spare:
        lines += [f"    for _ in range({spare}):", "        spare(values)"]
    lines += [f"    for _ in range({turns}):", "        found = turn(values)"]
    return "\n".join((*lines, "    return found", ""))


def _renamed(text: str, kernel: Kernel) -> str:
    for name in dict.fromkeys((*kernel.names, "found")):
        text = re.sub(rf"\b{name}\b", f"the_{name}", text)
    return text


def _pair(reference: str, candidate: str) -> ProgramPair:
    return ProgramPair(
        Solution(id="Gen1_Sol_0", files={"main.py": reference}),
        Solution(id="Gen1_Sol_1", files={"main.py": candidate}),
    )
