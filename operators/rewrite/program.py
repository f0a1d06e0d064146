"""A parsed text: its functions, the parents of its nodes, its names. Read, never changed.

Not here: what a node means (`reading`) and what becomes of it (`change`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from operators.editing.edits import fresh
from se_agent.program.parsing import is_deep

if TYPE_CHECKING:
    import libcst as cst

_LAYOUT = frozenset(
    {
        "lpar", "rpar", "comma", "semicolon", "lbracket", "rbracket", "lbrace", "rbrace",
        "colon", "equal", "leading_lines", "header", "footer", "lines_after_decorators",
        "trailing_whitespace", "indent",
    }
)  # fmt: skip
_FIELDS: dict[type, tuple[str, ...]] = {}


class _Nodes(dict[type, bool]):
    """Whether a type is one of nodes; asked of every field, and abstract classes are slow."""

    def __missing__(self, kind: type) -> bool:
        import libcst as cst

        found = self[kind] = issubclass(kind, cst.CSTNode)
        return found


_NODES = _Nodes()


def fields(kind: type) -> tuple[str, ...]:
    """Return the names of a node type's fields that hold code, not layout."""
    found = _FIELDS.get(kind)
    if found is None:
        every = getattr(kind, "__dataclass_fields__", {})
        kept = (f for f in every if f not in _LAYOUT and not f.startswith("whitespace"))
        found = _FIELDS[kind] = tuple(kept)
    return found


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the nodes directly below, in the order of the fields."""
    found: list[cst.CSTNode] = []
    for name in fields(type(node)):
        value = getattr(node, name)
        if _NODES[type(value)]:
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += [item for item in value if _NODES[type(item)]]
    return found


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the node and all below it, depth first, in the order of the text."""
    return iter(_below(node))


@lru_cache(maxsize=4096)  # nearly all rules ask for nearly all parts of a program
def _below(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    found: list[cst.CSTNode] = []
    todo = [node]
    while todo:
        here = todo.pop()
        found.append(here)
        todo += reversed(children(here))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Place:
    """A function, or the module level, with the code that is its own.

    Attributes:
        name: Qualified name such as `solve.go`; empty for the module level.
        node: The definition, or the module.
        own: Nodes in the order of the text, without those of nested functions.
    """

    name: str
    node: cst.FunctionDef | cst.Module
    own: tuple[cst.CSTNode, ...]


class Program:
    """A text as a tree. Nodes are compared by identity; each occurs once.

    Args:
        module: The whole text, parsed.
    """

    def __init__(self, module: cst.Module) -> None:
        self.module = module
        self.parent: dict[cst.CSTNode, cst.CSTNode] = {}
        self.nodes = tuple(walk(module))
        for node in self.nodes:
            for child in children(node):
                self.parent[child] = node

    @cached_property
    def code(self) -> str:
        """The whole text."""
        return self.module.code

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The module level first, then every function in the order of the text."""
        import libcst as cst

        inside: dict[cst.CSTNode, tuple[str, cst.CSTNode]] = {}
        own: dict[cst.CSTNode, list[cst.CSTNode]] = {self.module: []}
        called: dict[cst.FunctionDef | cst.Module, str] = {self.module: ""}
        for node in self.nodes:
            above = self.parent.get(node)
            name, owner = inside[above] if above else ("", self.module)
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                name, owner = f"{name}.{node.name.value}".lstrip("."), node
                own[owner] = []
                if isinstance(node, cst.FunctionDef):
                    called[node] = name
            inside[node] = (name, owner)
            own[owner].append(node)
        return tuple(Place(name, node, tuple(own[node])) for node, name in called.items())

    @cached_property
    def definitions(self) -> Mapping[str, Sequence[cst.FunctionDef | cst.ClassDef]]:
        """Functions and classes by their qualified names, in the order of the text."""
        import libcst as cst

        found: dict[str, list[cst.FunctionDef | cst.ClassDef]] = {}
        named: dict[cst.CSTNode, str] = {}
        for node in self.nodes:
            above = self.parent.get(node)
            named[node] = named[above] if above else ""
            if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                named[node] = f"{named[node]}.{node.name.value}".lstrip(".")
                found.setdefault(named[node], []).append(node)
        return found

    @cached_property
    def functions(self) -> Mapping[str, Sequence[cst.FunctionDef]]:
        """Functions by their own names, wherever they stand, in the order of the text."""
        import libcst as cst

        found: dict[str, list[cst.FunctionDef]] = {}
        for node in self.nodes:
            if isinstance(node, cst.FunctionDef):
                found.setdefault(node.name.value, []).append(node)
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        """Every identifier of the text, whatever it stands for."""
        import libcst as cst

        return frozenset(node.value for node in self.nodes if isinstance(node, cst.Name))

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Yield the parents of a node, the nearest first."""
        here = self.parent.get(node)
        while here is not None:
            yield here
            here = self.parent.get(here)

    def statement(self, node: cst.CSTNode) -> cst.CSTNode:
        """Return the statement around a node (or itself) that stands on lines of its own."""
        import libcst as cst

        line = (cst.SimpleStatementLine, cst.BaseCompoundStatement)
        chain = (node, *self.above(node))
        return next(n for n in chain if isinstance(n, line))

    def loops(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Yield what repeats `node` within its function, the nearest first.

        Loops count where the node is in their body (or the test of a `while`), comprehensions
        where it is not in the first iterable. A lambda counts: it is made to be called.
        """
        import libcst as cst

        below = node
        for above in self.above(node):
            if isinstance(above, (cst.FunctionDef, cst.ClassDef)):
                return
            if isinstance(above, cst.For):
                repeated = below is above.body
            elif isinstance(above, (cst.While, cst.Lambda)):
                repeated = below is above.body or below is getattr(above, "test", None)
            elif isinstance(above, cst.BaseComp):
                repeated = not self._first_iterable(above, node)
            else:
                repeated = False
            if repeated:
                yield above
            below = above

    def _first_iterable(self, comp: cst.BaseComp, node: cst.CSTNode) -> bool:
        first = comp.for_in.iter
        return first is node or first in self.above(node)

    def block(self, node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
        """Return the statements of the block that a statement is in, itself included."""
        import libcst as cst

        around = self.parent[node]
        if isinstance(around, (cst.IndentedBlock, cst.Module)):
            return tuple(around.body)
        return ()

    def fresh(self, wanted: str, *others: str) -> str:
        """Return a name that neither the text uses yet nor `others`, `wanted` if possible."""
        return fresh(wanted, self.names.union(others))


def place_of(program: Program, node: cst.CSTNode) -> Place:
    """Return the function that a node stands in, or the module level."""
    above = [*program.above(node)]
    return next(each for outer in above for each in program.places if each.node is outer)


@lru_cache(maxsize=128)
def program(text: str) -> Program | None:
    """Return the parsed text, or None for one that is not Python, or nested too deep."""
    import libcst as cst

    try:
        return None if is_deep(text) else Program(cst.parse_module(text))
    except (cst.ParserSyntaxError, SyntaxError, ValueError, RecursionError):
        return None
