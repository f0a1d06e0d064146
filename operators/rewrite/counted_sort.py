"""Elements with many repetitions are sorted, or compared sorted -> counted first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import pure
from operators.rewrite.kinds import mapping
from operators.rewrite.loops import substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import calls, compared, index, method, named, names, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class CountedSort(Rule):
    """Count equal elements and sort the distinct ones only, or none at all.

    Valid for hashable elements of which equal ones are alike, and distinct ones have distinct
    keys, none of a dictionary (left to the tests). Covers two sorted copies that are compared,
    the sorted characters of a text, and sorting by a table of ranks, which has few keys. Known
    as counting sort, and as the test for anagrams by counts.
    """

    name = "counted_sort"
    relies_on = "elements are hashable, and equal ones are alike"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each comparison, text and list that is sorted."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.Comparison):
                yield from _same_elements(program, place, node)
            elif isinstance(node, cst.Call):
                yield from _text(program, node)
                yield from _ranked(program, place, node)


def _change(node: cst.CSTNode, code: str, imports: tuple[str, ...] = ()) -> TreeChange:
    return TreeChange(
        anchor=node,
        replaced={node: code},
        imports=imports,
        direction="Count equal elements instead of sorting each of them",
        effect="O(n log n) -> O(n), and d log d for d distinct elements",
    )


def _same_elements(
    program: Program, place: Place, node: cst.Comparison
) -> Iterator[TreeChange]:
    """`sorted(xs) == sorted(ys)`."""
    sides = compared(node, "Equal", "NotEqual") or ()
    both = [calls(side, "sorted") for side in sides]
    if any(mapping(program, place, values[0]) for values in both if values):
        return
    if len(both) == 2 and all(values and len(values) == 1 for values in both):
        counter, imports = imported(program, "collections", "Counter")
        sign = "==" if compared(node, "Equal") else "!="
        first, second = (f"{counter}({text(values[0])})" for values in both if values)
        yield _change(node, f"{first} {sign} {second}", imports)


def _text(program: Program, call: cst.Call) -> Iterator[TreeChange]:
    """`"".join(sorted(text))`, also in falling order."""
    import libcst as cst

    joined = method(call, "join")
    ordered = joined[1][0] if joined and len(joined[1]) == 1 else None
    if not joined or not isinstance(ordered, cst.Call) or text(joined[0]) not in ('""', "''"):
        return
    if named(ordered.func) != "sorted" or not ordered.args or ordered.args[0].star:
        return
    source, *rest = ordered.args
    falling = [text(arg.value) for arg in rest if named(arg.keyword) == "reverse"]
    plain = isinstance(source.value, (cst.Name, cst.Subscript)) and pure(source.value)
    if len(falling) != len(rest) or not plain:
        return
    each, values = program.fresh("each"), text(source.value)
    order = f", reverse={falling[0]}" if falling else ""
    distinct = f"sorted(set({values}){order})"
    yield _change(call, f'"".join([{each} * {values}.count({each}) for {each} in {distinct}])')


def _ranked(program: Program, place: Place, call: cst.Call) -> Iterator[TreeChange]:
    """`sorted(xs, key=lambda x: ranks[x])`."""
    if named(call.func) != "sorted" or len(call.args) < 2 or call.args[0].star:
        return
    given = {named(arg.keyword): arg.value for arg in call.args[1:]}
    source = call.args[0].value
    if mapping(program, place, source) or any(names(source) & names(k) for k in given.values()):
        return  # a Counter of a dictionary holds its values
    pair = program.fresh("pair")
    rank = _rank(given.pop("key", None), f"{pair}[0]")
    falling = given.pop("reverse", None)
    if rank is None or given:
        return
    counter, imports = imported(program, "collections", "Counter")
    each, number = program.fresh("each"), program.fresh("number")
    order = f", reverse={text(falling)}" if falling else ""
    pairs = f"{counter}({text(source)}).items()"
    ordered = f"sorted({pairs}, key=lambda {pair}: {rank}{order})"
    code = f"[{each} for {each}, {number} in {ordered} for _ in range({number})]"
    yield _change(call, code, imports)


def _rank(key: cst.BaseExpression | None, element: str) -> str | None:
    """Return code for the rank of an element, if the key looks it up in a table."""
    import libcst as cst

    if isinstance(key, cst.Lambda) and len(key.params.params) == 1:
        (parameter,) = key.params.params
        asked = method(key.body, "get")
        found = (asked[0], asked[1][0]) if asked and asked[1] else index(key.body)
        if found is None or not named(found[0]):
            return None
        if named(found[1]) != parameter.name.value:
            return None
        own = {n: element for n in walk(key.body) if named(n) == parameter.name.value}
        return substituted(key.body, own)
    if isinstance(key, cst.Attribute) and key.attr.value in ("__getitem__", "get"):
        return f"{text(key)}({element})" if named(key.value) else None
    return None
