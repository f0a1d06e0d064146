"""What a function uses of its own file: it may be made faster with it. Runs nothing.

Not here: what a workload's user names (`workloads.targets`).
"""

from __future__ import annotations

import ast

from se_agent.user_function.module import Module


def own_code(module: Module, function: str) -> tuple[str, ...]:
    """Return a function, and then what it uses of its file, and what that uses, and so on.

    Those are functions and classes at the top level, in the order of the file. They are found
    by name: what goes by another name is not seen, and cannot change.

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
        nodes = (part for node in known.get(todo.pop(), ()) for part in ast.walk(node))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        new = (names & known.keys()) - used
        used |= new
        todo += new
    return (function, *(name for name in known if name in used and name != function))
