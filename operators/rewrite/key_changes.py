"""What in a file may change the keys that elements of a list are sorted by.

Attributes that are read are to be set in `__init__` only, before anybody has the object, and
entries that are read not at all. Not here: what is read (`sorting_key`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.owners import defined_in, first_parameter, looks_only
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import (
    assigned,
    named,
    spoken,
    targets,
    variables,
    written,
)
from operators.rewrite.sorted_attribute import (
    CHANGING,
    SortedAttribute,
    around,
    lineage,
)
from operators.rewrite.sorting_key import KeyReads, entry_of, key_reads
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst

_FORCED = frozenset(
    ["__delattr__", "__dict__", "__getattr__", "__getattribute__", "__setattr__", "eval",
     "exec", "vars"]
)  # fmt: skip
"""What reads or sets attributes that nobody names."""

_NAMING = frozenset(["attrgetter", "delattr", "getattr", "hasattr", "methodcaller", "setattr"])
"""What is given the name of an attribute as a text."""


def keeps_keys(found: SortedAttribute) -> bool:
    """Whether nothing in the file changes what elements of the list are sorted by."""
    read = key_reads(found)
    if read is None or _FORCED & found.program.names:
        return False
    if found.name in read.own | read.others or not _texts_stay(found, read):
        return False
    return _attributes_stay(found, read) and _entries_stay(found, read)


def _texts_stay(found: SortedAttribute, read: KeyReads) -> bool:
    """Whether no function is given the name of such an attribute as a text, or any name."""
    import libcst as cst

    told = {found.name, *read.own, *read.others}
    for node in found.program.nodes:
        if not isinstance(node, cst.Call) or spoken(node.func) not in _NAMING:
            continue
        texts = [arg.value for arg in node.args if isinstance(arg.value, cst.SimpleString)]
        parts = {part for each in texts for part in str(each.evaluated_value).split(".")}
        only_reads = spoken(node.func) in ("attrgetter", "getattr", "hasattr")
        if not texts or parts & ({found.name} if only_reads else told):
            return False
    return True


def _attributes_stay(found: SortedAttribute, read: KeyReads) -> bool:
    """Whether attributes that are read are set when their objects are made, and not later."""
    program, told = found.program, read.own | read.others
    apart = read.others - read.own - read.inner if _are_of_others(found) else set()
    for part in _parts_set(program):
        for node in _attributes(part):
            if node.attr.value in told:
                free = node.attr.value in apart and _is_of_owner(found, node)
                if not free and not (node is part and _begins(program, node)):
                    return False
    changed = [c for node in program.nodes if (c := _changed(node))]
    if any(n.attr.value in told - apart for c in changed for n in _attributes(c)):
        return False
    return all(_keeps_its_name(program, node, read) for node in program.nodes)


def _keeps_its_name(program: Program, node: cst.CSTNode, read: KeyReads) -> bool:
    """Whether a container that a key looks into is only set or read here."""
    import libcst as cst

    if not isinstance(node, cst.Attribute) or node.attr.value not in read.deep:
        return True
    made = isinstance(program.parent[node], (cst.AssignTarget, cst.AnnAssign))
    return made or only_read(program, node)


def _parts_set(program: Program) -> Iterator[cst.CSTNode]:
    """Yield the names, attributes and subscripts that the file sets."""
    for target in targets(program.module):
        yield from written(target)


def _changed(node: cst.CSTNode) -> cst.CSTNode | None:
    """Return what a call changes as a container, if it does."""
    import libcst as cst

    method = node.func if isinstance(node, cst.Call) else None
    if not isinstance(method, cst.Attribute) or method.attr.value not in CHANGING:
        return None
    return method.value


def _attributes(node: cst.CSTNode) -> Iterator[cst.Attribute]:
    """Yield the attributes that `a.b[0].c` goes through, the last one first."""
    import libcst as cst

    while isinstance(node, (cst.Attribute, cst.Subscript)):
        if isinstance(node, cst.Attribute):
            yield node
        node = node.value


def _are_of_others(found: SortedAttribute) -> bool:
    """Whether elements are tuples, or objects of other classes than the one with the list."""
    import libcst as cst

    program = found.program
    known = {n.name.value: n for n in program.nodes if isinstance(n, cst.ClassDef)}
    for line in found.appends:
        value = _origin(found, line)
        name = named(value.func) if isinstance(value, cst.Call) else ""
        other = name[:1].isupper() and found.owner.name.value not in (
            lineage(program, known[name]) if name in known else (name,)
        )
        if not other and not isinstance(value, (cst.Tuple, cst.BaseNumber, cst.BaseString)):
            return False
    return True


def _origin(found: SortedAttribute, line: cst.CSTNode) -> cst.BaseExpression:
    """Return what is appended, or what its name is set to in the method, if only once."""
    value, scope = found.appends[line], around(found.program, line)
    assert scope is not None
    given = [pair[1] for n in walk(scope) if (pair := assigned(n)) and pair[0] == named(value)]
    every = [n for target in targets(scope) for n in walk(target) if named(n)]
    once = [named(n) for n in every].count(named(value)) == 1
    return given[0] if named(value) and given and once else value


def _is_of_owner(found: SortedAttribute, node: cst.Attribute) -> bool:
    """Whether an attribute is one of the object that holds the list."""
    scope = around(found.program, node)
    if scope is None or defined_in(found.program, scope) is not found.owner:
        return False
    return named(node.value) == first_parameter(scope) != ""


def _begins(program: Program, node: cst.Attribute) -> bool:
    """Whether an attribute is set in `__init__`, before the object is handed to anybody."""
    import libcst as cst

    scope, line = around(program, node), program.statement(node)
    if not isinstance(scope, cst.FunctionDef) or scope.name.value != "__init__":
        return False
    me = first_parameter(scope)
    plain = isinstance(program.parent[node], (cst.AssignTarget, cst.AnnAssign))
    if not plain or named(node.value) != me or any(True for _ in program.loops(node)):
        return False
    nodes = [*walk(scope.body)]
    until = {*nodes[: nodes.index([*walk(line)][-1]) + 1]}
    own = (n for n in variables(scope.body) if n.value == me)
    return not any(n in until and not looks_only(program, n) for n in own)


def _entries_stay(found: SortedAttribute, read: KeyReads) -> bool:
    """Whether elements that may be lists or dictionaries keep what is read in them."""
    import libcst as cst

    values = [_origin(found, line) for line in found.appends]
    if not (read.whole or read.entries) or all(isinstance(v, cst.Tuple) for v in values):
        return True
    objects = [isinstance(v, cst.Call) and named(v.func)[:1].isupper() for v in values]
    if all(objects) and not read.entries:
        return True
    asked = None if read.whole or "" in read.entries else read.entries
    for part in _parts_set(found.program):
        if isinstance(part, cst.Subscript) and not _is_elsewhere(found.program, part, asked):
            return False
    return not _changes_elements(found)


def _is_elsewhere(program: Program, part: cst.Subscript, asked: set[str] | None) -> bool:
    """Whether setting `value[index]` leaves elements alone, or what is read in them."""
    import libcst as cst

    entry = entry_of(part)
    if entry and asked is not None:
        return entry not in asked
    if isinstance(part.value, cst.Attribute):
        return True
    scope = around(program, part)
    return isinstance(scope, cst.FunctionDef) and _is_private(program, scope, part.value)


def _is_private(program: Program, scope: cst.FunctionDef, node: cst.CSTNode) -> bool:
    """Whether a name stands for a container that a function makes and puts nowhere."""
    import libcst as cst

    name = named(node)
    found = [n for n in variables(scope.body) if n.value == name]
    values = [p[1] for n in walk(scope) if (p := assigned(n)) and p[0] == name]
    if not name or not values or not all(map(_is_made, values)):
        return False
    places = (cst.AssignTarget, cst.AnnAssign, cst.Subscript, cst.Return)
    return all(only_read(program, n) or isinstance(program.parent[n], places) for n in found)


def _is_made(value: cst.CSTNode) -> bool:
    """Whether a value is a container that is made where it stands."""
    import libcst as cst

    made = (cst.List, cst.Dict, cst.ListComp, cst.DictComp)
    called = named(value.func) if isinstance(value, cst.Call) else ""
    return isinstance(value, made) or called in ("Counter", "defaultdict", "dict", "list")


def _changes_elements(found: SortedAttribute) -> bool:
    """Whether a method changes, as a list, what it walks over or has just appended."""
    import libcst as cst

    program = found.program
    names_of = {named(value) for value in found.appends.values()}
    for node in found.walked:
        loop = next(n for n in program.above(node) if isinstance(n, (cst.For, cst.CompFor)))
        names_of |= {n.value for n in variables(loop.target)}
    changed = {named(_changed(node)) for node in program.nodes}
    return bool(changed & (names_of - {""}))
