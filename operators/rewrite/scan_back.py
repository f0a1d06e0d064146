"""A search back over what came earlier, for an equal key -> where each key was seen last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import altered, pure
from operators.rewrite.element_parts import elements_stay
from operators.rewrite.loops import confined, substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    bound,
    calls,
    compared,
    field_word,
    flat,
    index,
    integer,
    lines,
    named,
    names,
    only,
    target_names,
    text,
    variables,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_LAST = ("range({i}-1,-1,-1)", "reversed(range({i}))", "range({i})[::-1]")


class ScanBack(Rule):
    """Look up where an earlier element had the same key, first or last.

    Valid for a loop over `range(i)`, up or down, that stands in a loop over all `i` and is left
    at the first element that fits, where the elements stay as they are meanwhile (checked).
    That keys are hashable, and equal to themselves, is left to the tests. Known as a table of
    last occurrences.
    """

    name = "scan_back"
    relies_on = "keys are hashable and equal to themselves"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each search."""
        import libcst as cst

        for inner in place.own:
            outer = next(program.loops(inner), None) if isinstance(inner, cst.For) else None
            if isinstance(inner, cst.For) and isinstance(outer, cst.For):
                scan = _scan(program, inner, outer)
                if scan and confined(program, place, inner, {scan.found}):
                    yield _change(program, scan, inner, outer)


class _Scan(NamedTuple):
    """A search among the elements before one.

    Attributes:
        here: The index of the element.
        found: The index of the one that is found.
        last: Whether it is the last that fits, or the first.
        key: Key of the element that is found; it reads the elements at that index only.
        wanted: What the key is compared with.
        elements: The elements.
        body: What is done where one is found, without the `break`.
        missing: What is done where none is.
    """

    here: str
    found: str
    last: bool
    key: cst.BaseExpression
    wanted: cst.BaseExpression
    elements: cst.BaseExpression
    body: Sequence[cst.CSTNode]
    missing: Sequence[cst.CSTNode]


def _scan(program: Program, inner: cst.For, outer: cst.For) -> _Scan | None:
    import libcst as cst

    here, found = _index_of(outer), named(inner.target)
    last = _direction(inner, here) if here and found else None
    block = lines(outer.body)
    (test, *more) = lines(inner.body) or [inner]
    if last is None or inner not in block or more or not isinstance(test, cst.If):
        return None
    if test.orelse or here in bound(outer.body) or _skips(block[: block.index(inner)]):
        return None
    *body, end = lines(test.body)
    if not isinstance(only(end), cst.Break) or _skips(body, cst.Break):
        return None
    missing = lines(inner.orelse.body) if inner.orelse else ()
    sides = compared(test.test, "Equal")
    for key, wanted in (sides, sides[::-1]) if sides else ():
        elements = _elements(key, found)
        if elements is None or found in names(wanted) or not pure(test.test):
            continue
        scan = _Scan(here, found, last, key, wanted, elements, body, missing)
        if _stays(program, outer, scan) and _is_whole(outer, scan):
            return scan
    return None


def _index_of(outer: cst.For) -> str:
    """Return what a loop calls its index that counts from 0; nothing where it has none."""
    import libcst as cst

    arguments = calls(outer.iter, "range")
    if arguments and (len(arguments) == 1 or integer(arguments[0]) == 0):
        return named(outer.target) if len(arguments) < 3 else ""
    counted = calls(outer.iter, "enumerate") or []
    if len(counted) != 1 or not isinstance(outer.target, cst.Tuple):
        return ""
    return named(outer.target.elements[0].value)


def _direction(inner: cst.For, here: str) -> bool | None:
    """Return whether a loop goes down from an index, or up to it; None: neither."""
    code = flat(inner.iter)
    if code == f"range({here})" or code == f"range(0,{here})":
        return False
    return True if code in [way.format(i=here) for way in _LAST] else None


def _skips(rows: Sequence[cst.CSTNode], *kinds: type[cst.CSTNode]) -> bool:
    """Whether lines may go on with the next pass of the loop that they are in."""
    import libcst as cst

    todo = [*rows]
    while todo:
        node = todo.pop()
        if isinstance(node, (cst.Continue, *kinds)):
            return True
        if not isinstance(node, (cst.For, cst.While, cst.FunctionDef, cst.ClassDef)):
            todo += node.children
        elif isinstance(node, (cst.For, cst.While)) and node.orelse:
            todo.append(node.orelse)
    return False


def _elements(key: cst.BaseExpression, found: str) -> cst.BaseExpression | None:
    """Return what a key reads at an index, and nowhere else."""
    pairs = [pair for node in walk(key) if (pair := index(node)) and named(pair[1]) == found]
    mentions = sum(1 for node in variables(key) if node.value == found)
    if not pairs or mentions != len(pairs) or len({flat(value) for value, _ in pairs}) != 1:
        return None
    return pairs[0][0]


def _at(scan: _Scan, place: str) -> str:
    """Return the code of a key at another index."""
    return substituted(
        scan.key, {node: place for node in variables(scan.key) if node.value == scan.found}
    )


def _stays(program: Program, outer: cst.For, scan: _Scan) -> bool:
    """Whether the keys of all elements stay as they are while the outer loop runs."""
    import libcst as cst

    read = names(scan.key) - {scan.found}
    if read & (altered(program, outer) | {*target_names(outer.target)}):
        return False
    each: dict[cst.CSTNode, str] = {
        node: "each"
        for node in walk(scan.key)
        if (pair := index(node)) and named(pair[1]) == scan.found
    }
    part = cst.parse_expression(substituted(scan.key, each))
    return isinstance(part, cst.Name) or elements_stay(program, outer, [part])


def _is_whole(outer: cst.For, scan: _Scan) -> bool:
    """Whether there is an element at each index of the outer loop."""
    elements = flat(scan.elements)
    code = flat(outer.iter)
    walked = code in (f"range(len({elements}))", f"range(0,len({elements}))")
    return walked or code == f"enumerate({elements})" or _same_key(scan)


def _same_key(scan: _Scan) -> bool:
    import libcst as cst

    return flat(scan.wanted) == flat(cst.parse_expression(_at(scan, scan.here)))


def _change(program: Program, scan: _Scan, inner: cst.For, outer: cst.For) -> TreeChange:
    word = field_word(scan.key) or "key"
    table = program.fresh(f"{'last' if scan.last else 'first'}_by_{word}")
    wanted, here = text(scan.wanted), _at(scan, scan.here)
    used = any(scan.found in names(line) for line in scan.body)
    kept = f"{table}[{here}] = {scan.here}"
    if not scan.last:
        kept = f"{table}.setdefault({here}, {scan.here})"
    seen = program.fresh("seen")
    asked = f"{scan.found} = {table}.get({wanted})" if used else f"{seen} = {wanted} in {table}"
    test = f"{scan.found} is not None" if used else seen
    rows = [asked, kept]
    if scan.body:
        rows += [f"if {test}:", _block(scan.body)]
        rows += ["else:", _block(scan.missing)] if scan.missing else []
    elif scan.missing:
        rows += [f"if not {seen}:", _block(scan.missing)]
    return TreeChange(
        anchor=inner,
        replaced={inner: "\n".join(rows)},
        before={program.statement(outer): [f"{table} = {{}}"]},
        direction="Keep where each key was seen instead of searching back for it",
        effect="O(n) -> O(1) for each search",
    )


def _block(rows: Sequence[cst.CSTNode]) -> str:
    import libcst as cst

    return indent("".join(cst.Module([]).code_for_node(row) for row in rows).rstrip(), "    ")
