"""`islice(xs, start, stop)` in a loop, which walks there from the front -> a slice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.imports import imports
from operators.rewrite.invariants import has_changed_alias
from operators.rewrite.kinds import iterator
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    assigned,
    bound,
    calls,
    flat,
    integer,
    named,
    positional,
    target_names,
    targets,
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

    `islice` goes over all that comes before the part. A parameter that is no list becomes one
    before the loop, once. Valid where the function only reads it, or made the list itself, and
    the part is walked over or taken whole (checked). That it is no iterator, and not too long
    to be held; that nobody else changes it while the loop runs, as between two elements that a
    generator yields; and that it can be walked over where the loop makes no pass, is left to
    the tests; so are indices below nought.
    """

    name = "islice_window"
    relies_on = "the sequence is no iterator, and indices are not negative"

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

    if not isinstance(node, cst.Call) or not _is_islice(program, place, node.func):
        return None
    given = positional(node)
    if given is None or len(given) != 3 or not named(given[0]):
        return None
    source, start, stop = given
    if integer(start) == 0 or named(start) == "None" or not (pure(start) and pure(stop)):
        return None
    loops = list(program.loops(node))
    taker, loop = _taker(program, node), loops[-1] if loops else None
    later = any(isinstance(each, (cst.Lambda, cst.GeneratorExp)) for each in loops)
    if taker is None or later or not isinstance(loop, (cst.For, cst.While)):
        return None
    if iterator(program, place, source) or not _stays(program, place, loop, named(source)):
        return None
    return _Part(node, named(source), _slice(start, stop), taker, loop)


def _is_islice(program: Program, place: Place, function: cst.BaseExpression) -> bool:
    called = flat(function)
    head, _, rest = called.partition(".")
    if head in bound(place.node) or head in program.definitions:
        return False
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


def _stays(program: Program, place: Place, loop: cst.CSTNode, source: str) -> bool:
    """Whether a function has a list or parameter for itself, and only reads it."""
    import libcst as cst

    if source in bound(loop) or has_changed_alias(program, loop, {source}):
        return False
    if not _is_parameter(place, source) and not _is_own_list(place, source):
        return False
    for node in mentions(place, source):
        above = program.parent[node]
        if isinstance(above, (cst.Param, cst.AssignTarget)):
            continue
        call = program.parent.get(above)
        if isinstance(call, cst.Call) and _is_islice(program, place, call.func):
            continue
        if not only_read(program, node):
            return False
    return True


def _is_parameter(place: Place, source: str) -> bool:
    """Whether a name is a parameter of the function, and never anything else."""
    import libcst as cst

    if not isinstance(place.node, cst.FunctionDef) or source in bound(place.node.body):
        return False
    params = place.node.params
    return source in {p.name.value for p in (*params.posonly_params, *params.params)}


def _is_own_list(place: Place, source: str) -> bool:
    """Whether a name stands for lists that the function makes, and nothing else."""
    import libcst as cst

    pairs = [pair for node in place.own if (pair := assigned(node)) and pair[0] == source]
    bindings = [name for each in targets(place.node) for name in target_names(each)]
    return len(pairs) == bindings.count(source) > 0 and all(
        isinstance(value, (cst.List, cst.ListComp))
        or calls(value, "list") is not None
        or calls(value, "sorted") is not None
        for _, value in pairs
    )


def _slice(start: cst.BaseExpression, stop: cst.BaseExpression) -> str:
    """Return code for a slice, with spaces where a bound is more than a name or number."""
    import libcst as cst

    first, last = text(start), "" if named(stop) == "None" else text(stop)
    plain = isinstance(start, (cst.Name, cst.Integer)) and isinstance(
        stop, (cst.Name, cst.Integer)
    )
    return f"[{first}:{last}]" if plain else f"[{first} : {last}]"


def _change(program: Program, place: Place, every: list[_Part]) -> TreeChange:
    source, first = every[0].source, every[0].call
    given = _is_parameter(place, source)
    others = len(mentions(place, source)) - len(every) - 1
    items = program.fresh(f"{source}_items") if given and others else source
    replaced: dict[cst.CSTNode, str | cst.CSTNode] = {}
    for each in every:
        whole = calls(each.taker, "list") is not None
        replaced[each.taker if whole else each.call] = items + each.slice
    # A list is not copied: it may be long, and a generator shows what is changed meanwhile.
    made = [f"{items} = {source} if isinstance({source}, list) else list({source})"]
    return TreeChange(
        anchor=first,
        replaced=replaced,
        before={each.loop: made for each in every} if given else {},
        direction=f"Slice `{source}` instead of walking to each part of it",
        effect="O(n) -> O(length of the part) for each part",
    )
