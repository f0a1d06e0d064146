"""Inputs of all types that may cross the wire can be made, and are as those that were seen."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from evaluators.counterexample.asking import Input
from evaluators.counterexample.function.relations import features, relations
from evaluators.counterexample.function.shape import shape_of
from evaluators.counterexample.function.strategies import Makers
from se_agent.wire.records import Named, RecordMember, WireRecord

Arguments = tuple[Any, ...]

KINDS: dict[str, Callable[[Random], Arguments]] = {
    "no arguments": lambda rng: (),
    "None": lambda rng: (rng.choice([None, 1]),),
    "bytes": lambda rng: (rng.randbytes(3), bytearray(rng.randbytes(2))),
    "range": lambda rng: (range(rng.randrange(9)),),
    "complex": lambda rng: (complex(rng.random(), 1),),
    "set": lambda rng: ({rng.randrange(99) for _ in range(4)}, frozenset({1, (2, 3)})),
    "deque": lambda rng: (deque([rng.randrange(9)] * 3, maxlen=4),),
    "mappings": lambda rng: (
        Counter("abc" * rng.randrange(1, 5)),
        OrderedDict([(rng.randrange(9), 1)]),
        {rng.choice(["a", 1, (1, 2), None]): rng.choice([1, "x", None, [1]])},
    ),
    "defaultdict": lambda rng: (defaultdict(list, {rng.randrange(9): [1]}),),
    "moments": lambda rng: (
        [date(2024, 1, 1 + rng.randrange(9))] * rng.randrange(3),
        Decimal(rng.randrange(9)),
        {timedelta(rng.randrange(9)): datetime(2024, 1, 1, tzinfo=UTC)},
    ),
    "classes": lambda rng: (
        [WireRecord("m", "Item", ("x",), (rng.randrange(9),)) for _ in range(rng.randrange(3))],
        [(Named("m", "Point", ("x",), (rng.randrange(9),)), 1)],
        {RecordMember("m", "Kind", rng.choice("ab"))},
    ),
    "array": lambda rng: (np.arange(rng.randrange(1, 9)), np.float64(rng.random())),
    "array of no axis": lambda rng: (np.array(rng.randrange(9)),),
    "a few arrays": lambda rng: ([*range(50), np.arange(3), range(2)],),
    "huge": lambda rng: (10**400 + rng.randrange(9), [10**400, 1.5, float("inf")]),
    "equal lengths": lambda rng: (
        lambda size: (deque(range(size)), [0] * size, "a" * size, tuple(range(size)))
    )(rng.randrange(1, 9)),
}


def makers(kind: str) -> Makers:
    seen = [KINDS[kind](Random(seed)) for seed in range(12)]
    return Makers(seen, shape_of(seen), relations(seen))


@pytest.mark.parametrize("kind", KINDS)
def test_inputs_are_made_of_every_type(kind: str) -> None:
    found = makers(kind)
    ways = [(False, False), (True, False), (True, True)]
    for seed, (wild, tiny) in product(range(20), ways):
        made = found.fresh(Random(seed), wild=wild, tiny=tiny)
        assert Input.of(made) is not None
        assert found.shape.typed(made)
        assert found.shape.within(made) in (True, False)


@pytest.mark.parametrize("kind", KINDS)
def test_inputs_of_every_type_are_changed(kind: str) -> None:
    found = makers(kind)
    for seed, wild in product(range(20), (False, True)):
        made = found.changed(Random(seed), wild=wild)
        assert Input.of(made) is not None
        # One object may stand at two places, also where its type was not seen: then it is
        # sorted out before it is asked.
        assert found.shape.typed(made) or not found.shape.within(made)


def test_equal_lengths_stay_equal_whatever_the_sequence() -> None:
    found = makers("equal lengths")
    for seed in range(40):
        made = found.changed(Random(seed), wild=False)
        assert len(set(map(len, made))) == 1
        assert all(tie.holds(features(made)) for tie in found.ties)


def test_a_defaultdict_keeps_what_it_makes_up() -> None:
    (made,) = makers("defaultdict").fresh(Random(1), wild=False)
    assert made.default_factory is list


def test_a_picked_array_is_a_copy() -> None:
    found = makers("array")
    for seed in range(20):
        (made, _) = found.fresh(Random(seed), wild=False)
        assert all(made is not array for array, _ in found.seen)


def test_lists_in_lists_have_an_end() -> None:
    deep: list[Any] = []
    for _ in range(40):
        deep = [deep]
    found = Makers([(deep,)], shape_of([(deep,)]), ())
    for seed, wild in product(range(10), (False, True)):
        assert repr(found.fresh(Random(seed), wild=wild)).count("[") < 2000


def test_tame_inputs_are_drawn_within_what_was_seen() -> None:
    seen = [
        ([rng.randrange(50, 90) for _ in range(6)], "ab" * 4) for rng in map(Random, range(9))
    ]
    found = Makers(seen, shape_of(seen), (), within=True)
    for tiny in (False, True):
        made = [found.fresh(Random(n), wild=False, tiny=tiny) for n in range(200)]
        assert sum(map(found.shape.admits, made)) > 50
