"""`buf = buf[n:]` in a loop -> a position in `buf` that moves on; nothing is copied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import QUERIES
from operators.rewrite.handlers import tried
from operators.rewrite.loops import substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    compared,
    conjuncts,
    flat,
    integer,
    named,
    names,
    only,
    positional,
    text,
    variables,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst

_TEXT = frozenset(
    ["decode", "endswith", "find", "isalnum", "isalpha", "isdecimal", "isdigit", "isidentifier",
     "isspace", "lstrip", "partition", "rfind", "rindex", "rpartition", "rsplit", "rstrip",
     "split", "splitlines", "startswith", "strip"]
)  # fmt: skip
_MIRRORED = {"GreaterThanEqual": "LessThanEqual", "GreaterThan": "LessThan"}


class FrontOffset(Rule):
    """Move a position through a text, bytes, a list or a tuple, whose front was sliced off.

    Valid when the loop sets the name to nothing but its own rest, and nobody changes it, asks
    for it in a function within, or handles errors meanwhile (checked). Lengths, elements and
    slices are asked from the position on; whatever else reads the rest gets a slice of it.
    That steps are not negative is left to the tests. Known as a cursor.
    """

    name = "front_offset"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each name and the outermost loop that takes from its front."""
        done = set()
        for line in place.own:
            step = _step(line)
            if step is None:
                continue
            loop = _loop(program, place, line, step.name)
            if loop is None or tried(program, loop) or (step.name, loop) in done:
                continue
            done.add((step.name, loop))
            yield _change(program, place, step, loop)


class _Step(NamedTuple):
    """A line that takes the front off a name: by how much, and what else it sets before."""

    line: cst.CSTNode
    name: str
    by: cst.BaseExpression
    beside: tuple[cst.BaseExpression, cst.BaseExpression] | None = None


def _step(line: cst.CSTNode) -> _Step | None:
    """Return what `buf = buf[n:]` or `x, buf = buf[0], buf[n:]` takes off."""
    import libcst as cst

    small = only(line)
    pair = assigned(small)
    if pair:
        by = _cut(pair[1], pair[0])
        return _Step(line, pair[0], by) if by is not None else None
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    target = small.targets[0].target
    if not isinstance(target, cst.Tuple) or not isinstance(small.value, cst.Tuple):
        return None
    given = [element.value for element in small.value.elements]
    taken = [element.value for element in target.elements]
    if len(given) != 2 or len(taken) != 2 or not named(taken[1]) or not named(taken[0]):
        return None
    by = _cut(given[1], named(taken[1]))
    if by is not None and named(taken[0]) in names(by):
        return None  # it means the value before
    return _Step(line, named(taken[1]), by, (taken[0], given[0])) if by is not None else None


def _cut(value: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    """Return n if a value is `name[n:]`, and n neither below nought nor of the name's own."""
    import libcst as cst

    if (
        not isinstance(value, cst.Subscript)
        or named(value.value) != name
        or len(value.slice) != 1
    ):
        return None
    part = value.slice[0].slice
    if not isinstance(part, cst.Slice) or part.lower is None or part.upper or part.step:
        return None
    negative = isinstance(part.lower, cst.UnaryOperation)
    return None if negative else part.lower


def _loop(program: Program, place: Place, line: cst.CSTNode, name: str) -> cst.CSTNode | None:
    """Return the outermost loop that sets the name to nothing but its rest."""
    import libcst as cst

    own = frozenset(place.own)
    every = [n for n in variables(place.node) if n.value == name]
    if any(n not in own for n in every):
        return None  # a function within may ask for it at any time
    texts, outermost = _is_text(program, every), None
    for loop in program.loops(line):
        inside = frozenset(walk(loop))
        fits = all(
            _understood(program, n) or (texts and _loaded(program, n))
            for n in every
            if n in inside
        )
        if not isinstance(loop, cst.While) or not fits:
            break
        outermost = loop
    if outermost is None or isinstance(getattr(outermost, "orelse", None), cst.Else):
        return None
    return outermost


def _understood(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention takes from the front, or reads what nobody can change."""
    import libcst as cst

    above = program.parent[node]
    step = _step(program.statement(node))
    if isinstance(above, (cst.AssignTarget, cst.Element)) and step and step.name == named(node):
        return node is _target(step)
    if isinstance(above, cst.Attribute):
        return (
            above.value is node
            and isinstance(program.parent[above], cst.Call)
            and (above.attr.value in QUERIES | _TEXT)
        )
    returned = isinstance(only(program.statement(node)), cst.Return)
    return returned or only_read(program, node) or _tested(program, node)


def _is_text(program: Program, every: list[cst.Name]) -> bool:
    """Whether the name is seen to stand for a text or bytes, which nobody can change."""
    import libcst as cst

    for node in every:
        above = program.parent[node]
        whole = program.parent[above] if isinstance(above, cst.Subscript) else above
        if isinstance(whole, cst.Attribute) and whole.attr.value in _TEXT:
            return True
        if isinstance(above, cst.Param) and above.annotation:
            return text(above.annotation.annotation) in ("str", "bytes")
    return False


def _loaded(program: Program, node: cst.CSTNode) -> bool:
    """Whether a value is handed on as it is, nothing set and no method called."""
    import libcst as cst

    above = program.parent[node]
    return isinstance(above, (cst.Arg, cst.Element, cst.DictElement, cst.Assign))


def _read_by(step: _Step) -> cst.CSTNode:
    """Return the mention that a step takes its own rest from."""
    import libcst as cst

    small = only(step.line)
    assert isinstance(small, (cst.Assign, cst.AnnAssign))
    value = small.value.elements[1].value if isinstance(small.value, cst.Tuple) else small.value
    assert isinstance(value, cst.Subscript)
    return value.value


def _target(step: _Step) -> cst.CSTNode:
    import libcst as cst

    small = only(step.line)
    assert isinstance(small, (cst.Assign, cst.AnnAssign))
    target = small.targets[0].target if isinstance(small, cst.Assign) else small.target
    return target.elements[1].value if isinstance(target, cst.Tuple) else target


def _tested(program: Program, node: cst.CSTNode) -> bool:
    """Whether a value is asked for its truth only."""
    import libcst as cst

    above = program.parent[node]
    while isinstance(above, cst.BooleanOperation) or (
        isinstance(above, cst.UnaryOperation) and isinstance(above.operator, cst.Not)
    ):
        node, above = above, program.parent[above]
        if isinstance(node, cst.UnaryOperation) and not isinstance(above, cst.BooleanOperation):
            return True
    return isinstance(above, (cst.If, cst.While, cst.IfExp)) and above.test is node


def _change(program: Program, place: Place, step: _Step, loop: cst.CSTNode) -> TreeChange:
    inside = frozenset(walk(loop))
    at = program.fresh("start")
    new: dict[cst.CSTNode, str] = {}
    every = [n for n in variables(place.node) if n.value == step.name]
    mine = [n for n in every if n in inside]
    asks_length = any(calls(program.parent[program.parent[n]], "len") for n in mine)
    for node in reversed(mine):
        here = _step(program.statement(node))
        own = here is not None and here.name == step.name
        if not (here and own and node in (_read_by(here), _target(here))):
            _read(program, node, at, new)
    for node in mine:
        here = _step(program.statement(node))
        if here and here.name == step.name and node is _target(here):
            new[here.line] = _moved(program, here, at, new, exact=asks_length)
    replaced = {
        node: code
        for node, code in new.items()
        if not any(n in new for n in program.above(node))
    }
    return TreeChange(
        anchor=step.line,
        replaced=replaced,
        before={loop: [f"{at} = 0"]},
        after={loop: [f"{step.name} = {step.name}[{at}:]"]}
        if _read_after(program, place, step.name, loop)
        else {},
        direction=f"Move a position through `{step.name}` instead of slicing off its front",
        effect="no copy of the rest for each step: O(n^2) -> O(n)",
    )


def _read_after(program: Program, place: Place, name: str, loop: cst.CSTNode) -> bool:
    """Whether the rest may be asked for after the loop, or by a loop around it."""
    inside = frozenset(walk(loop))
    end = max(i for i, node in enumerate(place.own) if node in inside)
    after = {n for n in place.own[end:] if named(n) == name}
    around = any(True for _ in program.loops(loop))
    return around or any(n.value == name and n in after for n in variables(place.node))


def _read(program: Program, node: cst.CSTNode, at: str, new: dict[cst.CSTNode, str]) -> None:
    """Put what a reading mention becomes into `new`; mentions behind it are there already."""
    import libcst as cst

    name, above = named(node), program.parent[node]
    call = program.parent[above]
    if isinstance(above, cst.Arg) and calls(call, "len"):
        new[call] = f"len({name}) - {at}"
    elif _tested(program, node):
        new[node] = f"{at} < len({name})"
    elif isinstance(above, cst.Subscript) and (found := _part(above, at, new)):
        new[above] = found
    elif isinstance(above, cst.Attribute) and (arguments := _plain(call)):
        sought = substituted(arguments[0], new)
        if above.attr.value == "startswith":
            new[call] = f"{name}.startswith({sought}, {at})"
        elif above.attr.value == "index":
            new[call] = f"{name}.index({sought}, {at}) - {at}"
        else:
            new[node] = f"{name}[{at}:]"
    else:
        new[node] = f"{name}[{at}:]"


def _plain(call: cst.CSTNode) -> list[cst.BaseExpression]:
    """Return the one argument of a call that has no other."""
    import libcst as cst

    found = positional(call) if isinstance(call, cst.Call) else None
    return found if found and len(found) == 1 else []


def _part(node: cst.Subscript, at: str, new: dict[cst.CSTNode, str]) -> str:
    """Return an element or slice of the rest as one of the whole; empty for one from behind."""
    import libcst as cst

    def from_start(bound: cst.BaseExpression) -> str:
        code = _term(bound, new)
        return at if code == "0" else f"{at} + {code}"

    part = node.slice[0].slice
    if len(node.slice) != 1 or any(isinstance(n, cst.UnaryOperation) for n in walk(part)):
        return ""
    name = text(node.value)
    if isinstance(part, cst.Index):
        return f"{name}[{from_start(part.value)}]"
    assert isinstance(part, cst.Slice)
    if part.step:
        return ""
    lower = from_start(part.lower) if part.lower else at
    upper = from_start(part.upper) if part.upper else ""
    return f"{name}[{lower}:{upper}]"


def _moved(
    program: Program, step: _Step, at: str, new: dict[cst.CSTNode, str], *, exact: bool
) -> str:
    """Return the lines that take the place of a step."""
    by = _term(step.by, new)
    held = exact and not _held(program, step)
    moved = f"{at} = min({at} + {by}, len({step.name}))" if held else f"{at} += {by}"
    if step.beside is None:
        return moved
    target, value = step.beside
    return f"{text(target)} = {substituted(value, new)}\n{moved}"


def _term(node: cst.BaseExpression, new: dict[cst.CSTNode, str]) -> str:
    """Return code that can be added to another: sums need no parentheses."""
    import libcst as cst

    sums = (cst.Add, cst.Subtract, cst.Multiply)
    code = substituted(node, new)
    plain = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, sums)
    atom = isinstance(node, (cst.Name, cst.Integer, cst.Subscript, cst.Attribute, cst.Call))
    plain = plain or (atom and node not in new)
    return code if plain or node.lpar else f"({code})"


def _held(program: Program, step: _Step) -> bool:
    """Whether a test around a step says that the rest is as long as what it takes off."""
    import libcst as cst

    below: cst.CSTNode = step.line
    for above in program.above(step.line):
        if isinstance(above, (cst.If, cst.While)) and above.body is below:
            if _cuts_before(above.body, step):
                return False
            if any(_enough(test, step) for test in conjuncts(above.test)):
                return True
        if isinstance(above, cst.For):
            return False
        below = above
    return False


def _cuts_before(body: cst.CSTNode, step: _Step) -> bool:
    """Whether another step may come between the beginning of a block and this step."""
    for line in walk(body):
        if line is step.line:
            return False
        other = _step(line)
        if other and other.name == step.name:
            return True
    return False


def _enough(test: cst.BaseExpression, step: _Step) -> bool:
    """Whether a test says that at least so much is left."""
    least = integer(step.by)
    if least is not None and least <= 1 and named(test) == step.name:
        return True
    length = f"len({step.name})"
    for kind, more in (("GreaterThanEqual", 0), ("GreaterThan", 1)):
        sides = compared(test, kind)
        mirrored = compared(test, _MIRRORED[kind])
        left, right = sides or (mirrored or (None, None))[::-1]
        if left is None or right is None or flat(left) != length:
            continue
        bound = integer(right)
        if bound is not None and least is not None:
            return bound + more >= least
        if flat(right) == flat(step.by):
            return True
    return False
