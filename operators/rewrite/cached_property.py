"""A property that comes to the same for each who asks -> `functools.cached_property`."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import handed, identifiers, reaching
from operators.rewrite.freshness import bindings
from operators.rewrite.imports import imports
from operators.rewrite.in_place import changed_objects, word_of
from operators.rewrite.making import is_fixed, stored
from operators.rewrite.one_class import (
    BY_FORCE,
    BY_TEXT,
    classes,
    function_around,
    is_derived,
    is_plain,
    plain_lines,
)
from operators.rewrite.owners import defined_in, first_parameter, set_attributes
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    bound,
    calls,
    flat,
    named,
    names,
    variables,
)
from operators.rewrite.rule import Rule
from operators.rewrite.settled import LAZY, settled
from operators.rewrite.uses import only_read, stays_local, truth_only

if TYPE_CHECKING:
    import libcst as cst

_TELLING = BY_FORCE | BY_TEXT | {"__slots__", "globals", "locals"}
_SEEING = frozenset(
    ["array", "cloudpickle", "concurrent", "copy", "dill", "inspect", "numpy", "pandas",
     "pickle", "threading", "torch"]
)  # fmt: skip
"""Modules that take objects as they find them, or whose objects share their elements."""

_HOOKS = frozenset(["__get__", "__missing__", "__next__", "__set__", "__set_name__"])
_SHOWING = frozenset(["__format__", "__repr__", "__str__"])
_QUIET = frozenset(
    ["__call__", "__delitem__", "__enter__", "__exit__", "__init__", "__setitem__"]
)
"""Special methods that code which only computes does not come to."""

_BUILTINS = frozenset(dir(builtins))
_Functions = Mapping[str, "cst.FunctionDef"]


class CachedProperty(Rule):
    """Work out a property once for each object, not each time that somebody asks for it.

    Valid where it only computes from attributes that nothing but `__init__` sets or changes,
    and what it returns is only read. That is checked in the file, by name: what it changes in
    place has to be local, or a list or the like of another attribute that nobody is handed.
    That no object changes after a property was asked for, and that other files only read what
    they are given, is left to the tests; so is recursion, which takes two levels of its limit.
    Known as caching, or memoization, of properties.
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
    return tuple(
        functions[0]
        for name, functions in program.functions.items()
        if len(functions) == 1
        and _is_property(functions[0])
        and _only_computes(program, functions[0])
        and _is_alone(program, functions[0])
        and _is_only_read(program, functions[0])
        and _is_asked_last(program, name)
    )


def _is_property(function: cst.FunctionDef) -> bool:
    return [named(each.decorator) for each in function.decorators] == ["property"]


def _is_open(program: Program) -> bool:
    """Whether objects are seen by names of attributes only, and names mean what they say."""
    import libcst as cst

    every = [call for call in program.nodes if isinstance(call, cst.Call)]
    used = {"property", *(named(f) for call in every for f in (call.func, *handed(call)))}
    modules = {each.module.partition(".")[0] for each in imports(program)}
    odd = (cst.ImportStar, cst.Match, cst.Global)
    hidden = program.names & _TELLING or bound(program.module) & _BUILTINS & used
    seen = modules & _SEEING or program.functions.keys() & _HOOKS
    return not (hidden or seen) and not any(
        isinstance(node, odd) or (hasattr(node, "attr") and _begins_anew(program, node))
        for node in program.nodes
    )


def _begins_anew(program: Program, node: cst.CSTNode) -> bool:
    """Whether an object may be made once more, by `__init__` or by another class of it."""
    if word_of(node) == "__class__":
        return node in set_attributes(program.module)
    maker = getattr(function_around(program, node), "name", None)
    first = flat(node) == "super().__init__" and named(maker) == "__init__"
    return word_of(node) == "__init__" and not first


def _only_computes(program: Program, function: cst.FunctionDef) -> bool:
    """Whether a property and the functions of the file that it comes to only compute."""
    special = sorted(name for name in program.functions if name[:2] == "__")
    asking = reaching(program, {function.name.value})
    if any(asking & identifiers(f) for name in special for f in program.functions[name]):
        return False  # nobody sees who asks
    todo, known = [function], {function.name.value: function}
    for name in special:
        todo += () if name in _QUIET | _SHOWING else program.functions[name]
    for one in todo:
        told = names(one.body) - bound(one)
        told |= {word_of(node) for node in walk(one.body) if hasattr(node, "attr")}
        told |= _SHOWING if _shows(one) else set()
        for name in sorted(told & program.functions.keys() - known.keys()):
            todo += program.functions[name]
            known[name] = program.functions[name][0]
            if len(program.functions[name]) > 1 and name not in _SHOWING:
                return False
    return all(_fits(program, each, known) for each in todo)


def _shows(function: cst.FunctionDef) -> bool:
    """Whether a function may ask objects for a text of themselves."""
    import libcst as cst

    showing = identifiers(function) & {"ascii", "format", "print", "repr", "str"}
    texts = (cst.FormattedString, cst.Modulo)
    return bool(showing) or any(isinstance(node, texts) for node in walk(function.body))


def _fits(program: Program, function: cst.FunctionDef, known: _Functions) -> bool:
    """Whether a function only computes from what stays as it is, if all do that are known."""
    import libcst as cst

    owner, body = first_parameter(function), function.body
    if function.name.value == "__iter__":
        return flat(body) in {f"returniter({owner}.{name})" for name in settled(program)}
    kinds, place = bool(function.decorators), defined_in(program, function)
    plain = place is program.module or place in classes(program)
    if not plain or function.asynchronous or (kinds and not _is_property(function)):
        return False
    if kinds and len(bound(function.params)) > 1:
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
        and names(body) - bound(function) <= (_BUILTINS - LAZY) | helpers
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
    return not is_set if is_called else name in settled(program)


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
    sets = {part.attr.value for part in set_attributes(program.module)}
    odd, told = _told(program)
    return around.name.value not in odd and name[:2] != "__" and name not in sets | told


@lru_cache(maxsize=128)
def _told(program: Program) -> tuple[frozenset[str], frozenset[str]]:
    """Return which classes do not stand alone, and what the lines of classes name."""
    every = {each.name.value: each for each in classes(program)}
    odd = {n for n, each in every.items() if not is_plain(each) or is_derived(program, each)}
    used = (n for n in variables(program.module) if n.value in every)
    odd |= {node.value for node in used if not _is_asked_for(program, node)}
    lines = (line for each in classes(program) for line in plain_lines(each.body))
    return frozenset(odd), frozenset(named(node) for line in lines for node in walk(line))


def _is_asked_for(program: Program, node: cst.CSTNode) -> bool:
    """Whether a class is called where it is named, or is told as a type: it has no alias."""
    import libcst as cst

    above = [*program.above(node)]
    call = above[1] if isinstance(above[0], cst.Arg) else None
    told = isinstance(call, cst.Call) and named(call.func) == "isinstance"
    plain = isinstance(above[0], (cst.Attribute, cst.Call, cst.ClassDef))
    return told or plain or any(isinstance(n, cst.Annotation) for n in above)


def _is_only_read(program: Program, function: cst.FunctionDef) -> bool:
    """Whether all who ask for a property only look at what they get, unless it is fixed."""
    import libcst as cst

    fixed = _gives_fixed(program, function)
    return not any(
        _is_class(program, node.value) or not (fixed or _is_read(program, place, node))
        for place, node in _askers(program).get(function.name.value, ())
        if isinstance(node, cst.Attribute)
    )


@lru_cache(maxsize=128)
def _askers(program: Program) -> Mapping[str, list[tuple[Place, cst.CSTNode]]]:
    """Return the attributes by name that functions ask for, each with the function."""
    found: dict[str, list[tuple[Place, cst.CSTNode]]] = {}
    for place in program.places:
        for node in (each for each in place.own if hasattr(each, "attr")):
            found.setdefault(word_of(node), []).append((place, node))
    return found


def _is_class(program: Program, node: cst.CSTNode) -> bool:
    """Whether a node is a class of the file, or that of an object."""
    known = {"__class__", "cls", *program.definitions}
    return word_of(node) in known or calls(node, "type") is not None


def _is_read(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether a value is looked at, copied into another one, or given a name for that."""
    import libcst as cst

    above = program.parent[node]
    told = any(isinstance(each, (cst.Is, cst.IsNot)) for each in walk(above))
    if told or calls(program.parent[above], "id"):
        return False
    if isinstance(above, cst.Attribute) and above.attr.value in ("items", "keys", "values"):
        return stays_local(program, place, program.parent[above])
    copied = isinstance(above, cst.AugAssign) or truth_only(program, node)
    return copied or stays_local(program, place, node)


def _is_asked_last(program: Program, name: str) -> bool:
    """Whether nobody makes an object, if that may change another, after one was asked."""
    import libcst as cst

    if not _shares(program):
        return True
    seeds = {"__class__", "cls", "type", *(each.name.value for each in classes(program))}
    making = reaching(program, seeds)
    asking, lazy = reaching(program, {name}), (cst.GeneratorExp, cst.Lambda, cst.Yield)
    every = [f for known, fs in program.functions.items() if known != "__init__" for f in fs]
    for function in every:
        said = [node for node in walk(function.body) if named(node)]
        made = [i for i, node in enumerate(said) if named(node) in making]
        asked = [i for i, node in enumerate(said) if named(node) in asking]
        again = any(True for i in made for _ in program.loops(said[i]))
        late = made and asked and (again or max(made) > min(asked))
        waiting = made and (
            identifiers(function) & {"map", "next"}
            or any(isinstance(node, lazy) for node in walk(function.body))
        )
        if late or waiting or (made and function not in program.module.body):
            return False
    return not any(names(line) & making for line in plain_lines(program.module))


@lru_cache(maxsize=128)
def _shares(program: Program) -> bool:
    """Whether to make an object may change another one."""
    makers = program.functions.get("__init__", ())
    sets = (
        named(p.value) != first_parameter(f) for f in makers for p in set_attributes(f.body)
    )
    return any(True for f in makers for _ in changed_objects(f.body)) or any(sets)
