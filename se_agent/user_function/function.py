"""The function that a user points at, `FILE.py:FUNCTION`, found without running anything.

Not here: where its inputs come from (`inputs`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from se_agent.errors import ProblemError, UncallableError, defined_hint, meant_hint
from se_agent.files.plain import resolved_path
from se_agent.program.parsing import tree_of
from se_agent.user_function.module import Module, read

Function = ast.FunctionDef | ast.AsyncFunctionDef
_SHOWN = 5  # functions of a file that a hint names


@dataclass(frozen=True, kw_only=True)
class UserFunction:
    """A plain function at the top level of a file.

    Attributes:
        module: The file.
        function: Its name there.
    """

    module: Module
    function: str

    @property
    def name(self) -> str:
        """Dotted name of module and function."""
        return f"{self.module.name}.{self.function}"

    @property
    def arguments(self) -> ast.arguments:
        """The parameters of its definition; of several the last one counts."""
        found = _bound(self.module.tree, self.function)[-1]
        assert isinstance(found, ast.FunctionDef), "others are refused"
        return found.args


def find(spec: str) -> UserFunction:
    """Return the function that `FILE.py:FUNCTION` means.

    Raises:
        UncallableError: It is a method, a class, a generator, an async function, or needs a
            keyword.
        ProblemError: There is no such file or function, or it is of another kind that cannot
            be called by itself: a nested function, a lambda, an imported name.
    """
    file, colon, name = spec.rpartition(":")
    if not colon or not file or not name:
        raise ProblemError(f"{spec!r}: not FILE.py:FUNCTION", hint=_such_as(spec))
    if meant := spelled(file, name):
        raise ProblemError(f"{spec!r}: not FILE.py:FUNCTION", hint=meant_hint(meant))
    module = read(Path(file))
    _refuse(module.tree, module.path, name)
    return UserFunction(module=module, function=name)


def _such_as(spec: str) -> str:
    """Return how functions are named here: those of the file, if one was named alone."""
    body = read(Path(spec)).tree.body if _is_file(spec) else []
    names = [node.name for node in body if isinstance(node, ast.FunctionDef)]
    named = [f"{spec}:{name}" for name in names[:_SHOWN]] or ["tools/text.py:parse"]
    return f"such as {', '.join(named)}"


def spelled(file: str, name: str) -> str:
    """Return how `mylib.py::f` or `mylib:f` is spelled here; empty where no such file is."""
    if _is_file(file):
        return ""
    plain = file.rstrip(":")
    files = (plain, f"{plain}.py", f"{plain.replace('.', '/')}.py")
    return next((f"{one}:{name}" for one in files if _is_file(one)), "")


def _is_file(name: str) -> bool:
    try:
        return resolved_path(Path(name)).is_file()
    except OSError:
        return False


def is_plain(text: str, name: str) -> bool:
    """Say whether a name is that of a function in a text that can be pointed at."""
    try:
        _refuse(tree_of(text), Path(), name)
    except ProblemError:
        return False
    return True


def _refuse(tree: ast.Module, path: Path, name: str) -> None:
    """Raise unless the name is that of a plain function at the top level."""
    *owner, last = name.split(".")
    found = [] if owner else _bound(tree, last)
    if not found:
        raise _absent(tree, path, last, owner)
    node = found[-1]
    where = f"{path}:{node.lineno}: {name!r}"
    if isinstance(node, Function):
        _refuse_kind(node, where)
    elif isinstance(node, ast.ClassDef):
        raise UncallableError(
            f"{where} is a class", hint="name a function at the top level of the file"
        )
    elif isinstance(node, ast.Import | ast.ImportFrom):
        raise _unfit(f"{where} is imported", "name the file that defines it")
    elif isinstance(getattr(node, "value", None), ast.Lambda):
        raise _unfit(f"{where} is a lambda", f"write it as `def {name}(...):`")
    else:
        raise _unfit(f"{where} is not a function", "name a function at the top level")


def _bound(tree: ast.Module, name: str) -> list[ast.stmt]:
    """Return the statements at the top level that bind a name, the last one counts."""
    return [node for node in _statements(tree) if name in _binds(node)]


def _refuse_kind(node: Function, where: str) -> None:
    if isinstance(node, ast.AsyncFunctionDef):
        raise UncallableError(
            f"{where} is an async function",
            hint="only plain functions can be compared: move the work into one that it calls",
        )
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in _own(node)):
        raise UncallableError(
            f"{where} is a generator",
            hint="only plain functions can be compared: wrap it in one that returns a list",
        )
    needed = [
        argument.arg
        for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is None
    ]
    if needed:
        raise UncallableError(
            f"{where} needs the keyword {needed[0]!r}",
            hint="arguments are given by position: give the keyword a default, or wrap the "
            "function",
        )


def _absent(tree: ast.Module, path: Path, name: str, owner: list[str]) -> ProblemError:
    for kind, outer, node in _inner(tree):
        if node.name == name and (not owner or outer == owner[-1]):
            what = "a method of class" if kind is ast.ClassDef else "nested in function"
            refused = UncallableError if kind is ast.ClassDef else ProblemError
            return refused(
                f"{path}:{node.lineno}: {name!r} is {what} {outer!r}",
                hint="only functions at the top level of a file: move the work into one",
            )
    known = [node.name for node in _statements(tree) if isinstance(node, Function)]
    asked = ".".join([*owner, name])
    return ProblemError(
        f"{path}: there is no function {asked!r}",
        hint=defined_hint(asked, known),
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
