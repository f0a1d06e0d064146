"""An attribute with a text whose front is cut off, that only methods of one class mention.

Not here: what to do about it (`attribute_offset`), one that only grows (`own_attribute`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.front_cut import FrontCut, asks_text, front_cut
from operators.rewrite.kinds import noted_kind, text_kind
from operators.rewrite.one_class import is_derived, is_open, is_plain, own_method
from operators.rewrite.own_attribute import AttributeGrowth, attribute_growth
from operators.rewrite.owners import defined_in
from operators.rewrite.program import Program
from operators.rewrite.reading import named, only, targets, written

if TYPE_CHECKING:
    import libcst as cst

_SEEING = frozenset(["__slots__", "dir"])
_OF_TEXTS = frozenset([*dir(str), "decode"])


class RestAttribute(NamedTuple):
    """All mentions of an attribute by what they do, each list in the order of the text."""

    name: str
    cuts: list[FrontCut]
    sets: dict[cst.Attribute, cst.BaseExpression]  # with the new text
    growths: list[AttributeGrowth]
    reads: list[cst.Attribute]
    method: dict[cst.CSTNode, cst.FunctionDef]  # around each mention


def rest_attribute(
    program: Program, inside: cst.FunctionDef, name: str
) -> RestAttribute | None:
    """Return the mentions of a text of a method's object; None where others may be."""
    import libcst as cst

    around = defined_in(program, inside)
    if not isinstance(around, cst.ClassDef) or not is_plain(around):
        return None
    if is_derived(program, around) or is_open(program, name) or _SEEING & program.names:
        return None
    own, mentions = RestAttribute(name, [], {}, [], [], {}), list[cst.Attribute]()
    for node in (n for n in program.nodes if named(n) == name):
        whole = program.parent[node]
        if not isinstance(whole, cst.Attribute) or whole.attr is not node:
            if not _is_variable(program, node):
                return None
        elif (method := own_method(program, around, whole)) is not None:
            own.method[whole] = method
            mentions.append(whole)
        else:
            return None
    stored = {part for target in targets(program.module) for part in written(target)}
    sorted_in = all(_sort_in(program, own, node, stored) for node in mentions)
    return own if sorted_in and own.sets and _is_text(program, own) else None


def _is_variable(program: Program, node: cst.CSTNode) -> bool:
    """Whether a name is one of a function or the module, or a keyword of a call."""
    import libcst as cst

    scope = (n for n in program.above(node) if isinstance(n, (cst.FunctionDef, cst.ClassDef)))
    telling = (cst.FunctionDef, cst.ClassDef, cst.MatchKeywordElement)
    inside = isinstance(next(scope, None), cst.ClassDef)
    return not inside and not isinstance(program.parent[node], telling)


def _sort_in(
    program: Program, own: RestAttribute, node: cst.Attribute, stored: set[cst.CSTNode]
) -> bool:
    """Put a mention where it belongs; False for one that does anything else."""
    import libcst as cst

    line = program.statement(node)
    small, cut, growth = only(line), front_cut(line), attribute_growth(only(line))
    if cut is not None and node in (cut.target, cut.source):
        own.cuts.extend([cut] if node is cut.target else [])
        return not cut.in_place
    if growth is not None and node in (growth.target, growth.of):
        own.growths.extend([growth] if node is growth.target else [])
        return True
    if node in stored:
        value = _given(small, node)
        if value is not None:
            own.sets[node] = value
        parts = (part for target in targets(line) for part in written(target))
        return value is not None and not any(isinstance(n, cst.Subscript) for n in parts)
    own.reads.append(node)
    return _only_reads(program, node, stored)


def _given(
    small: cst.BaseSmallStatement | None, node: cst.Attribute
) -> cst.BaseExpression | None:
    """Return what a plain assignment gives to a target, alone or among others."""
    import libcst as cst

    if isinstance(small, cst.AnnAssign):
        return small.value
    if not isinstance(small, cst.Assign) or node in [each.target for each in small.targets]:
        return small.value if isinstance(small, cst.Assign) else None
    target, value = small.targets[0].target, small.value
    if not isinstance(target, cst.Tuple) or not isinstance(value, cst.Tuple):
        return None
    taken = [each.value for each in target.elements]
    plain = all(isinstance(n, cst.Element) for n in (*target.elements, *value.elements))
    if node not in taken or not plain or len(taken) != len(value.elements):
        return None
    return value.elements[taken.index(node)].value


def _only_reads(program: Program, node: cst.Attribute, stored: set[cst.CSTNode]) -> bool:
    """Whether a mention asks a text for what a copy of the rest would answer, too."""
    import libcst as cst

    above = top = program.parent[node]
    while isinstance(top, (cst.Attribute, cst.Subscript)):
        if top in stored:
            return False
        top = program.parent[top]
    whole = program.parent[above] if isinstance(above, cst.ComparisonTarget) else above
    if isinstance(whole, cst.Comparison):
        return not any(isinstance(n.operator, (cst.Is, cst.IsNot)) for n in whole.comparisons)
    fields = (n for n in program.above(node) if isinstance(n, cst.FormattedStringExpression))
    method = above.attr.value if isinstance(above, cst.Attribute) else "strip"
    return method in _OF_TEXTS and not any(n.equal for n in fields)


def _is_text(program: Program, own: RestAttribute) -> bool:
    """Whether the attribute is seen to be a text or bytes, and nowhere to be anything else."""
    import libcst as cst

    kinds = [
        text_kind(own.method[n], value) for n, value in own.sets.items() if value is not None
    ]
    noted = (program.parent[node] for node in own.sets)
    kinds += [noted_kind(n.annotation) for n in noted if isinstance(n, cst.AnnAssign)]
    asks = any(asks_text(program, node) for node in own.reads)
    return "other" not in kinds and (asks or "text" in kinds)
