"""`pattern.sub(".", text)` for a few single characters -> a chain of `replace`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.loops import substituted
from operators.rewrite.patterns import Pattern, pattern, spelled
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    assigned,
    grouped,
    named,
    names,
    only,
    positional,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_MOST = 6  # more passes over a text than this cost more than one of a pattern


class ClassReplace(Rule):
    """Replace a few characters one after the other in C, without a regular expression.

    Valid for patterns that the program spells out: one character, a few of them, or runs of
    these, put for a plain text (all checked). Runs become one character first, by halves.
    Known as replacing a character class by its characters.
    """

    name = "class_replace"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each substitution."""
        for node in place.own:
            found = _substitution(program, node)
            if found is None:
                continue
            whole = _chain(found)
            if not found.runs:
                replaced = {node: grouped(found.source) + whole}
            elif _always(program, node):
                name, line = _name(program, node), program.statement(node)
                first = f"{name} = {grouped(found.source)}{whole}"
                last = substituted(
                    line.with_changes(leading_lines=[]), {node: name + _last(found)}
                )
                replaced = {line: "\n".join([first, _collapsed(found, name), last])}
            else:
                continue
            yield TreeChange(
                anchor=node,
                replaced=replaced,
                direction="Replace characters one by one, without a regular expression",
                effect="a pass in C for each character, no machine of patterns",
            )


class _Substitution(NamedTuple):
    """What is replaced in a text: characters, by what, and whether runs count once."""

    source: cst.BaseExpression
    characters: tuple[str, ...]
    new: str
    runs: bool

    @property
    def kept(self) -> str:
        """The character that stands for a run of any of them."""
        return self.new if self.new in self.characters else self.characters[0]


def _substitution(program: Program, node: cst.CSTNode) -> _Substitution | None:
    import libcst as cst

    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    arguments = positional(node) or []
    if node.func.attr.value != "sub" or named(node.func.value) == "re" or len(arguments) != 2:
        return None
    found, new = pattern(program, node.func.value), spelled(program, arguments[0])
    if found is None or not isinstance(new, str) or "\\" in new:
        return None
    characters, runs = _characters(found)
    if not 1 <= len(characters) <= _MOST or (len(new) > 1 and set(new) & set(characters)):
        return None
    return _Substitution(arguments[1], characters, new, runs and bool(new))


def _characters(found: Pattern) -> tuple[tuple[str, ...], bool]:
    """Return the characters of a pattern of one character or a run of such; else none."""
    if len(found.parts) != 1 or found.flags & (re.IGNORECASE | re.LOCALE):
        return (), False
    ((operation, given),) = found.parts
    runs = operation == "MAX_REPEAT" and given[0] == 1 and str(given[1]) == "MAXREPEAT"
    if runs:
        ((operation, given),) = [(str(kind), value) for kind, value in given[2]] or [("", None)]
    members: list[tuple[Any, Any]] = [(operation, given)] if operation == "LITERAL" else []
    members = given if operation == "IN" else members
    if any(str(kind) != "LITERAL" for kind, _ in members):
        return (), False
    return tuple(dict.fromkeys(chr(code) for _, code in members)), runs


def _chain(found: _Substitution) -> str:
    """Return the calls that bring all characters to the one that is put for them, or kept."""
    target = found.kept if found.runs else found.new
    others = [each for each in found.characters if each != target]
    return "".join(f".replace({_quoted(each)}, {_quoted(target)})" for each in others)


def _collapsed(found: _Substitution, name: str) -> str:
    """Return the loop that makes one of a run."""
    twice, once = _quoted(found.kept * 2), _quoted(found.kept)
    return f"while {twice} in {name}:\n    {name} = {name}.replace({twice}, {once})"


def _last(found: _Substitution) -> str:
    if found.kept == found.new:
        return ""
    return f".replace({_quoted(found.kept)}, {_quoted(found.new)})"


def _quoted(characters: str) -> str:
    """Return a literal in double quotes where that needs no more escapes than Python's own."""
    code = repr(characters)
    return f'"{code[1:-1]}"' if code.startswith("'") and '"' not in code else code


def _always(program: Program, node: cst.CSTNode) -> bool:
    """Whether a value is worked out whenever its statement runs, before all that may change."""
    import libcst as cst

    parts = (cst.Arg, cst.Attribute, cst.Call, cst.Subscript, cst.BinaryOperation)
    for above in program.above(node):
        if isinstance(above, (cst.Assign, cst.AnnAssign, cst.Return, cst.Expr)):
            return True
        if not isinstance(above, parts):
            return False
    return False


def _name(program: Program, node: cst.CSTNode) -> str:
    """Return what to call the text meanwhile: the name that it is for, where that is free."""
    pair = assigned(only(program.statement(node)))
    if pair and pair[0] not in names(pair[1]):
        return pair[0]
    return program.fresh("replaced")
