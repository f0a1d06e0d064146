"""What a sort key reads of elements, and of the object that holds their list.

Followed by names, through functions of the file and what compares objects of its classes. Not
here: whether any of that changes (`key_changes`).
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from operators.rewrite.effects import QUERIES, READ_ONLY, handed
from operators.rewrite.imports import imports
from operators.rewrite.owners import defined_in, first_parameter
from operators.rewrite.patterns import constant, times_bound
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import (
    bound,
    flat,
    index,
    integer,
    named,
    names,
    targets,
    variables,
    written,
)
from operators.rewrite.sorted_attribute import (
    SortedAttribute,
    lineage,
    methods_of,
)
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst

_BUILTINS = READ_ONLY - {"id", "iter", "print"}
_WHOLE = frozenset(["abs", "float", "int", "len", "str"])
_SIZES = frozenset(
    ["all", "any", "frozenset", "len", "list", "max", "min", "set", "sorted", "sum", "tuple"]
)
_OF_TEXTS = frozenset(
    ["endswith", "isalnum", "isalpha", "isdigit", "lower", "lstrip", "rstrip", "split",
     "startswith", "strip", "upper"]
)  # fmt: skip
_COMPARING = ("__lt__", "__gt__", "__le__", "__ge__", "__eq__")


@dataclass(kw_only=True, eq=False)
class KeyReads:
    """What is read to compare two elements.

    Attributes:
        own: Attributes of the object that holds the list.
        others: Attributes of elements, and of what they hold.
        inner: Those of the others that are not read of elements themselves.
        deep: Those of all whose value is a container that is looked into.
        entries: Indexes of elements; an empty text: one that is computed.
        whole: Whether elements are compared as they are.
    """

    own: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)
    deep: set[str] = field(default_factory=set)
    entries: set[str] = field(default_factory=set)
    whole: bool = False


def key_reads(found: SortedAttribute) -> KeyReads | None:
    """Return what is read to compare elements; None where that is not clear, or not all."""
    read = KeyReads()
    codes = _key_codes(found, read)
    if codes is None:
        return None
    key = codes[0] if codes else None
    for owner in _ordered_classes(found.program):
        codes += [f for f in methods_of(owner) if f.name.value in _COMPARING]
        read.others |= _compared_fields(found.program, owner)
    reached = _reached(found, codes)
    for code in reached or ():
        _enter(found, code, read, first=code is key)
    return None if reached is None else read


def _key_codes(found: SortedAttribute, read: KeyReads) -> list[cst.CSTNode] | None:
    """Return the functions that a key consists of; None where it is none that is known."""
    import libcst as cst

    program, key = found.program, found.key
    if key is None or (named(key) in _WHOLE and not times_bound(program)[named(key)]):
        read.whole = True
        return []
    if isinstance(key, cst.Lambda):
        return [key] if _parameters(key) == 1 else None
    if isinstance(key, cst.Call):
        return [] if _getter(program, key, read) else None
    home: cst.CSTNode = program.module
    name, wanted = named(key), 1
    if isinstance(key, cst.Attribute) and named(key.value) == found.me:
        name, home, wanted = key.attr.value, found.owner, 2
    known = program.functions.get(name, ())
    if times_bound(program)[name] != 1 or len(known) != 1 or known[0].decorators:
        return None
    fits = defined_in(program, known[0]) is home and _parameters(known[0]) == wanted
    return [*known] if fits else None


def _parameters(function: cst.FunctionDef | cst.Lambda) -> int:
    """Return the number of parameters; 0 where some are not plain ones."""
    import libcst as cst

    params = function.params
    extra = (params.kwonly_params, params.posonly_params, params.star_kwarg)
    if any(extra) or isinstance(params.star_arg, cst.Param):
        return 0
    return 0 if any(p.default for p in params.params) else len(params.params)


def _getter(program: Program, key: cst.Call, read: KeyReads) -> bool:
    """Whether a key is `attrgetter("a", "b.c")` or `itemgetter(0)`; enter what it reads."""
    import libcst as cst

    name, _, part = flat(key.func).partition(".")
    known = (each for each in imports(program) if each.name == name and each.at_top)
    getters = [each.part or part for each in known if each.module == "operator"]
    getter = getters[0] if getters and times_bound(program)[name] == 1 else ""
    if getter not in ("attrgetter", "itemgetter") or not key.args:
        return False
    for arg in key.args:
        if arg.keyword or arg.star:
            return False
        if getter == "itemgetter":
            read.entries.add(_literal(arg.value))
        elif isinstance(arg.value, cst.SimpleString):
            first, *inner = str(arg.value.evaluated_value).split(".")
            read.others.update((first, *inner))
            read.inner.update(inner)
        else:
            return False
    return True


def _ordered_classes(program: Program) -> Iterator[cst.ClassDef]:
    """Yield the classes of the file whose objects have an order."""
    import libcst as cst

    for node in program.nodes:
        if isinstance(node, cst.ClassDef):
            ordering = {f.name.value for f in methods_of(node)} & {*_COMPARING[:4]}
            if ordering or _compared_fields(program, node):
                yield node


def _compared_fields(program: Program, owner: cst.ClassDef) -> frozenset[str]:
    """Return the fields that objects of a dataclass with an order are compared by."""
    import libcst as cst

    if not any("order=True" in flat(each.decorator) for each in owner.decorators):
        return frozenset()
    names_of = lineage(program, owner)
    classes = (node for node in program.nodes if isinstance(node, cst.ClassDef))
    bodies = [each.body for each in classes if each.name.value in names_of]
    lines = (n for body in bodies for n in walk(body) if isinstance(n, cst.AnnAssign))
    return frozenset(
        named(line.target)
        for line in lines
        if not line.value or "compare=False" not in flat(line.value)
    )


def _reached(found: SortedAttribute, codes: Sequence[cst.CSTNode]) -> list[cst.CSTNode] | None:
    """Return functions with all that they call; None where they do more than compute."""
    reached: list[cst.CSTNode] = []
    todo = [*codes]
    while todo:
        code = todo.pop()
        if code in reached:
            continue
        reached.append(code)
        called = _called(found, code)
        if called is None:
            return None
        todo += called
    return reached


def _called(found: SortedAttribute, code: cst.CSTNode) -> list[cst.FunctionDef] | None:
    """Return the functions of the file that one names; None where it does more than compute."""
    import libcst as cst

    assert isinstance(code, (cst.FunctionDef, cst.Lambda))
    functions, called = found.program.functions, list[cst.FunctionDef]()
    if isinstance(code, cst.FunctionDef) and (code.asynchronous or not _plain(code)):
        return None
    strange = (cst.Await, cst.Yield, cst.Global, cst.Nonlocal, cst.Import, cst.ImportFrom)
    made = (cst.With, cst.FunctionDef, cst.ClassDef, cst.GeneratorExp, cst.Del)
    for node in walk(code.body):
        if isinstance(node, (*strange, *made)):
            return None
        if isinstance(node, cst.Attribute):
            called += functions.get(node.attr.value, ())
        elif isinstance(node, cst.Call) and not all(
            _computes(found.program, callee) for callee in (node.func, *handed(node))
        ):
            return None
    if any(not named(p) for target in targets(code.body) for p in written(target)):
        return None
    for name in sorted(names(code.body) - bound(code)):
        if not _is_fixed(found, code, name):
            return None
        called += functions.get(name, ())
    return called


def _plain(function: cst.FunctionDef) -> bool:
    return all(flat(each.decorator) == "property" for each in function.decorators)


def _computes(program: Program, callee: cst.CSTNode) -> bool:
    """Whether a function only computes; one of the file is looked at itself."""
    import libcst as cst

    if isinstance(callee, cst.Attribute):
        known = callee.attr.value in program.functions or callee.attr.value in QUERIES
        return known or named(callee.value) == "math"
    name = named(callee)
    return isinstance(callee, cst.Lambda) or name in program.functions or name in _BUILTINS


def _is_fixed(found: SortedAttribute, code: cst.CSTNode, name: str) -> bool:
    """Whether a name that a function takes from around it stands for one value at all times."""
    import libcst as cst

    program, times = found.program, times_bound(found.program)[name]
    if isinstance(code, cst.Lambda) and name == found.me:
        return True
    if times != 1:
        return not times and hasattr(builtins, name)
    known = program.definitions.get(name, ())
    if known or any(each.name == name and each.at_top for each in imports(program)):
        return True
    value = constant(program, name)
    if isinstance(value, (cst.BaseNumber, cst.BaseString)):
        return True
    mentions = (n for n in variables(program.module) if n.value == name)
    return value is not None and all(
        only_read(program, n)
        or isinstance(program.parent[n], (cst.AssignTarget, cst.AnnAssign))
        for n in mentions
    )


def _enter(found: SortedAttribute, code: cst.CSTNode, read: KeyReads, *, first: bool) -> None:
    """Enter what a function reads; the first is the key itself."""
    import libcst as cst

    assert isinstance(code, (cst.FunctionDef, cst.Lambda))
    program, params = found.program, [param.name.value for param in code.params.params]
    home = defined_in(program, code) if isinstance(code, cst.FunctionDef) else found.owner
    me = {found.me} - {*params} if isinstance(code, cst.Lambda) else {first_parameter(code)}
    me = me if home is found.owner else set()
    elements = {*params} - me if first else _elements(found, code)
    hashed = set[str]()
    for node in walk(code.body):
        if isinstance(node, cst.Attribute) and not _is_method(program, node):
            name, owner = node.attr.value, named(node.value)
            (read.own if owner in me else read.others).add(name)
            read.inner |= set() if owner in elements | me else {name}
            read.deep |= {name} if _looked_into(program, node) else set()
        elif isinstance(node, cst.Subscript) and not isinstance(node.value, cst.Attribute):
            read.entries.add(entry_of(node))
        elif isinstance(program.parent[node], cst.Index):
            hashed.add(named(node))
    for node in variables(code.body):
        above = program.parent[node]
        asked = isinstance(above, (cst.Attribute, cst.Subscript)) and above.value is node
        read.whole |= node.value in {*params} - hashed - me and not asked


def _elements(found: SortedAttribute, code: cst.CSTNode) -> set[str]:
    """Return what a function that a key calls is given of elements: those of their class."""
    import libcst as cst

    home = defined_in(found.program, code)
    if not isinstance(code, cst.FunctionDef) or not isinstance(home, cst.ClassDef):
        return set()
    ours, theirs = (lineage(found.program, each) for each in (found.owner, home))
    if found.owner.name.value in theirs or home.name.value in ours:
        return set()
    params = [param.name.value for param in code.params.params]
    return {*params} if code.name.value in _COMPARING else {*params[:1]}


def _is_method(program: Program, node: cst.Attribute) -> bool:
    """Whether an attribute is called: a method, whose code is looked at itself."""
    import libcst as cst

    above = program.parent[node]
    return isinstance(above, cst.Call) and above.func is node


def _looked_into(program: Program, node: cst.CSTNode) -> bool:
    """Whether the value of an attribute is asked for what is in it."""
    import libcst as cst

    above = program.parent[node]
    if isinstance(above, cst.Arg):
        call = program.parent[above]
        return isinstance(call, cst.Call) and named(call.func) in _SIZES
    if isinstance(above, cst.Attribute):
        return _is_method(program, above) and above.attr.value not in _OF_TEXTS
    inside = isinstance(above, cst.Subscript) and above.value is node
    return inside or isinstance(above, (cst.CompFor, cst.For, cst.ComparisonTarget))


def entry_of(node: cst.CSTNode) -> str:
    """Return which entry `value[index]` is; nothing for one that is computed, or negative."""
    pair = index(node)
    return _literal(pair[1]) if pair else ""


def _literal(node: cst.CSTNode) -> str:
    """Return a number or a text as it is written by `repr`, or nothing."""
    import libcst as cst

    if isinstance(node, cst.Integer):
        return str(integer(node))
    return repr(node.evaluated_value) if isinstance(node, cst.SimpleString) else ""
