"""The table of a foreign set: by seed, with the rows that could not be measured counted."""

from __future__ import annotations

from typing import Any

from experiments.figures.foreign import table


def row(**values: Any) -> dict[str, Any]:  # Any: JSON
    return {"status": "not_proven", "evaluations": 30, "gain": 1.0, **values}


def test_each_seed_has_a_column_and_what_is_false_is_named() -> None:
    found = {
        "p/1/0": row(seed=0, ratio=4.0, status="proven", gain=2.0, gain_low=1.2),
        "p/2/0": {"seed": 0, "ratio": 9.0, "status": "too_small"},
        "p/3/0": row(seed=0, ratio=1.0),
        "p/1/1": row(seed=1, ratio=4.0, status="proven", gain=8.0, gain_low=7.0),
        "p/3/1": row(seed=1, ratio=1.0, status="proven", gain=1.2, gain_low=1.1),
        "p/4/1": row(seed=1, ratio=1.3, status="proven", gain=1.2, gain_low=1.1),
        "p/1": row(ratio=4.0, status="proven", gain=4.0),
    }
    text = table({key: {"key": key, **one} for key, one in found.items()})
    assert "| figure | seed 0 | seed 1 | all |" in text
    assert "| rows made so far | 3 | 3 | 6 |" in text, "rows without a seed are of another kind"
    assert "| rows too small | 1 | 0 | 1 |" in text
    assert "| headroom recovered, all of them | 0.250 | 1.000 | 0.500 |" in text
    assert "| headroom recovered, the measurable | 0.500 | 1.000 | 0.750 |" in text
    assert "1.5x or more, all of them | 1 (50 %) | 1 (100 %) | 2 (67 %) |" in text
    assert "interval at 1.5x or more, all of them | 0 (0 %) | 1 (100 %) | 1 (33 %) |" in text
    assert "| false improvements among them | 0 (0 %) | 1 (50 %) | 1 (33 %) |" in text
    assert "False: p/3/1." in text
