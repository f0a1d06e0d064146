"""Whether indices lie in order within a sequence, by the loops that count them.

A term is a name, the length of the sequence, or nothing, and a number that is added to it. Not
here: what a loop walks over (`loops`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.effects import changed
from operators.rewrite.loops import resolved
from operators.rewrite.program import Place
from operators.rewrite.reading import calls, integer, named, target_names, text

if TYPE_CHECKING:
    import libcst as cst

_LENGTH = "len()"
_DEPTH = 8  # counters that stand on each other: more nested loops there are not


class _Term(NamedTuple):
    base: str
    more: int = 0


class _Counted(NamedTuple):
    """The least and the largest value that a counter has in its loop."""

    least: _Term
    largest: _Term


def in_order(
    place: Place,
    loops: Iterable[cst.CSTNode],
    sequence: cst.BaseExpression,
    bounds: tuple[cst.BaseExpression | None, cst.BaseExpression | None],
) -> bool:
    """Whether 0 <= lower <= upper <= len(sequence) holds wherever the loops lead.

    Args:
        place: The function.
        loops: Those around the bounds, in all of which the sequence stays as it is.
        sequence: What is sliced.
        bounds: Lower and upper; None: the beginning, the end.
    """
    order = _Order(place, text(sequence))
    order.counted.update(order.counters(loops))
    lower, upper = bounds
    low = order.term(lower) if lower else _Term("")
    high = order.term(upper) if upper else _Term(_LENGTH)
    if low is None or high is None:
        return False
    return (
        order.holds(_Term(""), low)
        and order.holds(low, high)
        and order.holds(high, _Term(_LENGTH))
    )


class _Order:
    """What is known of the counters around some code."""

    def __init__(self, place: Place, sequence: str) -> None:
        self.counted: dict[str, _Counted] = {}
        self._place = place
        self._sequence = sequence

    def counters(self, loops: Iterable[cst.CSTNode]) -> Iterator[tuple[str, _Counted]]:
        """Yield what is known of the counters of loops, the nearest first."""
        import libcst as cst

        known = set[str]()
        for loop in loops:
            body = loop.body if isinstance(loop, cst.For) else None
            for target, iterable in _headers(loop):
                found = self._header(target, iterable)
                own = {found[0], found[1].least.base, found[1].largest.base} if found else set()
                if found and not own & known and not (body and found[0] in changed(body)):
                    yield found
                known.update(target_names(target))

    def _header(
        self, target: cst.BaseExpression, iterable: cst.BaseExpression
    ) -> tuple[str, _Counted] | None:
        import libcst as cst

        listed = calls(iterable, "enumerate")
        if listed and len(listed) == 1 and text(listed[0]) == self._sequence:
            first = target.elements[0].value if isinstance(target, cst.Tuple) else target
            return named(first), _Counted(_Term(""), _Term(_LENGTH, -1))
        ends = calls(iterable, "range")
        if not ends or len(ends) > 2 or not named(target):
            return None
        least = self.term(ends[0]) if len(ends) == 2 else _Term("")
        end = self.term(ends[-1])
        if least is None or end is None:
            return None
        return named(target), _Counted(least, end._replace(more=end.more - 1))

    def term(self, node: cst.BaseExpression) -> _Term | None:
        """Return what an expression comes to; None for one that is no such term."""
        import libcst as cst

        number = integer(node)
        if number is not None:
            return _Term("", number)
        if isinstance(node, cst.BinaryOperation):
            left, right = self.term(node.left), self.term(node.right)
            if left is None or right is None:
                return None
            if isinstance(node.operator, cst.Add):
                sides = (left, right) if not right.base else (right, left)
                return None if sides[1].base else _Term(sides[0].base, left.more + right.more)
            if isinstance(node.operator, cst.Subtract) and not right.base:
                return _Term(left.base, left.more - right.more)
            return None
        length = calls(resolved(self._place, node), "len")
        if length and len(length) == 1 and text(length[0]) == self._sequence:
            return _Term(_LENGTH)
        return _Term(named(node)) if named(node) else None

    def holds(self, one: _Term, two: _Term, depth: int = _DEPTH) -> bool:
        """Say whether one term is known to be at most another."""
        if one.base == two.base:
            return one.more <= two.more
        if (not one.base) and two.base == _LENGTH:
            return one.more <= two.more
        if not depth:
            return False
        if one.base in self.counted:
            largest = self.counted[one.base].largest
            if self.holds(_Term(largest.base, largest.more + one.more), two, depth - 1):
                return True
        if two.base in self.counted:
            least = self.counted[two.base].least
            return self.holds(one, _Term(least.base, least.more + two.more), depth - 1)
        return False


def _headers(
    loop: cst.CSTNode,
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """Yield target and iterable of a loop, or of each `for` of a comprehension."""
    import libcst as cst

    if isinstance(loop, cst.For):
        yield loop.target, loop.iter
    elif isinstance(loop, cst.BaseComp):
        found: list[cst.CompFor] = []
        one: cst.CompFor | None = loop.for_in
        while one is not None:
            found.append(one)
            one = one.inner_for_in
        yield from ((each.target, each.iter) for each in reversed(found))
