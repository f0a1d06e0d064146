"""What a library function must be, and the kinds of values; every archetype of the library."""

from __future__ import annotations

import ast
import builtins
from typing import Any

import pytest

from operators.known_functions.archetype import Archetype, archetype, fits
from operators.known_functions.library import library

KNOWN = list(library().values())


@archetype(
    family="tests", complexity="O(1)", source="none", takes=("int", "list[int]"), gives="int"
)
def with_text(n: int, xs: list[int]) -> int:
    """Return the n-th."""
    return xs[n]


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        pytest.param(3, "int", True, id="int"),
        pytest.param(True, "int", False, id="a-bool-is-no-int"),
        pytest.param(True, "bool", True, id="bool"),
        pytest.param(3, "number", True, id="int-is-a-number"),
        pytest.param(True, "number", False, id="bool-is-no-number"),
        pytest.param(0.5, "number", True, id="float-is-a-number"),
        pytest.param([], "list[str]", True, id="an-empty-list-is-a-list-of-everything"),
        pytest.param([1, 2], "list[int]", True, id="list-of-int"),
        pytest.param([1, "a"], "list[int]", False, id="mixed-list"),
        pytest.param([[1], [2, 3]], "list[list[int]]", True, id="rows"),
        pytest.param([[1], ["a"]], "list[list[int]]", False, id="rows-of-text"),
        pytest.param([(1, 2), [3, 4]], "pairs", True, id="pairs"),
        pytest.param([(1, 2, 3)], "pairs", False, id="triples"),
        pytest.param("ab", "list | str", True, id="either"),
        pytest.param(None, "none", True, id="none"),
        pytest.param({1}, "set[int]", True, id="set"),
    ],
)
def test_kinds(value: Any, kind: str, expected: bool) -> None:
    assert fits(value, kind) is expected


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="'matrix': no kind of value"):
        fits(1, "matrix")


def test_its_text_is_the_function_without_the_decorator() -> None:
    known: Archetype = vars(with_text)["archetype"]
    assert known.text.startswith("def with_text(n: int, xs: list[int]) -> int:\n")
    assert known.summary == "Return the n-th."


def test_the_kinds_and_the_parameters_must_agree() -> None:
    with pytest.raises(ValueError, match="<lambda>: 2 parameters, takes="):
        archetype(family="", complexity="", source="", takes=("int",), gives="int")(
            lambda a, b: a
        )


class TestTheLibrary:
    """Laws that every function keeps; each test lists those that break one."""

    @pytest.mark.tier("library")
    def test_a_text_needs_nothing_but_what_it_names(self) -> None:
        missing = {each.name: free_names(each.text) - _given(each) for each in KNOWN}
        assert {name: names for name, names in missing.items() if names} == {}

    def test_each_says_what_it_is(self) -> None:
        assert [each.name for each in KNOWN if not _says_what_it_is(each)] == []

    def test_each_names_functions_and_kinds_that_exist(self) -> None:
        known = set(library())
        assert {each.name: each.uses for each in KNOWN if not known.issuperset(each.uses)} == {}
        for kind in {kind for each in KNOWN for kind in (*each.takes, each.gives)}:
            fits([], kind)  # raises for a kind that is not there
            fits(0, kind)

    @pytest.mark.tier("library")
    def test_none_has_annotations_or_a_docstring_of_many_lines(self) -> None:
        assert [each.name for each in KNOWN if "->" in each.text.partition("\n")[0]] == []
        assert [each.name for each in KNOWN if "\n" in (each.function.__doc__ or "")] == []


def _given(known: Archetype) -> set[str]:
    imports = {name for line in known.imports for name in imported(line)}
    return {*dir(builtins), *imports, *known.uses, known.name}


def _says_what_it_is(known: Archetype) -> bool:
    ends = known.summary.endswith(".") and known.complexity.startswith("O(")
    return ends and bool(known.family) and bool(known.source)


def free_names(text: str) -> set[str]:
    """Names that a text loads and never binds; scopes are not told apart."""
    loaded, bound = set(), set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                loaded.add(name)
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                bound.add(name)
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
            case ast.Import() | ast.ImportFrom():
                bound |= imported(ast.unparse(node))
            case _:
                pass
    return loaded - bound


def imported(statement: str) -> set[str]:
    """Names that an import statement binds."""
    node = ast.parse(statement).body[0]
    assert isinstance(node, ast.Import | ast.ImportFrom)
    return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
