"""Tokens of C++: what is code, where it stands, and what bracket closes which."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.program.clike.functions import function_at, functions, loops, statement_end
from se_agent.program.clike.tokens import SourceText, source

TEXT = """#include <map>  // a header
#define TWICE(x) \\
    ((x) + (x))
int f(std::string s, char c = '\\'') { return s == "} // no" ? 1'000 : 0x1Fu; }  /* } */
auto g = [](int x) mutable -> int { return R"z(})" )z"[x] >> 2; };
"""


def tokens(text: str) -> list[str]:
    found = source(text)
    assert found is not None
    return [token.text for token in found.tokens]


def parsed(text: str) -> SourceText:
    found = source(text)
    assert found is not None
    return found


def test_comments_strings_and_directives() -> None:
    words = tokens(TEXT)
    assert "header" not in words
    assert "TWICE" not in words
    assert {'"} // no"', "'\\''", "1'000", "0x1Fu", 'R"z(})" )z"'} <= set(words)
    assert [d.text.split()[0] for d in parsed(TEXT).directives] == ["#include", "#define"]


def test_a_line_has_the_white_space_that_it_begins_with() -> None:
    found = parsed("  int a;\n\t int b; int c;\nint d;")
    places = [place for place, word in enumerate(tokens(found.text)) if word == "int"]
    assert [found.indentation(place) for place in places] == ["  ", "\t ", "\t ", ""]


def test_a_right_bracket_of_templates_stands_alone() -> None:
    assert tokens("map<int, set<int>> m; x >>= 2; a->b >= 1;").count(">") == 5


@pytest.mark.parametrize("text", ["(", ")", "{ ( } )", "int f() {"])
def test_brackets_that_do_not_match_are_no_source(text: str) -> None:
    assert source(text) is None


@given(st.text(alphabet="ab1 \n\"'/*#R()<>{};=+-.\\", max_size=40))
def test_tokens_are_pieces_of_the_text_in_order(text: str) -> None:
    found = source(text)
    if found is None:
        return
    end = 0
    for token in found.tokens:
        assert end <= token.start < token.end
        assert text[token.start : token.end] == token.text
        end = token.end


def test_functions_and_lambdas() -> None:
    text = parsed(TEXT)
    assert [function.name for function in functions(text)] == ["f", ""]
    assert function_at(text, TEXT.index("1'000")) == "f"
    assert function_at(text, TEXT.index("f(std")) == "f"
    assert function_at(text, TEXT.index("map")) == ""


def test_control_is_no_function() -> None:
    text = "int main() { if (x) { } while (y) { } for (;;) { } switch (z) { } }"
    assert [function.name for function in functions(parsed(text))] == ["main"]


@pytest.mark.parametrize(
    "header",
    ["int i = 0; i < n; i++", "i = a; i < b + 1; ++i", "auto i = 0u; i < v.n(); i += 1"],
)
def test_counting_loops(header: str) -> None:
    (loop,) = loops(parsed(f"int main() {{ for ({header}) x += i; y(); }}"))
    assert loop.variable == "i"


@pytest.mark.parametrize(
    "header",
    [
        "int i = 0; i < n; i += 2", "int i = n; i > 0; i--", "auto x : xs", ";;",
        "int i = 0, j = 0; i < n; i++", "int i = 0; j < n; i++", "int i = 0; i <= n; i++",
    ],
)  # fmt: skip
def test_other_loops_do_not_count(header: str) -> None:
    assert list(loops(parsed(f"int main() {{ for ({header}) x += 1; }}"))) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = f(1; 2); b;", 9),
        ("{ a; b; } c;", 6),
        ("if (x) a; else { b; } c;", 11),
        ("for (;;) while (x) a; b;", 11),
    ],
)
def test_where_a_statement_ends(text: str, words: int) -> None:
    assert statement_end(parsed(text), 0) == words
