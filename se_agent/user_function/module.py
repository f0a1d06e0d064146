"""A Python file of the user's as it was read, and the package that it is part of. Runs nothing.

Not here: how it is made to run in the jail (`context`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from se_agent.errors import ProblemError, did_you_mean
from se_agent.files import plain
from se_agent.program.parsing import tree_of


@dataclass(frozen=True, kw_only=True)
class Module:
    """A Python file.

    Attributes:
        path: Absolute path of the file.
        text: Text of the file, as it was read.
        root: Folder from which it is imported: above its topmost package.
        name: Dotted name from there, such as `package.module`.
    """

    path: Path
    text: str
    root: Path
    name: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return tree_of(self.text)

    @property
    def package(self) -> str:
        """Dotted name of the package that the module is in; empty for a lone file."""
        if self.path.name == "__init__.py":
            return self.name
        return self.name.rpartition(".")[0]

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Installed packages that it imports: not its own, beside it, or in Python itself."""
        own = {self.name.partition(".")[0]} if self.package else set()
        names = set(_imported(self.tree)) - own - sys.stdlib_module_names
        return tuple(sorted(n for n in names if not _lies_in(self.root, n)))

    @cached_property
    def needs_root(self) -> bool:
        """Whether it imports what lies in its root: its own package, or a file beside it."""
        names = dict.fromkeys(_imported(self.tree))
        return bool(self.package) or any(_lies_in(self.root, name) for name in names)


def read(path: Path) -> Module:
    """Read a file and find out how it is imported.

    Raises:
        ProblemError: It cannot be read, or is not Python.
    """
    try:
        path = plain.resolved_path(path)
    except OSError as err:
        raise ProblemError(f"{path}: {err.strerror}", hint=_remedy(path, err)) from err
    text = _text(path)
    try:
        tree = tree_of(text, str(path))
    except (SyntaxError, ValueError) as err:
        if path.suffix not in {"", ".py"}:
            raise _foreign(path) from err
        line = getattr(err, "lineno", None) or 1
        raise ProblemError(
            f"{path}:{line}: not valid Python {sys.version_info[0]}.{sys.version_info[1]}: "
            f"{getattr(err, 'msg', err)}",
            hint="correct the file, or run se-agent under the Python that it is written for",
        ) from err
    root, name = _place(path, tree)
    return Module(path=path, text=text, root=root, name=name)


def _foreign(path: Path) -> ProblemError:
    return ProblemError(
        f"{path}: not a Python file: `prove` and `optimize` measure Python functions",
        hint="for programs in C++, C, Rust, Go, Java or JavaScript write a `stdio` problem for "
        '`se-agent check` and `run`: problems/README.md, "Other languages"',
    )


def _remedy(path: Path, err: OSError) -> str:
    """Return the hint for a path that cannot be read: a file beside it may be meant."""
    if isinstance(err, PermissionError):
        return plain.to_be_readable(path)
    near = [str(one) for one in path.parent.glob("*.py")]
    return did_you_mean(str(path), near) or "give the path of a file"


def _text(path: Path) -> str:
    try:
        data = plain.content(path, most=plain.LARGEST_SOURCE)
        return data.decode("utf-8-sig")
    except OSError as err:
        raise ProblemError(f"{path}: {err.strerror}", hint=_remedy(path, err)) from err
    except UnicodeDecodeError as err:
        raise ProblemError(f"{path}: not UTF-8: {err}", hint="save the file as UTF-8") from err


def _place(path: Path, tree: ast.Module) -> tuple[Path, str]:
    """Return the folder that the module is imported from, and its dotted name there."""
    depth = _depth(tree)
    parts = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    # A package without __init__.py shows only by the dots of relative imports.
    while (folder / "__init__.py").is_file() or depth > 0:
        if folder.parent == folder or "." in folder.name:
            raise ProblemError(
                f"{path}: it imports from its package, and lies in none",
                hint="copy the file to where its package is",
            )
        parts.insert(0, folder.name)
        folder, depth = folder.parent, depth - 1
    return folder, ".".join(parts)


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
    return (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()
