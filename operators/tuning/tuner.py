"""What all tuners share: from the values that one of them wants to a candidate, and its genome.

A genome holds one edit of a constant, the last: it says what the constant was in the base and
what it is now. A tuner learns from the trials of its parent's family (`Brief.history`) that
differ in nothing but the values of the same constants. Not here: which values are wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

from operators.tuning.constants import Constant, marked, replaced
from se_agent.program.features import content_address, node_hash
from se_agent.program.language import Language
from se_agent.values.brief import Brief
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal
from se_agent.values.view import Offer

if TYPE_CHECKING:
    from numpy.random import Generator


RULE = "tune"
"""Rule of all edits of constants, whichever tuner made them. The last edit replaces others."""

_DRAWS = 32  # before it is said that there is nothing new
_LEARNED = 4  # of them that are not at random


@dataclass(frozen=True)
class ValueTried:
    """Values that were tried.

    Attributes:
        point: Place of each constant in its range, from 0 to 1.
        effect: Against the initial program; None: that program was not right.
    """

    point: tuple[float, ...]
    effect: float | None


class Tuner:
    """Base of the tuners; `drawn` is what they differ in."""

    name: ClassVar[str]
    arity: ClassVar[int] = 1
    language: ClassVar[Language] = Language.PYTHON
    needs: ClassVar[str] = ""
    """Package of the extra `tune`; without it, it draws at random."""

    @property
    def equipped(self) -> bool:
        """Whether what it needs is installed."""
        return not self.needs or find_spec(self.needs) is not None

    def drawn(
        self, constants: Sequence[Constant], seen: Sequence[ValueTried], rng: Generator
    ) -> Sequence[float]:
        """Return a place for every constant, from 0 to 1, not always a new one.

        Args:
            constants: Constants of the parent, with its values; at least one.
            seen: Values tried for these constants, oldest first; the parent's are mostly among
                them.
            rng: Random numbers of this draw.
        """
        raise NotImplementedError

    def offers(self, brief: Brief) -> Sequence[Offer] | None:
        """Return nothing where no constant is marked; which values, only asking tells."""
        return None if marked(brief.slot.parents[0].files) and not brief.editable else ()

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the first parent with other values; None without a mark or news."""
        parent = brief.slot.parents[0]
        found = marked(parent.files)
        if not found or brief.editable:
            return None
        seen, address = observed(brief, found), (brief.slot.number, Purpose.OPERATOR)
        for attempt in range(_DRAWS):
            rng = rng_at(brief.seed, *address, brief.slot.variant, attempt)
            learned = self.equipped and attempt < _LEARNED
            point = self.drawn(found, seen, rng) if learned else nearby(found, rng)
            files, values = changed(parent.files, found, point)
            content = content_address(files)
            if values and content != parent.content and content not in brief.tried:
                return self._proposal(brief, files, values)
        return None

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Give a constant its drawn value, where it still is what it was in the base.

        One that was tuned here as well keeps its own value; see `Replaying`.
        """
        for constant in () if editable else marked(files):
            if changes(edit, constant) and edit.node == _node(constant):
                ((_, value),) = edit.parameters
                text = replaced(files[constant.path], {constant: float(value)})
                return {**files, constant.path: text}
        return None

    def _proposal(
        self, brief: Brief, files: Mapping[str, str], values: Mapping[Constant, float]
    ) -> Proposal:
        parent = brief.slot.parents[0]
        told = ", ".join(
            f"{c.name} {c.written(c.value)} -> {c.written(value)}"
            for c, value in values.items()
        )
        names = ", ".join(f"`{c.name}` within {c.low:g}..{c.high:g}" for c in values)
        return Proposal(
            solution=brief.child(
                files,
                operator=self.name,
                base=parent.root,
                edits=tuned(parent.edits, values),
            ),
            direction=f"Tune {names}",
            expected_effect=f"other values may suit the inputs better: {told}",
            notes=self._notes(brief),
        )

    def _notes(self, brief: Brief) -> tuple[str, ...]:
        """Say once in a family that a package is missing."""
        first = all(past.solution.operator != self.name for past in brief.history)
        if self.equipped or not first:
            return ()
        return (
            f"{self.needs} is not installed: drawn at random (`pip install se-agent[tune]`)",
        )


def nearby(constants: Sequence[Constant], rng: Generator) -> list[float]:
    """Change one constant: evenly over its range, or a small step from its present value."""
    point = [constant.share for constant in constants]
    one = int(rng.integers(len(constants)))
    value, step = constants[one].value, rng.normal(point[one], 0.1)
    outside = not constants[one].low <= value <= constants[one].high
    point[one] = rng.random() if outside or rng.random() < 0.5 else step
    return [float(share) for share in point]


def observed(brief: Brief, constants: Sequence[Constant]) -> list[ValueTried]:
    """Return what is known of other values of these constants in the same program."""
    parent, found = brief.slot.parents[0], []
    for past in brief.history:
        if _untuned(past.solution) != _untuned(parent):
            continue
        values = marked(past.solution.files)
        if [_mark(one) for one in values] == [_mark(one) for one in constants]:
            found.append(ValueTried(tuple(one.share for one in values), past.effect))
    return found


def changed(
    files: Mapping[str, str], constants: Sequence[Constant], point: Sequence[float]
) -> tuple[Mapping[str, str], dict[Constant, float]]:
    """Return the files with the values at a point, and the values that are other ones."""
    values: dict[Constant, float] = {}
    for constant, share in zip(constants, point, strict=True):
        value = constant.at(share)
        # A place that is the present one may be a rounded value of more digits.
        if value != constant.value and share != constant.share:
            values[constant] = value
    made = dict(files)
    for path in dict.fromkeys(constant.path for constant in values):
        here = {one: value for one, value in values.items() if one.path == path}
        made[path] = replaced(made[path], here)
    return made, values


def tuned(edits: Sequence[Edit], values: Mapping[Constant, float]) -> tuple[Edit, ...]:
    """Return a genome after these constants got new values."""
    kept = list(edits)
    for constant, value in values.items():
        earlier = [edit for edit in kept if changes(edit, constant)]
        edit = Edit(
            rule=RULE,
            function="",
            node=earlier[0].node if earlier else _node(constant),
            occurrence=constant.occurrence,
            parameters=((constant.name, constant.written(value)),),
        )
        kept = [*(one for one in kept if one not in earlier), edit]
    return tuple(kept)


def changes(edit: Edit, constant: Constant) -> bool:
    """Say whether an edit is an earlier one of this constant."""
    names = [name for name, _ in edit.parameters]
    here = (RULE, constant.occurrence, [constant.name])
    return (edit.rule, edit.occurrence, names) == here


def _mark(constant: Constant) -> tuple[object, ...]:
    """Return what two programs must share for their values to be compared."""
    place = (constant.path, constant.name, constant.occurrence)
    return (*place, constant.low, constant.high, constant.whole, constant.log)


def _untuned(solution: Solution) -> tuple[Edit, ...]:
    return tuple(edit for edit in solution.edits if edit.rule != RULE)


def _node(constant: Constant) -> str:
    return node_hash(f"{constant.name} = {constant.written(constant.value)}")
