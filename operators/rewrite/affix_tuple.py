"""`any(text.startswith(p) for p in prefixes)` -> `text.startswith(tuple(prefixes))`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.kinds import elements_of
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import calls, comp_for, method, named, names, spoken, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_METHODS = ("startswith", "endswith")


class AffixTuple(Rule):
    """Ask for all prefixes, or endings, of a text in one call.

    Valid where the text and the prefixes stay as they are meanwhile (checked). That it is a
    text (also where no prefixes are), that prefixes are texts, each of them, and that they can
    be walked over more than once, is left to the tests. The tuple is made once, before the
    outermost loop in which they stay the same.
    """

    name = "affix_tuple"
    relies_on = "the text and the prefixes are texts"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each question."""
        import libcst as cst

        for node in place.own:
            (comp,) = calls(node, "any") or (None,)
            if not isinstance(comp, (cst.GeneratorExp, cst.ListComp)):
                continue
            part, asked = comp_for(comp), _asked(comp.elt)
            variable = named(part.target)
            if (
                asked is None
                or not variable
                or part.ifs
                or part.inner_for_in
                or part.asynchronous
            ):
                continue
            whole, name, affix = asked
            if name in program.functions or not pure(whole):
                continue  # of a class of the program
            if affix == variable and variable not in names(whole):
                yield _change(program, place, node, f"{text(whole)}.{name}", part.iter)


def _asked(node: cst.BaseExpression) -> tuple[cst.BaseExpression, str, str] | None:
    """Return whole text, method and name of the affix of `text.startswith(affix)`."""
    for name in _METHODS:
        receiver, arguments = method(node, name) or (None, [])
        if receiver is not None and len(arguments) == 1:
            return receiver, name, named(arguments[0])
    return None


def _change(
    program: Program,
    place: Place,
    node: cst.CSTNode,
    question: str,
    affixes: cst.BaseExpression,
) -> TreeChange:
    import libcst as cst

    every = elements_of(program, place, affixes)
    made = text(affixes) if isinstance(affixes, cst.Tuple) else f"tuple({every})"
    loop = invariant_loop(program, node, affixes) if pure(affixes) else None
    before = {}
    if loop is not None and names(affixes):
        name = program.fresh(f"{spoken(affixes) or 'affixes'}_tuple")
        before = {program.statement(loop): [f"{name} = {made}"]}
        made = name
    return TreeChange(
        anchor=node,
        replaced={node: f"{question}({made})"},
        before=before,
        direction="Ask for all prefixes, or endings, of a text in one call",
        effect="a loop in C instead of a call for each",
    )
