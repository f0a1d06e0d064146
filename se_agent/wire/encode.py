"""Values to typed JSON. Not here: reading it back (`decode`)."""

from __future__ import annotations

import json.encoder
import sys
from array import array
from binascii import b2a_base64
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta, timezone
from datetime import time as clock
from decimal import Decimal
from itertools import chain
from types import NoneType
from typing import Any  # a value of any of the types below is what this module is about

from se_agent.errors import WireError
from se_agent.wire.classes import (
    Layout,
    columns,
    held_value,
    is_written,
    layout,
    member,
    record_of,
)
from se_agent.wire.records import Named, RecordMember, WireRecord, parts

TABLES = 16
"""Depth up to which rows go by column: each level holds all rows anew, in a few bytes."""

MAX_DEPTH = 100
"""Levels of nesting that may cross; fewer than Python's recursion limit can bear."""

FACTORIES = {t.__name__: t for t in (int, float, str, list, dict, set, tuple, bool, deque)}
"""Factories of a `defaultdict` that survive, by name."""

DTYPE_KINDS = frozenset("?biufcSUMm")
"""Kinds of numpy dtypes that may cross: what holds no Python objects and no fields."""

UNSUPPORTED = "unsupported value"
"""How the message about a value of a type that does not cross begins."""

TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"
"""The message about a value that holds too many others inside of each other, or itself."""

_LONG_KEY = 256  # bits of a key that is shown: Python spells out no number of any length
_PATH = 60  # characters of a path that are shown

IMMUTABLE = frozenset({NoneType, bool, int, float, str, bytes, Decimal}) | {
    *(date, datetime, clock, timedelta)
}
"""Types whose values nobody can change."""

_LOW, _HIGH = -(1 << 63), (1 << 63) - 1
_PACKED_FROM = 32  # elements; shorter runs of ints stay readable
_WIDEST_ROW = 16


class _UnsupportedError(Exception):
    """Somewhere in the value; `_first_fault` finds the place once it is known to exist."""


def dumps(value: Any) -> bytes:
    """Encode a value.

    Raises:
        WireError: A part has another type, or is nested deeper than `MAX_DEPTH` levels (as
            every value that holds itself is). `path` says which, such as `$[2].a`.
    """
    try:
        return "".join(_to_text(_encode(value, 0), 0)).encode("utf-8", "surrogatepass")
    except (_UnsupportedError, RecursionError):
        raise _first_fault(value) from None


def _refuse(_: Any) -> Any:
    raise _UnsupportedError


# What `JSONEncoder` would call, and not its methods: a candidate can replace those, and this
# is called in its process.
_to_text: Callable[[Any, int], tuple[str, ...]] = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, _refuse, json.encoder.encode_basestring, None, ":", ",", False, False, True
)


def _encode(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind is str or kind is bool or kind is NoneType:
        return value
    if kind is int:
        return _encode_int(value)
    encoder = _ENCODERS.get(id(kind))  # a hash of the class could be code of its metaclass
    if encoder is not None:
        return encoder(value, depth)
    found = layout(kind)
    return _encode_numpy(value) if found is None else _encode_own(value, found, depth)


def _encode_int(value: int, _: int = 0) -> Any:
    # Decimal digits of long integers are quadratic, and limited; hexadecimal is neither.
    return value if _LOW <= value <= _HIGH else {"i": hex(value)}


def _encode_list(xs: list[Any], depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise _UnsupportedError
    if len(xs) < _PACKED_FROM:
        if xs and type(xs[0]) is float and all(type(x) is float for x in xs):
            return {"F": array("d", xs).tobytes().hex()}
        return [_encode(x, depth + 1) for x in xs]
    kind = type(xs[0])
    if [x for x in xs if type(x) is not kind]:
        return [_encode(x, depth + 1) for x in xs]
    if kind is str or kind is bool or kind is NoneType:
        return xs
    if kind is int:
        return _encode_ints(xs)
    if kind is float:
        return {"F": array("d", xs).tobytes().hex()}
    if kind is list or kind is tuple:
        return _encode_rows(xs, kind, depth)
    column = _encode_column(xs, kind, depth)
    return [_encode(x, depth + 1) for x in xs] if column is None else column


def _encode_ints(xs: list[int]) -> Any:
    if len(xs) >= _PACKED_FROM:
        for code in "iq":
            try:
                return {code.upper(): array(code, xs).tobytes().hex()}
            except OverflowError:
                continue
    return [_encode_int(x) for x in xs]


def _encode_rows(rows: list[Any], kind: type, depth: int) -> Any:
    """Rows of one width go by column, which is homogeneous more often than a row is."""
    if depth >= MAX_DEPTH:
        raise _UnsupportedError
    if len(rows) < _PACKED_FROM or depth > TABLES:
        return [_encode(row, depth + 1) for row in rows]
    widths = list(map(len, rows))
    if 0 < widths[0] <= _WIDEST_ROW and widths.count(widths[0]) == len(rows):
        columns = [_encode_list(list(column), depth + 1) for column in zip(*rows, strict=True)]
        return {"R" if kind is list else "T": columns}
    flat = _encode_list(list(chain.from_iterable(rows)), depth + 1)
    return {"L" if kind is list else "U": [_encode_ints(widths), flat]}


def _encode_column(xs: list[Any], kind: Any, depth: int) -> Any:
    """Return what values of one type are together; None where each has to go by itself."""
    if id(kind) in _SPELLED:
        tag, spelled = _SPELLED[id(kind)]
        return {"v": [tag, list(map(spelled, xs))]}
    found = None if id(kind) in _ENCODERS else layout(kind)
    if found is None or found.flags:
        return None
    if found.kind is RecordMember:
        names = [member(x, found) for x in xs]
        return None if None in names else {"V": [found.module, found.name, names]}
    return _encode_table(xs, found, depth)


def _encode_table(xs: list[Any], found: Layout, depth: int) -> Any:
    """Records of one class go by field; None where one of them holds more than its fields."""
    if not found.fields or depth > TABLES:
        return None
    by_field = columns(xs, found)
    if by_field is None:
        return None
    inside = [_encode_list(column, depth + 1) for column in by_field]
    return {"W": [found.kind is Named, found.module, found.name, [*found.fields], inside]}


def _encode_own(value: Any, found: Layout, depth: int) -> Any:
    """Encode a value of somebody's class."""
    if found.kind is RecordMember:
        name = member(value, found)
        if name is None:
            raise _UnsupportedError
        return {"E": [found.module, found.name, name]}
    inside = held_value(value, found)
    if inside is None:
        raise _UnsupportedError
    return _fields(found.kind is Named, found.module, found.name, *inside, depth)


def _encode_record(value: WireRecord, depth: int) -> Any:
    module, name, names, values = parts(value)
    return _fields(type(value) is Named, module, name, names, list(values), depth)


def _fields(
    named: bool, module: str, name: str, names: Sequence[str], values: list[Any], depth: int
) -> Any:
    return {"K": [named, module, name, [*names], _encode_list(values, depth + 1)]}


def _moment(value: datetime | clock) -> str:
    zone = value.tzinfo
    if zone is not None and type(zone) is not timezone:
        raise _UnsupportedError
    if zone is not None and timedelta() < abs(zone.utcoffset(None)) < timedelta(seconds=1):
        raise _UnsupportedError  # Python reads such an offset as none
    return value.isoformat() + "~" * value.fold


def _span(value: timedelta) -> str:
    return f"{value.days},{value.seconds},{value.microseconds}"


_SPELLED: dict[int, tuple[str, Callable[[Any], str]]] = {
    id(date): ("y", date.isoformat),
    id(datetime): ("w", _moment),
    id(clock): ("h", _moment),
    id(timedelta): ("e", _span),
    id(Decimal): ("m", str),
}


def _encode_spelled(value: Any, _: int) -> Any:
    tag, spelled = _SPELLED[id(type(value))]
    return {tag: spelled(value)}


def _tagged(tag: str, items: Callable[[Any], list[Any]] = list) -> Callable[[Any, int], Any]:
    return lambda value, depth: {tag: _encode_list(items(value), depth)}


def _mapping(tag: str) -> Callable[[Any, int], Any]:
    def encode(value: dict[Any, Any], depth: int) -> Any:
        return {tag: [_encode_list(list(part), depth + 1) for part in (value, value.values())]}

    return encode


def _encode_defaultdict(value: defaultdict[Any, Any], depth: int) -> Any:
    made = value.default_factory
    kept = next((name for name, kind in FACTORIES.items() if kind is made), None)
    return {"D": [*_mapping("D")(value, depth)["D"], kept]}


def _encode_deque(value: deque[Any], depth: int) -> Any:
    return {"q": [_encode_list(list(value), depth + 1), value.maxlen]}


def _encode_complex(value: complex, _: int) -> Any:
    return {"c": [value.real.hex(), value.imag.hex()]}


def _encode_range(value: range, _: int) -> Any:
    return {"r": [_encode_int(n) for n in (value.start, value.stop, value.step)]}


def _encode_numpy(value: Any) -> Any:
    if is_written(type(value)):
        raise _UnsupportedError
    numpy = sys.modules.get("numpy")
    known = getattr(numpy, "ndarray", None), getattr(numpy, "generic", None)
    if known[0] is None or known[1] is None:
        raise _UnsupportedError
    scalar = isinstance(value, known[1]) and getattr(numpy, type(value).__name__, None)
    if type(value) is not known[0] and scalar is not type(value):
        raise _UnsupportedError
    if value.dtype.kind not in DTYPE_KINDS or not value.dtype.itemsize:
        raise _UnsupportedError
    body = [value.dtype.str, value.tobytes().hex()]
    return {"n": [*body, list(value.shape)]} if value.ndim or not scalar else {"g": body}


_BY_TYPE: dict[type, Callable[[Any, int], Any]] = {
    int: _encode_int,
    float: lambda value, _: {"f": value.hex()},
    complex: _encode_complex,
    bytes: lambda value, _: {"b": b2a_base64(value, newline=False).decode("ascii")},
    bytearray: lambda value, _: {"a": value.hex()},
    list: _encode_list,
    tuple: _tagged("t"),
    set: _tagged("s"),
    frozenset: _tagged("z"),
    dict: _mapping("d"),
    Counter: _mapping("C"),
    OrderedDict: _mapping("O"),
    defaultdict: _encode_defaultdict,
    deque: _encode_deque,
    range: _encode_range,
    **dict.fromkeys((date, datetime, clock, timedelta, Decimal), _encode_spelled),
    WireRecord: _encode_record,
    Named: _encode_record,
    RecordMember: lambda value, _: {"E": [value.module, value.enum, value.name]},
}

# By identity: a hash of a class could be code of its metaclass.
_ENCODERS = {id(kind): encoder for kind, encoder in _BY_TYPE.items()}


def _first_fault(value: Any) -> WireError:
    """Walk again, slowly, to say where."""
    todo = [("$", value)]
    depths = [0]
    while todo:
        (path, part), depth = todo.pop(), depths.pop()
        if depth > MAX_DEPTH:
            return WireError(TOO_DEEP, path=_shortened(path))
        children = list(_children(path, part))
        if not children and not _crosses(part):
            return WireError(f"{UNSUPPORTED} of type {_kind(part)}", path=_shortened(path))
        todo.extend(reversed(children))
        depths.extend([depth + 1] * len(children))
    return WireError(TOO_DEEP)


def _children(path: str, part: Any) -> Iterator[tuple[str, Any]]:
    if type(part) in (dict, Counter, OrderedDict, defaultdict):
        for key, value in part.items():
            yield f"{path}{{key}}", key
            plain = type(key) is str and key.isidentifier()
            yield (f"{path}.{key}" if plain else f"{path}[{_shown(key)}]"), value
    elif type(part) in (list, tuple, deque):
        yield from ((f"{path}[{i}]", x) for i, x in enumerate(part))
    elif type(part) in (set, frozenset):
        yield from ((f"{path}{{element}}", x) for x in part)
    elif isinstance(found := record_of(part), WireRecord):
        *_, fields, values = parts(found)
        yield from ((f"{path}.{f}", x) for f, x in zip(fields, values, strict=True))


def _crosses(part: Any) -> bool:
    try:
        _encode(part, 0)
    except _UnsupportedError:
        return False
    return True


def _shown(key: Any) -> str:
    if type(key) is int and key.bit_length() > _LONG_KEY:
        return "int"
    return repr(key)[:40] if type(key) in (int, str, bool, float) else _name(type(key))


def _shortened(path: str) -> str:
    """Return both ends of a long path: what follows it, the reason, is to be read as well."""
    return path if len(path) <= _PATH else f"{path[: 2 * _PATH // 3]}...{path[-_PATH // 3 :]}"


def _kind(part: Any) -> str:
    """Return the type of a value as people are told; of an array, that of its elements, too."""
    name = _name(type(part))
    known = getattr(sys.modules.get("numpy"), "ndarray", None)
    return f"{name} of dtype {str(part.dtype)[:60]}" if type(part) is known else name


def _name(kind: type) -> str:
    return (
        kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    )
