"""Lines are put in front of a statement, and nothing of the program goes."""

from __future__ import annotations

import ast

from operators.mending.failing import with_lines_before

TEXT = "def f(n):\n    m = n\n    return m\n"


def test_a_line_in_front_of_a_statement_is_indented_as_it_is() -> None:
    (function,) = ast.parse(TEXT).body
    assert isinstance(function, ast.FunctionDef)
    made = with_lines_before(TEXT, function.body[1], "import heapq", "m += 1")
    assert made == "def f(n):\n    m = n\n    import heapq\n    m += 1\n    return m\n"
    assert with_lines_before(TEXT, function, "import heapq") == f"import heapq\n{TEXT}"
