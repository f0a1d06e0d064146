"""New lines in the layout of their file: broken where they are too long, with its quotes.

As formatters do it: within the last pair of brackets, one item a line where they do not fit on
one. A line that cannot be broken so stays as it is. Pure.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from se_agent.program.parsing import expression_tree
from se_agent.program.style.changed import (
    new_lines,
    rows_of,
    same_code,
    tokens_of,
    tree_or_none,
)
from se_agent.program.style.layout import FileLayout

_OUTER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OPEN, _CLOSE = "([{", ")]}"
_COMPARED = ("==", "!=", "<=", ">=", ":=")
_HEADS = ("if ", "elif ", "while ", "return ", "assert ")
_INDENT = 4  # of code that comes from a library


def laid_out(old: str, new: str, layout: FileLayout) -> str:
    """Return a text whose new lines have the file's indentation, quotes and length.

    Args:
        old: The text that it was made of.
        new: The text.
        layout: The file's.
    """
    text = _with_indent(old, new, layout.indent)
    text = _with_quotes(old, _with_gaps(old, text), layout.quote)
    return _broken(old, text, layout)


def _with_indent(old: str, text: str, unit: str) -> str:
    if unit == " " * _INDENT:
        return text
    rows = rows_of(text)
    for run in _runs(new_lines(old, text)):
        margin = _margin(rows[run[0]])
        inner = [_margin(rows[row])[len(margin) :] for row in run if rows[row].strip()]
        levels = [len(each) // _INDENT for each in inner]
        spaces = all(
            each == " " * _INDENT * level for each, level in zip(inner, levels, strict=True)
        )
        if not spaces or max(levels, default=0) < 1 or not _opens(rows, run):
            continue
        tried = [*rows]
        for row in run:
            if rows[row].strip():
                extra = _margin(rows[row])[len(margin) :]
                body = rows[row].lstrip(" \t")
                tried[row] = margin + unit * (len(extra) // _INDENT) + body
        if same_code(text, "".join(tried)):
            rows = tried
    return "".join(rows)


def _opens(rows: Sequence[str], run: Sequence[int]) -> bool:
    """Say whether one level of a run is that of a library: its first block is so deep."""
    heads = [row for row in run[:-1] if rows[row].rstrip().endswith(":")]
    if not heads:
        return False
    first = heads[0]
    return len(_margin(rows[first + 1])) - len(_margin(rows[first])) == _INDENT


def _runs(lines: frozenset[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for number in sorted(lines):
        if run and number - 1 != run[-1] + 1:
            yield run
            run = []
        run.append(number - 1)
    if run:
        yield run


def _margin(row: str) -> str:
    return row[: len(row) - len(row.lstrip(" \t"))]


def _with_gaps(old: str, text: str) -> str:
    """Return a text with a blank row below each new function that stands in another."""
    tree, rows, lines = tree_or_none(text), rows_of(text), new_lines(old, text)
    inner = (
        each
        for function in (ast.walk(tree) if tree else ())
        if isinstance(function, ast.FunctionDef)
        for each in function.body
        if isinstance(each, ast.FunctionDef) and each.lineno in lines
    )
    ends = {each.end_lineno or each.lineno for each in inner}
    for end in sorted(ends, reverse=True):
        if end < len(rows) and rows[end].strip():
            rows.insert(end, "\n")
    return _with_outer_gaps(old, "".join(rows))


def _with_outer_gaps(old: str, text: str) -> str:
    """Return a text with as many blank rows around each new function as its file has."""
    tree, rows, lines = tree_or_none(text), rows_of(text), new_lines(old, text)
    body, wanted = (tree.body if tree else []), _usual_gap(old)
    short = [
        (_first_row(below, rows), wanted - gap)
        for above, below in pairwise(body)
        if any(isinstance(each, _OUTER) and each.lineno in lines for each in (above, below))
        and (gap := _blank_rows(_first_row(below, rows), rows)) < wanted
    ]
    for row, missing in reversed(short):
        rows[row:row] = ["\n"] * missing
    return "".join(rows) if same_code(text, "".join(rows)) else text


def _usual_gap(text: str) -> int:
    """Return how many blank rows most functions of a text have above them; two where none."""
    tree, rows = tree_or_none(text), rows_of(text)
    outer = [each for each in (tree.body[1:] if tree else ()) if isinstance(each, _OUTER)]
    gaps = Counter(_blank_rows(_first_row(each, rows), rows) for each in outer)
    return gaps.most_common(1)[0][0] if gaps else 2


def _first_row(node: ast.stmt, rows: Sequence[str]) -> int:
    """Return the row, from 0, where a statement begins: its decorators, comments above it."""
    decorators = node.decorator_list if isinstance(node, _OUTER) else []
    row = min([node.lineno, *(each.lineno for each in decorators)]) - 1
    while row and rows[row - 1].startswith("#"):
        row -= 1
    return row


def _blank_rows(row: int, rows: Sequence[str]) -> int:
    """Return how many rows right above a row are blank."""
    above = row
    while above and not rows[above - 1].strip():
        above -= 1
    return row - above


def _with_quotes(old: str, text: str, quote: str) -> str:
    if not quote:
        return text
    other, lines, rows = ("'" if quote == '"' else '"'), new_lines(old, text), rows_of(text)
    for token in reversed(tokens_of(text)):
        plain = re.fullmatch(rf"([rRbBuU]*){other}([^'\"\n]*){other}", token.string)
        if token.type != tokenize.STRING or plain is None or token.string in old:
            continue
        row, start = token.start[0] - 1, token.start[1]
        if row + 1 in lines:
            told = f"{plain[1]}{quote}{plain[2]}{quote}"
            rows[row] = rows[row][:start] + told + rows[row][token.end[1] :]
    return "".join(rows)


def _broken(old: str, text: str, layout: FileLayout) -> str:
    """Return a text whose new lines are broken where they are too long."""
    rows, lines = rows_of(text), new_lines(old, text)
    for number in sorted(lines, reverse=True):
        row = rows[number - 1]
        if len(row.rstrip("\n")) <= layout.line_length:
            continue
        for made in (_within_brackets(row, layout), _in_parentheses(row, layout)):
            tried = [*rows[: number - 1], *made, *rows[number:]]
            if made and same_code(text, "".join(tried)):
                rows, text = tried, "".join(tried)
                break
    return "".join(rows)


class _Brackets(NamedTuple):
    start: int
    end: int


def _outermost(code: str) -> list[_Brackets]:
    """Return the outermost pairs of brackets of a line of code."""
    found, opened = list[_Brackets](), list[int]()
    for token in tokens_of(code):
        if token.start[0] != 1:
            break
        if token.type == tokenize.OP and token.string in _OPEN:
            opened.append(token.start[1])
        elif token.type == tokenize.OP and token.string in _CLOSE and opened:
            start = opened.pop()
            if not opened:
                found.append(_Brackets(start, token.start[1]))
    return found


def _within_brackets(row: str, layout: FileLayout) -> list[str]:
    """Return a line broken within its last pair of brackets that holds something."""
    margin, code = _margin(row), row.strip()
    pairs = [each for each in _outermost(f"{code}\n") if each.end > each.start + 1]
    for pair in reversed(pairs):
        head, body = code[: pair.start + 1], code[pair.start + 1 : pair.end].strip()
        tail = code[pair.end :]
        room = layout.line_length - len(margin)
        if len(head) > room or len(tail) > room:
            continue
        parts = [f"{margin}{head}\n"]
        inner = f"{margin}{layout.indent}"
        items = [body] if len(inner) + len(body) <= layout.line_length else _items(body)
        broken = [_fitting(f"{inner}{item}\n", layout) for item in items]
        if all(broken):
            return [*parts, *chain.from_iterable(broken), f"{margin}{tail}\n"]
    return []


def _fitting(row: str, layout: FileLayout) -> list[str]:
    """Return a line, or the lines that it is broken into; nothing where that cannot be."""
    fits = len(row.rstrip("\n")) <= layout.line_length
    return [row] if fits else _within_brackets(row, layout)


def _items(body: str) -> list[str]:
    """Return what stands in brackets, cut at its commas, or at the clauses of a loop in it."""
    items = _cut(body, {","})
    if len(items) > 1:
        told = [item.strip().removesuffix(",") for item in items if item.strip(" ,")]
        return [f"{item}," for item in told]
    loops = _cut(body, {"for", "if", "async"})
    return loops if any(each.startswith(("for ", "async ")) for each in loops) else _terms(body)


def _terms(body: str) -> list[str]:
    try:
        choice = isinstance(expression_tree(body.strip()), ast.IfExp)
    except (SyntaxError, ValueError):
        choice = False
    return _cut(body, {"if", "else"} if choice else {"and", "or"})


def _cut(body: str, at: set[str]) -> list[str]:
    """Return the parts of an expression: a word begins one, a comma ends it."""
    cuts, depth = [0], 0
    lambdas = 0
    for token in tokens_of(f"({body})\n"):
        if token.start[0] != 1:
            break
        if token.string == "lambda":
            lambdas += 1
        if token.type == tokenize.OP and token.string in _OPEN:
            depth += 1
        elif token.type == tokenize.OP and token.string in _CLOSE:
            depth -= 1
        elif depth == 1 and token.string in at and not lambdas:
            cuts.append(token.end[1] - 1 if token.string == "," else token.start[1] - 1)
    ends = [*cuts[1:], len(body)]
    return [body[start:end].strip() for start, end in zip(cuts, ends, strict=True)]


def _in_parentheses(row: str, layout: FileLayout) -> list[str]:
    """Return a question or a value that is too long, in parentheses, one term a line."""
    margin, code = _margin(row), row.strip()
    word = next((each for each in _HEADS if code.startswith(each)), "") or _target(code)
    if not word:
        return []
    body = code[len(word) :]
    tail = ""
    if word in ("if ", "elif ", "while "):
        if not body.endswith(":"):
            return []
        body, tail = body[:-1], ":"
    inner, terms = f"{margin}{layout.indent}", _terms(body)
    if not _is_expression(body):
        return []
    if len(inner) + len(body) <= layout.line_length:
        terms = [body]
    elif len(terms) < 2:
        return []
    return [f"{margin}{word}(\n", *(f"{inner}{term}\n" for term in terms), f"{margin}){tail}\n"]


def _target(code: str) -> str:
    """Return what comes before the value of an assignment; empty: the line is none."""
    depth = 0
    for token in tokens_of(f"{code}\n"):
        if token.start[0] != 1 or token.type != tokenize.OP:
            continue
        depth += (token.string in _OPEN) - (token.string in _CLOSE)
        if depth == 0 and token.string.endswith("=") and token.string not in _COMPARED:
            return code[: token.end[1] + 1]
    return ""


def _is_expression(code: str) -> bool:
    try:
        expression_tree(code)
    except (SyntaxError, ValueError):
        return False
    return True
