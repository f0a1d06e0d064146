"""Parts of a value by path: found, replaced, made smaller; and which of them are one object.

A path is a tuple of indices and keys from the tuple of arguments down. Nothing is changed in
place: a replacement rebuilds what is above it, and shares the rest.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from typing import Any  # values of any type that may cross the wire

from evaluators.counterexample.function.shape import MAPPINGS, SEQUENCES, SETS, Shape, ordered

Path = tuple[Any, ...]
Links = tuple[tuple[Path, Path], ...]
"""Pairs of paths: at the second stands the object of the first."""

_MOST = 400  # parts of a value that are looked at
_HEAVIEST = 1 << 20  # parts and characters that are counted
_SHARED = (list, deque, bytearray, *MAPPINGS, set)


def parts(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the parts of a value with their paths, the whole first, level by level."""
    waiting = deque([(path, value)])
    for _ in range(_MOST):
        if not waiting:
            return
        path, value = waiting.popleft()
        yield path, value
        if type(value) in SEQUENCES:
            waiting.extend(((*path, i), item) for i, item in enumerate(value))
        elif type(value) in MAPPINGS:
            waiting.extend(((*path, key), item) for key, item in value.items())


def at(value: Any, path: Path) -> Any:
    """Return the part at a path."""
    for step in path:
        value = value[step]
    return value


def put(value: Any, path: Path, part: Any) -> Any:
    """Return the value with another part at a path."""
    if not path:
        return part
    step, *rest = path
    inner = put(value[step], tuple(rest), part)
    if type(value) in MAPPINGS:
        changed = value.copy()
        changed[step] = inner
        return changed
    items = list(value)
    items[step] = inner
    return like(value, items)


def renamed(value: Any, old: Any, new: Any) -> Any:
    """Return the value with one leaf replaced by another wherever it stands."""
    if type(value) in SEQUENCES:
        return like(value, [renamed(item, old, new) for item in value])
    return new if type(value) is type(old) and value == old else value


def like(value: Any, items: list[Any]) -> Any:
    """Return a sequence or set of the type of `value` that holds `items`."""
    if type(value) is deque:
        return deque(items, value.maxlen)
    if type(value) is str:
        return "".join(items)
    return type(value)(items)


def without(value: Any, keep: list[bool]) -> Any:
    """Return a container with those of its elements that are to be kept."""
    if type(value) in MAPPINGS:
        items = [item for item, kept in zip(value.items(), keep, strict=True) if kept]
        return _mapping(value, items)
    return like(value, [item for item, kept in zip(ordered(value), keep, strict=True) if kept])


def _mapping(value: Any, items: list[tuple[Any, Any]]) -> Any:
    if type(value) is defaultdict:
        return defaultdict(value.default_factory, items)
    kind: Any = type(value)
    return kind(dict(items)) if kind in (Counter, OrderedDict) else dict(items)


def shape_at(shape: Shape, value: Any, path: Path) -> Shape | None:
    """Return the shape of the place that a path leads to; None where nothing was seen."""
    found: Shape | None = shape
    for step in path:
        if found is None:
            return None
        if type(value) in MAPPINGS:
            found = found.part(f".{step}") or found.part("value")
        else:
            found = found.part(step if type(value) in (tuple, list) and found.fields else "*")
        value = value[step]
    return found


def links_of(arguments: tuple[Any, ...]) -> Links:
    """Return which parts are the same object, as pairs of paths."""
    first: dict[int, Path] = {}
    found = []
    for path, value in parts(arguments):
        if type(value) not in _SHARED:
            continue
        if id(value) not in first:
            first[id(value)] = path
        elif len(path) == 1 or type(at(arguments, path[:-1])) in (list, *MAPPINGS):
            found.append((first[id(value)], path))
    return tuple(found)


def linked(arguments: tuple[Any, ...], links: Links) -> tuple[Any, ...]:
    """Return the arguments with these parts made one object; they are changed in place."""
    values = list(arguments)
    for source, target in links:
        *above, last = target
        at(values, tuple(above))[last] = at(values, source)
    return tuple(values)


def weight(value: Any) -> tuple[int, int]:
    """Return how large a value is: all its parts and characters, then its digits."""
    count = digits = 0
    waiting = [value]
    while waiting and count < _HEAVIEST:
        part = waiting.pop()
        count += 1
        if type(part) in SEQUENCES:
            waiting.extend(part)
        elif type(part) in MAPPINGS:
            waiting.extend(part.values())
        elif type(part) in (str, bytes, bytearray, *SETS):
            count += len(part)
            digits += sum(c not in "0a" for c in part) if type(part) is str else 0
        elif type(part) is int:
            digits += abs(part).bit_length() + (part < 0)
        elif type(part) is float:
            digits += 0 if part == 0 else 1 + len(repr(part))
    return count, digits


def smaller(arguments: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield inputs that are a little smaller, the boldest steps first."""
    yield from _together(arguments)
    found = list(parts(arguments))
    for path, value in found:
        if path and type(value) in (*SEQUENCES, *MAPPINGS, *SETS, str) and len(value):
            yield from (put(arguments, path, less) for less in _shorter(value))
    for path, value in found:
        yield from (put(arguments, path, less) for less in _simpler(value))
    numbers = Counter(value for _, value in found if type(value) is int)
    for number in (n for n, count in numbers.items() if count > 1):
        yield from (renamed(arguments, number, less) for less in _simpler(number))


def _together(arguments: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield inputs whose arguments of one length all lost the same elements."""
    lengths = Counter(len(v) for v in arguments if type(v) in SEQUENCES)
    for length in (size for size, count in lengths.items() if count > 1 and size):
        for keep in keeps_of(length):
            yield tuple(
                without(v, keep) if type(v) in SEQUENCES and len(v) == length else v
                for v in arguments
            )


def _shorter(value: Any) -> Iterator[Any]:
    return (without(value, keep) for keep in keeps_of(len(value)))


def keeps_of(length: int) -> Iterator[list[bool]]:
    """Yield which elements of a sequence to keep: large parts of it are left out first."""
    chunk = length
    while chunk:
        for start in range(0, length, chunk):
            yield [not start <= i < start + chunk for i in range(length)]
        chunk //= 2


def _simpler(value: Any) -> Iterator[Any]:
    if type(value) is int:
        for less in (0, 1, value // 2, value - 1 if value > 0 else value + 1, -value):
            if (abs(less), less < 0) < (abs(value), value < 0):
                yield less
    elif type(value) is float:
        yield from (less for less in (0.0, 1.0, 2.0, float(round(value, 1))) if less != value)
    elif type(value) is str:
        for i, char in enumerate(value[:32]):
            simple = "0" if char.isdigit() else "a"
            if char != simple and char.isalnum():
                yield value[:i] + simple + value[i + 1 :]
