"""Slow code that is seen in the syntax and that no rule changes: why, and what would help.

Not here: what rules look for (`report.words.searched`), and where the time goes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from se_agent.program.parsing import tree_of

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class SlowSpot(NamedTuple):
    """A place that costs more than it needs to.

    Attributes:
        line: Number of its line, from 1.
        code: What stands there, shortened.
        reason: What it costs, and why no rule changes it.
        wish: What a model would be asked for.
    """

    line: int
    code: str
    reason: str
    wish: str


def slow_spots(text: str, function: str = "") -> list[SlowSpot]:
    """Return the slow spots of a program in Python, each kind and line once, by line.

    Args:
        text: The program; one that is no Python has none.
        function: Name of the only function to look at, with what it calls in the same text;
            empty for all.
    """
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    functions = [node for node in ast.walk(tree) if isinstance(node, _Function)]
    wanted = _called_by(functions, function) if function else functions
    found = [spot for each in wanted for spot in _spots(each, functions)]
    return sorted(dict.fromkeys(found))


def _called_by(functions: list[_Function], name: str) -> list[_Function]:
    """Return a function and those that it calls by their names, however far."""
    todo, seen = [name.rpartition(".")[2]], dict[str, list[_Function]]()
    while todo:
        here = todo.pop()
        if here not in seen:
            seen[here] = [each for each in functions if each.name == here]
            todo += [called for each in seen[here] for called in _calls(each)]
    return [each for every in seen.values() for each in every]


def _calls(node: ast.AST) -> Iterator[str]:
    for found in ast.walk(node):
        if isinstance(found, ast.Call):
            match found.func:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    yield name


def _spots(function: _Function, functions: list[_Function]) -> Iterator[SlowSpot]:
    yield from _recursive(function)
    scanning = {each.name for each in functions if _scans(each)}
    for loop in ast.walk(function):
        if isinstance(loop, _LOOPS):
            for node in (n for line in loop.body for n in ast.walk(line)):
                yield from _in_loop(loop, node, scanning - {function.name})


def _recursive(function: _Function) -> Iterator[SlowSpot]:
    """Yield calls of a function by itself that copy an argument for each call."""
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args):
                for argument in args if name == function.name else ():
                    if _copies(argument):
                        yield _spot(
                            argument,
                            "is copied for each call; no rule knows who keeps the copies",
                            "one list that grows before the call and shrinks after it, or a "
                            "position",
                        )


def _copies(argument: ast.expr) -> bool:
    """Whether an argument is a name's list with an element more, or without its first ones."""
    match argument:
        case ast.BinOp(op=ast.Add(), left=ast.Name(), right=ast.List() | ast.Tuple()):
            return True
        case ast.Subscript(value=ast.Name(), slice=ast.Slice(lower=ast.expr(), upper=None)):
            return True
    return False


def _in_loop(loop: ast.AST, node: ast.AST, scanning: set[str]) -> Iterator[SlowSpot]:
    """Yield what a pass of a loop does that grows with all there is."""
    match node:
        case ast.Call(func=ast.Attribute(attr="pop"), args=[place]) if _within(place):
            yield _spot(node, _MOVES, "a new list that is built in one pass")
        case ast.Call(func=ast.Attribute(attr="insert"), args=[place, _]) if _within(place):
            yield _spot(node, _MOVES, "a new list that is built in one pass, or a heap")
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.DictComp() | ast.SetComp() as made
        ):
            walked = made.generators[0].iter
            if isinstance(loop, ast.While) and _root(walked) == name:
                yield _spot(
                    node.targets[0],
                    "is built anew in each pass; no rule knows which entries a pass changes",
                    "counters that only what changed brings up to date",
                )
        case ast.Call(func=ast.Name(id=name), args=[_, *_]) if name in scanning:
            yield _spot(
                node,
                "is called in a loop and walks over all it is given; no rule knows what of its "
                "result a pass changes",
                "a result that is kept beside the loop and brought up to date",
            )


_MOVES = "moves all that stand behind it, in each pass; no rule knows who counts on positions"


def _within(place: ast.expr) -> bool:
    """Whether a position is neither the first nor the last one."""
    return not isinstance(place, ast.Constant | ast.UnaryOp)


def _root(node: ast.expr) -> str:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) | ast.Name(id=name):
            return name
    return ""


def _scans(function: _Function) -> bool:
    """Whether a function walks over one of its parameters."""
    params = {a.arg for a in (*function.args.posonlyargs, *function.args.args)}
    loops = (n for n in ast.walk(function) if isinstance(n, ast.For | ast.comprehension))
    return any(_root(loop.iter) in params for loop in loops)


def _spot(node: ast.expr, reason: str, wish: str) -> SlowSpot:
    code = " ".join(ast.unparse(node).split())
    return SlowSpot(node.lineno, code if len(code) <= 50 else f"{code[:47]}...", reason, wish)
