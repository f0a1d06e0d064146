"""An inner loop that adds up from the start each time -> a table of its totals that grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import altered, changed
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import assigned, bound, calls, lines, named, names, only, text
from operators.rewrite.rule import Rule
from operators.rewrite.uses import free

if TYPE_CHECKING:
    import libcst as cst


class FoldTable(Rule):
    """Go on from the last total where an inner loop starts again for each end of its range.

    Valid for an inner loop over a `range` whose start and step stay the same while only its
    end moves, that works on one variable (set just before to a value that stays the same)
    and on others of its own, and leaves only at its end (all checked). The totals may be
    asked for in any order. Known as a prefix fold or scan; factorials and sums up to n are
    its plainest cases.
    """

    name = "fold_table"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each inner loop that is a fold."""
        import libcst as cst

        for node in place.own:
            fold = _fold(program, place, node) if isinstance(node, cst.For) else None
            loop = _outer(program, fold) if fold else None
            if fold and loop:
                yield _change(program, fold, loop)


class _Fold(NamedTuple):
    """An inner loop, the variable that it works on, and the names that must not change."""

    loop: cst.For
    total: str
    fixed: frozenset[str]


def _fold(program: Program, place: Place, loop: cst.For) -> _Fold | None:
    arguments = calls(loop.iter, "range")
    variable = named(loop.target)
    simple = bool(arguments) and bool(variable) and loop.orelse is None and lines(loop.body)
    if not simple or not arguments or not computes(program, loop.iter):
        return None
    start = [arguments[0]] if len(arguments) > 1 else []
    own = changed(loop.body)
    if variable in own or not _runs_through(loop.body) or free(loop.iter) & own:
        return None
    inside = Counter(map(named, walk(loop)))
    everywhere = Counter(map(named, walk(place.node)))
    totals = [name for name in sorted(own) if inside[name] < everywhere[name]]
    first = _set_before(program, loop, totals[0]) if len(totals) == 1 else None
    if first is None or not confined(program, place, loop, names(loop.target)):
        return None
    if own != bound(loop.body) or not computes(program, first) or _mutable(first):
        return None
    outside = frozenset[str]().union(*(free(part) for part in (*start, *arguments[2:], first)))
    fixed = outside | (names(loop.body) - own - {variable})
    return _Fold(loop, totals[0], fixed)


def _runs_through(body: cst.CSTNode) -> bool:
    """Whether a body is a plain sequence that ends at its end and calls nothing unknown."""
    import libcst as cst

    leaving = (cst.Break, cst.Continue, cst.Return, cst.Raise, cst.Yield, cst.Await, cst.Try)
    defining = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.Global, cst.Nonlocal, cst.Expr)
    return not any(isinstance(node, (*leaving, *defining)) for node in walk(body))


def _set_before(program: Program, loop: cst.For, total: str) -> cst.BaseExpression | None:
    """Return what the variable is set to on the lines just before the loop."""
    block = program.block(loop)
    for line in reversed(block[: block.index(loop)]) if block else ():
        pair = assigned(only(line))
        if pair and pair[0] == total:
            return pair[1]
        if total in names(line) or only(line) is None:
            return None
    return None


def _mutable(node: cst.BaseExpression) -> bool:
    import libcst as cst

    makers = ("list", "dict", "set", "sorted", "bytearray")
    literal = (cst.List, cst.ListComp, cst.Dict, cst.DictComp, cst.Set, cst.SetComp)
    return isinstance(node, literal) or any(calls(node, m) is not None for m in makers)


def _outer(program: Program, fold: _Fold) -> cst.CSTNode | None:
    """Return the outermost statement that repeats the fold with another end."""
    import libcst as cst

    outermost = None
    moves = False
    for loop in program.loops(fold.loop):
        if not isinstance(loop, (cst.For, cst.While)) or fold.fixed & altered(program, loop):
            break
        moves = moves or bool(free(fold.loop.iter) & changed(loop))
        outermost = loop
    return outermost if moves else None


def _change(program: Program, fold: _Fold, outer: cst.CSTNode) -> TreeChange:
    table = program.fresh(f"{fold.total}_table")
    steps = text(fold.loop.iter)
    body = [f"{fold.total} = {table}[-1]", *_body(program, fold.loop)]
    body.append(f"{table}.append({fold.total})")
    margin = "    "
    inner = "\n".join(margin + row for line in body for row in line.splitlines())
    head = f"for {text(fold.loop.target)} in {steps}[len({table}) - 1 :]:"
    return TreeChange(
        anchor=fold.loop,
        replaced={fold.loop: f"{head}\n{inner}\n{fold.total} = {table}[len({steps})]"},
        before={outer: [f"{table} = []"], fold.loop: [f"{table} = {table} or [{fold.total}]"]},
        direction="Keep the totals of the inner loop in a table and go on from the last",
        effect="O(n) -> O(1) a pass of the outer loop, for one slot of memory each",
    )


def _body(program: Program, loop: cst.For) -> Iterator[str]:
    module = program.module
    for line in lines(loop.body):
        yield (
            module.with_changes(body=[], header=(), footer=()).code_for_node(line).rstrip("\n")
        )
