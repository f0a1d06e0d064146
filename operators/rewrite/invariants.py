"""Values that stay as they are while a loop runs: their names, and the attributes they read.

An attribute that is set leaves the others of its object alone, and so does one whose object
changes, where the class makes that object itself and no other attribute may be it. Not here:
what code changes (`effects`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.aliases import touched
from operators.rewrite.effects import QUERIES, altered, changed
from operators.rewrite.freshness import bindings
from operators.rewrite.owners import first_parameter, values_of
from operators.rewrite.program import Program, children, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    bound,
    calls,
    named,
    names,
    root,
    targets,
    variables,
    written,
)

if TYPE_CHECKING:
    import libcst as cst

_MAKERS = frozenset(["Counter", "OrderedDict", "defaultdict", "deque", "dict", "list", "set"])


def invariant_loop(
    program: Program, node: cst.CSTNode, value: cst.CSTNode | None = None
) -> cst.CSTNode | None:
    """Return the outermost loop around `node` in which `value` stays as it is.

    None also for a comprehension in the test of a `while` whose passes change the value. In a
    lambda it has to stay until the lambda is called for the last time.

    Args:
        program: The program that both are in.
        node: Where to start.
        value: Expression in question; None: the node itself.
    """
    outermost = None
    for loop in program.loops(node):
        codes = (loop, *_until_called(program, loop))
        if not all(stays(program, code, value or node) for code in codes):
            break
        if has_changed_alias(program, loop, names(value or node)):
            break
        outermost = loop
    if outermost is None or not can_precede(program, outermost, names(value or node)):
        return None
    return outermost


def has_changed_alias(program: Program, loop: cst.CSTNode, used: Collection[str]) -> bool:
    """Whether a loop changes an object by another name that its function gave it.

    Such as `mine = values`, `mine = self.values` or `mine = values = []`.
    """
    import libcst as cst

    scopes = (cst.FunctionDef, cst.Module)
    function = next(n for n in program.above(loop) if isinstance(n, scopes))
    others = {other for name in used for other in _aliases(function).get(name, ())} - {*used}
    return bool(others & frozenset(touched(program, loop)))


@lru_cache(maxsize=256)
def _aliases(function: cst.CSTNode) -> Mapping[str, Collection[str]]:
    """Return the other names of objects by name, as far as plain assignments tell."""
    groups: dict[str, set[str]] = {}
    values: dict[cst.CSTNode, str] = {}
    for name, value, below in bindings(function):
        if value is None or below:
            continue
        other = root(value) or values.setdefault(value, name)
        both = groups.get(name, {name}) | groups.get(other, {other})
        groups |= dict.fromkeys(both, both)
    return groups


def _until_called(program: Program, loop: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what may run after a lambda is made, and before it is called; nothing for loops."""
    import libcst as cst

    if not isinstance(loop, cst.Lambda):
        return
    if _is_called_at_once(program, loop):
        yield program.parent[program.parent[loop]]  # `sort` changes its list meanwhile
        return
    line: cst.CSTNode = program.statement(loop)
    for above in program.above(line):
        if isinstance(above, (cst.For, cst.While)):
            yield above
        block = program.block(line) if line in program.parent else ()
        if line in block:
            yield from block[block.index(line) + 1 :]
        if isinstance(above, cst.FunctionDef):
            return
        line = above


def _is_called_at_once(program: Program, function: cst.CSTNode) -> bool:
    """Whether a lambda is the key of a call that sorts or chooses."""
    import libcst as cst

    above = program.parent[function]
    call = program.parent[above] if isinstance(above, cst.Arg) else None
    if not isinstance(call, cst.Call):
        return False
    method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
    return named(call.func) in ("max", "min", "sorted") or method == "sort"


def can_precede(program: Program, loop: cst.CSTNode, used: Collection[str]) -> bool:
    """Whether a line before a loop's statement runs whenever the loop begins, on equal values.

    Args:
        program: The program.
        loop: The loop, or a comprehension somewhere in a statement.
        used: Names that the line reads: what else is in the statement must not change them.
    """
    import libcst as cst

    line, below = program.statement(loop), loop
    if line is loop:
        return True
    for above in program.above(loop):
        beside = children(above)
        if isinstance(above, cst.SimpleStatementSuite):
            return False  # `def f(xs): return [...]`: there is no line before
        if above is line:
            first = not isinstance(line, cst.SimpleStatementLine) or beside[0] is below
            return first and not isinstance(line, cst.While)
        if not isinstance(above, (cst.AssignTarget, cst.Assign, cst.AnnAssign, cst.AugAssign)):
            others = [each for each in beside if each is not below]
            if any(_sets(program, each, frozenset(used)) for each in others):
                return False
        below = above
    return True


def _sets(program: Program, code: cst.CSTNode, used: frozenset[str]) -> bool:
    """Whether code binds one of the names, or may change its object."""
    changes = altered(program, code) & used
    return bool(changes) and (bool(bound(code) & used) or not computes(program, code))


def stays(
    program: Program,
    code: cst.CSTNode,
    value: cst.CSTNode,
    used: frozenset[str] | None = None,
) -> bool:
    """Whether a value is the same before and after code runs, as far as syntax tells.

    Args:
        program: The program that both are in.
        code: What runs.
        value: The expression.
        used: Names that it takes from around it; None: all that it mentions.
    """
    clash = (names(value) if used is None else used) & altered(program, code)
    return all(_apart(program, code, value, name) for name in clash)


def _apart(program: Program, code: cst.CSTNode, value: cst.CSTNode, name: str) -> bool:
    """Whether a value reads other attributes of an object than code changes."""
    import libcst as cst

    if name in bound(code) or name in altered(program, code) - changed(code):
        return False
    read = set[str]()
    for node in (n for n in variables(value) if n.value == name):
        above = program.parent[node]
        if not isinstance(above, cst.Attribute):
            return False
        call = program.parent[above]
        if isinstance(call, cst.Call) and call.func is above:
            return False  # a method reads what it likes
        read.add(above.attr.value)
    if read & _defined(program):
        return False  # perhaps a property, made of others
    function = next((n for n in program.above(code) if isinstance(n, cst.FunctionDef)), None)
    return all(
        _leaves(program, function, read, change) for change in _changes(program, code, name)
    )


def _changes(program: Program, code: cst.CSTNode, name: str) -> Iterator[_Changed]:
    """Yield what code changes of an object: attributes set anew, objects that are in them."""
    import libcst as cst

    for target in targets(code):
        for part in written(target):
            if root(part) == name:
                yield _Changed(part, inside=_adds_objects(program.parent[part]))
    for node in walk(code):
        if isinstance(node, cst.Call):
            method = node.func if isinstance(node.func, cst.Attribute) else None
            if method and method.attr.value not in QUERIES and root(method.value) == name:
                yield _Changed(method.value, inside=True)
            for arg in node.args:
                if named(arg.value) == name:
                    yield _Changed(arg.value, inside=True)


def _adds_objects(line: cst.CSTNode) -> bool:
    """Whether `+=` may change a list in place; with a number or a text it cannot."""
    import libcst as cst

    plain = (cst.BaseNumber, cst.BaseString)
    return isinstance(line, cst.AugAssign) and not isinstance(line.value, plain)


class _Changed(NamedTuple):
    """What is changed of an object: an attribute's place, or what is inside of it."""

    node: cst.CSTNode
    inside: bool

    @property
    def attribute(self) -> str:
        """The attribute that it goes through; empty: the object itself."""
        import libcst as cst

        here = self.node
        while isinstance(here, (cst.Attribute, cst.Subscript)):
            if isinstance(here, cst.Attribute) and named(here.value):
                return here.attr.value
            here = here.value
        return ""

    @property
    def deep(self) -> bool:
        """Whether the object in the attribute changes, not only which one it is."""
        import libcst as cst

        whole = isinstance(self.node, cst.Attribute) and bool(named(self.node.value))
        return self.inside or not whole


def _leaves(
    program: Program,
    function: cst.FunctionDef | None,
    read: Collection[str],
    change: _Changed,
) -> bool:
    """Whether a change leaves the attributes that are read as they are."""
    attribute = change.attribute
    if not attribute or attribute in read or attribute in _defined(program):
        return False
    if not change.deep:
        return True
    if function is None or root(change.node) != first_parameter(function):
        return False  # of another class
    made = values_of(program, function, attribute)
    others = [value for each in read for value in values_of(program, function, each)]
    return (
        bool(made)
        and all(map(is_new, made))
        and not any(_reads(value, attribute) for value in others)
    )


def is_new(value: cst.CSTNode) -> bool:
    """Whether a value is a container that is made where it stands."""
    import libcst as cst

    comprehensions = (cst.ListComp, cst.SetComp, cst.DictComp)
    shown = isinstance(value, (cst.List, cst.Set, cst.Dict, *comprehensions))
    return shown or any(calls(value, maker) is not None for maker in _MAKERS)


def _reads(value: cst.CSTNode, attribute: str) -> bool:
    import libcst as cst

    return any(isinstance(n, cst.Attribute) and n.attr.value == attribute for n in walk(value))


@lru_cache(maxsize=128)
def _defined(program: Program) -> frozenset[str]:
    """Return the names of all functions: one of a class may stand behind an attribute."""
    return frozenset(program.functions)
