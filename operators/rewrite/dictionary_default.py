"""A dictionary that is asked for each key twice -> a table counted in C, or one question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import Change, imported
from operators.rewrite.loops import confined, elements
from operators.rewrite.program import Place, Program
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    changed,
    compared,
    index,
    integer,
    lines,
    method,
    named,
    names,
    only,
    pure,
    same,
    target_names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


_EMPTY = frozenset({"[]", "{}", "set()", "list()", "dict()"})


class DictionaryDefault(Rule):
    """Count with `Counter`, group with `setdefault`.

    Valid for loops that only count their elements (checked: the dictionary gets the numbers
    added, in the same order, and stays what it was), and for keys that may be computed once
    instead of twice (checked). A `defaultdict` in place of the dictionary would be of another
    type, and measures no better.
    """

    name = "dictionary_default"

    def changes(self, program: Program, place: Place) -> Iterator[Change]:
        """Yield one change for each loop that counts, and each group that is made first."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For) and not node.orelse and not node.asynchronous:
                yield from _counting(program, place, node)
            elif isinstance(node, cst.If):
                yield from _grouping(program, node)


def _counting(program: Program, place: Place, loop: cst.For) -> Iterator[Change]:
    found, body = elements(program, place, loop), lines(loop.body)
    table = _counted(body)
    if found is None or table is None or not pure(found.sequence):
        return
    item = found.replaced.get(table.key, named(table.key)) == found.name
    own = target_names(loop.target)
    if not item or not confined(program, place, loop, own) or table.name in names(loop.iter):
        return
    maker, imports = imported(program, "collections", "Counter")
    number, key = program.fresh("number"), found.name
    added = f"{table.name}[{key}] = {table.name}.get({key}, 0) + {number}"
    pairs = f"{maker}({text(found.sequence)}).items()"
    yield Change(
        anchor=loop,
        replaced={loop: f"for {key}, {number} in {pairs}:\n    {added}"},
        imports=imports,
        direction="Count all elements with a Counter, then fill the dictionary",
        effect="the counting runs in C: two to four times less an element",
    )


class _Table(NamedTuple):
    """The dictionary, and the key of what is counted."""

    name: str
    key: cst.BaseExpression


def _counted(body: tuple[cst.CSTNode, ...]) -> _Table | None:
    """Return the dictionary of a body that adds one to the number of a key."""
    import libcst as cst

    first = body[0] if body else None
    if len(body) == 2 and isinstance(first, cst.If) and not first.orelse:
        asked, made, more = _missing(first), _single(first.body), _one_more(body[1])
        if asked and made and more and _is(made, asked, 0) and same(more.key, asked.key):
            return more if more.name == asked.name else None
    if len(body) != 1:
        return None
    if isinstance(first, cst.If) and isinstance(first.orelse, cst.Else):
        asked, known = _missing(first), _present(first)
        there, new = (
            (first.body, first.orelse.body) if known else (first.orelse.body, first.body)
        )
        found, made = known or asked, _single(new)
        more = _one_more(lines(there)[0]) if len(lines(there)) == 1 else None
        fits = found and made and more and _is(made, found, 1) and same(more.key, found.key)
        return more if fits and found and more and more.name == found.name else None
    return _one_more(first) if first is not None and _got(first) else None


def _asked(test: cst.BaseExpression, kind: str) -> _Table | None:
    import libcst as cst

    sides = compared(test, kind)
    if sides is None:
        return None
    keys = method(sides[1], "keys")
    table = keys[0] if keys else sides[1]
    return _Table(named(table), sides[0]) if isinstance(table, cst.Name) else None


def _missing(line: cst.If) -> _Table | None:
    return _asked(line.test, "NotIn")


def _present(line: cst.If) -> _Table | None:
    return _asked(line.test, "In")


def _single(body: cst.BaseSuite) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """Return target and value of a body that is one assignment."""
    import libcst as cst

    block = lines(body)
    small = only(block[0]) if len(block) == 1 else None
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        return small.targets[0].target, small.value
    return None


def _is(
    made: tuple[cst.BaseExpression, cst.BaseExpression], table: _Table, number: int
) -> bool:
    """Whether an assignment is `table[key] = number`."""
    place = index(made[0])
    fits = place and named(place[0]) == table.name and same(place[1], table.key)
    return bool(fits) and integer(made[1]) == number


def _one_more(line: cst.CSTNode) -> _Table | None:
    """Return the table of `table[key] += 1`, however it is written."""
    import libcst as cst

    small = only(line)
    if isinstance(small, cst.AugAssign) and isinstance(small.operator, cst.AddAssign):
        place = index(small.target)
        one = integer(small.value) == 1
        return _Table(named(place[0]), place[1]) if one and place and named(place[0]) else None
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    place, value = index(small.targets[0].target), small.value
    if not place or not named(place[0]) or not isinstance(value, cst.BinaryOperation):
        return None
    if not isinstance(value.operator, cst.Add) or integer(value.right) != 1:
        return None
    old = index(value.left)
    got = method(value.left, "get")
    known = old and named(old[0]) == named(place[0]) and same(old[1], place[1])
    given = got and named(got[0]) == named(place[0]) and same(got[1][0], place[1])
    return _Table(named(place[0]), place[1]) if known or given else None


def _got(line: cst.CSTNode) -> bool:
    """Whether the number of a new key is nought by `get`."""
    small = only(line)
    value = getattr(small, "value", None)
    got = method(getattr(value, "left", None), "get")
    return got is not None and len(got[1]) == 2 and integer(got[1][1]) == 0


def _grouping(program: Program, test: cst.If) -> Iterator[Change]:
    """`if k not in d: d[k] = []` and then `d[k].append(v)`, or the same with `else`."""
    block = program.block(test)
    at = block.index(test) if test in block else -1
    following = block[at + 1] if 0 <= at < len(block) - 1 else None
    asked, made = _missing(test), _single(test.body)
    if test.orelse or not asked or not made or following is None:
        return
    place, new = index(made[0]), text(made[1])
    fits = place and named(place[0]) == asked.name and same(place[1], asked.key)
    if not fits or new not in _EMPTY or not computes(program, asked.key):
        return
    used = _first_use(following, asked)
    if used is None or (names(asked.key) & changed(following)):
        return
    key = text(asked.key)
    yield Change(
        anchor=test,
        replaced={test: "", used: f"{asked.name}.setdefault({key}, {new})"},
        direction="Ask the dictionary once for a group, and make it where it is missing",
        effect="one look-up instead of two or three",
    )


def _first_use(line: cst.CSTNode, table: _Table) -> cst.CSTNode | None:
    """Return `d[k]` of a line `d[k].append(...)` or the like."""
    import libcst as cst

    small = only(line)
    call = small.value if isinstance(small, cst.Expr) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None
    place = index(call.func.value)
    fits = place and named(place[0]) == table.name and same(place[1], table.key)
    others = [name for arg in call.args for name in names(arg.value)]
    return call.func.value if fits and table.name not in others else None
