"""What `advise` offers to type next: the hottest function that a rule would make faster."""

from __future__ import annotations

import pytest

from se_agent.cli.advice.advice_table import AdvisedFunction, show_advice
from se_agent.cli.screen import Screen
from se_agent.user_function.advisor.costs import Owner
from se_agent.user_function.advisor.ranking import Hotspot


def advised(name: str, share: float, *rules: str) -> AdvisedFunction:
    spot = Hotspot(
        file="shop.py", name=name, line=1, owner=Owner.PROJECT, own=share, whole=share,
        calls=1, growth=None, passes_on=False, score=share,
    )  # fmt: skip
    return AdvisedFunction(hotspot=spot, rules=rules, optimize=("optimize", f"shop.py:{name}"))


@pytest.mark.parametrize(
    ("found", "offered"),
    [
        (
            [advised("hot", 0.8), advised("warm", 0.1, "seen_set")],
            "next:\n  se-agent optimize shop.py:warm\n",
        ),
        (
            [advised("hot", 0.8), advised("cold", 0.01, "seen_set")],
            "with a model:\n  se-agent optimize shop.py:hot --model MODEL\n",
        ),
    ],
    ids=["what-a-rule-changes", "nobody-would-feel-the-other"],
)
def test_the_next_command(
    found: list[AdvisedFunction], offered: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show_advice(Screen(), found)
    assert offered in capsys.readouterr().out
