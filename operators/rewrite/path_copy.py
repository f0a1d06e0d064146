"""A deep copy of which a walk changes one place -> copies of what lies on the way there.

Known as path copying, from persistent data structures. Not here: copies of whole levels
(`needless_copy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.effects import QUERIES, pure
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    index,
    method,
    named,
    only,
    root,
    targets,
    text,
)
from operators.rewrite.reading import (
    lines as lines_of,
)

if TYPE_CHECKING:
    import libcst as cst


class _Walk(NamedTuple):
    """How a name goes down through a copy, a step in each pass of a loop.

    Attributes:
        name: The name.
        step: The line of a step.
        below: What the step goes to.
        key: Where that stands in what the name meant before.
    """

    name: str
    step: cst.CSTNode
    below: str
    key: cst.BaseExpression


def walked(program: Program, place: Place, copy: cst.CSTNode) -> tuple[cst.CSTNode, str] | None:
    """Return the step of the one walk into a copy, and the step that copies as it goes.

    None unless what is changed lies at the end of the walk, and nothing else below the copy is.
    """
    copied = assigned(program.parent[copy])
    lines = [(node, pair) for node in place.own if (pair := assigned(node))]
    if copied is None:
        return None
    names = [pair[0] for node, pair in lines if named(pair[1]) == copied[0]]
    found = _walk(program, place, names[0], lines) if len(names) == 1 else None
    if found is None or not _only_end_changes(
        place, {copied[0], found.below} - {""}, found.name
    ):
        return None
    code = found.below if found.below.isidentifier() else f"{found.name}[{text(found.key)}]"
    name = found.name
    return program.parent[found.step], f"{name}[{text(found.key)}] = {name} = {code}.copy()"


def _walk(
    program: Program,
    place: Place,
    name: str,
    lines: Sequence[tuple[cst.CSTNode, tuple[str, cst.BaseExpression]]],
) -> _Walk | None:
    """Return how a name goes down: to `name[key]`, at once or by another name."""
    import libcst as cst

    given = [(node, value) for node, (other, value) in lines if other == name]
    if len(given) != 2:
        return None
    step, value = given[1]
    line, around = program.parent[step], next(program.loops(step), None)
    if not isinstance(around, (cst.For, cst.While)) or only(line) is not step:
        return None
    if line is not lines_of(around.body)[-1]:
        return None  # the rest of the pass might ask what was not copied
    below, key = named(value), _key(value, name)
    if below:
        keys = [_key(v, name) for node, (other, v) in lines if other == below]
        known = [each for each in keys if each is not None]
        key = known[0] if len(known) == 1 else None
        own = sum(named(node) == below for node in walk(around.body))
        if own != sum(named(node) == below for node in place.own):
            return None
    if key is None or not pure(key) or root(value) not in (name, below):
        return None
    return _Walk(name, step, below, key)


def _key(value: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    """Return the key of `name[key]` or `name.get(key)`, else None."""
    found = index(value)
    if found:
        return found[1] if named(found[0]) == name else None
    owner, arguments = method(value, "get") or (None, [])
    return arguments[0] if owner and named(owner) == name and len(arguments) == 1 else None


def _only_end_changes(place: Place, others: set[str], name: str) -> bool:
    """Whether a function changes nothing below but `name[...]`: elements of where it stands."""
    import libcst as cst

    for target in targets(place.node):
        if isinstance(target, cst.Name):
            continue
        here = index(target) if isinstance(target, cst.BaseExpression) else None
        if root(target) in others or (root(target) == name and not (here and named(here[0]))):
            return False
    return not any(
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and call.func.attr.value not in QUERIES
        and root(call.func) in {*others, name}
        and (root(call.func) in others or not named(call.func.value))
        for call in walk(place.node)
    )
