"""A copy that is only looked at, or copied deeper than it is changed -> what it was for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, TypeGuard

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import QUERIES, changed, pure
from operators.rewrite.handlers import awaited
from operators.rewrite.kinds import collection, mapping
from operators.rewrite.path_copy import walked
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    compared,
    conjuncts,
    flat,
    grouped,
    index,
    integer,
    method,
    named,
    names,
    only,
    positional,
    root,
    targets,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import mentions, stays_local

if TYPE_CHECKING:
    import libcst as cst

_FEW = 20
_UNORDERED = ("all", "any", "frozenset", "max", "min", "set", "sorted")


class NeedlessCopy(Rule):
    """Ask the values themselves instead of a sorted or listed copy; copy rows, not all below.

    The first and the last of a sorted copy are the minimum and the maximum (unless an
    `IndexError` is waited for), the first few are the smallest, and the first of a list of
    values is the one that they begin with, where a test says that there is one. Extrema and
    sets need no copy, nor does membership where the values are no text (checked). A
    deep copy, such as `json.loads(json.dumps(x))`, becomes a copy of the rows, of the outermost
    level, of what a walk to the change passes, or none, by what is changed in it; that nothing
    deeper is shared and changed, and that JSON has the same types, is left to the tests. Known
    as copy elision.
    """

    name = "needless_copy"
    relies_on = "nothing below the copied level is shared and changed"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for all looked-at copies, and some for each deep one."""
        replaced: dict[cst.CSTNode, str] = {}
        # Nothing has no first element, and no minimum: these are two errors.
        missed = awaited(program, "IndexError", "LookupError")
        for node in place.own:
            new = (not missed and _end(node)) or _first(program, node)
            new = new or _looked_at(program, place, node)
            if new and not any(above in replaced for above in program.above(node)):
                replaced[node] = new
        if replaced:
            yield TreeChange(
                anchor=next(iter(replaced)),
                replaced=replaced,
                direction="Ask the values themselves, not a copy",
                effect="O(n log n) -> O(n), or O(n) -> O(1), a question",
            )
        for node in place.own:
            if few := _few(program, node):
                yield few
        for node in place.own:
            source = _deep(node)
            if source is not None and pure(source):
                yield from _shallower(program, place, node, source)


def _end(node: cst.CSTNode) -> str | None:
    """Return the extremum that `sorted(values)[0]` or its like is."""
    import libcst as cst

    found = index(node)
    if found is None or not isinstance(found[0], cst.Call) or named(found[0].func) != "sorted":
        return None
    first, last = integer(found[1]) == 0, flat(found[1]) == "-1"
    values, *options = found[0].args
    given = {named(option.keyword): option.value for option in options}
    if not (first or last) or values.star or not given.keys() <= {"key", "reverse"}:
        return None
    turned = text(given["reverse"]) if "reverse" in given else "False"
    if turned not in ("True", "False") or ("key" in given and last):
        return None  # of equal keys the last one is wanted
    function = "min" if first == (turned == "False") else "max"
    key = f", key={text(given['key'])}" if "key" in given else ""
    return f"{function}({text(values.value)}{key})"


def _first(program: Program, node: cst.CSTNode) -> str | None:
    """Return the first of what a plain `list(values)` copies, which is known to be there."""
    found = index(node)
    if found is None or integer(found[1]) != 0:
        return None
    for maker in ("list", "tuple"):
        arguments = calls(found[0], maker)
        if arguments and len(arguments) == 1 and _is_some(program, node, arguments[0]):
            return f"next(iter({text(arguments[0])}))"
    return None


def _is_some(program: Program, node: cst.CSTNode, values: cst.BaseExpression) -> bool:
    """Whether a test around a node says that there are values, which nothing changed since."""
    import libcst as cst

    below = node
    for above in program.above(node):
        if isinstance(above, (cst.If, cst.While)) and above.body is below:
            parts = conjuncts(above.test)
            if any(flat(each) in (flat(values), f"len({flat(values)})") for each in parts):
                return not _changed_before(above.body, program.statement(node), names(values))
        again = isinstance(above, (cst.For, cst.While)) and names(values) & changed(above)
        if again or isinstance(above, (cst.FunctionDef, cst.Lambda)):
            return False
        below = above
    return False


def _changed_before(body: cst.CSTNode, line: cst.CSTNode, used: frozenset[str]) -> bool:
    """Whether what is used may be changed between the beginning of a block and a line."""
    before = takewhile(lambda node: node is not line, walk(body))
    return any(used & changed(node) for node in before if only(node))


def _few(program: Program, node: cst.CSTNode) -> TreeChange | None:
    """Return the change of `sorted(values)[:3]`, where three are asked for, not all."""
    import libcst as cst

    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return None
    part, whole = node.slice[0].slice, node.value
    if not isinstance(part, cst.Slice) or part.lower or part.step:
        return None
    if not isinstance(whole, cst.Call) or named(whole.func) != "sorted":
        return None
    number = integer(part.upper)
    values, *options = whole.args
    given = {named(option.keyword): text(option.value) for option in options}
    turned = given.pop("reverse", "False")
    if not number or number > _FEW or values.star or not given.keys() <= {"key"}:
        return None
    if turned not in ("True", "False"):
        return None
    wanted = "nlargest" if turned == "True" else "nsmallest"
    function, imports = imported(program, "heapq", wanted)
    key = f", key={given['key']}" if given else ""
    return TreeChange(
        anchor=node,
        replaced={node: f"{function}({number}, {text(values.value)}{key})"},
        imports=imports,
        parameters=(("form", wanted),),
        direction="Ask for the first few, not for all in order",
        effect="O(n log n) -> O(n) for a few of many",
    )


def _looked_at(program: Program, place: Place, node: cst.CSTNode) -> str | None:
    """Return a membership test or a question without the copy that it is put to."""
    sides = compared(node, "In", "NotIn")
    if sides:
        source = _elements(program, place, sides[1])
        word = "in" if compared(node, "In") else "not in"
        return f"{text(sides[0])} {word} {source}" if source else None
    for function in _UNORDERED:
        arguments = calls(node, function)
        source = _copied(arguments[0], "sorted") if arguments and len(arguments) == 1 else None
        if source:
            return f"{function}({source})"
    return None


def _elements(program: Program, place: Place, node: cst.BaseExpression) -> str | None:
    """Return what is copied, where `in` asks for an element of it as of the copy.

    A text would be asked for its parts.
    """
    import libcst as cst

    for maker in ("list", "tuple", "sorted"):
        arguments = calls(node, maker)
        if arguments and len(arguments) == 1:
            views = (method(arguments[0], view) for view in ("keys", "values", "items"))
            if collection(program, place, arguments[0]) or any(views):
                return _copied(node, maker)
            nested = isinstance(arguments[0], cst.Call) and named(arguments[0].func)
            return _copied(node, maker) if nested in ("list", "tuple", "sorted") else None
    return None


def _copied(node: cst.CSTNode, *makers: str) -> str | None:
    """Return what a plain `list(values)` or its like copies."""
    import libcst as cst

    for maker in makers:
        arguments = calls(node, maker)
        if arguments and len(arguments) == 1:
            whole = isinstance(arguments[0], (cst.Name, cst.Attribute, cst.Subscript, cst.Call))
            return text(arguments[0]) if whole else f"({text(arguments[0])})"
    return None


def _deep(node: cst.CSTNode) -> cst.BaseExpression | None:
    """Return what is copied with all that is below it, also by a text of it."""
    import libcst as cst

    if not isinstance(node, cst.Call) or len(node.args) != 1 or node.args[0].star:
        return None
    (argument,) = node.args
    for written, read in (("json.dumps", "json.loads"), ("pickle.dumps", "pickle.loads")):
        if flat(node.func) == read and isinstance(argument.value, cst.Call):
            code = argument.value
            values = positional(code) if flat(code.func) == written else None
            return (
                values[0] if values and (len(values) == 1 or read == "pickle.loads") else None
            )
    return argument.value if flat(node.func) in ("copy.deepcopy", "deepcopy") else None


def _shallower(
    program: Program, place: Place, node: cst.CSTNode, source: cst.BaseExpression
) -> Iterator[TreeChange]:
    if walk_down := walked(program, place, node):
        step, copying = walk_down
        yield TreeChange(
            anchor=node,
            replaced={node: f"{grouped(source)}.copy()", step: copying},
            parameters=(("copy", "path"),),
            direction=f"Copy no more of `{text(source)}` than lies on the way to the change",
            effect="a copy for each level, for one that walks over every object",
        )
    forms = {
        "none": text(source),
        "outermost": f"{grouped(source)}.copy()",
        "rows": _rows(program, place, node, source),
    }
    for form in _deep_enough(program, place, node, source):
        yield TreeChange(
            anchor=node,
            replaced={node: forms[form]},
            parameters=(("copy", form),),
            direction=f"Copy no more of `{text(source)}` than is changed",
            effect="a copy of lists in C, or none, for one that walks over every object",
        )


def _rows(program: Program, place: Place, copy: cst.CSTNode, source: cst.BaseExpression) -> str:
    """Return a copy whose rows are copies, too: those of a dictionary are its values."""
    values, row = text(source), program.fresh("row")
    pair = assigned(program.parent[copy])
    called = (flat(source), pair[0] if pair else "")
    if not mapping(program, place, source) and not _keyed(place, called):
        return f"[{row}.copy() for {row} in {values}]"
    key = program.fresh("key")
    return f"{{{key}: {row}.copy() for {key}, {row} in {grouped(source)}.items()}}"


def _keyed(place: Place, called: tuple[str, ...]) -> bool:
    """Whether the keys or values of what is copied are asked for."""
    questions = ("items", "keys", "values", "get")
    asked = {f"{name}.{question}" for name in called for question in questions}
    return any(flat(node.func) in asked for node in place.own if _is_call(node))


def _is_call(node: cst.CSTNode) -> TypeGuard[cst.Call]:
    import libcst as cst

    return isinstance(node, cst.Call)


def _deep_enough(
    program: Program, place: Place, node: cst.CSTNode, source: cst.BaseExpression
) -> tuple[str, ...]:
    """Return the kinds of copy to try, by what is changed in the copy."""
    pair = assigned(program.parent[node])
    if stays_local(program, place, node):
        kept = root(source) not in changed(place.node.body) if place.name else False
        return ("none", "rows") if kept else ("outermost", "rows")
    if pair is None:
        return ("rows", "outermost")
    written = [*targets(place.node), *_called(place)]
    depth = max((_depth(target, pair[0]) for target in written), default=0)
    if depth > 1:
        return ("rows",)
    asked = sum(1 for mention in mentions(place, pair[0]))
    return ("outermost", "rows") if depth == 1 and asked else ("rows", "outermost")


def _called(place: Place) -> Iterator[cst.CSTNode]:
    """Yield what methods change, as if an element of it were assigned to."""
    import libcst as cst

    for node in place.own:
        method = node.func if _is_call(node) else None
        if isinstance(method, cst.Attribute) and method.attr.value not in QUERIES:
            yield cst.parse_expression(f"{grouped(method.value)}[0]")


def _depth(target: cst.CSTNode, name: str) -> int:
    """Return how many levels below a name an assignment writes."""
    import libcst as cst

    found = 0
    for part in walk(target):
        level, here = 0, part
        while isinstance(here, cst.Subscript):
            level, here = level + 1, here.value
        if named(here) == name:
            found = max(found, level)
    return found
