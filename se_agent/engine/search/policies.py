"""Searches: which parents and which operator next. Pure, seeded, told of closed steps only.

A baseline is a policy of its own, not a switch of another one, so that every comparison is one
line of configuration. Here are the plain ones, and what all of them share; those that learn
have modules of their own (`portfolio`, `map_elites`, `self_evolution`). To all of them an
operator that a model writes is one that may be asked for the same again, for the answer is
another one; what makes no program of its own, or mends one, is left to those that think in
strategies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from se_agent.chat.messages import Role
from se_agent.config.roles import RoleMatrix
from se_agent.config.sections import Asking
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import Offer, View

if TYPE_CHECKING:
    from numpy.random import Generator


Key = tuple[str, tuple[str, ...]]
"""An operator and the ids of its parents: what a slot asks for."""

PATIENCE = 16
"""Steps of models in a row that brought nothing new, after which no model is asked any more."""


class Choice(NamedTuple):
    """A slot that could be asked for, and what is known to be on offer in it."""

    slot: Slot
    offer: Offer | None = None


class BasePolicy:
    """Base of the policies here: never ask in vain twice, nor twice alike in one generation.

    The answer depends on nothing but the past, the slots before it and its own place.
    """

    strategic: ClassVar[bool] = False
    """Whether operators of a model are used that make no program of their own, or mend one."""
    favourite: ClassVar[str] = ""
    """The only role of operators of a model that is used, where it is there; empty: all are."""

    def __init__(
        self,
        operators: Mapping[str, int],
        *,
        seed: int = 0,
        written: Mapping[str, str] | None = None,
        asking: Asking | None = None,
        matrix: RoleMatrix | None = None,
    ) -> None:
        """Take what a run consists of.

        Args:
            operators: Names with their arity.
            seed: Seed of the run.
            written: Roles of those that a model writes; None: there are none.
            asking: How these are used beside rules and tuners.
            matrix: What these roles need; None: as by default.
        """
        self._written = dict(written or {})
        self._matrix = RoleMatrix() if matrix is None else matrix
        self._asking = asking or Asking()
        self._operators = {
            name: arity for name, arity in operators.items() if self._is_plain(name)
        }
        self._seed = seed
        self._used_up: set[Key] = set()
        self._vain = 0

    def ask(self, view: View) -> Slot | None:
        """Return what to try in slot `view.slot`, or None when nothing is left to try."""
        return self._pick(view, rng_at(self._seed, view.slot, Purpose.POLICY))

    def tell(self, step: Step) -> None:
        """Note an operator that had nothing new for these parents."""
        if step.slot.operator in self._written:
            new = step.proposal is not None and not step.duplicate_of
            self._vain = 0 if new else self._vain + 1
        elif step.proposal is None:
            self._used_up.add(_key(step.slot))

    @property
    def _tired(self) -> bool:
        """Whether models had nothing new so often that they are asked no more."""
        return self._vain >= PATIENCE

    def _is_plain(self, name: str) -> bool:
        """Say whether an operator can be asked with nothing but parents, and is."""
        if name not in self._written:
            return True
        if self.favourite in self._written.values():
            return self._written[name] == self.favourite
        return self._matrix.is_plain(self._written[name])

    def _pick(self, view: View, rng: Generator) -> Slot | None:
        raise NotImplementedError

    def _open(self, parent: Solution, view: View, rng: Generator) -> list[Choice]:
        """Return what may be new for this parent: all offers, and whom else to ask.

        An operator of two parents gets a mate that it was not yet given with this one.
        """
        offers, given = view.offers(parent), {_key(slot) for slot in view.open_slots}
        found: list[Choice] = []
        for name, arity in self._operators.items():
            if name in self._written:
                found += self._authored(parent, view, name, rng)
                continue
            if not self._may_polish(parent):
                continue
            if name in offers:
                if (name, (parent.id,)) not in self._used_up:
                    found += _offered(parent, view, name, offers[name])
                continue
            tries = [(parent,)] if arity == 1 else self._pairs(parent, view)
            left = [
                pair
                for pair in tries
                if (key := (name, tuple(s.id for s in pair))) not in self._used_up
                and key not in given
            ]
            if arity > 1:
                left = _gained(left, view) or left
            if left:
                pair = left[rng.integers(len(left))]
                slot = view.fill(*pair, operator=name, strategy=parent.strategy)
                found.append(Choice(slot))
        return found

    def _may_polish(self, parent: Solution) -> bool:
        """Say whether rules and tuners may change a program."""
        return self._asking.polish or parent.operator not in self._written

    def _authored(
        self, parent: Solution, view: View, name: str, rng: Generator
    ) -> Iterator[Choice]:
        """Yield what a model can be asked for this parent: once more, as often as it is new."""
        if self._tired:
            return
        if self._operators[name] == 1:
            yield Choice(view.fill(parent, operator=name))
            return
        mates = [m.solution for m in view.members if m.solution.content != parent.content]
        if mates:
            mate = mates[rng.integers(len(mates))]
            yield Choice(view.fill(parent, mate, operator=name))

    def _pairs(self, parent: Solution, view: View) -> list[tuple[Solution, ...]]:
        """Return the parent with each mate that has something to add.

        Beside models, whose programs start from nothing but themselves, mates have its base.
        """
        mates = [m.solution for m in view.members if _adds(parent, m.solution)]
        if self._written:
            mates = [m for m in mates if m.root == parent.root or len(m.files) > 1]
        return [(parent, mate) for mate in mates]

    def _refine(self, view: View, rng: Generator) -> list[Choice]:
        """Return what is open for the incumbent, or else for the best that has something."""
        for parent in (view.best.solution, *(member.solution for member in view.members)):
            if found := self._open(parent, view, rng):
                return found
        return []


def _key(slot: Slot) -> Key:
    return slot.operator, tuple(parent.id for parent in slot.parents)


def _offered(
    parent: Solution, view: View, name: str, offers: Iterable[Offer]
) -> Iterator[Choice]:
    for variant, offer in enumerate(offers):
        slot = view.fill(parent, operator=name, variant=variant, strategy=parent.strategy)
        yield Choice(slot, offer)


def _gained(pairs: list[tuple[Solution, ...]], view: View) -> list[tuple[Solution, ...]]:
    """Return the pairs whose mate is a proven gain."""
    gained = {m.solution.id for m in view.members if m.proven and m.effect > 0}
    return [pair for pair in pairs if pair[1].id in gained]


def _adds(parent: Solution, mate: Solution) -> bool:
    """Say whether two are worth uniting: each has an edit that the other lacks.

    Of programs without edits nothing is known.
    """
    if parent.id == mate.id:
        return False
    first, second = set[Edit](parent.edits), set[Edit](mate.edits)
    return not first | second or bool(first - second and second - first)


class BestOfN(BasePolicy):
    """Independent tries on the initial program, operators drawn evenly.

    A model writes it anew each time.
    """

    favourite = Role.REWRITE

    def _pick(self, view: View, rng: Generator) -> Slot | None:
        first = {c.slot.operator: c for c in self._open(view.initial.solution, view, rng)[::-1]}
        choices = list(first.values())
        return choices[rng.integers(len(choices))].slot if choices else None


class SequentialRefine(BasePolicy):
    """Refine the incumbent, again and again, with the operators in turn.

    A model changes a part of it each time.
    """

    favourite = Role.REFINE

    def _pick(self, view: View, rng: Generator) -> Slot | None:
        order = list(self._operators)

        def turns(choice: Choice) -> int:
            return (order.index(choice.slot.operator) - view.slot) % len(order)

        choices = self._open(view.best.solution, view, rng)
        return min(choices, key=turns).slot if choices else None


class FixedPolicy(BasePolicy):
    """Refine the incumbent with the first operator, in the order of the run file, that can."""

    def _pick(self, view: View, rng: Generator) -> Slot | None:
        choices = self._refine(view, rng)
        return choices[0].slot if choices else None


class Random(BasePolicy):
    """Any parent of the elite, and any of what is open for it: the baseline of who learns."""

    def _pick(self, view: View, rng: Generator) -> Slot | None:
        parents = [member.solution for member in view.members] or [view.initial.solution]
        for index in rng.permutation(len(parents)):
            if choices := self._open(parents[index], view, rng):
                return choices[rng.integers(len(choices))].slot
        return None


if TYPE_CHECKING:
    from se_agent.protocols import Policy

    _best: Policy = BestOfN({})
    _sequential: Policy = SequentialRefine({})
    _fixed: Policy = FixedPolicy({})
    _random: Policy = Random({})
