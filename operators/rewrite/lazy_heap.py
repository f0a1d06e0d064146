"""The element with the least value, taken out again and again while values change -> a heap.

Such as `node = min(left, key=cost.get)` and `left.remove(node)`. An entry of the heap whose
value is an old one is passed over once it comes up. Not here: elements that are compared
themselves, or by a key that stays (`heap_min`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.aliases import changed_elsewhere
from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed, pure
from operators.rewrite.handlers import tried
from operators.rewrite.loops import substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    compared,
    flat,
    index,
    method,
    named,
    names,
    only,
    text,
)
from operators.rewrite.remains import is_made_for
from operators.rewrite.uses import free, only_read, truth_only

if TYPE_CHECKING:
    import libcst as cst


class _Choice(NamedTuple):
    """Two lines of a loop: one chooses an element of the least value, one takes it out.

    Attributes:
        first: Chooses.
        second: Takes out.
        node: Name of the element.
        queue: Name of what it is taken out of.
        values: Name of what its value is looked up in; `queue` itself for a dictionary.
        item: What the key calls an element.
        key: The value of an element, in words of `item`.
        largest: Whether the largest value is wanted, not the least.
    """

    first: cst.CSTNode
    second: cst.CSTNode
    node: str
    queue: str
    values: str
    item: str
    key: cst.BaseExpression
    largest: bool

    @property
    def keyed(self) -> bool:
        """Whether it is a dictionary that the element is a key of."""
        return self.queue == self.values

    def value(self, element: str) -> str:
        """Return code for the value of an element."""
        mine = [node for node in walk(self.key) if named(node) == self.item]
        return substituted(self.key, dict.fromkeys(mine, element))


def lazy_heaps(program: Program, place: Place, loop: cst.CSTNode) -> Iterator[TreeChange]:
    """Yield one change for each choice of a loop that a heap could make."""
    import libcst as cst

    if tried(program, loop) or not isinstance(place.node, cst.FunctionDef):
        return
    for block in walk(loop):
        if not isinstance(block, cst.IndentedBlock):
            continue
        for position, line in enumerate(block.body):
            found = _choice(program, line, block.body[position + 1 :], loop)
            if found is None or next(program.loops(line)) is not loop:
                continue
            pushes = _pushes(program, place, found, loop)
            made = found.keyed or is_made_for(program, place, found.queue, loop)
            if pushes is None or not made:
                continue
            if pushes and not found.largest:
                yield _change(program, found, loop, pushes)
            elif found.keyed and not pushes:
                yield _presorted(program, found, loop)


def _choice(
    program: Program, line: cst.CSTNode, after: Sequence[cst.CSTNode], loop: cst.CSTNode
) -> _Choice | None:
    import libcst as cst

    node, call = assigned(only(line)) or ("", None)
    if not isinstance(call, cst.Call) or len(call.args) != 2:
        return None
    if named(call.func) not in ("min", "max"):
        return None
    values, key = call.args
    queue = named(values.value)
    if not queue or values.star or named(key.keyword) != "key":
        return None
    by = _key(key.value, loop)
    second = next((each for each in after if queue in names(each)), None)
    if by is None or second is None or node in (queue, by[0]):
        return None
    found = _Choice(line, second, node, queue, *by, named(call.func) == "max")
    small = only(second)
    return found if small and _takes(program, small, found) else None


def _key(
    key: cst.BaseExpression, loop: cst.CSTNode
) -> tuple[str, str, cst.BaseExpression] | None:
    """Return what a key looks up in, its parameter, and its value; None for other keys."""
    import libcst as cst

    if isinstance(key, cst.Attribute) and key.attr.value in ("get", "__getitem__"):
        name = named(key.value)
        return (name, "each", cst.parse_expression(f"{name}[each]")) if name else None
    if not isinstance(key, cst.Lambda) or len(key.params.params) != 1:
        return None
    item = key.params.params[0].name.value
    moving = free(key) & changed(loop)
    if len(moving) != 1 or not pure(key.body):
        return None
    (values,) = moving
    uses = sum(1 for node in walk(key.body) if named(node) == values)
    asked = (index(node) for node in walk(key.body))
    fits = sum(1 for f in asked if f and (named(f[0]), named(f[1])) == (values, item))
    return (values, item, key.body) if uses == fits else None


def _takes(program: Program, small: cst.CSTNode, found: _Choice) -> bool:
    """Whether a line takes the chosen element out."""
    import libcst as cst

    if found.keyed:
        if isinstance(small, cst.Del):
            return flat(small.target) == f"{found.queue}[{found.node}]"
        popped = [n for n in walk(small) if _pops(n, found)]
        mine = [n for n in walk(small) if named(n) == found.queue]
        return len(popped) == len(mine) == 1 and _always(program, popped[0])
    call = small.value if isinstance(small, cst.Expr) else None
    removed = method(call, "remove") or method(call, "discard")
    return removed is not None and [*map(flat, (removed[0], *removed[1]))] == [
        found.queue,
        found.node,
    ]


def _pops(node: cst.CSTNode, found: _Choice) -> bool:
    import libcst as cst

    return isinstance(node, cst.Call) and flat(node) == f"{found.queue}.pop({found.node})"


def _always(program: Program, node: cst.CSTNode) -> bool:
    """Whether a part of a line is worked out whenever the line runs, and once."""
    import libcst as cst

    parts = (cst.Arg, cst.Call, cst.Element, cst.Tuple, cst.List, cst.BinaryOperation)
    above = next(outer for outer in program.above(node) if not isinstance(outer, parts))
    return isinstance(above, (cst.Assign, cst.AnnAssign, cst.Expr, cst.AugAssign))


def _pushes(
    program: Program, place: Place, found: _Choice, loop: cst.CSTNode
) -> dict[cst.CSTNode, str] | None:
    """Return elements whose values a loop sets, by the line; None if it does more."""
    inside = {*walk(found.first), *walk(found.second)}
    own = frozenset(place.own)
    wanted = {found.queue, found.values}
    pushes: dict[cst.CSTNode, str] = {}
    for node in walk(loop):
        if named(node) not in wanted or node in inside:
            continue
        element = _set(program, node) if named(node) == found.values else None
        if element is not None:
            pushes[program.statement(node)] = element
        elif named(node) == found.queue and not found.keyed:
            if not _is_question(program, node):
                return None
        elif not only_read(program, node) and not truth_only(program, node):
            return None
    shared = any(named(n) in wanted and n not in own for n in walk(place.node))
    away = any(changed_elsewhere(program, place, name, loop) for name in sorted(wanted))
    return None if shared or away else pushes


def _set(program: Program, node: cst.CSTNode) -> str | None:
    """Return the element that a line sets the value of."""
    import libcst as cst

    target, small = program.parent[node], only(program.statement(node))
    found = index(target)
    if found is None or found[0] is not node or not pure(found[1]):
        return None
    if isinstance(small, cst.Assign):
        mine = [each.target for each in small.targets] == [target]
    else:
        mine = isinstance(small, cst.AugAssign) and small.target is target
    return text(found[1]) if mine else None


def _is_question(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention asks how many there are, or whether an element is one of them."""
    import libcst as cst

    above = program.parent[node]
    if isinstance(above, cst.Arg):
        return calls(program.parent[above], "len") is not None
    if isinstance(above, cst.ComparisonTarget):
        return compared(program.parent[above], "In", "NotIn") is not None
    return truth_only(program, node)


def _presorted(program: Program, found: _Choice, loop: cst.CSTNode) -> TreeChange:
    """Sort once, where nothing is set; of equal ones the first is still the first."""
    order = program.fresh(f"{found.queue}_order")
    turned = ", reverse=True" if found.largest else ""
    by = f"lambda {found.item}: {text(found.key)}"
    key = f"{found.queue}.get" if flat(found.key) == f"{found.queue}[{found.item}]" else by
    made = f"sorted({found.queue}, key={key}{turned})"
    return TreeChange(
        anchor=found.first,
        replaced={found.first: f"{found.node} = {order}.pop()"},
        before={loop: [f"{order} = {made}", f"{order}.reverse()"]},
        parameters=(("form", "sorted"),),
        direction="Sort the keys once before the loop and take from the end",
        effect="O(n) -> O(1) for each element taken, for one sort",
    )


def _change(
    program: Program, found: _Choice, loop: cst.CSTNode, pushes: dict[cst.CSTNode, str]
) -> TreeChange:
    each, number, heap, least, rank = map(
        program.fresh, ("each", "number", "heap", "least", "rank")
    )
    heapify, line_1 = imported(program, "heapq", "heapify")
    heappop, line_2 = imported(program, "heapq", "heappop")
    heappush, line_3 = imported(program, "heapq", "heappush") if pushes else ("", ())
    ranks = program.fresh(f"{found.queue}_ranks") if found.keyed else found.queue
    ranked = f"{{{each}: {number} for {number}, {each} in enumerate({found.queue})}}"
    entries = f"({found.value(each)}, {number}, {each}) for {each}, {number} in {ranks}.items()"
    before = [f"{ranks} = {ranked}", f"{heap} = [{entries}]", f"{heapify}({heap})"]
    after: dict[cst.CSTNode, list[str]] = {}
    replaced: dict[cst.CSTNode, str] = {}
    taken = f"{least}, {rank}, {found.node} = {heappop}({heap})"
    old = f"{ranks}.get({found.node}) != {rank} or {found.value(found.node)} != {least}"
    replaced[found.first] = f"{taken}\nwhile {old}:\n    {taken}"
    line_4: tuple[str, ...] = ()
    if found.keyed:
        after[found.second] = [f"del {ranks}[{found.node}]"]
        if pushes:
            count, line_4 = imported(program, "itertools", "count")
            order = program.fresh("order")
            before.append(f"{order} = {count}(len({ranks}))")
    else:
        replaced[found.second] = f"del {ranks}[{found.node}]"
    for line, element in pushes.items():
        if found.keyed:
            place = f"{ranks}.setdefault({element}, next({order}))"
            after[line] = [f"{heappush}({heap}, ({found.value(element)}, {place}, {element}))"]
        else:
            entry = f"({found.value(element)}, {ranks}[{element}], {element})"
            pushed = f"if {element} in {ranks}:\n    {heappush}({heap}, {entry})"
            after[line] = [pushed]
    return TreeChange(
        anchor=found.first,
        replaced=replaced,
        before={loop: before},
        after=after,
        imports=(*line_1, *line_2, *line_3, *line_4),
        parameters=(("form", "lazy"),),
        direction="Take what has the least value from a heap, and pass over old values",
        effect="O(n) -> O(log n) for each element taken",
    )
