"""How a name is used, and what is asked before an expression is evaluated."""

from __future__ import annotations

import libcst as cst
import pytest

from operators.rewrite.program import Program
from operators.rewrite.uses import asked, free


@pytest.mark.parametrize(
    ("body", "conditions"),
    [
        pytest.param("use(f())", [], id="always"),
        pytest.param("if x:\n        use(f())", ["x"], id="if"),
        pytest.param("if f():\n        pass", [], id="test-of-an-if"),
        pytest.param("use(x and f())", ["x"], id="and"),
        pytest.param("use(f() or x)", [], id="first-of-or"),
        pytest.param("use(f() if x else 0)", ["x"], id="expression"),
        pytest.param("for y in xs:\n        use(f())", ["xs"], id="inner-loop"),
        pytest.param("use([f() for y in xs if y])", ["xs", "y"], id="comprehension"),
        pytest.param("use([y for y in xs if y if f()])", ["xs", "y"], id="second-filter"),
        pytest.param("with x:\n        f()", ["x"], id="context"),
        pytest.param("use([y for y in f() if y])", [], id="what-is-walked-over"),
        pytest.param("use([y for y in xs if f()])", ["xs"], id="filter"),
        pytest.param("use([y for y in xs if y for z in f()])", ["xs", "y"], id="second-for"),
        pytest.param("use([f() for y in xs for z in y if z])", ["xs", "y", "z"], id="both"),
        pytest.param("use(lambda: f())", None, id="lambda"),
    ],
)
def test_conditions_between_a_loop_and_a_call(body: str, conditions: list[str] | None) -> None:
    program = Program(cst.parse_module(f"for x in rows:\n    {body}\n"))
    loop = next(node for node in program.nodes if isinstance(node, cst.For))
    call = next(
        node
        for node in program.nodes
        if isinstance(node, cst.Call) and program.module.code_for_node(node) == "f()"
    )
    found = asked(program, call, loop)
    told = None if found is None else [program.module.code_for_node(node) for node in found]
    assert told == conditions


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a + b * a", {"a", "b"}),
        ("[x + n for x in xs]", {"n", "xs"}),
        ("lambda x: x + n", {"n"}),
    ],
)
def test_variables_of_an_expression_are_its_own(text: str, names: set[str]) -> None:
    assert free(cst.parse_expression(text)) == names
