"""Observed calls against every known function: which of them would have given the same.

A match rests on calls that agree in value and type, and on results that are worth more bits
than the choice among all that was compared (`evidence`). Where edge inputs disagree, a guard
may leave them to the old body; types and smaller values that were not seen always are.
Nothing is timed and nothing drawn: the same calls give the same matches.
Not here: what is done with a match (`operator`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple  # arguments and results are plain data of any type

from operators.known_functions.adapter import FAILURES, Adapter, evaluated
from operators.known_functions.archetype import Archetype
from operators.known_functions.bounded import Bounded, KnownResults, Silence
from operators.known_functions.edges import edge_guard
from operators.known_functions.evidence import (
    GUARD,
    MARGIN,
    constant_bits,
    evidence,
    flat,
    needed_bits,
)
from operators.known_functions.forms import agrees, forms, learned_constants
from operators.known_functions.seen import Seen, comparable
from operators.known_functions.sources import Passing, Sources, held
from operators.known_functions.type_guard import type_guard
from se_agent.values.observation import Call

_PROBES = 5
_PROBES_OF_TWO = 18  # where a call has one of two results only
_LOSS = 4  # one call in so many may be left to the old body


@dataclass(frozen=True)
class Match:
    """A known function that behaves like an observed one.

    Attributes:
        archetype: The function.
        adapter: How to call it.
        agreeing: Distinct calls in which both gave the same.
        arity: Number of arguments of these calls.
        bits: What their results are worth, less what the adapter has learned from them.
    """

    archetype: Archetype
    adapter: Adapter
    agreeing: int
    arity: int
    bits: float

    @property
    def names(self) -> frozenset[str]:
        """All words of what enters a program; builtins among them have to be there."""
        adapter = self.adapter
        parts = (
            adapter.types,
            adapter.guard,
            adapter.result,
            adapter.effect,
            *adapter.arguments,
        )
        return frozenset(re.findall(r"\w+", " ".join((*parts, self.archetype.text))))


class Compared(NamedTuple):
    """What came of one archetype.

    Attributes:
        match: Its best one, if any; whether it convinces, all archetypes together decide.
        guesses: Ways to call it and to read its result that were compared.
    """

    match: Match | None
    guesses: int


def matches_among(
    known: Iterable[Archetype],
    calls: Sequence[Call],
    constants: Sequence[int | str] = (),
    remembered: KnownResults | None = None,
) -> Iterator[Compared]:
    """Yield what came of each archetype, in order; nothing where calls tell nothing.

    Args:
        known: What may match.
        calls: Distinct calls of one function.
        constants: Constants in the program: they may be arguments, or moduli.
        remembered: What calls of known functions came to before.
    """
    remembered = remembered or KnownResults()
    seen = comparable(calls)
    if not seen or evidence(seen) < MARGIN:
        return
    rows, results = [call.arguments for call in seen], [call.result for call in seen]
    sources = Sources(rows, constants, results)
    for one in known:
        comparison = _Comparison(one, constants, remembered)
        yield Compared(comparison.best(seen, sources), comparison.guesses)


def convincing(found: Iterable[Compared]) -> tuple[Match, ...]:
    """Return the matches worth more bits than the choice among all guesses, plainest first."""
    compared = [*found]
    least = needed_bits(sum(one.guesses for one in compared))
    matches = [one.match for one in compared if one.match and one.match.bits >= least]
    return tuple(sorted(matches, key=lambda m: (m.adapter.plainness, -m.agreeing, -m.bits)))


class _Comparison:
    """Compares one archetype with the calls of a function.

    Attributes:
        guesses: Forms of results that were compared so far, over all ways to pass arguments.
    """

    def __init__(
        self, known: Archetype, constants: Sequence[int | str], remembered: KnownResults
    ) -> None:
        self._known = known
        self._constants = constants
        self._function = Bounded(known.function, remembered)
        self.guesses = 0

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
        two = len({call.told for call in calls}) == 2
        probes = calls[len(calls) // 4 :][: _PROBES_OF_TWO if two else _PROBES]
        raws = [self._raw(passing, call) for call in probes]
        heard = [i for i, raw in enumerate(raws) if not isinstance(raw, Silence)]
        some, wants = [raws[i] for i in heard], [probes[i].wanted for i in heard]
        spare = len(heard) // (3 if two else 2)
        return any(
            len(_agreeing(form, some, wants, spare=spare)) > 0
            for form in (self._forms(some, wants) if heard else ())
        )

    def _match(self, passing: Passing, calls: Sequence[Seen]) -> Match | None:
        raws = [self._raw(passing, call) for call in calls]
        heard = [i for i, raw in enumerate(raws) if not isinstance(raw, Silence)]
        if not heard or _refuses_most(raws[len(raws) // 2 :]):
            return None
        some, at = [raws[i] for i in heard], [calls[i] for i in heard]
        result, agreeing = self._form(some, [call.result for call in at])
        adapter = Adapter(arguments=passing.arguments, result=result, guard=passing.guard)
        if at[0].target:
            effect, too = self._form(some, [call.after for call in at])
            agreeing = [i for i in agreeing if i in set(too)]
            adapter = replace(adapter, effect=effect, target=at[0].target)
        broke = [call for call, raw in zip(calls, raws, strict=True) if raw is Silence.BROKE]
        bad = [call for i, call in enumerate(at) if i not in set(agreeing)] + broke
        match = self._guarded(adapter, [at[i] for i in agreeing], bad)
        if match is None or (adapter.solved and self._unmet(result, calls)):
            return None
        worked = [at[i] for i in agreeing if not _passed_on(some[i], passing, at[i])]
        return self._weighed(match, worked, guarded=bool(bad))

    def _unmet(self, result: str, calls: Sequence[Seen]) -> bool:
        """Say whether the program has a number that no call has come to: a modulus, a limit."""
        largest = max(
            (abs(x) for call in calls for x in (*call.arguments, call.result)
             if type(x) is int),
            default=0,
        )  # fmt: skip
        numbers = (one for one in self._constants if type(one) is int and one > largest)
        return any(f"% {number}" not in result for number in numbers)

    def _weighed(self, match: Match, worked: Sequence[Seen], *, guarded: bool) -> Match | None:
        """Return the match with the bits that speak for it.

        A call in which the known function gave back an argument says nothing of what it does,
        and neither does one in which it was passed what it was passed in another.

        Args:
            match: The match to weigh.
            worked: Calls that agree in which it did something.
            guarded: Whether a guard was chosen that leaves others out.
        """
        adapter = match.adapter
        held_calls = [call for call in worked if held(adapter.guard, call.arguments)]
        passed = (_passed(adapter.arguments, call) for call in held_calls)
        known = [*dict(zip(map(repr, passed), held_calls, strict=True)).values()]
        if not known:
            return None
        learned = [*learned_constants(adapter.result), *chain.from_iterable(adapter.solved)]
        told = evidence(known, curve=bool(adapter.solved))
        cost = sum(map(constant_bits, learned)) + guarded * GUARD
        return replace(match, bits=told - cost)

    def _guarded(
        self, adapter: Adapter, good: Sequence[Seen], bad: Sequence[Seen]
    ) -> Match | None:
        """Return the match of the calls that agree, with a guard against the others."""
        if not good or _LOSS * len(bad) > len(good) + len(bad):
            return None
        types = self._types([call.arguments for call in good])
        if types is None:
            return None
        adapter = replace(adapter, types=types)
        if let_through := [call for call in bad if held(types, call.arguments)]:
            edges = edge_guard(
                [call.arguments for call in good], [call.arguments for call in let_through]
            )
            if edges is None:
                return None
            guard = f"{adapter.guard} and {edges}" if adapter.guard else edges
            adapter = replace(adapter, guard=guard)
            good = [call for call in good if held(edges, call.arguments)]
        return (
            Match(self._known, adapter, len(good), len(good[0].arguments), 0.0)
            if good
            else None
        )

    def _types(self, rows: Sequence[tuple[Any, ...]]) -> str | None:
        """Return the guard of types; to ask all items would cost more than a binary search."""
        return type_guard(rows, items=not self._known.searches)

    def _form(self, raws: Sequence[Any], wants: Sequence[Any]) -> tuple[str, list[int]]:
        """Return the form that agrees most often, with the places where it does."""
        if len({*map(repr, wants)}) == 1:
            return repr(wants[0]), [*range(len(wants))]
        best: tuple[str, list[int]] = ("r", [])
        for form in self._forms(raws, wants):
            where = _agreeing(form, raws, wants, spare=len(raws) // _LOSS)
            if len(where) > len(best[1]):
                best = form, where
            if len(where) == len(raws):
                break
        return best

    def _forms(self, raws: Sequence[Any], wants: Sequence[Any]) -> Iterator[str]:
        """Yield forms worth a comparison, and count them."""
        for form in forms(raws, wants, self._constants):
            self.guesses += 1
            yield form

    def _raw(self, passing: Passing, call: Seen) -> Any:
        try:
            arguments = [evaluated(one, call.arguments) for one in passing.arguments]
        except FAILURES:
            return Silence.REFUSED
        if not self._known.tried_with(arguments):
            return Silence.LONG
        return self._function(arguments)


def _passed_on(raw: Any, passing: Passing, call: Seen) -> bool:
    """Say whether a known function gave back what it was given."""
    return any(flat(one) == flat(raw) for one in _passed(passing.arguments, call))


def _passed(ways: Sequence[str], call: Seen) -> list[Any]:
    """Return what a known function is passed in a call."""
    return [evaluated(one, call.arguments) for one in ways]


def _refuses_most(larger: Sequence[Any]) -> bool:
    """Say whether a function would mostly be asked in vain, where calls take their time.

    What it refuses is left to the old body. Calls made up at the edges may be most of all.
    """
    refused = sum(raw is Silence.REFUSED for raw in larger)
    return refused > sum(not isinstance(raw, Silence) for raw in larger)


def _agreeing(form: str, raws: Sequence[Any], wants: Sequence[Any], *, spare: int) -> list[int]:
    """Return the places where a form agrees; none where more than `spare` do not."""
    found = list[int]()
    for place, (raw, want) in enumerate(zip(raws, wants, strict=True)):
        if agrees(form, raw, want):
            found.append(place)
        elif (spare := spare - 1) < 0:
            return []
    return found
