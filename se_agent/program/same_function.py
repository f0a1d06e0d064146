"""A function found again in another text: under other names, or beside other functions. Pure.

A form is equal for functions that differ in names of their own, layout, comments, annotations
and docstrings. It is generous: who finds a function by it makes a candidate, and that is judged
as any other. Not here: equality of whole programs, which has to be exact (`normal_form`).
"""

from __future__ import annotations

import ast
import copy
import hashlib
import io
import textwrap
import tokenize
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from se_agent.program.normal_form import parse

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_NAMED = (*_DEFINITIONS, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
_ENTRY = "$entry"  # what the function itself is called in a form


class _Part(NamedTuple):
    """A statement at the top level that a function rests on, and the names of its own."""

    node: ast.stmt
    names: tuple[str, ...]


class _Piece(NamedTuple):
    """Lines that are to stand in place of others, counted from 1; `last` is not among them."""

    first: int
    last: int
    text: str


def function_form(text: str, entry: str) -> str:
    """Return 16 hex digits for a function and what it rests on; empty: it is not there.

    Args:
        text: A Python program; of another language there is no form.
        entry: Name of a function at its top level.
    """
    parts = _parts(text, entry)
    forms = [
        _form(part, {name: f"${at}" for at, name in enumerate(part.names)} | {entry: _ENTRY})
        for part in parts
    ]
    whole = "\n".join(forms).encode("utf-8", "replace")
    return hashlib.sha256(whole).hexdigest()[:16] if forms else ""


def transplanted_text(old: str, better: str, entry: str, new: str, new_entry: str) -> str:
    """Return a text with the changes that made another one better; empty: they do not fit.

    Names are those of the new text, and so is all that was not changed.

    Args:
        old: A program whose function `entry` has the form of `new_entry` in `new`.
        better: What was made of it.
        entry: Name of the function in both.
        new: The program that is to be changed.
        new_entry: Name of the function in it.
    """
    before, after, made = _parts(old, entry), _parts(new, new_entry), _parts(better, entry)
    tree = parse(new)
    if not before or len(before) != len(after) or tree is None:
        return ""
    pairs = [*zip(before, after, strict=True)]
    own = {
        name: new
        for here, there in pairs
        for name, new in zip(here.names, there.names, strict=False)
    }
    names = _apart(own | {entry: new_entry}, made)
    places = {name: pair for pair in pairs for name in _bound(pair[0].node)}
    same = {ast.dump(node) for node in chain(tree.body, (part.node for part in before))}
    known = {name for node in tree.body for name in _bound(node)}
    pieces, imports, added = list[_Piece](), list[str](), list[str]()
    for node in (part.node for part in made if ast.dump(part.node) not in same):
        pair = next((places[name] for name in _bound(node) if name in places), None)
        if pair is not None:
            pieces.append(_piece(better, node, pair[0].node, pair[1].node, names))
        elif isinstance(node, _IMPORTS):
            imports.append(_renamed(better, _lines_of(node), node, names))
        elif known.isdisjoint(_bound(node)):
            added.append(_renamed(better, _lines_of(node), node, names))
        else:
            return ""
    return _written(new, tree, sorted(pieces), imports, added) if pieces else ""


def has_same_comments(one: str, entry: str, other: str, other_entry: str) -> bool:
    """Say whether the comments within a function and what it rests on are those of another."""
    first, second = (
        [_comments(text, part.node) for part in _parts(text, name)]
        for text, name in ((one, entry), (other, other_entry))
    )
    return first == second


def _parts(text: str, entry: str) -> list[_Part]:
    """Return the function, and then what it rests on in the order in which that is named."""
    tree = parse(text)
    if tree is None:
        return []
    top = dict[str, list[ast.stmt]]()
    for node in tree.body:
        for name in _bound(node):
            top.setdefault(name, []).append(node)
    if not any(isinstance(node, _FUNCTIONS) for node in top.get(entry, ())):
        return []
    found = dict[int, ast.stmt]()
    waiting = [entry]
    for name in waiting:
        for node in top.get(name, ()):
            if id(node) not in found:
                found[id(node)] = node
                used = (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
                waiting += [one for one in used if one in top and one not in waiting]
    return [_Part(node, _own_names(node)) for node in found.values()]


def _bound(node: ast.stmt) -> tuple[str, ...]:
    """Return the names that a statement at the top level binds."""
    if isinstance(node, _DEFINITIONS):
        return (node.name,)
    if isinstance(node, _IMPORTS):
        return tuple((one.asname or one.name).partition(".")[0] for one in node.names)
    stored = (one for one in ast.walk(node) if isinstance(one, ast.Name))
    return tuple(dict.fromkeys(one.id for one in stored if isinstance(one.ctx, ast.Store)))


def _own_names(node: ast.stmt) -> tuple[str, ...]:
    """Return the names that are bound within a definition, in the order of its tree."""
    if not isinstance(node, _DEFINITIONS):
        return ()
    found, outer = dict[str, None](), set[str]()
    for one in ast.walk(node):
        if isinstance(one, ast.Global):
            outer.update(one.names)
        elif isinstance(one, ast.arg):
            found[one.arg] = None
        elif isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            found[one.id] = None
        elif isinstance(one, _NAMED) and one is not node and one.name:
            found[one.name] = None
    return tuple(name for name in found if name not in outer)


def _form(part: _Part, names: Mapping[str, str]) -> str:
    tree = _with_names(part.node, names)
    for node in ast.walk(tree):
        if isinstance(node, _DEFINITIONS) and _is_docstring(node.body[0]):
            node.body[:1] = [] if len(node.body) > 1 else [ast.Pass()]
        if isinstance(node, _FUNCTIONS):
            node.returns = node.type_comment = None
        elif isinstance(node, ast.arg):
            node.annotation = node.type_comment = None
    return ast.dump(tree, annotate_fields=False)


def _with_names(node: ast.stmt, names: Mapping[str, str]) -> ast.stmt:
    """Return a statement in which names of its own are others."""
    tree = copy.deepcopy(node)
    for one in ast.walk(tree):
        if isinstance(one, ast.Name):
            one.id = names.get(one.id, one.id)
        elif isinstance(one, ast.arg):
            one.arg = names.get(one.arg, one.arg)
        elif isinstance(one, _NAMED) and one.name:
            one.name = names.get(one.name, one.name)
        elif isinstance(one, ast.Nonlocal):
            one.names = [names.get(name, name) for name in one.names]
    return tree


def _piece(
    text: str, better: ast.stmt, old: ast.stmt, place: ast.stmt, names: Mapping[str, str]
) -> _Piece:
    """Return what stands in place of a statement; what was not changed of its head stays."""
    first, last = _lines_of(place)
    if (
        isinstance(better, _FUNCTIONS)
        and isinstance(old, _FUNCTIONS)
        and isinstance(place, _FUNCTIONS)
    ):
        heads = [
            ast.dump(one.args) + str([*map(ast.dump, one.decorator_list)])
            for one in (better, old)
        ]
        start, there = _body_line(better), _body_line(place)
        if heads[0] == heads[1] and start > better.lineno and there > place.lineno:
            lines = (start, (better.end_lineno or 0) + 1)
            return _Piece(there, last, _renamed(text, lines, better, names))
    return _Piece(first, last, _renamed(text, _lines_of(better), better, names))


def _body_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the line behind the docstring, or behind the head; there may be comments."""
    first, *others = node.body
    if _is_docstring(first) and others:
        return (first.end_lineno or 0) + 1
    return first.lineno


def _apart(names: Mapping[str, str], made: Sequence[_Part]) -> dict[str, str]:
    """Return new names by old ones; a name that only the better text has meets none of them."""
    new = {name for part in made for name in part.names} - names.keys()
    taken = {*new, *names, *names.values()}
    found = dict(names)
    for name in sorted(new & {*names.values()}):
        other = next(free for at in range(2, 99) if (free := f"{name}_{at}") not in taken)
        found[name] = other
    return found


def _renamed(
    text: str, lines: tuple[int, int], node: ast.stmt, names: Mapping[str, str]
) -> str:
    """Return lines of a statement with other names; comments stay, where they can."""
    first, last = lines
    whole = text.split("\n")
    rows = [f"{row}\n" for row in whole[first - 1 : last - 1]]
    changed = {name: new for name, new in names.items() if name != new}
    if not changed:
        return "".join(rows)
    if any(isinstance(one, ast.JoinedStr) for one in ast.walk(node)):
        return _unparsed(node, first, changed)  # a token may hide names
    keywords = {
        (one.lineno, len(whole[one.lineno - 1].encode()[: one.col_offset].decode()))
        for one in ast.walk(node)
        if isinstance(one, ast.keyword) and one.arg
    }
    found, before = list[tuple[int, int, str]](), ""
    start = _first_line(node)
    source = "".join(f"{row}\n" for row in whole[start - 1 : last - 1])
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        row, column = token.start[0] + start - 1, token.start[1]
        is_own = before != "." and (row, column) not in keywords
        if is_own and token.string in changed and row >= first:
            found.append((row - first, column, token.string))
        before = token.string
    for row, column, name in reversed(found):
        line = rows[row]
        rows[row] = line[:column] + changed[name] + line[column + len(name) :]
    return "".join(rows)


def _unparsed(node: ast.stmt, first: int, names: Mapping[str, str]) -> str:
    """Return a statement without its comments; its body only, where lines begin behind it."""
    made = _with_names(node, names)
    if first == _first_line(node) or not isinstance(made, _FUNCTIONS):
        return ast.unparse(made) + "\n"
    body = made.body[1:] if _is_docstring(made.body[0]) and len(made.body) > 1 else made.body
    return textwrap.indent("\n".join(map(ast.unparse, body)), "    ") + "\n"


def _written(
    text: str,
    tree: ast.Module,
    pieces: Sequence[_Piece],
    imports: Sequence[str],
    added: Sequence[str],
) -> str:
    """Return a text with pieces in place of its lines, and what these need before them."""
    rows = [f"{row}\n" for row in text.removesuffix("\n").split("\n")]
    if any(one.last > other.first for one, other in pairwise(pieces)):
        return ""  # two statements on one line
    for piece in reversed(pieces):
        rows[piece.first - 1 : piece.last - 1] = [piece.text]
    around = next(node for node in tree.body if (node.end_lineno or 0) >= pieces[0].first)
    place = _first_line(around) - 1
    rows[place:place] = [f"{one}\n\n" for one in added]
    heads = (node for node in tree.body if _is_docstring(node) or _is_future(node))
    rows_of_head = max((node.end_lineno or 0 for node in heads), default=0)
    rows[rows_of_head:rows_of_head] = imports
    made = "".join(rows)
    return made if parse(made) is not None else ""


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _lines_of(node: ast.stmt) -> tuple[int, int]:
    """Return the first line of a statement, and the one behind its last."""
    return _first_line(node), (node.end_lineno or 0) + 1


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else ()
    return min((one.lineno for one in decorators), default=node.lineno)


def _comments(text: str, node: ast.stmt) -> list[str]:
    lines = "\n".join(text.split("\n")[_first_line(node) - 1 : node.end_lineno]) + "\n"
    tokens = tokenize.generate_tokens(io.StringIO(lines).readline)
    return [one.string for one in tokens if one.type == tokenize.COMMENT]


def _is_docstring(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
        return False
    return isinstance(node.value.value, str)
