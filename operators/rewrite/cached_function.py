"""A costly function of plain arguments, asked again from elsewhere -> `lru_cache` around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.freshness import bindings
from operators.rewrite.front_cut import TEXT_METHODS
from operators.rewrite.imports import imports
from operators.rewrite.kinds import takes_unhashable
from operators.rewrite.library import OF_CLASSES, STEADY_MODULES, library_names
from operators.rewrite.making import called, is_fixed, results, stored
from operators.rewrite.owners import defined_in, first_parameter
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    calls,
    flat,
    lines,
    named,
    names,
    only,
    positional,
    root,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.steady_reads import reads_constants

if TYPE_CHECKING:
    import libcst as cst

KEPT = 1024
"""Results that are kept: the latest; an unbounded cache holds all that it ever met."""

_COPIES = {"dict": "dict", "list": "list", "set": "set", "sorted": "list"}
_ASKED_OF_MANY = frozenset(
    ["all", "any", "dict", "enumerate", "filter", "frozenset", "get", "index", "items", "iter",
     "join", "keys", "len", "list", "map", "max", "min", "next", "reversed", "set", "sorted",
     "str", "sum", "tuple", "values", "zip"]
)  # fmt: skip
_OF_ONE_TYPE = frozenset(["bytes", "str", "type"])
_HASHABLE = _OF_ONE_TYPE | {"bool", "int"}
_OF_A_CLASS = frozenset(["__doc__", "__module__", "__mro__", "__name__", "__qualname__"])


class CachedFunction(Rule):
    """Remember the results of a costly function for its latest arguments.

    For work that is done anew for each object of a class, or each line of a text. Valid for
    functions that only compute, as do those that they call, read constants that nothing in the
    file may change, and no attributes but those of classes, and return what nobody can change,
    or a list, dictionary or set of it, which is copied for each who asks (all checked). Methods
    have to leave their object alone, and return no list, dictionary or set.
    Arguments have to be hashable, equal ones alike, and what tells classes apart must not
    change; nobody may ask the function for more than its answer (left to the tests). Whether
    any come again is not looked at: the measurement tells. Known as memoization with a
    least-recently-used cache.
    """

    name = "cached_function"
    relies_on = "arguments are hashable, and equal ones are given equal answers at all times"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield the one change of a function that qualifies."""
        import libcst as cst

        node = place.node
        around = _around(program, node)
        if around is None or not isinstance(node, cst.FunctionDef):
            return
        own = node if around is node else _apart(node)
        if not _is_plain(program, node) or not _takes_keys(program, own):
            return
        if not _is_costly(program, node) or not _is_asked(program, own):
            return
        if not _is_steady(program, node):
            return
        made = results(program, node)
        copied = _container(node) if made.new else ""
        if made.once or copied is None or not _holds_fixed(program, node):
            return
        if made.new and own is not node:
            return
        cache, needed = imported(program, "functools", "lru_cache")
        typed = "" if _is_of_one_type(own) else ", typed=True"
        decorator = f"{cache}(maxsize={KEPT}{typed})"
        before, new = [], _decorated(node, decorator)
        if copied or around is not node:
            inner = program.fresh(f"_{node.name.value.lstrip('_')}_once")
            before = ["\n\n" + text(_decorated(_bare(own, inner), decorator))]
            answer = f"{inner}({_passed(own)})"
            new = _asking(node, f"{copied}({answer})" if copied else answer)
        yield TreeChange(
            anchor=node,
            replaced={node: new},
            before={around: before} if before else {},
            imports=needed,
            direction=f"Remember what `{node.name.value}` gave for the same arguments",
            effect=f"one evaluation for each of the latest {KEPT:,} arguments",
        )


def _around(program: Program, node: cst.CSTNode) -> cst.CSTNode | None:
    """Return the statement of the module that a function is: itself, or its class.

    A method has to leave its object alone. None: it is in something else.
    """
    import libcst as cst

    if node in program.module.body:
        return node
    around = defined_in(program, node)
    if not (isinstance(node, cst.FunctionDef) and isinstance(around, cst.ClassDef)):
        return None
    mine = {first_parameter(node), around.name.value, "super", "__class__"}
    used = names(node.body)
    of_the_class = mine & used or any(name.startswith("__") for name in used)
    stands = around in program.module.body and first_parameter(node)
    return around if stands and not of_the_class else None


def _apart(method: cst.FunctionDef) -> cst.FunctionDef:
    """Return a method without its object, and without what it notes of its result."""
    params = method.params.with_changes(params=method.params.params[1:])
    return method.with_changes(params=params, returns=None)


def _is_plain(program: Program, node: cst.FunctionDef) -> bool:
    """Whether it is defined once, without decorators, and its lines are all its own."""
    import libcst as cst

    strange = (cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.FunctionDef, cst.Lambda,
               cst.ClassDef, cst.Try)  # fmt: skip
    return (
        isinstance(node.body, cst.IndentedBlock)
        and len(program.functions[node.name.value]) == 1
        and not node.decorators
        and node.asynchronous is None
        and node.name.value not in names(node.body)
        and not any(isinstance(each, strange) for each in walk(node.body))
    )


def _takes_keys(program: Program, node: cst.FunctionDef) -> bool:
    """Whether its parameters are named, and what they are given may be a key."""
    import libcst as cst

    p = node.params
    given = (*p.params, *p.kwonly_params)
    named_only = not (p.posonly_params or p.star_kwarg or isinstance(p.star_arg, cst.Param))
    fixed = all(each.default is None or is_fixed(program, each.default) for each in given)
    return (
        bool(p.params)
        and named_only
        and fixed
        and not takes_unhashable(program, node)
        and all(_may_be_key(program, node, each) for each in given)
    )


def _may_be_key(program: Program, node: cst.FunctionDef, param: cst.Param) -> bool:
    """Whether a parameter is noted, or asked as a text is, or not as a list is."""
    import libcst as cst

    mentions = [n for n in walk(node.body) if named(n) == param.name.value]
    uses = [program.parent[n] for n in mentions]
    asked = {each.attr.value for each in uses if isinstance(each, cst.Attribute)}
    asked |= {
        called(above)
        for each in uses
        if isinstance(each, cst.Arg) and isinstance(above := program.parent[each], cst.Call)
    }
    many = (cst.CompFor, cst.For, cst.Subscript, cst.StarredElement)
    listed = asked & _ASKED_OF_MANY or any(isinstance(each, many) for each in uses)
    if param.annotation is not None:
        return named(param.annotation.annotation) in _HASHABLE
    searched = any(_is_searched(program, n) for n in mentions)
    return bool(asked & TEXT_METHODS) or searched or not listed


def _is_searched(program: Program, name: cst.CSTNode) -> bool:
    """Whether what a name stands for, or a stretch of it, is given to a regular expression."""
    import libcst as cst

    above = program.parent[name]
    if isinstance(above, cst.Subscript) and above.value is name:
        above = program.parent[above]
    call = program.parent[above]
    if not isinstance(above, cst.Arg) or not isinstance(call, cst.Call):
        return False
    return any(each.startswith("re.") for each in library_names(program, call.func))


def _is_costly(program: Program, node: cst.FunctionDef) -> bool:
    """Whether a look into a table may cost less: it tells of classes, loops, or asks a lot.

    One that asks a function which loops, or waits for an error, does as well.
    """
    import libcst as cst

    asked = [each for each in walk(node.body) if isinstance(each, cst.Call)]
    behind = (f for call in asked for f in program.functions.get(called(call), ()))
    long = (cst.For, cst.While, cst.BaseComp, cst.Try)
    loops = any(isinstance(part, long) for f in (node, *behind) for part in walk(f.body))
    return loops or len(asked) > 2 or any(_tells(program, each) for each in asked)


def _is_asked(program: Program, node: cst.FunctionDef) -> bool:
    """Whether the file asks the function, or others may with texts or classes."""
    import libcst as cst

    name = node.name.value
    asked = any(isinstance(n, cst.Call) and called(n) == name for n in program.nodes)
    return asked or _is_of_one_type(node)


def _tells(program: Program, call: cst.CSTNode) -> bool:
    """Whether a call asks what a class or function is made of."""
    import libcst as cst

    if not isinstance(call, cst.Call):
        return False
    return not OF_CLASSES.isdisjoint(library_names(program, call.func))


def _is_steady(program: Program, node: cst.FunctionDef) -> bool:
    """Whether it only computes, from its arguments and what the file never changes."""
    records = frozenset(each for each in program.definitions if _is_record(program, each))
    return (
        reads_constants(program, node, records)
        and computes(program, node.body, records)
        and _reads_classes_alone(program, node, frozenset())
    )


def _reads_classes_alone(
    program: Program,
    node: cst.FunctionDef,
    of_classes: frozenset[str],
    seen: frozenset[str] = frozenset(),
) -> bool:
    """Whether all attributes are methods, parts of modules, or of what tells about classes.

    Args:
        program: The program that it is in.
        node: The function.
        of_classes: Parameters of it that stand for what tells about classes.
        seen: Functions that are being looked at.
    """
    import libcst as cst

    modules = {one.name for one in imports(program) if one.module in STEADY_MODULES}
    known = of_classes | {
        name for name, value, _ in bindings(node.body) if value and _tells(program, value)
    }
    for part in walk(node.body):
        if isinstance(part, cst.Attribute):
            asked = isinstance(program.parent[part], cst.Call)
            if not (asked or root(part) in modules | known or part.attr.value in _OF_A_CLASS):
                return False
        if not isinstance(part, cst.Call) or (name := named(part.func)) in seen:
            continue
        for function in program.functions.get(name, ()):
            params = [param.name.value for param in function.params.params]
            given = [named(value) in known for value in positional(part) or ()]
            told = frozenset(name for name, ok in zip(params, given, strict=False) if ok)
            if not _reads_classes_alone(program, function, told, seen | {name}):
                return False
    return True


def _container(node: cst.FunctionDef) -> str | None:
    """Return what makes a copy of what is returned; None where that is not of one kind."""
    import libcst as cst

    given = [(name, value) for name, value, below in bindings(node.body) if not below]
    found: list[str] = []
    for part in walk(node.body):
        if isinstance(part, cst.Return):
            name = named(part.value) if part.value else ""
            values = [value for other, value in given if name and other == name] or [part.value]
            found += map(_copy_of, values)
    last = only(lines(node.body)[-1])
    if not isinstance(last, (cst.Return, cst.Raise)):
        return None  # it may come to its end, and return nothing
    return found[0] if found and found == found[:1] * len(found) and found[0] else None


def _copy_of(value: cst.CSTNode | None) -> str:
    import libcst as cst

    if isinstance(value, (cst.Dict, cst.DictComp)):
        return "dict"
    if isinstance(value, (cst.List, cst.ListComp)):
        return "list"
    if isinstance(value, (cst.Set, cst.SetComp)):
        return "set"
    names_ = (name for name in _COPIES if value is not None and calls(value, name) is not None)
    return next((_COPIES[name] for name in names_), "")


def _holds_fixed(program: Program, node: cst.FunctionDef) -> bool:
    """Whether nobody can change what is within a result, as far as one sees."""
    held = [*stored(node.body), *_handed_over(node)]
    return all(_is_unchangeable(program, node, value) for value in held)


def _handed_over(node: cst.FunctionDef) -> Iterator[cst.CSTNode]:
    """Yield the arguments of calls that keep them: records do, and `update`."""
    import libcst as cst

    for each in walk(node.body):
        if isinstance(each, cst.Call) and (each.args[1:] or called(each) in ("dict", "update")):
            yield from (arg.value for arg in each.args)


def _is_display(value: cst.CSTNode) -> bool:
    import libcst as cst

    made = (cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp)
    return any(isinstance(part, made) for part in walk(value))


def _is_unchangeable(program: Program, node: cst.FunctionDef, value: cst.CSTNode) -> bool:
    """Whether a value is a number, a text, a part of a class, or a record of such."""
    import libcst as cst

    if _is_display(value):
        return False
    if isinstance(value, cst.Call):
        behind = program.functions.get(named(value.func), ())
        plain = bool(behind) and not any(results(program, each).new for each in behind)
        return plain or is_fixed(program, value) or _is_record(program, named(value.func))
    if isinstance(value, cst.UnaryOperation):
        return _is_unchangeable(program, node, value.expression)
    given = [v for name, v, below in bindings(node.body) if name == named(value) and not below]
    return not any(isinstance(each, cst.Call) and not is_fixed(program, each) for each in given)


def _is_record(program: Program, name: str) -> bool:
    """Whether a class of the file is a named tuple."""
    import libcst as cst

    for node in program.module.body:
        if isinstance(node, cst.ClassDef) and node.name.value == name:
            bases = {flat(base.value).rpartition(".")[2] for base in node.bases}
            return "NamedTuple" in bases
    return False


def _is_of_one_type(node: cst.FunctionDef) -> bool:
    """Whether equal arguments are of one type by their annotations: texts, or classes."""
    return _notes(node) <= _OF_ONE_TYPE


def _notes(node: cst.FunctionDef) -> set[str]:
    """Return what the parameters are annotated as; a text without a name for what is not."""
    noted = (p.annotation for p in (*node.params.params, *node.params.kwonly_params))
    return {named(each.annotation) if each else "" for each in noted}


def _decorated(node: cst.FunctionDef, decorator: str) -> cst.FunctionDef:
    import libcst as cst

    return node.with_changes(decorators=[cst.Decorator(cst.parse_expression(decorator))])


def _bare(node: cst.FunctionDef, name: str) -> cst.FunctionDef:
    """Return the function under another name, without its documentation."""
    import libcst as cst

    documented = node.get_docstring() is not None
    body = node.body.with_changes(body=lines(node.body)[documented:])
    return node.with_changes(name=cst.Name(name), body=body, leading_lines=())


def _asking(node: cst.FunctionDef, answer: str) -> cst.FunctionDef:
    """Return the function with its documentation and one line that answers."""
    import libcst as cst

    last = cst.parse_statement(f"return {answer}")
    above = lines(node.body)[:1] if node.get_docstring() is not None else ()
    return node.with_changes(body=node.body.with_changes(body=[*above, last]))


def _passed(node: cst.FunctionDef) -> str:
    given = [param.name.value for param in node.params.params]
    return ", ".join(
        [*given, *(f"{p.name.value}={p.name.value}" for p in node.params.kwonly_params)]
    )
