"""Typed JSON to values. The bytes may come from anyone; all they can do is be refused."""

from __future__ import annotations

import json
from array import array
from binascii import a2b_base64
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from datetime import date, datetime, timedelta
from datetime import time as clock
from decimal import Decimal
from itertools import islice
from types import NoneType
from typing import Any, TypeVar  # Any: a value of any of the types below is our subject

from se_agent.errors import WireError
from se_agent.wire.encode import DTYPE_KINDS, FACTORIES, MAX_DEPTH, TABLES
from se_agent.wire.records import Named, RecordMember, WireRecord, shows

_PLAIN = frozenset({NoneType, bool, int, str})
_SPELLED = frozenset("ywhem")  # tags of what is one text
_COLLISIONS = 100  # equal hashes in one set or dict; more would make reading it quadratic


def loads(data: bytes) -> Any:
    """Decode what `dumps` wrote; safe on bytes from anyone.

    Raises:
        WireError: The bytes are not typed JSON.
    """
    try:
        return _decode(_from_text(bytes(data).decode("utf-8", "surrogatepass")), 0)
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as err:
        raise WireError(f"not typed JSON: {str(err)[:200]}") from None
    except (RecursionError, MemoryError) as err:
        raise WireError(f"not typed JSON: {type(err).__name__}") from None


def _refuse(text: str) -> Any:
    raise ValueError(f"bare number {text[:20]!r}")


# Not the decoder's methods: a candidate can replace those, and this is called in its process.
_scan = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse).scan_once  # type: ignore[attr-defined]


def _from_text(text: str) -> Any:
    try:
        node, end = _scan(text, 0)
    except StopIteration as err:
        raise ValueError(f"no value at {err.value}") from None
    if end != len(text):
        raise ValueError(f"more than one value: the first ends at {end}")
    return node


def _decode(node: Any, depth: int) -> Any:
    kind = type(node)
    if kind in _PLAIN:
        return node
    if depth > MAX_DEPTH + 1:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if kind is list:
        if set(map(type, node)) <= _PLAIN:
            return node
        return [_decode(x, depth + 1) for x in node]
    ((tag, body),) = node.items()
    return _DECODERS[tag](body, depth)


def _items(node: Any, depth: int) -> list[Any]:
    items = _decode(node, depth)
    if type(items) is not list:
        raise ValueError(f"expected a list, got {type(items).__name__}")
    return items


def _unpack(code: str) -> Callable[[Any, int], Any]:
    def decode(body: Any, _: int) -> Any:
        packed = array(code)
        packed.frombytes(bytes.fromhex(body))
        return packed.tolist()

    return decode


def _deeper(depth: int) -> int:
    if depth > TABLES:
        raise ValueError(f"tables nested deeper than {TABLES} levels")
    return depth + 1


def _rows(kind: type) -> Callable[[Any, int], Any]:
    def decode(body: Any, depth: int) -> Any:
        columns = [_items(column, _deeper(depth)) for column in _items_of(body)]
        rows = zip(*columns, strict=True)
        return list(rows) if kind is tuple else list(map(list, rows))

    return decode


def _ragged(kind: type) -> Callable[[Any, int], Any]:
    def decode(body: Any, depth: int) -> Any:
        widths, flat = (_items(part, _deeper(depth)) for part in _items_of(body, 2))
        if sum(widths) != len(flat):
            raise ValueError(f"rows of {sum(widths)} elements made of {len(flat)}")
        elements = iter(flat)
        return [kind(islice(elements, width)) for width in widths]

    return decode


def _items_of(body: Any, length: int = 0) -> list[Any]:
    if type(body) is not list or not body or (length and len(body) != length):
        raise ValueError(f"a tag with a body of type {type(body).__name__}")
    return body


def _hashables(items: list[Any]) -> list[Any]:
    """Refuse what was made to collide: building the set would take quadratic time."""
    if len(items) > _COLLISIONS:
        counts: dict[
            int, int
        ] = {}  # no `Counter`: its code is there for a candidate to replace
        for item in items:
            code = hash(item)
            counts[code] = counts.get(code, 0) + 1
        if max(counts.values()) > _COLLISIONS:
            raise ValueError(f"more than {_COLLISIONS} elements have the same hash")
    return items


_Collected = TypeVar("_Collected", set[Any], dict[Any, Any])


def _whole(found: _Collected, items: list[Any]) -> _Collected:
    """Refuse what stands twice: dropping it is work, and no reader does a program's work."""
    if len(found) != len(items):
        raise ValueError(f"{len(items)} elements, {len(found)} different ones")
    return found


def _keyed(body: Any, depth: int) -> dict[Any, Any]:
    keys, values = (_items(part, depth + 1) for part in _items_of(body, 2))
    return _whole(dict(zip(_hashables(keys), values, strict=True)), keys)


def _decode_set(body: Any, depth: int) -> set[Any]:
    items = _items(body, depth)
    return _whole(set(_hashables(items)), items)


def _decode_counter(body: Any, depth: int) -> Counter[Any]:
    counter: Counter[Any] = Counter.__new__(Counter)
    dict.update(counter, _keyed(body, depth))  # its own update adds
    return counter


def _decode_defaultdict(body: Any, depth: int) -> defaultdict[Any, Any]:
    keys, values, name = _items_of(body, 3)
    factory = None if name is None else FACTORIES[name]
    return defaultdict(factory, _keyed([keys, values], depth))


def _decode_deque(body: Any, depth: int) -> deque[Any]:
    items, maxlen = _items_of(body, 2)
    return deque(_items(items, depth + 1), maxlen)


def _decode_complex(body: Any, _: int) -> complex:
    return complex(*map(float.fromhex, _items_of(body, 2)))


def _decode_range(body: Any, depth: int) -> range:
    return range(*(_decode(n, depth) for n in _items_of(body, 3)))


def _moment(kind: type[datetime] | type[clock]) -> Callable[[Any, int], Any]:
    def decode(body: Any, _: int) -> Any:
        text = body.removesuffix("~")
        found = kind.fromisoformat(text)
        if found.isoformat() != text:
            raise ValueError(f"a moment written as {text[:40]!r}")
        return found.replace(fold=int(text != body))

    return decode


def _decode_date(body: Any, _: int) -> date:
    found = date.fromisoformat(body)
    if found.isoformat() != body:
        raise ValueError(f"a date written as {body[:40]!r}")
    return found


def _decode_span(body: Any, _: int) -> timedelta:
    days, seconds, microseconds = map(int, body.split(","))
    if not (0 <= seconds < 86400 and 0 <= microseconds < 1_000_000):
        raise ValueError(f"a span written as {body[:40]!r}")
    return timedelta(days, seconds, microseconds)


def _decode_decimal(body: Any, _: int) -> Decimal:
    found = Decimal(body)
    if type(body) is not str or str(found) != body:
        raise ValueError(f"a decimal written as {str(body)[:40]!r}")
    return found


def _decode_record(body: Any, depth: int) -> WireRecord:
    kind, module, name, fields, held = _class_of(body)
    values = _items(held, depth + 1)
    if len(values) != len(fields):
        raise ValueError(f"{len(values)} values of {len(fields)} fields")
    return kind(module, name, fields, tuple(values))


def _decode_table(body: Any, depth: int) -> list[WireRecord]:
    kind, module, name, fields, held = _class_of(body)
    columns = [_items(column, _deeper(depth)) for column in _items_of(held, len(fields))]
    return [kind(module, name, fields, row) for row in zip(*columns, strict=True)]


def _class_of(body: Any) -> tuple[type[WireRecord], str, str, tuple[str, ...], Any]:
    named, module, name, fields, held = _items_of(body, 5)
    texts = [module, name, *fields]
    if type(named) is not bool or {*map(type, texts)} != {str} or len({*fields}) < len(fields):
        raise ValueError(f"a record of the class {name!r:.40}")
    if not all(map(shows, fields)):
        raise ValueError(f"a record with the fields {fields!r:.80}")
    _require_name(name)
    return (Named if named else WireRecord), module, name, tuple(fields), held


def _require_name(name: str) -> None:
    """Refuse what is no name: it is shown to people."""
    parts = name.replace("<locals>", "locals").split(".")
    if not all(map(str.isidentifier, parts)):
        raise ValueError(f"a class of the name {name[:40]!r}")


def _decode_member(body: Any, _: int) -> RecordMember:
    module, enum, name = _items_of(body, 3)
    if not type(module) is type(enum) is type(name) is str:
        raise ValueError(f"a member of the enum {enum!r:.40}")
    _require_name(enum)
    if not name.isprintable():
        raise ValueError(f"a member of the name {name!r:.40}")
    return RecordMember(module, enum, name)


def _decode_members(body: Any, depth: int) -> list[RecordMember]:
    module, enum, names = _items_of(body, 3)
    known = {name: _decode_member([module, enum, name], depth) for name in dict.fromkeys(names)}
    return [known[name] for name in names]


def _decode_column(body: Any, depth: int) -> list[Any]:
    tag, spelled = _items_of(body, 2)
    if tag not in _SPELLED or {*map(type, spelled)} != {str}:
        raise ValueError(f"a column of {tag!r:.40}")
    return [_DECODERS[tag](text, depth) for text in spelled]


def _decode_array(body: Any, _: int) -> Any:
    import numpy

    dtype, data, shape = _items_of(body, 3)
    if not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError(f"array of shape {shape}")
    return numpy.ndarray(tuple(shape), _dtype(dtype), _elements(dtype, data))


def _decode_scalar(body: Any, _: int) -> Any:
    import numpy

    dtype, data = _items_of(body, 2)
    return numpy.ndarray((), _dtype(dtype), _elements(dtype, data))[()]


def _elements(dtype: str, data: str) -> bytearray:
    """Return the bytes of an array; numpy does not survive text of impossible letters."""
    import numpy

    found = bytearray.fromhex(data)
    if dtype[1:2] == "U" and numpy.frombuffer(found, f"{dtype[0]}u4").max(initial=0) > 0x10FFFF:
        raise ValueError(f"array of {dtype!r} whose letters do not exist")
    return found


def _dtype(name: Any) -> Any:
    import numpy

    dtype = numpy.dtype(name if type(name) is str else "")
    if dtype.kind not in DTYPE_KINDS or dtype.str != name or not dtype.itemsize:
        raise ValueError(f"array of {name!r}")
    return dtype


_DECODERS: dict[str, Callable[[Any, int], Any]] = {
    "i": lambda body, _: int(body, 16),
    "f": lambda body, _: float.fromhex(body),
    "c": _decode_complex,
    "b": lambda body, _: a2b_base64(body, strict_mode=True),
    "a": lambda body, _: bytearray.fromhex(body),
    "I": _unpack("i"),
    "Q": _unpack("q"),
    "F": _unpack("d"),
    "R": _rows(list),
    "T": _rows(tuple),
    "L": _ragged(list),
    "U": _ragged(tuple),
    "t": lambda body, depth: tuple(_items(body, depth)),
    "s": _decode_set,
    "z": lambda body, depth: frozenset(_decode_set(body, depth)),
    "d": _keyed,
    "C": _decode_counter,
    "O": lambda body, depth: OrderedDict(_keyed(body, depth)),
    "D": _decode_defaultdict,
    "q": _decode_deque,
    "r": _decode_range,
    "y": _decode_date,
    "w": _moment(datetime),
    "h": _moment(clock),
    "e": _decode_span,
    "m": _decode_decimal,
    "K": _decode_record,
    "W": _decode_table,
    "E": _decode_member,
    "V": _decode_members,
    "v": _decode_column,
    "n": _decode_array,
    "g": _decode_scalar,
}
