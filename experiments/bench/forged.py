"""What a jail may report: values and bytes, random ones, and right ones with parts changed.

Not here: who reads them (`doors`), and what is counted (`readers`).
"""

from __future__ import annotations

import json
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any  # values of any type are what this module is about

import numpy

from se_agent import wire
from se_agent.errors import WireError
from se_agent.wire.records import Named, RecordMember, WireRecord

HUGE = 10**400
"""No float holds it."""

UNTOLD = 10**5000
"""Python converts no integer of so many digits from decimal."""

NUMBERS: tuple[Any, ...] = (
    *(0, 1, -1, 2, 7, True, False, 255, 1 << 31, 1 << 60, 1 << 63, 1 << 64, -1 << 63),
    *(-(1 << 63) - 1, HUGE, -HUGE, UNTOLD, -UNTOLD, 0.0, -0.0, 0.5, 1e308, -1e308, 5e-324),
    *(float("inf"), float("-inf"), float("nan")),
)
TEXTS = (
    *("", "f", "main", "<locals>", "a.b", "\ud800", "half \udc80 a letter", "\ud83d\ude00"),
    *("\x00", "\x1b[2J", "line\nline", "\r", "\u202e", "\u2028", "x" * 5000, "é", "\U0010ffff"),
    *("NaN", "Infinity", "-Infinity", "null", "1e999", "base64:", "base64:?", "ValueError: no"),
    *(
        "9" * 5000,
        "inf",
        "nan",
        "Collected : " + "9" * 5000,
        '{"score": 1}',
        '{"score": 1e999}',
    ),
)
_TAGS = "ifcbaIQFRTLUtszdCODqrywhemKWEVvng?"
_DTYPES = (
    *("<f8", "<i8", "|b1", "<c16", "<f2", ">i4", "<U3", "|S4", "<M8[s]", "<M8[Y]", "<m8[as]"),
    *(
        "<M8",
        "<M8[25D]",
        "|O",
        "|V8",
        "f8",
        "",
        "<U0",
        "<M8[9999999999s]",
        "<g",
        "<f16",
        "<c32",
    ),
)
_DEEP = 120


def value(random: Random, depth: int = 0) -> Any:
    """Return a value of any type that may cross, most of them small."""
    kind = random.randrange(14 if depth < 4 else 5)
    if kind < 2:
        return random.choice(NUMBERS)
    if kind < 4:
        return random.choice(TEXTS)
    if kind == 4:
        return _leaf(random)
    some = [value(random, depth + 1) for _ in range(random.choice((0, 1, 1, 2, 3, 5)))]
    if kind < 8:
        return some
    if kind < 10:
        return tuple(some)
    if kind == 10:
        return _hashed(some)
    if kind == 11:
        return dict(zip(map(_key, some), some, strict=True))
    if kind == 12:
        return _collection(random, some)
    return _nested(random, some)


def _leaf(random: Random) -> Any:
    numbers = [random.choice((0, 1.5, -2.0, 1e300, float("nan"))) for _ in range(3)]
    leaves = (
        lambda: None,
        lambda: random.randbytes(random.randrange(9)),
        lambda: bytearray(b"ab"),
        lambda: complex(random.choice((0.0, float("inf"), float("nan"))), 1.0),
        lambda: Decimal(random.choice(("1", "NaN", "sNaN", "Infinity", "1E+999999", "-0"))),
        lambda: range(random.choice((3, 10**20, -5)), random.choice((9, 10**40))),
        lambda: random.choice(
            (date.min, date.max, datetime(9999, 12, 31, tzinfo=UTC), timedelta.max)
        ),
        lambda: numpy.array(numbers),
        lambda: numpy.array(["NaT", "2020"], "M8[s]"),
        lambda: numpy.float64(random.choice(numbers)),
        lambda: numpy.empty((0, 3)),
        lambda: RecordMember("m", "Colour", random.choice(("RED", "a|b", "-5"))),
    )
    return random.choice(leaves)()


def _key(one: Any) -> Any:
    return one if type(one) in (int, str, float, bytes) else repr(type(one))


def _hashed(some: list[Any]) -> Any:
    return {_key(one) for one in some}


def _collection(random: Random, some: list[Any]) -> Any:
    made = (
        lambda: deque(some, random.choice((None, 9))),
        lambda: Counter({_key(one): random.choice(NUMBERS[:20]) for one in some}),
        lambda: OrderedDict((_key(one), one) for one in some),
        lambda: defaultdict(list, {_key(one): one for one in some}),
        lambda: WireRecord("m", "Point", tuple(f"x{i}" for i in range(len(some))), tuple(some)),
        lambda: Named("m", "Pair", tuple(f"x{i}" for i in range(len(some))), tuple(some)),
    )
    return random.choice(made)()


def _nested(random: Random, some: list[Any]) -> Any:
    found: Any = some
    for _ in range(random.randrange(_DEEP)):
        found = [found] if random.random() < 0.5 else (found,)
    return found


def changed(random: Random, right: Any, depth: int = 0) -> Any:
    """Return a value with one part, or the whole of it, replaced by another."""
    if type(right) in (list, tuple) and right and random.random() < 0.9:
        parts = list(right)
        place = random.randrange(len(parts))
        turn = random.random()
        if turn < 0.85:
            parts[place] = changed(random, parts[place], depth + 1)
        elif turn < 0.92:
            del parts[place]
        else:
            parts.insert(place, value(random, 3))
        return type(right)(parts)
    return value(random, 3 if depth else 1)


def encoded(random: Random, told: Any) -> bytes:
    """Return a value as it crosses; bytes of no value where it cannot."""
    try:
        return wire.dumps(told)
    except (WireError, ValueError, TypeError, OverflowError):
        return noise(random)


def noise(random: Random) -> bytes:
    """Return bytes that may be typed JSON."""
    turn = random.random()
    if turn < 0.3:
        return random.randbytes(random.randrange(40))
    if turn < 0.4:
        return b"[" * random.choice((1, 99, 5000)) + b"]" * random.choice((1, 99, 5000))
    if turn < 0.45:
        return b"9" * random.choice((20, 4299, 4301, 5001))
    return json.dumps(_node(random, 0)).encode()


def _node(random: Random, depth: int) -> Any:
    turn = random.random()
    if depth > 3 or turn < 0.35:
        atoms = (*TEXTS, *NUMBERS[:13], None, "ff", "0x1p9999", "7ff8", "1,2,3", "2020-01-01")
        return random.choice(atoms)
    some = [_node(random, depth + 1) for _ in range(random.choice((0, 1, 2, 3, 5)))]
    if turn < 0.55:
        return some
    if turn < 0.7:
        return {
            "n": [random.choice(_DTYPES), "ff" * random.choice((0, 1, 8, 24)), _shape(random)]
        }
    if turn < 0.75:
        return {"g": [random.choice(_DTYPES), "ff" * random.choice((1, 2, 4, 8, 16))]}
    return {random.choice(_TAGS): some if random.random() < 0.7 else _node(random, depth + 1)}


def _shape(random: Random) -> list[Any]:
    return [
        random.choice((0, 1, 2, 3, -1, 1 << 62, True))
        for _ in range(random.choice((0, 1, 2, 70)))
    ]


def mutated(random: Random, data: bytes) -> bytes:
    """Return bytes with a few of them changed, left out or put in, often by whole words."""
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        place = random.randrange(len(made) + 1)
        turn = random.random()
        if turn < 0.3 and made:
            made[place % len(made)] = random.randrange(256)
        elif turn < 0.45:
            del made[place : place + random.choice((1, 1, 2, 9))]
        elif turn < 0.6:
            made[place:place] = made[: random.randrange(9)]
        else:
            made[place:place] = random.choice(_WORDS)
    return bytes(made)


_WORDS = (
    *(b"9" * 4400, b"e999", b"-", b"\\ud800", b"\xed\xa0\x80", b"\xff", b'"', b"[", b"]", b"{"),
    *(b"}", b",", b":", b"null", b'{"i":"ff"}', b'{"f":"nan"}', b'{"f":"inf"}', b"NaN", b"0"),
    *(b'{"m":"sNaN"}', b'{"t":[]}', b'{"s":[1,1]}', b'{"r":[1,2,0]}', b"\x00", b"[" * 3000),
    *(b'{"I":"ff"}', b'{"i":"' + b"f" * 5000 + b'"}', b'{"d":[[1],[2]]}', b"\x1b[2J"),
)


def argument(random: Random) -> Any:
    """Return a value that crosses, as a right answer and an input do."""
    while True:
        made = value(random)
        try:
            wire.loads(wire.dumps(made))
        except WireError:
            continue
        return made
