"""A list in an attribute of an object that is brought into order: mentions, by what they do.

All mentions of the attribute in the file are looked at; one that is not understood, such as
another name of the list, and the list counts as unknown. Not here: whether sort keys stay as
they are (`sorting_key`), and what is better (the rules).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.effects import pure
from operators.rewrite.owners import defined_in, first_parameter
from operators.rewrite.program import Program
from operators.rewrite.reading import (
    bound,
    calls,
    flat,
    method,
    named,
    only,
    spoken,
    targets,
    written,
)
from operators.rewrite.uses import truth_only

if TYPE_CHECKING:
    import libcst as cst

TAKING = frozenset(["clear", "copy", "count", "index", "pop", "remove"])
"""Methods of a list that leave what stays in it in the same order."""

CHANGING = frozenset(
    ["add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem",
     "popleft", "remove", "reverse", "rotate", "setdefault", "sort", "update"]
)  # fmt: skip
"""Methods that change a container."""

CONSUMING = frozenset(
    ["all", "any", "frozenset", "list", "max", "min", "print", "repr", "set", "sorted", "str",
     "sum", "tuple"]
)  # fmt: skip
"""Builtins that look at all elements before they return, and keep the list for nobody."""


@dataclass(kw_only=True, eq=False)
class SortedAttribute:
    """The mentions of a list that a class sorts in place, or anew.

    Attributes:
        program: The program.
        owner: The class.
        me: What its methods call their object.
        name: Name of the attribute.
        made: Lines that set it to an empty list.
        appends: What is appended, by the line.
        sorts: The sort key (None: elements themselves), by the line that sorts.
        anew: Whether a line that sorts makes another list.
        ordered: Mentions that ask for elements by their order.
        walked: Mentions that are walked over.
    """

    program: Program
    owner: cst.ClassDef
    me: str
    name: str
    made: list[cst.CSTNode] = field(default_factory=list)
    appends: dict[cst.CSTNode, cst.BaseExpression] = field(default_factory=dict)
    sorts: dict[cst.CSTNode, cst.BaseExpression | None] = field(default_factory=dict)
    anew: bool = False
    ordered: list[cst.CSTNode] = field(default_factory=list)
    walked: list[cst.CSTNode] = field(default_factory=list)

    @property
    def code(self) -> str:
        """The list, as methods write it."""
        return f"{self.me}.{self.name}"

    @property
    def key(self) -> cst.BaseExpression | None:
        """The key that all lines sort by."""
        return next(iter(self.sorts.values()))


def sorted_attribute(
    program: Program, owner: cst.ClassDef, name: str
) -> SortedAttribute | None:
    """Return how a class uses a list that it sorts; None where that is not clear.

    Args:
        program: The program.
        owner: The class.
        name: Name of the attribute.
    """
    import libcst as cst

    start = next((f for f in methods_of(owner) if f.name.value == "__init__"), None)
    hidden = (CONSUMING | {"bool", "enumerate", "len", "reversed"}) & program.definitions.keys()
    if start is None or hidden or _is_defined(owner, name):
        return None
    found = SortedAttribute(program=program, owner=owner, me=first_parameter(start), name=name)
    for node in program.nodes:
        if not isinstance(node, cst.Attribute) or node.attr.value != name:
            continue
        above = program.parent[node]
        if isinstance(above, cst.Call) and above.func is node:
            continue  # a list cannot be called: a method of something else
        if _is_of_another(found, node):
            continue
        if not is_own(found, node) or not _enter(found, node):
            return None
    inside = [line for line in found.made if start in program.above(line)]
    keys = {flat(key) if key else "" for key in found.sorts.values()}
    return found if inside and found.appends and len(keys) == 1 else None


def methods_of(owner: cst.ClassDef) -> Iterator[cst.FunctionDef]:
    """Yield the methods of a class, in the order of the text."""
    import libcst as cst

    yield from (line for line in owner.body.body if isinstance(line, cst.FunctionDef))


def around(program: Program, node: cst.CSTNode) -> cst.CSTNode | None:
    """Return the function or lambda that a node stands in, the nearest one."""
    import libcst as cst

    scopes = (cst.FunctionDef, cst.Lambda)
    return next((n for n in program.above(node) if isinstance(n, scopes)), None)


def is_own(found: SortedAttribute, node: cst.Attribute) -> bool:
    """Whether an attribute is that of the object of a method of the class, in its own code."""
    import libcst as cst

    scope = around(found.program, node)
    if not isinstance(scope, cst.FunctionDef) or named(node.value) != found.me:
        return False
    plain = not any(
        spoken(d.decorator) in ("classmethod", "staticmethod") for d in scope.decorators
    )
    mine = defined_in(found.program, scope) is found.owner
    return plain and mine and first_parameter(scope) == found.me != "" and not _rebound(scope)


def _rebound(function: cst.FunctionDef) -> bool:
    return first_parameter(function) in bound(function.body)


def _is_defined(owner: cst.ClassDef, name: str) -> bool:
    """Whether a class gives a name a value of its own, such as a property."""
    import libcst as cst

    for node in owner.body.body:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)) and node.name.value == name:
            return True
        if name in bound(node) and not isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            small = only(node)
            if not isinstance(small, cst.AnnAssign) or small.value is not None:
                return True
    return False


def _is_of_another(found: SortedAttribute, node: cst.Attribute) -> bool:
    """Whether a private attribute is one of a class that has nothing to do with this one."""
    import libcst as cst

    scope = around(found.program, node)
    if not found.name.startswith("_") or scope is None or not named(node.value):
        return False
    other = defined_in(found.program, scope)
    if not isinstance(other, cst.ClassDef) or first_parameter(scope) != named(node.value):
        return False
    ours, theirs = (lineage(found.program, each) for each in (found.owner, other))
    return found.owner.name.value not in theirs and other.name.value not in ours


def lineage(program: Program, owner: cst.ClassDef) -> frozenset[str]:
    """Return the names of a class and its bases, and of theirs as far as the file has them."""
    import libcst as cst

    known = {node.name.value: node for node in program.nodes if isinstance(node, cst.ClassDef)}
    names, todo = {owner.name.value}, [owner]
    while todo:
        bases = [spoken(base.value).strip("_") for base in todo.pop().bases]
        new = [base for base in known if base.strip("_") in bases and base not in names]
        names |= {*bases, *new}
        todo += [known[base] for base in new]
    return frozenset(names)


class _Sorting(NamedTuple):
    """A line that sorts a list: its mentions of it, the key if any, and if it makes another."""

    mentions: tuple[cst.CSTNode, ...]
    key: cst.BaseExpression | None
    anew: bool


def _sorting(small: cst.CSTNode | None, code: str) -> _Sorting | None:
    """Return how `code.sort(key=k)` or `code = sorted(code, key=k)` sorts the list."""
    import libcst as cst

    call = small.value if isinstance(small, (cst.Assign, cst.Expr)) else None
    if not isinstance(call, cst.Call):
        return None
    options, mentions = list(call.args), list[cst.CSTNode]()
    if isinstance(small, cst.Assign):
        given = options.pop(0) if options else None
        goal = [target.target for target in small.targets]
        if named(call.func) != "sorted" or given is None or given.star or given.keyword:
            return None
        if [flat(part) for part in (*goal, given.value)] != [code, code]:
            return None
        mentions = [*goal, given.value]
    elif isinstance(call.func, cst.Attribute) and flat(call.func) == f"{code}.sort":
        mentions = [call.func.value]
    else:
        return None
    if len(options) > 1 or any(named(option.keyword) != "key" for option in options):
        return None
    key = options[0].value if options else None
    return _Sorting((*mentions,), key, isinstance(small, cst.Assign))


def _enter(found: SortedAttribute, node: cst.CSTNode) -> bool:
    """Enter what a mention does; False: it is not understood."""
    import libcst as cst

    program = found.program
    line = program.statement(node)
    small, above = only(line), program.parent[node]
    sorting = _sorting(small, found.code)
    grown = method(small.value, "append") if isinstance(small, cst.Expr) else None
    if sorting and node in sorting.mentions:
        found.sorts[line] = sorting.key
        found.anew |= sorting.anew
    elif grown and grown[0] is node:
        if len(grown[1]) != 1 or isinstance(grown[1][0], cst.GeneratorExp):
            return False
        found.appends[line] = grown[1][0]
    elif isinstance(above, (cst.AssignTarget, cst.AnnAssign)):
        return _is_set(found, line, node)
    elif walks(program, node):
        found.walked += [] if _is_filter(small, found.code) else [node]
    elif _asks_for_order(program, node):
        found.ordered.append(node)
    else:
        return _is_orderless(program, node)
    return not _changes_element(program, node)


def _is_set(found: SortedAttribute, line: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a line sets the list to an empty one, or to a part of it in the same order."""
    import libcst as cst

    small = only(line)
    if isinstance(small, cst.Assign):
        alone = len(small.targets) == 1 and small.targets[0].target is node
    else:
        alone = isinstance(small, cst.AnnAssign) and small.target is node
    value = small.value if isinstance(small, (cst.Assign, cst.AnnAssign)) else None
    if value is None or not alone:
        return False
    if (isinstance(value, cst.List) and not value.elements) or calls(value, "list") == []:
        found.made.append(line)
        return True
    return _is_part(value, found.code)


def _is_part(value: cst.BaseExpression, code: str) -> bool:
    """Whether this is `[x for x in code if ...]`."""
    import libcst as cst

    if not isinstance(value, cst.ListComp) or not named(value.elt):
        return False
    loop = value.for_in
    same = named(loop.target) == named(value.elt) and flat(loop.iter) == code
    return same and loop.inner_for_in is None and loop.asynchronous is None


def _is_filter(small: cst.CSTNode | None, code: str) -> bool:
    """Whether a line leaves elements out, by a test that only looks at each."""
    import libcst as cst

    value = small.value if isinstance(small, cst.Assign) else None
    if not isinstance(value, cst.ListComp) or not _is_part(value, code):
        return False
    return all(pure(each.test) for each in value.for_in.ifs)


def walks(program: Program, node: cst.CSTNode) -> bool:
    """Whether a loop or a comprehension walks over a list, or over it in reverse or counted."""
    import libcst as cst

    above = program.parent[node]
    if isinstance(above, cst.Arg) and not above.star:
        call = program.parent[above]
        counts = any(calls(call, name) for name in ("enumerate", "reversed"))
        first = isinstance(call, cst.Call) and call.args[0] is above
        return counts and first and walks(program, call)
    return isinstance(above, (cst.For, cst.CompFor)) and above.iter is node


def _asks_for_order(program: Program, node: cst.CSTNode) -> bool:
    import libcst as cst

    above = program.parent[node]
    call = program.parent.get(above)
    if isinstance(above, cst.Attribute):
        return isinstance(call, cst.Call) and above.attr.value in TAKING - {"clear", "count"}
    if isinstance(above, cst.Arg) and isinstance(call, cst.Call):
        if above.star:
            return above.star == "*"
        return call.args[0] is above and named(call.func) in CONSUMING and not above.keyword
    if isinstance(above, cst.Assign):
        (first, *others) = above.targets
        return not others and isinstance(first.target, (cst.List, cst.Tuple))
    inside = isinstance(above, cst.Subscript) and above.value is node
    return inside or isinstance(above, cst.StarredElement)


def _is_orderless(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention asks whether the list is empty, how long it is or what is in it."""
    import libcst as cst

    above = program.parent[node]
    call = program.parent.get(above)
    if isinstance(above, cst.Attribute):
        return isinstance(call, cst.Call) and above.attr.value in ("clear", "count")
    if isinstance(above, cst.Arg):
        return any(calls(call, name) for name in ("bool", "len"))
    if isinstance(above, cst.ComparisonTarget):
        return isinstance(above.operator, (cst.In, cst.NotIn))
    return truth_only(program, node) or (isinstance(above, cst.Assert) and above.test is node)


def _changes_element(program: Program, node: cst.CSTNode) -> bool:
    """Whether an element is exchanged, or changed as a list is; `del xs[0]` does not."""
    import libcst as cst

    here, attributes = node, list[str]()
    above = program.parent[here]
    while isinstance(above, (cst.Attribute, cst.Subscript)) and above.value is here:
        attributes += [above.attr.value] if isinstance(above, cst.Attribute) else []
        here, above = above, program.parent[above]
    if here is node:
        return False
    if isinstance(above, cst.Del):
        return program.parent[node] is not here or bool(attributes)
    if isinstance(above, cst.Call) and above.func is here and program.parent[node] is not here:
        return attributes[-1] in CHANGING
    return not attributes and any(
        here is part for target in targets(program.statement(here)) for part in written(target)
    )
