"""A test that ends the function stands after costly work that it does not need -> before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import changed
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import bound, lines, named, names, only, target_names, text
from operators.rewrite.rule import Rule
from operators.rewrite.uses import free

if TYPE_CHECKING:
    import libcst as cst

_CHEAP = frozenset({"abs", "bool", "len", "isinstance", "ord", "chr", "int", "float", "type"})


class GuardFirst(Rule):
    """Ask what may end the function before the work that the question does not need.

    Valid where the test reads nothing that the work sets, the work leaves no trace, and all
    that the work itself may return is what the test returns (checked); the test must not rely
    on the work to rule out what it cannot stand (left to the tests). Covers `if` and loops
    that return a constant, and the last decision of a function. Known as guard clauses, the
    cheap or more often decisive one first.
    """

    name = "guard_first"
    relies_on = "the test that comes first now stands all values"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each guard that has costly work above it."""
        import libcst as cst

        if not isinstance(place.node, cst.FunctionDef):
            return
        block = lines(place.node.body)
        for at in range(1, len(block)):
            guard = _guard(program, place, block, at)
            first = _first(program, place, block, guard) if guard else None
            if guard and first is not None:
                yield TreeChange(
                    anchor=block[at],
                    replaced={**dict.fromkeys(guard.lines, ""), **guard.left},
                    before={first: guard.code},
                    direction="Ask first what may end the function without the work above it",
                    effect="the work above is not done where the answer is known without it",
                )


class _Guard(NamedTuple):
    """Lines that may return a constant and do nothing else.

    Attributes:
        lines: Those that move.
        code: What they are at the new place.
        left: What stays of them at the old place.
        returned: The constant, as code.
        asked: Code whose names must be the same at the new place.
    """

    lines: Sequence[cst.CSTNode]
    code: Sequence[str]
    left: dict[cst.CSTNode, str]
    returned: str
    asked: Sequence[cst.CSTNode]


def _guard(
    program: Program, place: Place, block: Sequence[cst.CSTNode], at: int
) -> _Guard | None:
    import libcst as cst

    line = block[at]
    if isinstance(line, cst.If):
        decided = _decision(block, at)
        if decided is not None:
            return decided if computes(program, line.test) else None
    if not isinstance(line, (cst.If, cst.For, cst.While)) or not computes(program, line):
        return None
    returned = _returned(line)
    if len(returned) != 1 or not _constant(min(returned)) or _ends(line):
        return None
    start = at
    while start and _prepares(block[start - 1], line):
        start -= 1
    moved = block[start : at + 1]
    if not all(confined(program, place, line, bound(each)) for each in moved):
        return None
    return _Guard(moved, [_code(each) for each in moved], {}, min(returned), moved)


def _decision(block: Sequence[cst.CSTNode], at: int) -> _Guard | None:
    """The last `if test: return value`, and a constant otherwise."""
    import libcst as cst

    line = block[at]
    assert isinstance(line, cst.If)
    other = lines(line.orelse.body) if isinstance(line.orelse, cst.Else) else block[at + 1 :]
    after = len(block) - at - 1
    if isinstance(line.orelse, cst.If) or after != (0 if line.orelse else 1):
        return None
    value, constant = _value(lines(line.body)), _value(other)
    if not value or not _constant(constant):
        return None
    code = f"if not ({text(line.test)}):\n    return {constant}"
    gone: dict[cst.CSTNode, str] = dict.fromkeys(block[at + 1 :], "")
    return _Guard([line], [code], {**gone, line: f"return {value}"}, constant, [line.test])


def _value(body: Sequence[cst.CSTNode]) -> str:
    """Return what a single line returns, as code; nothing for other lines."""
    import libcst as cst

    small = only(body[0]) if len(body) == 1 else None
    return text(small.value) if isinstance(small, cst.Return) and small.value else ""


def _constant(code: str) -> bool:
    """Whether returned code is a number, a text, True, False or None."""
    return (
        code in ("True", "False", "None", "''", '""')
        or code.lstrip("-").isdigit()
        or (code[:1] in "'\"" and code[:1] == code[-1:] and code[1:-1].isalnum())
    )


def _returned(node: cst.CSTNode) -> set[str]:
    import libcst as cst

    returns = [n for n in walk(node) if isinstance(n, cst.Return)]
    return {text(n.value) if n.value else "None" for n in returns}


def _ends(line: cst.CSTNode) -> bool:
    """Whether the function ends here in any case, or the line has another way out."""
    import libcst as cst

    if any(isinstance(n, (cst.Raise, cst.Assert, cst.Lambda)) for n in walk(line)):
        return True
    return getattr(line, "orelse", None) is not None


def _prepares(line: cst.CSTNode, guard: cst.CSTNode) -> bool:
    """Whether a line does nothing but give values to variables of a loop."""
    import libcst as cst

    return isinstance(only(line), cst.Assign) and bool(bound(line) & changed(guard))


def _first(
    program: Program, place: Place, block: Sequence[cst.CSTNode], guard: _Guard
) -> cst.CSTNode | None:
    """Return the line that the guard can stand before, the first costly one."""
    import libcst as cst

    read = _reached(place, frozenset[str]().union(*map(_read, guard.asked)))
    own = frozenset[str]().union(*map(bound, guard.asked))
    found, passed = None, list[cst.BaseStatement]()
    for line in reversed(block[: block.index(guard.lines[0])]):
        if _raises(line) or _returned(line) - {guard.returned}:
            break
        if (changed(line) & read) or (_read(line) & own):
            break
        # A cheap guard may rule out what this one cannot stand, such as nothing at all.
        early = isinstance(line, cst.If) and _returned(line) and not _costly(line)
        if early and _read(line) & read:
            break
        assert isinstance(line, cst.BaseStatement)
        passed.insert(0, line)
        # Together: what one line makes, another may change.
        if _costly(line) and computes(program, cst.IndentedBlock(passed)):
            found = line
    return found


def _read(line: cst.CSTNode) -> frozenset[str]:
    """Return the names that a line takes from around it: not what its own loop sets."""
    import libcst as cst

    looping = frozenset(target_names(line.target)) if isinstance(line, cst.For) else frozenset()
    return free(line) - looping


def _reached(place: Place, read: frozenset[str]) -> frozenset[str]:
    """Return the names with those that nested functions among them mention."""
    import libcst as cst

    nested = {n.name.value: n for n in walk(place.node) if isinstance(n, cst.FunctionDef)}
    while (
        more := frozenset[str]().union(*(names(nested[n]) for n in nested if n in read)) - read
    ):
        read |= more
    return read


def _raises(line: cst.CSTNode) -> bool:
    import libcst as cst

    kinds = (cst.Raise, cst.Assert, cst.FunctionDef, cst.ClassDef, cst.Try, cst.With, cst.Del)
    return any(isinstance(node, kinds) for node in walk(line))


def _costly(line: cst.CSTNode) -> bool:
    """Whether a line may do work for every element of something."""
    import libcst as cst

    for node in walk(line):
        if isinstance(node, (cst.For, cst.While, cst.BaseComp, cst.Slice)):
            return True
        if isinstance(node, cst.Call) and named(node.func) not in _CHEAP:
            return True
    return False


def _code(line: cst.CSTNode) -> str:
    import libcst as cst

    return cst.Module([]).code_for_node(line).strip("\n")
