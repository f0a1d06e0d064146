"""A function of a program whose body may give way to a library function.

Not here: what it is replaced by (`body`).
"""

from __future__ import annotations

import ast
import builtins
import symtable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile
from types import CodeType

from operators.known_functions.present import bound_names
from se_agent.program.features import evolve_lines, node_hash
from se_agent.program.parsing import tree_of

_ACTS = frozenset({"print", "input", "open", "exec", "eval", "exit", "quit"})
_WORK = (
    ast.For,
    ast.While,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Lambda,
)
_QUICK = frozenset({"abs", "bool", "float", "int", "isinstance", "len", "list", "set", "type"})
_ASKING = (
    ast.Attribute,
    ast.BinOp,
    ast.BoolOp,
    ast.Constant,
    ast.Dict,
    ast.List,
    ast.Name,
    ast.Set,
    ast.Slice,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
)
"""Nodes of an expression that asks for no more than a few values."""
_STRANGE = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)
_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_CONSTANTS = 12
_LETTERS = 40  # of a text that may be a constant


@dataclass(frozen=True, eq=False)
class Site:
    """A function that stands alone under its name.

    Attributes:
        name: Qualified name, such as `solve.go`.
        node: Its definition.
        top: The statement at module level that it is in, perhaps itself.
    """

    name: str
    node: ast.FunctionDef
    top: ast.stmt

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of its parameters, in order."""
        given = self.node.args
        return tuple(each.arg for each in (*given.posonlyargs, *given.args))

    @property
    def summary(self) -> str:
        """First line of its docstring."""
        return (ast.get_docstring(self.node) or "").partition("\n")[0]

    @property
    def address(self) -> str:
        """Hash of its code."""
        return node_hash(ast.unparse(self.node))

    @property
    def body(self) -> list[ast.stmt]:
        """Its statements without the docstring."""
        documented = ast.get_docstring(self.node, clean=False) is not None
        return self.node.body[1:] if documented else self.node.body

    @property
    def work(self) -> list[ast.stmt]:
        """Its statements without the plain questions that it begins with.

        What these refuse, or answer at once, was perhaps never seen: it stays as it is.
        """
        asked = takewhile(_is_question, pairwise(self.body))
        return self.body[sum(1 for _ in asked) :]

    @property
    def suits(self) -> bool:
        """Whether it only computes, from plain parameters, and does so by some work."""
        given = self.node.args
        if given.vararg or given.kwarg or given.kwonlyargs or not self.body:
            return False
        nodes = [part for statement in self.body for part in ast.walk(statement)]
        calls = [part.func for part in nodes if isinstance(part, ast.Call)]
        called = {func.id for func in calls if isinstance(func, ast.Name)}
        if called & _ACTS or any(isinstance(n, _STRANGE) for n in nodes):
            return False
        return bool(called - set(dir(builtins))) or any(isinstance(n, _WORK) for n in nodes)


def _is_question(two: tuple[ast.stmt, ast.stmt]) -> bool:
    """Say whether the first of two statements only refuses arguments, or answers some at once.

    It has lines of its own: something may go between the two.
    """
    statement, following = two
    if (statement.end_lineno or statement.lineno) >= following.lineno:
        return False
    match statement:
        case ast.Assert(test=test):
            return _is_quick(test)
        case ast.If(test=test, body=[ast.Raise()], orelse=[]):
            return _is_quick(test)
        case ast.If(test=test, body=[ast.Return(value=value)], orelse=[]):
            return _is_quick(test) and (value is None or _is_quick(value))
    return False


def _is_quick(node: ast.expr) -> bool:
    """Say whether an expression asks for no more than a few values, whatever their size."""
    for part in ast.walk(node):
        match part:
            case ast.Call(func=ast.Name(id=name)) if name in _QUICK:
                continue
            case ast.Compare(ops=ops, comparators=them):
                pairs = zip(ops, them, strict=True)
                if any(isinstance(op, ast.In | ast.NotIn) and _is_long(of) for op, of in pairs):
                    return False
            case _ if not isinstance(part, _ASKING):
                return False
    return True


def _is_long(container: ast.expr) -> bool:
    return not isinstance(container, ast.Constant | ast.Tuple | ast.Set | ast.List)


def sites(text: str) -> dict[str, Site]:
    """Return the functions that stand alone under their qualified names, where edits may be.

    Empty for a text that is not Python. Functions outside EVOLVE-BLOCK marks are left out.
    """
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    allowed, found = evolve_lines(text), list[Site]()
    for top in tree.body:
        todo: list[tuple[str, ast.AST]] = [("", top)]
        while todo:
            prefix, node = todo.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                prefix = f"{prefix}.{node.name}".lstrip(".")
                lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                if isinstance(node, ast.FunctionDef) and (
                    allowed is None or allowed.issuperset(lines)
                ):
                    found.append(Site(prefix, node, top))
            todo += [(prefix, child) for child in ast.iter_child_nodes(node)]
    names = [site.name for site in found]
    return {site.name: site for site in found if names.count(site.name) == 1}


def standing_in(text: str, site: Site) -> frozenset[str]:
    """Return the first lines of the docstrings of functions that a site calls under a `try`.

    So it does where a library function stands in for it already: by an edit that nobody knows
    of any more, when a model has changed the program since. What it returns where it asks or
    tries is among them: formulas have no docstring.
    """
    attempts = [
        node for each in site.body for node in ast.walk(each) if isinstance(node, ast.Try)
    ]
    called = {
        node.func.id
        for attempt in attempts
        for statement in attempt.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    beside = (each for each in tree_of(text).body if isinstance(each, ast.FunctionDef))
    told = (ast.get_docstring(each) or "" for each in beside if each.name in called)
    answers = {
        ast.unparse(node.value)
        for each in site.body
        if isinstance(each, ast.If | ast.Try)
        for node in ast.walk(each)
        if isinstance(node, ast.Return) and node.value
    }
    return frozenset(line for each in told if (line := each.partition("\n")[0])) | answers


def hidden_builtins(text: str, site: Site) -> frozenset[str]:
    """Return the builtins whose names mean something else where a function stands.

    They are bound in it, or at module level.
    """
    top = symtable.symtable(text, "program", "exec").get_symbols()
    module = {
        each.get_name()
        for each in top
        if each.is_assigned() or each.is_imported() or each.is_namespace()
    }
    return frozenset(dir(builtins)) & (module | {*bound_names(site.node)})


@lru_cache(maxsize=256)
def constants(text: str, name: str) -> tuple[int | str, ...]:
    """Return the numbers and short texts that a function can come by, sums worked out.

    They stand in it, at module level, or in what it calls: those of other functions are none
    of its business, and would make a new question of it whenever one of them is edited. The
    largest numbers first: they are moduli and limits. Docstrings and annotations are left out.

    Args:
        text: The file.
        name: Qualified name of a function of that file.
    """
    try:
        tree = _Bare().visit(_within_reach(text, name))
        code = compile(ast.fix_missing_locations(tree), "program", "exec", optimize=2)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    todo, numbers, texts = [code], set[int](), dict[str, None]()
    while todo:
        for value in todo.pop().co_consts:
            if isinstance(value, CodeType):
                todo.append(value)
            elif type(value) is int and 0 <= value < 1 << 64:
                numbers.add(value)
            elif isinstance(value, str) and 0 < len(value) <= _LETTERS and "\n" not in value:
                texts[value] = None
    small = numbers & {0, 1}
    large = sorted(numbers - small, reverse=True)[:_CONSTANTS]
    return (*large, *sorted(small), *[*texts][:_CONSTANTS])


class _Bare(ast.NodeTransformer):
    """Takes annotations out: their texts would be constants, and none of the program's."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Return a parameter without its annotation."""
        return ast.arg(arg=node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Return a function without what is said of its result."""
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """Return a coroutine without what is said of its result."""
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """Return a plain assignment, or nothing where none is made."""
        if node.value is None:
            return ast.Pass()
        return ast.Assign(targets=[node.target], value=node.value)


def _within_reach(text: str, name: str) -> ast.Module:
    """Return a file without the functions and classes that a function does not come to."""
    tree = tree_of(text)
    defined = {node.name: node for node in tree.body if isinstance(node, _DEFINITIONS)}
    reached, todo = set[str](), [name.partition(".")[0]]
    while todo:
        name = todo.pop()
        if name in defined and name not in reached:
            reached.add(name)
            nodes = ast.walk(defined[name])
            todo += [node.id for node in nodes if isinstance(node, ast.Name)]
    tree.body = [
        node for node in tree.body if not isinstance(node, _DEFINITIONS) or node.name in reached
    ]
    return tree
