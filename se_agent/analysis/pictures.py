"""A run and a program as HTML for a notebook. Pure; whatever a program or a model said is text.

Not here: the report with its pages (`se_agent.report`).
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from se_agent.analysis.run_tables.columns import names_of
from se_agent.analysis.run_tables.step_facts import Row, text_of
from se_agent.config.deviations import in_words
from se_agent.engine.journal.result import Result
from se_agent.values.solution import Solution
from se_agent.wire.spelling import visible

_LINES = 400
"""Lines of a difference that are shown."""


def run_picture(result: Result, steps: Sequence[Row]) -> str:
    """Return a table of what a run came to, as HTML."""
    outcome = names_of("steps").index("outcome")
    counts = Counter(str(row[outcome]) for row in steps)
    ended = ", ".join(f"{number} {name}" for name, number in counts.most_common())
    rows = {
        "run": result.run,
        "problem": f"{result.problem}, seed {result.seed}",
        "settings": in_words(result.settings) or "default",
        "status": result.status.replace("_", " "),
        "best": f"{result.best_solution_id}{_figure(result)}",
        "steps": ended or "none",
        "spent": f"{result.evaluations} evaluations, {result.cpu_seconds:.1f} CPU s, "
        f"{result.calls} calls, {result.tokens} tokens",
    }
    return f"<table>{''.join(_row(name, value) for name, value in rows.items())}</table>"


def in_short(result: Result) -> str:
    """Return what a run came to as one line that drives no terminal."""
    told = f"{result.problem}, seed {result.seed}: {result.status.replace('_', ' ')}"
    best = _figure(result).removeprefix(": ")
    return visible(f"{told}{', ' if best else ''}{best}; {result.evaluations} evaluations")


def solution_picture(solution: Solution, parent: Solution | None) -> str:
    """Return a program as HTML: what it is, and its difference to the one it was made from."""
    origin = f"{solution.operator} of {', '.join(solution.parents) or 'nothing'}"
    head = f"<p><b>{_text(solution.id)}</b>: {_text(origin)}</p>"
    if parent is None:
        return f"{head}<pre>{_text(text_of(solution))}</pre>"
    lines = list(_difference(text_of(parent), text_of(solution)))
    left = len(lines) - _LINES
    more = f"\n... and {left} more lines" if left > 0 else ""
    return f"{head}<pre>{_text(chr(10).join(lines[:_LINES]) + more)}</pre>"


def _difference(old: str, new: str) -> Iterable[str]:
    return difflib.unified_diff(
        old.splitlines(), new.splitlines(), "parent", "this", lineterm=""
    )


def _figure(result: Result) -> str:
    if result.direction is not None:
        return f": score {result.score_initial} -> {result.score} ({result.direction})"
    if result.gain is None or result.status != "proven":
        return ""
    return (
        f": {result.gain:.2f}x, 99 % interval {result.gain_low:.2f}x to {result.gain_high:.2f}x"
    )


def _row(name: str, value: str) -> str:
    return f"<tr><th>{_text(name)}</th><td>{_text(value)}</td></tr>"


def _text(text: str) -> str:
    """Return a text that is no markup, and drives nothing."""
    return escape("\n".join(map(visible, text.split("\n"))))
