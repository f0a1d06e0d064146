"""What a function does besides answering: it changes what its module holds, prints, logs.

Read off the text: nothing is run, and what is hidden (in C, in an object that was handed over)
is not seen. Changed arguments are no side effect here: they are compared like answers. Neither
is a cache that nobody else reads.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from se_agent.syntax import tree_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = _Function | ast.ClassDef

_CHANGING = frozenset(
    {
        "add", "append", "appendleft", "clear", "difference_update", "discard", "extend",
        "extendleft", "insert", "intersection_update", "pop", "popitem", "popleft", "put",
        "put_nowait", "remove", "reverse", "rotate", "setdefault", "sort", "subtract",
        "symmetric_difference_update", "update", "write", "writelines",
    }
)  # fmt: skip
"""Methods that change their object."""

_CHANGING_FIRST = frozenset(
    {
        "delattr", "heapify", "heappop", "heappush", "heappushpop", "heapreplace", "insort",
        "insort_left", "insort_right", "next", "setattr", "shuffle",
    }
)  # fmt: skip
"""Functions that change their first argument."""

_ACTS = {"print": "prints", "input": "reads standard input", "open": "opens files"}
_LEVELS = frozenset({"critical", "debug", "error", "exception", "info", "log", "warning"})
_CACHES = ("cache", "memo")


@lru_cache(maxsize=1024)
def side_effects(text: str, name: str) -> tuple[str, ...]:
    """Return what a function does besides answering, such as "changes `LOG`" or "prints".

    What it calls in its own module counts. Empty also for a text that is not Python.

    Args:
        text: The module.
        name: Of a function or class at its top level; what follows a dot is left out.
    """
    try:
        module = tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    reached = _reached(module, name.partition(".")[0])
    found: dict[str, None] = {}
    for node in reached:
        for changed, act in _effects(node):
            if act:
                found[act] = None
            elif changed in _held(module) and not _is_cache(changed, module, reached):
                found[f"changes `{changed}`"] = None
    return tuple(found)


def listed(effects: Sequence[str]) -> str:
    """Return side effects as one says them: "changes `LOG` and prints"."""
    *first, last = effects
    return f"{', '.join(first)} and {last}" if first else last


def _reached(module: ast.Module, name: str) -> list[_Definition]:
    """Return the definitions at the top level that a function names, and those they name."""
    defined = {node.name: node for node in module.body if isinstance(node, _Definition)}
    reached, todo = dict[str, _Definition](), [name]
    while todo:
        name = todo.pop()
        if name in defined and name not in reached:
            reached[name] = defined[name]
            todo += [node.id for node in ast.walk(defined[name]) if isinstance(node, ast.Name)]
    return list(reached.values())


def _held(module: ast.Module) -> frozenset[str]:
    """Return the names of what a module holds, and of what it imports."""
    found = set[str]()
    for statement in module.body:
        if isinstance(statement, _Definition):
            continue
        found |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and _stored(n)}
        for node in ast.walk(statement):
            if isinstance(node, ast.Import | ast.ImportFrom):
                found |= {(each.asname or each.name).partition(".")[0] for each in node.names}
    return frozenset(found)


def _is_cache(name: str, module: ast.Module, reached: list[_Definition]) -> bool:
    """Whether a name is called like a cache, or private, and nobody else reads it."""
    if not name.startswith("_") and not any(word in name.lower() for word in _CACHES):
        return False
    others = (node for node in module.body if node not in reached)
    return not any(
        isinstance(n, ast.Name) and n.id == name and not _stored(n)
        for node in others
        for n in ast.walk(node)
    )


def _effects(definition: _Definition) -> Iterator[tuple[str, str]]:
    """Yield names around a definition whose objects it changes, or nothing and what it does."""
    nodes = list(ast.walk(definition))
    outer = {name for n in nodes if isinstance(n, ast.Global) for name in n.names}
    own = {n.id for n in nodes if isinstance(n, ast.Name) and _stored(n)} - outer
    own |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    around = _Around(own, _aliases(nodes))
    for node in nodes:
        if isinstance(node, ast.Name) and _stored(node) and node.id in outer:
            yield node.id, ""
        elif isinstance(node, ast.Attribute | ast.Subscript) and _stored(node):
            yield around.root(node), ""
        elif isinstance(node, ast.Call):
            yield from _called(node, around)


def _aliases(nodes: Iterable[ast.AST]) -> dict[str, ast.expr]:
    """Return names that are assigned once, and what they stand for, such as `LOG.append`."""
    pairs = [
        (node.targets[0].id, node.value)
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    names = [name for name, _ in pairs]
    return {
        name: value
        for name, value in pairs
        if names.count(name) == 1 and isinstance(value, ast.Name | ast.Attribute)
    }


@dataclass(frozen=True)
class _Around:
    """What a definition binds itself, and which of its names stand for others."""

    own: Collection[str]
    aliases: Mapping[str, ast.expr]

    def meant(self, node: ast.expr) -> ast.expr:
        """Return what a name stands for, and all else as it is."""
        for _ in self.aliases:
            if not (isinstance(node, ast.Name) and node.id in self.aliases):
                break
            node = self.aliases[node.id]
        return node

    def root(self, node: ast.expr) -> str:
        """Return the name around the definition that `a[i].b` starts from, or nothing."""
        while isinstance(node := self.meant(node), ast.Attribute | ast.Subscript):
            node = node.value
        return node.id if isinstance(node, ast.Name) and node.id not in self.own else ""


def _called(call: ast.Call, around: _Around) -> Iterator[tuple[str, str]]:
    """Yield what a call changes, or does."""
    function = around.meant(call.func)
    if isinstance(function, ast.Attribute):
        name, root = function.attr, around.root(function)
        if name in _CHANGING:
            yield root, "prints" if root == "sys" else ""
        if name in _LEVELS and root.strip("_").lower().startswith("log"):
            yield "", "logs"
    else:
        name = around.root(function)
        if name in _ACTS:
            yield "", _ACTS[name]
    if name in _CHANGING_FIRST and call.args:
        yield around.root(call.args[0]), ""


def _stored(node: ast.Name | ast.Attribute | ast.Subscript) -> bool:
    return not isinstance(node.ctx, ast.Load)
