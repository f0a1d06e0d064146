"""A search for the first element with a key, for each of many keys -> a dictionary by key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.invariants import elements_stay, invariant_loop
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    calls,
    comp_for,
    compared,
    field_word,
    flat,
    named,
    names,
    spoken,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class FirstByKey(Rule):
    """Look up the first element with a key, in a loop that searches for one after the other.

    Such as `next((x for x in xs if x.key == wanted), None)`. Valid where the elements stay as
    they are in the outermost loop, and nothing that runs there sets what their keys are read
    from (checked). That keys are hashable, and that the elements can be walked over more than
    once, is left to the tests. Known as building an index.
    """

    name = "first_by_key"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for all searches of a loop in the same elements by the same key."""
        found: dict[tuple[str, ...], list[_Search]] = {}
        for node in place.own if place.name else ():
            search = _search(node)
            loop = invariant_loop(program, node, search.elements) if search else None
            parts = (search.key, search.given) if search else ()
            if search and loop and elements_stay(program, loop, parts):
                table = (flat(search.elements), search.variable, flat(search.key))
                key = (*table, flat(search.given), str(id(program.statement(loop))))
                found.setdefault(key, []).append(search._replace(loop=loop))
        for searches in found.values():
            yield _change(program, searches)


class _Search(NamedTuple):
    """A search: in which elements, by what key, for what, and what is given.

    Attributes:
        node: The whole of it.
        elements: What is walked over.
        variable: What an element is called.
        key: What is compared, of an element.
        wanted: What it is compared with.
        given: What is given of the element that is found.
        missing: What is given where none is found.
        loop: The outermost loop in which the elements stay the same.
    """

    node: cst.CSTNode
    elements: cst.BaseExpression
    variable: str
    key: cst.BaseExpression
    wanted: cst.BaseExpression
    given: cst.BaseExpression
    missing: cst.BaseExpression
    loop: cst.CSTNode | None = None


def _search(node: cst.CSTNode) -> _Search | None:
    """Return the search that a node is: `next(generator, what else)`."""
    import libcst as cst

    arguments = calls(node, "next") or []
    if len(arguments) != 2 or not isinstance(arguments[0], cst.GeneratorExp):
        return None
    comp, missing = arguments
    part, given = comp_for(comp), arguments[0].elt
    variable = named(part.target)
    sides = compared(part.ifs[0].test, "Equal") if len(part.ifs) == 1 else None
    if not variable or not sides or part.inner_for_in or part.asynchronous:
        return None
    for key, wanted in (sides, sides[::-1]):
        own = names(key) == {variable} and names(given) <= {variable}
        parts = (part.iter, *sides, given, missing)
        if own and variable not in names(wanted) and all(map(pure, parts)):
            return _Search(node, part.iter, variable, key, wanted, given, missing)
    return None


def _change(program: Program, searches: list[_Search]) -> TreeChange:
    first = searches[0]
    words = (spoken(first.elements) or "known", "by", field_word(first.key) or "key")
    table = program.fresh("_".join(words))
    loop = f"for {first.variable} in reversed([*{text(first.elements)}])"
    made = f"{table} = {{{text(first.key)}: {text(first.given)} {loop}}}"
    replaced: dict[cst.CSTNode, str] = {}
    for search in searches:
        last = "" if named(search.missing) == "None" else f", {text(search.missing)}"
        replaced[search.node] = f"{table}.get({text(search.wanted)}{last})"
    assert first.loop is not None
    return TreeChange(
        anchor=first.node,
        replaced=replaced,
        before={program.statement(first.loop): [made]},
        direction="Look up the first element with a key in a dictionary that is made once",
        effect="O(n * m) -> O(n + m)",
    )
