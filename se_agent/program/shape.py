"""What a Python program does, in words that its syntax shows. Pure.

Unlike `features`, which counts, these words say how parts of a program belong together: an
entry that is made from others, a list that is worked off. Not here: what follows from them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from se_agent.program.normal_form import parse

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_ARITHMETIC = (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_TEXT_METHODS = frozenset(
    {
        *("split", "join", "strip", "lstrip", "rstrip", "lower", "upper", "title", "zfill"),
        *("isalpha", "isdigit", "isalnum", "isspace", "islower", "startswith", "endswith"),
        *("replace", "format", "translate", "encode", "decode", "find", "splitlines"),
    }
)
_READS = frozenset({"input", "open", "readline", "readlines", "stdin"})
_WRITES = frozenset({"print", "write", "writerow", "writelines", "stdout"})
_WORK = frozenset({"popleft", "heappop", "heappush", "deque", "PriorityQueue"})
_WORDS = {
    "graph words": "graph adj edge node neighbour neighbor visit seen tree child parent root "
    "dist road town vertex vertices frontier component path cycle union",
    "table words": "dp memo best ways table cost cache least longest capacity",
    "text words": "text word char ch string token line pattern letter sentence source tag",
    "number words": "prime divisor modulus exponent factor matrix mean steps gcd digit sample",
    "array words": "values numbers items nums window prices levels votes array",
}
_SPLIT = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_FEW = 3  # arithmetic operations that make a program one that calculates


@lru_cache(maxsize=64)
def shape(text: str) -> tuple[str, ...]:
    """Return the words that hold for a program, in a fixed order; none for other languages."""
    tree = parse(text)
    if tree is None:
        return ()
    found, arithmetic = set[str](), 0
    nodes = [*ast.walk(tree)]
    for node in nodes:
        found.update(_of(node))
        arithmetic += isinstance(node, ast.BinOp) and _calculates(node)
        arithmetic += isinstance(node, ast.AugAssign) and isinstance(node.op, _ARITHMETIC)
    if arithmetic:
        found.add("arithmetic" if arithmetic < _FEW else "much arithmetic")
    found.update(_named(nodes))
    if any(isinstance(n, _LOOPS) for n in tree.body):
        found.add("loop of the module")
    return tuple(sorted(found))


def _of(node: ast.AST) -> Iterator[str]:
    """Yield the words that one node shows."""
    if isinstance(node, _LOOPS):
        yield from _of_loop(node)
    elif isinstance(node, _COMPREHENSIONS):
        yield from _of_iterables(each.iter for each in node.generators)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.Assign):
        yield from _of_assignment(node)
    elif isinstance(node, ast.AugAssign):
        if isinstance(node.op, ast.Add) and _is_text(node.value):
            yield "text that grows"
    elif isinstance(node, ast.FunctionDef):
        yield from _of_function(node)
    elif isinstance(node, ast.Subscript):
        if isinstance(node.value, ast.Subscript) or isinstance(node.slice, ast.Tuple):
            yield "index of two dimensions"
        if isinstance(node.slice, ast.Slice):
            yield "slice"
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, float):
            yield "float"
    elif isinstance(node, ast.Compare):
        yield from _of_comparison(node)
    elif isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Add) and (_is_text(node.left) or _is_text(node.right)):
            yield "text that grows"
    elif isinstance(node, ast.JoinedStr):
        yield "text that is made"
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from _of_import(node)


def _of_loop(node: ast.For | ast.AsyncFor | ast.While) -> Iterator[str]:
    if isinstance(node, ast.While):
        if isinstance(node.test, ast.Name | ast.BoolOp) and _takes_from(node):
            yield "work list"
        return
    yield from _of_iterables([node.iter])
    if isinstance(node.target, ast.Tuple) and len(node.target.elts) == 3:
        yield "triples"


def _of_iterables(iterables: Iterator[ast.expr] | list[ast.expr]) -> Iterator[str]:
    for each in iterables:
        if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Name):
            yield "loop over an entry"  # as neighbours[node]
        elif isinstance(each, ast.Call) and _called(each) == "get":
            yield "loop over an entry"
        elif isinstance(each, ast.Name):
            yield "loop over a name"
        elif isinstance(each, ast.Attribute) and each.attr == "stdin":
            yield "reads"
        elif isinstance(each, ast.Call) and _called(each) == "range":
            yield "loop over indices" if _has_len(each) else "loop over numbers"


def _of_call(node: ast.Call) -> Iterator[str]:
    name = _called(node)
    if name in _TEXT_METHODS and isinstance(node.func, ast.Attribute):
        yield "text methods"
    if name == "str":
        yield "text that is made"
    if name in {"ord", "chr"}:
        yield "characters"
    if name in _WORK:
        yield "queue"
    if name in _READS or (name == "read" and isinstance(node.func, ast.Attribute)):
        yield "reads"
    if name in _WRITES:
        yield "writes"
    if name in {"sqrt", "isqrt", "pow", "zeros", "exp", "log", "sin", "cos"}:
        yield "mathematics"
    if name in {"sum", "max", "min", "sorted", "sort", "any", "all"}:
        yield "aggregate"


def _of_assignment(node: ast.Assign) -> Iterator[str]:
    made = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    if any(map(_is_text, made)):
        yield "text that is made"
    table = node.value
    if isinstance(table, ast.BinOp) and isinstance(table.op, ast.Add):
        table = table.left if isinstance(table.left, ast.BinOp) else table.right
    if isinstance(table, ast.BinOp) and isinstance(table.left, ast.List):
        yield "table that is made"
    if isinstance(table, ast.ListComp) and isinstance(table.elt, ast.BinOp | ast.List):
        if isinstance(table.elt, ast.BinOp) and isinstance(table.elt.left, ast.List):
            yield "table of two dimensions"
        elif isinstance(table.elt, ast.List) and not table.elt.elts:
            yield "lists by index"
    for target in node.targets:
        if isinstance(target, ast.Subscript) and _uses_other_entries(target, node.value):
            yield "entry from entries"


def _of_function(node: ast.FunctionDef) -> Iterator[str]:
    marks = {_last(mark) for mark in node.decorator_list}
    if marks & {"cache", "lru_cache"}:
        yield "memoised"
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and _called(call) == node.name:
            smaller = any(
                isinstance(arg, ast.BinOp) and isinstance(arg.op, ast.Sub) for arg in call.args
            )
            yield "recursion on a smaller number" if smaller else "recursion on a part"


def _of_comparison(node: ast.Compare) -> Iterator[str]:
    if isinstance(node.ops[0], ast.NotIn):
        yield "marks"
    sides = [node.left, *node.comparators]
    if any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides):
        yield "text that is compared"
    if any(isinstance(s, ast.BinOp) and isinstance(s.op, ast.Mod) for s in sides):
        yield "remainder that is tested"


def _of_import(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    names = [alias.name for alias in node.names]
    modules = names if isinstance(node, ast.Import) else [node.module or ""]
    for module in modules:
        if module in {"math", "cmath", "numpy", "fractions"}:
            yield "mathematics"
        elif module in {"re", "string", "textwrap"}:
            yield "text methods"
        elif module in {"csv", "json", "struct"}:
            yield "records"


def _takes_from(loop: ast.While) -> bool:
    names = {n.id for n in ast.walk(loop.test) if isinstance(n, ast.Name)}
    taken = (node for node in ast.walk(loop) if isinstance(node, ast.Call))
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr in {"pop", "popleft", "remove"}
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id in names
        for call in taken
    )


def _uses_other_entries(target: ast.Subscript, value: ast.expr) -> bool:
    table, place = _base(target), ast.dump(target.slice)
    return bool(table) and any(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and _base(node) == table
        and ast.dump(node.slice) != place
        for node in ast.walk(value)
    )


def _base(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return _last(node)


def _last(node: ast.expr) -> str:
    """Return the last name of an expression such as `functools.cache(...)`."""
    if isinstance(node, ast.Call):
        return _last(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _called(call: ast.Call) -> str:
    return _last(call.func)


def _calculates(node: ast.BinOp) -> bool:
    """Say whether an operation is arithmetic, and neither makes a table nor a text."""
    if not isinstance(node.op, _ARITHMETIC):
        return False
    return not isinstance(node.left, ast.List | ast.JoinedStr) and not _is_text(node.left)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _has_len(call: ast.Call) -> bool:
    return any(isinstance(n, ast.Call) and _called(n) == "len" for n in ast.walk(call))


def _named(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield which kinds of names a program uses: twice at least, or in two forms."""
    words: dict[str, int] = {}
    for node in nodes:
        for name in _names_of(node):
            for part in _SPLIT.findall(name):
                word = part.lower()
                words[word] = words.get(word, 0) + 1
    for kind, known in _WORDS.items():
        stems = known.split()
        if sum(n for word, n in words.items() if {word, word.removesuffix("s")} & {*stems}) > 1:
            yield kind


def _names_of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Attribute):
        yield node.attr
