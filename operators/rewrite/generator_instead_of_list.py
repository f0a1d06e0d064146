"""A whole list that is asked one question -> a generator that stops at the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.aliases import touched
from operators.rewrite.change import TreeChange
from operators.rewrite.effects import altered, pure
from operators.rewrite.freshness import bindings
from operators.rewrite.handlers import awaited, caught
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    calls,
    compared,
    index,
    integer,
    lines,
    method,
    named,
    names,
    same,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_SOME = {("GreaterThan", 0), ("GreaterThanEqual", 1), ("NotEqual", 0)}
_NONE = {("Equal", 0), ("LessThan", 1), ("LessThanEqual", 0)}
_LAZY = frozenset({"map", "filter", "zip", "enumerate", "reversed", "range"})


class GeneratorInsteadOfList(Rule):
    """Ask for what is wanted, and stop at the answer, instead of making a list of all.

    Valid where the elements leave no trace (checked); those that are left out could only
    raise, which nobody handles (checked, too). Covers `any([...])`, `all([...])`, `x in
    [...]`, `[...][0]`, a list or count that is compared with nothing, `values.count(x) >
    0`, and loops that end early over a list or a slice. Reading all of a generator is no
    faster than of a list: sums and joins stay. That what such a loop calls leaves the whole
    of a slice alone is left to the tests.
    """

    name = "generator_instead_of_list"
    relies_on = "what a loop over a slice calls does not change the whole"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each list that is asked one question."""
        import libcst as cst

        for node in place.own:
            if (
                isinstance(node, cst.For)
                and (change := _sliced(program, place, node)) is not None
            ):
                yield change
            new = _lazy(program, node)
            if new is not None and not caught(program, node):
                yield TreeChange(
                    anchor=node,
                    replaced={new[0]: new[1]},
                    direction="Stop at the answer instead of making the whole list",
                    effect="only the elements up to the answer are made",
                )


def _lazy(program: Program, node: cst.CSTNode) -> tuple[cst.CSTNode, str] | None:
    """Return what to replace by what."""
    import libcst as cst

    if isinstance(node, cst.Call):
        made = calls(node, "any") or calls(node, "all")
        comp = made[0] if made and len(made) == 1 else None
        fits = isinstance(comp, cst.ListComp) and computes(program, comp)
        return (comp, f"({_inside(comp)})") if fits and comp is not None else None
    if isinstance(node, cst.Comparison):
        return _compared(program, node)
    if isinstance(node, cst.Subscript):
        found = index(node)
        if found is None or integer(found[1]) != 0 or not isinstance(found[0], cst.ListComp):
            return None
        missed = awaited(program, "IndexError", "LookupError")
        target = isinstance(program.parent[node], (cst.AssignTarget, cst.Del, cst.AugAssign))
        if missed or target or not computes(program, found[0]):
            return None
        return node, f"next({_inside(found[0])})"
    return _walked(program, node)


def _inside(comp: cst.BaseExpression, element: str = "") -> str:
    """Return the code of a comprehension without brackets, perhaps of another element."""
    import libcst as cst

    assert isinstance(comp, (cst.ListComp, cst.GeneratorExp))
    elt = cst.Name(element) if element else comp.elt
    return text(cst.GeneratorExp(elt=elt, for_in=comp.for_in, lpar=[], rpar=[]))


def _compared(program: Program, node: cst.Comparison) -> tuple[cst.CSTNode, str] | None:
    import libcst as cst

    member = compared(node, "In", "NotIn")
    if member:
        fits = isinstance(member[1], cst.ListComp) and computes(program, member[1])
        return (member[1], f"({_inside(member[1])})") if fits else None
    kind = type(node.comparisons[0].operator).__name__
    sides = compared(node, kind)
    asked = (kind, integer(sides[1])) if sides else ("", None)
    if sides is None or asked not in _SOME | _NONE:
        return None
    some = asked in _SOME
    counted = method(sides[0], "count")
    if counted and len(counted[1]) == 1 and pure(counted[0]):
        way = "in" if some else "not in"
        return node, f"{text(counted[1][0])} {way} {text(counted[0])}"
    found = _number(sides[0])
    if found is None or not computes(program, found):
        return None
    return node, f"{'' if some else 'not '}any({_inside(found, 'True')})"


def _number(node: cst.BaseExpression) -> cst.GeneratorExp | cst.ListComp | None:
    """Return the comprehension whose elements are counted by `len` or a sum of ones."""
    import libcst as cst

    length, total = calls(node, "len"), calls(node, "sum")
    if length and len(length) == 1 and isinstance(length[0], cst.ListComp):
        return length[0]
    if total and len(total) == 1 and isinstance(total[0], (cst.GeneratorExp, cst.ListComp)):
        return total[0] if integer(total[0].elt) == 1 else None
    return None


def _walked(program: Program, node: cst.CSTNode) -> tuple[cst.CSTNode, str] | None:
    """A loop over a list that it may leave early."""
    import libcst as cst

    if not isinstance(node, cst.For) or not _may_end(program, node):
        return None
    if isinstance(node.iter, cst.ListComp):
        return (node.iter, f"({_inside(node.iter)})") if computes(program, node.iter) else None
    made = calls(node.iter, "list")
    lazy = made and len(made) == 1 and any(calls(made[0], f) is not None for f in _LAZY)
    return (node.iter, text(made[0])) if made and lazy and computes(program, made[0]) else None


def _may_end(program: Program, loop: cst.For) -> bool:
    """Whether a loop may be left early, and leaves alone what it walks over."""
    import libcst as cst

    ends = any(isinstance(n, (cst.Return, cst.Break)) for n in walk(loop.body))
    stays = not names(loop.iter) & altered(program, loop.body)
    return ends and stays and not loop.asynchronous


def _sliced(program: Program, place: Place, loop: cst.For) -> TreeChange | None:
    """Return the change of a loop over a slice, perhaps counted, that it may leave early."""
    import libcst as cst

    whole: cst.BaseExpression = loop.iter
    target: cst.BaseExpression = loop.target
    if isinstance(whole, cst.Call) and named(whole.func) == "enumerate" and whole.args:
        if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
            return None
        whole, target = whole.args[0].value, target.elements[1].value
    if not isinstance(whole, cst.Subscript) or not named(target) or not _may_end(program, loop):
        return None
    (part, *others) = (each.slice for each in whole.slice)
    values, first = whole.value, lines(loop.body)[:1]
    if others or not isinstance(part, cst.Slice) or part.step or not pure(whole) or not first:
        return None
    changes = frozenset(touched(program, loop))
    given = [(name, value) for name, value, below in bindings(place.node) if not below]
    if any(name in changes and value and same(value, values) for name, value in given):
        return None  # by another name
    at, bounds = program.fresh("at"), text(whole)[len(text(values)) :]
    return TreeChange(
        anchor=loop.iter,
        replaced={whole: f"range(len({text(values)})){bounds}", target: at},
        before={first[0]: [f"{named(target)} = {text(values)}[{at}]"]},
        direction="Walk over the positions of a slice, which copies nothing",
        effect="only the elements up to the answer are read",
    )
