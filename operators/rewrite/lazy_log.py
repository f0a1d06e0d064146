"""A log message that is worked out although nobody logs it -> only where its level is on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import QUERIES
from operators.rewrite.freshness import bindings
from operators.rewrite.handlers import caught, tried
from operators.rewrite.imports import imports
from operators.rewrite.loggers import LEVELS, is_logger
from operators.rewrite.making import called
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import flat, named, names, only, text
from operators.rewrite.rule import Rule
from se_agent.program.changing import CHANGING_FUNCTIONS, CHANGING_METHODS

if TYPE_CHECKING:
    import libcst as cst

_DOING = CHANGING_METHODS | CHANGING_FUNCTIONS | {
    "acquire", "choice", "choices", "close", "commit", "execute", "fetchall", "fetchmany",
    "fetchone", "flush", "gauss", "get_nowait", "getrandbits", "open", "print", "put",
    "randint", "random", "randrange", "read", "readline", "readlines", "recv", "release",
    "sample", "save", "seek", "send", "set", "setattr", "sleep", "step", "uniform", "write",
}  # fmt: skip
"""Functions and methods that change something, whoever defines them."""
_ONCE = frozenset(["enumerate", "filter", "iter", "map", "open", "reversed", "zip"])
_ASKING = frozenset(["getEffectiveLevel", "isEnabledFor", "level"])
_CHEAP = (QUERIES - {"count", "join", "most_common", "replace", "split"}) | {
    "abs", "bool", "callable", "chr", "float", "getattr", "hasattr", "hex", "id", "int",
    "isinstance", "len", "monotonic", "ord", "perf_counter", "repr", "round", "str", "time",
    "type",
}  # fmt: skip


class LazyLog(Rule):
    """Work out a costly log message only where its level is on.

    Valid where the logger comes from `logging.getLogger` and is not set to another, no error
    of the message is handled around, and nothing in it is seen to change anything (checked).
    That what other files define leaves no trace either, and raises nothing, is left to the
    tests. Neighbouring messages of one level share the question. Known as guarded logging.
    """

    name = "lazy_log"
    relies_on = "working out a log message changes nothing and raises nothing"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each group of messages, and one for all of a function."""
        groups = list(_groups(program, place))
        for group in groups:
            yield _change(program, [group])
        if groups[1:]:
            yield _change(program, groups)


class _Message(NamedTuple):
    """A statement that logs, with the level's name and the code of the logger."""

    line: cst.SimpleStatementLine
    logger: str
    level: str
    costly: bool


def _groups(program: Program, place: Place) -> Iterator[list[_Message]]:
    """Yield neighbouring messages of one logger and level, of which some are costly."""
    found: dict[cst.CSTNode, _Message] = {}
    for node in place.own:
        if message := _message(program, place, node):
            found[node] = message
    done = set[object]()
    for line, first in found.items():
        if line in done:
            continue
        group, block = [first], program.block(line)
        for node in block[block.index(line) + 1 :] if line in block else ():
            other = found.get(node)
            if other is None or other[1:3] != first[1:3]:
                break
            group.append(other)
        done |= {each.line for each in group}
        if line in block and any(each.costly for each in group):
            yield group


def _message(program: Program, place: Place, line: cst.CSTNode) -> _Message | None:
    """Return what a statement logs, if nobody misses the message where it is not logged."""
    import libcst as cst

    small = only(line)
    call = small.value if isinstance(small, cst.Expr) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None
    level, logger = LEVELS.get(call.func.attr.value, ""), call.func.value
    plain = call.args and not call.args[0].star and not call.args[0].keyword
    if not level or not plain or not is_logger(program, place, logger):
        return None
    if _is_guarded(program, line) or not all(_is_quiet(program, place, a) for a in call.args):
        return None
    assert isinstance(line, cst.SimpleStatementLine)
    costly = any(_is_costly(node) for arg in call.args for node in walk(arg))
    return _Message(line, flat(logger), level, costly)


def _is_costly(node: cst.CSTNode) -> bool:
    import libcst as cst

    if isinstance(node, cst.BaseComp):
        return True
    return isinstance(node, cst.Call) and called(node) not in _CHEAP


def _is_quiet(program: Program, place: Place, code: cst.CSTNode) -> bool:
    """Whether nothing is seen to change, be used up or be bound where code is worked out."""
    import libcst as cst

    if any(isinstance(node, cst.NamedExpr) for node in walk(code)):
        return False
    given = (value for name, value, below in bindings(place.node)
             if name in names(code) and not below)  # fmt: skip
    once = any(
        isinstance(value, cst.GeneratorExp)
        or (isinstance(value, cst.Call) and called(value) in _ONCE)
        for value in given
    )
    return not once and _leaves_no_trace(program, code, frozenset())


def _leaves_no_trace(program: Program, code: cst.CSTNode, seen: frozenset[str]) -> bool:
    """Whether code and the functions of the file that it asks only compute, as far as seen.

    What other files define is believed, unless its name is known to change something. Functions
    that are handed on, or stand behind a variable, and classes with an `__init__` of their own
    are not.
    """
    import libcst as cst

    every = [node for node in walk(code) if isinstance(node, cst.Call)]
    asked = {called(node) for node in every}
    given = {named(arg.value) for node in every for arg in node.args}
    behind = {named(node.func) for node in every} - program.definitions.keys() - {""}
    variables = {name for name in behind if _is_variable(program, name)}
    classes = (n for name in sorted(asked) for n in program.definitions.get(name, ()))
    made = any(isinstance(n, cst.ClassDef) and "def __init__" in text(n) for n in classes)
    if made or variables or given & program.functions.keys():
        return False
    told = {n.attr.value for n in walk(code) if isinstance(n, cst.Attribute)} | asked
    own = (told & program.functions.keys()) - seen
    return computes(program, code, frozenset(asked - _DOING)) and all(
        not function.asynchronous and _leaves_no_trace(program, function.body, seen | own)
        for name in sorted(own)
        for function in program.functions[name]
    )


def _is_variable(program: Program, name: str) -> bool:
    """Whether a name of a function is set by a line, and by no import."""
    told = any(each.name == name for each in imports(program))
    return not told and any(
        each == name and value is not None for each, value, _ in bindings(program.module)
    )


def _is_guarded(program: Program, line: cst.CSTNode) -> bool:
    """Whether a level is asked for already, or an error of a message is handled in sight."""
    import libcst as cst

    for node in program.above(line):
        if isinstance(node, (cst.Try, cst.TryStar)) and node.handlers:
            return True
        if isinstance(node, (cst.If, cst.While)):
            asked = (n.attr.value for n in walk(node.test) if isinstance(n, cst.Attribute))
            if not _ASKING.isdisjoint(asked):
                return True
    return tried(program, line) or caught(program, line)


def _change(program: Program, groups: Sequence[Sequence[_Message]]) -> TreeChange:
    """Return the change that puts each group below one question."""
    import libcst as cst

    replaced: dict[cst.CSTNode, str | cst.CSTNode] = {}
    needed: dict[str, None] = {}
    for group in groups:
        first = group[0]
        level, lines = imported(program, "logging", first.level)
        needed |= dict.fromkeys(lines)
        top = first.line.with_changes(leading_lines=())
        replaced |= dict.fromkeys((each.line for each in group[1:]), "")
        replaced[first.line] = cst.If(
            test=cst.parse_expression(f"{first.logger}.isEnabledFor({level})"),
            body=cst.IndentedBlock([top, *(each.line for each in group[1:])]),
            leading_lines=first.line.leading_lines,
        )
    return TreeChange(
        anchor=groups[0][0].line,
        replaced=replaced,
        imports=tuple(needed),
        parameters=(("messages", "all"),) if groups[1:] else (),
        direction="Work out a log message only where its level is on",
        effect="no work for messages that are thrown away",
    )
