"""What is added to an attribute: its type, and whether working it out touches the attribute.

Not here: where that happens (`own_attribute`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.effects import waits
from operators.rewrite.handlers import awaited
from operators.rewrite.own_attribute import AttributeGrowth, OwnAttribute
from operators.rewrite.owners import defined_in, first_parameter
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import flat, named, names, targets, written

if TYPE_CHECKING:
    import libcst as cst

_MAKING = {
    "bytes": frozenset({"bytearray", "bytes", "encode", "pack", "to_bytes", "tobytes"}),
    "str": frozenset({"ascii", "bin", "chr", "decode", "format", "hex", "oct", "repr", "str"}),
}
"""Functions and methods that give nothing else."""
_OTHERS = frozenset({"filter", "list", "map", "range", "reversed", "set", "tuple", "zip"})
_BROAD = frozenset({"BaseException", "Exception", "TypeError"})


def fits(program: Program, own: OwnAttribute, growth: AttributeGrowth) -> bool:
    """Whether a piece is not seen to be of another type, and known where errors are awaited.

    A list takes anything, and a bytearray takes numbers: who waits for the error of a wrong
    piece would wait for nothing.
    """
    if _differs(growth.piece, own.kind):
        return False
    waited = awaited(program, "TypeError") or _broadly(program, growth.statement)
    return not waited or _is(growth.piece, own.kind, own.method[growth.target])


def _broadly(program: Program, node: cst.CSTNode) -> bool:
    """Whether a handler around a statement takes any error."""
    import libcst as cst

    tries = (n for n in program.above(node) if isinstance(n, (cst.Try, cst.TryStar)))
    handlers = [each.type for n in tries for each in n.handlers]
    blocks = (n for n in program.above(node) if isinstance(n, cst.With))
    used = [item.item for block in blocks for item in block.items]
    return any(each is None or names(each) & _BROAD for each in (*handlers, *used))


def _is(piece: cst.BaseExpression, kind: str, method: cst.FunctionDef) -> bool:
    """Whether syntax tells that a piece is of a type."""
    import libcst as cst

    if isinstance(piece, cst.BaseString):
        return _spelled(piece) == kind
    if isinstance(piece, cst.Call):
        function = piece.func.attr if isinstance(piece.func, cst.Attribute) else piece.func
        joined = isinstance(piece.func, cst.Attribute) and named(function) == "join"
        receiver = piece.func.value if isinstance(piece.func, cst.Attribute) else None
        known = receiver is not None and joined and _is(receiver, kind, method)
        return known or named(function) in _MAKING[kind]
    if isinstance(piece, cst.BinaryOperation):
        left, right = _is(piece.left, kind, method), _is(piece.right, kind, method)
        if isinstance(piece.operator, cst.Modulo):
            return left
        return left and right and isinstance(piece.operator, cst.Add)
    if isinstance(piece, cst.IfExp):
        return _is(piece.body, kind, method) and _is(piece.orelse, kind, method)
    params = (*method.params.params, *method.params.kwonly_params)
    noted = (p.annotation for p in params if p.name.value == named(piece))
    return any(note is not None and flat(note.annotation) == kind for note in noted)


def _spelled(piece: cst.BaseExpression) -> str:
    """Return the type of a literal."""
    import libcst as cst

    if isinstance(piece, (cst.SimpleString, cst.ConcatenatedString)):
        value = piece.evaluated_value
        return "bytes" if isinstance(value, bytes) else "str"
    return "str"


def _differs(piece: cst.BaseExpression, kind: str) -> bool:
    """Whether syntax tells that a piece is of another type."""
    import libcst as cst

    if isinstance(piece, cst.IfExp):
        return _differs(piece.body, kind) or _differs(piece.orelse, kind)
    if isinstance(piece, cst.BinaryOperation) and isinstance(piece.operator, cst.Add):
        return _differs(piece.left, kind) or _differs(piece.right, kind)
    if isinstance(piece, cst.BaseString):
        return _spelled(piece) != kind
    if isinstance(piece, cst.Call) and isinstance(piece.func, cst.Name):
        return piece.func.value in _OTHERS
    if isinstance(piece, cst.Name):
        return piece.value in ("False", "None", "True")
    others = (cst.BaseNumber, cst.BaseSet, cst.BaseDict, cst.BaseList, cst.Tuple)
    return isinstance(piece, (*others, cst.GeneratorExp, cst.Lambda, cst.Comparison))


def is_calm(
    program: Program, own: OwnAttribute, mention: cst.CSTNode, *code: cst.CSTNode
) -> bool:
    """Whether code that runs while an attribute is held in hand leaves the attribute alone.

    Args:
        program: The file.
        own: The attribute.
        mention: Where it is held, in a method.
        code: What is worked out meanwhile.
    """
    owner = first_parameter(own.method[mention])
    adding = _adding(program, own.name)
    return all(
        not waits(each) and all(_is_quiet(program, n, owner, adding) for n in walk(each))
        for each in code
    )


def _is_quiet(program: Program, node: cst.CSTNode, owner: str, adding: frozenset[str]) -> bool:
    import libcst as cst

    if isinstance(node, cst.Name):
        above = program.parent.get(node)
        alone = node.value == owner and not isinstance(above, cst.Attribute)
        return not alone and _word(program, node) not in adding
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        unknown = node.func.attr.value not in program.functions
        return not unknown or named(node.func.value) != owner
    return True


@lru_cache(maxsize=128)
def _adding(program: Program, attribute: str) -> frozenset[str]:
    """Return the words for functions that may set an attribute, or that name one who does.

    Methods are `.name`, for a variable of that name is none of them.
    """
    import libcst as cst

    bodies: dict[str, list[cst.CSTNode]] = {}
    for name, found in program.functions.items():
        bodies.setdefault(f".{name}", []).extend(found)
        if not all(isinstance(defined_in(program, n), cst.ClassDef) for n in found):
            bodies.setdefault(name, []).extend(found)
    told = {word: set(_words(program, found)) for word, found in bodies.items()}
    for word, meant in _other_names(program):
        told.setdefault(word, set()).update(meant)
    adding = {word for word, found in bodies.items() if any(_sets(n, attribute) for n in found)}
    while new := {word for word in told if word not in adding and told[word] & adding}:
        adding |= new
    return frozenset(adding)


def _other_names(program: Program) -> Iterator[tuple[str, list[str]]]:
    """Yield words that are set to, or walk over, something, with its words but those called."""
    import libcst as cst

    found: list[cst.BaseExpression]
    for node in program.nodes:
        if isinstance(node, cst.Assign):
            found, value = [each.target for each in node.targets], node.value
        elif isinstance(node, (cst.AnnAssign, cst.NamedExpr)) and node.value:
            found, value = [node.target], node.value
        elif isinstance(node, (cst.For, cst.CompFor)):
            found, value = [node.target], node.iter
        else:
            continue
        called = {n.func for n in walk(value) if isinstance(n, cst.Call)}
        called |= {n.attr for n in called if isinstance(n, cst.Attribute)}
        told = [n for n in walk(value) if isinstance(n, cst.Name) and n not in called]
        meant = [_word(program, n) for n in told]
        if isinstance(defined_in(program, program.parent[node]), cst.ClassDef):
            meant += [f".{name}" for name in meant]  # its methods are its variables
        for part in (part for target in found for part in written(target)):
            yield from ((word, meant) for word in _written_words(part))


def _written_words(part: cst.CSTNode) -> list[str]:
    """Return the words of what is set, or of what an element is set of."""
    import libcst as cst

    while isinstance(part, cst.Subscript):
        part = part.value
    if isinstance(part, cst.Attribute):
        return [f".{part.attr.value}"]
    return [named(part), f".{named(part)}"] if named(part) else []


def _words(program: Program, bodies: list[cst.CSTNode]) -> Iterator[str]:
    """Yield a word for each name in code."""
    import libcst as cst

    for body in bodies:
        yield from (_word(program, node) for node in walk(body) if isinstance(node, cst.Name))


def _word(program: Program, node: cst.Name) -> str:
    """Return `.name` for the name of an attribute, and the name of a variable as it is."""
    import libcst as cst

    above = program.parent.get(node)
    attribute = isinstance(above, cst.Attribute) and above.attr is node
    return f".{node.value}" if attribute else node.value


def _sets(body: cst.CSTNode, attribute: str) -> bool:
    import libcst as cst

    return any(
        isinstance(node, cst.Attribute) and node.attr.value == attribute
        for target in targets(body)
        for node in walk(target)
    )
