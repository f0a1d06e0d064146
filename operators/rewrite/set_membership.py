"""`x in values` inside a loop -> one set built before the loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.kinds import elements_of, hashes, iterator, whole_text
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    assigned,
    calls,
    compared,
    index,
    named,
    names,
    root,
    same,
    spoken,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_EFFECT = "O(n) -> O(1) a test, for one pass that builds the set"


class SetMembership(Rule):
    """Replace membership tests of a list in a loop by a set built once.

    Valid when the container does not change while the loop runs (checked) and its elements
    are hashable and compare as they hash (left to the tests). It must be no iterator, and a
    string only where single characters are looked up (checked as far as syntax tells).
    Known as hashing a membership test; a scan of the list becomes one look-up.
    """

    name = "set_membership"
    relies_on = "elements are hashable, and the container is no iterator"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each container and outermost loop it is constant in."""
        done: set[tuple[str, cst.CSTNode]] = set()
        hashed, rows = _hashed(place) | _hashed(program.places[0]), _hashed_rows(place)
        for node in place.own:
            sides = compared(node, "In", "NotIn")
            if sides is None or not pure(sides[1]) or root(sides[1]) in hashed:
                continue
            row = index(sides[1])
            if row and named(row[0]) in rows:
                continue
            if hashes(program, place, sides[1]):
                continue
            # `in` takes from an iterator what comes before, and looks for words in a text.
            if iterator(program, place, sides[1]) or whole_text(program, place, sides[1]):
                continue
            yield from self._hoisted(program, place, sides[1], done)
            yield from self._each(program, place, sides[1], done)

    def _hoisted(
        self,
        program: Program,
        place: Place,
        container: cst.BaseExpression,
        done: set[tuple[str, cst.CSTNode]],
    ) -> Iterator[TreeChange]:
        loop = invariant_loop(program, container)
        if loop is None or not names(container) or (text(container), loop) in done:
            return
        done.add((text(container), loop))
        name = program.fresh(f"{spoken(container) or 'known'}_set")
        source = elements_of(program, place, container)
        yield TreeChange(
            anchor=container,
            replaced=dict.fromkeys(_tests(place, container, loop, program), name),
            before={program.statement(loop): [f"{name} = set({source})"]},
            direction="Replace list membership tests by a set",
            effect=_EFFECT,
        )

    def _each(
        self,
        program: Program,
        place: Place,
        container: cst.BaseExpression,
        done: set[tuple[str, cst.CSTNode]],
    ) -> Iterator[TreeChange]:
        """Yield a set for every row, where the rows are looked up by a changing index."""
        row = index(container)
        loop = invariant_loop(program, row[0]) if row and named(row[0]) else None
        if row is None or loop is None or loop is next(program.loops(container)):
            return
        if (f"{text(row[0])}[]", loop) in done:
            return
        done.add((f"{text(row[0])}[]", loop))
        name = program.fresh(f"{named(row[0])}_sets")
        rows = list(_rows(place, row[0], loop, program))
        yield TreeChange(
            anchor=container,
            replaced=dict.fromkeys(rows, name),
            before={
                program.statement(loop): [f"{name} = [set(row) for row in {text(row[0])}]"]
            },
            parameters=(("form", "rows"),),
            direction="Replace membership tests of rows by sets",
            effect=_EFFECT,
        )


def _tests(
    place: Place, container: cst.BaseExpression, loop: cst.CSTNode, program: Program
) -> Iterator[cst.CSTNode]:
    for node in place.own:
        sides = compared(node, "In", "NotIn")
        if sides and same(sides[1], container) and loop in program.above(node):
            yield sides[1]


def _rows(
    place: Place, rows: cst.BaseExpression, loop: cst.CSTNode, program: Program
) -> Iterator[cst.CSTNode]:
    for node in place.own:
        sides = compared(node, "In", "NotIn")
        row = index(sides[1]) if sides else None
        if row and same(row[0], rows) and loop in program.above(node):
            yield row[0]


def _hashed(place: Place) -> frozenset[str]:
    """Return the names that are sets, dictionaries or whole texts already."""
    import libcst as cst

    found = set()
    literal = (cst.Dict, cst.DictComp, cst.Set, cst.SetComp, cst.BaseString)
    makers = (
        "set",
        "dict",
        "frozenset",
        "Counter",
        "defaultdict",
        "OrderedDict",
        "range",
        "str",
    )
    for node in place.own:
        pair = assigned(node)
        if pair and (
            isinstance(pair[1], literal)
            or any(calls(pair[1], maker) is not None for maker in makers)
        ):
            found.add(pair[0])
    return frozenset(found)


def _hashed_rows(place: Place) -> frozenset[str]:
    """Return the names of lists that were made of sets."""
    import libcst as cst

    pairs = [pair for node in place.own if (pair := assigned(node))]
    return frozenset(
        name
        for name, value in pairs
        if isinstance(value, cst.ListComp) and calls(value.elt, "set") is not None
    )
