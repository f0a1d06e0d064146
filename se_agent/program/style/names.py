"""Names that edits brought, in the words of the file: no numbered copies, no foreign case.

Only names that the text it was made of does not have are changed, each within the function, or
the module, that alone has it. Pure.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from se_agent.program.style.changed import (
    names_bound_aside,
    names_in,
    rows_of,
    tree_or_none,
)

_NUMBERED = re.compile(r"(.*[^\W\d])_(\d+)")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z0-9]*)+")
_SNAKE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
_COUNTED = re.compile(r"(\w*[^\Ws_])s_(counts|sums)")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_CONSTANT = (ast.Call, ast.Dict, ast.Set, ast.List, ast.Tuple, ast.DictComp, ast.SetComp)
_WORDS = {"__all__", "__slots__"}


class _Spot(NamedTuple):
    """Where a name stands: its line, from 0, and its first column, in bytes."""

    row: int
    column: int


def with_fitting_names(old: str, new: str) -> str:
    """Return a text whose new names fit the file.

    A copy (`text_parts_2`) takes the plain name where that is free in its function, or not used
    any more. Constants of the module are in capitals, and names are `inThisCase` where the file
    has them so.

    Args:
        old: The text that it was made of.
        new: The text.
    """
    before = tree_or_none(old)
    if before is None:
        return new
    known = names_in(before) | _attributes(before)
    text, tried = new, set[str]()
    while True:
        tree = tree_or_none(text)
        if tree is None:
            return new
        found = _next(tree, known, tried, camel=_is_camel(before))
        if found is None:
            return text
        region, name, other = found
        tried.add(name)
        text = with_name(text, region, name, other)


def _next(
    tree: ast.Module, known: frozenset[str], tried: set[str], *, camel: bool
) -> tuple[ast.AST, str, str] | None:
    """Return a region, a name of it, and the name that fits better; None: all names fit."""
    regions = [*_regions(tree)]
    inside = {name for region in regions for name in _bound(region)}
    taken = names_in(tree)
    for name, value in _module_constants(tree):
        if name not in known and name not in tried and name not in inside:
            better = _capitals(tree, name, value)
            if better and better not in taken and _stands_once(tree, name):
                return tree, name, better
    for region in regions:
        mine = names_in(region)
        for name in sorted(_stored(region)):
            if name in known or name in tried:
                continue
            if any(name in names_in(other) for other in regions if other is not region):
                continue
            if (lower := _lower(name)) and lower not in taken:
                return region, name, lower
            if camel and _SNAKE.fullmatch(name) and (other := _in_camel(name)) not in taken:
                return region, name, other
            plain = _NUMBERED.fullmatch(name)
            if plain and (plain[1] not in mine or _is_over(region, plain[1], name)):
                return region, name, plain[1]
    return None


def _regions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the outermost functions: of the module and of its classes."""
    todo: list[ast.AST] = [tree]
    while todo:
        for child in ast.iter_child_nodes(todo.pop(0)):
            if isinstance(child, _FUNCTIONS):
                yield child
            else:
                todo.append(child)


def _stored(region: ast.AST) -> set[str]:
    """Return the variables of a function and of those within, its parameters left out.

    A variable that an `except`, an import, a pattern or a definition sets, too, keeps its name.
    """
    return _assigned(region) - _given(region) - {*names_bound_aside(region)}


def _bound(region: ast.AST) -> set[str]:
    """Return all names that mean something else in a function than around it."""
    return _assigned(region) | _given(region) | {*names_bound_aside(region)}


def _assigned(region: ast.AST) -> set[str]:
    return {
        each.id
        for each in ast.walk(region)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _given(region: ast.AST) -> set[str]:
    return {each.arg for each in ast.walk(region) if isinstance(each, ast.arg)}


def _is_over(region: ast.AST, name: str, copy: str) -> bool:
    """Say whether nothing needs a variable any more where its copy begins.

    Both are variables of the function itself, the copy is given a value before it is read, and
    no loop holds both.
    """
    assert isinstance(region, _FUNCTIONS)
    if name not in _stored(region) or any(
        _names_of(inner, {name, copy}) for inner in _inner(region)
    ):
        return False
    for statement in _blocks(region):
        if (
            isinstance(statement, _LOOPS)
            and _mentions(statement, name)
            and _mentions(statement, copy)
        ):
            return False
    last = max(spot.row for spot in _spots(region, name))
    firsts = [each for each in ast.walk(region) if isinstance(each, ast.Assign)]
    first = min(spot.row for spot in _spots(region, copy))
    sets = any(
        each.lineno - 1 == first
        and isinstance(each.targets[0], ast.Name)
        and each.targets[0].id == copy
        and not _mentions(each.value, copy)
        for each in firsts
    )
    return sets and last < first and any(each.lineno - 1 == first for each in region.body)


def _inner(region: ast.AST) -> Iterator[ast.AST]:
    nested = (*_FUNCTIONS, ast.Lambda, ast.ClassDef, ast.GeneratorExp)
    return (
        each for each in ast.walk(region) if each is not region and isinstance(each, nested)
    )


def _names_of(node: ast.AST, names: set[str]) -> bool:
    return bool(names & names_in(node))


def _blocks(region: ast.AST) -> Iterator[ast.stmt]:
    return (
        each for each in ast.walk(region) if isinstance(each, ast.stmt) and each is not region
    )


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _module_constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value


def _capitals(tree: ast.Module, name: str, value: ast.expr) -> str:
    """Return the name of a constant in capitals; empty: it is none, or has them."""
    if name.upper() == name or name in _WORDS or not isinstance(value, _CONSTANT):
        return ""
    plain = _NUMBERED.fullmatch(name)
    if plain is None:
        return name.upper()
    users = [each.name for each in _regions(tree) if _mentions(each, name)]
    return f"{users[0]}_{plain[1]}".upper().lstrip("_") if len(users) == 1 else name.upper()


def _stands_once(tree: ast.Module, name: str) -> bool:
    """Say whether the module gives a name its value once, and nothing asks for it as a text."""
    stored = [
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
    ]
    texts = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant))
    return len(stored) == 1 and name not in texts


def _is_camel(tree: ast.Module) -> bool:
    """Say whether the variables of a file are `inThisCase`."""
    names = [name for region in _regions(tree) for name in sorted(_stored(region))]
    given = [each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)]
    every = dict.fromkeys([*names, *given])
    camel = sum(bool(_CAMEL.fullmatch(name)) for name in every)
    return camel > 2 * sum(bool(_SNAKE.fullmatch(name)) for name in every)


def _lower(name: str) -> str:
    """Return a name in the words of a variable: in small letters, counts of one thing each."""
    small = (
        name if name in (name.lower(), name.upper()) or _CAMEL.fullmatch(name) else name.lower()
    )
    many = _COUNTED.fullmatch(small)
    told = f"{many[1]}_{many[2]}" if many else small
    return "" if told == name else told


def _in_camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _attributes(tree: ast.AST) -> frozenset[str]:
    return frozenset(each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute))


def with_name(text: str, region: ast.AST, name: str, other: str) -> str:
    """Return a text in which a name of a region is another one."""
    spots: Mapping[int, Sequence[_Spot]] = {}
    rows = rows_of(text)
    for spot in _spots(region, name):
        spots = {**spots, spot.row: [*spots.get(spot.row, ()), spot]}
    for row, found in spots.items():
        data = rows[row].encode()
        for spot in sorted(found, reverse=True):
            end = spot.column + len(name.encode())
            if data[spot.column : end] != name.encode():
                return text
            data = data[: spot.column] + other.encode() + data[end:]
        rows[row] = data.decode()
    return "".join(rows)


def _spots(region: ast.AST, name: str) -> list[_Spot]:
    return [
        _Spot(each.lineno - 1, each.col_offset)
        for each in ast.walk(region)
        if isinstance(each, ast.Name) and each.id == name
    ]
