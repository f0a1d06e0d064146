"""What several runs came to together: gains, and shares of their references' figures. Pure.

Runs that have not ended are left out, as are problems that could not be measured; a run that
failed counts as no gain, and as a share of 0. A share that could not be measured is in no mean,
and counted. Not here: the means themselves (`stats.summary`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from se_agent.engine.journal.result import Result
from se_agent.engine.journal.shares import NAMES
from se_agent.stats.summary import Summary, summary

_OVER = frozenset({"proven", "not_proven", "not_tried", "failed"})


def overall(results: Iterable[Result]) -> dict[str, Summary]:
    """Return the summary of the gains and of each share, where there is one to tell.

    Args:
        results: Results of runs. Those without an objective are passed over.
    """
    ended = [r for r in results if r.status in _OVER and r.gain is not None]
    gains = [1.0 if r.status == "failed" else r.gain or 1.0 for r in ended]
    told = {"gain": summary(gains)}
    for name in NAMES:
        values: list[float | None] = [getattr(result, name) for result in ended]
        known = [value for value in values if value is not None]
        told[name] = summary(known, unknown=len(values) - len(known))
    return {name: found for name, found in told.items() if found is not None}


def as_json(found: dict[str, Summary]) -> dict[str, dict[str, float]]:
    """Return the object of `--json`.

    Shares are never above 1 and have no thresholds; a gain is always known.
    """
    rows = {name: asdict(one) for name, one in found.items()}
    for name, row in rows.items():
        for key in ("from_small", "from_large") if name in NAMES else ("unknown",):
            del row[key]
    return rows
