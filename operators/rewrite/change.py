"""One change of a program, and the text that it makes. Untouched code stays byte for byte.

New code is given as text. Not here: which change to make (the rules).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from operators.rewrite.imports import Import, imports
from operators.rewrite.program import Program, fields
from se_agent.program.features import evolve_lines
from se_agent.program.parsing import tree_of

if TYPE_CHECKING:
    import libcst as cst

Lines = Mapping["cst.CSTNode", Sequence[str]]


@dataclass(frozen=True, kw_only=True, eq=False)
class TreeChange:
    """What a rule wants to do at one site.

    Attributes:
        anchor: The node that identifies the site; its hash is part of the edit.
        replaced: New code by old node: an expression for an expression, statements (none: the
            line goes) for a statement; or a node that was made of the old one.
        before: Statements to put before a statement.
        after: Statements to put after a statement.
        lastly: Statements to run after a statement, however it ends.
        imports: Import lines that the new code needs.
        parameters: One of several ways to make the change; part of the edit.
        direction: In high-level words, without the place.
        effect: What is expected of it.
    """

    anchor: cst.CSTNode
    direction: str
    effect: str
    replaced: Mapping[cst.CSTNode, str | cst.CSTNode] = field(default_factory=dict)
    before: Lines = field(default_factory=dict)
    after: Lines = field(default_factory=dict)
    lastly: Lines = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()


def imported(program: Program, module: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Return what to call `name` of `module` in this program, and the import that it needs."""
    line = f"from {module} import {name}"
    if Import(name, module, name) in imports(program):
        return name, ()
    if Import(module.partition(".")[0], module) in imports(program):
        return f"{module}.{name}", ()
    if name not in program.names:
        return name, (line,)
    other = program.fresh(f"{name}_")
    return other, (f"{line} as {other}",)


def applied(program: Program, change: TreeChange) -> str | None:
    """Return the text after the change.

    None when it cannot be made there: the place of a new statement is not a line of its own,
    something outside the EVOLVE-BLOCK marks would change, or the result is not Python.
    """
    maker = _Maker(program, change)
    module = maker.module()
    if module is None:
        return None
    text: str = module.code
    old = program.code
    if _marked(old) and _outside(text) != _outside(old):
        return None
    for line in _merged(change.imports):
        text = with_import(text, line)
    try:
        tree_of(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return text


def _merged(imports: Sequence[str]) -> Iterator[str]:
    """Yield the lines, those of one module as a single one."""
    modules: dict[str, list[str]] = {}
    for line in imports:
        module, _, name = line.partition(" import ")
        modules.setdefault(module, []).append(name)
    yield from (f"{module} import {', '.join(sorted(n))}" for module, n in modules.items())


def _marked(text: str) -> bool:
    return "EVOLVE-BLOCK-" in text and evolve_lines(text) is not None


def _outside(text: str) -> list[str]:
    inside = evolve_lines(text) or frozenset()
    return [line for number, line in enumerate(text.splitlines(), 1) if number not in inside]


def with_import(text: str, line: str) -> str:
    """Return the text with one more import, among the first imports in alphabetical order.

    In a text with EVOLVE-BLOCK marks it goes to the top of the first block.
    """
    rows = text.splitlines(keepends=True)
    if _marked(text):
        place = min(evolve_lines(text) or {1}) - 1
        mark = rows[place - 1]
        margin = mark[: len(mark) - len(mark.lstrip())]
        return "".join([*rows[:place], f"{margin}{line}\n", *rows[place:]])
    place = _import_place(text, line)
    end = "" if place < len(rows) and _is_import(rows[place]) else "\n"
    if place and _is_import(rows[place - 1]):
        end = ""
    if place and not rows[place - 1].endswith("\n"):
        rows[place - 1] += "\n"
    follows = place < len(rows) and rows[place].strip()
    above = "\n" if place and rows[place - 1].rstrip().endswith(('"', "'")) else ""
    return "".join([*rows[:place], f"{above}{line}\n", end if follows else "", *rows[place:]])


def _is_import(row: str) -> bool:
    return row.startswith(("import ", "from "))


def _import_place(text: str, line: str) -> int:
    """Return the number of lines that stay above a new import."""
    place = 0
    for statement in tree_of(text).body:
        documentation = isinstance(statement, ast.Expr) and not place
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not isinstance(statement, (ast.Import, ast.ImportFrom)) and not documentation:
            break
        if (
            isinstance(statement, ast.ImportFrom)
            and not future
            and ast.unparse(statement) > line
        ):
            break
        place = statement.end_lineno or statement.lineno
    return place


class _Maker:
    """Builds the new tree along the path from the changed nodes to the root."""

    def __init__(self, program: Program, change: TreeChange) -> None:
        self._program = program
        self._change = change
        touched = [*change.replaced, *change.before, *change.after, *change.lastly]
        self._dirty = {above for node in touched for above in program.above(node)}
        self._dirty |= set(touched)

    def module(self) -> cst.Module | None:
        """Return the new tree, or None if a statement has no line of its own."""
        import libcst as cst

        for node in (*self._change.before, *self._change.after, *self._change.lastly):
            if not isinstance(self._program.parent.get(node), (cst.Module, cst.IndentedBlock)):
                return None
        made = self._made(self._program.module)
        assert isinstance(made, cst.Module)
        return made

    def _made(self, node: cst.CSTNode) -> cst.CSTNode:
        new = self._change.replaced.get(node)
        if isinstance(new, str):
            alone = self._stands_alone(node) or self._binds_tighter(node, new)
            return _expression(new, node, alone=alone)
        if new is not None:
            return new
        changes: dict[str, Any] = {}  # fields of a node have all kinds of types
        for name in fields(type(node)):
            value = getattr(node, name)
            if isinstance(value, (list, tuple)):
                if any(item in self._dirty for item in value):
                    changes[name] = [new for item in value for new in self._items(item)]
            elif value in self._dirty:
                changes[name] = self._made(value)
        return node.with_changes(**changes)

    def _stands_alone(self, node: cst.CSTNode) -> bool:
        """Whether an operator here needs no parentheses: the parent is a delimiter."""
        import libcst as cst

        around = self._program.parent[node]
        statements = (
            cst.Assign,
            cst.AugAssign,
            cst.Return,
            cst.Expr,
            cst.For,
            cst.If,
            cst.While,
        )
        inside = (cst.Arg, cst.Index, cst.Slice, cst.Element, cst.DictElement, cst.BaseComp)
        return isinstance(around, (*statements, *inside))

    def _binds_tighter(self, node: cst.CSTNode, code: str) -> bool:
        """Whether an operator of numbers stands beside one that compares, or joins tests."""
        import libcst as cst

        around, new = self._program.parent[node], cst.parse_expression(code)
        comparing = (cst.Comparison, cst.ComparisonTarget, cst.BooleanOperation)
        if isinstance(around, cst.CompIf):
            return not isinstance(new, cst.IfExp)
        if isinstance(new, cst.Comparison):
            return isinstance(around, cst.BooleanOperation)
        return isinstance(new, cst.BinaryOperation) and isinstance(around, comparing)

    def _items(self, item: cst.CSTNode) -> Iterator[cst.CSTNode]:
        import libcst as cst

        if item not in self._dirty:
            yield item
            return
        yield from self._statements(self._change.before.get(item, ()))
        new = self._change.replaced.get(item)
        if isinstance(new, str) and isinstance(item, cst.BaseStatement):
            yield from self._in_place(new, item)
        elif item in self._change.lastly:
            yield self._ended(self._made(item), self._change.lastly[item])
        else:
            yield self._made(item)
        yield from self._statements(self._change.after.get(item, ()))

    def _ended(self, made: Any, texts: Sequence[str]) -> cst.Try:
        """Return a statement with others that run however it ends."""
        import libcst as cst

        body = cst.IndentedBlock([made.with_changes(leading_lines=())])
        rows: list[Any] = [*self._statements(texts)]
        last = cst.IndentedBlock(rows)
        return cst.Try(body, finalbody=cst.Finally(last), leading_lines=made.leading_lines)

    def _statements(self, texts: Sequence[str]) -> Iterator[cst.CSTNode]:
        for each in texts:
            yield from self._parsed(each)

    def _parsed(self, code: str) -> list[Any]:
        import libcst as cst

        config = self._program.module.config_for_parsing
        made = cst.parse_module(code, config)
        rows: list[Any] = list(made.body)
        if code.startswith("\n"):  # it keeps its distance from what is above
            above = (*made.header, *rows[0].leading_lines)
            rows[0] = rows[0].with_changes(leading_lines=above)
        return rows

    def _in_place(self, code: str, old: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Yield the new statements with the comments that belong to the old one."""
        import libcst as cst

        new = self._parsed(code)
        if new:
            above = getattr(old, "leading_lines", ())
            new[0] = new[0].with_changes(leading_lines=above)
            line = cst.SimpleStatementLine
            if isinstance(old, line) and isinstance(new[-1], line):
                new[-1] = new[-1].with_changes(trailing_whitespace=old.trailing_whitespace)
        yield from new


def _expression(code: str, old: cst.CSTNode, *, alone: bool) -> cst.CSTNode:
    """Return the new expression, in parentheses where the old place may need them."""
    import libcst as cst

    new = cst.parse_expression(code)
    kept = getattr(old, "lpar", ())
    if kept and not isinstance(old, cst.Tuple):  # whose brackets are its own
        return new.with_changes(lpar=kept, rpar=getattr(old, "rpar", ()))
    loose = (
        cst.BinaryOperation,
        cst.BooleanOperation,
        cst.Comparison,
        cst.IfExp,
        cst.UnaryOperation,
    )
    if isinstance(new, loose) and not new.lpar and not alone:
        return new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return new
