"""A list that grows and is searched -> a set beside it, or in its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from operators.rewrite.change import Change
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    READ_ONLY,
    assigned,
    calls,
    compared,
    method,
    named,
    only,
    pure,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_EFFECT = "O(n) -> O(1) a test, O(n^2) -> O(n) for the loop"


class SeenSet(Rule):
    """Search a set instead of the growing list of what was seen.

    Valid when the list only grows by `append` after it is made (checked) and its elements
    are hashable (left to the tests). Where nothing but the search needs the list, a set can
    take its place. Known as a hashed visited set, or linear-time de-duplication.
    """

    name = "seen_set"

    def changes(self, program: Program, place: Place) -> Iterator[Change]:
        """Yield two changes for each such list: a set beside it, and instead of it."""
        for name in dict.fromkeys(pair[0] for n in place.own if (pair := assigned(n))):
            uses = _uses(program, place, name)
            if uses is None or not uses.tests or not uses.appends or not uses.made:
                continue
            yield _beside(program, name, uses)
            if uses.others == 0:
                yield _instead(name, uses)


@dataclass(kw_only=True)
class _Uses:
    """Every mention of a list, by what it does. `others` only read it."""

    made: dict[cst.CSTNode, cst.BaseExpression] = field(default_factory=dict)
    appends: dict[cst.CSTNode, cst.BaseExpression] = field(default_factory=dict)
    tests: list[cst.CSTNode] = field(default_factory=list)
    others: int = 0


def _uses(program: Program, place: Place, name: str) -> _Uses | None:
    """Return the uses of a list, or None when one of them is not understood."""
    import libcst as cst

    uses = _Uses()
    for node in walk(place.node):
        if not isinstance(node, cst.Name) or node.value != name:
            continue
        parent = program.parent[node]
        line = program.statement(node)
        small = only(line)
        pair = assigned(small)
        grown = method(small.value, "append") if isinstance(small, cst.Expr) else None
        if isinstance(parent, cst.AssignTarget):
            if pair is None or not _is_list(pair[1]):
                return None
            uses.made[line] = pair[1]
        elif grown and grown[0] is node:
            uses.appends[line] = grown[1][0]
        elif isinstance(parent, cst.ComparisonTarget) and compared(
            program.parent[parent], "In", "NotIn"
        ):
            uses.tests.append(node)
        elif _reads(program, node):
            uses.others += 1
        else:
            return None
    return uses


def _is_list(node: cst.BaseExpression) -> bool:
    import libcst as cst

    return isinstance(node, cst.List) or calls(node, "list") is not None


def _reads(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention only reads: returned, looped over, indexed, or given to `len`."""
    import libcst as cst

    parent = program.parent[node]
    if isinstance(parent, cst.Arg):
        call = program.parent[parent]
        receiver = call.func if isinstance(call, cst.Call) else None
        return named(receiver) in READ_ONLY or isinstance(receiver, cst.Attribute)
    if isinstance(parent, cst.Subscript):
        return not isinstance(
            program.parent[parent], (cst.AssignTarget, cst.AugAssign, cst.Del)
        )
    kinds = (cst.Return, cst.For, cst.CompFor, cst.Element, cst.Comparison, cst.If, cst.While)
    return isinstance(parent, (*kinds, cst.UnaryOperation, cst.BooleanOperation))


def _beside(program: Program, name: str, uses: _Uses) -> Change:
    known = program.fresh(f"{name}_set")
    after = {line: [f"{known} = {_as_set(value)}"] for line, value in uses.made.items()}
    for line, value in uses.appends.items():
        after[line] = [f"{known}.add({text(value) if _plain(value) else f'{name}[-1]'})"]
    return Change(
        anchor=next(iter(uses.made)),
        replaced=dict.fromkeys(uses.tests, known),
        after=after,
        direction="Keep what was seen in a set beside the list",
        effect=_EFFECT,
        parameters=(("form", "beside"),),
    )


def _instead(name: str, uses: _Uses) -> Change:
    replaced = {line: f"{name} = {_as_set(value)}" for line, value in uses.made.items()}
    replaced |= {line: f"{name}.add({text(v)})" for line, v in uses.appends.items()}
    return Change(
        anchor=next(iter(uses.made)),
        replaced=replaced,
        direction="Keep what was seen in a set, not in a list",
        effect=_EFFECT,
        parameters=(("form", "instead"),),
    )


def _as_set(value: cst.BaseExpression) -> str:
    import libcst as cst

    if isinstance(value, cst.List):
        return "{" + text(value)[1:-1].strip() + "}" if value.elements else "set()"
    arguments = calls(value, "list") or []
    return f"set({', '.join(map(text, arguments))})"


def _plain(value: cst.BaseExpression) -> bool:
    import libcst as cst

    return isinstance(value, (cst.Name, cst.Integer, cst.SimpleString, cst.Tuple)) and pure(
        value
    )
