"""A list of an object that is sorted again for each new element -> `insort` keeps its order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.handlers import expects, tried
from operators.rewrite.one_class import function_around
from operators.rewrite.owners import defined_in
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    body_of,
    bound,
    calls,
    flat,
    named,
    only,
    targets,
    text,
    written,
)
from operators.rewrite.rule import Rule
from operators.rewrite.sorting_key import is_own, keeps_key
from operators.rewrite.uses import truth_only

if TYPE_CHECKING:
    import libcst as cst

    Changes = Iterator[TreeChange]
    Lines = list[cst.CSTNode]
    Methods = dict[cst.CSTNode, Lines]
    Queue = dict[str, Lines]  # by kind; the mentions themselves of those that ask for "order"

_METHODS = {"clear": "any", "count": "any", "index": "order", "pop": "order", "remove": "order"}
_READING = frozenset(["len", "list", "max", "min", "set", "sorted", "sum", "tuple"])


class SortedQueue(Rule):
    """Put a new element of an object's sorted list in its place, and sort no more.

    Valid where the list starts empty, and each `append` is followed by the sort, or else each
    line that asks for elements by their order follows it. All mentions of the list in the file
    are understood, the key only reads, what it reads is set in `__init__` only (checked by
    name), and nobody waits for the error of a comparison. Other files, other names of what a
    key reads, and elements without an order, like `nan`, are left to the tests. Equal elements
    keep their order. Known as binary insertion.
    """

    name = "sorted_queue"
    relies_on = "elements can be ordered and keep their keys, and nobody else has their list"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each list, in the method that is the first to append to it."""
        import libcst as cst

        owner = defined_in(program, place.node)
        if not isinstance(owner, cst.ClassDef):
            return
        for code in dict.fromkeys(flat(n) for n in place.own if is_own(program, owner, n)):
            queue = _queue(program, owner, code) if f"{code}.sort(" in program.code else None
            if queue and function_around(program, queue["append"][0]) is place.node:
                yield from _changes(program, owner, code, queue)


def _queue(program: Program, owner: cst.ClassDef, code: str) -> Queue | None:
    """Return how a class uses a list that it sorts; None where that is not clear."""
    name = code.removeprefix("self.")
    queue: Queue = {kind: [] for kind in ("made", "append", "sort", "order", "any", "")}
    for node in program.nodes:
        if named(node) == name:
            mention = program.parent[node]
            kind = _kind(program, mention, code) if is_own(program, owner, mention) else ""
            queue[kind].append(mention if kind == "order" else program.statement(node))
    keys = {flat(key) if (key := _value(line)) else "" for line in queue["sort"]}
    start = [
        named(getattr(function_around(program, line), "name", None)) for line in queue["made"]
    ]
    known = queue["append"] and len(keys) == 1 and start == ["__init__"] and not queue[""]
    told = re.search(rf"[\"'.]{name}[\"']", program.code)  # by `attrgetter` or the like
    return queue if known and not told and not _READING & bound(program.module) else None


def _kind(program: Program, node: cst.CSTNode, code: str) -> str:
    """Return what a mention does; nothing where it is not understood."""
    import libcst as cst

    line, above = program.statement(node), program.parent[node]
    call, small = program.parent[above], flat(only(line) or cst.Pass())
    if isinstance(above, cst.Attribute):
        if not isinstance(call, cst.Call) or call.func is not above:
            return ""
        asked, keywords = above.attr.value, [named(arg.keyword) for arg in call.args]
        odd = any(arg.star or isinstance(arg.value, cst.GeneratorExp) for arg in call.args)
        fits = keywords in {"append": [[""]], "sort": [[], ["key"]]}.get(asked, [])
        return asked if fits and not odd and flat(call) == small else _METHODS.get(asked, "")
    if isinstance(above, (cst.AssignTarget, cst.AnnAssign)):
        return "made" if re.fullmatch(rf"{code}(:[^=]+)?=(\[\]|list\(\))", small) else ""
    name = named(call.func) if isinstance(call, cst.Call) else ""
    if truth_only(program, node) or name == "len":
        return "any"
    if name in _READING and calls(call, name) == [node]:
        return "order"
    if isinstance(above, cst.Subscript):
        parts = [n for target in targets(line) for n in written(target)]
        return "order" if above not in parts or isinstance(call, cst.Del) else ""
    return "order" if isinstance(above, (cst.For, cst.CompFor)) and above.iter is node else ""


def _value(line: cst.CSTNode) -> cst.BaseExpression | None:
    """Return the first argument of the call that a line is, if it has one."""
    call = getattr(only(line), "value", None)
    return call.args[0].value if call and call.args else None


def _changes(program: Program, owner: cst.ClassDef, code: str, queue: Queue) -> Changes:
    """Yield the change, where nobody can tell that the list was not in order before."""
    methods = _sort_methods(program, owner, queue["sort"])
    sites = [*queue["sort"], *(line for callers in methods.values() for line in callers)]
    gone = [line for line in sites if function_around(program, line) not in methods]
    insort, imports = imported(program, "bisect", "insort")
    values = {line: value for line in queue["append"] if (value := _value(line))}
    hidden = insort.partition(".")[0] in bound(owner)
    alone = any(len(program.block(line)) < 2 for line in gone)
    told = expects(program, "TypeError") or any(tried(program, n) for n in (*values, *gone))
    if hidden or alone or told:  # what cannot be ordered was in the list before it was sorted
        return
    following = {a: b for n in (*values, *sites) for a, b in pairwise(program.block(n))}
    at_once = all(following.get(line) in sites for line in values)
    after = [following[site] for site in sites if site in following]
    in_order = at_once or all(_follows(program, node, after) for node in queue["order"])
    key = _value(queue["sort"][0])
    if in_order and keeps_key(program, owner, key, [*values.values()]):
        by = f", key={text(key)}" if key else ""
        new = {line: f"{insort}({code}, {text(value)}{by})" for line, value in values.items()}
        yield TreeChange(
            anchor=queue["append"][0],
            replaced=dict.fromkeys((*methods, *gone), "") | new,
            imports=imports,
            direction=f"Insert into `{code}` by bisection instead of sorting it again",
            effect="O(n log n) or O(n) comparisons -> O(log n) for each element",
        )


def _sort_methods(program: Program, owner: cst.ClassDef, sorts: Lines) -> Methods:
    """Return private methods that only sort, with the lines that call them; none else may."""
    import libcst as cst

    methods: Methods = {}
    for line in sorts:
        function = function_around(program, line)
        if not isinstance(function, cst.FunctionDef) or body_of(function) != [line]:
            continue
        name, odd = function.name.value, function.decorators or function.asynchronous
        mentions = [n for n in program.nodes if named(n) == name and n is not function.name]
        called = [n for n in mentions if is_own(program, owner, program.parent[n])]
        callers = [program.statement(n) for n in called]
        calls_it = all(flat(only(each) or cst.Pass()) == f"self.{name}()" for each in callers)
        private = name.startswith("_") and not name.endswith("__") and not odd
        if private and calls_it and 0 < len(mentions) == len(called):
            methods[function] = callers
    return methods


def _follows(program: Program, node: cst.CSTNode, after: Lines) -> bool:
    """Whether a line follows a sort, and nothing in it could append before a mention."""
    import libcst as cst

    line, above = program.statement(node), [*program.above(node)]
    early = (cst.Await, cst.Call, cst.GeneratorExp, cst.Yield)
    others = (n for n in walk(line) if isinstance(n, early) and n not in above)
    again = (loop for loop in program.loops(node) if line in program.above(loop))
    lazy = (n for n in above if isinstance(n, cst.GeneratorExp))
    return only(line) is not None and line in after and not any((*others, *again, *lazy))
