"""Where a list, set or dictionary may grow in place of being copied: nobody else holds it.

Not here: which line copies it, and what takes its place (the rules).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.freshness import bindings
from operators.rewrite.invariants import is_new
from operators.rewrite.making import is_fixed
from operators.rewrite.one_class import classes, plain_lines
from operators.rewrite.owners import looks_only, set_attributes
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    named,
    only,
    target_names,
    targets,
    variables,
    written,
)
from operators.rewrite.uses import mentions, only_read, truth_only
from se_agent.program.changing import CHANGING_FUNCTIONS, CHANGING_METHODS

if TYPE_CHECKING:
    import libcst as cst


def own_objects(
    program: Program,
    place: Place,
    is_new: Callable[[cst.BaseExpression], bool],
    stepped: Callable[[cst.CSTNode | None], str],
) -> frozenset[str]:
    """Return the names that a function sets to new objects, and to no object of others.

    Args:
        program: The program.
        place: The function.
        is_new: Says whether a value is made where it stands.
        stepped: Returns the name that a statement lets grow, or nothing.
    """
    import libcst as cst

    made, others = set[str](), set[str]()
    for target in targets(place.node):
        small = only(program.statement(target))
        pair = assigned(small)
        for name in target_names(target):
            if pair and pair[0] == name and is_new(pair[1]):
                made.add(name)
            elif not isinstance(small, cst.AugAssign) and stepped(small) != name:
                others.add(name)
    return frozenset(made - others)


def growing_loop(
    program: Program,
    place: Place,
    name: str,
    line: cst.CSTNode,
    steps: Collection[cst.CSTNode],
    others: Collection[cst.CSTNode] = (),
    *,
    asked: bool = True,
) -> cst.CSTNode | None:
    """Return the outermost loop around a line in which an object may grow in place.

    Args:
        program: The program.
        place: The function.
        name: Name of the object, which the function made itself.
        line: One line that lets it grow.
        steps: All lines of the function that let it grow alike.
        others: Lines outside of the loop that change it in place.
        asked: Whether others may read it while it grows.

    Returns:
        None where it has, or may have, another name before the loop ends.
    """
    import libcst as cst

    outermost = None
    for loop in program.loops(line):
        if not isinstance(loop, (cst.For, cst.While)):
            break
        inside = set(walk(loop))
        reads = [
            node
            for node in mentions(place, name)
            if node in inside and program.statement(node) not in steps
        ]
        if reads and not asked:
            break
        if not all(only_read(program, n) and not _walked(program, n, steps) for n in reads):
            break
        outermost = loop
    if outermost is None or not _alone(program, place, name, outermost, {*steps, *others}):
        return None
    if any(not _may_ask(program, place, n, asked=asked) for n in mentions(place, name)):
        return None
    return outermost


def _may_ask(program: Program, place: Place, node: cst.CSTNode, *, asked: bool) -> bool:
    """Whether a function within, if the mention is in one, may read the object as it grows.

    A generator may be walking over it.
    """
    import libcst as cst

    around = next(
        n for n in program.above(node) if isinstance(n, (cst.FunctionDef, cst.Module))
    )
    if around is place.node:
        return True
    return asked and not any(isinstance(n, cst.Yield) for n in walk(around))


def _walked(program: Program, node: cst.CSTNode, steps: Collection[cst.CSTNode]) -> bool:
    """Whether a loop walks over the object while it grows, itself or by what walks for it."""
    import libcst as cst

    loop = program.parent[node]
    while isinstance(loop, (cst.Arg, cst.Call, cst.CompFor, cst.GeneratorExp)):
        if isinstance(loop, cst.Call) and named(loop.func) in ("len", "range"):
            return False
        loop = program.parent[loop]
    if not isinstance(loop, cst.For):
        return False
    return any(loop in program.above(step) for step in steps)


def _alone(
    program: Program,
    place: Place,
    name: str,
    loop: cst.CSTNode,
    steps: Collection[cst.CSTNode],
) -> bool:
    """Whether the object has no other name before the loop ends, nor in a function within."""
    import libcst as cst

    own, inside = set(place.own), set(walk(loop))
    repeated = any(True for _ in program.loops(loop))
    before = set(place.own[: place.own.index(loop)])
    for node in mentions(place, name):
        if node in inside or isinstance(
            program.parent[node], (cst.AssignTarget, cst.AnnAssign)
        ):
            continue
        if node in own and node not in before and not repeated:
            continue
        if not only_read(program, node) and program.statement(node) not in steps:
            return False
    return True


def changed_objects(code: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what code may change in place; a text or number that grows is another one."""
    import libcst as cst

    for node in walk(code):
        if isinstance(node, cst.Attribute) and node.attr.value in CHANGING_METHODS:
            yield node.value
        elif isinstance(node, cst.AugAssign):
            added = isinstance(node.operator, (cst.AddAssign, cst.SubtractAssign))
            yield from [] if added and isinstance(node.value, cst.BaseNumber) else [node.target]
        elif isinstance(node, cst.Call) and word_of(node.func) in CHANGING_FUNCTIONS:
            last = 2 if word_of(node.func) == "pack_into" else 1  # a format may come first
            yield from (arg.value for arg in node.args[:last])
    for target in targets(code):
        yield from (part.value for part in written(target) if isinstance(part, cst.Subscript))


def is_private(program: Program, code: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether an object is a local one that was made here, and that nobody else got hold of."""
    import libcst as cst

    given = [each for each in bindings(code) if each[0] == named(node)]
    values = [None if below else value for _, value, below in given]
    if not given or all(is_fixed(program, value) for value in values):
        return bool(given)
    own = (cst.AssignTarget, cst.AnnAssign, cst.Attribute, cst.AugAssign, cst.Subscript)
    inner = (cst.FunctionDef, cst.Lambda)
    return all(v and is_new(v) and assigned(program.parent[v]) for v in values) and all(
        (isinstance(program.parent[each], own) and not looks_only(program, each))
        or (
            isinstance(only(program.statement(each)), cst.Return)
            and next(n for n in program.above(each) if isinstance(n, inner)) is code
        )
        or only_read(program, each)
        or truth_only(program, each)
        or _is_changed_by_call(program, each)
        for each in variables(code)
        if each.value == named(node)
    )


@lru_cache(maxsize=128)
def shared_changes(program: Program) -> tuple[cst.CSTNode, ...]:
    """Return what a file changes in place, but for what a function has to itself."""
    every = [f for functions in program.functions.values() for f in functions]
    bodies: list[cst.Module | cst.BaseSuite] = [program.module]
    bodies += (each.body for each in classes(program))
    outside = (line for body in bodies for line in plain_lines(body))
    return tuple(
        node
        for code in (*every, *outside)
        for node in changed_objects(code)
        if not is_private(program, code, node)
        and not (hasattr(node, "attr") and word_of(node) in fixed_attributes(program))
    )


@lru_cache(maxsize=128)
def fixed_attributes(program: Program) -> frozenset[str]:
    """Return the attributes that a file sets to numbers and texts only, which grow anew."""
    import libcst as cst

    every = {part: only(program.statement(part)) for part in set_attributes(program.module)}
    lines = (line for each in classes(program) for line in plain_lines(each.body))
    others = {name for line in lines for name in bound(line)} | program.functions.keys()
    for part, line in every.items():
        value = getattr(line, "value", None)
        if not isinstance(line, cst.AugAssign) and not is_fixed(program, value):
            others.add(part.attr.value)
    return frozenset(part.attr.value for part in every) - others


def is_made_here(program: Program, node: cst.CSTNode) -> bool:
    """Whether a name or attribute only stands for containers made here, handed to nobody."""
    return _stay_here(program, type(node), word_of(node))


def word_of(node: cst.CSTNode) -> str:
    """Return a name, or that of an attribute; nothing for other nodes."""
    return named(getattr(node, "attr", node))


@lru_cache(maxsize=1024)
def _stay_here(program: Program, kind: type[cst.CSTNode], word: str) -> bool:
    import libcst as cst

    new = {"deque", "dict", "list", "set", *program.definitions} - program.functions.keys()
    every = variables(program.module) if kind is cst.Name else program.nodes
    mentions = [n for n in every if type(n) is kind and word_of(n) == word]
    begun = False
    for mention in (n for n in mentions if not only_read(program, n)):
        above = program.parent[mention]
        line = above if isinstance(above, cst.AnnAssign) else program.parent[above]
        value = getattr(line, "value", None)
        built = isinstance(value, (cst.List, cst.Dict))
        made = built or word_of(getattr(value, "func", line)) in new
        if isinstance(above, (cst.AssignTarget, cst.AnnAssign)):
            begun = True
            if not made or len(getattr(line, "targets", "1")) > 1:
                return False
        elif not (truth_only(program, mention) or _is_changed_by_call(program, mention)):
            own = isinstance(above, (cst.Attribute, cst.Subscript))
            if not own or looks_only(program, mention):
                return False
    return begun


def _is_changed_by_call(program: Program, node: cst.CSTNode) -> bool:
    """Whether a known function changes a container that it is given, such as a heap."""
    import libcst as cst

    call = program.parent[program.parent[node]]
    known = isinstance(call, cst.Call) and word_of(call.func) in CHANGING_FUNCTIONS
    return isinstance(call, cst.Call) and known and call.args[0].value is node
