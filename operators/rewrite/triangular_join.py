"""Two loops that try all pairs of a sequence -> one pass over what came earlier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.loops import confined, substituted
from operators.rewrite.pairs import PairQuestion, Pairs, asked, pairs
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import assigned, lines, named, names, only, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class TriangularJoin(Rule):
    """Count or find pairs by looking up what came earlier, instead of trying all pairs.

    Valid for one test of each pair that compares keys, a sum, a difference, a distance or
    the order of two values, and a body that adds a constant or says that there is one
    (checked). Keys must be hashable (left to the tests). A sum or a difference is solved for
    integers only: from the first other key on, all pairs are asked as before. Known
    as a one-pass hash join, two-sum with a dictionary, or counting inversions.
    """

    name = "triangular_join"
    relies_on = "keys are hashable"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each pair of loops that does nothing else."""
        for node in place.own:
            found = pairs(place, node)
            told = _told(found) if found else None
            if found is None or told is None or not computes(program, told.test):
                continue
            question = asked(told.test, found.earlier, found.later)
            variables = {found.earlier, found.later}
            if question and confined(program, place, found.outer, variables):
                yield _change(program, found, told, question)


class _Told(NamedTuple):
    """What is done about a pair that passes a test: a constant is added, or stated."""

    test: cst.BaseExpression
    added: tuple[str, str] | None
    stated: str = ""


def _told(found: Pairs) -> _Told | None:
    import libcst as cst

    body = lines(found.inner.body)
    test = body[0] if len(body) == 1 else None
    if not isinstance(test, cst.If) or test.orelse is not None:
        return None
    smalls = [only(line) for line in lines(test.body)]
    variables = {found.earlier, found.later}
    if not smalls or any(small is None or names(small) & variables for small in smalls):
        return None
    first = smalls[0]
    if isinstance(first, cst.AugAssign) and isinstance(first.operator, cst.AddAssign):
        name, value = named(first.target), text(first.value)
        free = not names(first.value) and name and name not in names(test.test)
        return _Told(test.test, (name, value)) if free and len(smalls) == 1 else None
    if not all(small is not None and _stating(small) for small in smalls):
        return None
    changes = {pair[0] for small in smalls if (pair := assigned(small))}
    stated = "\n".join(text(small) for small in smalls if small is not None)
    return None if changes & names(test.test) else _Told(test.test, None, stated)


def _stating(small: cst.BaseSmallStatement) -> bool:
    """Whether a statement is the same for every pair, and may run once or often."""
    import libcst as cst

    pair = assigned(small)
    value = small.value if isinstance(small, cst.Return) else pair[1] if pair else None
    nothing = isinstance(small, cst.Return) and value is None
    constant = value is not None and not names(value) - {"True", "False", "None"}
    made = value is not None and any(isinstance(n, (cst.Call, cst.List)) for n in walk(value))
    return nothing or isinstance(small, cst.Break) or (constant and not made)


def _change(program: Program, found: Pairs, told: _Told, question: PairQuestion) -> TreeChange:
    known = program.fresh("earlier")
    key = _renamed(question.key, found.earlier, found.later)
    body, made, imports = _written(program, known, key, told, question, _slow(found, told))
    started = [f"{known} = {made}"]
    if question.solved:
        whole = program.fresh("whole")
        body.append(f"{whole} = {whole} and type({key}) is int")
        started.append(f"{whole} = True")
    rows = _indented("\n".join(body))
    return TreeChange(
        anchor=told.test,
        replaced={found.outer: f"for {found.later} in range({found.stop}):\n{rows}"},
        before={found.outer: started},
        imports=imports,
        direction="Look up the earlier partners of each element in one pass",
        effect="O(n^2) -> O(n log n) pairs" if question.order else "O(n^2) -> O(n) pairs",
    )


_Written = tuple[list[str], str, tuple[str, ...]]


def _slow(found: Pairs, told: _Told) -> str:
    """Return code that asks all earlier ones as before: how many, or whether there is one."""
    every = f"for {found.earlier} in range({found.later}) if {text(told.test)}"
    return f"sum(1 {every})" if told.added else f"any(True {every})"


def _exactly(program: Program, hits: str, question: PairQuestion, slow: str) -> str:
    """Return the look-up where all that it was solved for are integers, else the slow way."""
    if not question.solved:
        return hits
    whole = program.fresh("whole")
    asked_for = (whole, *(f"type({wanted}) is int" for wanted in question.wanted))
    return f"{hits} if {' and '.join(asked_for)} else {slow}"


def _written(
    program: Program, known: str, key: str, told: _Told, question: PairQuestion, slow: str
) -> _Written:
    """Return the body of the one loop, what it begins with, and imports."""
    if question.order:
        return _sorted(program, known, key, told, question)
    if told.added is None:
        hit = " or ".join(f"{wanted} in {known}" for wanted in question.wanted)
        hit = f"{question.provided} and ({hit})" if question.provided else hit
        hit = _exactly(program, hit, question, slow)
        return [f"if {hit}:\n{_indented(told.stated)}", f"{known}.add({key})"], "set()", ()
    filed, each = program.fresh("key"), program.fresh("each")
    hits = f"{known}.get({question.wanted[0]}, 0)"
    if len(question.wanted) > 1:
        choices = f"{{{', '.join(question.wanted)}}}"
        choices += f" if {question.provided}" if question.provided else ""
        hits = f"sum({known}.get({each}, 0) for {each} in {choices})"
    hits = _exactly(program, hits, question, slow)
    body = [
        _added(told.added, hits),
        f"{filed} = {key}",
        f"{known}[{filed}] = {known}.get({filed}, 0) + 1",
    ]
    return body, "{}", ()


def _sorted(
    program: Program, known: str, key: str, told: _Told, question: PairQuestion
) -> _Written:
    """Keep the earlier keys sorted: `key < wanted` holds for those to the left."""
    side = "left" if question.order in ("<", ">=") else "right"
    bisect, needed = imported(program, "bisect", f"bisect_{side}")
    insort, more = imported(program, "bisect", "insort")
    below = f"{bisect}({known}, {question.wanted[0]})"
    hits = below if "<" in question.order else f"len({known}) - {below}"
    found = f"if {hits}:\n{_indented(told.stated)}"
    line = _added(told.added, hits) if told.added else found
    return [line, f"{insort}({known}, {key})"], "[]", (*needed, *more)


def _added(added: tuple[str, str], hits: str) -> str:
    name, value = added
    return f"{name} += {hits}" if value == "1" else f"{name} += ({hits}) * {value}"


def _indented(code: str) -> str:
    return "\n".join(f"    {row}" for row in code.splitlines())


def _renamed(code: str, old: str, new: str) -> str:
    import libcst as cst

    tree = cst.parse_expression(code)
    return substituted(tree, {node: new for node in walk(tree) if named(node) == old})
