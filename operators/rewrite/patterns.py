"""Regular expressions that the program itself spells out: how they are built.

Not here: where they are compiled and asked (the rules).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from importlib import import_module
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

from operators.rewrite.imports import Import, imports
from operators.rewrite.owners import defined_in, first_parameter, set_attributes
from operators.rewrite.program import Program
from operators.rewrite.reading import assigned, flat, named, only, target_names, targets, text

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
        compiled: Code that compiles the pattern, with its flags.
        asked: Code that asks the compiled pattern the same; empty where it is only compiled.
    """

    node: cst.CSTNode
    pattern: cst.BaseExpression
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


def constant(program: Program, name: str) -> cst.BaseExpression | None:
    """Return what a name of the module is set to, if that is once and for all."""
    given = [p[1] for n in program.module.body if (p := assigned(only(n))) and p[0] == name]
    return given[0] if len(given) == 1 and _times_bound(program)[name] == 1 else None


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


@lru_cache(maxsize=128)
def _times_bound(program: Program) -> Counter[str]:
    """Return how often each name is bound anywhere; who says `global` may bind it, too."""
    import libcst as cst

    found = Counter(name for t in targets(program.module) for name in target_names(t))
    outer = (node for node in program.nodes if isinstance(node, cst.NameItem))
    found.update(named(node.name) for node in outer)
    return found


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
    """Whether the program has the module `re` by this name."""
    return Import("re", "re") in imports(program)


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
    given = "".join(f", {text(arg.value)}" for arg in flags)
    if function == "compile":
        return AskedPattern(node, first.value, f"re.compile({text(first.value)}{given})", "")
    left = ", ".join(text(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for arg in rest
                     if arg not in flags)  # fmt: skip
    compiled = f"re.compile({text(first.value)}{given})"
    return AskedPattern(node, first.value, compiled, f".{function}({left})")


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


def looks_back(found: Pattern) -> bool:
    """Whether it matters to a pattern what stands before the place where a match begins."""
    return _looks_back(found.parts, begun=False)


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
