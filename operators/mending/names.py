"""Names that a program uses and nobody binds: imports, helpers of the parent, other words."""

from __future__ import annotations

import ast
import builtins
import difflib
from collections.abc import Iterable, Iterator

from operators.mending.failing import (
    Change,
    FailingProgram,
    Function,
    Mended,
    parsed,
    with_changes,
    with_lines_before,
    with_top_lines,
)
from operators.mending.standard import ALIASES, HOMES, MEMBERS, MODULES, WORDS

_BUILT_IN = frozenset({*dir(builtins), "__name__", "__file__", "__doc__"})
_ALIKE = 0.8  # how near a misspelt name has to be to one that is there


def mended_names(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with the name that it misses, and all others that are as clear.

    A name of the parent's module comes before one of the standard library: there it has a
    meaning already.
    """
    if program.tree is None or not program.error.slots:
        return
    name = program.error.slots[0]
    yield from _with_self(program, name)
    complete = list(_complete(program))
    yield from complete
    if any(name not in unbound(tree) for one in complete if (tree := parsed(one.text))):
        return  # no misspelling, then
    bound = sorted(_bound(program.tree))
    for near in difflib.get_close_matches(name, bound, 1, _ALIKE):
        yield Mended(_renamed(program.text, name, near), f"Replace `{name}` by `{near}`")


def mended_members(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with what has come in the place of a module's member."""
    if program.tree is None or len(program.error.slots) < 2:
        return
    module, member = program.error.slots[:2]
    text = _with_members(program.text)
    if text != program.text:
        now = MEMBERS.get((module, member), "what it is called now")
        yield Mended(_with_imports(text, program), f"Replace `{module}.{member}` by `{now}`")


def mended_scope(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with a name declared that a function binds, and another one holds."""
    if program.tree is None or not program.error.slots:
        return
    name = program.error.slots[0]
    module = {n for node in program.tree.body for n in _bound_by(node)}
    for function in program.functions():
        if name not in _own(function):
            continue
        outer = [
            f for f in program.functions() if f is not function and function in ast.walk(f)
        ]
        if any(name in _own(f) | _arguments(f) for f in outer):
            word = "nonlocal"
        elif name in module:
            word = "global"
        else:
            continue
        line = f"{word} {name}"
        first = function.body[0]
        yield Mended(with_lines_before(program.text, first, line), f"Add `{line}`")


def mended_entry(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with the name that is called for the function that is meant by it."""
    if program.tree is None or not program.entry_point.isidentifier():
        return
    entry, top = program.entry_point, program.tree.body
    before = next((f for f in _top_functions(program.parent_tree) if f.name == entry), None)
    functions = [f for f in _top_functions(program.tree) if f.name != entry]
    functions = [f for f in functions if before is None or _fits(f, before)]
    used = {n.id for n in ast.walk(program.tree) if isinstance(n, ast.Name)}
    for function in sorted(functions, key=lambda f: (f.name in used, -f.lineno)):
        line = f"{entry} = {function.name}"
        yield Mended(f"{program.text.rstrip()}\n\n\n{line}\n", f"Add `{line}`")
    for node in top:
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, Function) and method.name in (entry, _camel(entry)):
                    line = f"{entry} = {node.name}().{method.name}"
                    yield Mended(f"{program.text.rstrip()}\n\n\n{line}\n", f"Add `{line}`")


def unbound(tree: ast.AST) -> list[str]:
    """Return the names that are read and bound nowhere, in the order of their first use."""
    bound = (_bound(tree) - _declared(tree)) | _BUILT_IN
    reads = (n for n in ast.walk(tree) if isinstance(n, ast.Name))
    used = sorted(reads, key=lambda n: (n.lineno, n.col_offset))
    return list(dict.fromkeys(n.id for n in used if n.id not in bound))


def _declared(tree: ast.AST) -> set[str]:
    """Return names that functions declare to be global, and that the module does not bind."""
    names = {n for node in ast.walk(tree) if isinstance(node, ast.Global) for n in node.names}
    body = tree.body if isinstance(tree, ast.Module) else []
    return names - {name for node in body for name in _bound_by(node)}


def with_words(text: str) -> str:
    """Return a text with Python's own words for those of Python 2 and of other languages."""
    tree = parsed(text)
    for name in unbound(tree) if tree else ():
        text = _renamed(text, name, WORDS.get(name, name))
    return text


def _complete(program: FailingProgram) -> Iterator[Mended]:
    """Yield the program with all that it misses and that has one meaning."""
    text, brought = _with_helpers(program)
    tree = parsed(text)
    words = [name for name in unbound(tree) if name in WORDS] if tree else []
    for name in words:
        text = _renamed(text, name, WORDS[name])
        brought.append(f"Replace `{name}` by `{WORDS[name]}`")
    text = _with_members(text)
    imported = _imports(text, program)
    text = with_top_lines(text, imported)
    brought += [f"Add `{line}`" for line in imported]
    if text != program.text:
        yield Mended(text, "; ".join(brought) or "Replace members that are gone")


def _with_imports(text: str, program: FailingProgram) -> str:
    return with_top_lines(text, _imports(text, program))


def _imports(text: str, program: FailingProgram) -> list[str]:
    tree = parsed(text)
    missing = unbound(tree) if tree else []
    lines = (_import_of(name, program.imports) for name in missing)
    return sorted(dict.fromkeys(line for line in lines if line))


def _import_of(name: str, packages: Iterable[str]) -> str:
    if name in packages or (name in MODULES and name not in HOMES):
        return f"import {name}"
    if ALIASES.get(name, "") in packages:
        return f"import {ALIASES[name]} as {name}"
    return f"from {HOMES[name]} import {name}" if name in HOMES else ""


def _with_helpers(program: FailingProgram) -> tuple[str, list[str]]:
    """Return the program with what it misses of its parent's module, and of what that needs."""
    homes = {
        name: node for node in program.parent_tree.body for name in sorted(_bound_by(node))
    }
    text, brought = program.text, list[str]()
    nodes: dict[ast.stmt, str] = {}
    tree = program.tree
    todo = unbound(tree) if tree else []
    known = _bound(tree) if tree else set()
    while todo:
        name = todo.pop(0)
        if name not in homes or homes[name] in nodes:
            continue
        nodes[homes[name]] = name
        todo += [n for n in _read(homes[name]) if n not in known]
    order = [node for node in program.parent_tree.body if node in nodes]
    for group in (ast.Import | ast.ImportFrom, ast.AST):
        chosen = [n for n in order if isinstance(n, group)]
        order = [n for n in order if n not in chosen]
        pieces = [_whole(program.parent, node) for node in chosen]
        brought += [f"Bring back `{nodes[node]}`" for node in chosen]
        if pieces and group is ast.AST:
            text = _above(text, pieces)
        elif pieces:
            text = with_top_lines(text, pieces)
    return text, brought


def _above(text: str, pieces: list[str]) -> str:
    """Return a text with definitions in front of its first one, behind its imports."""
    tree = parsed(text)
    imports = (
        [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)] if tree else []
    )
    if not imports:
        return with_top_lines(text, pieces)
    rows = text.split("\n")
    place = max(node.end_lineno or node.lineno for node in imports)
    return "\n".join([*rows[:place], *pieces, *rows[place:]])


def _whole(text: str, node: ast.stmt) -> str:
    """Return the text of a statement with its decorators."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)])
    return "\n".join(text.split("\n")[first - 1 : node.end_lineno])


def _with_self(program: FailingProgram, name: str) -> Iterator[Mended]:
    """Yield the program with a method's own name read from its object."""
    assert program.tree is not None
    changes = []
    for node in ast.walk(program.tree):
        if not isinstance(node, ast.ClassDef):
            continue
        methods = [f for f in node.body if isinstance(f, Function)]
        if name not in {f.name for f in methods}:
            continue
        for method in methods:
            own = [a.arg for a in method.args.args[:1]]
            reads = [n for n in ast.walk(method) if isinstance(n, ast.Name) and n.id == name]
            changes += [Change(n, f"{own[0]}.{name}") for n in reads if own]
    if changes:
        new = with_changes(program.text, changes)
        yield Mended(new, f"Read `{name}` from its object")


def _with_members(text: str) -> str:
    tree = parsed(text)
    changes = [
        Change(node, MEMBERS[node.value.id, node.attr])
        for node in (ast.walk(tree) if tree else ())
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in MEMBERS
    ]
    return with_changes(text, changes)


def _renamed(text: str, old: str, new: str) -> str:
    tree = parsed(text)
    reads = (
        (n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == old) if tree else ()
    )
    return with_changes(text, [Change(node, new) for node in reads])


def _bound(tree: ast.AST) -> set[str]:
    """Return all names that are bound somewhere in a tree, whatever the scope."""
    return {name for node in ast.walk(tree) for name in _binds(node)}


def _binds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, Function | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _bound_by(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a module binds there."""
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    return _bound(node)


def _own(function: Function) -> set[str]:
    """Return the names that a function itself binds, without those of inner functions."""
    found: set[str] = set()
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        found.update(_binds(node))
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(node))
    return found


def _arguments(function: Function) -> set[str]:
    args = function.args
    return {a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]}


def _read(node: ast.AST) -> list[str]:
    return list(dict.fromkeys(n.id for n in ast.walk(node) if isinstance(n, ast.Name)))


def _top_functions(tree: ast.Module) -> list[Function]:
    return [node for node in tree.body if isinstance(node, Function)]


def _fits(function: Function, before: Function) -> bool:
    """Say whether a function takes as many arguments as the one before it did."""
    most, given = len(function.args.args), len(before.args.args)
    return most - len(function.args.defaults) <= given <= most


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
