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
from se_agent.user_function.task import to_optimize, to_prove, to_workload
from se_agent.user_function.workloads import workload as workloads
from se_agent.user_function.workloads.targets import find_targets
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


@pytest.mark.parametrize("sized", [True, False])
def test_a_workload_with_sizes_is_asked_for_larger_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sized: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stock.py").write_text("def total(n):\n    return n\n", encoding="utf-8")
    use = "def workload(n):\n    return n\n"
    sizes = "SIZES = [1, 2]\n\n\ndef generate(rng, size):\n    return (size,)\n\n\n"
    (tmp_path / "use.py").write_text((sizes if sized else "") + use, encoding="utf-8")
    function = workloads.find_workload(f"{tmp_path / 'use.py'}:workload")
    targets = find_targets([f"{tmp_path / 'stock.py'}:total"])
    examples = () if sized else ("workload(1)", "workload(2)")
    inputs = workloads.inputs_of(function, "", examples)
    survey = Survey(Caller(OpenJail(), function), inputs)
    problem = to_workload(targets, survey, plan(survey, split=True), access([], ""))
    own = "put larger sizes into SIZES of use.py"
    others = "add --inputs MODULE:GENERATOR or --example with larger inputs"
    assert problem.terms.larger == (own if sized else others)
