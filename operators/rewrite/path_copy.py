"""A deep copy of which a walk changes one place -> copies of what lies on the way there.

Known as path copying, from persistent data structures. Not here: copies of whole levels
(`needless_copy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.effects import pure
from operators.rewrite.handlers import tried
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    flat,
    index,
    lines,
    method,
    named,
    names,
    only,
    root,
    text,
)

if TYPE_CHECKING:
    import libcst as cst

_ASKING = ("isinstance", "len")


class _Walk(NamedTuple):
    """How a name goes down through a copy, a step in each pass of a loop.

    Attributes:
        name: The name.
        step: The line of a step.
        below: Another name of what the step goes to; empty: it has none.
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
    pairs = [(node, pair) for node in place.own if (pair := assigned(node))]
    if copied is None:
        return None
    walking = [pair[0] for _, pair in pairs if named(pair[1]) == copied[0]]
    found = _walk(program, place, walking[0], pairs) if len(walking) == 1 else None
    if (
        found is None
        or tried(program, found.step)
        or not _is_understood(program, place, copied[0], found)
    ):
        return None
    name, key = found.name, text(found.key)
    below = found.below or f"{name}[{key}]"
    return program.parent[found.step], f"{name}[{key}] = {name} = {below}.copy()"


def _walk(
    program: Program,
    place: Place,
    name: str,
    pairs: Sequence[tuple[cst.CSTNode, tuple[str, cst.BaseExpression]]],
) -> _Walk | None:
    """Return how a name goes down: to `name[key]`, at once or by another name."""
    import libcst as cst

    given = [(node, value) for node, (other, value) in pairs if other == name]
    if len(given) != 2:
        return None
    step, value = given[1]
    line, around = program.parent[step], next(program.loops(step), None)
    if not isinstance(around, (cst.For, cst.While)) or only(line) is not step:
        return None
    if line is not lines(around.body)[-1]:
        return None  # the rest of the pass might ask what was not copied
    below, key = named(value), _key(value, name)
    if below:
        keys = [_key(v, name) for node, (other, v) in pairs if other == below]
        known = [each for each in keys if each is not None]
        key = known[0] if len(known) == 1 else None
        own = sum(named(node) == below for node in walk(around.body))
        if own != sum(named(node) == below for node in place.own):
            return None
    if key is None or not pure(key) or root(value) not in (name, below):
        return None
    if names(key) & bound(around.body) or (not below and not index(value)):
        return None  # another key by then; or a level that is not there
    return _Walk(name, step, below, key)


def _key(value: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    """Return the key of `name[key]` or `name.get(key)`, else None."""
    found = index(value)
    if found:
        return found[1] if named(found[0]) == name else None
    owner, arguments = method(value, "get") or (None, [])
    return arguments[0] if owner and named(owner) == name and len(arguments) == 1 else None


def _is_understood(program: Program, place: Place, copied: str, found: _Walk) -> bool:
    """Whether each line that mentions a copy, or what walks down in it, is one of such a walk.

    Elements are set where the walk ends, and are else only compared; the whole is handed on.
    """
    import libcst as cst

    mine = frozenset({copied, found.name, found.below} - {""})
    for node in place.own:
        if isinstance(node, (cst.If, cst.While, cst.IfExp, cst.Assert)):
            code: cst.CSTNode = node.test
            called = [n for n in walk(code) if isinstance(n, cst.Call)]
            fine = all(named(n.func) in _ASKING or _key(n, found.name) for n in called)
            fine = fine and any(program.loops(node))  # behind it there may be no copy
        elif isinstance(node, (cst.For, cst.CompFor)):
            fine, code = False, node.iter
        elif isinstance(node, cst.BaseSmallStatement):
            fine, code = _fits(program, node, copied, found, mine), node
        else:
            continue
        if names(code) & mine and not fine:
            return False
    return True


def _fits(
    program: Program,
    small: cst.BaseSmallStatement,
    copied: str,
    found: _Walk,
    mine: frozenset[str],
) -> bool:
    """Whether a line is a step, sets what a level or the end holds, or hands on the whole."""
    import libcst as cst

    if isinstance(small, cst.Raise):
        return True  # nobody gets the copy
    if isinstance(small, cst.Return):
        return not names(small) & (mine - {copied})
    if isinstance(small, cst.Del):
        return _is_element(small.target, found.name)
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return False
    target, value = small.targets[0].target, small.value
    if _is_element(target, found.name):
        return not names(value) & mine or named(value) == found.below != ""
    if named(target) == copied:
        return True
    if named(target) == found.name:
        return small is found.step or named(value) == copied
    if named(target) != found.below or not found.below:
        return False
    return _key(value, found.name) is not None or (
        not names(value) & mine and _is_attached(program, small, found)
    )


def _is_attached(program: Program, small: cst.CSTNode, found: _Walk) -> bool:
    """Whether the next line puts a new level in its place, as a step does."""
    line = program.statement(small)
    block = program.block(line)
    rest = block[block.index(line) + 1 :]
    wanted = f"{found.name}[{flat(found.key)}]={found.below}"
    return bool(rest) and flat(rest[0]) == wanted


def _is_element(target: cst.CSTNode, name: str) -> bool:
    """Whether a target is `name[key]`."""
    import libcst as cst

    found = index(target) if isinstance(target, cst.BaseExpression) else None
    return found is not None and named(found[0]) == name
