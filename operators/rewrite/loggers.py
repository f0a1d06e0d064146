"""Loggers of the library: names and attributes of a file that are one, and stay so.

Not here: what is logged by them (`lazy_log`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.freshness import bindings
from operators.rewrite.imports import imports
from operators.rewrite.owners import defined_in, first_parameter, set_attributes, values_of
from operators.rewrite.patterns import constant
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import bound, flat, lines, named, only

if TYPE_CHECKING:
    import libcst as cst

LEVELS = {"debug": "DEBUG", "info": "INFO"}
"""The levels that are usually off, by the method that logs at each."""


def is_logger(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether code is a name of the module, or attribute of the class, set to a logger once."""
    import libcst as cst

    if not _is_plain(program):
        return False
    if isinstance(node, cst.Name):
        return _makes_logger(program, constant(program, node.value))
    return isinstance(node, cst.Attribute) and _is_own(program, place, node)


def _is_own(program: Program, place: Place, node: cst.Attribute) -> bool:
    """Whether an attribute of a method's object is a logger wherever the file sets it."""
    import libcst as cst

    owner, name = named(node.value), node.attr.value
    around = defined_in(program, place.node)
    if not isinstance(around, cst.ClassDef) or not isinstance(place.node, cst.FunctionDef):
        return False
    if first_parameter(place.node) != owner or any(
        named(each.decorator) == "staticmethod" for each in place.node.decorators
    ):
        return False
    if not owner or owner in bound(place.node.body) or name in program.functions:
        return False
    classes = [n for n in program.nodes if isinstance(n, cst.ClassDef)]
    own = [line for each in classes for line in lines(each.body) if name in _stored(line)]
    parts = [part for part in set_attributes(program.module) if part.attr.value == name]
    values = [getattr(only(program.statement(n)), "value", None) for n in (*own, *parts)]
    mine = any(line in lines(around.body) for line in own)
    return (mine or bool(values_of(program, place.node, name))) and all(
        _makes_logger(program, value) for value in values
    )


def _stored(line: cst.CSTNode) -> frozenset[str]:
    import libcst as cst

    return frozenset() if isinstance(line, (cst.FunctionDef, cst.ClassDef)) else bound(line)


def _makes_logger(program: Program, value: cst.CSTNode | None) -> bool:
    """Whether a value is `logging.getLogger(...)`, whatever the import calls it."""
    import libcst as cst

    if not isinstance(value, cst.Call):
        return False
    maker = flat(value.func)
    known = {f"{i.name}.getLogger" for i in imports(program) if i.stands_for == "logging"}
    known |= {i.name for i in imports(program) if i.stands_for == "logging.getLogger"}
    return maker in known


def _set_names(program: Program) -> set[str]:
    """Return the names that lines of a file set; imports and definitions are left out."""
    return {name for name, value, _ in bindings(program.module) if value is not None}


@lru_cache(maxsize=128)
def _is_plain(program: Program) -> bool:
    """Whether loggers are those of the library, and the library has its own name."""
    patched = {part.attr.value for part in set_attributes(program.module)}
    ours = {i.name for i in imports(program) if i.stands_for.partition(".")[0] == "logging"}
    others = {i.name for i in imports(program) if i.stands_for.partition(".")[0] != "logging"}
    return not (
        "setLoggerClass" in program.names
        or patched & {"isEnabledFor", *LEVELS}
        or ours & (others | program.definitions.keys() | _set_names(program))
    )
