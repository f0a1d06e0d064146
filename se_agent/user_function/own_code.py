"""What a function uses of its own file: it may be made faster with it. Runs nothing.

Not here: what a workload's user names (`workloads.targets`).
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from se_agent.program.changing import CHANGING_FUNCTIONS, CHANGING_METHODS
from se_agent.program.editable import holder, joined_names
from se_agent.user_function.module import Module

_Routine = ast.FunctionDef | ast.AsyncFunctionDef


def own_code(module: Module, function: str) -> tuple[str, ...]:
    """Return a function, and then what it uses of its file, and what that uses, and so on.

    Those are functions and classes at the top level, in the order of the file. They are found
    by name: what goes by another name is not seen, and cannot change. A name that a function
    gives to something of its own is none of them.

    Args:
        module: The file.
        function: A function at its top level.
    """
    known: dict[str, list[ast.AST]] = {}
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            known.setdefault(node.name, []).append(node)
    used, todo = {function}, [function]
    while todo:
        names = {name for node in known.get(todo.pop(), ()) for name in _taken(node)}
        new = (names & known.keys()) - used
        used |= new
        todo += new
    return (function, *(name for name in known if name in used and name != function))


def helpers(module: Module, names: Sequence[str]) -> tuple[str, ...]:
    """Return the functions and methods of a file that others of it call, and that these call.

    A method calls those that it names as attributes of its first parameter. Methods of the same
    object come along where they share an attribute which one of the two changes: what is kept
    in order, or collected, is so by all of them.

    Args:
        module: The file.
        names: Qualified names of functions, methods and classes.
    """
    known = dict(_routines(module.tree))
    used, todo = dict.fromkeys(names), [*names]
    while todo:
        name = todo.pop()
        inside = [other for other in known if holder(other, name)]
        called = {one for other in inside for one in _called(known[other], other)}
        new = [one for one in known if one in called and not holder(one, joined_names(used))]
        used |= dict.fromkeys(new)
        todo += new
    used |= dict.fromkeys(_sharing(known, used))
    return tuple(name for name in used if name not in names)


def _sharing(known: Mapping[str, _Routine], used: Collection[str]) -> Iterator[str]:
    """Yield methods that share an attribute with a used one, if one of both changes it."""
    states = {name: _state(node) for name, node in known.items() if "." in name}
    for name in [each for each in states if each not in used]:
        owner, (reads, changes) = name.rpartition(".")[0], states[name]
        mine = [one for one in states if one in used and one.rpartition(".")[0] == owner]
        if any(reads & states[one][1] or changes & states[one][0] for one in mine):
            yield name


def _state(node: _Routine) -> tuple[frozenset[str], frozenset[str]]:
    """Return the attributes that a method uses of its object, and those that it changes."""
    parameters = [*node.args.posonlyargs, *node.args.args]
    me = parameters[0].arg if parameters else ""
    used, changed = set[str](), set[str]()
    for part in ast.walk(node):
        match part:
            case ast.Attribute(ctx=how) | ast.Subscript(ctx=how):
                if name := _own(part, me):
                    used.add(name)
                if not isinstance(how, ast.Load):
                    changed.add(_own(part, me))
            case ast.Call(func=ast.Attribute(value=value, attr=act)) if act in CHANGING_METHODS:
                changed.add(_own(value, me))
            case ast.Call(func=function, args=[first, *_]):
                if ast.unparse(function).rpartition(".")[2] in CHANGING_FUNCTIONS:
                    changed.add(_own(first, me))
    return frozenset(used), frozenset(changed - {""})


def _own(node: ast.expr, me: str) -> str:
    """Return the attribute of an object that code is, or is an element of; else nothing."""
    while isinstance(node, ast.Subscript):
        node = node.value
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == me:
            return name
    return ""


def _routines(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, _Routine]]:
    """Yield functions and methods at the top level, by qualified name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _routines(child, f"{prefix}{child.name}.")
        elif isinstance(child, _Routine):
            yield f"{prefix}{child.name}", child


def _called(node: _Routine, name: str) -> set[str]:
    """Return the names of what a function takes from its file, or from its own class."""
    owner = name.rpartition(".")[0]
    parameters = [*node.args.posonlyargs, *node.args.args]
    me = parameters[0].arg if owner and parameters else ""
    own = {
        f"{owner}.{part.attr}"
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and part.value.id == me
    }
    return _taken(node) | own


def _taken(node: ast.AST) -> set[str]:
    """Return the names that code takes from around it."""
    if isinstance(node, ast.ClassDef):
        return {name for part in ast.iter_child_nodes(node) for name in _taken(part)}
    parts = [*ast.walk(node)]
    read = {part.id for part in parts if isinstance(part, ast.Name)}
    own = {part.arg for part in parts if isinstance(part, ast.arg)}
    own |= {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)}
    within = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    own |= {p.name for p in parts if isinstance(p, within) and p is not node}
    shared = {name for p in parts if isinstance(p, ast.Global) for name in p.names}
    return read - (own - shared)
