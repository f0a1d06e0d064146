"""A property that comes to the same for each who asks -> `functools.cached_property`."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import QUERIES, identifiers, reaching
from operators.rewrite.freshness import bindings
from operators.rewrite.in_place import CHANGING, changed_objects, is_private
from operators.rewrite.invariants import is_new
from operators.rewrite.making import is_fixed, stored
from operators.rewrite.owners import defined_in, first_parameter, set_attributes
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import bound, calls, flat, named, names, root
from operators.rewrite.rule import Rule
from operators.rewrite.uses import only_read, stays_local, truth_only

if TYPE_CHECKING:
    import libcst as cst

_TELLING = frozenset(
    ["__class__", "__delitem__", "__dict__", "__iadd__", "__ior__", "__setitem__", "__slots__",
     "array", "asdict", "astuple", "attrgetter", "bisect", "cls", "copy", "deepcopy", "delattr",
     "deleter", "eval", "exec", "fget", "getattr", "getmembers", "getter", "globals", "heapq",
     "id", "inspect", "locals", "map", "methodcaller", "next", "numpy", "operator", "pandas",
     "pickle", "random", "setattr", "setter", "torch", "type", "vars"]
)  # fmt: skip
"""Names by which a program sees, sets or changes objects other than by their own names."""
_SPECIAL = {"__contains__", "__eq__", "__hash__", "__init__", "__iter__", "__len__", "__repr__"}
_LAZY = frozenset(["enumerate", "filter", "iter", "reversed", "zip"])
_Functions = Mapping[str, "cst.FunctionDef"]
_BUILTINS = frozenset(dir(builtins))


class CachedProperty(Rule):
    """Work out a property once for each object, not each time that somebody asks for it.

    Valid where it only computes from attributes that nothing but `__init__` sets or changes,
    and what it returns is only read (checked in the file, where nothing but local objects may
    be changed in place). That no object changes after a property was asked for, and that other
    files only read what they are given, is left to the tests; so is recursion, which takes two
    levels of its limit. Known as caching, or memoization, of properties.
    """

    name = "cached_property"
    relies_on = "objects stay as they are once a property was asked for"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for a property, and one for all of its class at the first."""
        every = _qualified(program) if place.name else ()
        for function in (f for f in every if f is place.node):
            yield _change(program, [function])
            around = defined_in(program, function)
            beside = [f for f in every if defined_in(program, f) is around]
            if len(beside) > 1 and beside[0] is function:
                yield _change(program, beside)


def _change(program: Program, functions: list[cst.FunctionDef]) -> TreeChange:
    decorator, needed = imported(program, "functools", "cached_property")
    return TreeChange(
        anchor=functions[0],
        replaced={f.decorators[0].decorator: decorator for f in functions},
        imports=needed,
        parameters=(("properties", "all"),) if functions[1:] else (),
        direction="Work out properties once for each object",
        effect="one evaluation for each object, not for each access",
    )


@lru_cache(maxsize=128)
def _qualified(program: Program) -> tuple[cst.FunctionDef, ...]:
    """Return the properties that may be remembered, in the order of the text."""
    if "property" not in program.names or not _is_open(program):
        return ()
    places = (*program.module.body, *(n for c in _classes(program) for n in c.body.body))
    fits = {n: fs[0] for n, fs in program.functions.items() if len(fs) == 1 and fs[0] in places}
    before = -1
    while before != len(fits):
        before = len(fits)
        fits = {name: f for name, f in fits.items() if _fits(program, f, fits)}
    if any(name[:2] == "__" and name not in (*fits, "__init__") for name in program.functions):
        return ()
    return tuple(
        each
        for each in fits.values()
        if each.decorators
        and _is_alone(program, each)
        and _is_only_read(program, each)
        and _is_asked_last(program, each.name.value)
    )


def _is_open(program: Program) -> bool:
    """Whether objects are seen by names of attributes only, and names mean what they say."""
    import libcst as cst

    special = {name for name in program.functions if name[:2] == "__"}
    ours = program.functions.keys() - special
    asking = any(ours & identifiers(f) for name in special for f in program.functions[name])
    hidden = program.names & _TELLING or bound(program.module) & _BUILTINS
    odd = (cst.ImportStar, cst.Match, cst.Global)
    strange = special - _SPECIAL or any(
        isinstance(node, odd)
        or (named(getattr(node, "attr", None)) == "__init__" and root(node) != "")
        for node in program.nodes
    )
    return not (asking or hidden or strange)


@lru_cache(maxsize=128)
def _settled(program: Program) -> frozenset[str]:
    """Return the attributes that only `__init__` sets, or changes objects in.

    None, if others in the file change in place what is not theirs alone.
    """
    import libcst as cst

    makers = program.functions.get("__init__", ())
    if any(isinstance(n, (cst.FunctionDef, cst.Lambda)) for f in makers for n in walk(f.body)):
        return frozenset()
    others = [f for fs in program.functions.values() for f in fs if f not in makers]
    for code in (*others, *_lines(program.module)):
        if not all(is_private(program, code, node) for node in changed_objects(code)):
            return frozenset()
    every = set_attributes(program.module)
    early = [p for f in makers for p in set_attributes(f.body) if _is_lasting(program, f, p)]
    late = {part.attr.value for f in others for part in set_attributes(f.body)}
    late |= {part.attr.value for part in every if part not in early}
    late |= {n for c in _classes(program) for line in _lines(c.body) for n in bound(line)}
    known = QUERIES | CHANGING | program.functions.keys() | {p.attr.value for p in every}
    for node in program.nodes:  # `self.reader.next_line()`: nobody knows what that does
        if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Attribute):
            late |= {node.value.attr.value} if node.attr.value not in known else set()
    return frozenset(part.attr.value for part in early) - late


def _classes(program: Program) -> list[cst.ClassDef]:
    import libcst as cst

    return [node for node in program.nodes if isinstance(node, cst.ClassDef)]


def _lines(body: cst.Module | cst.BaseSuite) -> list[cst.CSTNode]:
    """Return the lines of a module or class that define no function or class."""
    import libcst as cst

    return [n for n in body.body if not isinstance(n, (cst.FunctionDef, cst.ClassDef))]


def _is_lasting(program: Program, function: cst.FunctionDef, part: cst.CSTNode) -> bool:
    """Whether an attribute is set to a parameter, or to what is made there."""
    import libcst as cst

    holder, line = program.parent[part], program.parent[program.parent[part]]
    if len(getattr(line, "targets", (part,))) > 1:
        return False
    value = getattr(holder, "value", None) or getattr(line, "value", None)
    if is_fixed(program, value) or (value is not None and is_new(value)):
        return True
    name = named(getattr(defined_in(program, function), "name", None))
    once = any(
        isinstance(v, cst.GeneratorExp) for n in program.nodes for v in calls(n, name) or ()
    )
    return not once and [v for name, v, _ in bindings(function) if name == named(value)] == [
        None
    ]


def _fits(program: Program, function: cst.FunctionDef, known: _Functions) -> bool:
    """Whether a function only computes from what stays as it is, if all do that are known."""
    import libcst as cst

    owner, body = first_parameter(function), function.body
    if function.name.value == "__iter__":
        return flat(body) in {f"returniter({owner}.{name})" for name in _settled(program)}
    kinds = [named(each.decorator) for each in function.decorators]
    plain = kinds in ([], ["property"]) and not function.asynchronous
    if not plain or (kinds and len(bound(function.params)) > 1):
        return False
    odd = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.With, cst.StarredElement)
    options = ("", "default", "key", "reverse")
    working = (cst.For, cst.While, cst.BaseComp, cst.Call)
    nodes = list(walk(body))
    helpers = {name for name, f in known.items() if f in program.module.body}
    taken = {name for name, _, below in bindings(function) if not below} - {"self"}
    costly = any(isinstance(n, working) for n in nodes) or identifiers(function) & known.keys()
    return bool(
        (costly or not kinds)
        and not any(isinstance(node, odd) for node in nodes)
        and all(named(n.keyword) in options for n in nodes if isinstance(n, cst.Arg))
        and all(only_read(program, n) for n in nodes if isinstance(n, cst.GeneratorExp))
        and names(body) - bound(function) <= (_BUILTINS - _LAZY) | helpers
        and computes(program, body, frozenset(known))
        and all(_is_known(program, n, known) for n in nodes if isinstance(n, cst.Attribute))
        and all(_is_old(program, value, taken) for value in stored(body))
    )


def _is_known(program: Program, node: cst.Attribute, known: _Functions) -> bool:
    """Whether an attribute stays as it is, or a method is behind it that only computes."""
    import libcst as cst

    name, call = node.attr.value, program.parent[node]
    is_called = isinstance(call, cst.Call) and call.func is node
    is_set = any(part.attr.value == name for part in set_attributes(program.module))
    if name in program.functions:
        mine = name in known and known[name] not in program.module.body and not is_set
        return mine and bool(known[name].decorators) != is_called
    return not is_set if is_called else name in _settled(program)


def _is_old(program: Program, value: cst.CSTNode, taken: Collection[str]) -> bool:
    """Whether an element is an older object, or such that nobody can change it."""
    import libcst as cst

    if isinstance(value, cst.Attribute):
        behind = program.functions.get(value.attr.value, ())
        return all(_gives_fixed(program, function) for function in behind)
    if isinstance(value, cst.Subscript):
        return not any(isinstance(part.slice, cst.Slice) for part in value.slice)
    older = isinstance(value, (cst.Name, cst.Tuple)) and named(value) not in taken
    return older or is_fixed(program, value)


def _gives_fixed(program: Program, function: cst.FunctionDef) -> bool:
    import libcst as cst

    values = (node.value for node in walk(function.body) if isinstance(node, cst.Return))
    return all(is_fixed(program, value) for value in values)


def _is_alone(program: Program, function: cst.FunctionDef) -> bool:
    """Whether a property is one of a plain class, by whose name nothing else is done."""
    import libcst as cst

    around, name = defined_in(program, function), function.name.value
    if not isinstance(around, cst.ClassDef) or around not in program.module.body:
        return False
    bases = [base.value for each in _classes(program) for base in each.bases]
    used = {each for n in (*bases, *_lines(around.body)) for each in names(n) | bound(n)}
    odd = around.decorators or around.bases or around.keywords or name[:2] == "__"
    sets = {part.attr.value for part in set_attributes(program.module)}
    return not odd and not {name, around.name.value} & used and name not in sets


def _is_only_read(program: Program, function: cst.FunctionDef) -> bool:
    """Whether all who ask for a property only look at what they get, unless it is fixed."""
    import libcst as cst

    fixed = _gives_fixed(program, function)
    for place in program.places:
        for node in place.own:
            if isinstance(node, cst.Attribute) and node.attr.value == function.name.value:
                read = fixed or _is_read(program, place, node)
                if not read or named(node.value) in program.definitions:
                    return False
    return True


def _is_read(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether a value is looked at, copied into another one, or given a name for that."""
    import libcst as cst

    above = program.parent[node]
    if any(isinstance(each, (cst.Is, cst.IsNot)) for each in walk(above)):
        return False
    if isinstance(above, cst.Attribute) and above.attr.value in ("items", "keys", "values"):
        return stays_local(program, place, program.parent[above])
    copied = isinstance(above, cst.AugAssign) or truth_only(program, node)
    return copied or stays_local(program, place, node)


def _is_asked_last(program: Program, name: str) -> bool:
    """Whether nobody makes an object, if that may change another, after one was asked."""
    import libcst as cst

    shared = False
    for function in program.functions.get("__init__", ()):
        owners = {named(part.value) for part in set_attributes(function.body)}
        shared |= not owners <= {first_parameter(function)}
        shared |= any(True for _ in changed_objects(function.body))
    making = reaching(program, {each.name.value for each in _classes(program)})
    asking, lazy = reaching(program, {name}), (cst.GeneratorExp, cst.Lambda, cst.Yield)
    every = [f for known, fs in program.functions.items() if known != "__init__" for f in fs]
    for function in every if shared else ():
        said = [node for node in walk(function.body) if named(node)]
        made = [i for i, node in enumerate(said) if named(node) in making]
        asked = [i for i, node in enumerate(said) if named(node) in asking]
        again = any(True for i in made for _ in program.loops(said[i]))
        late = made and asked and (again or max(made) > min(asked))
        waiting = made and any(isinstance(node, lazy) for node in walk(function.body))
        if late or waiting or (made and function not in program.module.body):
            return False
    return not shared or not any(names(line) & making for line in _lines(program.module))
