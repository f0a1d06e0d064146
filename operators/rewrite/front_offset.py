"""`buf = buf[n:]`, or `del buf[:n]`, in a loop -> a position in `buf` that moves on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.aliases import changed_elsewhere
from operators.rewrite.change import TreeChange
from operators.rewrite.effects import QUERIES
from operators.rewrite.front_cut import (
    TEXT_METHODS,
    FrontCut,
    front_cut,
    grows_at_end,
    has_no_other_reader,
    held,
    is_made_here,
    is_seen_as_text,
    separated,
    size_of,
)
from operators.rewrite.handlers import tried
from operators.rewrite.kept_attribute import is_quiet, may_end_early, may_wait
from operators.rewrite.loops import substituted
from operators.rewrite.offset_reads import Offset, put_read, term
from operators.rewrite.owners import first_parameter, values_of
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    calls,
    compared,
    flat,
    named,
    names,
    only,
    text,
    variables,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import handed_on, only_read, truth_only

if TYPE_CHECKING:
    import libcst as cst

_UNRAISING = frozenset(
    ["append", "endswith", "find", "len", "partition", "split", "startswith"]
)


class FrontOffset(Rule):
    """Move a position through a text, bytes, a list or a tuple, whose front was sliced off.

    Valid when the loop sets the name to nothing but its own rest, and nobody changes it under
    another name, asks for it in a function within, or handles errors meanwhile (checked). A
    method's attribute is kept in a name where nobody asks the object meanwhile (checked).
    Lengths, elements and slices are asked from the position on; other readers get a slice. A
    list that itself gets shorter may grow at its end, and has no other reader (checked).
    """

    name = "front_offset"
    relies_on = "positions are not negative"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each buffer and the outermost loop that takes from its front."""
        done = set()
        for line in place.own:
            cut = front_cut(line)
            if cut is None:
                continue
            found = _moving(program, place, cut)
            if found is None or (cut.buffer, found.loop) in done:
                continue
            done.add((cut.buffer, found.loop))
            yield _change(program, place, found)


class _Moving(NamedTuple):
    """A loop that sets a buffer to nothing but its rest.

    Attributes:
        cut: One line that does so.
        loop: The outermost such loop.
        every: All mentions of the buffer in the function.
        name: What the whole is called meanwhile.
        at: What the position is called.
        end: What the end of a front is called, where fronts end with a separator.
    """

    cut: FrontCut
    loop: cst.CSTNode
    every: list[cst.CSTNode]
    name: str
    at: str
    end: str

    @property
    def owned(self) -> bool:
        """Whether the buffer is an attribute."""
        return self.name != self.cut.buffer

    def cuts(self, program: Program, node: cst.CSTNode) -> FrontCut | None:
        """Return the cut of the line of a mention, where it is one of the buffer."""
        found = front_cut(program.statement(node))
        return found if found and found.buffer == self.cut.buffer else None


def _moving(program: Program, place: Place, cut: FrontCut) -> _Moving | None:
    """Return the outermost loop that sets the buffer to nothing but its rest."""
    import libcst as cst

    owner, _, attribute = cut.buffer.rpartition(".")
    if owner:
        every = [n for n in walk(place.node) if _is_attribute(n) and flat(n) == cut.buffer]
    else:
        every = [n for n in variables(place.node) if n.value == cut.buffer]
    own = frozenset(place.own)
    if any(n not in own for n in every):
        return None  # a function within may ask for it at any time
    every_value = values_of(program, place.node, attribute) if owner else []
    given = [v for v in every_value if front_cut(program.statement(v)) is None]
    if owner and (not given or owner != first_parameter(place.node)):
        return None
    texts = is_seen_as_text(program, every) or any(isinstance(v, cst.BaseString) for v in given)
    loop = _loop(program, place, cut, every, texts=texts)
    if loop is None or tried(program, loop):
        return None
    alone = not owner and is_made_here(place, cut.buffer)
    alone = alone and has_no_other_reader(program, every, loop)
    shared = not (texts or alone)
    if shared and changed_elsewhere(program, place, owner or cut.buffer, loop):
        return None
    if owner and (not is_quiet(program, loop, owner) or may_wait(program, place, owner, loop)):
        return None
    if cut.in_place and not owner and not has_no_other_reader(program, every, loop):
        return None
    name = _local(program, attribute.lstrip("_")) if owner else cut.buffer
    return _Moving(cut, loop, every, name, program.fresh("start"), program.fresh("end"))


def _local(program: Program, wanted: str) -> str:
    """Return a name for an attribute: its own, unless a variable has it."""
    return program.fresh(wanted) if wanted in names(program.module) else wanted


def _is_attribute(node: cst.CSTNode) -> bool:
    import libcst as cst

    return isinstance(node, cst.Attribute)


def _loop(
    program: Program, place: Place, cut: FrontCut, every: list[cst.CSTNode], *, texts: bool
) -> cst.CSTNode | None:
    import libcst as cst

    outermost = None
    for loop in program.loops(cut.line):
        inside = frozenset(walk(loop))
        mine = [node for node in every if node in inside]
        fits = all(
            _understood(program, place, n, cut) or (texts and handed_on(program, n))
            for n in mine
        )
        header = walk(loop.iter) if isinstance(loop, cst.For) else ()
        if any(node in mine for node in header):
            break
        if not isinstance(loop, (cst.For, cst.While)) or not fits:
            break
        outermost = loop
    return None if isinstance(getattr(outermost, "orelse", None), cst.Else) else outermost


def _understood(program: Program, place: Place, node: cst.CSTNode, mine: FrontCut) -> bool:
    """Whether a mention takes from the front, or reads what nobody can change."""
    import libcst as cst

    above = program.parent[node]
    cut = front_cut(program.statement(node))
    if mine.in_place and grows_at_end(program, node):
        return True
    if cut and cut.buffer == mine.buffer:
        if cut.in_place != mine.in_place:
            return False
        if cut.in_place and node is cut.target:
            return True
        if cut.separator is not None and not _parts(program, place, cut):
            return False
        if isinstance(above, (cst.AssignTarget, cst.Element)):
            return node is cut.target
    if isinstance(above, cst.Attribute):
        return (
            above.value is node
            and isinstance(program.parent[above], cst.Call)
            and (above.attr.value in QUERIES | TEXT_METHODS)
        )
    returned = isinstance(only(program.statement(node)), cst.Return)
    return returned or only_read(program, node) or truth_only(program, node)


def _parts(program: Program, place: Place, cut: FrontCut) -> bool:
    """Whether a cut at a separator finds one, or need not; what it calls that is not read."""
    if not cut.mark:
        return separated(program, cut) is not None
    marks = [n for n in variables(place.node) if n.value == cut.mark]
    return all(
        (here := front_cut(program.statement(n))) is not None and here.mark == cut.mark
        for n in marks
    )


def _change(program: Program, place: Place, found: _Moving) -> TreeChange:
    inside = frozenset(walk(found.loop))
    new: dict[cst.CSTNode, str] = {}
    mine = [n for n in found.every if n in inside]
    cuts = {n: cut for n in mine if (cut := found.cuts(program, n))}
    asks_length = any(calls(program.parent[program.parent[n]], "len") for n in mine)
    grows = [node for node in mine if grows_at_end(program, node)]
    exact = bool(grows) or asks_length or any(cut.separator for cut in cuts.values())
    new |= dict.fromkeys(grows, found.name) if found.owned else {}
    for node in reversed(mine):
        if node in grows:
            continue
        if node not in cuts or node not in (cuts[node].source, cuts[node].target):
            _read(program, node, found, new)
    for node, cut in cuts.items():
        if node is cut.target:
            new[cut.line] = _moved(program, cut, found, new, exact=exact)
    replaced = {
        node: code
        for node, code in new.items()
        if not any(n in new for n in program.above(node))
    }
    buffer, name, at = found.cut.buffer, found.name, found.at
    rest = {found.loop: [f"{buffer} = {name}[{at}:]"]}
    seen = found.owned
    if found.cut.in_place:
        rest = {found.loop: [f"del {buffer}[:{at}]"]}
        seen = found.owned or not is_made_here(place, buffer)
    lastly = seen and may_end_early(found.loop, _UNRAISING)
    after = seen or _read_after(program, place, buffer, found.loop)
    return TreeChange(
        anchor=found.cut.line,
        replaced=replaced,
        before={
            found.loop: [f"{name} = {buffer}"] * found.owned + [f"{at} = 0"],
        },
        after=rest if after and not lastly else {},
        lastly=rest if lastly else {},
        direction=f"Move a position through `{buffer}` instead of slicing off its front",
        effect="no copy of the rest for each step: O(n^2) -> O(n)",
    )


def _read_after(program: Program, place: Place, name: str, loop: cst.CSTNode) -> bool:
    """Whether the rest may be asked for after the loop, or by a loop around it."""
    inside = frozenset(walk(loop))
    end = max(i for i, node in enumerate(place.own) if node in inside)
    after = {n for n in place.own[end:] if named(n) == name}
    around = any(True for _ in program.loops(loop))
    return around or any(n.value == name and n in after for n in variables(place.node))


def _read(
    program: Program, node: cst.CSTNode, found: _Moving, new: dict[cst.CSTNode, str]
) -> None:
    """Put what a reading mention becomes into `new`; mentions behind it are there already."""
    offset = Offset(found.name, found.at)
    if put_read(program, node, offset, new):
        return
    if (test := _sought(program, found, node)) is not None:
        new[test] = _asked(program, found, test, new)
    else:
        new[node] = offset.rest


def _sought(program: Program, found: _Moving, node: cst.CSTNode) -> cst.CSTNode | None:
    """Return the test that a separator is in a text, where a cut at one says that it is one."""
    test = program.parent[program.parent[node]]
    sides = compared(test, "In", "NotIn")
    cuts = (found.cuts(program, n) for n in found.every)
    texts = any(cut and cut.separator is not None for cut in cuts)
    return test if sides and sides[1] is node and texts else None


def _asked(
    program: Program, found: _Moving, test: cst.CSTNode, new: dict[cst.CSTNode, str]
) -> str:
    sides = compared(test, "In")
    both = sides or compared(test, "NotIn")
    assert both is not None
    position = f"{found.name}.find({substituted(both[0], new)}, {found.at})"
    if sides and any(_ends_at(program, found, n) is test for n in found.every):
        return f"({found.end} := {position}) >= 0"
    return f"{position} >= 0" if sides else f"{position} < 0"


def _ends_at(program: Program, found: _Moving, node: cst.CSTNode) -> cst.CSTNode | None:
    """Return the test that found the separator that a line cuts at."""
    cut = found.cuts(program, node)
    return separated(program, cut) if cut else None


def _moved(
    program: Program,
    cut: FrontCut,
    found: _Moving,
    new: dict[cst.CSTNode, str],
    *,
    exact: bool,
) -> str:
    """Return the lines that take the place of a cut."""
    name, at = found.name, found.at
    if cut.by is None:
        return _moved_behind(program, cut, found, new)
    by = term(cut.by, new)
    bounded = exact and not held(program, cut)
    moved = f"{at} = min({at} + {by}, len({name}))" if bounded else f"{at} += {by}"
    if cut.beside is None:
        return moved
    target, value = cut.beside
    assert value is not None
    return f"{text(target)} = {substituted(value, new)}\n{moved}"


def _moved_behind(
    program: Program, cut: FrontCut, found: _Moving, new: dict[cst.CSTNode, str]
) -> str:
    """Return the lines that take the place of a cut at a separator."""
    assert cut.separator is not None
    assert cut.beside is not None
    name, at, end = found.name, found.at, found.end
    size = size_of(cut.separator)
    taken = [f"{text(cut.beside[0])} = {name}[{at}:{end}]"]
    if separated(program, cut) is not None:
        return "\n".join([*taken, f"{at} = {end} + {size}"])
    search = f"{end} = {name}.find({substituted(cut.separator, new)}, {at})"
    missing = f"if {end} < 0:\n    {end} = len({name})"
    return "\n".join([search, missing, *taken, f"{at} = min({end} + {size}, len({name}))"])
