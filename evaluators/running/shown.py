"""An answer as people see it: like its `repr`, but bounded, and never an error.

A candidate makes these values. Its integers may have more digits than Python converts, and
its lists more elements than anybody reads. Not here: whether two values are equal.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any  # values of any type that may cross the wire

from se_agent.wire.records import Named, WireRecord, parts

SHOWN = 300
"""Characters of an answer that are shown."""

_DEEPEST = 30
_USUAL = ("f8", "i8", "b1", "c16")  # elements of an array that look like what they are
_LONGEST_INT = 1024  # bits; in decimal still about as long as all that is shown


def cut(text: str) -> str:
    """Return at most `SHOWN` characters of a text."""
    return text if len(text) <= SHOWN else text[: SHOWN - 4] + " ..."


def one_line(text: str) -> str:
    """Return a text cut and on one line; an empty one is `nothing`."""
    return cut(" ".join(text.split())) or "nothing"


def shown(value: Any) -> str:
    """Return a value as Python writes it, cut to `SHOWN` characters.

    Only as much of the value is looked at as is shown. Very long integers are hexadecimal.
    """
    text = ""
    for piece in _pieces(value, 0):
        text += piece
        if len(text) > SHOWN:
            break
    return cut(text)


def _pieces(value: Any, depth: int) -> Iterator[str]:
    kind = type(value)
    if depth > _DEEPEST:
        yield "..."
    elif kind in _CONTAINERS:
        yield from _CONTAINERS[kind](value, depth + 1)
    elif kind is int:
        yield _int(value)
    elif kind.__name__ == "ndarray":
        yield from _array(value, depth + 1)
    elif kind is str or kind is bytes or kind is bytearray:
        yield repr(value[: SHOWN + 1])
    else:
        yield _told(repr, value)


def _told(write: Callable[[Any], str], value: Any) -> str:
    """Return what writes a value; numpy has times that it cannot write."""
    try:
        return write(value)
    except ValueError:
        return f"<{type(value).__name__}>"


def _int(value: int) -> str:
    bits = value.bit_length()
    return (
        repr(value) if bits <= _LONGEST_INT else f"{value >> (bits - 160):#x}... ({bits} bits)"
    )


def _listed(items: Iterable[Any], depth: int) -> Iterator[str]:
    for index, item in enumerate(items):
        yield ", " if index else ""
        yield from _pieces(item, depth)


def _row(opening: str, closing: str) -> Callable[[Any, int], Iterator[str]]:
    def pieces(items: Any, depth: int) -> Iterator[str]:
        yield opening
        yield from _listed(items, depth)
        yield closing

    return pieces


def _tuple(items: tuple[Any, ...], depth: int) -> Iterator[str]:
    yield "("
    yield from _listed(items, depth)
    yield ",)" if len(items) == 1 else ")"


def _set(items: set[Any], depth: int) -> Iterator[str]:
    yield "{" if items else "set("
    yield from _listed(_ordered(items, depth), depth)
    yield "}" if items else ")"


def _frozenset(items: frozenset[Any], depth: int) -> Iterator[str]:
    yield "frozenset({" if items else "frozenset("
    yield from _listed(_ordered(items, depth), depth)
    yield "})" if items else ")"


def _ordered(items: Collection[Any], depth: int) -> list[Any]:
    """Return what a set holds in an order that is the same under each hash seed."""
    if {*map(type, items)} in ({int}, {str}, {bytes}):
        return sorted(items)
    return sorted(items, key=lambda item: "".join(_pieces(item, depth)))


def _dict(items: Mapping[Any, Any], depth: int) -> Iterator[str]:
    yield "{"
    for index, (key, value) in enumerate(items.items()):
        yield ", " if index else ""
        yield from _pieces(key, depth)
        yield ": "
        yield from _pieces(value, depth)
    yield "}"


def _mapping(items: Mapping[Any, Any], depth: int) -> Iterator[str]:
    yield f"{type(items).__name__}("
    if isinstance(items, defaultdict):
        yield f"{items.default_factory!r}, "
    yield from _dict(items, depth)
    yield ")"


def _deque(items: deque[Any], depth: int) -> Iterator[str]:
    yield "deque(["
    yield from _listed(items, depth)
    yield "])" if items.maxlen is None else f"], maxlen={items.maxlen})"


def _record(value: WireRecord, depth: int) -> Iterator[str]:
    _, name, fields, values = parts(value)
    yield f"{name}("
    for index, (field, held) in enumerate(zip(fields, values, strict=True)):
        yield f"{', ' if index else ''}{field}="
        yield from _pieces(held, depth)
    yield ")"


def _array(value: Any, depth: int) -> Iterator[str]:
    """Yield an array with all its digits: numpy's own text has eight of them."""
    yield "array("
    yield from _elements(value, depth)
    yield "" if value.size else f", shape={value.shape}"
    yield ")" if value.dtype.str[1:] in _USUAL else f", dtype={value.dtype})"


def _elements(value: Any, depth: int) -> Iterator[str]:
    if value.ndim == 0:
        item = value[()]
        yield repr(item.item()) if value.dtype.kind in "SUbiu" else _told(str, item)
        return
    yield "["
    for index, part in enumerate(value):
        yield ", " if index else ""
        if getattr(part, "ndim", 0):
            yield from _elements(part, depth + 1)
        else:
            yield repr(part.item()) if value.dtype.kind in "SUbiu" else _told(str, part)
    yield "]"


def _range(value: range, depth: int) -> Iterator[str]:
    yield "range("
    ends = (value.start, value.stop)
    yield from _listed(ends if value.step == 1 else (*ends, value.step), depth)
    yield ")"


_CONTAINERS: dict[type, Callable[[Any, int], Iterator[str]]] = {
    list: _row("[", "]"),
    tuple: _tuple,
    set: _set,
    frozenset: _frozenset,
    dict: _dict,
    Counter: _mapping,
    OrderedDict: _mapping,
    defaultdict: _mapping,
    deque: _deque,
    range: _range,
    WireRecord: _record,
    Named: _record,
}
