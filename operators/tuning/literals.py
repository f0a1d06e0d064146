"""Marks for a program that has none: its numbers become constants, named and with a range.

A whole number from 3, or any float but zero, that is part of a comparison or of an argument of
a call (so of the bound of a `range`, too) may be a matter of taste; so may one that reaches
such a place by a variable, or by the default of a parameter. Which ones are, nothing here can
tell, so this is for programs with a score, and only for runs that name it. One that names it
for a timed problem is taken at its word: a length of blocks is a matter of taste there, and
tests refuse the rest. Not here: the tuning of what is marked then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from operators.tuning.constants import bindings, constants, marked
from operators.tuning.tuner import changed, nearby, tuned
from se_agent.program.features import content_address, evolve_lines, node_hash
from se_agent.program.language import Language
from se_agent.program.parsing import literal_of, tree_of
from se_agent.values.brief import Brief
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Edit
from se_agent.values.step import Proposal

if TYPE_CHECKING:
    from se_agent.abilities.optional import Replaying
    from se_agent.protocols import Operator

_NAME = "TUNED_"
_MOST = 16  # numbers of a program
_DRAWS = 8
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class TuneLiterals:
    """Name the numbers of a program as marked constants, and change one of them."""

    name: ClassVar[str] = "tune_literals"
    arity: ClassVar[int] = 1
    language: ClassVar[Language] = Language.PYTHON
    by_default: ClassVar[bool] = False

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the first parent with named numbers, one of them another one."""
        parent = brief.slot.parents[0]
        edit = Edit(rule=self.name, function="", node=node_hash("numbers"))
        files = self.replay(parent.files, edit, editable=brief.editable)
        if files is None:
            return None
        found = [one for one in marked(files) if one.name.startswith(_NAME)]
        address = (brief.slot.number, Purpose.OPERATOR, brief.slot.variant)
        for attempt in range(_DRAWS):
            rng = rng_at(brief.seed, *address, attempt)
            made, values = changed(files, found, nearby(found, rng))
            if not values or content_address(made) in brief.tried:
                continue
            told = ", ".join(
                f"{c.written(c.value)} -> {c.written(v)}" for c, v in values.items()
            )
            return Proposal(
                solution=brief.child(
                    made,
                    operator=self.name,
                    base=parent.root,
                    edits=tuned((*parent.edits, edit), values),
                ),
                direction=f"Mark {len(found)} numbers of the program for tuning",
                expected_effect=f"another number may suit the inputs better: {told}",
            )
        return None

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Name the numbers of another program, unless that was done; see `Replaying`."""
        made = {
            path: _named(text) if path.endswith(".py") else text for path, text in files.items()
        }
        return None if editable or made == files else made


def _named(text: str) -> str:
    """Return a text whose numbers are constants at its top; itself where it has none."""
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError):
        return text
    known = {constant.line for constant in constants("", text)}
    numbers = [one for one in _numbers(tree) if one.lineno not in known][:_MOST]
    if not numbers or _NAME in text or evolve_lines(text) is not None:
        return text
    lines = text.splitlines(keepends=True)
    # From the end, so that places before stay what they are. Columns count bytes.
    for place, node in sorted(enumerate(numbers, 1), key=lambda pair: _place(pair[1]))[::-1]:
        line = lines[node.lineno - 1].encode()
        if _value(line[node.col_offset : node.end_col_offset]) != node.value:
            return text  # Python counts other ends of lines, or a place in an f-string
        new = line[: node.col_offset] + f"{_NAME}{place}".encode() + line[node.end_col_offset :]
        lines[node.lineno - 1] = new.decode()
    marks = [_mark(place, node.value) for place, node in enumerate(numbers, 1)]
    first = _first_line(tree) - 1
    return "".join([*lines[:first], *marks, "\n", *lines[first:]])


def _numbers(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the numbers that feed a comparison or a call within a function, in order."""
    functions = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    bodies = (statement for function in functions for statement in function.body)
    fed = [one for body in bodies for node in ast.walk(body) for one in _fed(node)]
    names = {one.id for one in fed if isinstance(one, ast.Name)}
    values = [value for name, value in bindings(tree) if name in names]
    numbers = (one for one in (*fed, *values) if isinstance(one, ast.Constant))
    found = {_place(one): one for one in numbers if _free(one.value)}
    for _, one in sorted(found.items()):
        yield one


def _fed(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the numbers and names that a comparison or a call computes with."""
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.Call):
        parts = [*node.args, *(keyword.value for keyword in node.keywords)]
    else:
        return
    while parts:
        part = parts.pop()
        if isinstance(part, ast.BinOp):
            parts += [part.left, part.right]
        elif isinstance(part, ast.UnaryOp):
            parts.append(part.operand)
        elif isinstance(part, (ast.Constant, ast.Name)):
            yield part


def _value(code: bytes) -> object:
    try:
        return literal_of(code.decode())
    except (SyntaxError, ValueError):
        return None


def _free(value: object) -> bool:
    """Say whether a value may be a matter of taste."""
    if type(value) is int:
        return 3 <= value < 10**9
    return type(value) is float and 1e-300 < value < 1e300


def _mark(place: int, value: object) -> str:
    assert isinstance(value, (int, float))
    low, high = (
        (max(1, value // 4), value * 4) if type(value) is int else (value / 4, value * 4)
    )
    return f"{_NAME}{place} = {value!r}  # tune: {low!r}..{high!r} log\n"


def _place(node: ast.Constant) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _first_line(tree: ast.Module) -> int:
    """Return the line of the first statement that is neither docstring nor import."""
    for node in tree.body:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not text and not isinstance(node, (ast.Import, ast.ImportFrom)):
            decorators: list[ast.expr] = getattr(node, "decorator_list", [])
            return min([node.lineno, *(one.lineno for one in decorators)])
    return 1


if TYPE_CHECKING:
    _: Operator = TuneLiterals()
    _again: Replaying = TuneLiterals()
