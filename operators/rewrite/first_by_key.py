"""A search for the first element with a key, for each of many keys -> a dictionary by key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.element_parts import elements_stay
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.kinds import elements_of, iterator
from operators.rewrite.program import Place, Program, walk
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

    Such as `next((x for x in xs if x.key == wanted), None)`, or `any(x.key == wanted for x in
    xs)`, which needs a set only. Valid where the elements stay as they are in the outermost
    loop, and nothing that runs there sets what their keys are read from (checked). That keys,
    and what is looked for, are hashable and equal to themselves, that every element has a key
    (also where no search comes to it), that what is looked for is there (also where no elements
    are), and that the elements can be walked over more than once, is left to the tests. Known
    as building an index.
    """

    name = "first_by_key"
    relies_on = "every element has its key, keys are hashable, and the elements are no iterator"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for all searches of a loop in the same elements by the same key."""
        found: dict[tuple[str, ...], list[_Search]] = {}
        for node in place.own if place.name else ():
            search = _search(node)
            loop = invariant_loop(program, node, search.elements) if search else None
            if search is None or _is_iterator(program, place, search.elements):
                continue
            if loop and elements_stay(program, loop, search.read):
                line = program.statement(loop)
                table = (flat(search.elements), search.variable, *map(flat, search.read))
                found.setdefault((*table, str(id(line))), []).append(search._replace(line=line))
        for searches in found.values():
            yield _change(program, place, searches)


class _Search(NamedTuple):
    """A search: in which elements, by what key, for what, and what is given.

    Attributes:
        node: The whole of it.
        elements: What is walked over.
        variable: What an element is called.
        key: What is compared, of an element.
        wanted: What it is compared with.
        given: What is given of the element that is found; None: whether there is one.
        missing: What is given where none is found, or, without `given`, whether that is true.
        line: The statement of the outermost loop in which the elements stay the same.
    """

    node: cst.CSTNode
    elements: cst.BaseExpression
    variable: str
    key: cst.BaseExpression
    wanted: cst.BaseExpression
    given: cst.BaseExpression | None
    missing: cst.BaseExpression | bool
    line: cst.CSTNode | None = None

    @property
    def read(self) -> tuple[cst.BaseExpression, ...]:
        """What is read of each element."""
        return (self.key,) if self.given is None else (self.key, self.given)


def _search(node: cst.CSTNode) -> _Search | None:
    """Return the search that a node is: `next(generator, what else)`, `any` or `all`."""
    import libcst as cst

    for function, kind in (("any", "Equal"), ("all", "NotEqual")):
        (comp,) = calls(node, function) or (None,)
        if isinstance(comp, (cst.GeneratorExp, cst.ListComp)) and not comp_for(comp).ifs:
            return _of(node, comp_for(comp), compared(comp.elt, kind), None, function == "all")
    arguments = calls(node, "next") or []
    if len(arguments) != 2 or not isinstance(arguments[0], cst.GeneratorExp):
        return None
    comp, missing = arguments
    part, given = comp_for(comp), arguments[0].elt
    sides = compared(part.ifs[0].test, "Equal") if len(part.ifs) == 1 else None
    if (named(given), named(missing)) == ("True", "False"):
        return _of(node, part, sides, None, False)
    return _of(node, part, sides, given, missing) if pure(missing) else None


def _of(
    node: cst.CSTNode,
    part: cst.CompFor,
    sides: tuple[cst.BaseExpression, cst.BaseExpression] | None,
    given: cst.BaseExpression | None,
    missing: cst.BaseExpression | bool,
) -> _Search | None:
    variable = named(part.target)
    if not variable or not sides or part.inner_for_in or part.asynchronous:
        return None
    for key, wanted in (sides, sides[::-1]):
        found = _Search(node, part.iter, variable, key, wanted, given, missing)
        own = names(key) == {variable} and all(names(each) <= {variable} for each in found.read)
        if own and variable not in names(wanted) and (given is None or _is_read(given)):
            return found if all(map(pure, (part.iter, *sides, *found.read))) else None
    return None


def _is_iterator(program: Program, place: Place, elements: cst.BaseExpression) -> bool:
    """Whether a name stands for what can be walked over once."""
    return bool(named(elements)) and iterator(program, place, elements)


def _is_read(given: cst.BaseExpression) -> bool:
    """Whether what is given of an element is read there, not made of it for each search."""
    import libcst as cst

    read = (cst.Name, cst.Attribute, cst.Subscript, cst.SubscriptElement, cst.Index)
    fixed = (cst.BaseNumber, cst.SimpleString)
    return all(isinstance(node, (*read, *fixed)) for node in walk(given))


def _change(program: Program, place: Place, searches: list[_Search]) -> TreeChange:
    first = searches[0]
    elements, word = spoken(first.elements) or "known", field_word(first.key)
    every = elements_of(program, place, first.elements)
    unpacked = every if every == text(first.elements) else f"({every})"
    loop = f"for {first.variable} in {unpacked}"
    if first.given is not None:
        table = program.fresh(f"{elements}_by_{word or 'key'}")
        loop = f"for {first.variable} in reversed([*{unpacked}])"
        made = f"{{{text(first.key)}: {text(first.given)} {loop}}}"
    elif named(first.key):
        table, made = program.fresh(f"{elements}_set"), f"set({every})"
    else:
        table = program.fresh(f"{elements}_{word or 'key'}s")
        made = f"{{{text(first.key)} {loop}}}"
    assert first.line is not None
    return TreeChange(
        anchor=first.node,
        replaced=dict(_asked(program, search, table) for search in searches),
        before={first.line: [f"{table} = {made}"]},
        direction="Look up the first element with a key in a table that is made once",
        effect="O(n * m) -> O(n + m)",
    )


def _asked(program: Program, search: _Search, table: str) -> tuple[cst.CSTNode, str]:
    """Return what is replaced, and the code that asks the table; a `not` goes into it."""
    import libcst as cst

    node, wanted = search.node, text(search.wanted)
    if isinstance(search.missing, bool):
        above = program.parent[node]
        turned = isinstance(above, cst.UnaryOperation) and isinstance(above.operator, cst.Not)
        word = "in" if search.missing is turned else "not in"
        return above if turned else node, f"{wanted} {word} {table}"
    last = "" if named(search.missing) == "None" else f", {text(search.missing)}"
    return node, f"{table}.get({wanted}{last})"
