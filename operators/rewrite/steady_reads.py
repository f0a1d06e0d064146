"""Whether what a function reads of its module stays as it is, as far as one file tells.

Not here: what it does with its arguments (`purity`), attributes of objects (`settled`).
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.imports import imports, is_bound_once
from operators.rewrite.library import LIBRARY, STEADY_MODULES, library_names
from operators.rewrite.making import is_fixed
from operators.rewrite.patterns import constant
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import bound, named, names
from operators.rewrite.uses import is_stored

if TYPE_CHECKING:
    import libcst as cst

_REACHING = frozenset(["eval", "exec", "globals", "locals", "setattr", "vars"])


def reads_constants(program: Program, node: cst.FunctionDef, records: frozenset[str]) -> bool:
    """Say whether a function, and those of the file that it names, read constants alone.

    Args:
        program: The program.
        node: The function.
        records: Classes that they may make objects of.
    """
    reached = [node, *_asked_for(program, node, {node.name.value})]
    bare = node in program.module.body
    if bare and not is_bound_once(program, node.name.value):
        return False
    return not program.names & _REACHING and all(
        _reads(program, each, records) for each in reached
    )


def _asked_for(
    program: Program, node: cst.FunctionDef, seen: set[str]
) -> Iterator[cst.FunctionDef]:
    """Yield the functions of the file that one names, and those that they do."""
    for name in sorted((names(node.body) & program.functions.keys()) - seen):
        seen.add(name)
        for function in program.functions[name]:
            yield function
            yield from _asked_for(program, function, seen)


def _reads(program: Program, node: cst.FunctionDef, records: frozenset[str]) -> bool:
    """Whether all that a function reads of the module stays as it is."""
    module = bound(program.module)
    for name in sorted(names(node.body) - bound(node.body) - bound(node.params) - records):
        if len(program.functions.get(name, ())) == 1:
            stays = is_bound_once(program, name)
        else:
            stays = (hasattr(builtins, name) and name not in module) or _stays(program, name)
        if not stays:
            return False
    return True


def _stays(program: Program, name: str) -> bool:
    """Whether a name of the module stands for the same all the time, as far as one sees."""
    import libcst as cst

    for each in imports(program):
        if each.name == name:
            steady = each.module in STEADY_MODULES or name.isupper()
            return steady and is_bound_once(program, name)
    value = constant(program, name)
    if value is None:
        return False
    if isinstance(value, cst.Call):
        return not LIBRARY.isdisjoint(library_names(program, value.func))
    if is_fixed(program, value) or isinstance(value, cst.Tuple):
        return all(_is_plain_part(part) for part in walk(value))
    display = isinstance(value, (cst.Dict, cst.List, cst.Set))
    return (
        display
        and name.isupper()  # as long as other files keep to that
        and all(_is_plain_part(part) for part in walk(value) if part is not value)
        and all(_only_looks(program, part) for part in program.nodes if named(part) == name)
    )


def _is_plain_part(part: cst.CSTNode) -> bool:
    """Whether a part of a display is none that can be changed, or is worked out."""
    import libcst as cst

    made = (cst.Call, cst.Dict, cst.List, cst.Set, cst.BaseComp, cst.Lambda, cst.Name)
    return not isinstance(part, made) or named(part) in ("False", "None", "True")


def _only_looks(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention of a table sets it, looks something up in it, or walks over it."""
    import libcst as cst

    above = program.parent[node]
    if isinstance(above, cst.Attribute):
        return above.attr.value == "get" and isinstance(program.parent[above], cst.Call)
    if isinstance(above, cst.Subscript):
        return above.value is node and not is_stored(program, above)
    if isinstance(above, (cst.For, cst.CompFor)):
        return above.iter is node
    return isinstance(above, (cst.AssignTarget, cst.AnnAssign, cst.ComparisonTarget))
