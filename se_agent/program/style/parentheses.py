"""Parentheses that nothing needs, in lines that are new: they go.

Those that the author wrote stay, and those that tell a reader what belongs together: around an
`and` within an `or`, and behind a `not`. `not (a in b)` becomes `a not in b`.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from se_agent.program.parsing import expression_tree, tree_of
from se_agent.program.style.changed import new_lines, rows_of, same_code, tokens_of

_OPENING = {
    "(",
    "[",
    "{",
    ",",
    ":",
    "=",
    "return",
    "in",
    "if",
    "elif",
    "while",
    "yield",
    "else",
}
_CLOSING = {")", "]", "}", ",", ":", "if", "for", "else"}
_TOLD = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr)
"""Expressions that stand alone where their parentheses go."""
_AGAIN = 200  # pairs that are looked at, in all: a generated file may have thousands
_NEGATED = re.compile(
    r"\bnot \(([^()]*?) (in|is) ([^()]*?)\)(?=\s*(?:$|[:,#)\]}]|(?:and|or|if|else)\b))"
)


class _Pair(NamedTuple):
    """Where a pair stands, all on one line, and the tokens before and behind it."""

    row: int
    start: int
    end: int
    before: str
    after: str

    @property
    def is_delimited(self) -> bool:
        """Whether what stands within is a whole value, with or without them."""
        ends = self.after == "" or self.after in _CLOSING or self.after.startswith("#")
        return ends and (self.before in _OPENING or self.before.endswith("="))


def without_needless_parentheses(old: str, new: str) -> str:
    """Return a text without those pairs of its new lines that change nothing.

    Args:
        old: The text that it was made of: what stands there in parentheses may stay so.
        new: The text.
    """
    text, left = _negated(old, new), _AGAIN
    rewritten = _shapes_within(old, new_lines(new, old))
    while left:
        for pair in _pairs(text, new_lines(old, text)):
            left -= 1
            rows = rows_of(text)
            row = rows[pair.row]
            inside = row[pair.start + 1 : pair.end]
            kept = f"({inside})" in old or _shape(inside) in rewritten
            if (kept and not pair.is_delimited) or not _may_go(inside, pair):
                continue
            gap = " " if row[: pair.start][-1:].isalnum() else ""
            rows[pair.row] = f"{row[: pair.start]}{gap}{inside}{row[pair.end + 1 :]}"
            if same_code(text, shorter := "".join(rows)):
                text = shorter
                break
            if not left:
                return text
        else:
            return text
    return text


def _shapes_within(text: str, lines: frozenset[int]) -> frozenset[str]:
    """Return the shapes of what stands in parentheses in some lines."""
    rows = rows_of(text)
    found = (rows[pair.row][pair.start + 1 : pair.end] for pair in _pairs(text, lines))
    return frozenset(map(_shape, found))


def _shape(code: str) -> str:
    """Return code without spaces, each name by the same letter: what a change may rename."""
    return re.sub(r"\s+", "", re.sub(r"[^\W\d]\w*", "N", code))


def _pairs(text: str, lines: frozenset[int]) -> Iterator[_Pair]:
    tokens = [
        token
        for token in tokens_of(text)
        if token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)
    ]
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token.type != tokenize.OP:
            continue
        if token.string == "(":
            opened.append(place)
        elif token.string == ")" and opened:
            first = opened.pop()
            start = tokens[first].start
            if start[0] == token.start[0] and start[0] in lines and not _calls(tokens, first):
                before = tokens[first - 1].string if first else ""
                after = tokens[place + 1].string.strip() if place + 1 < len(tokens) else ""
                yield _Pair(start[0] - 1, start[1], token.start[1], before, after)


def _calls(tokens: Sequence[tokenize.TokenInfo], place: int) -> bool:
    """Say whether a parenthesis belongs to a call, a definition or an import."""
    if not place:
        return False
    before = tokens[place - 1]
    named = before.type == tokenize.NAME and before.string not in _WORDS
    return named or before.string in (")", "]", "}") or before.type == tokenize.STRING


_WORDS = {
    *("and", "assert", "await", "elif", "else", "for", "if", "in", "is", "lambda", "not", "or"),
    *("return", "while", "with", "yield", "del", "raise", "from"),
}


def _may_go(inside: str, pair: _Pair) -> bool:
    try:
        node = expression_tree(inside.strip())
    except (SyntaxError, ValueError):
        return False
    if isinstance(node, ast.Tuple | ast.GeneratorExp | ast.Yield | ast.YieldFrom | ast.Await):
        return False
    if pair.before == "not":
        return False
    if isinstance(node, _TOLD):
        return pair.is_delimited
    return True


def _negated(old: str, new: str) -> str:
    """Return a text in which `not (a in b)` of new lines reads `a not in b`."""
    rows = rows_of(new)
    for number in new_lines(old, new):
        if number > len(rows):
            continue
        found = _NEGATED.search(rows[number - 1])
        if found is None or found[0] in old or any(w in found[0] for w in (" and ", " or ")):
            continue
        word = "not in" if found[2] == "in" else "is not"
        row = rows[number - 1]
        told = f"{found[1]} {word} {found[3]}"
        tried = [*rows]
        tried[number - 1] = row[: found.start()] + told + row[found.end() :]
        denies = (number, found.start()) in {one.start for one in tokens_of("".join(rows))}
        if denies and _means_not(found[0], told) and same_shape(tried):
            rows = tried
    return "".join(rows)


def same_shape(rows: Sequence[str]) -> bool:
    """Say whether rows are a program."""
    try:
        tree_of("".join(rows))
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _means_not(old: str, new: str) -> bool:
    """Say whether two expressions are one comparison with `in` or `is`, and its denial."""
    try:
        first = expression_tree(old)
        second = expression_tree(new)
    except (SyntaxError, ValueError):
        return False
    match first, second:
        case (
            ast.UnaryOp(op=ast.Not(), operand=ast.Compare(ops=[was])),
            ast.Compare(ops=[now]),
        ):
            pairs = ((ast.In, ast.NotIn), (ast.Is, ast.IsNot))
            return any(isinstance(was, a) and isinstance(now, b) for a, b in pairs)
    return False
