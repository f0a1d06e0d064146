"""A list that grows and is searched -> a set beside it, in its place, or no loop at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.growing import Growing, growing_lists
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    assigned,
    calls,
    compared,
    conjuncts,
    lines,
    method,
    named,
    names,
    only,
    same,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_EFFECT = "O(n) -> O(1) a test, O(n^2) -> O(n) for the loop"


class SeenSet(Rule):
    """Search a set instead of the growing list of what was seen.

    Valid when the list only grows by `append` after it is made (checked) and its elements
    are hashable (left to the tests; lists that are seen to be lists are searched as tuples).
    Where nothing but the search needs the list, a set can take its place; where the loop
    does nothing else, the keys of a dictionary keep their order. Known as a hashed visited
    set, or linear-time de-duplication.
    """

    name = "seen_set"
    relies_on = "elements are hashable"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield for each such list a set beside it, one instead of it, and a dictionary."""
        for name, uses in growing_lists(program, place):
            tests = _tests(program, uses)
            if not tests:
                continue
            if len(tests) == len(uses.reads) and not _as_tuples(place, uses):
                yield _instead(name, uses)
            else:
                yield _beside(program, place, name, uses, tests)
            yield from _ordered(program, place, name, uses)


def _tests(program: Program, uses: Growing) -> list[cst.CSTNode]:
    """Return the mentions of a list that search it."""
    import libcst as cst

    found = ((node, program.parent[node]) for node in uses.reads)
    return [
        node
        for node, target in found
        if isinstance(target, cst.ComparisonTarget)
        and compared(program.parent[target], "In", "NotIn")
    ]


def _beside(
    program: Program, place: Place, name: str, uses: Growing, tests: list[cst.CSTNode]
) -> TreeChange:
    known = program.fresh(f"{name}_set")
    tuples = _as_tuples(place, uses)
    after = {line: [f"{known} = {_as_set(v, tuples=tuples)}"] for line, v in uses.made.items()}
    for line, value in uses.appends.items():
        element = text(value) if _plain(value) else f"{name}[-1]"
        after[line] = [f"{known}.add({f'tuple({element})' if tuples else element})"]
    replaced: dict[cst.CSTNode, str] = dict.fromkeys(tests, known)
    if tuples:
        replaced |= {side: f"tuple({text(side)})" for side in _searched(program, tests)}
    return TreeChange(
        anchor=next(iter(uses.made)),
        replaced=replaced,
        after=after,
        direction="Keep what was seen in a set beside the list",
        effect=_EFFECT,
        parameters=(("form", "beside"),),
    )


def _searched(program: Program, tests: list[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    for node in tests:
        sides = compared(program.parent[program.parent[node]], "In", "NotIn")
        if sides:
            yield sides[0]


def _as_tuples(place: Place, uses: Growing) -> bool:
    """Whether an element is seen to be a list, which no set can hold."""
    values = list(uses.appends.values())
    given = {named(value) for value in values} - {""}
    pairs = (pair for node in place.own if (pair := assigned(node)))
    values += [value for name, value in pairs if name in given]
    return any(_listed(value) for value in values)


def _listed(node: cst.BaseExpression) -> bool:
    import libcst as cst

    makers = any(calls(node, maker) is not None for maker in ("list", "sorted"))
    return makers or isinstance(node, (cst.List, cst.ListComp))


def _instead(name: str, uses: Growing) -> TreeChange:
    replaced: dict[cst.CSTNode, str] = {}
    for line, value in uses.made.items():
        new = _as_set(value, tuples=False)
        alone = assigned(only(line))  # without its annotation, which says that it is a list
        replaced |= {line: f"{name} = {new}"} if alone else {value: new}
    replaced |= {line: f"{name}.add({text(v)})" for line, v in uses.appends.items()}
    return TreeChange(
        anchor=next(iter(uses.made)),
        replaced=replaced,
        direction="Keep what was seen in a set, not in a list",
        effect=_EFFECT,
        parameters=(("form", "instead"),),
    )


def _ordered(program: Program, place: Place, name: str, uses: Growing) -> Iterator[TreeChange]:
    """Yield the list of a dictionary's keys, where the loop only collects what is new."""
    import libcst as cst

    (made, first), *others = uses.made.items()
    block = program.block(made)
    place_after = block.index(made) + 1 if block else 0
    loop = block[place_after] if 0 < place_after < len(block) else None
    if others or text(first) not in ("[]", "list()") or not isinstance(loop, cst.For):
        return
    keys = _collected(loop, name)
    if (
        keys
        and computes(program, loop.iter)
        and confined(program, place, loop, names(loop.target))
    ):
        yield TreeChange(
            anchor=made,
            replaced={loop: f"{name}.extend({keys})"},
            direction="Collect what is new as the keys of a dictionary",
            effect=_EFFECT,
            parameters=(("form", "ordered"),),
        )


def _collected(loop: cst.For, name: str) -> str | None:
    """Return the dictionary if the loop appends what the list has not yet, else None."""
    import libcst as cst

    body = lines(loop.body)
    test = body[0] if len(body) == 1 else None
    if not isinstance(test, cst.If) or test.orelse or loop.orelse:
        return None
    inner = lines(test.body)
    small = only(inner[0]) if len(inner) == 1 else None
    grown = method(small.value, "append") if isinstance(small, cst.Expr) else None
    if grown is None or named(grown[0]) != name or len(grown[1]) != 1:
        return None
    (element,), parts = grown[1], list(conjuncts(test.test))
    fresh = [p for p in parts if _is_new(p, element, name)]
    rest = [text(p) for p in parts if p not in fresh]
    if len(fresh) != 1 or name in names(loop.iter) or not pure(test.test):
        return None
    if any(name in names(p) for p in parts if p not in fresh):
        return None
    variable, source = text(loop.target), text(loop.iter)
    if text(element) == variable and not rest:
        return f"dict.fromkeys({source})"
    kept = f" if {' and '.join(rest)}" if rest else ""
    return f"dict.fromkeys({text(element)} for {variable} in {source}{kept})"


def _is_new(part: cst.BaseExpression, element: cst.BaseExpression, name: str) -> bool:
    sides = compared(part, "NotIn")
    return sides is not None and same(sides[0], element) and named(sides[1]) == name


def _as_set(value: cst.BaseExpression, *, tuples: bool) -> str:
    import libcst as cst

    if tuples:
        return f"set(map(tuple, {text(value)}))"
    if isinstance(value, cst.List):
        return "{" + text(value)[1:-1].strip() + "}" if value.elements else "set()"
    arguments = calls(value, "list") or []
    return f"set({', '.join(map(text, arguments))})"


def _plain(value: cst.BaseExpression) -> bool:
    import libcst as cst

    return isinstance(value, (cst.Name, cst.Integer, cst.SimpleString, cst.Tuple)) and pure(
        value
    )
