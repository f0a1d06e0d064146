"""Plots of runs and of comparisons, one function each, for notebooks and reports alike.

Each returns a figure of plotly, and takes its numbers from the tables of runs. Texts of
programs and models are escaped: plotly would take some of them for markup. Not here: the
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from se_agent.analysis import operator_credit as credit
from se_agent.analysis.comparison import ArmComparison
from se_agent.analysis.comparison_rows import comparison_rows
from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.recorded_runs import RecordedRuns, readable
from se_agent.analysis.run_tables.columns import names_of
from se_agent.analysis.seed_surface import seed_surfaces
from se_agent.errors import ConfigError
from se_agent.wire.spelling import visible

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Spending = Literal["evaluations", "calls", "tokens", "cpu_seconds", "run_cpu_seconds", "money"]
"""What progress is drawn against; CPU seconds as the tables `runs` and `steps` name them."""

_SPENT: Mapping[Spending, tuple[str, str]] = {
    "evaluations": ("evaluations", "evaluations"),
    "calls": ("calls", "calls of models"),
    "tokens": ("tokens", "tokens"),
    "cpu_seconds": ("run_cpu_seconds", "CPU seconds"),
    "run_cpu_seconds": ("run_cpu_seconds", "CPU seconds"),
    "money": ("money", "money"),
}
"""Column of the table `steps`, and title."""

_COLOURS = {
    "better": "#2a9d4b",
    "within noise": "#8a8f98",
    "worse": "#c47f17",
    "failed": "#c0392b",
    "initial": "#2f6fd0",
    "minimised": "#2a9d4b",
}
_EFFECT = "logarithm of the gain over the initial program, or gained score"


def progress(
    runs: RecordedRun | Iterable[RecordedRun], against: Spending = "evaluations"
) -> Figure:
    """Return the best effect known of each run against what it had spent.

    Raises:
        ConfigError: plotly is not installed, or nothing of that name is spent.
    """
    go = _plotly()
    if against not in _SPENT:
        known = ", ".join(_SPENT)
        raise ConfigError(f"no column {against!r} of what is spent", hint=f"one of {known}")
    column, title = _SPENT[against]
    figure = go.Figure(layout=_layout("Progress of the search", title, _EFFECT))
    for run in _each(runs):
        steps = [step for step in _rows(run, "steps") if step["best_effect"] is not None]
        figure.add_scatter(
            x=[0, *(step[column] for step in steps)],
            y=[0.0, *(step["best_effect"] for step in steps)],
            line_shape="hv",
            mode="lines",
            name=_text(run.name),
        )
    return figure


def gains(found: ArmComparison, measure: str = "") -> Figure:
    """Return the effect of each arm on each problem, with its interval over seeds.

    Args:
        found: A comparison.
        measure: Name of a measure in it; empty: what the runs came to, the proven gain or else
            the gained score.

    Raises:
        ConfigError: plotly is not installed, or these are runs, which nobody compared yet.
    """
    go = _plotly()
    if not isinstance(found, ArmComparison):
        is_none = "gains are drawn of a comparison, and this is none"
        raise ConfigError(
            is_none,
            hint="`plots.gains(se_agent.compare(PLACE))`, or `runs.compare()` of runs "
            "that were opened",
        )
    results = (each.measure.name for each in found.measures if each.measure.is_result)
    measure = measure or next(results, "gain")
    rows = [row for row in comparison_rows(found) if row.measure == measure]
    is_factor = any(row.scale != "difference" for row in rows)
    figure = go.Figure(layout=_layout(f"Arms against {_text(found.base.name)}", "", measure))
    figure.update_yaxes(type="log" if is_factor else "linear")
    figure.add_hline(y=1.0 if is_factor else 0.0, line_dash="dot")
    for arm in dict.fromkeys(row.arm for row in rows):
        own = [row for row in rows if row.arm == arm]
        figure.add_scatter(
            x=[_text(row.problem) or "all problems" for row in own],
            y=[row.effect for row in own],
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [0.0 if row.high is None else row.high - row.effect for row in own],
                "arrayminus": [0.0 if row.low is None else row.effect - row.low for row in own],
            },
            mode="markers",
            name=_text(arm),
        )
    return figure


def seeds_by_evaluations(runs: RecordedRun | Iterable[RecordedRun]) -> Figure:
    """Return the best effect known by seed and number of evaluations, a panel for each arm.

    Each row is a seed: the mean over the problems. The title of a panel has the spread between
    its seeds at the end.

    Raises:
        ConfigError: plotly is not installed, or there is no mean (see `seed_surfaces`).
    """
    found = seed_surfaces(
        replace(run.record, arm=run.name.rpartition("/")[0]) for run in _each(runs)
    )
    titles = [
        f"{_text(arm.arm)}: seeds end at {arm.spread[0]:.3g} to {arm.spread[1]:.3g}"
        for arm in found
    ]
    figure = _plotly("plotly.subplots").make_subplots(
        rows=len(found), shared_xaxes=True, subplot_titles=titles
    )
    over = ", ".join(map(_text, found[0].problems))
    figure.update_layout(
        title=f"Effect by seed, mean over {over}",
        template="plotly_white",
        coloraxis_colorbar_title="effect",
        height=200 + 180 * len(found),
    )
    for place, arm in enumerate(found, 1):
        z = [[*row] for row in arm.effects.values()]
        y = [f"seed {seed}" for seed in arm.effects]
        x = [*range(len(z[0]))]
        figure.add_heatmap(x=x, y=y, z=z, coloraxis="coloraxis", row=place, col=1)
    figure.update_xaxes(title_text="evaluations", row=len(found), col=1)
    return figure


def lineage(run: RecordedRun) -> Figure:
    """Return the programs of a run by generation and effect, each joined to its first parent.

    Raises:
        ConfigError: plotly is not installed, or these are several runs: ids of programs are
            the same in each.
    """
    go = _plotly()
    if not isinstance(run, RecordedRun):
        several = "a lineage is of one run: programs of several have the same ids"
        name = next((each.name for each in run), "NAME")
        raise ConfigError(several, hint=f"choose one: `plots.lineage(runs[{name!r}])`")
    known = {row["solution"]: row for row in _rows(run, "solutions")}
    placed = {name: row for name, row in known.items() if row["total_effect"] is not None}
    figure = go.Figure(layout=_layout("Lineage", "generation", _EFFECT))
    lines: list[tuple[Any, Any]] = []
    for row in placed.values():
        parent = placed.get(row["parents"].partition(" ")[0])
        if parent is not None:
            ends = [(each["generation"], each["total_effect"]) for each in (parent, row)]
            lines += [*ends, (None, None)]
    x, y = zip(*lines, strict=True) if lines else ((), ())
    figure.add_scatter(x=x, y=y, mode="lines", line_color="#c9ccd1", showlegend=False)
    for outcome in dict.fromkeys(row["outcome"] for row in placed.values()):
        own = [row for row in placed.values() if row["outcome"] == outcome]
        figure.add_scatter(
            x=[row["generation"] for row in own],
            y=[row["total_effect"] for row in own],
            text=[_text(f"{row['solution']}: {row['direction']}") for row in own],
            mode="markers",
            marker_color=_COLOURS.get(outcome, "#8a8f98"),
            name=outcome,
        )
    return figure


def operator_credit(runs: RecordedRun | Iterable[RecordedRun]) -> Figure:
    """Return how the steps of each operator ended, those with the most gains first.

    Raises:
        ConfigError: plotly is not installed.
    """
    go = _plotly()
    found = credit.operator_credit(row for run in _each(runs) for row in run.rows("steps"))
    outcomes = dict.fromkeys(["better", *(name for each in found for name in each.outcomes)])
    figure = go.Figure(layout=_layout("Credit of operators", "", "steps"))
    figure.update_layout(barmode="stack")
    for outcome in outcomes:
        figure.add_bar(
            x=[_text(each.operator) for each in found],
            y=[each.outcomes.get(outcome, 0) for each in found],
            marker_color=_COLOURS.get(outcome),
            name=outcome,
        )
    return figure


def _each(runs: RecordedRun | Iterable[RecordedRun]) -> Iterable[RecordedRun]:
    if isinstance(runs, RecordedRuns):
        return readable(runs)
    return [runs] if isinstance(runs, RecordedRun) else runs


def _rows(run: RecordedRun, table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table by the names of their columns."""
    for row in run.rows(table):
        yield dict(zip(names_of(table), row, strict=True))


def _layout(title: str, across: str, up: str) -> dict[str, object]:
    return {
        "title": title,
        "xaxis_title": across,
        "yaxis_title": up,
        "template": "plotly_white",
    }


def _text(text: str) -> str:
    """Return a text that plotly shows as it is."""
    return escape(visible(text))


def _plotly(module: str = "plotly.graph_objects") -> Any:  # a module without types
    try:
        return import_module(module)
    except ImportError as err:
        missing = "a plot needs plotly, which is not installed here"
        raise ConfigError(missing, hint="pip install 'se-agent[analysis]'") from err
