"""`self.rest = self.rest[n:]` in methods -> a position in the text that moves on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.front_cut import FrontCut, front_cut
from operators.rewrite.integers import least
from operators.rewrite.loops import substituted
from operators.rewrite.match_position import asks_truth, match_name, relative
from operators.rewrite.offset_reads import OF_TEXTS, Offset, put_read, term
from operators.rewrite.owners import is_calm
from operators.rewrite.patterns import MATCHING, compiled, imports_re, looks_back, patterns
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    compared,
    flat,
    method,
    named,
    only,
    positional,
    text,
)
from operators.rewrite.rest_attribute import RestAttribute, rest_attribute
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class AttributeOffset(Rule):
    """Keep a position in a text of an object instead of slicing off its front.

    For lexers and parsers whose methods share the rest. Valid where plain lines of one class
    set, cut and lengthen the attribute, and no other code of the file mentions it; where reads
    ask from the position on, in a form that is right for negative bounds unless syntax tells
    that they are none; and where patterns are spelled out and do not look back (all checked).
    Other reads get a copy of the rest, out of loops. That the attribute is a text or bytes
    where syntax does not tell, and that no other file reads it, is left to the tests. Known as
    scanning with an offset.
    """

    name = "attribute_offset"
    relies_on = "no other file reads the attribute, and it only holds texts or bytes"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each attribute whose first cut is in the method."""
        import libcst as cst

        cuts = (cut.target for node in place.own if (cut := front_cut(node)) is not None)
        names = dict.fromkeys(n.attr.value for n in cuts if isinstance(n, cst.Attribute))
        hidden = names and bound(program.module) & {"len", "max", "min", "range"}
        if hidden or not isinstance(place.node, cst.FunctionDef):
            return
        for name in names:
            own = rest_attribute(program, place.node, name)
            if own and own.method[own.cuts[0].target] is place.node:
                change = _Moving(program, own).change()
                if change is not None:
                    yield change


class _Moving:
    """Code that asks a text from a position on, instead of a rest that gets shorter."""

    def __init__(self, program: Program, own: RestAttribute) -> None:
        self._program, self._own = program, own
        self._at = program.fresh(f"_{own.name.strip('_')}_at")
        self._new: dict[cst.CSTNode, str] = {}
        self._moves = {*own.method} - {*own.reads}
        self._places = {place.node: place for place in program.places}

    def change(self) -> TreeChange | None:
        """Return the change; None where a read or a cut is not understood."""
        own, new, program = self._own, self._new, self._program
        once = {n for n in self._moves if own.method[n].name.value == "__init__"}
        if all(cut.target in once and not any(program.loops(cut.line)) for cut in own.cuts):
            return None
        matched = {node for node in own.reads if self._match(node)}
        for node in reversed(own.reads):
            if node not in matched and not self._read(node) and not self._copy(node):
                return None
        if not all(self._cut(cut) for cut in own.cuts):
            return None
        for growth in own.growths:
            offset = self._offset(growth.target)
            whole = f"{offset.name} = {offset.rest} + {term(growth.piece, new)}"
            new[program.statement(growth.statement)] = f"{whole}\n{offset.at} = 0"
        outer = [n for n in new if not any(above in new for above in program.above(n))]
        return TreeChange(
            anchor=own.cuts[0].line,
            replaced={node: new[node] for node in outer},
            after={program.statement(n): [f"{self._offset(n).at} = 0"] for n in own.sets},
            direction=f"Move a position through `{own.cuts[0].buffer}`, which stays whole",
            effect="no copy of the rest for each step: O(n^2) -> O(n)",
        )

    def _offset(self, node: cst.Attribute) -> Offset:
        """Return what the text and the position are called where the text is mentioned."""
        return Offset(flat(node), f"{flat(node.value)}.{self._at}")

    def _natural(self, node: cst.Attribute, bound: cst.BaseExpression | None) -> bool:
        place = self._places[self._own.method[node]]
        return bound is None or least(self._program, place, bound) >= 0

    def _match(self, node: cst.Attribute) -> bool:
        """Let a pattern begin at the position, where it does not look back from there."""
        import libcst as cst

        program, inside = self._program, self._own.method[node]
        call = program.parent[program.parent[node]]
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
            return False
        maker, function, given = call.func.value, call.func.attr.value, positional(call)
        if (asked := compiled(call)) is not None:
            maker = cst.parse_expression(asked.compiled)
            given = [arg.value for arg in call.args[1:2] if not arg.keyword]
        known = patterns(program, maker, inside) if given == [node] else []
        if not known or any(map(looks_back, known)) or not imports_re(program):
            return False
        above, name, offset = (
            program.parent[call],
            match_name(program, call),
            self._offset(node),
        )
        code = f"{text(maker)}.{function}({offset.name}, {offset.at})"
        where = relative(program, self._places[inside], name) if name else {}
        asks = above.attr.value if isinstance(above, cst.Attribute) else ""
        whole = program.parent[above]
        if asks == "end" and isinstance(whole, cst.Call) and not whole.args:
            where = {whole: f"{code}.end() - {offset.at}"}
        given_name = name and not isinstance(above, cst.NamedExpr)
        asked_for = where if asks == "end" else asks in ("group", "groups")
        truth = asks_truth(program, above if name else call)
        if function not in MATCHING or where is None or not (given_name or asked_for or truth):
            return False
        self._new |= where | {call: code}
        return True

    def _read(self, node: cst.Attribute) -> bool:
        """Take a read that asks from the position on, if there is one that answers alike."""
        import libcst as cst

        program, new, offset = self._program, self._new, self._offset(node)
        (name, at), above, owner = offset, program.parent[node], flat(node.value)
        call = program.parent[above]
        sides = compared(call, "In", "NotIn")
        if sides is not None and isinstance(above, cst.ComparisonTarget):
            inner = self._own.name in map(named, walk(sides[0]))
            if inner or not is_calm(program, sides[0], owner):
                return False
            sign = ">=" if compared(call, "In") else "<"
            new[call] = f"{name}.find({substituted(sides[0], new)}, {at}) {sign} 0"
        elif isinstance(above, cst.Subscript):
            return is_calm(program, above.slice[0], owner) and self._part(node, above)
        elif isinstance(getattr(above, "operator", None), cst.Not):
            new[node] = f"{at} < len({name})"
        else:
            arguments = call.args if isinstance(call, cst.Call) else ()
            calm = all(is_calm(program, arg, owner) for arg in arguments if arg is not above)
            return calm and put_read(program, node, offset, new, OF_TEXTS)
        return True

    def _part(self, node: cst.Attribute, above: cst.Subscript) -> bool:
        """Take an element or a slice of the rest, also where a bound may be negative."""
        part, offset, new = above.slice[0].slice, self._offset(node), self._new
        (name, at), span = offset, f"range({offset.at}, len({offset.name}))"
        bounds = [getattr(part, field, None) for field in ("value", "lower", "upper")]
        if not any(bounds) or getattr(part, "step", None) or len(above.slice) > 1:
            return False
        natural = all(self._natural(node, each) for each in bounds)
        if natural and put_read(self._program, node, offset, new):
            return True
        value, lower, upper = (substituted(each, new) if each else "" for each in bounds)
        if value:
            new[above] = f"{name}[{span}[{value}]]"
            return True
        first = f"{span}[{lower}:].start" if lower else at
        if bounds[1] and self._natural(node, bounds[1]):
            first = f"{at} + {term(bounds[1], new)}"
        new[above] = f"{name}[{first}:{span}[:{upper}].stop]" if upper else f"{name}[{first}:]"
        return True

    def _copy(self, node: cst.Attribute) -> bool:
        """Give a read a copy of the rest, where that is seldom, or as it was before."""
        import libcst as cst

        program, own, inside = self._program, self._own, self._own.method[node]
        self._new[node] = self._offset(node).rest
        line, above = program.statement(node), program.parent[node]
        sets = any(program.statement(each) is line for each in own.sets)
        if inside.name.value == "__init__" or (sets and isinstance(above, cst.BinaryOperation)):
            return True
        busy = {own.method[cut.target] for cut in own.cuts}
        asked = (n for n in program.nodes if isinstance(n, cst.Attribute))
        asks = (n for n in asked if n.attr.value == inside.name.value)
        return not any(
            busy & {*program.above(n)} or any(True for _ in program.loops(n))
            for n in (node, *asks)
            if not any(isinstance(each, cst.Raise) for each in program.above(n))
        )

    def _cut(self, cut: FrontCut) -> bool:
        """Let the position move where the front was cut off, and not behind the end."""
        import libcst as cst

        node, new = cut.target, self._new
        assert isinstance(node, cst.Attribute)
        name, at = self._offset(node)
        if cut.by is None or not is_calm(self._program, cut.by, flat(node.value)):
            return False
        found, by = method(cut.by, "end"), new.get(cut.by) or term(cut.by, new)
        ends = found is not None and cut.by in new
        if found and ends and (found[0] in new or self._just_found(cut, found[0], node)):
            moved = f"{substituted(found[0], new)}.end()"
        elif self._natural(node, cut.by):
            moved = f"min({at} + {by}, len({name}))"
        else:
            moved = f"range({at}, len({name}))[{substituted(cut.by, new)}:].start"
        new[cut.line] = f"{at} = {moved}"
        if cut.beside is not None and cut.beside[1] is not None:
            taken = substituted(cut.beside[1], new)
            new[cut.line] = f"{text(cut.beside[0])}, {at} = {taken}, {moved}"
        return True

    def _just_found(self, cut: FrontCut, match: cst.CSTNode, node: cst.Attribute) -> bool:
        """Whether a match was found where the position still is, on each way to a cut."""
        import libcst as cst

        program, own = self._program, self._places[self._own.method[node]].own
        found = (n for n in own if isinstance(n, cst.Call))
        given = [n for n in found if match_name(program, n) == named(match)]
        first = program.statement(given[0]) if given else cut.line
        late = own.index(first) >= own.index(cut.line)
        if len(given) != 1 or assigned(only(first)) is None or late:
            return False
        between = own[own.index(given[0]) + 1 : own.index(cut.target)]
        leaving = (n for n in between if isinstance(n, (cst.Raise, cst.Return)))
        left = {below for each in leaving for below in walk(each)}
        odd = (cst.Await, cst.For, cst.Try, cst.While, cst.With, cst.Yield)
        return program.parent[first] in program.above(cut.line) and not any(
            isinstance(n, odd)
            or n in self._moves
            or (
                isinstance(n, (cst.Attribute, cst.Call))
                and not (n in left or is_calm(program, n, flat(node.value)))
            )
            for n in (*between, *(walk(cut.beside[1]) if cut.beside and cut.beside[1] else ()))
        )
