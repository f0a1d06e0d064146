"""What the elements of an object's list are sorted by, and whether that stays in a file.

Not here: what else is done with the list (`sorted_queue`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.imports import Import, imports
from operators.rewrite.in_place import is_made_here, shared_changes, word_of
from operators.rewrite.one_class import BY_FORCE, function_around, own_method
from operators.rewrite.owners import defined_in, first_parameter, looks_only
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    flat,
    lines,
    named,
    names,
    spoken,
    target_names,
    targets,
    variables,
    written,
)
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst

_ORDERING = frozenset(
    ["__ge__", "__getitem__", "__gt__", "__le__", "__lt__", "__neg__", "__setitem__"]
)
"""What compares or looks up in its own way."""

_KEY = frozenset(
    ["Assign", "AssignTarget", "Attribute", "Dot", "Element", "Expr", "IndentedBlock", "Index",
     "Integer", "Minus", "Name", "Return", "SimpleStatementLine", "SimpleString", "Subscript",
     "SubscriptElement", "Tuple", "UnaryOperation"]
)  # fmt: skip
"""Types of nodes that a key may consist of."""


def is_own(program: Program, owner: cst.ClassDef, node: cst.CSTNode) -> bool:
    """Whether a node is an attribute of `self` in a method of a class."""
    mine = named(getattr(node, "value", None)) == "self"
    return mine and own_method(program, owner, node) is not None


def keeps_key(
    program: Program, owner: cst.ClassDef, key: cst.CSTNode | None, values: list[cst.CSTNode]
) -> bool:
    """Whether a key only reads, and the file changes nothing of what it reads of the values."""
    import libcst as cst

    told = _read(program, owner, key) if key else {"": True}
    ordered = any(isinstance(n, cst.Arg) and named(n.keyword) == "order" for n in program.nodes)
    again = ".__init__" in program.code.replace("super().__init__", "")
    unseen = program.names & (BY_FORCE | _ORDERING | {"getattr", "methodcaller"})
    if told is None or ordered or again or unseen:
        return False
    changed, tuples = [*shared_changes(program)], all(isinstance(v, cst.Tuple) for v in values)
    looks_into = not all(told.values()) or ("" in told and not tuples)
    if looks_into and not all(is_made_here(program, node) for node in changed):
        return False
    if _given(program, values) & {word_of(node) for node in changed}:
        return False
    apart = all(_is_of_another_class(program, owner, value) for value in values)
    for part in _parts(program):
        if isinstance(part, cst.Attribute):
            changed.append(part.value)
            free = apart and told.get(part.attr.value) and is_own(program, owner, part)
            if part.attr.value in told and not free and not _begins(program, part):
                return False
    words = {name.strip("_") for name in told} - {""}
    if any(spoken(n) in words for part in changed for n in walk(part)):
        return False
    shared = (n for n in program.nodes if hasattr(n, "attr") and not told.get(word_of(n), True))
    others = (program.parent[n] for n in shared if not only_read(program, n))
    return all(isinstance(n, (cst.AssignTarget, cst.AnnAssign)) for n in others)


def _given(program: Program, values: list[cst.CSTNode]) -> set[str]:
    """Return the names of what is handed to the functions that add to the list."""
    import libcst as cst

    adding = {named(getattr(function_around(program, v), "name", None)) for v in values}
    every = (n for n in program.nodes if isinstance(n, cst.Call) and word_of(n.func) in adding)
    return {word_of(arg.value) for call in every for arg in call.args} - {""}


def _read(program: Program, owner: cst.ClassDef, key: cst.CSTNode) -> dict[str, bool] | None:
    """Return what attributes a key reads (true: of elements only; "": these, too)."""
    import libcst as cst

    if isinstance(key, cst.Call):
        return _read_by_getter(program, key)
    told, codes = dict[str, bool](), [key]
    for code in codes:
        body = getattr(code, "body", code)
        given = [node for node in walk(code) if isinstance(node, cst.Param)]
        element = given[-1].name.value if given else ""
        known = all(type(node).__name__ in _KEY for node in walk(body))
        free = names(body) - bound(code) - {"self"} or any(param.default for param in given)
        if not known or free or element in bound(body):
            return None
        if any(not isinstance(program.parent[n], cst.Attribute) for n in variables(body)):
            told[""] = True
        for node in (n for n in walk(body) if isinstance(n, cst.Attribute)):
            name, mine = node.attr.value, named(node.value) == element != ""
            for function in program.functions.get(name, ()):
                kinds = [flat(each.decorator) for each in function.decorators]
                method = node is key and not kinds and defined_in(program, function) is owner
                fits = method or (mine and kinds == ["property"])
                if not fits or len(_binders(program, name)) > 1:
                    return None
                codes += [function] if function not in codes else []
            if name not in program.functions:
                looked_into = isinstance(program.parent[node], (cst.Subscript, cst.Assign))
                told[name] = mine and not looked_into and told.get(name, True)
    return told if isinstance(key, cst.Lambda) or len(codes) > 1 else None


def _read_by_getter(program: Program, key: cst.Call) -> dict[str, bool] | None:
    """Return what `attrgetter("a")` or `itemgetter(0)` reads."""
    name, *values = re.findall(r"\w+", flat(key))
    literal = r"(\d+|'\w+'|\"\w+\")"
    fits = re.fullmatch(rf"(attr|item)getter\({literal}(,{literal})*\)", flat(key))
    known = Import(name, "operator", name) in imports(program)
    if not (fits and known) or len(_binders(program, name)) > 1:
        return None
    own = program.functions.keys() & {*values}
    return {"": True} if name == "itemgetter" else None if own else dict.fromkeys(values, True)


def _parts(program: Program) -> Iterator[cst.CSTNode]:
    """Yield the names, attributes and subscripts that the file sets."""
    for target in targets(program.module):
        yield from written(target)


def _binders(program: Program, name: str) -> list[cst.CSTNode]:
    """Return what binds a name, or sets an attribute of that name, in the file."""
    return [program.parent[part] for part in _parts(program) if word_of(part) == name]


def _begins(program: Program, node: cst.Attribute) -> bool:
    """Whether an attribute is set in `__init__`, before anybody else has the object."""
    import libcst as cst

    scope, line = function_around(program, node), program.statement(node)
    if not isinstance(scope, cst.FunctionDef) or scope.name.value != "__init__":
        return False
    block, me = lines(scope.body), first_parameter(scope)
    plain = isinstance(program.parent[node], (cst.AssignTarget, cst.AnnAssign))
    if named(node.value) != me or not plain or line not in block:
        return False
    before = (n for each in block[: block.index(line) + 1] for n in variables(each))
    return all(looks_only(program, n) for n in before if n.value == me)


def _is_of_another_class(program: Program, owner: cst.ClassDef, value: cst.CSTNode) -> bool:
    """Whether a value is made by a class that is imported, or another one without bases."""
    import libcst as cst

    scope, name = function_around(program, value) or program.module, named(value)
    given = [p[1] for n in walk(scope) if (p := assigned(n)) and p[0] == name]
    here = (t for t in targets(scope) if function_around(program, t) is scope)
    once = [each for target in here for each in target_names(target)].count(name) == 1
    value = given[0] if given and once else value
    made = named(value.func) if isinstance(value, cst.Call) else ""
    homes = _binders(program, made) if made[:1].isupper() else []
    new = all(isinstance(n, cst.ClassDef) and n is not owner and not n.bases for n in homes)
    brought = all(isinstance(n, (cst.AsName, cst.ImportAlias)) for n in homes)
    return len(homes) == 1 and (new or brought)
