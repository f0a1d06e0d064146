"""How often a character stands before a position -> looked up in the list of its places."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import partial
from itertools import takewhile
from operator import is_not
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.invariants import can_precede, invariant_loop
from operators.rewrite.kinds import elements_of, may_be_none, whole_text
from operators.rewrite.owners import defined_in, first_parameter, values_of
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    integer,
    lines,
    named,
    names,
    only,
    target_names,
    targets,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.set_once import SetOnce, set_once
from operators.rewrite.text_before import AskedBefore, asked_before, is_used_as_text
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst

_NAMES = {"\n": "newlines", "\t": "tabs"}
_TELLING = frozenset(["hasattr", "isinstance", "type"])


class PrefixCounts(Rule):
    """Look up how often a character stands before a position in the list of its places.

    Such as the line number of each token, `text.count(char, 0, offset) + 1`. Valid where the
    text stays as it is: in the outermost loop, after an inner function is defined, or in an
    attribute that no line of the file sets but one in `__init__` (all checked). Who counts a
    literal `str` gets an error from bytes; with bounds, or splitting, also from a list, so that
    it can only be a text. A part of what may be a list is counted in a loop only. That
    positions are not negative is checked where the function tells, and else left to the tests;
    so is that nobody in another file sets the attribute, or derives a class that leaves
    `__init__` out, and that each object gets a text. Known as an index of line starts.
    """

    name = "prefix_counts"
    relies_on = "positions are not negative, and no other file sets the text of an object"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield changes for each text and character: counts only, and last places as well."""
        found = [each for n in place.own if (each := asked_before(program, place, n))]
        if any(not each.last for each in found):
            yield from _in_loops(program, place, found)
            yield from _in_object(program, place, found)
            yield from _in_closure(program, place, found)


class _Table(NamedTuple):
    """A list of places to make: its name, of what, and the statement before or after it."""

    name: str
    source: str
    line: cst.CSTNode
    kind: str


def _in_loops(program: Program, place: Place, found: list[AskedBefore]) -> Iterator[TreeChange]:
    """Yield changes that make the list before the outermost loop in which a text stays."""
    groups: dict[tuple[str, str, cst.CSTNode], list[AskedBefore]] = {}
    for each in found:
        loop = _loop(program, place, each, proven=_is_proven(program, place, found, each))
        if loop and not _leaves(program, each.node, loop):
            groups.setdefault((*each.key, program.statement(loop)), []).append(each)
    for (_, char, line), every in groups.items():
        source = _elements(program, place, every[0].source)
        name = program.fresh(_word(char))
        yield from _changes(program, every, _Table(name, source, line, "loop"))


def _is_proven(
    program: Program, place: Place, found: list[AskedBefore], one: AskedBefore
) -> bool:
    """Whether a function asks something that only a `str` answers, as no test decides."""
    alike = any(each.proven and each.key[0] == one.key[0] for each in found)
    alike = alike or is_used_as_text(program, place.node, one.source)
    return one.proven or (alike and not names(place.node) & _TELLING)


def _loop(
    program: Program, place: Place, each: AskedBefore, *, proven: bool
) -> cst.CSTNode | None:
    """Return the outermost loop in which a text stays as it is; one that runs where it stands.

    A `str` in a local name stays until the name is bound anew, whoever is given it.
    """
    import libcst as cst

    name = named(each.source)
    around = list(program.loops(each.node))
    lazy = (loop for loop in around if isinstance(loop, cst.GeneratorExp))
    if any(not only_read(program, loop) for loop in lazy):
        return None
    if isinstance(each.source, cst.Attribute) and each.source.attr.value in program.functions:
        return None  # perhaps a property, made anew
    if not proven or not _is_local(program, place, name):
        return invariant_loop(program, each.node, each.source)
    if any(isinstance(loop, cst.Lambda) for loop in around):
        return invariant_loop(program, each.node, each.source)
    outermost = None
    for loop in around:
        if name in bound(loop):
            break
        outermost = loop
    return outermost if outermost and can_precede(program, outermost, {name}) else None


def _is_local(program: Program, place: Place, name: str) -> bool:
    """Whether a name is a variable of a function, and no other function binds it."""
    import libcst as cst

    if not place.name or _is_shared(program, name):
        return False
    own = frozenset(place.own)
    binding = (t for t in targets(place.node) if name in target_names(t) and t in own)
    return any(not isinstance(program.parent[t], cst.CompFor) for t in binding)


def _is_shared(program: Program, name: str) -> bool:
    """Whether a function says `global` or `nonlocal` of a name."""
    import libcst as cst

    return any(isinstance(n, cst.NameItem) and named(n.name) == name for n in program.nodes)


def _leaves(program: Program, node: cst.CSTNode, until: cst.CSTNode) -> bool:
    """Whether code runs once at most: the block ends with an error, or leaves the function.

    Args:
        program: The program.
        node: The code.
        until: A loop around it; or a function, which is left by errors alone.
    """
    import libcst as cst

    function = isinstance(until, cst.FunctionDef)
    leaving = (cst.Raise,) if function else (cst.Raise, cst.Return)
    escaping = (cst.Return,) if function else (cst.Break, cst.Continue)
    below = node
    for above in program.above(node):
        if isinstance(above, cst.IndentedBlock) and isinstance(only(above.body[-1]), leaving):
            first = next(i for i, line in enumerate(above.body) if line is below)
            between = above.body[first:-1]
            if not any(isinstance(n, escaping) for line in between for n in walk(line)):
                return True
        if above is until:
            return False
        below = above
    return False


def _in_object(
    program: Program, place: Place, found: list[AskedBefore]
) -> Iterator[TreeChange]:
    """Yield changes that make the list where an object is given its text."""
    import libcst as cst

    around = defined_in(program, place.node)
    if not isinstance(around, cst.ClassDef):
        return
    for attribute, char in dict.fromkeys(_own_key(place, each) for each in found):
        once = set_once(program, around, attribute) if attribute else None
        if once is None:
            continue
        every = _in_class(program, around, attribute, char)
        own = frozenset(place.own)
        if not every or every[0].node not in own or _all_leave(program, every):
            continue
        if "enumerate" in bound(once.init) or not _is_text(program, around, once, every):
            continue
        owner = cst.Name(first_parameter(once.init))
        source = _elements(program, place, cst.Attribute(owner, cst.Name(attribute)))
        name = program.fresh(f"_{_word(char)}")
        yield from _changes(program, every, _Table(name, source, once.line, "object"))


def _is_text(
    program: Program, around: cst.ClassDef, once: SetOnce, every: list[AskedBefore]
) -> bool:
    """Whether an attribute can only hold a `str`, by what is given to it or asked of it."""
    init = next(p for p in program.places if p.node is once.init)
    given = once.noted == "str" or whole_text(program, init, once.value)
    asked = any(each.proven for each in every)
    return given or asked or is_used_as_text(program, around, every[0].source)


def _elements(program: Program, place: Place, source: cst.BaseExpression) -> str:
    """Return code for the characters of a text, none where it may be None.

    Args:
        program: The program.
        place: The function that asks; for an attribute, a method of the class.
        source: The text.
    """
    import libcst as cst

    if not isinstance(source, cst.Attribute):
        return elements_of(program, place, source)
    for value in values_of(program, place.node, source.attr.value):
        outer = (n for n in program.above(value) if isinstance(n, cst.FunctionDef))
        around = next(outer, place.node)
        here = next(p for p in program.places if p.node is around)
        if named(value) == "None" or may_be_none(program, here, value):
            return f"{text(source)} or ()"
    return text(source)


def _own_key(place: Place, each: AskedBefore) -> tuple[str, str]:
    """Return attribute and character of what a method asks its own object, else nothing."""
    import libcst as cst

    owner, source = first_parameter(place.node), each.source
    assert isinstance(place.node, cst.FunctionDef)
    kinds = {named(decorator.decorator) for decorator in place.node.decorators}
    if kinds & {"classmethod", "staticmethod"} or owner in bound(place.node.body):
        return "", ""
    if not isinstance(source, cst.Attribute) or named(source.value) != owner:
        return "", ""
    return source.attr.value, each.key[1]


def _in_class(
    program: Program, around: cst.ClassDef, attribute: str, char: str
) -> list[AskedBefore]:
    """Return what all methods of a class ask the same text about the same character."""
    methods = (p for p in program.places if defined_in(program, p.node) is around)
    asked = ((p, asked_before(program, p, node)) for p in methods for node in p.own)
    return [e for p, e in asked if e and _own_key(p, e) == (attribute, char)]


def _all_leave(program: Program, every: list[AskedBefore]) -> bool:
    """Whether nothing is counted but for the messages of errors."""
    import libcst as cst

    counts = (each.node for each in every if not each.last)
    functions = (
        (n, [f for f in program.above(n) if isinstance(f, cst.FunctionDef)]) for n in counts
    )
    return all(_leaves(program, node, around[0]) for node, around in functions)


def _in_closure(
    program: Program, place: Place, found: list[AskedBefore]
) -> Iterator[TreeChange]:
    """Yield changes that make the list before an inner function that asks a text around it."""
    import libcst as cst

    outer = defined_in(program, place.node)
    if not isinstance(outer, cst.FunctionDef) or place.node not in lines(outer.body):
        return
    around = next(p for p in program.places if p.node is outer)
    groups: dict[tuple[str, str], list[AskedBefore]] = {}
    for each in found:
        proven = _is_proven(program, place, found, each) or whole_text(
            program, around, each.source
        )
        if proven and _is_set_before(program, outer, place.node, named(each.source)):
            groups.setdefault(each.key, []).append(each)
    for (_, char), every in groups.items():
        source = elements_of(program, around, every[0].source)
        table = _Table(program.fresh(_word(char)), source, place.node, "function")
        if not _all_leave(program, every):
            yield from _changes(program, every, table)


def _is_set_before(
    program: Program, outer: cst.FunctionDef, inner: cst.CSTNode, name: str
) -> bool:
    """Whether a name is a parameter, or set above an inner function, and never again."""
    import libcst as cst

    binding = [t for t in targets(outer) if name in target_names(t)]
    if len(binding) != 1 or _is_shared(program, name):
        return False
    if isinstance(program.parent[binding[0]], cst.Param):
        return program.parent[program.parent[program.parent[binding[0]]]] is outer
    above = takewhile(partial(is_not, inner), lines(outer.body))
    return any((assigned(only(line)) or ("",))[0] == name for line in above)


def _changes(program: Program, every: list[AskedBefore], table: _Table) -> Iterator[TreeChange]:
    """Yield the change for all counts; and one that looks up last places, too."""
    counts = [each for each in every if not each.last]
    if not counts:
        return
    yield _change(program, counts, table)
    if len(counts) < len(every):
        yield _change(program, every, table)


def _change(program: Program, every: list[AskedBefore], table: _Table) -> TreeChange:
    bisect, imports = imported(program, "bisect", "bisect_left")
    last = any(each.last for each in every)
    char = text(every[0].char)
    places = f"place for place, char in enumerate({table.source}) if char == {char}"
    made = f"[-1, *({places})]" if last else f"[{places}]"
    of_object = table.kind == "object"
    owner = table.source.partition(".")[0]
    line = {table.line: [f"{f'{owner}.' if of_object else ''}{table.name} = {made}"]}
    replaced: dict[cst.CSTNode, str] = {}
    for each in every:
        name = f"{named(_owner(each))}.{table.name}" if of_object else table.name
        position = f"{bisect}({name}, {text(each.position)})"
        if each.last:
            replaced[each.node] = f"{name}[{position} - 1]"
        else:
            replaced |= [_counted(program, each, position, -1 if last else 0)]
    return TreeChange(
        anchor=next(each.node for each in every if not each.last),
        replaced=replaced,
        before={} if of_object else line,
        after=line if of_object else {},
        imports=imports,
        parameters=(("list", table.kind), ("last", "looked up" if last else "left")),
        direction="Look up how often a character stands before a position among its places",
        effect="O(n) -> O(log n) a count, for one pass over the text",
    )


def _owner(each: AskedBefore) -> cst.CSTNode:
    import libcst as cst

    assert isinstance(each.source, cst.Attribute)
    return each.source.value


def _counted(
    program: Program, each: AskedBefore, position: str, first: int
) -> tuple[cst.CSTNode, str]:
    """Return what is replaced, and the code of a count; a number beside it goes into it.

    Args:
        program: The program.
        each: The count.
        position: Code that looks the position up.
        first: What the count has above the place in the list.
    """
    import libcst as cst

    more, node = first + each.more, program.parent[each.node]
    if more and isinstance(node, cst.BinaryOperation) and node.left is each.node:
        beside = integer(node.right)
        if beside is not None and isinstance(node.operator, (cst.Add, cst.Subtract)):
            sign = 1 if isinstance(node.operator, cst.Add) else -1
            return node, _plus(position, more + sign * beside)
    return each.node, _plus(position, more)


def _plus(code: str, more: int) -> str:
    return f"{code} {'+' if more > 0 else '-'} {abs(more)}" if more else code


def _word(char: str) -> str:
    """Return what the places of a character are called."""
    if char in _NAMES:
        return _NAMES[char]
    plain = char.isascii() and char.isalpha()
    word = char if plain else unicodedata.name(char, "char")
    return f"{re.sub(r'[^a-zA-Z0-9]+', '_', word).lower()}_places"
