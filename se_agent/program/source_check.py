"""What can be said of a Python text without running it: syntax, names, imports.

No code of a problem ever runs here; that is the sandbox's business.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from se_agent.errors import ProblemError, defined_hint
from se_agent.program.parsing import expression_tree, literal_of, tree_of


def parsed_tree(text: str, path: Path) -> ast.Module:
    """Return the syntax tree of a file.

    Raises:
        ProblemError: It is not valid Python; the message has the line.
    """
    try:
        return tree_of(text, str(path))
    except SyntaxError as err:
        raise ProblemError(
            f"{path}:{err.lineno or 1}: not valid Python: {err.msg}",
            hint=f"python -m py_compile {path.name} shows the place",
        ) from err
    except ValueError as err:
        raise ProblemError(f"{path}: not valid Python: {err}", hint="save it as UTF-8") from err


def defined_names(tree: ast.Module) -> frozenset[str]:
    """Return the names that a module binds at its top level."""
    return frozenset(name for node in _top_level(tree.body) for name in _bound(node))


def definitions(node: ast.AST, prefix: str = "") -> Iterator[str]:
    """Give functions, classes and methods by qualified name; none inside functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}{child.name}"
            yield name
            if isinstance(child, ast.ClassDef):
                yield from definitions(child, f"{name}.")
        elif isinstance(child, ast.If | ast.Try | ast.With | ast.ExceptHandler):
            yield from definitions(child, prefix)


def changed_functions(old: str, new: str) -> tuple[str, ...]:
    """Return the functions and methods of both texts whose code differs, by qualified name."""
    before = dict(_functions(tree_of(old)))
    return tuple(
        name
        for name, code in _functions(tree_of(new))
        if name in before and before[name] != code
    )


def changed_names(
    names: Iterable[str], old: Mapping[str, str], new: Mapping[str, str]
) -> tuple[str, ...]:
    """Return those of some names under which code of a program changed.

    Args:
        names: As `program.editable` writes them.
        old: Text by path.
        new: The same files, changed.
    """
    changed = [path for path in old if old[path] != new.get(path)]
    functions = {path: changed_functions(old[path], new.get(path, "")) for path in changed}

    def has_changed(name: str) -> bool:
        path, _, own = name.rpartition(":")
        files = [file for file in changed if path in ("", file)]
        return any(
            not own or any(f == own or f.startswith(f"{own}.") for f in functions[file])
            for file in files
        )

    return tuple(filter(has_changed, names))


def _functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Give functions and methods by qualified name, with their code; none inside functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{child.name}", ast.dump(child)
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.If | ast.Try | ast.With | ast.ExceptHandler):
            yield from _functions(child, prefix)


@lru_cache(maxsize=8)  # asked for each slot of a run
def called_name(entry_point: str, prelude: str, program: str) -> str:
    """Return the name that a program has to define for its problem.

    It is the entry point; where a prelude defines that, the first top-level name of the program
    that the prelude uses. Empty: neither is there.

    Args:
        entry_point: What is called.
        prelude: Source that runs before the program, in its namespace.
        program: An initial program; like the prelude it is valid Python.
    """
    tree, own = tree_of(prelude), defined_names(tree_of(program))
    if entry_point.partition(".")[0] not in defined_names(tree):
        return entry_point
    used = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return next((name for name in used if name in own), "")


def require(name: str, trees: Iterable[ast.Module], path: Path, what: str) -> None:
    """See that one of the modules defines a function at its top level.

    Raises:
        ProblemError: None does; `what` says what the name is needed for.
    """
    known = sorted(name for tree in trees for name in defined_names(tree))
    if name in known:
        return
    raise ProblemError(
        f"{path}: {what} {name!r} is not defined at the top level",
        hint=defined_hint(name, known, "the file"),
    )


def require_imports(tree: ast.Module, path: Path, allowed: Collection[str]) -> None:
    """See that a program imports the standard library and the listed packages only.

    Raises:
        ProblemError: It imports something else; the message has the line.
    """
    packages = {name.partition(".")[0] for name in allowed}
    for name, line in foreign_imports(tree):
        if name not in packages:
            raise ProblemError(
                f"{path}:{line}: imports {name!r}, which the problem does not list",
                hint=f'add imports = ["{name}"] to problem.toml, or do without it',
            )


def is_expression(code: str) -> bool:
    """Say whether a text is one Python expression."""
    try:
        expression_tree(code)
    except (SyntaxError, ValueError):
        return False
    return True


def is_literal(code: str) -> bool:
    """Say whether a text is a Python literal."""
    try:
        literal_of(code)
    except (SyntaxError, ValueError):
        return False
    return True


def _top_level(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Give the statements that run when the module does, branches included."""
    for node in body:
        yield node
        for field in ("body", "orelse", "finalbody"):
            if isinstance(node, ast.If | ast.Try | ast.With):
                yield from _top_level(getattr(node, field, []))


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (name.asname or name.name.split(".")[0] for name in node.names)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (name.id for name in targets if isinstance(name, ast.Name))


def foreign_imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the packages besides the standard library that a program imports, with lines."""
    for name, line in _imports(tree):
        if name not in sys.stdlib_module_names:
            yield name, line


def _imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name.split(".")[0], node.lineno) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or ".").split(".")[0], node.lineno
