"""Knock-outs in words: what an edit was worth, with its doubt.

Not here: how they are measured (`engine.run.knock_outs`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from se_agent.report.steps import edit_line
from se_agent.report.terminal.columns import Columns
from se_agent.report.words import phrases
from se_agent.stats.ranks import rank_correlation
from se_agent.values.knock_out import KnockOut, KnockOutOutcome, KnockOutTable
from se_agent.wording import counted

_LEAST = 4  # edits that are ranked: of three, one order in six is right by chance
_SAID = {
    KnockOutOutcome.BOUND: "not measured: other edits find no place without it",
    KnockOutOutcome.GAIN: "needed: a proven gain",
    KnockOutOutcome.UNSEEN: "no effect proven",
    KnockOutOutcome.HARM: "harmful: better without it, and that is proven",
}


def verdict(found: KnockOut) -> str:
    """Say what came of leaving an edit out."""
    if found.outcome is KnockOutOutcome.NEEDED:
        ending = phrases.ENDINGS.get(found.status, f"ended as {found.status}")
        return f"needed: without it the program {ending}"
    if found.outcome is KnockOutOutcome.REFUTED:
        ending = phrases.ENDINGS.get(found.status, f"ended as {found.status}")
        return f"not measured: the champion itself {ending} on these inputs"
    return _SAID[found.outcome]


def worth(found: KnockOut, *, timed: bool) -> str:
    """Return the effect with its interval, such as `1.32x (1.28x to 1.36x)`; empty: none."""
    if found.effect is None or found.low is None or found.high is None:
        return ""
    if not timed:
        return phrases.figure(found.effect)
    effect, low, high = map(math.exp, (found.effect, found.low, found.high))
    return f"{phrases.times(effect)} ({phrases.times(low)} to {phrases.times(high)})"


def line(found: KnockOut, *, timed: bool) -> str:
    """Return a knock-out on one line."""
    value = worth(found, timed=timed)
    told = f"{value}, {verdict(found)}" if value else verdict(found)
    return f"without {edit_line(found.edit)}: {told}"


def columns(table: KnockOutTable, *, timed: bool) -> Columns:
    """Return a table, the largest effect first."""
    made = Columns(("worth (99 %)" if timed else "worth", "verdict", "edit"))
    order = {
        one: place for place, one in enumerate((KnockOutOutcome.NEEDED, KnockOutOutcome.BOUND))
    }
    ranked = sorted(
        table.rows, key=lambda one: (order.get(one.outcome, -1), -(one.effect or 0.0))
    )
    for found in ranked:
        made.add(worth(found, timed=timed) or "-", verdict(found), edit_line(found.edit))
    return made


def ranked_alike(table: KnockOutTable) -> float | None:
    """Return Spearman's correlation of believed and measured effects; None: too few of both."""
    both = [
        (one.credited, one.effect)
        for one in table.rows
        if one.credited is not None and one.effect is not None
    ]
    return rank_correlation(both) if len(both) >= _LEAST else None


def summary(table: KnockOutTable) -> Iterator[str]:
    """Yield what the table comes to, and whether memory had ranked the edits alike."""
    many = Counter(found.outcome for found in table.rows)
    needed = many[KnockOutOutcome.GAIN] + many[KnockOutOutcome.NEEDED]
    told = f"{needed} of {counted(table.edits, 'edit')} needed"
    for outcome, words in (
        (KnockOutOutcome.UNSEEN, "without a proven effect"),
        (KnockOutOutcome.HARM, "harmful"),
        (KnockOutOutcome.BOUND, "not measured"),
        (KnockOutOutcome.REFUTED, "on whose inputs the champion is wrong"),
    ):
        told += f", {many[outcome]} {words}" if many[outcome] else ""
    yield told
    found = ranked_alike(table)
    if found is not None:
        yield f"rank correlation with what the run's memory believed: {found:.2f}"
    else:
        yield (
            "no rank correlation with what the run's memory believed: it takes"
            f" {_LEAST} edits that it has measured, too"
        )


def row(table: KnockOutTable) -> dict[str, object]:
    """Return the table for a program that reads it."""
    return {
        "solution": table.solution,
        "seed": table.seed,
        "blocks": table.blocks,
        "rank_correlation": ranked_alike(table),
        "edits": [
            {
                "edit": edit_line(found.edit),
                "outcome": found.outcome.value,
                "status": found.status.value,
                "effect": found.effect,
                "low": found.low,
                "high": found.high,
                "credited": found.credited,
            }
            for found in table.rows
        ],
    }
