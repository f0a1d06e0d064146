"""What stays as it is in a file: attributes once their object is made, and constants.

As far as names tell: an object that a file changes by a name which may be any object's leaves
nothing settled. Not here: who asks for an attribute (the rules).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.effects import QUERIES, waits
from operators.rewrite.freshness import bindings
from operators.rewrite.in_place import is_made_here, shared_changes, word_of
from operators.rewrite.invariants import is_new
from operators.rewrite.making import is_fixed
from operators.rewrite.one_class import classes, function_around, plain_lines
from operators.rewrite.owners import defined_in, set_attributes
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import assigned, bound, calls, named
from se_agent.program.changing import CHANGING_METHODS

if TYPE_CHECKING:
    import libcst as cst

LAZY = frozenset(["enumerate", "filter", "iter", "map", "open", "reversed", "zip"])
"""Functions whose results are read but once."""


@lru_cache(maxsize=128)
def settled(program: Program) -> frozenset[str]:
    """Return the attributes that only `__init__` sets, or changes objects in.

    None, if others in the file change in place what may be any object.
    """
    import libcst as cst

    makers = program.functions.get("__init__", ())
    inner = (cst.FunctionDef, cst.Lambda)
    shared = [n for n in shared_changes(program) if function_around(program, n) not in makers]
    within = any(isinstance(n, inner) for f in makers for n in walk(f.body))
    if within or not all(is_made_here(program, node) for node in shared):
        return frozenset()
    every = set_attributes(program.module)
    lasting = [p for f in makers for p in set_attributes(f.body) if _is_lasting(program, f, p)]
    late = {part.attr.value for part in every if part not in lasting}
    late |= {word_of(node) for node in shared}
    for around in classes(program):
        late |= {name for line in plain_lines(around.body) for name in bound(line)}
    known = QUERIES | CHANGING_METHODS | program.functions.keys()
    known |= {part.attr.value for part in every}
    for node in program.nodes:  # `self.reader.next_line()`: nobody knows what that does
        if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Attribute):
            late |= set() if node.attr.value in known else {node.value.attr.value}
    return frozenset(part.attr.value for part in lasting) - late


def _is_lasting(program: Program, function: cst.FunctionDef, part: cst.CSTNode) -> bool:
    """Whether an attribute is set to a parameter, or to what is made there."""
    holder, line = program.parent[part], program.parent[program.parent[part]]
    if len(getattr(line, "targets", (part,))) > 1:
        return False
    value = getattr(holder, "value", None) or getattr(line, "value", None)
    copied = any(calls(value, name) for name in ("frozenset", "sorted", "tuple"))
    if copied or is_fixed(program, value) or (value is not None and is_new(value)):
        return True
    name = named(getattr(defined_in(program, function), "name", None))
    every = (each for node in program.nodes for each in calls(node, name) or ())
    given = [v for name, v, _ in bindings(function) if name == named(value)]
    return given == [None] and not any(_is_read_once(program, each) for each in every)


def _is_read_once(program: Program, value: cst.CSTNode) -> bool:
    """Whether a value is, or may be, an iterator: who reads it takes from it."""
    import libcst as cst

    pairs = (assigned(node) for node in program.nodes) if named(value) else ()
    same = [pair[1] for pair in pairs if pair and pair[0] == named(value)]
    name = word_of(value.func) if isinstance(value, cst.Call) else ""
    waiting = any(waits(function.body) for function in program.functions.get(name, ()))
    lazy = waiting or name in LAZY or isinstance(value, cst.GeneratorExp)
    return lazy or any(_is_read_once(program, each) for each in same if not named(each))
