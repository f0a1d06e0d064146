"""A recursion on `xs[1:]` or on a half of `xs` -> one on positions; nothing is copied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure, waits
from operators.rewrite.handlers import awaited
from operators.rewrite.kinds import none_by_signature
from operators.rewrite.loops import exchanged, substituted
from operators.rewrite.owners import defined_in, first_parameter
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    body_of,
    bound,
    calls,
    compared,
    flat,
    index,
    lines,
    named,
    names,
    positional,
    root,
    targets,
    written,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import only_read, truth_only

if TYPE_CHECKING:
    import libcst as cst


class SliceRecursion(Rule):
    """Pass on where a part begins and ends, instead of a copy of it.

    Valid for a function, or a method that no class below overrides (left to the tests), which
    calls itself with parts of its own arguments, or all of them, and only reads these
    (checked). Elements and slices are asked from the position on; whatever else reads an
    argument gets a slice of it. That positions are not negative, and are within the part, is
    left to the tests. Known as recursion on index ranges.
    """

    name = "slice_recursion"
    relies_on = "positions are not negative"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield the one change of a function that calls itself with slices."""
        import libcst as cst

        function = place.node
        if not isinstance(function, cst.FunctionDef):
            return
        around = defined_in(program, function)
        owner = first_parameter(function) if isinstance(around, cst.ClassDef) else ""
        if not owner and not isinstance(around, cst.Module):
            return
        found = _recursion(program, function, owner)
        if found is not None:
            yield TreeChange(
                anchor=function,
                replaced={function: _rewritten(program, function, found)},
                direction="Pass positions, not parts of a sequence, to the calls of itself",
                effect="no copy for each call: O(n) -> O(1) a call",
            )


class _Part(NamedTuple):
    """A parameter that a function passes parts of to itself.

    Attributes:
        name: Its name.
        start: What the position is called at which a part begins.
        stop: What is called where it ends; empty: parts end where the whole ends.
    """

    name: str
    start: str
    stop: str

    @property
    def end(self) -> str:
        """Code for where the part ends."""
        return self.stop or f"len({self.name})"


class _Recursion(NamedTuple):
    """A function that calls itself: the calls, and its parameters by position."""

    calls: tuple[cst.Call, ...]
    parameters: tuple[str, ...]
    parts: dict[str, _Part]


def _recursion(program: Program, function: cst.FunctionDef, owner: str) -> _Recursion | None:
    """Return how a function calls itself with parts; None where it does not, or does more.

    Args:
        program: The program.
        function: The function.
        owner: What a method calls its object; empty for a function.
    """
    import libcst as cst

    params, name = function.params, function.name.value
    others = (params.kwonly_params, params.posonly_params, params.star_kwarg)
    plain = not any(others) and not isinstance(params.star_arg, cst.Param)
    if function.decorators or function.asynchronous or waits(function.body) or not plain:
        return None
    mine = tuple(
        node for node in walk(function.body)
        if isinstance(node, cst.Call) and flat(node.func) == f"{owner}.{name}".lstrip(".")
    )  # fmt: skip
    mentions = sum(1 for node in walk(function.body) if named(node) == name)
    given = [positional(call) for call in mine]
    if not mine or mentions != len(mine) or len(program.functions[name]) != 1:
        return None
    if not _is_the_only(program, function, owner) or _awaits(program, function):
        return None
    set_anew = {root(part) for each in targets(function.body) for part in written(each)}
    parameters = tuple(param.name.value for param in params.params[bool(owner) :])
    parts: dict[str, _Part] = {}
    for position, each in enumerate(parameters):
        values = [args[position] for args in given if args and len(args) > position]
        cuts = [value for value in values if _cut(value, each)]
        if not cuts or None in given or len(values) < len(given):
            continue
        if not all(_cut(value, each) or named(value) == each for value in values):
            continue
        if each in set_anew or none_by_signature(params.params[position + bool(owner)]):
            continue
        if not _is_read(program, function, each, mine):
            continue
        start, stop = program.fresh("start"), program.fresh("stop")
        if parts:
            start, stop = program.fresh(f"{each}_start"), program.fresh(f"{each}_stop")
        fronts = any(_slice(value).upper for value in cuts)
        parts[each] = _Part(each, start, stop if fronts else "")
    rest = [param.default for param in params.params if param.name.value not in parts]
    fixed = all(default is None or _is_fixed(default) for default in rest)
    return _Recursion(mine, parameters, parts) if parts and fixed else None


def _is_the_only(program: Program, function: cst.FunctionDef, owner: str) -> bool:
    """Whether nothing else gets its name, and a function within can stand for it."""
    import libcst as cst

    name = function.name.value
    for target in targets(program.module):
        for part in written(target):
            here = part.attr if isinstance(part, cst.Attribute) else part
            if named(here) == name and here is not function.name:
                return False
    return owner not in bound(function.body) and "super" not in names(function.body)


def _awaits(program: Program, function: cst.FunctionDef) -> bool:
    """Whether a handler may wait for the end of a part: a position goes on behind it."""
    import libcst as cst

    every = frozenset(["BaseException", "Exception"])
    return awaited(program, "IndexError", "LookupError") or any(
        isinstance(node, cst.ExceptHandler) and (not node.type or names(node.type) & every)
        for node in walk(function.body)
    )


def _is_fixed(value: cst.BaseExpression) -> bool:
    import libcst as cst

    constant = named(value) in ("None", "True", "False")
    return constant or isinstance(value, (cst.BaseNumber, cst.SimpleString))


def _cut(value: cst.CSTNode, name: str) -> bool:
    """Whether a value is a part of the named one: `xs[a:]`, `xs[:b]`, or both.

    Not where it begins at what leaves a trace, and ends somewhere: code for its end has both.
    """
    import libcst as cst

    if not isinstance(value, cst.Subscript) or named(value.value) != name:
        return False
    part = value.slice[0].slice
    if len(value.slice) != 1 or not isinstance(part, cst.Slice) or part.step is not None:
        return False
    if part.lower and part.upper and not pure(part.lower):
        return False
    return all(_is_counted(place) for place in (part.lower, part.upper) if place)


def _is_counted(place: cst.BaseExpression) -> bool:
    """Whether one sees from which end a place is counted: `-k` is the front where k is 0."""
    import libcst as cst

    if not isinstance(place, cst.UnaryOperation):
        return True
    return isinstance(place.operator, cst.Minus) and isinstance(place.expression, cst.Integer)


def _slice(value: cst.CSTNode) -> cst.Slice:
    import libcst as cst

    assert isinstance(value, cst.Subscript)
    part = value.slice[0].slice
    assert isinstance(part, cst.Slice)
    return part


def _is_read(
    program: Program, function: cst.FunctionDef, name: str, mine: tuple[cst.Call, ...]
) -> bool:
    """Whether a parameter is only read, where it is not passed on to the function itself."""
    import libcst as cst

    for node in (n for n in walk(function.body) if named(n) == name):
        above = program.parent[node]
        passed = isinstance(above, cst.Arg) and program.parent[above] in mine
        if isinstance(above, cst.Comparison) and "None" in names(above):
            return False  # a slice never is
        sliced = isinstance(above, cst.Subscript) and _cut(above, name)
        if not (passed or sliced or only_read(program, node) or truth_only(program, node)):
            return False
    return True


def _rewritten(
    program: Program, function: cst.FunctionDef, found: _Recursion
) -> cst.FunctionDef:
    """Return the function with another in it that does its work on positions."""
    import libcst as cst

    inner = program.fresh(f"{function.name.value}_from")
    new: dict[cst.CSTNode, str] = {}
    for node in reversed([*walk(function.body)]):
        if node in found.calls:
            assert isinstance(node, cst.Call)
            new[node] = f"{inner}({', '.join(_arguments(node, found, new))})"
        elif part := found.parts.get(named(node)):
            _read(program, node, part, found, new)
    new = {n: c for n, c in new.items() if not any(a in new for a in program.above(n))}
    body = exchanged(function.body, new)
    assert isinstance(body, cst.IndentedBlock)
    documented = len(lines(function.body)) - len(body_of(function))
    parameters, first = _parameters(function, found)
    inside = cst.FunctionDef(
        name=cst.Name(inner),
        params=parameters,
        body=body.with_changes(body=body.body[documented:]),
    )
    last = cst.parse_statement(f"return {inner}({', '.join(first)})")
    space = [cst.EmptyLine(indent=False)]
    ended = last.with_changes(leading_lines=space)
    return function.with_changes(
        body=body.with_changes(body=[*body.body[:documented], inside, ended])
    )


def _parameters(
    function: cst.FunctionDef, found: _Recursion
) -> tuple[cst.Parameters, list[str]]:
    """Return the parameters of the inner function, and what it is given at first."""
    import libcst as cst

    new: list[cst.Param] = []
    first: list[str] = []
    own = function.params.params[-len(found.parameters) :]
    last = max(map(found.parameters.index, found.parts))
    for param in own:
        part = found.parts.get(param.name.value)
        if part is None:
            needed = param in own[last:]  # every call gives what comes before a part
            new.append(param.with_changes(annotation=None) if needed else cst.Param(param.name))
            first.append(param.name.value)
            continue
        new.append(cst.Param(cst.Name(part.start)))
        first.append("0")
        if part.stop:
            new.append(cst.Param(cst.Name(part.stop)))
            first.append(f"len({part.name})")
    return cst.Parameters(params=new), first


def _arguments(call: cst.Call, found: _Recursion, new: dict[cst.CSTNode, str]) -> Iterator[str]:
    """Yield the arguments of a call of the function by itself."""
    for name, arg in zip(found.parameters, call.args, strict=False):
        part, value = found.parts.get(name), arg.value
        if part is None:
            yield substituted(value, new)
        elif named(value) == name:
            yield part.start
            if part.stop:
                yield part.stop
        else:
            lower, upper = _bounds(value, part, new)
            yield lower
            if part.stop:
                yield upper


def _bounds(value: cst.CSTNode, part: _Part, new: dict[cst.CSTNode, str]) -> tuple[str, str]:
    """Return where a slice of a part begins and ends in the whole; it never leaves the part."""
    cut = _slice(value)
    lower, upper = part.start, part.end
    if cut.lower is not None:
        code, behind = _at(cut.lower, part, new)
        lower = f"max({code}, {part.start})" if behind else f"min({code}, {part.end})"
    if cut.upper is not None:
        code, behind = _at(cut.upper, part, new)
        least = part.start if cut.lower is None else lower
        upper = f"max({code}, {least})" if behind else f"min({code}, {part.end})"
        if cut.lower is not None and not behind:
            upper = f"max({upper}, {lower})"
    return lower, upper


def _at(
    place: cst.BaseExpression, part: _Part, new: dict[cst.CSTNode, str]
) -> tuple[str, bool]:
    """Return a place of a part in the whole, and whether it is counted from behind."""
    import libcst as cst

    if isinstance(place, cst.UnaryOperation) and isinstance(place.operator, cst.Minus):
        return f"{part.end} - {_term(place.expression, new)}", True
    code = _term(place, new)
    return (part.start if code == "0" else f"{part.start} + {code}"), False


def _term(node: cst.BaseExpression, new: dict[cst.CSTNode, str]) -> str:
    """Return code that can be added to another."""
    import libcst as cst

    code = substituted(node, new)
    sums = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add)
    atom = isinstance(node, (cst.Name, cst.Integer)) or (sums and node not in new)
    return code if atom or node.lpar else f"({code})"


def _read(
    program: Program,
    node: cst.CSTNode,
    part: _Part,
    found: _Recursion,
    new: dict[cst.CSTNode, str],
) -> None:
    """Put what a mention becomes into `new`; mentions behind it are there already."""
    import libcst as cst

    name, start, above = part.name, part.start, program.parent[node]
    around = program.parent[above]
    if isinstance(above, cst.Arg) and (around in found.calls or above.value is not node):
        return
    if isinstance(above, cst.Subscript) and _is_passed(program, above, found):
        return
    place = index(above)
    if isinstance(above, cst.Arg) and calls(around, "len"):
        new[around] = f"{part.end} - {start}"
    elif isinstance(above, cst.UnaryOperation) and truth_only(program, node):
        new[above] = f"{start} >= {part.end}"
    elif truth_only(program, node):
        new[node] = f"{start} < {part.end}"
    elif (test := _emptiness(program, node)) is not None:
        new[test] = f"{start} >= {part.end}"
    elif place and place[0] is node and _is_counted(place[1]):
        new[above] = f"{name}[{_at(place[1], part, new)[0]}]"
    elif isinstance(above, cst.Subscript) and _cut(above, name):
        lower, upper = _bounds(above, part, new)
        whole = upper == f"len({name})"
        new[above] = f"{name}[{lower}:{'' if whole else upper}]"
    else:
        new[node] = f"{name}[{start}:{part.stop}]"


def _is_passed(program: Program, value: cst.CSTNode, found: _Recursion) -> bool:
    """Whether a slice is what a call of the function by itself is given."""
    arg = program.parent[value]
    return program.parent[arg] in found.calls and _cut(
        value, named(getattr(value, "value", None))
    )


def _emptiness(program: Program, node: cst.CSTNode) -> cst.CSTNode | None:
    """Return the test `xs == []` around a mention."""
    sides = compared(program.parent[node], "Equal")
    if sides and sides[0] is node and flat(sides[1]) in ("[]", '""', "''", "()"):
        return program.parent[node]
    return None
