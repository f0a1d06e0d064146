"""`self.out += piece` in a loop of a method -> pieces in a list, joined after the loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.handlers import tried
from operators.rewrite.kept_attribute import is_quiet, may_wait
from operators.rewrite.own_attribute import attribute_growth
from operators.rewrite.owners import first_parameter, values_of
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import calls, named, only, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class AttributeBuilding(Rule):
    """Collect what a method adds to a text of its object in a list, and add it once.

    Valid where the class sets the attribute to texts only, and the loop does nothing with it
    but add at its end, hands the object to nobody and calls nothing that could ask it, nor
    walks over what asks it, and always comes to its end (all checked; an argument that does so
    is left to the tests). What was added before an error is not kept. Known
    as avoiding quadratic concatenation: a text in an attribute is copied whenever it grows.
    """

    name = "attribute_building"
    relies_on = "calls in the loop do not ask for the attribute"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each attribute and outermost loop that only adds to it."""
        done = set()
        for line in place.own:
            grown = _grown(line)
            if grown is None or not _is_text(program, place, grown):
                continue
            loop = _loop(program, grown)
            if loop is None or tried(program, loop) or (grown.target, loop) in done:
                continue
            if may_wait(program, place, grown.owner, loop):
                continue
            done.add((grown.target, loop))
            yield _change(program, grown, loop)


class _Grown(NamedTuple):
    """A line that adds a piece to an attribute of an object."""

    line: cst.CSTNode
    owner: str
    attribute: str
    piece: str

    @property
    def target(self) -> str:
        return f"{self.owner}.{self.attribute}"


def _grown(line: cst.CSTNode) -> _Grown | None:
    """Return what `self.out += piece` or `self.out = self.out + piece` adds."""
    growth = attribute_growth(only(line))
    if growth is None or not named(growth.target.value):
        return None
    name, piece = growth.target.attr.value, growth.piece
    again = any(_is(node, name) for node in walk(piece))
    return None if again else _Grown(line, named(growth.target.value), name, text(piece))


def _is_text(program: Program, place: Place, grown: _Grown) -> bool:
    """Whether the object is a method's own, and its class sets the attribute to texts only."""
    if first_parameter(place.node) != grown.owner:
        return False
    given = values_of(program, place.node, grown.attribute)
    values = [v for v in given if _grown(program.statement(v)) is None]
    return bool(values) and all(map(_literal, values))


def _literal(value: cst.BaseExpression) -> bool:
    import libcst as cst

    raw = isinstance(value, cst.SimpleString) and "b" in value.prefix.lower()
    return (isinstance(value, cst.BaseString) and not raw) or calls(value, "str") is not None


def _loop(program: Program, grown: _Grown) -> cst.CSTNode | None:
    """Return the outermost loop that only adds to the attribute, and asks nobody else."""
    import libcst as cst

    outermost = None
    for loop in program.loops(grown.line):
        if not isinstance(loop, (cst.For, cst.While)) or not _quiet(program, loop, grown):
            break
        outermost = loop
    return outermost


def _quiet(program: Program, loop: cst.CSTNode, grown: _Grown) -> bool:
    """Whether nothing in a loop may ask for the attribute, or leave the method."""
    import libcst as cst

    for node in walk(loop):
        if isinstance(node, (cst.Return, cst.Raise)):
            return False
        if _is(node, grown.attribute) and not _adds(program, node, grown):
            return False
    return is_quiet(program, loop, grown.owner)


def _is(node: cst.CSTNode, attribute: str) -> bool:
    import libcst as cst

    return isinstance(node, cst.Attribute) and node.attr.value == attribute


def _adds(program: Program, node: cst.CSTNode, grown: _Grown) -> bool:
    found = _grown(program.statement(node))
    return found is not None and found.target == grown.target


def _change(program: Program, grown: _Grown, loop: cst.CSTNode) -> TreeChange:
    parts = program.fresh(f"{grown.attribute.lstrip('_')}_parts")
    every = [found for node in walk(loop) if (found := _grown(node))]
    mine = [found for found in every if found.target == grown.target]
    return TreeChange(
        anchor=grown.line,
        replaced={found.line: f"{parts}.append({found.piece})" for found in mine},
        before={loop: [f"{parts} = []"]},
        after={loop: [f'{grown.target} += "".join({parts})']},
        direction="Collect pieces in a list and add them to the attribute once",
        effect="no copy of the text for each piece: O(n^2) -> O(n)",
    )
