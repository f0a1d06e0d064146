"""The function that a user points at, `FILE.py:FUNCTION`, found without running anything.

Not here: where its inputs come from (`target.inputs`), and how its module is made to run in
the jail (`target.context`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from se_agent.errors import ProblemError, did_you_mean

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True)
class Target:
    """A plain function at the top level of a file, with the package that the file is part of.

    Attributes:
        path: Of the file, absolute.
        function: Name.
        text: Of the file, as it was read.
        root: Folder from which the module is imported: above its topmost package.
        module: Dotted name from there, such as `package.module`.
    """

    path: Path
    function: str
    text: str
    root: Path
    module: str

    @property
    def package(self) -> str:
        """Dotted name of the package that the module is in; empty for a lone file."""
        if self.path.name == "__init__.py":
            return self.module
        return self.module.rpartition(".")[0]

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Imported packages, without the file's own and the standard library."""
        own = self.module.partition(".")[0] if self.package else ""
        names = sorted(set(_imported(ast.parse(self.text))))
        return tuple(n for n in names if n != own and n not in sys.stdlib_module_names)

    @cached_property
    def neighbours(self) -> tuple[str, ...]:
        """Imported names that lie beside the file, or in its own package."""
        beside = (n for n in self.imports if _lies_in(self.root, n))
        return (*([self.module.partition(".")[0]] if self.package else []), *beside)


def find(spec: str) -> Target:
    """Return the function that `FILE.py:FUNCTION` means.

    Raises:
        ProblemError: There is no such file or function, or it is of a kind that cannot be
            called by itself: a method, a generator, an async or a nested function, a lambda.
    """
    file, colon, name = spec.rpartition(":")
    if not colon or not file or not name:
        raise ProblemError(
            f"{spec!r}: not FILE.py:FUNCTION", hint="such as tools/text.py:parse"
        )
    path = Path(file).expanduser().resolve()
    text = _read(path)
    try:
        tree = ast.parse(text, filename=str(path))
    except (SyntaxError, ValueError) as err:
        line = getattr(err, "lineno", None) or 1
        raise ProblemError(
            f"{path}:{line}: not valid Python {sys.version_info[0]}.{sys.version_info[1]}: "
            f"{getattr(err, 'msg', err)}",
            hint="correct the file, or run se-agent under the Python that it is written for",
        ) from err
    _refuse(tree, path, name)
    root, module = _place(path, tree)
    return Target(path=path, function=name, text=text, root=root, module=module)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as err:
        raise ProblemError(f"{path}: {err.strerror}", hint="give the path of a file") from err
    except UnicodeDecodeError as err:
        raise ProblemError(f"{path}: not UTF-8: {err}", hint="save the file as UTF-8") from err


def _refuse(tree: ast.Module, path: Path, name: str) -> None:
    """Raise unless the name is that of a plain function at the top level."""
    *owner, last = name.split(".")
    found = [] if owner else [node for node in _statements(tree) if last in _binds(node)]
    if not found:
        raise _absent(tree, path, last, owner)
    node = found[-1]
    where = f"{path}:{node.lineno}: {name!r}"
    if isinstance(node, Function):
        _refuse_kind(node, where)
    elif isinstance(node, ast.ClassDef):
        raise _unfit(f"{where} is a class", "name a function at the top level of the file")
    elif isinstance(node, ast.Import | ast.ImportFrom):
        raise _unfit(f"{where} is imported", "name the file that defines it")
    elif isinstance(getattr(node, "value", None), ast.Lambda):
        raise _unfit(f"{where} is a lambda", f"write it as `def {name}(...):`")
    else:
        raise _unfit(f"{where} is not a function", "name a function at the top level")


def _refuse_kind(node: Function, where: str) -> None:
    if isinstance(node, ast.AsyncFunctionDef):
        raise _unfit(
            f"{where} is an async function",
            "only plain functions can be compared: move the work into one that it awaits not",
        )
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in _own(node)):
        raise _unfit(
            f"{where} is a generator",
            "only plain functions can be compared: wrap it in one that returns a list",
        )
    needed = [
        argument.arg
        for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is None
    ]
    if needed:
        raise _unfit(
            f"{where} needs the keyword {needed[0]!r}",
            "arguments are given by position: give the keyword a default, or wrap the function",
        )


def _absent(tree: ast.Module, path: Path, name: str, owner: list[str]) -> ProblemError:
    for kind, outer, node in _inner(tree):
        if node.name == name and (not owner or outer == owner[-1]):
            what = "a method of class" if kind is ast.ClassDef else "nested in function"
            return _unfit(
                f"{path}:{node.lineno}: {name!r} is {what} {outer!r}",
                "only functions at the top level of a file: move the work into one",
            )
    known = [node.name for node in _statements(tree) if isinstance(node, Function)]
    asked = ".".join([*owner, name])
    return ProblemError(
        f"{path}: there is no function {asked!r}",
        hint=did_you_mean(asked, known) or f"it defines {', '.join(known[:8]) or 'none'}",
    )


def _unfit(message: str, hint: str) -> ProblemError:
    return ProblemError(message, hint=hint)


def _inner(tree: ast.AST) -> Iterator[tuple[type, str, Function]]:
    """Give each function inside a class or function, with the kind and name of that."""
    for outer in ast.walk(tree):
        if isinstance(outer, ast.ClassDef | Function):
            kind = ast.ClassDef if isinstance(outer, ast.ClassDef) else ast.FunctionDef
            for node in outer.body:
                if isinstance(node, Function):
                    yield kind, outer.name, node


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Give the statements that run when the module does, those in branches included."""
    todo: list[ast.AST] = list(reversed(tree.body))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.If | ast.Try | ast.With | ast.ExceptHandler):
            todo += reversed(list(ast.iter_child_nodes(node)))


def _binds(node: ast.stmt) -> set[str]:
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {name.asname or name.name.partition(".")[0] for name in node.names}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    return set()


def _own(function: Function) -> Iterator[ast.AST]:
    """Give the nodes of a function's body, without those of functions and classes in it."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            todo += ast.iter_child_nodes(node)


def _place(path: Path, tree: ast.Module) -> tuple[Path, str]:
    """Return the folder that the module is imported from, and its dotted name there."""
    depth = _depth(tree)
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    # A package without __init__.py shows only by the dots of relative imports.
    while (folder / "__init__.py").is_file() or depth > 0:
        if folder.parent == folder:
            raise ProblemError(
                f"{path}: its relative imports leave the file system",
                hint="put the file where its package is",
            )
        parts.insert(0, folder.name)
        folder, depth = folder.parent, depth - 1
    return folder, ".".join(parts) or path.parent.name


def _depth(tree: ast.Module) -> int:
    levels = (n.level for n in ast.walk(tree) if isinstance(n, ast.ImportFrom))
    return max(levels, default=0)


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


def _lies_in(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()
