"""How often a character stands before a position -> looked up in the list of its places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.handlers import awaited
from operators.rewrite.invariants import can_precede, invariant_loop
from operators.rewrite.kinds import elements_of, may_be_none, whole_text
from operators.rewrite.one_class import SetOnce, own_method, set_once
from operators.rewrite.owners import defined_in, first_parameter, values_of
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import bound, named, names, target_names, targets, text
from operators.rewrite.rule import Rule
from operators.rewrite.text_before import AskedBefore, asked_before, is_used_as_text
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst

_TELLING = frozenset(["hasattr", "isinstance", "type"])


class PrefixCounts(Rule):
    """Look up how often a character stands before a position in the list of its places.

    Such as the line number of each token, `text.count(char, 0, offset) + 1`. Valid where the
    text stays as it is: in the outermost loop, or in an attribute that no line of the file sets
    but one in `__init__` (checked). Who counts a literal `str` gets an error from bytes; with
    bounds, or splitting, also from a list, so that it can only be a text. A part of what may be
    a list is counted in a loop only. Positions that subtract, are negated or found by `find`
    are refused; that no other is negative is left to the tests; so is that nobody in another
    file sets the attribute, or derives a class that leaves `__init__` out, and that each object
    gets a text. Known as an index of line starts.
    """

    name = "prefix_counts"
    relies_on = "positions are whole numbers, not negative, and no other file sets the text"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each text and character, in a loop and in an object."""
        found = _found(program, place)
        if not found or "enumerate" in bound(program.module):
            return
        if not awaited(program, "AttributeError", "TypeError"):
            yield from _in_loops(program, place, found)
            yield from _in_object(program, place, found)


def _found(program: Program, place: Place) -> list[AskedBefore]:
    return [found for node in place.own if (found := asked_before(program, place, node))]


def _in_loops(program: Program, place: Place, found: list[AskedBefore]) -> Iterator[TreeChange]:
    """Yield changes that make the list before the outermost loop in which a text stays."""
    groups: dict[tuple[str, str, cst.CSTNode], list[AskedBefore]] = {}
    for each in found:
        if loop := _loop(program, place, each):
            groups.setdefault((*each.key, program.statement(loop)), []).append(each)
    for (_, _, line), every in groups.items():
        yield _change(program, place, every, line)


def _loop(program: Program, place: Place, each: AskedBefore) -> cst.CSTNode | None:
    """Return the outermost loop in which a text stays as it is; one that runs where it stands.

    A `str` in a local name stays until the name is bound anew, whoever is given it.
    """
    import libcst as cst

    name, around = named(each.source), list(program.loops(each.node))
    lazy = (loop for loop in around if isinstance(loop, cst.GeneratorExp))
    if any(not only_read(program, loop) for loop in lazy):
        return None
    used = is_used_as_text(place.node, each.source) and not names(place.node) & _TELLING
    waits = any(isinstance(loop, cst.Lambda) for loop in around)
    if waits or not (each.proven or used) or not _is_local(program, place, name):
        return invariant_loop(program, each.node, each.source)
    staying = [*takewhile(lambda loop: name not in bound(loop), around)]
    return staying[-1] if staying and can_precede(program, staying[-1], {name}) else None


def _is_local(program: Program, place: Place, name: str) -> bool:
    """Whether a name is a variable of a function, and no other function binds it."""
    import libcst as cst

    shared = (named(n.name) for n in program.nodes if isinstance(n, cst.NameItem))
    if not place.name or name in shared:
        return False
    binding = [t for t in targets(place.node) if name in target_names(t) and t in place.own]
    return len(binding) == 1 and not isinstance(program.parent[binding[0]], cst.CompFor)


def _in_object(
    program: Program, place: Place, found: list[AskedBefore]
) -> Iterator[TreeChange]:
    """Yield changes that make the list where an object is given its text."""
    import libcst as cst

    around = defined_in(program, place.node)
    if not isinstance(around, cst.ClassDef):
        return
    keys = (own for each in found if (own := _own_key(program, around, each)))
    for key in dict.fromkeys(keys):
        asked = (each for p in program.places if p.name for each in _found(program, p))
        every = [each for each in asked if _own_key(program, around, each) == key]
        once = set_once(program, around, key[0])
        if once and every[0].node in place.own and _is_text(program, around, once, every):
            yield _change(program, place, every, once.line, first_parameter(once.init))


def _own_key(
    program: Program, around: cst.ClassDef, each: AskedBefore
) -> tuple[str, str] | None:
    """Return attribute and character of what a method asks its own object, else None."""
    import libcst as cst

    source = each.source
    if not isinstance(source, cst.Attribute) or not own_method(program, around, source):
        return None
    return source.attr.value, each.key[1]


def _is_text(
    program: Program, around: cst.ClassDef, once: SetOnce, every: list[AskedBefore]
) -> bool:
    """Whether an attribute can only hold a `str`, by what is given to it or asked of it."""
    init = next(p for p in program.places if p.node is once.init)
    if once.noted == "str" or whole_text(program, init, once.value):
        return True
    return any(each.proven for each in every) or is_used_as_text(around, every[0].source)


def _change(
    program: Program, place: Place, every: list[AskedBefore], line: cst.CSTNode, owner: str = ""
) -> TreeChange:
    """Return the change for all counts of one character in one text.

    Args:
        program: The program.
        place: The function, or a method of the class.
        every: The counts.
        line: What the list is made before; for an object, after.
        owner: What `__init__` calls the object that keeps the list; empty: none does.
    """
    bisect, imports = imported(program, "bisect", "bisect_left")
    word = "newlines" if every[0].key[1] == "\n" else "places"
    name = program.fresh(f"_{word}" if owner else word)
    elements = _elements(program, place, every[0].source, owner)
    places = (
        f"[place for place, char in enumerate({elements}) if char == {text(every[0].char)}]"
    )
    made = {line: [f"{owner}.{name} = {places}" if owner else f"{name} = {places}"]}
    replaced: dict[cst.CSTNode, str] = {}
    for each in every:
        table = f"{text(each.source).partition('.')[0]}.{name}" if owner else name
        count = f"{bisect}({table}, {text(each.position)})"
        replaced[each.node] = f"{count} + {each.more}" if each.more else count
    return TreeChange(
        anchor=every[0].node,
        replaced=replaced,
        before={} if owner else made,
        after=made if owner else {},
        imports=imports,
        parameters=(("list", "object" if owner else "loop"),),
        direction="Look up how often a character stands before a position among its places",
        effect="O(n) -> O(log n) a count, for one pass over the text",
    )


def _elements(program: Program, place: Place, source: cst.BaseExpression, owner: str) -> str:
    """Return code for the characters of a text, none where it may be None."""
    import libcst as cst

    if not isinstance(source, cst.Attribute):
        return elements_of(program, place, source)
    given = values_of(program, place.node, source.attr.value)
    inside = ((p, value) for p in program.places for value in given if value in p.own)
    empty = any("None" in names(v) or may_be_none(program, p, v) for p, v in inside)
    code = f"{owner or text(source.value)}.{source.attr.value}"
    return f"{code} or ()" if empty else code
