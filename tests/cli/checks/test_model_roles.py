"""`check` of a run file with models: what would be asked of whom, and why nobody could be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import call, two_lines
from tests.cli.folders import problem_folder

HERE = "models.main.base_url=http://127.0.0.1:9/v1"


def checked(*settings: str, problem: object = "order_report") -> list[object]:
    sets = [
        part for setting in ("models.main.name=gpt", *settings) for part in ("--set", setting)
    ]
    return ["check", problem, "--static", *sets]


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.mark.tier("runs")
def test_each_model_has_its_share_of_each_role(tmp_path: Path) -> None:
    """The problem is small: what rules would try of it is counted at once."""
    other = ("models.big.name=large", "models.big.base_url=http://127.0.0.1:9/v1")
    settings = (HERE, *other, "models.big.weights.mutate=3.0")
    called = call(*checked(*settings, problem=problem_folder(tmp_path)))
    assert called.code == 0, called
    assert (
        "models       big: large, plan 50%, replan 50%, rewrite 75%, refine 75%, " in called.out
    )
    assert (
        "             main: gpt, plan 50%, replan 50%, rewrite 25%, refine 25%, " in called.out
    )


def test_without_models_there_is_no_word_of_them(tmp_path: Path) -> None:
    called = call("check", problem_folder(tmp_path), "--static")
    assert called.code == 0, called
    assert "models " not in called.out


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param([], "gpt: no key in OPENAI_API_KEY", id="key"),
        pytest.param(
            ["models.main.base_url=example.com/v1"], "gpt: its base_url is no URL", id="address"
        ),
        pytest.param(
            ["models.main.provider=nope:x"], "model 'nope:x': No module", id="provider"
        ),
        pytest.param([HERE, "budget.money=1"], "budget.money: models.main has no", id="prices"),
        pytest.param(
            [HERE, "models.main.context=900"], "models.main.context: 900", id="context"
        ),
        pytest.param(
            [HERE, "budget.tokens=500"], "budget.tokens: 500 has no room", id="budget"
        ),
    ],
)
def test_what_a_run_would_say_is_said_here(settings: list[str], said: str) -> None:
    called = call(*checked(*settings))
    error, _ = two_lines(called)
    assert error.startswith(said)
    assert called.code == 2
