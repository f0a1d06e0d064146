"""Text that is mapped character by character -> `str.translate` with a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from operators.rewrite.adding import additions
from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed, pure
from operators.rewrite.handlers import tried
from operators.rewrite.kinds import collection
from operators.rewrite.loops import (
    Elements,
    characters,
    confined,
    elements,
    substituted,
)
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import calls_own, computes
from operators.rewrite.reading import (
    assigned,
    bound,
    calls,
    comp_for,
    index,
    method,
    named,
    names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_WAYS = ("translate", "join")
_DIRECTION = "Map each distinct character once, and the text by a table"
_EFFECT = "one evaluation a distinct character; the rest runs in C"


class StringTranslate(Rule):
    """Make a table of what each distinct character becomes; translate the text by it.

    Valid where the new piece depends on the character alone (checked: no other variable of
    the loop, no trace). `translate` needs a text; `join` works for any list of hashable
    pieces as well. A mere filter needs no pieces: `translate` leaves out any number of ASCII
    characters at once, `replace` takes a few of any kind away, one after the other.
    Covers `"".join(...)` over the characters of a text, filters included, and loops that only
    add to a string.
    """

    name = "string_translate"
    is_plain: ClassVar[bool] = False

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield two changes, by `translate` and by `join`, for each text that is built."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For):
                if not tried(program, node):
                    yield from _loop(program, place, node)
            else:
                joined = method(node, "join")
                if joined and len(joined[1]) == 1 and text(joined[0]) in ('""', "''"):
                    yield from _join(program, place, node, joined[1][0])


def _join(
    program: Program, place: Place, call: cst.CSTNode, pieces: cst.BaseExpression
) -> Iterator[TreeChange]:
    import libcst as cst

    if not isinstance(pieces, (cst.GeneratorExp, cst.ListComp)):
        return
    loop = comp_for(pieces)
    found = elements(program, place, loop)
    if found is None or loop.inner_for_in or loop.asynchronous or not pure(found.sequence):
        return
    fixed = named(pieces.elt) == found.name and not loop.ifs
    if fixed or not computes(program, pieces) or not _mapped(program, found, pieces):
        return
    element = substituted(pieces.elt, found.replaced)
    tests = [substituted(each.test, found.replaced) for each in loop.ifs]
    name, source = found.name, text(found.sequence)
    listed = collection(program, place, found.sequence)  # a list has no `translate`
    if tests and element == name:
        yield from () if listed else _shortened(program, call, source, name, tests)
        return
    piece = f'({element}) if {" and ".join(f"({t})" for t in tests)} else ""'
    table = f"{{{name}: {piece if tests else element} for {name} in set({source})}}"
    line, once = program.statement(call), program.fresh("pieces")
    if not listed:
        made = f"str.maketrans({table})"
        yield _change(call, {call: _translated(source, made)}, "translate")
    looked_up = index(pieces.elt) is not None and not tests  # in a table such as ours
    if looked_up or isinstance(line, (cst.While, cst.FunctionDef, cst.ClassDef)):
        return
    if not _inside(program, call, line):
        new = f'"".join([{once}[{name}] for {name} in {source}])'
        yield _change(call, {call: new}, "join", {line: [f"{once} = {table}"]})


def _shortened(
    program: Program, call: cst.CSTNode, source: str, name: str, tests: list[str]
) -> Iterator[TreeChange]:
    """Take away the distinct characters that fail the tests, at once or one by one."""
    kept = " and ".join(f"({test})" for test in tests)
    failing = f"for {name} in set({source}) if not ({kept})"
    without = f"dict.fromkeys([ord({name}) {failing}])"
    yield _change(call, {call: _translated(source, without)}, "translate")
    reduce, imports = imported(program, "functools", "reduce")
    left = program.fresh("left")
    struck = f'lambda {left}, {name}: {left}.replace({name}, "")'
    new = f"{reduce}({struck}, [{name} {failing}], {source})"
    yield TreeChange(
        anchor=call,
        replaced={call: new},
        imports=imports,
        parameters=(("by", "replace"),),
        direction=_DIRECTION,
        effect=_EFFECT,
    )


def _inside(program: Program, node: cst.CSTNode, line: cst.CSTNode) -> bool:
    """Whether a node of the statement is evaluated more than once, or perhaps never."""
    import libcst as cst

    kinds = (
        cst.BaseComp,
        cst.Lambda,
        cst.IfExp,
        cst.BooleanOperation,
        cst.BaseCompoundStatement,
    )
    above = program.above(node)
    return any(isinstance(outer, kinds) for outer in iter(lambda: next(above), line))


def _translated(source: str, table: str) -> str:
    whole = source if source.isidentifier() else f"({source})"
    return f"{whole}.translate({table})"


def _loop(program: Program, place: Place, loop: cst.For) -> Iterator[TreeChange]:
    found = elements(program, place, loop)
    sums = additions(loop)
    if found is None or not sums or loop.orelse or loop.asynchronous:
        return
    totals = {addition.name for addition in sums}
    own = bound(loop) - totals
    if len(totals) != 1:
        return
    total = min(totals)
    if not _string(place, total) or not computes(program, loop.body):
        return
    if names(found.sequence) & changed(loop) or not _mapped(program, found, loop):
        return
    if not confined(program, place, loop, own) or not pure(found.sequence):
        return
    table = program.fresh("pieces")
    targets = [node for node in walk(loop.body) if named(node) == total]
    key = f"{table}[{found.name}]"
    source = text(found.sequence)
    last = {
        "translate": f"{total} += {_translated(source, f'str.maketrans({table})')}",
        "join": f'{total} += "".join([{table}[{found.name}] for {found.name} in {source}])',
    }
    for way in _WAYS:
        yield _change(
            loop,
            {**found.replaced, **dict.fromkeys(targets, key), loop.iter: table},
            way,
            {loop: [f'{table} = dict.fromkeys(set({source}), "")']},
            {loop: [last[way]]},
        )


def _change(
    anchor: cst.CSTNode,
    replaced: dict[cst.CSTNode, str],
    way: str,
    before: dict[cst.CSTNode, list[str]] | None = None,
    after: dict[cst.CSTNode, list[str]] | None = None,
) -> TreeChange:
    return TreeChange(
        anchor=anchor,
        replaced=replaced,
        before=before or {},
        after=after or {},
        parameters=(("by", way),),
        direction=_DIRECTION,
        effect=_EFFECT,
    )


def _string(place: Place, name: str) -> bool:
    """Whether the name is set to a string somewhere in the function."""
    import libcst as cst

    given = [pair[1] for n in place.own if (pair := assigned(n)) and pair[0] == name]
    return any(isinstance(v, cst.BaseString) or calls(v, "str") is not None for v in given)


def _mapped(program: Program, found: Elements, body: cst.CSTNode) -> bool:
    """Whether the elements look like characters, or are looked up in a table."""
    import libcst as cst

    keys = any(method(found.sequence, name) for name in ("keys", "values", "items"))
    if keys or isinstance(found.sequence, cst.BaseString):
        return False
    if characters(found, body):
        return True
    item = [n for n in walk(body) if n in found.replaced or named(n) == found.name]
    for node in walk(body):
        if isinstance(node, cst.Call):
            table = isinstance(node.func, cst.Attribute) and node.func.attr.value == "get"
            if table and any(arg.value in item for arg in node.args):
                return True
        if isinstance(node, cst.Comparison) and node.left in item:
            return type(node.comparisons[0].operator).__name__ in ("In", "NotIn")
        if isinstance(node, cst.Index) and node.value in item:
            return True
    return calls_own(program, body)
