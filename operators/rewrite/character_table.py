"""A test that is asked of every character of a text -> a table that remembers the answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import added
from operators.rewrite.change import TreeChange
from operators.rewrite.effects import READ_ONLY, pure
from operators.rewrite.handlers import caught
from operators.rewrite.loops import Elements, characters, confined, elements, exchanged
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import calls_own, computes
from operators.rewrite.reading import (
    assigned,
    bound,
    calls,
    comp_for,
    integer,
    lines,
    named,
    names,
    only,
    target_names,
    targets,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import mentions, only_read

if TYPE_CHECKING:
    import libcst as cst

_DIRECTION = "Ask each distinct character once and remember the answer in a table"
_TAKERS = frozenset({"list", "max", "min", "set", "sorted", "sum", "tuple"})
_CHANGEABLE = frozenset({"Counter", "dict", "list", "set", "sorted"})
_FIXED = READ_ONLY | {"True", "False", "None", "bin", "hex"}


class CharacterTable(Rule):
    """Leave out the characters that fail a test by `str.translate`, or look the answers up.

    Valid where the test depends on the character and on constants alone (checked). The table
    fills itself, a character at a time, and outlives the call: `translate` then leaves out
    characters at a hundredth of the cost of a test. Covers filtered comprehensions over a
    text, counts, `any` and `all`, loops that wait for characters, and what is worked out for
    each character, such as the value of a digit. Known as a character class.
    """

    name = "character_table"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop and comprehension that tests characters."""
        import libcst as cst

        for node in place.own:
            site = None
            if isinstance(node, cst.For):
                site = _loop(program, place, node)
            elif isinstance(node, (cst.GeneratorExp, cst.ListComp)):
                site = _comprehension(program, place, node)
            elif isinstance(node, cst.Call):
                site = _digits(program, node)
            if site is not None:
                yield _change(program, place, node, site)


class _Site(NamedTuple):
    """What tests characters, and what takes its place.

    Attributes:
        found: The text, and what a character is called in the tests.
        tests: What is asked of a character.
        kept: Whether the table is for `translate`, not for answers.
        replaced: New code by old node, with `{}` for the characters that are left or, for
            answers, for the iterable of them.
    """

    found: Elements
    tests: list[cst.BaseExpression]
    kept: bool
    replaced: dict[cst.CSTNode, str]


def _change(program: Program, place: Place, anchor: cst.CSTNode, site: _Site) -> TreeChange:
    kind, table = program.fresh("Kept"), program.fresh("kept")
    if not site.kept:
        kind, table = program.fresh("Answers"), program.fresh("answers")
    source = text(site.found.sequence)
    whole = source if source.isidentifier() else f"({source})"
    new = f"{whole}.translate({table})" if site.kept else f"map({table}.__getitem__, {source})"
    test = _joined([_standing(program, place, site.found, test) for test in site.tests])
    *_, top, _ = (anchor, *program.above(anchor))
    made = [_definition(kind, site, test), f"{table} = {kind}()"]
    alone = place.node is program.module
    return TreeChange(
        anchor=anchor,
        replaced={node: code.replace("{}", new) for node, code in site.replaced.items()},
        before={top: made} if alone else {},
        # A function finds the table by its name, below it as well, and keeps its comments.
        after={} if alone else {top: made},
        direction=_DIRECTION,
        effect="the test runs once a distinct character; the rest runs in C",
    )


def _definition(kind: str, site: _Site, test: str) -> str:
    name = site.found.name
    if site.kept:
        code = "code" if name != "code" else "number"
        steps = [f"{name} = chr({code})", f"self[{code}] = {code} if {test} else None"]
    else:
        code, steps = name, [f"self[{name}] = {test}"]
    body = "\n        ".join([*steps, f"return self[{code}]"])
    return f"class {kind}(dict):\n    def __missing__(self, {code}):\n        {body}\n"


def _joined(tests: list[str]) -> str:
    return tests[0] if len(tests) == 1 else " and ".join(f"({test})" for test in tests)


def _standing(program: Program, place: Place, found: Elements, test: cst.BaseExpression) -> str:
    """Return the test as it can stand alone: constants in place of their names."""
    constants = _constants(program, place)
    known = {n: text(constants[named(n)]) for n in walk(test) if named(n) in constants}
    return text(exchanged(test, {**found.replaced, **known}))


def _constants(program: Program, place: Place) -> dict[str, cst.BaseExpression]:
    """Return the literals of text that names stand for, each given once and for all."""
    bindings = [name for target in targets(place.node) for name in target_names(target)]
    given = dict(pair for node in place.own if (pair := assigned(node)))
    return {
        name: value
        for name, value in given.items()
        if bindings.count(name) == 1 and _literal(value) and _kept_whole(program, place, name)
    }


def _literal(value: cst.BaseExpression) -> bool:
    import libcst as cst

    if isinstance(value, (cst.List, cst.Tuple, cst.Set)):
        return all(isinstance(each.value, cst.SimpleString) for each in value.elements)
    return isinstance(value, cst.SimpleString)


def _kept_whole(program: Program, place: Place, name: str) -> bool:
    """Whether nothing changes the object that a name stands for."""
    import libcst as cst

    return all(
        isinstance(program.parent[mention], cst.AssignTarget) or only_read(program, mention)
        for mention in mentions(place, name)
    )


def _tested(
    program: Program, place: Place, found: Elements, tests: list[cst.BaseExpression]
) -> bool:
    """Whether all tests ask something of a character, and of nothing that may change."""
    if not tests or not pure(found.sequence) or not _of_text(found, tests):
        return False
    known = _FIXED - bound(program.module) | set(_constants(program, place)) | {found.name}
    for test in tests:
        alone = exchanged(test, found.replaced)
        # A lookup that fails would be taken for a character that stays.
        if names(alone) - known or any(isinstance(n, _unfit()) for n in walk(alone)):
            return False
        if calls_own(program, test) or not computes(program, test):
            return False
    return True


def _of_text(found: Elements, tests: list[cst.BaseExpression]) -> bool:
    import libcst as cst

    literal = isinstance(found.sequence, cst.BaseString)
    return not literal and any(characters(found, test) for test in tests)


def _unfit() -> tuple[type[cst.CSTNode], ...]:
    import libcst as cst

    return (cst.Subscript, cst.Lambda, cst.BaseComp)


def _comprehension(
    program: Program, place: Place, comp: cst.GeneratorExp | cst.ListComp
) -> _Site | None:
    import libcst as cst

    loop = comp_for(comp)
    if loop.inner_for_in or loop.asynchronous:
        return None
    found = elements(program, place, loop)
    if found is None:
        return None
    argument = program.parent[comp]
    call = program.parent.get(argument)
    function = named(call.func) if isinstance(call, cst.Call) and len(call.args) == 1 else ""
    tests = [each.test for each in loop.ifs]
    element: cst.BaseExpression | None = comp.elt
    if function in ("any", "all") and not tests:
        if isinstance(comp, cst.ListComp) and caught(program, comp):
            return None  # the whole list was made, with all errors
        fits = _tested(program, place, found, [comp.elt])
        return _Site(found, [comp.elt], False, {comp: "{}"}) if fits else None
    if function == "sum" and isinstance(comp.elt, cst.IfExp) and integer(comp.elt.orelse) == 0:
        tests, element = [*tests, comp.elt.test], comp.elt.body
    elif function == "sum" and _boolean(comp.elt):
        tests, element = [*tests, comp.elt], None
    if not tests and not isinstance(comp.elt, cst.Name):
        return _answered(program, place, comp, found)
    if not _tested(program, place, found, tests):
        return None
    counted = element is None or integer(element) == 1
    if (function == "sum" and counted) or (
        function == "len" and element and computes(program, element)
    ):
        assert call is not None
        return _Site(found, tests, True, {call: "len({})"})
    if element is None:
        return None
    walked = (cst.Arg, cst.For, cst.CompFor, cst.From, cst.StarredElement)
    if isinstance(comp, cst.GeneratorExp) and not isinstance(argument, walked):
        return None  # somebody may ask it for its next element
    return _shorter(found, tests, comp, element) if function != "next" else None


def _answered(
    program: Program, place: Place, comp: cst.GeneratorExp | cst.ListComp, found: Elements
) -> _Site | None:
    """What becomes of each character, where all of them are wanted."""
    import libcst as cst

    taken = _taken(program, comp)
    # A generator may be asked for its next element only; a list of words is no text.
    if isinstance(comp, cst.GeneratorExp) and not taken:
        return None
    words = any(calls(node, "int") for node in walk(comp.elt))
    if words and calls(found.sequence, "str") is None:
        return None
    if any(_new_each(node) for node in walk(comp.elt)):
        return None
    if not _tested(program, place, found, [comp.elt]):
        return None
    return _Site(found, [comp.elt], False, {comp: "{}" if taken else "list({})"})


def _new_each(node: cst.CSTNode) -> bool:
    """Whether a node makes an object that may be changed: equal characters would share it."""
    import libcst as cst

    made = named(node.func) if isinstance(node, cst.Call) else ""
    return isinstance(node, (cst.List, cst.Dict, cst.Set)) or made in _CHANGEABLE


def _taken(program: Program, comp: cst.CSTNode) -> bool:
    """Whether a call takes the elements, of any iterable, and does not keep that."""
    import libcst as cst

    call = program.parent.get(program.parent[comp])
    if not isinstance(call, cst.Call) or len(call.args) != 1 or call.args[0].value is not comp:
        return False
    joins = isinstance(call.func, cst.Attribute) and call.func.attr.value == "join"
    return joins or named(call.func) in _TAKERS


def _digits(program: Program, call: cst.Call) -> _Site | None:
    """`map(int, str(n))`: the digits of a number."""
    import libcst as cst

    arguments = calls(call, "map") or []
    if len(arguments) != 2 or named(arguments[0]) != "int" or not calls(arguments[1], "str"):
        return None
    name = program.fresh("digit")
    digit = cst.parse_expression(f"int({name})")
    return _Site(Elements(arguments[1], name, {}), [digit], False, {call: "{}"})


def _shorter(
    found: Elements,
    tests: list[cst.BaseExpression],
    comp: cst.GeneratorExp | cst.ListComp,
    element: cst.BaseExpression,
) -> _Site:
    """The comprehension without its tests, over the characters that are left."""
    import libcst as cst

    new = text(exchanged(element, found.replaced))
    inner = f"{new} for {found.name} in {{}}"
    if new == found.name:
        code = "list({})" if isinstance(comp, cst.ListComp) else "{}"
    else:
        code = f"[{inner}]" if isinstance(comp, cst.ListComp) else f"({inner})"
    return _Site(found, tests, True, {comp: code})


def _boolean(node: cst.BaseExpression) -> bool:
    """Whether an expression is true or false, not just a value that counts as such."""
    import libcst as cst

    if isinstance(node, cst.BooleanOperation):
        return _boolean(node.left) and _boolean(node.right)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return node.func.attr.value.startswith("is") and not node.args
    negated = isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)
    return negated or isinstance(node, cst.Comparison)


def _loop(program: Program, place: Place, loop: cst.For) -> _Site | None:
    """A loop that does nothing for a character that fails a test."""
    import libcst as cst

    body = lines(loop.body)
    test = body[0] if len(body) == 1 and not loop.orelse and not loop.asynchronous else None
    found = elements(program, place, loop)
    if not isinstance(test, cst.If) or test.orelse or found is None:
        return None
    if not _tested(program, place, found, [test.test]):
        return None
    # A text over several lines would change with the indentation.
    whole_texts = '"""' not in text(loop) and "'''" not in text(loop)
    private = whole_texts and confined(program, place, loop, target_names(loop.target))
    if not private or names(found.sequence) & bound(loop.body):
        return None
    inner = lines(test.body)
    adding = added(only(inner[0])) if len(inner) == 1 else None
    if adding and integer(adding.value) == 1:
        return _Site(found, [test.test], True, {loop: f"{adding.name} += len({{}})"})
    whole = set(walk(test.body))
    block = exchanged(test.body, {n: new for n, new in found.replaced.items() if n in whole})
    if not isinstance(block, cst.IndentedBlock):
        return None
    rows = "".join(_rows(block))
    return _Site(found, [test.test], True, {loop: f"for {found.name} in {{}}:\n{rows}"})


def _rows(block: cst.BaseSuite) -> Iterator[str]:
    """Yield the rows of a block, indented once."""
    import libcst as cst

    code = "".join(cst.Module([]).code_for_node(line) for line in lines(block))
    yield from (f"    {row}" for row in code.splitlines(keepends=True))
