"""The problem that is made of a function: what it says of its inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.user_function.function import find
from se_agent.user_function.inputs import source
from se_agent.user_function.jail_calls import Caller
from se_agent.user_function.plan import plan
from se_agent.user_function.site import access
from se_agent.user_function.survey import Survey
from se_agent.user_function.task import to_optimize, to_prove
from tests.user_function.jails import OpenJail

CASES = """\
def sized(rng, size): return ([rng.random() for _ in range(size)],)
def seeded(rng): return ([rng.random() for _ in range(9)],)
"""


@pytest.mark.parametrize(
    ("generator", "cost", "is_chosen"),
    [
        pytest.param("sized", "16e-4 * len(values)", True, id="of-several"),
        pytest.param("sized", "0.3", False, id="the-smallest-takes-long"),
        pytest.param("seeded", "0.1", False, id="without-sizes"),
    ],
)
def test_a_size_that_takes_long_is_no_choice_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, generator: str, cost: str, is_chosen: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.py").write_text(CASES, encoding="utf-8")
    text = f"def f(values):\n    return sorted(values)\ndef cost(values):\n    return {cost}\n"
    (tmp_path / "tools.py").write_text(text, encoding="utf-8")
    target = find(f"{tmp_path / 'tools.py'}:f")
    survey = Survey(Caller(OpenJail(), target), source(target, f"cases.py:{generator}", (), ()))
    found, shown = plan(survey, split=True), access([], "")
    for problem in (
        to_optimize(target, survey, found, shown),
        to_prove(target, target, survey, found, shown),
    ):
        assert problem.terms.chosen == is_chosen
