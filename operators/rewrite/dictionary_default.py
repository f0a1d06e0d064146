"""A dictionary that counts elements one by one -> a Counter made first, then the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import pure
from operators.rewrite.handlers import tried
from operators.rewrite.loops import confined, elements
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    assigned,
    compared,
    index,
    integer,
    lines,
    method,
    named,
    names,
    only,
    same,
    target_names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class DictionaryDefault(Rule):
    """Count with `Counter`, which runs in C.

    Valid for loops that only count their elements (checked): the dictionary gets the numbers
    added, in the same order, and stays of its type. The elements are hashable, or they could
    not be keys. For groups, `setdefault` and `defaultdict` measure no better than a test.
    """

    name = "dictionary_default"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop that counts."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For) and not node.orelse and not node.asynchronous:
                if tried(program, node):
                    continue  # what was counted before an error counts
                yield from _counting(program, place, node)


def _counting(program: Program, place: Place, loop: cst.For) -> Iterator[TreeChange]:
    found, body = elements(program, place, loop), lines(loop.body)
    table = _counted(body) or _zeroed(place, body)
    if found is None or table is None or not pure(found.sequence):
        return
    item = found.replaced.get(table.key, named(table.key)) == found.name
    own = target_names(loop.target)
    if not item or not confined(program, place, loop, own) or table.name in names(loop.iter):
        return
    maker, imports = imported(program, "collections", "Counter")
    number, key = program.fresh("number"), found.name
    added = f"{table.name}[{key}] = {table.name}.get({key}, 0) + {number}"
    if table.filled:
        added = f"{table.name}[{key}] += {number}"
    pairs = f"{maker}({text(found.sequence)}).items()"
    yield TreeChange(
        anchor=loop,
        replaced={loop: f"for {key}, {number} in {pairs}:\n    {added}"},
        imports=imports,
        direction="Count all elements with a Counter, then fill the dictionary",
        effect="the counting runs in C: two to four times less an element",
    )


class _Table(NamedTuple):
    """The dictionary, and the key of what is counted; where it is `filled`, others raise."""

    name: str
    key: cst.BaseExpression
    filled: bool = False


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


def _zeroed(place: Place, body: tuple[cst.CSTNode, ...]) -> _Table | None:
    """`table[key] += 1` alone, in a table that was made with nought for its keys."""
    table = _one_more(body[0]) if len(body) == 1 else None
    given = [
        pair[1] for n in place.own if (pair := assigned(n)) and table and pair[0] == table.name
    ]
    filled = bool(table and given) and all(map(_noughts, given))
    return table._replace(filled=True) if table and filled else None


def _noughts(made: cst.BaseExpression) -> bool:
    """Whether a new table has nought for all keys, or for those that are asked for."""
    import libcst as cst

    if isinstance(made, cst.DictComp):
        return integer(made.value) == 0
    keys = method(made, "fromkeys")
    if keys and len(keys[1]) == 2:
        return named(keys[0]) == "dict" and integer(keys[1][1]) == 0
    if isinstance(made, cst.Call) and text(made.func).endswith("defaultdict"):
        return [named(arg.value) for arg in made.args] == ["int"]
    return isinstance(made, cst.Call) and text(made.func).endswith("Counter")


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
