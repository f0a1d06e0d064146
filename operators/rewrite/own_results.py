"""What an object tells about itself: a property, or a method without arguments, of its class.

Said of `self.size` where it stands in another method of the class: what is behind it, and
whether a loop leaves it as it is. A class below that overrides it is not looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.effects import QUERIES, altered, waits
from operators.rewrite.freshness import bindings
from operators.rewrite.invariants import has_changed_alias
from operators.rewrite.owners import defined_in, first_parameter
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import bound, named, names, root, targets, written
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst


class OwnResult(NamedTuple):
    """What an object tells about itself.

    Attributes:
        owner: What the method around calls the object.
        function: What is behind it.
        reads: Attributes that it depends on: of the object, and of what is in it.
        others: Names of the module that it depends on.
    """

    owner: str
    function: cst.FunctionDef
    reads: frozenset[str]
    others: frozenset[str]


def own_result(program: Program, place: Place, node: cst.CSTNode) -> OwnResult | None:
    """Return what `self.size` or `self.size()` asks for, if that only computes; else None."""
    import libcst as cst

    called = isinstance(node, cst.Call)
    attribute = node.func if isinstance(node, cst.Call) else node
    owner = first_parameter(place.node)
    if not isinstance(attribute, cst.Attribute) or named(attribute.value) != owner or not owner:
        return None
    if isinstance(node, cst.Call) and node.args:
        return None
    around = _class_of(program, place.node)
    function = _member(program, around, attribute.attr.value) if around else None
    if around is None or function is None or _is_property(function) == called:
        return None
    if len(function.params.params) != 1:
        return None
    known = _dependencies(program, around, function, frozenset())
    return OwnResult(owner, function, *known) if known else None


def stays_own(program: Program, loop: cst.CSTNode, found: OwnResult) -> bool:
    """Whether a loop changes nothing that an object's answer depends on."""
    import libcst as cst

    around = _class_of(program, found.function)
    assert around is not None
    if waits(loop) or found.others & altered(program, loop):
        return False
    if found.reads & attributes_changed(program, loop):
        return False  # of an element, or by a method of another object
    if _changes_element(program, loop, found.owner):
        return False
    if found.owner in bound(loop) or has_changed_alias(program, loop, {found.owner}):
        return False
    for node in walk(loop):
        if named(node) != found.owner:
            continue
        above = program.parent[node]
        if not isinstance(above, cst.Attribute) or above.value is not node:
            return False
        name = above.attr.value
        member = _member(program, around, name)
        if member is not None:
            if _dependencies(program, around, member, frozenset()) is None:
                return False
        elif (name in found.reads and not only_read(program, above)) or _is_called(
            program, above
        ):
            return False
    return True


def attributes_changed(program: Program, loop: cst.CSTNode) -> frozenset[str]:
    """Return attributes that a loop, and functions that it names, set or change objects in."""
    import libcst as cst

    found, known = set[str](), set[str]()
    todo: list[cst.CSTNode] = [loop]
    for code in todo:
        parts = (n for part in changing(code) for n in walk(part))
        found |= {n.attr.value for n in parts if isinstance(n, cst.Attribute)}
        told = {named(n) for n in walk(code) if isinstance(n, cst.Name)}
        new = (told & program.functions.keys()) - known
        known |= new
        todo += [body for name in sorted(new) for body in program.functions[name]]
    return frozenset(found)


def changing(code: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what code sets, but for names, and what it calls methods of that may change it."""
    import libcst as cst

    for node in walk(code):
        call = node.func if isinstance(node, cst.Call) else None
        if isinstance(call, cst.Attribute) and call.attr.value not in QUERIES:
            yield call.value
    for target in targets(code):
        yield from (part for part in written(target) if not isinstance(part, cst.Name))


def _changes_element(program: Program, loop: cst.CSTNode, owner: str) -> bool:
    """Whether a loop changes something by a name that it got from the object."""
    import libcst as cst

    function = next(n for n in program.above(loop) if isinstance(n, cst.FunctionDef))
    mine = {name for name, value, _ in bindings(function) if value and owner in names(value)}
    changed = (part for part in changing(loop) if root(part) in mine)
    return any(not is_ours(program, part) for part in changed)


def is_ours(program: Program, part: cst.CSTNode) -> bool:
    """Whether a method of the program is called, whose effects are looked at by attribute."""
    import libcst as cst

    above = program.parent[part]
    call = isinstance(above, cst.Attribute) and isinstance(program.parent[above], cst.Call)
    return call and named(getattr(above, "attr", None)) in program.functions


def _is_called(program: Program, attribute: cst.CSTNode) -> bool:
    """Whether an attribute is called that is no function of the class: one of a class above."""
    import libcst as cst

    call = program.parent[attribute]
    return isinstance(call, cst.Call) and call.func is attribute


def _class_of(program: Program, function: cst.CSTNode) -> cst.ClassDef | None:
    import libcst as cst

    around = defined_in(program, function)
    return around if isinstance(around, cst.ClassDef) else None


@lru_cache(maxsize=256)
def _members(around: cst.ClassDef) -> dict[str, list[cst.FunctionDef]]:
    import libcst as cst

    found: dict[str, list[cst.FunctionDef]] = {}
    for node in around.body.body:
        if isinstance(node, cst.FunctionDef):
            found.setdefault(node.name.value, []).append(node)
    return found


def _member(program: Program, around: cst.ClassDef, name: str) -> cst.FunctionDef | None:
    """Return the one function of the program with this name, if it is one of the class."""
    mine = _members(around).get(name, [])
    return mine[0] if len(mine) == 1 and len(program.functions[name]) == 1 else None


def _is_property(function: cst.FunctionDef) -> bool:
    return [named(each.decorator) for each in function.decorators] == ["property"]


@lru_cache(maxsize=256)
def _dependencies(
    program: Program, around: cst.ClassDef, function: cst.FunctionDef, asked: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return attributes and names that a function depends on; None: it does more."""
    import libcst as cst

    owner = first_parameter(function)
    plain = not function.decorators or _is_property(function)
    if not owner or not plain or function.asynchronous or waits(function.body):
        return None
    reads = {n.attr.value for n in walk(function.body) if isinstance(n, cst.Attribute)}
    others = set(names(function.body) - bound(function.body) - {owner})
    for node in (n for n in walk(function.body) if named(n) == owner):
        above = program.parent[node]
        if not isinstance(above, cst.Attribute) or above.value is not node:
            return None
        member = _member(program, around, above.attr.value)
        if member is None:
            continue
        if not _is_property(member) or member.name.value in asked:
            return None
        below = _dependencies(program, around, member, asked | {function.name.value})
        if below is None:
            return None
        reads |= below[0]
        others |= below[1]
    return (frozenset(reads), frozenset(others)) if computes(program, function.body) else None
