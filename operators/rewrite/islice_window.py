"""`islice(xs, start, stop)` in a loop, which walks there from the front -> a slice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.imports import imports
from operators.rewrite.kinds import is_list, iterator
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    body_of,
    bound,
    calls,
    flat,
    integer,
    named,
    positional,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import mentions, only_read

if TYPE_CHECKING:
    import libcst as cst

_TAKING = frozenset(
    ["all", "any", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"]
)


class IsliceWindow(Rule):
    """Take a part of a list by a slice, not by steps from its front.

    `islice` goes over all that comes before the part. What is no list by its own lines becomes
    one before, once. Valid where the elements stay as they are in the loop, and the part is
    walked over or taken whole (checked); that they are no iterator, and that indices are not
    negative, is left to the tests.
    """

    name = "islice_window"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for all parts that are taken of one name."""
        found: dict[str, list[_Part]] = {}
        for node in place.own if place.name else ():
            part = _part(program, place, node)
            if part is not None:
                found.setdefault(part.source, []).append(part)
        for every in found.values():
            yield _change(program, place, every)


@dataclass(frozen=True)
class _Part:
    """A call of `islice`: what it takes from what, what takes it, and the loop around."""

    call: cst.Call
    source: str
    slice: str
    taker: cst.CSTNode
    loop: cst.CSTNode


def _part(program: Program, place: Place, node: cst.CSTNode) -> _Part | None:
    import libcst as cst

    if not isinstance(node, cst.Call) or not _is_islice(program, node.func):
        return None
    given = positional(node)
    if given is None or len(given) != 3 or not named(given[0]):
        return None
    source, start, stop = given
    if integer(start) == 0 or named(start) == "None" or not (pure(start) and pure(stop)):
        return None
    taker = _taker(program, node)
    loop = next((n for n in program.loops(node) if isinstance(n, (cst.For, cst.While))), None)
    if loop is None or taker is None or named(source) in bound(loop):
        return None
    if iterator(program, place, source) or not _stays(program, place, named(source)):
        return None
    return _Part(node, named(source), _slice(start, stop), taker, loop)


def _is_islice(program: Program, function: cst.BaseExpression) -> bool:
    called = flat(function)
    head, _, rest = called.partition(".")
    known = {each.name: each.stands_for for each in imports(program)}
    stands_for = known.get(head, "") + (f".{rest}" if rest else "")
    return stands_for == "itertools.islice"


def _taker(program: Program, call: cst.Call) -> cst.CSTNode | None:
    """Return what walks over a part, or takes all of it; None for anything else."""
    import libcst as cst

    above = program.parent[call]
    if isinstance(above, (cst.For, cst.CompFor)):
        return above if above.iter is call else None
    around = program.parent[above] if isinstance(above, cst.Arg) else None
    if not isinstance(around, cst.Call) or len(around.args) != 1:
        return None
    return around if named(around.func) in _TAKING else None


def _stays(program: Program, place: Place, source: str) -> bool:
    """Whether a function only reads what a name stands for."""
    import libcst as cst

    for node in mentions(place, source):
        above = program.parent[node]
        if isinstance(above, (cst.Param, cst.AssignTarget)):
            continue
        call = program.parent.get(above)
        if isinstance(call, cst.Call) and _is_islice(program, call.func):
            continue
        if not only_read(program, node):
            return False
    return True


def _slice(start: cst.BaseExpression, stop: cst.BaseExpression) -> str:
    """Return code for a slice, with spaces where a bound is more than a name or number."""
    import libcst as cst

    first, last = text(start), "" if named(stop) == "None" else text(stop)
    plain = isinstance(start, (cst.Name, cst.Integer)) and isinstance(
        stop, (cst.Name, cst.Integer)
    )
    return f"[{first}:{last}]" if plain else f"[{first} : {last}]"


def _change(program: Program, place: Place, every: list[_Part]) -> TreeChange:
    import libcst as cst

    source, first = every[0].source, every[0].call
    known = is_list(program, place, first.args[0].value)
    assert isinstance(place.node, cst.FunctionDef)
    is_set_here = source in bound(place.node.body)
    others = len(mentions(place, source)) - len(every) - (not is_set_here)
    items = source if known or not others else program.fresh(f"{source}_items")
    replaced: dict[cst.CSTNode, str | cst.CSTNode] = {}
    for each in every:
        whole = calls(each.taker, "list") is not None
        replaced[each.taker if whole else each.call] = items + each.slice
    made = [f"{items} = list({source})"]
    before = {each.loop: made for each in every}
    if not is_set_here:
        inner = frozenset(program.above(first))
        before = {next(line for line in body_of(place.node) if line in inner): made}
    return TreeChange(
        anchor=first,
        replaced=replaced,
        before={} if known else before,
        direction=f"Slice `{source}` instead of walking to each part of it",
        effect="O(n) -> O(length of the part) for each part",
    )
