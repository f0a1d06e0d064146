"""Bytes or a tuple that grow in a loop -> a bytearray or a list, turned back at the end.

Such as `out += piece`, `out = (x,) + out` or `out = (*out, x)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import GrowingLine, grown
from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.handlers import tried
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    flat,
    grouped,
    named,
    only,
    target_names,
    targets,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import mentions

if TYPE_CHECKING:
    import libcst as cst


class _Kind(NamedTuple):
    """A kind that is copied when it grows: its name, what grows in its place, and is empty."""

    name: str
    buffer: str
    empty: str


_KINDS = (_Kind("bytes", "bytearray", "bytearray()"), _Kind("tuple", "list", "[]"))


_EMPTY = ('b""', "b''", "bytes()", "()", "tuple()")


class BufferBuilding(Rule):
    """Let bytes grow as a bytearray, and a tuple as a list.

    Valid when the name is set to nothing but bytes, or tuples, before it grows, and the loop
    does nothing with it but add at one end and return it, and, where it adds at the end, ask
    for its length or one element; neither another function nor a handler of errors asks for it
    meanwhile (all checked). That what is added is of the same kind is left to the tests. What
    comes in front is collected, and turned round once. Known as amortised appending: bytes
    and tuples are copied whenever they grow.
    """

    name = "buffer_building"
    relies_on = "what is added is of one type"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each such name and the outermost loop that only adds to it."""
        done = set()
        for line in place.own:
            growth = grown(only(line))
            kind = _kind(program, place, growth.name) if growth else None
            if growth is None or kind is None:
                continue
            loop = _loop(program, place, line, growth)
            if loop is None or tried(program, loop) or (growth.name, loop) in done:
                continue
            done.add((growth.name, loop))
            found = _Site(line, growth.name, kind, loop)
            yield (_in_front if growth.in_front else _at_end)(program, place, found)


class _Site(NamedTuple):
    """A line that adds to a name, what that is, and the outermost loop that only adds to it."""

    line: cst.CSTNode
    name: str
    kind: _Kind
    loop: cst.CSTNode


def _is_shared(program: Program, node: cst.CSTNode) -> bool:
    """Whether a name is said to be one of another function, or of the module."""
    import libcst as cst

    return isinstance(program.parent[node], cst.NameItem)


def _sets(program: Program, target: cst.CSTNode, name: str) -> bool:
    """Whether a target stands in a line that sets this name alone, or adds to it."""
    import libcst as cst

    small = only(program.statement(target))
    pair = assigned(small)
    return isinstance(small, cst.AugAssign) or (pair is not None and pair[0] == name)


def _kind(program: Program, place: Place, name: str) -> _Kind | None:
    """Return what a name is set to wherever it does not grow; None where that is not known."""
    own = frozenset(place.own)
    if any(node not in own or _is_shared(program, node) for node in mentions(place, name)):
        return None  # another function may ask for it at any time
    if not all(_sets(program, t, name) for t in targets(place.node) if name in target_names(t)):
        return None  # a parameter, or one of several values: nothing says what it is
    given = [
        pair[1]
        for node in place.own
        if (pair := assigned(only(node))) and pair[0] == name and not grown(only(node))
    ]
    pieces = [
        p for n in place.own if (g := grown(only(n))) and g.name == name for p in g.pieces
    ]
    kinds = (k for k in _KINDS if given and all(_is(k, value) for value in given))
    return next((k for k in kinds if not any(_differs(k, piece) for piece in pieces)), None)


def _is(kind: _Kind, value: cst.BaseExpression) -> bool:
    import libcst as cst

    if kind.name == "tuple":
        return isinstance(value, cst.Tuple) or calls(value, "tuple") is not None
    literal = isinstance(value, cst.SimpleString) and "b" in value.prefix.lower()
    return literal or calls(value, "bytes") is not None


def _differs(kind: _Kind, piece: cst.BaseExpression) -> bool:
    """Whether a piece is seen to be of another kind: `[*out, x]` makes a list of a tuple."""
    import libcst as cst

    return isinstance(piece, (cst.List, cst.Tuple)) and not (
        kind.name == "tuple" and isinstance(piece, cst.Tuple)
    )


def _loop(
    program: Program, place: Place, line: cst.CSTNode, growth: GrowingLine
) -> cst.CSTNode | None:
    """Return the outermost loop in which a name does nothing that forbids the change."""
    import libcst as cst

    outermost = None
    for loop in program.loops(line):
        inside = frozenset(walk(loop))
        fits = all(
            _grows(program, node, in_front=growth.in_front)
            or _asks(program, node, in_front=growth.in_front)
            for node in mentions(place, growth.name)
            if node in inside
        )
        if not isinstance(loop, (cst.For, cst.While)) or not fits:
            break
        outermost = loop
    return outermost


def _grows(program: Program, node: cst.CSTNode, *, in_front: bool = False) -> bool:
    growth = grown(only(program.statement(node)))
    return growth is not None and (growth.name, growth.in_front) == (named(node), in_front)


def _asks(program: Program, node: cst.CSTNode, *, in_front: bool) -> bool:
    """Whether a mention is a question that the buffer answers alike, or a `return`."""
    import libcst as cst

    above = program.parent[node]
    if in_front or isinstance(above, cst.Return):
        return isinstance(above, cst.Return)
    if isinstance(above, cst.Arg):
        return calls(program.parent[above], "len") is not None
    if isinstance(above, cst.Subscript):
        single = len(above.slice) == 1 and isinstance(above.slice[0].slice, cst.Index)
        return (
            above.value is node
            and single
            and above not in set(targets(program.statement(node)))
        )
    return False


def _in_front(program: Program, place: Place, site: _Site) -> TreeChange:
    """Collect what comes in front in a list, and turn it round once."""
    import libcst as cst

    _, name, kind, loop = site
    start, end = _ends(program, place, name, loop)
    whole = start is not None and end is not None
    front = name if whole else program.fresh(f"{name}_front")
    parts = f"{front}[::-1]"
    turned = f'b"".join({parts})' if kind.name == "bytes" else f"tuple({parts})"
    new = turned if whole else f"{turned} + {name}"
    inside = frozenset(walk(loop))
    replaced: dict[cst.CSTNode, str] = {start: "[]", end: turned} if start and end else {}
    for node in mentions(place, name):
        if node in inside and isinstance(program.parent[node], cst.Return):
            replaced[node] = new
        elif node in inside:
            line = program.statement(node)
            replaced[line] = _collected(line, kind, front)
    return TreeChange(
        anchor=site.line,
        replaced=replaced,
        before={} if whole else {loop: [f"{front} = []"]},
        after={} if whole else {loop: [f"{name} = {new}"]},
        direction=f"Collect what comes in front of the {kind.name} in a list",
        effect=f"no copy of the {kind.name} for each piece: O(n^2) -> O(n)",
    )


def _collected(line: cst.CSTNode, kind: _Kind, front: str) -> str:
    """Return the lines that put what a line adds in front at the end of a list."""
    growth = grown(only(line))
    assert growth is not None
    free = all(map(pure, growth.pieces))
    if kind.name == "tuple" and free:
        shown = [_elements(piece, kind) for piece in reversed(growth.pieces)]
        if all(shown):
            elements = [each for found in shown for each in reversed(found or ())]
            return "\n".join(f"{front}.append({element})" for element in elements)
    pieces = [grouped(piece) for piece in reversed(growth.pieces)]
    if not free and len(pieces) > 1:  # they are worked out in their order
        total = " + ".join(map(text, growth.pieces))
        pieces = [total if kind.name == "bytes" else f"({total})"]
    how = ".append({})" if kind.name == "bytes" else ".extend({}[::-1])"
    return "\n".join(front + how.format(piece) for piece in pieces)


def _at_end(program: Program, place: Place, site: _Site) -> TreeChange:
    import libcst as cst

    line, name, kind, loop = site
    inside = frozenset(walk(loop))
    replaced: dict[cst.CSTNode, str] = {}
    for node in mentions(place, name):
        if node in inside and isinstance(program.parent[node], cst.Return):
            replaced[node] = f"{kind.name}({name})"
        elif node in inside and _grows(program, node):
            here = program.statement(node)
            replaced[here] = _added(here, kind)
    start, end = _ends(program, place, name, loop)
    replaced |= {start: kind.empty} if start else {}
    replaced |= {end: f"{kind.name}({name})"} if end else {}
    before, after = f"{name} = {kind.buffer}({name})", f"{name} = {kind.name}({name})"
    return TreeChange(
        anchor=line,
        replaced=replaced,
        before={} if start else {loop: [before]},
        after={} if end else {loop: [after]},
        direction=f"Let the {kind.name} grow as a {kind.buffer}",
        effect=f"no copy of the {kind.name} for each piece: O(n^2) -> O(n)",
    )


def _added(line: cst.CSTNode, kind: _Kind) -> str:
    """Return the lines that let the buffer grow: element by element where these are seen."""
    growth = grown(only(line))
    assert growth is not None
    rows: list[str] = []
    for piece in growth.pieces:
        elements = _elements(piece, kind)
        if elements is None:
            rows.append(f"{growth.name} += {text(piece)}")
        else:
            rows += [f"{growth.name}.append({element})" for element in elements]
    return "\n".join(rows)


def _elements(piece: cst.BaseExpression, kind: _Kind) -> list[str] | None:
    """Return what `(a, b)` or `bytes([a])` adds, None where it is not written there."""
    import libcst as cst

    if kind.name == "bytes":
        arguments = calls(piece, "bytes") or []
        piece = arguments[0] if len(arguments) == 1 else piece
        if not isinstance(piece, (cst.Tuple, cst.List)) or len(piece.elements) != 1:
            return None
    if not isinstance(piece, (cst.Tuple, cst.List)):
        return None
    plain = all(isinstance(element, cst.Element) for element in piece.elements)
    return (
        [text(element.value) for element in piece.elements]
        if plain and piece.elements
        else None
    )


def _ends(
    program: Program, place: Place, name: str, loop: cst.CSTNode
) -> tuple[cst.CSTNode | None, cst.CSTNode | None]:
    """Return the empty value before a loop, and the mention after it; None if not the only one.

    What is mentioned after it is returned, or handed on.
    """
    import libcst as cst

    inside, block = frozenset(walk(loop)), program.block(loop)
    if loop not in block or any(True for _ in program.loops(loop)):
        return None, None
    above = frozenset(part for line in block[: block.index(loop)] for part in walk(line))
    others = [node for node in mentions(place, name) if node not in inside]
    before, after = ([n for n in others if (n in above) == side] for side in (True, False))
    start, end = None, None
    if len(before) == 1 and (pair := assigned(only(program.statement(before[0])))):
        start = pair[1] if flat(pair[1]) in _EMPTY else None
    if len(after) == 1 and isinstance(program.parent[after[0]], (cst.Return, cst.Arg)):
        end = None if any(True for _ in program.loops(after[0])) else after[0]
    return start, end
