"""Regular expressions that the program itself spells out: how they are built.

Not here: where they are compiled and asked (the rules).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from importlib import import_module
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

from operators.rewrite.imports import Import, imports, is_bound_once
from operators.rewrite.owners import defined_in, first_parameter, set_attributes
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    flat,
    named,
    only,
    positional,
    target_names,
    targets,
    text,
)

if TYPE_CHECKING:
    import libcst as cst

_FLAGS = {
    f"re.{name}": flag
    for name, flag in re.RegexFlag.__members__.items()
    if name not in ("DEBUG", "LOCALE", "L", "NOFLAG")
}


_ARGUMENTS = {
    "compile": 1, "findall": 2, "finditer": 2, "fullmatch": 2, "match": 2, "search": 2,
    "split": 3, "sub": 4, "subn": 4,
}  # fmt: skip
"""How many positional arguments each function takes before its flags."""
MATCHING = frozenset(["fullmatch", "match", "search"])
"""Methods that find one match, or none."""
_BEFORE = frozenset(["AT_BEGINNING", "AT_BEGINNING_STRING", "AT_BOUNDARY", "AT_NON_BOUNDARY"])
_ONE = frozenset(["ANY", "IN", "LITERAL", "NOT_LITERAL"])
_WHOLE = frozenset(
    ["ATOMIC_GROUP", "BRANCH", "MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT", "SUBPATTERN"]
)


class AskedPattern(NamedTuple):
    """How the module `re` is asked.

    Attributes:
        node: The call.
        pattern: The pattern that it is given.
        given: The pattern, and the flags where there are some.
        compiled: Code that compiles the pattern, with its flags.
        asked: Code that asks the compiled pattern the same; empty where it is only compiled.
    """

    node: cst.CSTNode
    pattern: cst.BaseExpression
    given: tuple[cst.BaseExpression, ...]
    compiled: str
    asked: str


class Pattern(NamedTuple):
    """A regular expression as the library parses it.

    Attributes:
        parts: Pairs of an operation's name and its arguments.
        narrowest: The fewest characters that a match can have.
        widest: The most.
        flags: Its flags.
    """

    parts: tuple[tuple[str, Any], ...]  # as many shapes as operations
    narrowest: int
    widest: int
    flags: int


def pattern(
    program: Program, node: cst.CSTNode, inside: cst.CSTNode | None = None
) -> Pattern | None:
    """Return the pattern that `re.compile(...)`, or a name set to it once, stands for.

    Args:
        program: The program.
        node: Code that stands for a compiled pattern.
        inside: The method that it is in, if constants of its class count, too.
    """
    import libcst as cst

    if isinstance(node, cst.Attribute) and inside is not None:
        given = _of_class(program, node, inside)
        return pattern(program, given) if given else None
    if isinstance(node, cst.Name):
        given = constant(program, node.value)
        return pattern(program, given) if given and not isinstance(given, cst.Name) else None
    if not isinstance(node, cst.Call) or flat(node.func) != "re.compile":
        return None
    if not 1 <= len(node.args) <= 2 or any(arg.keyword or arg.star for arg in node.args):
        return None
    flags = [_FLAGS.get(part) for arg in node.args[1:] for part in flat(arg.value).split("|")]
    code = spelled(program, node.args[0].value)
    if code is None or None in flags:
        return None
    return _parsed(code, reduce(or_, (flag for flag in flags if flag), 0))


def patterns(program: Program, node: cst.CSTNode, inside: cst.CSTNode) -> list[Pattern]:
    """Return all patterns that code may stand for; none where one of them is not known.

    Args:
        program: The program.
        node: Code as `pattern` takes it, or a name that goes over a constant table of it, or a
            parameter that all calls give.
        inside: The method that it is in.
    """
    import libcst as cst

    if (one := pattern(program, node, inside)) is not None:
        return [one]
    name = named(node)
    if not name or not isinstance(inside, cst.FunctionDef):
        return []
    given = _gone_over(program, name, inside) or _handed(program, name, inside)
    found = [pattern(program, value, where) for value, where in given]
    return [each for each in found if each] if None not in found else []


_Given = list[tuple["cst.CSTNode", "cst.FunctionDef"]]


def _gone_over(program: Program, name: str, inside: cst.FunctionDef) -> _Given:
    """Return what a loop gives to a name, if its table is a constant with all rows in sight."""
    import libcst as cst

    loops = [n for n in walk(inside) if isinstance(n, cst.For)
             and name in target_names(n.target)]  # fmt: skip
    times = sum(name == each for t in targets(inside) for each in target_names(t))
    if len(loops) != 1 or times != 1:
        return []
    over, target = loops[0].iter, loops[0].target
    table: cst.CSTNode | None = over
    if isinstance(over, cst.Name):
        table = constant(program, over.value)
    elif isinstance(over, cst.Attribute):
        table = _of_class(program, over, inside)
    if not isinstance(table, (cst.List, cst.Tuple)) or _may_grow(program, over):
        return []
    rows = [element.value for element in table.elements]
    if isinstance(target, cst.Name):
        return [(row, inside) for row in rows]
    columns = [named(each.value) for each in getattr(target, "elements", ())]
    full = [row.elements for row in rows if isinstance(row, cst.Tuple)]
    if name not in columns or [len(row) for row in full] != [len(columns)] * len(rows):
        return []
    return [(row[columns.index(name)].value, inside) for row in full]


def _may_grow(program: Program, table: cst.CSTNode) -> bool:
    """Whether the file does more with a table than to set it and go over it."""
    import libcst as cst

    name = table.attr.value if isinstance(table, cst.Attribute) else named(table)
    for mention in (n for n in program.nodes if name and named(n) == name):
        node, above = mention, program.parent[mention]
        if isinstance(above, cst.Attribute):
            node, above = above, program.parent[above]
        over = isinstance(above, (cst.CompFor, cst.For)) and above.iter is node
        if not over and getattr(above, "target", None) is not node:
            return True
    return False


def _handed(program: Program, name: str, inside: cst.FunctionDef) -> _Given:
    """Return what is given for a parameter, if every mention of the function is a call."""
    import libcst as cst

    params, around = [p.name.value for p in inside.params.params], defined_in(program, inside)
    if name not in params or name in bound(inside.body) or inside.name.value[:1] != "_":
        return []  # another file may call it with what is not seen here
    at = params.index(name) - isinstance(around, cst.ClassDef)
    given: _Given = []
    for node in program.nodes:
        if named(node) != inside.name.value or node is inside.name:
            continue
        part = program.parent[node]
        call = program.parent[part] if isinstance(part, cst.Attribute) else part
        values = positional(call) if isinstance(call, cst.Call) else None
        caller = next((n for n in program.above(node) if isinstance(n, cst.FunctionDef)), None)
        mine = isinstance(part, cst.Attribute) == isinstance(around, cst.ClassDef)
        of_class = isinstance(part, cst.Attribute) and named(part.value) in program.definitions
        if not values or len(values) <= at or caller is None or not mine or of_class:
            return []
        given.append((values[at], caller))
    return given


def constant(program: Program, name: str) -> cst.BaseExpression | None:
    """Return what a name of the module is set to, if that is once and for all."""
    given = [p[1] for n in program.module.body if (p := assigned(only(n))) and p[0] == name]
    return given[0] if len(given) == 1 and is_bound_once(program, name) else None


def _of_class(
    program: Program, node: cst.Attribute, inside: cst.CSTNode
) -> cst.BaseExpression | None:
    """Return what a class around a method sets a constant to, if nobody sets it later."""
    import libcst as cst

    around, name = defined_in(program, inside), node.attr.value
    if not isinstance(around, cst.ClassDef):
        return None
    mine = named(node.value) in (first_parameter(inside), around.name.value)
    pairs = (assigned(only(line)) for line in around.body.body)
    given = [pair[1] for pair in pairs if pair is not None and pair[0] == name]
    later = any(each.attr.value == name for each in set_attributes(program.module))
    once = (
        len(given) == 1
        and sum(name == n for t in targets(around) for n in target_names(t)) == 1
    )
    return given[0] if mine and once and not later else None


def spelled(program: Program, node: cst.CSTNode) -> str | bytes | None:
    """Return the text that code spells out: literals, sums of them, names of such constants."""
    import libcst as cst

    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        return node.evaluated_value
    if isinstance(node, cst.Name):
        given = constant(program, node.value)
        return spelled(program, given) if given and not isinstance(given, cst.Name) else None
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        left, right = spelled(program, node.left), spelled(program, node.right)
        if isinstance(left, str) and isinstance(right, str):
            return left + right
    return None


def imports_re(program: Program) -> bool:
    """Whether the program has the module `re` by this name, and nothing else."""
    return Import("re", "re") in imports(program) and is_bound_once(program, "re")


def compiled(node: cst.CSTNode) -> AskedPattern | None:
    """Return how a pattern is asked in `re.match(pattern, ...)` and its like, else None."""
    import libcst as cst

    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    function = node.func.attr.value
    if named(node.func.value) != "re" or function not in _ARGUMENTS or not node.args:
        return None
    first, *rest = node.args
    if first.star or first.keyword or any(arg.star for arg in rest):
        return None
    flags = [arg for arg in rest if named(arg.keyword) == "flags"]
    plain = [arg for arg in rest if not arg.keyword]
    if len(plain) >= _ARGUMENTS[function]:
        flags = plain[_ARGUMENTS[function] - 1 :]
    given = (first.value, *(arg.value for arg in flags))
    compiled = f"re.compile({', '.join(map(text, given))})"
    if function == "compile":
        return AskedPattern(node, first.value, given, compiled, "")
    left = ", ".join(text(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for arg in rest
                     if arg not in flags)  # fmt: skip
    return AskedPattern(node, first.value, given, compiled, f".{function}({left})")


def is_text_above(program: Program, name: str, node: cst.CSTNode) -> bool:
    """Whether a name is a text of the module, set once and above the function around a node."""
    given = constant(program, name)
    return (
        given is not None
        and spelled(program, given) is not None
        and is_above(program, name, node)
    )


def is_above(program: Program, name: str, node: cst.CSTNode) -> bool:
    """Whether a name of the module is set above the statement of the module around a node."""
    top = [node, *program.above(node)][-2]
    for line in program.module.body:
        pair = assigned(only(line))
        if line is top or (pair and pair[0] == name):
            return line is not top
    return False


@lru_cache(maxsize=64)
def _parsed(code: str | bytes, flags: int) -> Pattern | None:
    parser: Any = import_module("re._parser")  # there is no public one
    try:
        tree = parser.parse(code, flags)
    except (re.error, OverflowError, RecursionError):
        return None
    narrowest, widest = map(int, tree.getwidth())
    return Pattern(tuple(_plain(tree)), narrowest, widest, tree.state.flags)


def _plain(tree: Any) -> Iterator[tuple[str, Any]]:
    yield from ((str(operation), argument) for operation, argument in tree)


def operations(found: Pattern) -> frozenset[str]:
    """Return the names of all operations of a pattern, at any depth."""
    return frozenset(_operations(found.parts))


def _operations(part: Any) -> Iterator[str]:
    """Yield what stands in a part of a parsed pattern: nested pairs, lists and sequences."""
    if isinstance(part, tuple | list) or type(part).__name__ == "SubPattern":
        for each in part:
            yield from _operations(each)
    elif type(part).__name__ == "_NamedIntConstant" or isinstance(part, str):
        yield str(part)


def _looks_back(parts: Iterable[tuple[Any, Any]], *, begun: bool) -> bool:
    for kind, argument in parts:
        inner = list(_inner(argument))
        behind = str(kind).startswith("ASSERT") and argument[0] < 0
        if behind or (not begun and str(argument) in _BEFORE):
            return True
        if any(_looks_back(each, begun=begun) for each in inner):
            return True
        least = min((each.getwidth()[0] for each in inner), default=0)
        if "REPEAT" in str(kind):
            least = least if argument[0] else 0
        begun = begun or str(kind) in _ONE or (least > 0 and str(kind) in _WHOLE)
    return False


def _inner(argument: Any) -> Iterator[Any]:
    """Yield the patterns that an operation of a parsed one holds."""
    if type(argument).__name__ == "SubPattern":
        yield argument
    elif isinstance(argument, tuple | list):
        for each in argument:
            yield from _inner(each)
