"""`pattern.match(text[i:])` -> `pattern.match(text, i)`: the rest is not copied."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.freshness import bindings
from operators.rewrite.patterns import (
    MATCHING,
    Pattern,
    imports_re,
    operations,
    pattern,
    patterns,
)
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    calls,
    flat,
    grouped,
    integer,
    named,
    only,
    positional,
    target_names,
    targets,
    text,
    variables,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_TEXTS = frozenset(["group", "groups", "groupdict", "__getitem__", "expand"])
_WHERE = frozenset(["start", "end", "span"])
_AROUND = frozenset(["AT", "ASSERT", "ASSERT_NOT"])
_BEFORE = frozenset(["AT_BEGINNING", "AT_BEGINNING_STRING", "AT_BOUNDARY", "AT_NON_BOUNDARY"])
_WIDE = 200  # a slice of so many characters is cheap


class MatchPosition(Rule):
    """Let a pattern begin at a position of a text, not at the first character of a copy.

    Valid for patterns that the program spells out and that ask nothing of what stands before
    a match; of the match no more may be asked than its texts, its truth and where it ends
    (all checked). One that is tied to the beginning by `^` gets as many characters as it can
    match. The position must not be negative: parameters are left to the tests, the rest is
    checked. Known as scanning with an offset.
    """

    name = "match_position"
    relies_on = "the position is not negative"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for all such calls of a function."""
        groups: dict[str, list[_Asked]] = {}
        for node in place.own:
            if found := _asked(program, place, node):
                groups.setdefault(found.name, []).append(found)
        replaced: dict[cst.CSTNode, str] = {}
        for name, every in groups.items():
            for each in [every] if name else [[one] for one in every]:
                if not name or len(each) == len(_given(place, name)):
                    replaced |= _positioned(program, place, each) or _windowed(each)
        if replaced:
            yield TreeChange(
                anchor=next(iter(replaced)),
                replaced=replaced,
                direction="Match at a position, not in a copy of the rest",
                effect="no copy of the rest of the text for each match: O(n^2) -> O(n)",
            )


class _Asked(NamedTuple):
    """A call that is given the rest of a text, with the name of the match and its uses."""

    call: cst.Call
    rest: cst.Subscript
    start: cst.BaseExpression
    pattern: Pattern
    name: str
    uses: list[cst.Call]


def _asked(program: Program, place: Place, node: cst.CSTNode) -> _Asked | None:
    import libcst as cst

    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    arguments = positional(node) or []
    rest = arguments[0] if len(arguments) == 1 else None
    if node.func.attr.value not in ("match", "search") or not isinstance(rest, cst.Subscript):
        return None
    part = rest.slice[0].slice
    if len(rest.slice) != 1 or not isinstance(part, cst.Slice) or part.upper or part.step:
        return None
    found = pattern(program, node.func.value)
    name = _match_name(program, node)
    uses = _match_uses(program, place, name) if name else None
    if not name and _asks_truth(program, node):
        uses = []
    if found is None or uses is None or part.lower is None:
        return None
    natural = _natural(place, part.lower, frozenset())
    return _Asked(node, rest, part.lower, found, name, uses) if natural else None


def _match_name(program: Program, call: cst.Call) -> str:
    """Return the name that a match is given, or nothing."""
    import libcst as cst

    above = program.parent[call]
    if isinstance(above, cst.NamedExpr):
        return named(above.target)
    pair = assigned(above)
    return pair[0] if pair and pair[1] is call else ""


def _given(place: Place, name: str) -> list[cst.CSTNode]:
    """Return the targets that give a name its values."""
    return [t for t in targets(place.node) if name in target_names(t)]


def _match_uses(
    program: Program, place: Place, name: str, *, told: Container[str] = ()
) -> list[cst.Call] | None:
    """Return the calls of methods of a match, None where it is used in other ways.

    Args:
        program: The program.
        place: The function.
        name: What the match is called in it.
        told: Attributes that may be asked for, too.
    """
    import libcst as cst

    found: list[cst.Call] = []
    for node in (n for n in variables(place.node) if n.value == name):
        around = program.parent[node]
        method = program.parent[around]
        if isinstance(around, cst.Attribute) and isinstance(method, cst.Call):
            if around.attr.value not in _TEXTS | _WHERE:
                return None
            found.append(method)
        elif isinstance(around, cst.Subscript) and around.value is node:
            continue
        elif isinstance(around, cst.Attribute):
            if around.attr.value not in told:
                return None
        elif not _asks_truth(program, node) and not _set(around, node):
            return None
    return found


def relative(program: Program, place: Place, name: str) -> dict[cst.CSTNode, str] | None:
    """Return new code for where a match lies, counted from where its pattern began to look.

    None where the name may stand for anything but matches and None, or is used in ways that
    tell more than that.
    """
    uses = _match_uses(program, place, name, told=("lastgroup", "lastindex"))
    given = [(value, below) for each, value, below in bindings(place.node) if each == name]
    if uses is None or any(below or not _is_match(program, place, v) for v, below in given):
        return None
    end, start = f"{name}.end() - {name}.pos", f"{name}.start() - {name}.pos"
    code = {"end": end, "start": start, "span": f"({start}, {end})"}
    asking = [use for use in uses if _method(use) in code]
    return None if any(use.args for use in asking) else {u: code[_method(u)] for u in asking}


def _is_match(program: Program, place: Place, value: cst.CSTNode | None) -> bool:
    """Whether a value is what a regular expression found, or None."""
    import libcst as cst

    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
        return named(value) == "None"
    maker = value.func.value
    known = named(maker) == "re" or bool(patterns(program, maker, place.node))
    return known and imports_re(program) and _method(value) in MATCHING


def _set(around: cst.CSTNode, node: cst.CSTNode) -> bool:
    import libcst as cst

    named_here = isinstance(around, cst.NamedExpr) and around.target is node
    return named_here or isinstance(around, (cst.AssignTarget, cst.AnnAssign))


def _asks_truth(program: Program, node: cst.CSTNode) -> bool:
    """Whether of a value only its truth is asked, or whether it is None."""
    import libcst as cst

    above = program.parent[node]
    if isinstance(above, (cst.Comparison, cst.ComparisonTarget)):
        return "None" in flat(
            above if isinstance(above, cst.Comparison) else program.parent[above]
        )
    while isinstance(above, (cst.BooleanOperation, cst.UnaryOperation)):
        node, above = above, program.parent[above]
    return isinstance(above, (cst.If, cst.While, cst.IfExp)) and above.test is node


def _windowed(every: list[_Asked]) -> dict[cst.CSTNode, str]:
    """Return slices that are long enough for patterns that are tied to the beginning."""
    replaced: dict[cst.CSTNode, str] = {}
    for found in every:
        (first, where), *rest = found.pattern.parts or (("", None),)
        tied = first == "AT" and str(where) in ("AT_BEGINNING", "AT_BEGINNING_STRING")
        inner = operations(found.pattern._replace(parts=tuple(rest)))
        if found.pattern.flags & re.MULTILINE or inner & _AROUND or not tied:
            return {}
        if found.pattern.widest > _WIDE:
            return {}
        start, source = text(found.start), grouped(found.rest.value)
        end = f"{start} + {found.pattern.widest}"
        replaced[found.rest] = f"{source}[{start}:{end}]"
    return replaced


def _positioned(program: Program, place: Place, every: list[_Asked]) -> dict[cst.CSTNode, str]:
    """Return calls with a position, and where their matches end as positions of the text."""
    import libcst as cst

    replaced: dict[cst.CSTNode, str] = {}
    for found in every:
        if operations(found.pattern) & (_AROUND - {"AT"} | _BEFORE):
            return {}
        source, start = text(found.rest.value), text(found.start)
        replaced[found.call] = f"{text(found.call.func)}({source}, {start})"
        for use in found.uses:
            assert isinstance(use.func, cst.Attribute)
            line = program.statement(use)
            if use.func.attr.value not in _WHERE:
                continue
            if not found.pattern.narrowest:
                return {}  # it may match nothing behind the end, where no position is kept
            if not _moves(only(line), use, start) or _set_between(program, place, found, line):
                return {}
            replaced[line] = f"{start} = {text(use)}"
    return replaced


def _moves(small: cst.CSTNode | None, use: cst.Call, start: str) -> bool:
    """Whether a line is `start += match.end()`."""
    import libcst as cst

    if not isinstance(small, cst.AugAssign) or not isinstance(small.operator, cst.AddAssign):
        return False
    if use.args or _method(use) != "end":
        return False  # a group may end nowhere, at -1
    return small.value is use and named(small.target) == start


def _method(use: cst.Call) -> str:
    import libcst as cst

    return use.func.attr.value if isinstance(use.func, cst.Attribute) else ""


def _set_between(program: Program, place: Place, found: _Asked, line: cst.CSTNode) -> bool:
    """Whether the position may be another one by the time that it is moved."""
    first, last = place.own.index(found.call), place.own.index(line)
    between = place.own[first:last]
    if first > last:  # the match is that of the round before
        common = [each for each in program.loops(found.call) if each in program.loops(line)]
        inside = frozenset(walk(common[-1])) if common else frozenset()
        around = (*place.own[first:], *place.own[:last])
        between = tuple(node for node in around if node in inside)
    setting = (
        node
        for node in between
        if only(node) and node is not line and named(found.start) in bound(node)
    )
    return any(not _either(program, node, line) for node in setting)


def _either(program: Program, first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether a test decides which of two lines runs."""
    import libcst as cst

    around = set(program.above(second))
    common = next(node for node in program.above(first) if node in around)
    return isinstance(common, cst.If)


def _natural(place: Place, node: cst.CSTNode, seen: frozenset[str]) -> bool:
    """Whether a number cannot be negative, as far as syntax tells; parameters may be."""
    import libcst as cst

    if isinstance(node, cst.Name):
        if node.value in seen:
            return True
        given = [v for name, v, below in bindings(place.node) if name == node.value]
        grown = [
            n
            for n in place.own
            if isinstance(n, cst.AugAssign) and named(n.target) == node.value
        ]
        values = [*given, *(n.value for n in grown)]
        adds = all(isinstance(n.operator, (cst.AddAssign, cst.MultiplyAssign)) for n in grown)
        return adds and all(
            v is not None and _natural(place, v, seen | {node.value}) for v in values
        )
    if isinstance(node, cst.BinaryOperation):
        adds = isinstance(node.operator, (cst.Add, cst.Multiply))
        return adds and _natural(place, node.left, seen) and _natural(place, node.right, seen)
    if isinstance(node, cst.Call):
        ranges = calls(node, "range")
        if ranges is not None:
            return len(ranges) < 3 and _natural(place, ranges[0], seen)
        return named(node.func) in ("len", "ord", "enumerate") or _method(node) in (
            "end",
            "start",
            "index",
        )
    return integer(node) is not None
