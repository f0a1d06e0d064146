"""What a function uses of its own file: it may be made faster with it. Runs nothing.

Not here: what a workload's user names (`workloads.targets`).
"""

from __future__ import annotations

import ast

from se_agent.user_function.module import Module


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
