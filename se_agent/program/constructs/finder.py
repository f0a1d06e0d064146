"""What costs in a Python program, as its syntax shows: a search in a loop, a slice handed down.

Each finding is a word and the line it is on, so that what was measured can say which of them
matter. Pure. Not here: counts (`features`), what a program is about (`shape`), nor what to do
about it, which is an operator's or a lesson's business.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from se_agent.program.constructs.calls import (
    branch_words,
    call_words,
    function_words,
    import_words,
)
from se_agent.program.constructs.expressions import (
    assignment_words,
    augmented_words,
    comparison_words,
    power_words,
    slice_words,
)
from se_agent.program.constructs.loops import loop_words
from se_agent.program.constructs.syntax import (
    COMPREHENSIONS,
    FUNCTIONS,
    LOOPS,
    Function,
    SyntaxPlace,
    called_name,
    changed_names,
    grown_lists,
    last_name,
)
from se_agent.program.normal_form import parse

_READING = frozenset({"max", "min", "sum", "sorted", "sqrt", "list", "set", "lower", "compile"})


class Construct(NamedTuple):
    """Something that may cost: its line, from 1, and a word in snake case."""

    line: int
    word: str


@lru_cache(maxsize=64)
def constructs(text: str) -> tuple[Construct, ...]:
    """Return the constructs of a program in the order of their lines; none of other languages.

    A word stands once for each line that shows it.
    """
    tree = parse(text)
    if tree is None:
        return ()
    own = {node.name for node in ast.walk(tree) if isinstance(node, FUNCTIONS)}
    found = {one for one in _Finder().found(tree) if not _is_own(one.word, own)}
    return tuple(sorted(found))


def _is_own(word: str, functions: set[str]) -> bool:
    """Say whether a word is a call of the program's own function, which nobody else has."""
    return word.removeprefix("call_").removesuffix("_in_loop") in functions


@dataclass
class _Finder:
    """Walks a tree once; what a loop or function changes is worked out when it is asked for."""

    _changed: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    _grown: dict[ast.AST, frozenset[str]] = field(default_factory=dict)

    def found(self, tree: ast.Module) -> Iterator[Construct]:
        """Yield all constructs."""
        todo: list[tuple[ast.AST, SyntaxPlace]] = [(tree, SyntaxPlace())]
        while todo:
            node, place = todo.pop()
            for word in self._of(node, place):
                yield Construct(getattr(node, "lineno", 1), word)
            todo += [(child, _inside(node, place, child)) for child in _children(node)]

    def _of(self, node: ast.AST, place: SyntaxPlace) -> Iterator[str]:
        for kind, words in _ANYWHERE.items():
            if isinstance(node, kind):
                yield from words(node)
        for kind, placed_words in _BY_PLACE.items():
            if isinstance(node, kind):
                yield from placed_words(node, place)
        if isinstance(node, ast.Call) and self._is_invariant(node, place):
            yield "invariant_call"
        elif isinstance(node, ast.Compare) and place.function is not None:
            yield from self._memberships(node, place)

    def _is_invariant(self, node: ast.Call, place: SyntaxPlace) -> bool:
        """Say whether a call in a loop reads nothing that the loop changes."""
        if not place.loops or called_name(node) not in _READING or not node.args:
            return False
        read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - {called_name(node)}
        return bool(read) and not read & self._changed_by(place.loops[-1])

    def _memberships(self, node: ast.Compare, place: SyntaxPlace) -> Iterator[str]:
        assert place.function is not None
        for operator, right in zip(node.ops, node.comparators, strict=True):
            asks = isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.Name)
            if asks and last_name(right) in self._grown_in(place.function):
                yield "membership_of_grown_list"

    def _grown_in(self, function: Function) -> frozenset[str]:
        if function not in self._grown:
            self._grown[function] = frozenset(grown_lists(function))
        return self._grown[function]

    def _changed_by(self, loop: ast.AST) -> frozenset[str]:
        if loop not in self._changed:
            self._changed[loop] = frozenset(changed_names(loop))
        return self._changed[loop]


def _children(node: ast.AST) -> list[ast.AST]:
    return list(ast.iter_child_nodes(node))


def _inside(node: ast.AST, place: SyntaxPlace, child: ast.AST) -> SyntaxPlace:
    """Return the place of a child; what a loop runs over is worked out before it."""
    if isinstance(node, FUNCTIONS):
        return SyntaxPlace((), node)
    if isinstance(node, ast.For | ast.AsyncFor) and child in (node.iter, node.target):
        return place
    if isinstance(node, LOOPS):
        return place._replace(loops=(*place.loops, node))
    if isinstance(node, COMPREHENSIONS):
        first = child is node.generators[0] and len(node.generators) == 1
        return place if first else place._replace(loops=(*place.loops, node))
    return place


_Words = Callable[[Any], Iterator[str]]  # of a node of the type that it is found by
_PlacedWords = Callable[[Any, SyntaxPlace], Iterator[str]]
_ANYWHERE: Mapping[type | tuple[type, ...], _Words] = {
    FUNCTIONS: function_words,
    ast.If: branch_words,
    ast.BinOp: power_words,
    ast.ImportFrom: import_words,
}
_BY_PLACE: Mapping[type | tuple[type, ...], _PlacedWords] = {
    LOOPS: loop_words,
    ast.Call: call_words,
    ast.Compare: comparison_words,
    ast.Assign: assignment_words,
    ast.AugAssign: augmented_words,
    ast.Subscript: slice_words,
}
