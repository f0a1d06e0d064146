"""Numbers of a program that become marked constants, where a run asks for it."""

from __future__ import annotations

import ast
import dataclasses

import pytest

from operators.editing.genome import replayed
from operators.tuning.constants import marked
from operators.tuning.literals import TuneLiterals
from operators.tuning.tune import Tune
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit
from tests import fakes
from tests.contracts.operator import OperatorContract

TEXT = '''"""A program."""
import math

LIMIT = 9


def f(xs, most=7):
    for _ in range(40):  # é
        if "é" and xs[0] > 0.25 or len(xs) == 2:
            xs = g(xs, 5, rate=1.5, on=True)
    return xs[12] * 3
'''


class TestTuneLiterals(OperatorContract):
    @pytest.fixture
    def operator(self) -> Operator:
        return TuneLiterals()

    @pytest.fixture
    def given(self) -> Brief:
        return fakes.brief(TEXT)


def proposed() -> str:
    proposal = TuneLiterals().propose(fakes.brief(TEXT))
    assert proposal is not None
    return proposal.solution.text


def test_numbers_that_feed_comparisons_and_calls_are_named() -> None:
    made = proposed()
    assert "range(TUNED_1):  # é" in made
    assert 'if "é" and xs[0] > TUNED_2 or len(xs) == 2:' in made
    assert "g(xs, TUNED_3, rate=TUNED_4, on=True)" in made
    assert "return xs[12] * 3" in made
    found = marked({"main.py": made})
    assert [(one.name, one.low, one.high) for one in found] == [
        ("TUNED_1", 10, 160),
        ("TUNED_2", 0.0625, 1.0),
        ("TUNED_3", 1, 20),
        ("TUNED_4", 0.375, 6.0),
    ]
    assert (
        sum(one.value != old for one, old in zip(found, (40, 0.25, 5, 1.5), strict=True)) == 1
    )
    assert made.index("import math") < made.index("TUNED_1 =") < made.index("LIMIT")
    ast.parse(made)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param("def f(x):\n    return x < 0.5 * len(x) - 7\n", [0.5, 7], id="terms"),
        pytest.param("def f(x):\n    return g(-40)\n", [40], id="negative"),
        pytest.param("N = 40\ndef f():\n    return range(N)\n", [40], id="global"),
        pytest.param("N: int = 40\ndef f():\n    return range(N + 1)\n", [40], id="typed"),
        pytest.param("def f(x):\n    n = 9\n    return g(n // 4)\n", [9, 4], id="variable"),
        pytest.param(
            "def f(a, n=9, *, r=0.5, s):\n    return a < n * r\n", [9, 0.5], id="default"
        ),
        pytest.param("N = 40  # tune: 9..50\ndef f():\n    return g(N, 5)\n", [5], id="marked"),
        pytest.param("def f(x):\n    n = 9\n    return x[n], g(x[5])\n", [], id="index"),
    ],
)
def test_what_feeds_a_bound_a_threshold_or_a_call(text: str, named: list[float]) -> None:
    made = TuneLiterals().replay(
        {"main.py": text}, Edit(rule="tune_literals", function="", node="")
    )
    found = marked(made or {})
    assert [one.value for one in found if one.name.startswith("TUNED_")] == named
    ast.parse((made or {"main.py": ""})["main.py"])


def test_its_edits_replay_to_it_and_tuners_go_on_from_there() -> None:
    proposal = TuneLiterals().propose(fakes.brief(TEXT))
    assert proposal is not None
    again = replayed({"main.py": TEXT}, proposal.solution.edits)
    assert again == (proposal.solution.files, ())
    brief = fakes.brief(TEXT)
    slot = dataclasses.replace(brief.slot, parents=(proposal.solution,))
    brief = dataclasses.replace(brief, slot=slot)
    assert Tune().propose(brief) is not None
    assert TuneLiterals().propose(brief) is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f(x):\n    return g(x, 1, 2, True, 0.0)\n", id="small-numbers"),
        pytest.param("x = g(40)\n", id="module-level"),
        pytest.param(f"# EVOLVE-BLOCK-START\n{TEXT}# EVOLVE-BLOCK-END\n", id="marked-block"),
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert TuneLiterals().propose(fakes.brief(text)) is None
