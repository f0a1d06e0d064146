"""The names that a program imports, what they stand for, and how often a name is bound.

Not here: which import a change needs (`change`).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.program import Program
from operators.rewrite.reading import named, target_names, targets

if TYPE_CHECKING:
    import libcst as cst


class Import(NamedTuple):
    """A name that an import binds.

    Attributes:
        name: The name.
        module: What is imported, or imported from; it begins with dots where it is relative.
        part: What is taken from the module; empty: the module is imported as a whole.
        at_top: Whether the statement stands at the module level.
    """

    name: str
    module: str
    part: str = ""
    at_top: bool = True

    @property
    def stands_for(self) -> str:
        """What the name stands for, with its dots: `import a.b` binds `a` to `a` alone."""
        if self.part:
            return f"{self.module}.{self.part}"
        return self.name if self.module.startswith(f"{self.name}.") else self.module


@lru_cache(maxsize=128)
def imports(program: Program) -> tuple[Import, ...]:
    """Return the names that imports bind, wherever they stand; `*` binds none that is known."""
    import libcst as cst

    found: list[Import] = []
    for node in program.nodes:
        if not isinstance(node, (cst.Import, cst.ImportFrom)):
            continue
        if isinstance(node.names, cst.ImportStar):
            continue
        at_top = program.parent[program.parent[node]] is program.module
        module = _module(program, node) if isinstance(node, cst.ImportFrom) else ""
        for alias in node.names:
            other, part = alias.evaluated_alias, alias.evaluated_name
            if module:
                found.append(Import(other or part, module, part, at_top))
            else:
                found.append(Import(other or part.partition(".")[0], part, at_top=at_top))
    return tuple(found)


def _module(program: Program, node: cst.ImportFrom) -> str:
    module = program.module.code_for_node(node.module) if node.module else ""
    return "." * len(node.relative) + module


def is_bound_once(program: Program, name: str) -> bool:
    """Say whether one place of a file alone binds a name, at any level."""
    return _times_bound(program)[name] == 1


@lru_cache(maxsize=128)
def _times_bound(program: Program) -> Counter[str]:
    """Return how often each name is bound anywhere; who says `global` may bind it, too."""
    import libcst as cst

    found = Counter(name for t in targets(program.module) for name in target_names(t))
    outer = (node for node in program.nodes if isinstance(node, cst.NameItem))
    found.update(named(node.name) for node in outer)
    return found
