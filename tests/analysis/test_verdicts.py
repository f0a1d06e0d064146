"""What is said of an arm problem by problem: chance is excluded, or seeds agree, or neither."""

from __future__ import annotations

import math

import pytest

from se_agent.analysis.comparison import compare_runs
from se_agent.analysis.verdicts import ArmVerdict, problem_verdicts
from se_agent.report.words.comparison import csv_text, markdown, tables
from se_agent.stats.holm import FALSE_AT_MOST
from se_agent.stats.paired import DoubtedValue, PairKey, Values, paired_effect
from tests.analysis.arms import record, records

BASE = (1.0, 1.1, 1.3)


def values(*each: float, problem: str = "p", doubt: float = 0.01) -> Values:
    return {PairKey(problem, seed): DoubtedValue(v, doubt) for seed, v in enumerate(each)}


def said(null: Values | None = None, **arms: Values) -> dict[str, str]:
    """Return the words on each arm, which all have the problem `p`."""
    base = values(*BASE)
    given = arms | ({} if null is None else {"null": null})
    paired = {name: found for name, arm in given.items() if (found := paired_effect(arm, base))}
    return {name: found["p"].words for name, found in problem_verdicts(paired).items()}


def ahead(*by: float) -> Values:
    return values(*(value + more for value, more in zip(BASE, by, strict=False)))


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ((0.5, 0.51, 0.49), "better"),
        ((-0.5, -0.51, -0.49), "worse"),
        ((0.5, 0.1, 1.9), "better with all 3 seeds"),
        ((-0.5, -0.1, -1.9), "worse with all 3 seeds"),
        ((0.5, -0.1, 1.9), "no difference shown"),
        ((0.5, 0.0, 1.9), "no difference shown"),
        ((-0.5, -0.51), "worse with both seeds"),
        ((0.5, -0.5), "too few seeds"),
        ((0.5,), "better with its one seed"),
        ((0.0,), "too few seeds"),
    ],
)
def test_a_problem_has_a_verdict_of_its_own(by: tuple[float, ...], words: str) -> None:
    assert said(a=ahead(*by)) == {"a": words}


def test_what_the_null_arm_shows_on_a_problem_is_its_floor() -> None:
    noisy, small, large = ahead(0.3, -0.3, 0.1), ahead(0.2, 0.21, 0.19), ahead(3.0, 3.1, 2.9)
    found = said(null=noisy, small=small, large=large)
    assert found == {
        "small": ArmVerdict.NOISE,
        "large": ArmVerdict.BETTER,
        "null": ArmVerdict.FLOOR,
    }
    assert said(null=ahead(0.3, 0.4), a=ahead(0.2, 0.3))["a"] == ArmVerdict.NOISE


def test_many_statements_are_corrected_together() -> None:
    """What one arm would be believed for is not enough among twenty arms."""
    lucky = {"a": ahead(0.5, 0.45, 0.4)}
    assert said(**lucky)["a"] == "better"
    others = {f"b{n}": ahead(0.01, -0.01, 0.005) for n in range(20)}
    assert said(**lucky, **others)["a"] == "better with all 3 seeds"


@pytest.mark.tier("runs")
def test_chance_is_called_a_difference_on_a_problem_rarely() -> None:
    np = pytest.importorskip("numpy")
    rng, false, samples = np.random.default_rng(5), 0, 1000
    for _ in range(samples):
        arms = [
            {
                PairKey(f"p{p}", s): DoubtedValue(rng.normal())
                for p in range(3)
                for s in range(3)
            }
            for _ in range(3)
        ]
        paired = {str(n): paired_effect(arm, arms[0]) for n, arm in enumerate(arms[1:])}
        found = problem_verdicts({name: each for name, each in paired.items() if each})
        chances = [v.corrected for each in found.values() for v in each.values()]
        false += min(chance for chance in chances if chance is not None) <= FALSE_AT_MOST
    luck = 2 * math.sqrt(FALSE_AT_MOST * (1 - FALSE_AT_MOST) / samples)
    assert false / samples <= FALSE_AT_MOST + luck


def test_two_problems_have_no_interval_over_problems_but_verdicts_each() -> None:
    runs = [
        record(arm, problem=problem, seed=seed, gain=gain * 1.01**seed)
        for arm, gains in {"base": (2.0, 3.0), "other": (1.5, 3.0)}.items()
        for problem, gain in zip("pq", gains, strict=True)
        for seed in range(2)
    ]
    found = compare_runs(records(*runs), base="base")
    overall, by_problem = (
        table for table in tables(found) if table.title.startswith("proven gain")
    )
    assert overall.rows[0][1:4] == ("2", "0.87x", "none: 2 values")
    assert overall.rows[0][-2:] == ("-", "too few problems")
    assert [row[-1] for row in by_problem.rows] == ["worse with both seeds", "too few seeds"]
    assert "worse with both seeds" in markdown(found)
    assert "worse with both seeds" in csv_text(found)
    assert any("too few for an interval over problems" in note for note in found.notes)
