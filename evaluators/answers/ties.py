"""What an answer shares with the arguments, in itself and with whoever keeps it, in words.

The child tells it (`sandbox.child.caller.tied`), and may say whatever it likes: it is read
with care. A program may share less than the initial one, never more: where that one hands out a
part of its arguments, a copy is as good. Not here: whether values are equal (`check`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple  # paths are of keys of any type that may cross the wire

from evaluators.running.shown import cut, shown
from evaluators.sandbox.child.caller import Path
from se_agent import wire
from se_agent.errors import WireError

Places = Mapping[Path, tuple[Path, Path]]
"""By place of the answer: a part that is shared, and where else it stands."""

COPY = "a part that is none of its arguments"
EACH = "two objects"
_FREE = "an array whose elements can be set one by one"


class Tie(NamedTuple):
    """How an answer is tied where the right one is free, in words."""

    expected: str
    got: str


@dataclass(frozen=True)
class Ties:
    """What an answer shares.

    Attributes:
        with_arguments: Parts of it that are parts of the arguments.
        within: What stands in it twice.
        stiff: Arrays of which an element cannot be set alone.
        left: What stands twice in the arguments after the call.
        left_stiff: Such arrays among them.
    """

    with_arguments: Places = field(default_factory=dict)
    within: Places = field(default_factory=dict)
    stiff: Places = field(default_factory=dict)
    left: Places = field(default_factory=dict)
    left_stiff: Places = field(default_factory=dict)

    @classmethod
    def of(cls, told: bytes) -> Ties:
        """Return what a child told; nothing for what it cannot have told."""
        if not told:
            return cls()
        try:
            return cls(*map(places_of, whole(wire.loads(told), 5)))
        except (WireError, TypeError, ValueError):
            return cls()


def tie(right: bytes, given: bytes) -> Tie | None:
    """Return the first tie of an answer that the right one does not have; None: it has none.

    Args:
        right: What the process told of the right answer.
        given: The same of the answer.
    """
    if not given or given == right:
        return None
    ours, theirs = Ties.of(right), Ties.of(given)
    return (
        _new(ours.with_arguments, theirs.with_arguments, COPY, of_argument)
        or _new(ours.within, theirs.within, EACH, twice)
        or _new(ours.stiff, theirs.stiff, _FREE, of_elements)
        or _new(ours.left, theirs.left, EACH, left_twice)
        or _new(ours.left_stiff, theirs.left_stiff, _FREE, _left_stiff)
    )


def released(right: bytes, given: bytes) -> str:
    """Return which part of an argument only the right answer hands out; empty: none."""
    if not right or given == right:
        return ""
    ours, theirs = (Ties.of(one).with_arguments for one in (right, given))
    found = next((paths for place, paths in ours.items() if place not in theirs), None)
    return "" if found is None else lent(*found)


def _new(
    right: Places, given: Places, expected: str, told: Callable[[Path, Path], str]
) -> Tie | None:
    found = next((paths for place, paths in given.items() if place not in right), None)
    return None if found is None else Tie(expected, cut(told(*found)))


def of_argument(path: Path, other: Path) -> str:
    """Say that a part of the answer is a part of the arguments."""
    return f"{lent(path, other)}: changing the answer changes the argument"


def lent(path: Path, other: Path) -> str:
    """Return which part of the arguments stands where in the answer."""
    return f"{of_given(other)} {f'as {of_answer(path)}' if path else 'itself'}"


def twice(path: Path, other: Path) -> str:
    """Say that one object stands in the answer twice."""
    both = f"{of_answer(other)} and {of_answer(path)}"
    return f"one object as {both}: changing one changes the other"


def left_twice(path: Path, other: Path) -> str:
    """Say that one object stands in the arguments twice after a call."""
    both = f"{of_given(other)} and {of_given(path)}"
    return f"leaves one object as {both}: changing one changes the other"


def of_elements(path: Path, _: Path) -> str:
    """Say that an array cannot be changed element by element."""
    return f"{of_answer(path)} cannot be written to, or its elements are one"


def _left_stiff(path: Path, _: Path) -> str:
    return f"leaves {of_given(path)} so that it cannot be written to, or its elements are one"


def of_answer(path: Path) -> str:
    """Return the name of a part of the answer."""
    return f"answer{_steps(path)}"


def of_given(path: Path) -> str:
    """Return the name of an argument, or of a part of it."""
    return f"argument {''.join(map(shown, path[:1]))}{_steps(path[1:])}"


def _steps(path: Iterable[Any]) -> str:
    return "".join(f"[{shown(step)}]" for step in path)


def places_of(found: object) -> Places:
    """Return places as a process told them.

    Raises:
        TypeError: They are none.
        ValueError: Nor are these.
    """
    if type(found) is not list:
        raise TypeError(f"a {type(found).__name__} where a list is due")
    each = (map(whole, whole(paths, 3)) for paths in found)
    return {place: (path, other) for place, path, other in each}


def whole(value: Any, length: int = -1) -> tuple[Any, ...]:
    """Return a tuple as it is; a range of a program may be longer than all memory.

    Raises:
        TypeError: It is none, or not of that length.
    """
    if type(value) is not tuple or length not in (-1, len(value)):
        raise TypeError(f"a {type(value).__name__} where a tuple is due")
    return value
