"""Guards of a change go where the types are known; what the author asked stays."""

from __future__ import annotations

import pytest

from se_agent.program.style.guards import assumptions, without_bounds, without_guards


def _function(body: str) -> str:
    return "def f(a, b):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


GUARDS = [
    pytest.param(
        "return s[b] if type(s[-1]) is int else sum(a[:b])",
        "return s[b]",
        id="in an expression",
    ),
    pytest.param(
        "return s[b] if type(s[-1]) is int and 0 <= b < len(s) else sum(a[:b])",
        "return s[b] if 0 <= b < len(s) else sum(a[:b])",
        id="what else is asked stays",
    ),
    pytest.param(
        "if type(a) is list and {*map(type, a)} <= {int}:\n    try:\n        return g(a)\n"
        "    except (TypeError, ValueError):\n        pass  # as before\nreturn sum(a)",
        "return g(a)",
        id="in front of the old body",
    ),
    pytest.param(
        "if type(a) is int and a >= 0:\n    try:\n        return g(a)\n"
        "    except (TypeError, ValueError):\n        pass\nreturn sum(a)",
        "if type(a) is int and a >= 0:\n    try:\n        return g(a)\n"
        "    except (TypeError, ValueError):\n        pass\nreturn sum(a)",
        id="it asks for more than types",
    ),
    pytest.param(
        "t = {}\nfor r in b:\n    t.setdefault(r[0], []).append(r)\n"
        "for r in t.get(a, ()):\n    if r[0] == a:\n        g(r)",
        "t = {}\nfor r in b:\n    t.setdefault(r[0], []).append(r)\n"
        "for r in t.get(a, ()):\n    g(r)",
        id="rows of a key",
    ),
    pytest.param(
        "t = {}\nfor r in b:\n    t.setdefault(r[0], []).append(r)\n"
        "for r in t.get(a, ()):\n    if r[1] == a:\n        g(r)",
        "t = {}\nfor r in b:\n    t.setdefault(r[0], []).append(r)\n"
        "for r in t.get(a, ()):\n    if r[1] == a:\n        g(r)",
        id="rows of another key",
    ),
]


@pytest.mark.parametrize(("new", "plain"), GUARDS)
def test_guards(new: str, plain: str) -> None:
    assert without_guards(_function("pass"), _function(new)) == _function(plain)


def test_bounds_go_with_the_old_body() -> None:
    new = _function(
        "if type(a) is int and a >= 0 and min(b, default=0) >= 0:\n    try:\n"
        "        return g(a)\n    except (TypeError, ValueError):\n        pass\nreturn sum(a)"
    )
    plain = without_bounds(_function("pass"), new)
    assert plain == _function("return g(a)")
    assert assumptions(new, plain) == ("type(a) is int", "a >= 0", "min(b, default=0) >= 0")


def test_a_key_that_is_not_asked_for_again_is_an_assumption() -> None:
    """It holds of all that is equal to itself: not of what is no number."""
    loop = "t = {}\nfor r in b:\n    t.setdefault(r[0], []).append(r)\nfor r in t.get(a, ()):\n"
    new = _function(f"{loop}    if r[0] == a:\n        g(r)")
    plain = _function(f"{loop}    g(r)")
    assert without_guards(_function("pass"), new) == plain
    assert assumptions(new, plain) == ("r[0] == a",)
    assert assumptions(new, new) == ()


def test_guards_of_the_author_stay() -> None:
    old = _function("return a if type(a) is int else b")
    new = _function("c = a\nreturn a if type(a) is int else b")
    assert without_guards(old, new) == new


def test_parts_of_a_question_that_the_author_asked_stay() -> None:
    old = _function("return a if isinstance(a, str) and a in b else None")
    new = _function("return a if isinstance(a, str) and a in c else None")
    assert without_guards(old, new) == new
