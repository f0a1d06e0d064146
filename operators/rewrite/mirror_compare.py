"""A sequence that is compared with its mirror image index by index -> halves compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.loops import confined, resolved, substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    comp_for,
    compared,
    flat,
    index,
    integer,
    lines,
    named,
    names,
    only,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class MirrorCompare(Rule):
    """Compare the first half of a sequence with the other half, reversed, as a whole.

    Valid where each element, or each of the first half, is compared with the one as far from
    the other end, and a difference leads to the same constant answer (checked). Known as the
    palindrome test; a slice in steps of -1 and a comparison run in C. Half of the
    pairs say all, and an element in the middle is not asked.
    """

    name = "mirror_compare"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop, and each `all` or `any`, that compares mirrored."""
        import libcst as cst

        for node in place.own:
            new: str | None = None
            if isinstance(node, cst.For) and confined(program, place, node, names(node.target)):
                new = _for(place, node)
            elif isinstance(node, cst.While):
                new = _while(program, place, node)
            elif isinstance(node, cst.Call):
                new = _asked(place, node)
            if new is not None:
                yield TreeChange(
                    anchor=node,
                    replaced={node: new},
                    direction="Compare one half of the sequence with the other as a whole",
                    effect="one comparison in C instead of a loop",
                )


class _Mirrored(NamedTuple):
    sequence: str
    equal: bool


def _for(place: Place, loop: cst.For) -> str | None:
    import libcst as cst

    body = lines(loop.body)
    test = body[0] if len(body) == 1 and loop.orelse is None else None
    if not isinstance(test, cst.If) or test.orelse is not None:
        return None
    found = _mirrored(place, test.test, named(loop.target), loop.iter)
    stated = _stated(test)
    if found is None or found.equal or not stated:
        return None
    rows = "\n".join(f"    {row}" for row in stated)
    return f"if {_halves(found.sequence, '!=')}:\n{rows}"


def _halves(sequence: str, sign: str) -> str:
    """Return the comparison of one half with the other one from its end."""
    size = f"len({sequence})"
    return f"{sequence}[: {size} // 2] {sign} {sequence}[: ({size} - 1) // 2 : -1]"


def _asked(place: Place, call: cst.Call) -> str | None:
    """`all(xs[i] == xs[-i - 1] for i in range(len(xs)))`, and `any` of the opposite."""
    import libcst as cst

    function = named(call.func)
    inner = call.args[0].value if len(call.args) == 1 else None
    if function not in ("all", "any") or not isinstance(
        inner, (cst.GeneratorExp, cst.ListComp)
    ):
        return None
    loop = comp_for(inner)
    if function not in ("all", "any") or loop.ifs or loop.inner_for_in:
        return None
    found = _mirrored(place, inner.elt, named(loop.target), loop.iter)
    if found is None or found.equal != (function == "all"):
        return None
    return f"({_halves(found.sequence, '==' if found.equal else '!=')})"


def _mirrored(
    place: Place, test: cst.BaseExpression, variable: str, span: cst.BaseExpression
) -> _Mirrored | None:
    """Return the sequence whose elements a test compares with those from the other end."""
    sides = compared(test, "Equal", "NotEqual")
    first, second = map(index, sides) if sides else (None, None)
    if first is None or second is None or not variable or not named(first[0]):
        return None
    sequence = named(first[0])
    if named(second[0]) != sequence or sequence == variable:
        return None
    near, far = (first[1], second[1]) if named(first[1]) == variable else (second[1], first[1])
    whole = f"len({sequence})"
    ends = {f"{whole}-1-{variable}", f"{whole}-{variable}-1", f"-{variable}-1",
            f"-1-{variable}", f"-({variable}+1)", f"-(1+{variable})", f"~{variable}",
            f"{whole}-(1+{variable})", f"{whole}-({variable}+1)"}  # fmt: skip
    if named(near) != variable or _flat(place, far, whole) not in ends:
        return None
    arguments = calls(span, "range") or []
    halves = {whole, f"{whole}//2", f"{whole}//2+1", f"({whole}+1)//2", f"int({whole}/2)"}
    if len(arguments) == 2 and integer(arguments[0]) == 0:
        arguments = arguments[1:]
    if len(arguments) != 1 or _flat(place, arguments[0], whole) not in halves:
        return None
    return _Mirrored(sequence, compared(test, "Equal") is not None)


def _flat(place: Place, node: cst.BaseExpression, whole: str) -> str:
    """Return the code without blanks, and with the length that a name stands for."""
    import libcst as cst

    known: dict[cst.CSTNode, str] = {
        part: whole
        for part in walk(node)
        if isinstance(part, cst.Name) and flat(resolved(place, part)) == whole
    }
    return "".join(substituted(node, known).split())


def _stated(test: cst.If) -> list[str]:
    """Return the lines that say the same for every pair; none where one does not."""
    import libcst as cst

    found: list[str] = []
    for line in lines(test.body):
        small, pair = only(line), assigned(only(line))
        value = small.value if isinstance(small, cst.Return) else pair[1] if pair else None
        if isinstance(small, cst.Break) and found:
            continue
        constant = value is not None and not names(value) - {"True", "False", "None"}
        if small is None or not constant or isinstance(value, (cst.List, cst.Dict)):
            return []
        found.append(text(small))
    return found


def _while(program: Program, place: Place, loop: cst.While) -> str | None:
    """Two indices that walk towards each other, from both ends."""
    import libcst as cst

    sides = compared(loop.test, "LessThan", "LessThanEqual")
    low, high = map(named, sides) if sides else ("", "")
    body = lines(loop.body)
    test = body[0] if len(body) == 3 and loop.orelse is None else None
    if not low or not high or not isinstance(test, cst.If) or test.orelse is not None:
        return None
    steps = {"".join(text(line).split()) for line in body[1:]}
    ups, downs = {f"{low}+=1", f"{low}={low}+1"}, {f"{high}-=1", f"{high}={high}-1"}
    asked = compared(test.test, "NotEqual")
    first, second = map(index, asked) if asked else (None, None)
    if not steps & ups or not steps & downs or first is None or second is None:
        return None
    sequence = named(first[0])
    ends = {named(first[1]), named(second[1])}
    if not sequence or named(second[0]) != sequence or ends != {low, high}:
        return None
    starts = _set_before(program, loop)
    stated = _stated(test)
    from_ends = (starts.get(low), starts.get(high)) == ("0", f"len({sequence})-1")
    if not from_ends or not stated or not confined(program, place, loop, {low, high}):
        return None
    rows = "\n".join(f"    {row}" for row in stated)
    return f"if {_halves(sequence, '!=')}:\n{rows}"


def _set_before(program: Program, loop: cst.While) -> dict[str, str]:
    """Return what the lines just before a loop set names to, without blanks."""
    import libcst as cst

    found: dict[str, str] = {}
    block = program.block(loop)
    for line in reversed(block[: block.index(loop)] if block else ()):
        small, pair = only(line), assigned(only(line))
        if pair:
            found.setdefault(pair[0], flat(pair[1]))
        elif isinstance(small, cst.Assign) and isinstance(small.value, cst.Tuple):
            target = small.targets[0].target
            if isinstance(target, cst.Tuple):
                for to, value in zip(target.elements, small.value.elements, strict=False):
                    found.setdefault(named(to.value), flat(value.value))
        else:
            break
    return found
