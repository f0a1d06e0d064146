"""`re.match(pattern, text)` again and again -> a pattern that is compiled once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import invariant_loop, pure
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import named, names, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_ARGUMENTS = {
    "compile": 1, "findall": 2, "finditer": 2, "fullmatch": 2, "match": 2, "search": 2,
    "split": 3, "sub": 4, "subn": 4,
}  # fmt: skip
"""How many positional arguments each function takes before its flags."""


class RegexHoist(Rule):
    """Compile a regular expression once, before the loop or beside the function.

    Valid where pattern and flags stay as they are (checked). The module `re` keeps what it
    has compiled, but looks it up for every call. Known as hoisting a compiled pattern.
    """

    name = "regex_hoist"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change that compiles before the loops, and one beside the function."""
        if not _imports_re(program):
            return
        early: dict[cst.CSTNode, list[_Use]] = {}
        beside: dict[cst.CSTNode, list[_Use]] = {}
        for use in filter(None, map(_use, place.own)):
            loop = invariant_loop(program, use.node, use.pattern)
            if loop is not None and pure(use.pattern):
                early.setdefault(program.statement(loop), []).append(use)
            if place.name and not _needs(use):
                beside.setdefault([*program.above(use.node)][-2], []).append(use)
        for where, groups in (("loop", early), ("module", beside)):
            if groups:
                yield _change(program, groups, where)


class _Use(NamedTuple):
    node: cst.CSTNode
    pattern: cst.BaseExpression
    compiled: str
    asked: str


def _imports_re(program: Program) -> bool:
    import libcst as cst

    lines = (s.body for s in program.module.body if isinstance(s, cst.SimpleStatementLine))
    imports = (small for body in lines for small in body if isinstance(small, cst.Import))
    return any(
        alias.evaluated_name == "re" and not alias.asname
        for found in imports
        for alias in found.names
    )


def _use(node: cst.CSTNode) -> _Use | None:
    """Return how a pattern is asked in `re.match(pattern, ...)` and its like, else None."""
    import libcst as cst

    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    function = node.func.attr.value
    if named(node.func.value) != "re" or function not in _ARGUMENTS or not node.args:
        return None
    first, *rest = node.args
    if first.star or first.keyword or any(arg.star for arg in rest):
        return None
    flags = [arg for arg in rest if named(arg.keyword) == "flags"]
    plain = [arg for arg in rest if not arg.keyword]
    if len(plain) >= _ARGUMENTS[function]:
        flags = plain[_ARGUMENTS[function] - 1 :]
    given = "".join(f", {text(arg.value)}" for arg in flags)
    if function == "compile":
        return _Use(node, first.value, f"re.compile({text(first.value)}{given})", "")
    left = ", ".join(text(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for arg in rest
                     if arg not in flags)  # fmt: skip
    compiled = f"re.compile({text(first.value)}{given})"
    return _Use(node, first.value, compiled, f".{function}({left})")


def _needs(use: _Use) -> bool:
    """Whether pattern or flags need anything but the module `re`."""
    import libcst as cst

    return bool(names(cst.parse_expression(use.compiled)) - {"re"})


def _change(program: Program, groups: dict[cst.CSTNode, list[_Use]], where: str) -> TreeChange:
    called: dict[str, str] = {}
    before: dict[cst.CSTNode, list[str]] = {}
    for line, uses in groups.items():
        for use in uses:
            if use.compiled not in called:
                number = len(called) + 1
                name = program.fresh("pattern" if number == 1 else f"pattern_{number}")
                called[use.compiled] = name
                before.setdefault(line, []).append(f"{name} = {use.compiled}")
    every = [use for uses in groups.values() for use in uses]
    return TreeChange(
        anchor=every[0].node,
        replaced={use.node: f"{called[use.compiled]}{use.asked}" for use in every},
        before=before,
        parameters=(("where", where),),
        direction="Compile each regular expression once",
        effect="no look-up of a pattern for each call",
    )
