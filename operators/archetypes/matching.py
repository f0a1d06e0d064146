"""Observed calls against every known function: which of them would have given the same.

A match rests on calls that agree in value and type, on enough of them, and on results that
differ enough to say something. Where edge inputs disagree, a guard may leave them to the old
body; values of types that were not seen are always left to it. Nothing is timed and nothing
drawn: the same calls give the same matches.
Not here: what is done with a match (`operator`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any  # arguments and results are plain data of any type

from operators.archetypes.adapter import FAILURES, Adapter, evaluated
from operators.archetypes.archetype import Archetype
from operators.archetypes.bounded import Bounded, Silence
from operators.archetypes.edges import edge_guard
from operators.archetypes.forms import agrees, forms
from operators.archetypes.seen import Seen, comparable, telling
from operators.archetypes.sources import Passing, Sources, held
from operators.archetypes.type_guard import type_guard
from se_agent.types import Call

_PROBES = 5
_LOSS = 4  # one call in so many may be left to the old body


@dataclass(frozen=True)
class Match:
    """A known function that behaves like an observed one.

    Attributes:
        archetype: The function.
        adapter: How to call it.
        agreeing: Distinct calls in which both gave the same.
        arity: Number of arguments of these calls.
    """

    archetype: Archetype
    adapter: Adapter
    agreeing: int
    arity: int


def matches_among(
    known: Iterable[Archetype], calls: Sequence[Call], constants: Sequence[int | str] = ()
) -> Iterator[Match | None]:
    """Yield the best match of each archetype, in order; nothing where calls tell nothing.

    Args:
        known: What may match.
        calls: Distinct calls of one function.
        constants: That the program holds: they may be arguments, or moduli.
    """
    seen = comparable(calls)
    if not telling(seen):
        return
    sources = Sources([call.arguments for call in seen], constants)
    for one in known:
        yield _Comparison(one, constants).best(seen, sources)


def in_order(found: Iterable[Match]) -> tuple[Match, ...]:
    """Return matches, the plainest first."""
    return tuple(sorted(found, key=lambda one: (one.adapter.plainness, -one.agreeing)))


class _Comparison:
    """Compares one archetype with the calls of a function."""

    def __init__(self, known: Archetype, constants: Sequence[int | str]) -> None:
        self._known = known
        self._constants = constants
        self._function = Bounded(known.function)

    def best(self, seen: Sequence[Seen], sources: Sources) -> Match | None:
        """Return the plainest match."""
        found: list[Match] = []
        for passing in sources.passings(self._known):
            calls = [call for call in seen if held(passing.guard, call.arguments)]
            if self._promising(passing, calls) and (match := self._match(passing, calls)):
                found.append(match)
                if match.adapter.plainness == 0:
                    break
        return min(found, key=lambda m: (m.adapter.plainness, -m.agreeing), default=None)

    def _promising(self, passing: Passing, calls: Sequence[Seen]) -> bool:
        """Say whether some form agrees with half of a few calls; yes or no needs more."""
        probes = calls[len(calls) // 4 :][:_PROBES]
        raws = [self._raw(passing, call) for call in probes]
        heard = [i for i, raw in enumerate(raws) if not isinstance(raw, Silence)]
        if not heard:
            return False
        some, wants = [raws[i] for i in heard], [probes[i].wanted for i in heard]
        if len({call.told for call in calls}) == 2:
            return True
        return any(_half(form, some, wants) for form in forms(some, wants, self._constants))

    def _match(self, passing: Passing, calls: Sequence[Seen]) -> Match | None:
        raws = [self._raw(passing, call) for call in calls]
        heard = [i for i, raw in enumerate(raws) if not isinstance(raw, Silence)]
        if not heard or not telling([calls[i] for i in heard]):
            return None
        some, at = [raws[i] for i in heard], [calls[i] for i in heard]
        result, agreeing = self._form(some, [call.result for call in at])
        adapter = Adapter(arguments=passing.arguments, result=result, guard=passing.guard)
        if at[0].target:
            effect, too = self._form(some, [call.after for call in at])
            agreeing = [i for i in agreeing if i in set(too)]
            adapter = replace(adapter, effect=effect, target=at[0].target)
        good = [at[i] for i in agreeing]
        broke = [call for call, raw in zip(calls, raws, strict=True) if raw is Silence.BROKE]
        bad = [call for i, call in enumerate(at) if i not in set(agreeing)] + broke
        return self._guarded(adapter, good, bad)

    def _guarded(
        self, adapter: Adapter, good: Sequence[Seen], bad: Sequence[Seen]
    ) -> Match | None:
        """Return the match of the calls that agree, with a guard against the others."""
        if bad:
            if _LOSS * len(bad) > len(good) + len(bad):
                return None
            edges = edge_guard(
                [call.arguments for call in good], [call.arguments for call in bad]
            )
            if edges is None:
                return None
            guard = f"{adapter.guard} and {edges}" if adapter.guard else edges
            adapter = replace(adapter, guard=guard)
            good = [call for call in good if held(edges, call.arguments)]
        types = self._types([call.arguments for call in good])
        if not telling(good) or types is None:
            return None
        adapter = replace(adapter, types=types)
        return Match(self._known, adapter, len(good), len(good[0].arguments))

    def _types(self, rows: Sequence[tuple[Any, ...]]) -> str | None:
        """Return the guard of types; to ask all items would cost more than a binary search."""
        return type_guard(rows, items=not self._known.searches)

    def _form(self, raws: Sequence[Any], wants: Sequence[Any]) -> tuple[str, list[int]]:
        """Return the form that agrees most often, with the places where it does."""
        if len({*map(repr, wants)}) == 1:
            return repr(wants[0]), [*range(len(wants))]
        best: tuple[str, list[int]] = ("r", [])
        for form in forms(raws, wants, self._constants):
            where = [i for i, raw in enumerate(raws) if agrees(form, raw, wants[i])]
            if len(where) > len(best[1]):
                best = form, where
            if len(where) == len(raws):
                break
        return best

    def _raw(self, passing: Passing, call: Seen) -> Any:
        try:
            arguments = [evaluated(one, call.arguments) for one in passing.arguments]
        except FAILURES:
            return Silence.REFUSED
        if not self._known.tried_with(arguments):
            return Silence.LONG
        return self._function(arguments)


def _half(form: str, raws: Sequence[Any], wants: Sequence[Any]) -> bool:
    """Say whether a form agrees with half of the calls; most fail at once, and are left."""
    spare = len(raws) // 2
    for raw, want in zip(raws, wants, strict=True):
        spare -= not agrees(form, raw, want)
        if spare < 0:
            return False
    return True
