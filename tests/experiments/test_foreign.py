"""The table of a foreign set: by seed, with the rows that could not be measured counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experiments.figures.foreign import again, claimed, pooled, repeated, table
from se_agent.config.sections import Measure
from se_agent.errors import ProblemError
from se_agent.events import Confirmed
from se_agent.user_function.referee import RefereeOutcome
from se_agent.values.solution import Solution
from tests.finished import finished, recorded


def row(**values: Any) -> dict[str, Any]:  # Any: JSON
    return {"status": "not_proven", "evaluations": 30, "gain": 1.0, **values}


def test_each_seed_has_a_column_and_what_is_false_is_named() -> None:
    claim = {"status": "proven", "gain": 1.2, "gain_low": 1.1}
    found = {
        "p/1/0": row(seed=0, ratio=4.0, status="proven", gain=2.0, gain_low=1.2),
        "p/2/0": {"seed": 0, "ratio": 9.0, "status": "too_small"},
        "p/3/0": row(seed=0, ratio=1.0),
        "p/1/1": row(seed=1, ratio=4.0, status="proven", gain=8.0, gain_low=7.0),
        "p/3/1": row(seed=1, ratio=1.0, **claim, again_low=0.99),
        "p/4/1": row(seed=1, ratio=1.3, **claim),
        "p/5/1": row(seed=1, ratio=1.0, **claim, again_low=1.05),
        "p/6/1": row(seed=1, ratio=0.2, **claim, again_low=0.99),
        "p/1": row(ratio=4.0, status="proven", gain=4.0),
    }
    text = table({key: {"key": key, **one} for key, one in found.items()})
    assert "| figure | seed 0 | seed 1 | all |" in text
    assert "| rows made so far | 3 | 5 | 8 |" in text, "rows without a seed are of another kind"
    assert "| rows too small | 1 | 0 | 1 |" in text
    assert "| headroom recovered, all of them | 0.250 | 1.000 | 0.500 |" in text
    assert "| headroom recovered, the measurable | 0.500 | 1.000 | 0.750 |" in text
    assert "1.5x or more, all of them | 1 (50 %) | 1 (100 %) | 2 (67 %) |" in text
    assert "interval at 1.5x or more, all of them | 0 (0 %) | 1 (100 %) | 1 (33 %) |" in text
    assert "| improvements beyond what is known | 0 (0 %) | 3 (75 %) | 3 (60 %) |" in text
    assert "| false improvements among them | 0 (0 %) | 2 (50 %) | 2 (40 %) |" in text
    assert "Beyond what is known: p/3/1, p/5/1, p/6/1." in text
    assert "False: p/3/1, p/6/1." in text


def test_measurements_together_are_surer_than_each_of_them() -> None:
    assert pooled([(0.9, 1.6)]) == pytest.approx((0.9, 1.6))
    low, high = pooled([(1 / 1.1, 1.1)] * 4)
    assert (low, high) == pytest.approx((1.1**-0.5, 1.1**0.5))
    low, high = pooled([(1.0, 1.21), (0.98, 1.01 / 0.98 * 1.2)])
    assert low > 1.0, "the second one alone would not say so"


@pytest.mark.parametrize("wrong", [None, ProblemError("too slow", hint="wait")])
def test_a_claim_has_to_hold_each_time_it_is_measured(
    wrong: ProblemError | None, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    def measure(more: int) -> tuple[float, float] | None:
        asked.append(more)
        if len(asked) == 6 and wrong:
            raise wrong
        return (1.1, 1.2) if len(asked) < 6 else None

    found = repeated(measure)
    assert len(set(asked)) == 3, "each has inputs and blocks of its own"
    assert (found["again_low"] > 1.1, len(found["again"])) == (True, 3)
    assert repeated(measure)["again_low"] is None
    assert ("too slow" in capsys.readouterr().err) is bool(wrong)


_DRAWN = "import random\ndef given():\n    return random.randint(9000, 9999),\n"
_SLOW = "def f(n):\n    return sum([sum([i]) for i in range(n)])\n"
_FAST = "def f(n):\n    return n * (n - 1) // 2\n"
_WRONG = "def f(n):\n    return n * (n - 1) // 2 + n // 9000\n"  # for no input of a test


@pytest.mark.parametrize(
    ("program", "outcome"), [(_FAST, RefereeOutcome.FASTER), (_WRONG, RefereeOutcome.DIFFERENT)]
)
def test_a_claim_is_measured_again(program: str, outcome: RefereeOutcome) -> None:
    text = json.dumps(
        {
            "id": "made/1",
            "entry_point": "f",
            "slow": {"code": _SLOW},
            "tests": [{"args": "[3]", "expected": "3"}],
            "input_generator": _DRAWN,
            "perf_inputs": [{"expr": "given()", "seed": n} for n in range(3)],
        }
    )
    short = Measure(fast_seconds=0.001, slow_seconds=0.01)  # the gain is a thousandfold
    best = Solution(id="best", files={"main.py": program})
    found = again(text, best, seed=7, measure=short)
    assert found.outcome is outcome
    assert (found.interval is not None) == (outcome is RefereeOutcome.FASTER)


def test_what_is_measured_again_is_what_was_claimed(tmp_path: Path) -> None:
    run = finished(tmp_path, timed=True)
    events = list(recorded(run))
    proven = next(event for event in events if isinstance(event, Confirmed))
    assert proven.status == "proven"
    assert claimed(run).id == proven.solution
