"""Parts of sequences and growing lists are asked once an element, not once a pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.running_aggregate import RunningAggregate
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    out = []
    for i in range(len(xs)):
        out.append(max(xs[: i + 1]))  # so far
    return out
"""
AFTER = """
from itertools import accumulate

def solve(xs):
    out = []
    xs_max_to = [*accumulate(xs, max)]
    for i in range(len(xs)):
        out.append(xs_max_to[i])  # so far
    return out
"""
GROWS = """
def solve(xs):
    seen, out = [], []
    kept = [3]
    for x in xs:
        kept.append(x)
        out.append(max(kept) - min(kept) + sum(kept))
    return out
"""
SHAPES = {
    "grows": GROWS,
    "end": "def solve(xs):\n    return [min(xs[i:]) for i in range(len(xs))]\n",
    "end-that-is-named": "def solve(xs):\n    n = 0\n    for i in range(len(xs)):\n"
    "        n += max(xs[i:len(xs)])\n    return n\n",
    "default": "def solve(xs):\n"
    "    return [max(xs[i + 1:], default=-1) + min(xs[:i], default=4) "
    "for i in range(len(xs))]\n",
    "kinds": "def solve(xs):\n"
    "    return [len(set(xs[0:i])) - len(set(xs[i:])) for i in range(len(xs) + 1)]\n",
    "shifted": "def solve(xs):\n    out = []\n    for i in range(1, len(xs)):\n"
    "        out.append(min(xs[:i]))\n    return out\n",
}


class TestContract(RuleContract):
    rule = RunningAggregate
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(RunningAggregate(), SLOW) == [dedented(AFTER)]


def test_a_growing_list_gets_a_running_value_for_each_question() -> None:
    texts = rewritten(RunningAggregate(), GROWS)
    assert len(texts) == 3
    assert "    kept_sum = sum(kept)\n    for x in xs:\n        kept.append(x)\n" in texts[2]
    assert "        kept_sum += x\n" in texts[2]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("m = max(xs[:i])", id="no-loop"),
        pytest.param("for i in r:\n    f(max(xs[:9]))\n", id="the-same-part"),
        pytest.param("for i in r:\n    f(max(xs[:-i]))\n", id="from-the-other-end"),
        pytest.param("for i in r:\n    f(max(xs[i:i + 3]))\n", id="a-window"),
        pytest.param("for i in r:\n    f(max(xs[:i:2]))\n", id="steps"),
        pytest.param("for i in r:\n    f(max(xs[:i]))\n    xs[i] = 0\n", id="written"),
        pytest.param("for i in r:\n    f(max(xs[:i], key=g))\n", id="another-order"),
        pytest.param(
            "s = []\nfor i in r:\n    s.append(i)\n    s.pop(0)\n    f(max(s))\n", id="cut"
        ),
        pytest.param("s = []\nfor i in r:\n    s.append(i)\nf(max(s))\n", id="asked-once"),
        pytest.param(
            "s = []\nfor i in r:\n    s.append(i)\n    f(max(s, key=g))\n", id="by-key"
        ),
        pytest.param(
            "def f(r):\n    s = []\n    def g(i):\n        s.append(i)\n"
            "    for i in r:\n        g(i)\n        h(max(s))\n",
            id="another-function-lets-it-grow",
        ),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(RunningAggregate(), text) == []


@pytest.mark.parametrize(
    ("asked", "first", "new"),
    [
        ("max(s)", "", "s_max if s else max(())"),
        ("max(s) if s else 0", "", "s_max if s else 0"),
        ("s and x and min(s)", "", "s and x and s_min"),
        ("s or max(s)", "", "s or (s_max if s else max(()))"),
        ("max(s)", "s.append(x)", "s_max"),
        ("max(s)", "s.append(x); s = []", "s_max if s else max(())"),
    ],
)
def test_the_maximum_of_nothing_is_still_an_error(asked: str, first: str, new: str) -> None:
    lines = "".join(f"        {line}\n" for line in first.split("; "))
    head = f"def solve(xs):\n    s, out = [], []\n    for x in xs:\n{lines}"
    text = f"{head}        out.append({asked})\n        s.append(x)\n    return out\n"
    (changed,) = rewritten(RunningAggregate(), text)
    assert f"        out.append({new})\n" in changed
    for xs in ([], [2, 1, 3]):
        assert _outcome(changed, xs) == _outcome(text, xs)


def _outcome(text: str, xs: list[int]) -> object:
    try:
        return answer(text, (xs,))
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(xs=st.lists(st.integers(-5, 9), max_size=8))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(RunningAggregate(), text, xs)


ALIKE = st.sampled_from([0, 1, 0.0, 1.0, False, True])


@pytest.mark.parametrize("shape", ["end", "end-that-is-named", "default"])
@given(xs=st.lists(ALIKE, max_size=8))
def test_the_first_of_equal_ones_is_it(shape: str, xs: list[float]) -> None:
    for new in rewritten(RunningAggregate(), SHAPES[shape]):
        assert repr(answer(new, (xs,))) == repr(answer(SHAPES[shape], (xs,)))
