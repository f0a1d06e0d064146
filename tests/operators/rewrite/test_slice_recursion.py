"""A recursion on parts of a sequence passes positions on."""

from __future__ import annotations

from textwrap import indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.rewrite.slice_recursion import SliceRecursion
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, dedented, rewritten

SLOW = """
def solve(xs, wanted):
    \"\"\"Whether a sorted list has an element.\"\"\"
    if not xs:
        return False
    middle = len(xs) // 2  # or so
    if xs[middle] == wanted:
        return True
    if xs[middle] < wanted:
        return solve(xs[middle + 1:], wanted)
    return solve(xs[:middle], wanted)
"""
AFTER = """
def solve(xs, wanted):
    \"\"\"Whether a sorted list has an element.\"\"\"
    def solve_from(start, stop, wanted):
        if start >= stop:
            return False
        middle = (stop - start) // 2  # or so
        if xs[start + middle] == wanted:
            return True
        if xs[start + middle] < wanted:
            return solve_from(min(start + middle + 1, stop), stop, wanted)
        return solve_from(start, min(start + middle, stop), wanted)

    return solve_from(0, len(xs), wanted)
"""
SHAPES = {
    "sum": "def solve(xs, n):\n    return xs[0] + solve(xs[1:], n) if xs else n\n",
    "mirrored": "def solve(xs, n):\n    if len(xs) == 0 or len(xs) == 1:\n        return n\n"
    "    return solve(xs[1:-1], n + 1) if xs[0] == xs[-1] else xs[1:-1]\n",
    "two": "def solve(xs, n, ys=(1, 2)):\n    if not xs:\n        return len(ys)\n"
    "    if not ys:\n        return sum(xs)\n    if xs[0] == ys[0]:\n"
    "        return solve(xs[1:], n, ys[1:])\n"
    "    return 1 + min(solve(xs[2:], n, ys), solve(xs[1:], n, ys[1:3]))\n",
    "steps": "def solve(xs, n, k=2):\n    if xs == [] or k < 0:\n        return [n]\n"
    "    return [max(xs), *xs[k:], *solve(xs[k + 1:], n - len(xs), k - 1)]\n",
    "defaults": "def solve(xs, n=0, ys=(1, 2), k=1):\n    if len(xs) < 2 or not ys:\n"
    "        return [n, xs[-k], xs[-k:]] if xs else [n, *xs[:-k]]\n"
    "    return solve(xs[1:], n + xs[0], ys[1:])\n",
    "window": "def solve(xs, n):\n    if len(xs) < 2:\n        return n\n"
    "    return solve(xs[1:3], n) + solve(xs[3:1], n) + solve(xs[:-2], n)\n",
}


METHOD = f"""
class Search:
{indent(SLOW.replace("def solve(", "def find(self, ").replace("solve(", "self.find("), "    ")}
def solve(xs, wanted):
    return Search().find(xs, wanted)
"""
SHAPES["method"] = METHOD


class TestContract(RuleContract):
    rule = SliceRecursion
    slow = SLOW
    others = tuple(SHAPES.values())


def test_positions_are_passed_on() -> None:
    assert rewritten(SliceRecursion(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("return f(xs[1:]) if xs else g(f)", id="the-function-is-handed-on"),
        pytest.param("return f(xs[::2]) if xs else 0", id="with-a-step"),
        pytest.param("return f(xs[1:] + xs[:1]) if xs else 0", id="no-part"),
        pytest.param("return f(ys[1:]) if xs else 0", id="of-another"),
        pytest.param("xs = g(xs)\n    return f(xs[1:])", id="set-anew"),
        pytest.param("xs.pop()\n    return f(xs[1:])", id="changed"),
        pytest.param("xs[0] = 1\n    return f(xs[1:])", id="written"),
        pytest.param("xs[:2] = g()\n    return f(xs[1:])", id="a-part-written"),
        pytest.param("del xs[:2]\n    return f(xs[1:])", id="a-part-deleted"),
        pytest.param("return f(xs[:-ys]) if xs else 0", id="all-but-none"),
        pytest.param("return f(xs[next(ys):2]) if xs else 0", id="a-trace"),
        pytest.param("return 0 if xs is None else f(xs[1:])", id="perhaps-none"),
        pytest.param(
            "try:\n        return f(xs[1:])\n    except IndexError:\n        return 0",
            id="until-an-error",
        ),
        pytest.param(
            "try:\n        return f(xs[1:])\n    except Exception:\n        return 0",
            id="until-any-error",
        ),
        pytest.param("return f(xs[1:]) if xs else 0\nf = g(f)", id="replaced"),
        pytest.param("return xs if len(xs) < 2 else f(xs[1:])", id="returned"),
        pytest.param("return g(xs) if len(xs) < 2 else f(xs[1:])", id="handed-on"),
        pytest.param("return f(xs=xs[1:]) if xs else 0", id="by-name"),
        pytest.param("return f(*xs[1:]) if xs else 0", id="unpacked"),
        pytest.param("yield from f(xs[1:]) if xs else ()", id="a-generator"),
        pytest.param("return f(xs) if xs else 0", id="no-slice"),
    ],
)
def test_must_not_fire(body: str) -> None:
    assert rewritten(SliceRecursion(), f"def f(xs, ys=None):\n    {body}\n") == []


def test_a_method_passes_positions_to_a_function_within() -> None:
    (new,) = rewritten(SliceRecursion(), METHOD)
    assert "        def find_from(start, stop, wanted):\n" in new
    assert "        return find_from(0, len(xs), wanted)\n" in new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("def find(self, ", "def find(", id="of-no-object"),
        pytest.param("return self.find(xs[:", "return other.find(xs[:", id="of-another"),
        pytest.param(
            "return self.find(xs[:", "return super().f() or self.find(xs[:", id="above"
        ),
        pytest.param("middle = ", "self = ", id="the-object-is-another"),
        pytest.param(
            "def solve", "Search.find = cached(Search.find)\n\ndef solve", id="replaced"
        ),
        pytest.param(
            "def solve", "class A(Search):\n    find = len\n\ndef solve", id="overridden"
        ),
        pytest.param(
            "def solve", "class A(Search):\n    def find(self): 0\n\ndef solve", id="below"
        ),
    ],
)
def test_must_not_fire_for_a_method(old: str, new: str) -> None:
    assert old in METHOD
    assert rewritten(SliceRecursion(), METHOD.replace(old, new)) == []


@pytest.mark.parametrize(
    "head",
    [
        "@cache\ndef f(xs)",
        "def f(xs, seen=[])",
        "def f(*xs)",
        "def f(xs=None)",
        "def f(xs: list | None)",
        "def f(xs, min=2)",
    ],
)
def test_must_not_fire_for(head: str) -> None:
    assert rewritten(SliceRecursion(), f"{head}:\n    return f(xs[1:]) if xs else 0\n") == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@settings(max_examples=40)
@given(xs=st.lists(st.integers(0, 4), max_size=7), n=st.integers(0, 4))
def test_same_answers(text: str, xs: list[int], n: int) -> None:
    (new,) = rewritten(SliceRecursion(), text)
    assert answer(new, (sorted(xs), n)) == answer(text, (sorted(xs), n))
    assert answer(new, (xs, n)) == answer(text, (xs, n))
