"""What differs between the inputs of a function and a text: how they are made and made small.

A form knows the inputs seen. All else is one search: `corpus`, `search`, `verdicts`, `shrink`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Protocol  # values of any type that may cross the wire

from evaluators.answers.bench import Bench
from evaluators.counterexample.asking import LARGEST, Input
from evaluators.counterexample.function.edges import edges
from evaluators.counterexample.function.hints import hinted, widened
from evaluators.counterexample.function.relations import mended, relations
from evaluators.counterexample.function.shape import (
    MAPPINGS,
    SEQUENCES,
    SETS,
    Shape,
    name_of,
    shape_of,
    shortened,
)
from evaluators.counterexample.function.strategies import Makers
from evaluators.counterexample.function.values import smaller, weight
from evaluators.sandbox.child.caller import changeable
from evaluators.sandbox.job import JobAnswer
from se_agent import wire
from se_agent.wire.same import same

_TIED = 12
"""Arguments up to which ties between them are looked for: the work grows with their cube."""


_HOLDERS = (*SEQUENCES, *MAPPINGS, *SETS, str, bytes)


class Bounds(Protocol):
    """What the inputs seen say of others."""

    @property
    def makes(self) -> bool:
        """Whether enough is known of the inputs seen to make others."""
        ...

    def like_seen(self, given: Input) -> bool:
        """Say whether an input lies within what was seen."""
        ...

    def typed(self, given: Input) -> bool:
        """Say whether an input is of the types that were seen."""
        ...

    def piecewise(self, given: Input) -> bool:
        """Say whether each argument alone was seen, or is a number or empty."""
        ...

    def within(self, given: Input) -> bool:
        """Say whether no number is larger, and nothing longer, than what was seen."""
        ...

    def bend(self, value: Any) -> Any:
        """Return the value, closer to what lies within what was seen, where that is simple."""
        ...


class Form(Protocol):
    """Makes inputs of one kind for one problem, from those seen.

    Attributes:
        each: Inputs of a round.
        at_once: Smaller inputs that are asked about together; many, where one process answers
            many.
    """

    each: int
    at_once: int

    @property
    def bounds(self) -> Bounds:
        """What the inputs seen say of others."""
        ...

    def fresh(self, random: Random, *, wild: bool, tiny: bool) -> Any:
        """Return a new value; tiny ones are short, wild ones need not be like those seen."""
        ...

    def changed(self, random: Random, *, wild: bool) -> Any:
        """Return a seen value with a few changes."""
        ...

    def edges(self) -> Iterator[Any]:
        """Yield values at the edge of those seen; nothing in them is drawn."""
        ...

    def input(self, value: Any) -> Input | None:
        """Return the input of a value; None for one that cannot be asked, or is too large."""
        ...

    def repeated(self, given: Input, right: JobAnswer) -> Input | None:
        """Return the input for a caller who keeps answers; None where none can be changed.

        Args:
            given: An input.
            right: The initial program's answer to it.
        """
        ...

    def value(self, given: Input) -> Any:
        """Return the value of an input."""
        ...

    def name(self, given: Input) -> object:
        """Return what only equal inputs share, the same in every process."""
        ...

    def smaller(self, value: Any) -> Iterator[Any]:
        """Yield values that are a little smaller, the boldest steps first."""
        ...

    def weight(self, value: Any) -> tuple[int, ...]:
        """Return how large a value is."""
        ...


Formed = Callable[[Bench, Sequence[bytes]], Form]
"""Makes the form of a problem, from the inputs seen."""


class CalledBounds:
    """What the arguments seen say of others.

    Args:
        bench: The bench of the problem.
        seen: Arguments.
        shorter: Whether others may be shorter than all of them.
    """

    def __init__(
        self, bench: Bench, seen: Sequence[tuple[Any, ...]], *, shorter: bool = False
    ) -> None:
        self._problem, self._oracle = bench.problem, bench.oracle
        self._seen, self._shorter = seen, shorter

    @property
    def makes(self) -> bool:
        """Whether any were seen; see `Bounds.makes`."""
        return bool(self._seen)

    @property
    def program(self) -> str:
        """Text of the initial program."""
        return self._oracle.program

    @cached_property
    def makers(self) -> Makers:
        """What makes inputs up."""
        problem = self._problem
        hint = hinted(self._oracle.program, problem.entry_point)
        made = makers_of(self._seen, hint, within=not problem.valid)
        return replace(made, shape=shortened(made.shape)) if self._shorter else made

    def like_seen(self, given: Input) -> bool:
        """Say whether arguments keep shape and relations; see `Bounds.like_seen`."""
        return not given.links and self.makers.keeps(given.arguments())

    def typed(self, given: Input) -> bool:
        """Say whether arguments have the types seen."""
        return self.makers.shape.typed(given.arguments())

    def piecewise(self, given: Input) -> bool:
        """Say whether arguments were seen one by one; see `Bounds.piecewise`."""
        columns, arguments = [*zip(*self.makers.seen, strict=True)], given.arguments()
        if given.links or len(columns) != len(arguments) or not self.typed(given):
            return False
        return all(
            type(value) is int
            or (isinstance(value, _HOLDERS) and not value)
            or any(same(value, one) for one in column)
            for value, column in zip(arguments, columns, strict=True)
        )

    def within(self, given: Input) -> bool:
        """Say whether arguments are no larger than those seen; see `Bounds.within`."""
        return self.makers.shape.within(given.arguments())

    def bend(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return arguments that keep the relations, where that is simple."""
        return mended(value, self.makers.ties)


def makers_of(seen: Sequence[tuple[Any, ...]], hint: Shape, *, within: bool) -> Makers:
    """Return what makes arguments up.

    Args:
        seen: Arguments.
        hint: What the function says of them.
        within: See `Makers`.
    """
    seen = alike(seen)
    ties = relations(seen) if seen and len(seen[0]) <= _TIED else ()
    return Makers(seen, widened(shape_of(seen), hint), ties, within=within)


def alike(seen: Sequence[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    """Return the inputs with as many arguments as most have.

    Where some leave out what has a default, the place of an argument says what it is only
    among inputs of one length.
    """
    lengths = Counter(map(len, seen))
    most = max(lengths, key=lambda length: (lengths[length], length), default=0)
    return [one for one in seen if len(one) == most]


class CalledForm:
    """Arguments of a function.

    Args:
        bench: The bench of the problem.
        seen: Arguments in wire form.
        shorter: See `CalledBounds`.
    """

    def __init__(self, bench: Bench, seen: Sequence[bytes], *, shorter: bool = False) -> None:
        self.each, self.at_once = 120, 48
        self.bounds = CalledBounds(bench, tuple(map(wire.loads, seen)), shorter=shorter)

    def fresh(self, random: Random, *, wild: bool, tiny: bool) -> tuple[Any, ...]:
        """Return new arguments; see `Form.fresh`."""
        return self.bounds.makers.fresh(random, wild=wild, tiny=tiny)

    def changed(self, random: Random, *, wild: bool) -> tuple[Any, ...]:
        """Return seen arguments with a few changes; see `Form.changed`."""
        return self.bounds.makers.changed(random, wild=wild)

    def edges(self) -> Iterator[tuple[Any, ...]]:
        """Yield arguments at the edge of those seen; see `Form.edges`."""
        makers = self.bounds.makers
        return edges(makers.seen, makers.shape, self.bounds.program)

    def input(self, value: tuple[Any, ...]) -> Input | None:
        """Return the input, with the objects that stand at two places; see `Form.input`."""
        return Input.of(value)

    def repeated(self, given: Input, right: JobAnswer) -> Input | None:
        """Return the input for three calls, where something small can be changed.

        That is an answer, or what the call leaves in its arguments.
        """
        if given.links or right.error or len(right.value) > LARGEST:
            return None
        # Whether a value of a class can be changed is only known where its class is.
        able = wire.holds_records(right.value) or any(changeable(wire.loads(right.value)))
        return given.repeated if able or right.arguments else None

    def value(self, given: Input) -> tuple[Any, ...]:
        """Return the arguments."""
        return given.arguments()

    def name(self, given: Input) -> object:
        """Return a name; see `Form.name`."""
        return name_of(given.arguments()), given.links

    def smaller(self, value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        """Yield smaller arguments."""
        return smaller(value)

    def weight(self, value: tuple[Any, ...]) -> tuple[int, ...]:
        """Return how large arguments are."""
        return weight(value)


class LooseForm(CalledForm):
    """Arguments around those that refuted a program: they may be shorter than all seen.

    The difference is known, and is only to be shown: that every list seen was a long one is no
    reason to show a long one. All else that inputs have in common is kept.

    Args:
        bench: The bench of the problem.
        seen: Arguments in wire form.
    """

    def __init__(self, bench: Bench, seen: Sequence[bytes]) -> None:
        super().__init__(bench, seen, shorter=True)
        self._largest = max([LARGEST, *map(len, seen)])

    def input(self, value: tuple[Any, ...]) -> Input | None:
        """Return the input, however large the first was; see `Form.input`."""
        return Input.of(value, self._largest)


if TYPE_CHECKING:
    _: Formed = CalledForm
    _loose: Formed = LooseForm
