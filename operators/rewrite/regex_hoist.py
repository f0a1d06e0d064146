"""`re.match(pattern, text)` again and again -> a pattern that is compiled once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.patterns import AskedPattern, compiled, imports_re, is_text_above
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import names
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class RegexHoist(Rule):
    """Compile a regular expression once, before the loop or beside the function.

    Valid where pattern and flags stay as they are (checked). The module `re` keeps what it
    has compiled, but looks it up for every call. Known as hoisting a compiled pattern.
    """

    name = "regex_hoist"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change that compiles before the loops, and one beside the function."""
        if not imports_re(program):
            return
        early: dict[cst.CSTNode, list[AskedPattern]] = {}
        beside: dict[cst.CSTNode, list[AskedPattern]] = {}
        for use in filter(None, map(compiled, place.own)):
            asked = [one for one in use.given if one is use.pattern or names(one) - {"re"}]
            loop, *others = (invariant_loop(program, use.node, one) for one in asked)
            if loop and others.count(loop) == len(others) and all(map(pure, asked)):
                early.setdefault(program.statement(loop), []).append(use)
            if place.name and not _needs(program, use):
                beside.setdefault([*program.above(use.node)][-2], []).append(use)
        for where, groups in (("loop", early), ("module", beside)):
            if groups:
                wanted = place.name.rpartition(".")[2].strip("_").upper()
                name = "pattern" if where == "loop" else f"{wanted}_PATTERN"
                yield _change(program, groups, where, name)


def _needs(program: Program, use: AskedPattern) -> bool:
    """Whether pattern or flags need anything but the module `re` and texts set above."""
    import libcst as cst

    needed = names(cst.parse_expression(use.compiled)) - {"re"}
    return not all(is_text_above(program, name, use.node) for name in needed)


def _change(
    program: Program, groups: dict[cst.CSTNode, list[AskedPattern]], where: str, wanted: str
) -> TreeChange:
    called: dict[tuple[cst.CSTNode | None, str], str] = {}
    before: dict[cst.CSTNode, list[str]] = {}
    replaced: dict[cst.CSTNode, str] = {}
    for line, uses in groups.items():
        for use in uses:
            # Each loop has its own: another may be in another branch, or after a change.
            key = (line if where == "loop" else None, use.compiled)
            if key not in called:
                called[key] = program.fresh(wanted, *called.values())
                before.setdefault(line, []).append(f"{called[key]} = {use.compiled}")
            replaced[use.node] = f"{called[key]}{use.asked}"
    return TreeChange(
        anchor=next(iter(replaced)),
        replaced=replaced,
        before=before,
        parameters=(("where", where),),
        direction="Compile each regular expression once",
        effect="no look-up of a pattern for each call",
    )
