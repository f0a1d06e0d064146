"""Words that the syntax of a program shows."""

from __future__ import annotations

import pytest

from se_agent.program.shape import shape


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("t[i] = t[i - 1] + 1", "entry from entries"),
        ("t[i][j] = max(t[i - 1][j], 0)", "entry from entries"),
        ("x = [[0] * n for _ in range(n)]", "table of two dimensions"),
        ("while queue:\n    queue.pop(0)", "work list"),
        ("for other in graph[node]: pass", "loop over an entry"),
        ("import sys\nfor line in sys.stdin: pass", "reads"),
        ("out += 'x'", "text that grows"),
        ("@cache\ndef f(n): return f(n - 1)", "memoised"),
        ("def f(n): return f(n - 1)", "recursion on a smaller number"),
        ("def f(t): return f(t.left)", "recursion on a part"),
        ("x = a * b % c + d // e", "much arithmetic"),
        ("if x not in seen: pass", "marks"),
    ],
)
def test_a_word_is_found_where_the_syntax_shows_it(text: str, word: str) -> None:
    assert word in shape(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("t[i] = t[i] + 1", "entry from entries"),
        ("t[i] = u[i - 1]", "entry from entries"),
        ("while queue:\n    other.pop(0)", "work list"),
        ("x = [0] * n", "arithmetic"),
        ("x = 'a' * n", "arithmetic"),
    ],
)
def test_and_nowhere_else(text: str, word: str) -> None:
    assert word not in shape(text)


def test_words_do_not_depend_on_the_names_of_locals() -> None:
    one = "def f(q):\n    while q:\n        q.pop()\n"
    assert shape(one) == shape(one.replace("q", "zz"))
