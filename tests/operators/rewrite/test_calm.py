"""A loop is calm if all that it changes is known to be its function's own."""

from __future__ import annotations

import libcst as cst
import pytest

from operators.rewrite.calm import is_calm
from operators.rewrite.program import Program, place_of
from tests.operators.rewrite.cases import dedented

TEXT = """
    def size(rows):
        return len(rows)

    def note(rows):
        rows.append(1)

    class Shop:
        def hook(self, x):
            pass

        def count(self, x):
            return len(self.names) + x

        def sell(self, rows, more):
            found, counts, total, text = [], {}, 0, ""
            AHEAD
            for x in more:
                LINE
            return found, counts
"""


def calm(line: str, ahead: str = "pass") -> bool:
    text = TEXT.replace("LINE", line).replace("AHEAD", ahead)
    program = Program(cst.parse_module(dedented(text)))
    loop = next(node for node in program.nodes if isinstance(node, cst.For))
    return is_calm(program, place_of(program, loop), loop, {"rows", "size"})


@pytest.mark.parametrize(
    "line",
    [
        "found.append(x)",
        "found.append(size(rows))",
        "found.append(self.count(x))",
        "counts[x] = counts.get(x, 0) + 1",
        "counts.setdefault(x, []).index(x)",
        "total += size(more)",
        "text = text.strip() + str(x)",
        "found.sort(key=lambda each: each)",
        "first, (second, *others) = x, more",
        "found += [x]",
        "if x in rows:\n                    break",
    ],
)
def test_what_the_function_keeps_to_itself_may_change(line: str) -> None:
    assert calm(line)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("rows = more", id="a-name-that-is-used"),
        pytest.param("size = max", id="a-function-that-is-used"),
        pytest.param("rows.append(x)", id="what-is-used"),
        pytest.param("more.append(x)", id="an-argument"),
        pytest.param("rows[0] = x", id="an-element"),
        pytest.param("x.size = 1", id="an-attribute"),
        pytest.param("x += more", id="perhaps-in-place"),
        pytest.param("x.pop()", id="a-part"),
        pytest.param("note(more)", id="a-function-that-changes"),
        pytest.param("other(more)", id="unknown"),
        pytest.param("x.sell(more)", id="another-object"),
        pytest.param("self.hook(x)", id="others-may-override-it"),
        pytest.param("found.sort(key=other)", id="calls-what-is-unknown"),
        pytest.param("yield x", id="others-run-meanwhile"),
        pytest.param("global size", id="of-the-module"),
        pytest.param("with x:\n                    pass", id="a-context"),
        pytest.param("import os", id="loads"),
        pytest.param("del rows[0]", id="deletes"),
    ],
)
def test_anything_else_may_not(line: str) -> None:
    assert not calm(line)


@pytest.mark.parametrize(
    "ahead",
    [
        "found = rows",
        "rows.append(found)",
        "rows = [found, rows]",
        "self.found = found",
        "rows = dict(kept=found)",
        "rows = other(found)",
        "also = found",
        "found = other()",
        "found = rows.found",
        "[found] = rows",
    ],
)
def test_a_container_that_somebody_else_has_may_not_change(ahead: str) -> None:
    assert not calm("found.append(x)", ahead)
    assert calm("pass", ahead)
