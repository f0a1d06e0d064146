"""Calls a function as somebody does who keeps its answers, and changes them: three times.

The text of this module is sent into the jail behind the program, so that it imports the
standard library only. What it reports may be made up by the program: `repeated` reads it with
care.
"""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import fields
from enum import Enum
from typing import Any, NamedTuple  # values of candidates

_MOST = 1 << 15  # containers of a value that are looked at
_LEAVES = frozenset({int, str, float, bool, bytes, complex, range, type(None)})
_MAPPINGS = (dict, OrderedDict, Counter, defaultdict)
_CHANGEABLE = (list, deque, bytearray, set, *_MAPPINGS)
_ANY = "*"
_SEEN = 40  # letters of a key
_PLACES = 32  # of what is shared, that are told; who shares more is not understood
_SHORT = 8  # elements of a tuple that each mean something else

Path = tuple[Any, ...]
Shared = list[tuple[Path, Path, Path]]
"""Places of an answer, each with a path to a part there and one to the same object elsewhere.

All elements of a list are one place, all values of a mapping, and all elements of a long tuple;
a short one has one each.
"""


class Part(NamedTuple):
    """A part of a value that can be changed in place."""

    place: Path
    path: Path
    value: Any


def repeatedly(entry: Callable[..., Any], *copies: tuple[Any, ...]) -> tuple[Any, ...]:
    """Call a function three times with equal arguments; say what became of its answers.

    After the second call the first answer and its arguments are changed in place. What the
    first call raises is raised.

    Args:
        entry: The function.
        copies: Three tuples of arguments that are equal, and have no object in common.

    Returns:
        The first answer; the second, with whether it is one (or what was raised); the first
        after the second call; which of its parts are parts of its arguments, stand in it
        elsewhere, or are parts of later answers, and what stands twice in the arguments of
        the first two calls; the second at the end; the third as the second.
    """
    given, *later = copies
    first = entry(*given)
    said = deepcopy(first)
    again = _outcome(entry, later[0])
    second, kept = deepcopy(again), deepcopy(first)
    parts, arguments, others = map(_parts, ((True, first), (True, given), again))
    left = _twice([*changeable((given, later[0]))], [])
    for part in (*parts, *arguments):
        _spoil(part.value)
    third = _outcome(entry, later[1])
    others += _parts(third)
    shared = _among(parts, arguments), _twice(parts, arguments), _among(parts, others), left
    return said, second, kept, shared, again[1], third


def tied(value: Any, arguments: tuple[Any, ...]) -> tuple[Shared, ...] | None:
    """Return what an answer shares, and what is shared in the arguments that a call left.

    Returns:
        Which parts of the answer are parts of the arguments, which stand in it twice, and which
        are arrays that cannot be written to, or whose elements lie in one place; the last two
        of the arguments, too. None where all of that is nothing.
    """
    parts, given = [*changeable(value)], [*changeable(arguments)]
    shared = _among(parts, given) if parts else []
    within = _twice(parts, given) if len(parts) > 1 else []
    left = _twice(given, []) if len(given) > 1 else []
    found = tuple(map(_brief, (shared, within, _stiff(value), left, _stiff(arguments))))
    return found if any(found) and sum(map(len, found)) <= _PLACES else None


def _stiff(value: Any) -> Shared:
    stiff = {part.place: part.path for part in _walked(value) if _is_stiff(part.value)}
    return [(place, path, ()) for place, path in stiff.items()]


def _brief(shared: Shared) -> Shared:
    """Return the same with short steps: a path is for people, and a place tells by itself."""
    return [(place, _short(path), _short(other)) for place, path, other in shared]


def _short(path: Path) -> Path:
    return tuple(map(_step, path))


def _step(step: Any) -> Any:
    if type(step) is str:
        return step[:_SEEN]
    plain = type(step) is int and abs(step) < 1 << 63
    return step if plain or step is None else type(step).__name__


def changeable(value: Any) -> Iterator[Part]:
    """Yield the parts of a value that can be changed in place, level by level.

    What stands twice is yielded twice, but its own parts are not.
    """
    array = _array()
    for part in _walked(value):
        kind = type(part.value)
        settable = kind in _CHANGEABLE or _is_settable(kind)
        if settable or (kind is array and part.value.flags.writeable):
            yield part


def _is_stiff(value: Any) -> bool:
    """Say whether a value is an array of which an element cannot be set alone.

    In one that is not, a step along an axis leads beyond all that the shorter steps reach.
    """
    if type(value) is not _array() or not value.size:
        return False
    steps = zip(map(abs, value.strides), value.shape, strict=True)
    reached = value.itemsize
    for step, many in sorted(pair for pair in steps if pair[1] > 1):
        if step < reached:
            return True
        reached += (many - 1) * step
    return not value.flags.writeable


def _walked(value: Any) -> Iterator[Part]:
    """Yield a value and the containers in it, level by level; see `changeable`."""
    waiting, entered = deque([Part((), (), value)]), set[int]()
    while waiting and len(entered) < _MOST:
        part = waiting.popleft()
        yield part
        if id(part.value) not in entered:
            entered.add(id(part.value))
            waiting.extend(_inner(part))


def _inner(part: Part) -> Iterator[Part]:
    """Yield the containers in a container."""
    place, path, value = part
    kind = type(value)
    if kind in _MAPPINGS:
        items = value.items()
    elif kind in (list, deque, tuple) and not _LEAVES.issuperset(map(type, value)):
        items = enumerate(value)
    elif isinstance(value, tuple):
        items = enumerate(tuple.__iter__(value))
    elif _is_data(kind):
        items = _fields(value).items()
    else:
        return
    short = kind is tuple and len(value) <= _SHORT
    for step, inner in items:
        if type(inner) not in _LEAVES:
            yield Part((*place, step if short else _ANY), (*path, step), inner)


def _is_data(kind: type) -> bool:
    """Say whether its values are data classes, with their fields as parts."""
    return hasattr(kind, "__dataclass_fields__") and not issubclass(kind, Enum)


def _is_settable(kind: type) -> bool:
    return _is_data(kind) and not kind.__dataclass_params__.frozen  # type: ignore[attr-defined]


def _fields(value: Any) -> dict[str, Any]:
    """Return what a data class holds; its class holds what is declared for all of them."""
    names = [*(field.name for field in fields(value)), *getattr(value, "__dict__", ())]
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _array() -> Any:
    """Return the type of numpy's arrays, if the program has loaded it."""
    return getattr(sys.modules.get("numpy"), "ndarray", None)


def _parts(outcome: tuple[bool, Any]) -> list[Part]:
    ok, value = outcome
    return [*changeable(value)] if ok else []


def _outcome(entry: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, entry(*arguments)
    except MemoryError:
        raise
    except Exception as err:  # noqa: BLE001 - an answer like any other
        return False, type(err).__name__


def _spoil(value: Any) -> None:
    """Change a part in place, for whoever else holds it."""
    with suppress(BufferError, ValueError, TypeError, AttributeError):
        if type(value) is bytearray:
            value[:] = b"?"
        elif type(value) is _array():
            value.fill(1)
        elif _is_data(type(value)):
            for name in _fields(value):
                object.__setattr__(value, name, None)
        else:
            value.clear()
            if type(value) in _MAPPINGS:
                value[None] = None
            else:
                (value.add if type(value) is set else value.append)(None)


def _among(parts: list[Part], others: list[Part]) -> Shared:
    """Return which parts are, or lie in the memory of, others."""
    known: dict[int, Path] = {}
    for other in others:
        known.setdefault(id(_owner(other.value)), other.path)
    found: dict[Path, tuple[Path, Path]] = {}
    for part in parts:
        path = known.get(id(_owner(part.value)))
        if path is not None:
            found.setdefault(part.place, (part.path, path))
    return [(place, *paths) for place, paths in found.items()]


def _twice(parts: list[Part], arguments: list[Part]) -> Shared:
    """Return the pairs of places that hold one object, in whatever order they were met.

    A part of the arguments is left out: of equal ones it does not matter which is handed out.
    """
    lent = {id(part.value) for part in arguments}
    known: dict[int, dict[Path, Path]] = {}
    found: dict[Path, tuple[Path, Path]] = {}
    for part in parts:
        if id(part.value) in lent:
            continue
        earlier = known.setdefault(id(part.value), {})
        for place, path in earlier.items():
            pair = tuple(sorted((place, part.place), key=repr))
            found.setdefault(pair, (part.path, path))
        earlier.setdefault(part.place, part.path)
    return [(pair, *paths) for pair, paths in found.items()]


def _owner(value: Any) -> Any:
    """Return what an array lies in: views of one are parts of it."""
    while getattr(value, "base", None) is not None:
        value = value.base
    return value
