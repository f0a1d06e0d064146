"""Questions about nodes: what is written here, what is called, which names are bound.

Answers are syntactic. Not here: how a program is laid out (`program`), what code may change
(`effects`).
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import lru_cache
from tokenize import (
    COMMENT,
    DEDENT,
    ENDMARKER,
    INDENT,
    NEWLINE,
    NL,
    OP,
    TokenInfo,
    generate_tokens,
)
from typing import TYPE_CHECKING, cast

from operators.rewrite.program import walk

if TYPE_CHECKING:
    import libcst as cst


_LAYOUT = {COMMENT, DEDENT, ENDMARKER, INDENT, NEWLINE, NL}
_STEPS = dict.fromkeys("([{", 1) | dict.fromkeys(")]}", -1)


def text(node: cst.CSTNode) -> str:
    """Return the code of a node; an expression stands on one line, but for its own brackets.

    So it can stand anywhere, whatever brackets were around it.
    """
    import libcst as cst

    code = cst.Module([]).code_for_node(node).strip()
    held = isinstance(node, (cst.BaseStatement, cst.BaseSuite)) or getattr(node, "lpar", None)
    return code if held or "\n" not in code else _joined(code)


def _joined(code: str) -> str:
    """Return an expression without the line ends, and comments there, outside its brackets."""
    rows, tokens = _lexed(code)
    ends: dict[int, int] = {}  # where a row ends that the next one is joined to
    depth = 0
    for token in tokens:
        if token.type == OP:
            depth += _STEPS.get(token.string, 0)
        elif depth == 1 and token.type in (COMMENT, NL):
            row, column = token.start
            ends.setdefault(row - 1, column)
    parts = [
        row[: ends[number]].rstrip() + " " if number in ends else row
        for number, row in enumerate(rows)
    ]
    found = "".join(
        part.lstrip() if number - 1 in ends else part for number, part in enumerate(parts)
    )
    return found[1:-1].strip()


def grouped(node: cst.BaseExpression) -> str:
    """Return the code of an expression, in parentheses where it is no single term."""
    import libcst as cst

    atom = isinstance(node, (cst.Name, cst.Integer, cst.Subscript, cst.Attribute, cst.Call))
    return text(node) if atom or node.lpar else f"({text(node)})"


def named(node: cst.CSTNode | None) -> str:
    """Return the name that the node is, or nothing."""
    import libcst as cst

    return node.value if type(node) is cst.Name else ""


def positional(call: cst.Call) -> list[cst.BaseExpression] | None:
    """Return the arguments of a call that has only plain positional ones, else None."""
    if any(arg.keyword or arg.star for arg in call.args):
        return None
    return [arg.value for arg in call.args]


def calls(node: cst.CSTNode | None, function: str) -> list[cst.BaseExpression] | None:
    """Return the arguments if the node is a plain call of the named function, else None."""
    import libcst as cst

    if type(node) is cst.Call and named(node.func) == function:
        return positional(node)
    return None


def method(
    node: cst.CSTNode | None, name: str
) -> tuple[cst.BaseExpression, list[cst.BaseExpression]] | None:
    """Return receiver and arguments if the node is a plain call of the method, else None."""
    import libcst as cst

    if type(node) is not cst.Call or type(node.func) is not cst.Attribute:
        return None
    arguments = positional(node)
    if node.func.attr.value != name or arguments is None:
        return None
    return node.func.value, arguments


def integer(node: cst.CSTNode | None) -> int | None:
    """Return the value of a plain integer literal, else None."""
    import libcst as cst

    return int(node.value, 0) if type(node) is cst.Integer else None


def only(statement: cst.CSTNode) -> cst.BaseSmallStatement | None:
    """Return the small statement of a line that holds just one, else None."""
    import libcst as cst

    if type(statement) is cst.SimpleStatementLine and len(statement.body) == 1:
        return statement.body[0]
    return None


def lines(body: cst.BaseSuite) -> tuple[cst.CSTNode, ...]:
    """Return the statements of an indented block; nothing for one on the same line."""
    import libcst as cst

    return tuple(body.body) if isinstance(body, cst.IndentedBlock) else ()


def body_of(function: cst.FunctionDef) -> list[cst.CSTNode]:
    """Return the statements of a function, without what only documents it."""
    import libcst as cst

    return [
        line
        for line in lines(function.body)
        if not isinstance(small := only(line), cst.Expr)
        or not isinstance(small.value, cst.BaseString)
    ]


def assigned(node: cst.CSTNode | None) -> tuple[str, cst.BaseExpression] | None:
    """Return name and value if the node is `name = value` or `name: type = value`."""
    import libcst as cst

    if type(node) is cst.Assign and len(node.targets) == 1:
        name = named(node.targets[0].target)
        return (name, node.value) if name else None
    if type(node) is cst.AnnAssign and node.value and named(node.target):
        return named(node.target), node.value
    return None


@lru_cache(maxsize=1024)
def names(node: cst.CSTNode) -> frozenset[str]:
    """Return every variable that an expression mentions; attributes are not variables."""
    return frozenset(found.value for found in variables(node))


@lru_cache(maxsize=1024)
def variables(node: cst.CSTNode) -> tuple[cst.Name, ...]:
    """Return each place where code mentions a variable; attributes are not variables."""
    import libcst as cst

    skipped: set[cst.CSTNode] = set()
    mentioned: list[cst.Name] = []
    for found in walk(node):
        if isinstance(found, cst.Attribute):
            skipped.add(found.attr)
        elif isinstance(found, cst.Arg) and found.keyword:
            skipped.add(found.keyword)
        elif isinstance(found, cst.Name) and found not in skipped:
            mentioned.append(found)
    return tuple(mentioned)


@lru_cache(maxsize=1024)
def bound(node: cst.CSTNode) -> frozenset[str]:
    """Return every name that the code below may bind anew."""
    return frozenset(name for target in targets(node) for name in target_names(target))


@lru_cache(maxsize=1024)
def targets(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """Return what the code below assigns to: names, subscripts, attributes, tuples of them."""
    fields = _target_fields()
    return tuple(
        target
        for found in walk(node)
        if (field := fields.get(type(found)))
        and (target := getattr(found, field))
        and not getattr(found, "asname", None)
    )


@lru_cache(maxsize=1)
def _target_fields() -> dict[type, str]:
    """Return the field of each type of node that holds what it binds.

    By type: asked of every node, and `isinstance` of an abstract class is slow.
    """
    import libcst as cst

    assigning = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.Del)
    naming = (cst.AsName, cst.FunctionDef, cst.ClassDef, cst.Param, cst.ImportAlias)
    return {
        **dict.fromkeys((*assigning, cst.For, cst.CompFor), "target"),
        **dict.fromkeys((*naming, cst.MatchAs, cst.MatchStar), "name"),
        cst.MatchMapping: "rest",
    }


def written(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the names, subscripts and attributes of a target; what an index reads is none."""
    import libcst as cst

    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from written(element.value)
    elif isinstance(target, cst.StarredElement):
        yield from written(target.value)
    else:
        yield target


def target_names(target: cst.CSTNode) -> Iterator[str]:
    """Yield the names that an assignment target binds; a subscript binds none."""
    import libcst as cst

    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from target_names(element.value)
    elif isinstance(target, cst.StarredElement):
        yield from target_names(target.value)


def root(node: cst.CSTNode) -> str:
    """Return the variable that an expression such as `a[i].b` starts from, or nothing."""
    import libcst as cst

    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return named(node)


def spoken(node: cst.CSTNode) -> str:
    """Return the word for an expression: `names` for `self._names[i]`; or nothing."""
    import libcst as cst

    while isinstance(node, cst.Subscript):
        node = node.value
    word = named(node.attr) if isinstance(node, cst.Attribute) else named(node)
    return word.strip("_")


def field_word(node: cst.BaseExpression) -> str:
    """Return the word for a part of an element: `size` for `x.size` and `x["size"]`."""
    import libcst as cst

    pair = index(node)
    if pair and isinstance(pair[1], cst.SimpleString):
        word = str(pair[1].evaluated_value)
        return word if word.isidentifier() else ""
    return spoken(node) if isinstance(node, cst.Attribute) else ""


def same(first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether two nodes are the same code, layout aside."""
    return first is second or first.deep_equals(second) or _tokens(first) == _tokens(second)


def flat(node: cst.CSTNode) -> str:
    """Return code without blanks but in texts, to compare it with other code."""
    return "".join(string for _, string in _tokens(node))


@lru_cache(maxsize=1024)
def _tokens(node: cst.CSTNode) -> tuple[tuple[int, str], ...]:
    """Return code without blanks and comments: types and strings.

    By type, because what stands between two fields of an f-string may be a blank, or a brace
    that begins no field.
    """
    _, found = _lexed(text(node))
    told = [(token.type, token.string) for token in found if token.type not in _LAYOUT]
    return tuple(told[1:-1])


def _lexed(code: str) -> tuple[list[str], Iterator[TokenInfo]]:
    """Return the rows and tokens of code in brackets: no line end in it ends a statement."""
    # Not `splitlines`, which ends a line at a form feed, and within texts that hold others.
    rows = io.StringIO(f"({code}\n)").readlines()
    return rows, generate_tokens(iter(rows).__next__)


def conjuncts(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Yield the parts of a test that are joined by `and`."""
    import libcst as cst

    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        yield from conjuncts(test.left)
        yield from conjuncts(test.right)
    else:
        yield test


def compared(
    node: cst.CSTNode, *operators: str
) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """Return both sides if the node compares two values by one of the named operators.

    Args:
        node: Any node.
        operators: Names of node types, such as `Equal`, `In`, `LessThan`.
    """
    import libcst as cst

    if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
        return None
    (target,) = node.comparisons
    if type(target.operator).__name__ not in operators:
        return None
    return node.left, target.comparator


def index(node: cst.CSTNode) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """Return value and index of `value[index]`, else None."""
    import libcst as cst

    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return None
    found = node.slice[0].slice
    return (
        (node.value, found.value) if isinstance(found, cst.Index) and not found.star else None
    )


def has_fixed_index(node: cst.CSTNode) -> bool:
    """Whether a node is `value["size"]`, or `value[0]`."""
    import libcst as cst

    pair = index(node)
    return pair is not None and isinstance(pair[1], (cst.SimpleString, cst.Integer))


def comp_for(node: cst.CSTNode) -> cst.CompFor:
    """Return the first `for` of a comprehension of any kind."""
    return cast("cst.CompFor", node.for_in)  # type: ignore[attr-defined]  # all four have it
