"""Helpers and copies that a change brought and nobody needs."""

from __future__ import annotations

import pytest

from se_agent.program.style.passes import PASSES


def _made(name: str, old: str, new: str) -> str:
    return PASSES[name](old, new)


INLINED = [
    pytest.param(
        'def unique(xs):\n    """Doc."""\n    return list(dict.fromkeys(xs))\n\n\n'
        "def f(a):\n    return unique(a)\n",
        "def f(a):\n    return list(dict.fromkeys(a))\n",
        id="an expression",
    ),
    pytest.param(
        "def least(xs, k):\n    return [x for x in xs if x > k]\n\n\n"
        "def f(a):\n    return len(least(a, 0)) + 1\n",
        "def f(a):\n    return len([x for x in a if x > 0]) + 1\n",
        id="with a constant",
    ),
    pytest.param(
        "def total(x, y):\n    return x + y\n\n\ndef f(a):\n    return total(a, a) * 2\n",
        "def f(a):\n    return (a + a) * 2\n",
        id="in parentheses",
    ),
]

STAYS = [
    pytest.param(
        "def g(xs):\n    return len(xs)\n\n\ndef f(a):\n    return g(a) + g(a)\n", id="twice"
    ),
    pytest.param(
        "def g(xs):\n    return len(xs)\n\n\ndef f(a):\n    return g(h(a))\n", id="of a call"
    ),
    pytest.param(
        "def g(xs):\n    return len(xs)\n\n\ndef f(a, len):\n    return g(a)\n",
        id="another thing of that name",
    ),
    pytest.param(
        "def g(xs):\n    return [a for a in xs]\n\n\ndef f(a):\n    return g(a)\n",
        id="a variable of that name",
    ),
    pytest.param(
        "def g(xs):\n    return (x for x in xs)\n\n\ndef f(a):\n    return g(a)\n", id="lazy"
    ),
    pytest.param("def g(n):\n    return g(n)\n\n\ndef f(a):\n    return 1\n", id="itself"),
]


@pytest.mark.parametrize(("new", "plain"), INLINED)
def test_helpers_of_one_expression(new: str, plain: str) -> None:
    assert _made("inlined", "def f(a):\n    return a\n", new) == plain


@pytest.mark.parametrize("new", STAYS)
def test_other_helpers_stay(new: str) -> None:
    assert _made("inlined", "def f(a):\n    return a\n", new) == new


def test_a_helper_of_the_author_stays() -> None:
    text = "def g(xs):\n    return len(xs)\n\n\ndef f(a):\n    return g(a)\n"
    assert _made("inlined", text + "\n\nx = 1\n", text) == text


def test_a_dictionary_that_copies_a_counter_is_one() -> None:
    old = (
        "def f(words):\n    freq = {}\n    for w in words:\n        freq[w] = words.count(w)\n"
        "    return freq\n"
    )
    new = old.replace("    for w", "    counts = Counter(words)\n    for w")
    new = new.replace("words.count(w)", "counts[w]")
    assert _made("shorter", old, new) == ("def f(words):\n    return dict(Counter(words))\n")
    used = new.replace("return freq", "return freq, w")
    assert _made("shorter", old, used) == used
