"""What a workload's user wants to be faster: functions, methods, classes and modules, by name.

`FILE.py:NAME` is a function, a class or `Class.method`, `FILE.py` a whole module. Found without
running anything. Not here: whether a workload reaches them (`reach`).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from se_agent.errors import ProblemError, defined_hint, meant_hint
from se_agent.program.editable import editable_parts
from se_agent.program.source_check import definitions
from se_agent.user_function.function import spelled
from se_agent.user_function.module import Module, read
from se_agent.user_function.own_code import helpers

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, kw_only=True)
class Target:
    """What may change of one file.

    Attributes:
        module: The file.
        names: Qualified names of functions and classes in it; none: all of the file.
    """

    module: Module
    names: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """Path of the file below the folder that it is imported from."""
        return self.module.path.relative_to(self.module.root).as_posix()

    @property
    def spoken(self) -> str:
        """What people call it."""
        return f"{self.module.path.name}:{', '.join(self.names)}" if self.names else self.path

    @property
    def helpers(self) -> tuple[str, ...]:
        """What the named ones use of their file: it may be made faster with them."""
        return helpers(self.module, self.names)


def find_targets(specs: Sequence[str]) -> tuple[Target, ...]:
    """Return what may change, one target a file, in the order in which they are named.

    Raises:
        ProblemError: A file cannot be read, or defines no such function or class.
    """
    found: dict[Path, tuple[Module, list[str]]] = {}
    whole = set[Path]()
    for spec in specs:
        file, name = _split(spec)
        module = read(Path(file))
        _, names = found.setdefault(module.path, (module, []))
        if name:
            _require(module, name, spec)
            names.append(name)
        else:
            whole.add(module.path)
    return tuple(
        Target(module=module, names=() if path in whole else tuple(dict.fromkeys(names)))
        for path, (module, names) in found.items()
    )


def editable_of(targets: Sequence[Target]) -> str:
    """Return what may change, helpers along with it, as `program.editable` writes it."""
    return editable_parts({one.path: (*one.names, *one.helpers) for one in targets})


def _split(spec: str) -> tuple[str, str]:
    file, colon, name = spec.rpartition(":")
    if not colon:
        return spec, ""
    if not file or not name or not all(part.isidentifier() for part in name.split(".")):
        raise ProblemError(
            f"{spec!r}: not FILE.py:NAME",
            hint="such as pkg/mod.py:parse, pkg/mod.py:Reader.next, or pkg/mod.py for all",
        )
    if meant := spelled(file, name):
        raise ProblemError(f"{spec!r}: not FILE.py:NAME", hint=meant_hint(meant))
    return file, name


def _require(module: Module, name: str, spec: str) -> None:
    known = [*definitions(module.tree)]
    if name in known:
        return
    top, where = name.partition(".")[0], f"{module.path}: "
    if (line := _made_at(module.tree, top)) and top not in known:
        raise ProblemError(
            f"{module.path}:{line}: {top!r} is made as the module runs, and not by `def` or "
            "`class`",
            hint=f"name what makes it, or all of the module: {spec.rpartition(':')[0]}",
        )
    raise ProblemError(
        f"{where}there is no function or class {name!r}",
        hint=defined_hint(name, known),
    )


def _made_at(tree: ast.Module, name: str) -> int:
    """Return the line at which an assignment or an import binds a name; 0: none does."""
    for node in tree.body:
        for part in ast.walk(node) if not isinstance(node, _Definition) else ():
            stored = isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            if stored and part.id == name:  # type: ignore[attr-defined]
                return node.lineno
    return 0
