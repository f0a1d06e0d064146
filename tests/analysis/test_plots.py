"""Plots show the numbers of the tables, and texts as texts."""

from __future__ import annotations

from pathlib import Path

import pytest

import se_agent
from se_agent.analysis import plots
from se_agent.analysis.recorded_runs import RecordedRuns
from se_agent.errors import ConfigError
from tests.analysis.arms import arm_in, run_in
from tests.house import python


@pytest.fixture(scope="module")
def runs(two_arms: Path) -> RecordedRuns:
    found = se_agent.open(two_arms)
    assert isinstance(found, RecordedRuns)
    return found


def test_progress_ends_where_the_run_did(runs: RecordedRuns) -> None:
    figure = plots.progress(runs)
    assert [line.name for line in figure.data] == [run.name for run in runs]
    for line, run in zip(figure.data, runs, strict=True):
        steps = run.steps()
        assert line.x[0] == line.y[0] == 0
        assert (line.x[-1], line.y[-1]) == (
            steps.evaluations.iloc[-1],
            steps.best_effect.iloc[-1],
        )


@pytest.mark.parametrize("name", ["cpu_seconds", "run_cpu_seconds"])
def test_cpu_seconds_go_by_the_names_of_both_tables(
    runs: RecordedRuns, name: plots.Spending
) -> None:
    run = runs["first/numbers-0"]
    figure = plots.progress(run, name)
    assert figure.layout.xaxis.title.text == "CPU seconds"
    assert figure.data[0].x[-1] == run.steps().run_cpu_seconds.iloc[-1] > 0


def test_a_column_that_is_not_spent_is_refused(runs: RecordedRuns) -> None:
    with pytest.raises(ConfigError, match="no column 'token'") as refused:
        plots.progress(runs, "token")  # type: ignore[arg-type]
    assert "tokens" in refused.value.hint


def test_gains_have_the_intervals_of_the_comparison(runs: RecordedRuns) -> None:
    found = runs.compare("first")
    (dots,) = plots.gains(found).data
    assert dots.name == "random"
    assert list(dots.x) == ["all problems", "numbers"]
    assert dots.error_y.array[0] >= 0
    assert len(plots.gains(found, "evaluations_to_50").data) == 1


@pytest.mark.tier("runs")
def test_where_programs_have_a_score_gains_are_gained_scores(tmp_path: Path) -> None:
    for arm in ("first", "random"):
        arm_in(tmp_path / arm, problems=["numbers"], timed=False)
    (dots,) = plots.gains(se_agent.compare(tmp_path, base="first")).data
    assert list(dots.x) == ["all problems", "numbers"]


def test_gains_of_runs_are_refused_with_what_compares_them(runs: RecordedRuns) -> None:
    with pytest.raises(ConfigError, match="gains are drawn of a comparison") as refused:
        plots.gains(runs)  # type: ignore[arg-type]
    assert "se_agent.compare(PLACE)" in refused.value.hint


def test_seeds_by_evaluations_has_a_panel_for_each_arm_and_a_row_for_each_seed(
    runs: RecordedRuns,
) -> None:
    figure = plots.seeds_by_evaluations(runs)
    first, other = figure.data
    assert list(first.y) == list(other.y) == ["seed 0", "seed 1"]
    titles = [each.text for each in figure.layout.annotations]
    assert [title.partition(":")[0] for title in titles] == ["first", "random"]
    for seed in (0, 1):
        end = runs[f"first/numbers-{seed}"].steps().best_effect.iloc[-1]
        assert first.z[seed][-1] == end > 0
        assert first.z[seed][0] == 0
    (alone,) = plots.seeds_by_evaluations(runs["first/numbers-0"]).data
    assert list(alone.y) == ["seed 0"]


def test_lineage_joins_programs_to_their_parents(runs: RecordedRuns) -> None:
    run = runs["first/numbers-0"]
    lines, *dots = plots.lineage(run).data
    placed = run.solutions().dropna(subset=["total_effect"])
    assert sum(len(each.x) for each in dots) == len(placed)
    assert len(lines.x) == 3 * (len(placed) - 1)


def test_a_lineage_of_several_runs_is_refused_with_how_to_choose_one(
    runs: RecordedRuns,
) -> None:
    with pytest.raises(ConfigError, match="a lineage is of one run") as refused:
        plots.lineage(runs)  # type: ignore[arg-type]
    assert refused.value.hint == "choose one: `plots.lineage(runs['first/numbers-0'])`"


def test_credit_counts_each_step_once(runs: RecordedRuns) -> None:
    figure = plots.operator_credit(runs)
    counted = sum(sum(bar.y) for bar in figure.data)
    steps = runs.frame("steps")
    assert counted == (steps.operator.fillna("") != "").sum() > 0


@pytest.mark.tier("runs")
def test_texts_are_no_markup(tmp_path: Path) -> None:
    run_in(tmp_path / "<b>x<b>", "run")
    found = se_agent.open(tmp_path)
    assert isinstance(found, RecordedRuns)
    assert "<b>" not in plots.progress(found).to_json()


@pytest.mark.tier("runs")
def test_without_plotly_the_extra_is_named() -> None:
    script = (
        "import sys; sys.modules['plotly'] = None\n"
        "from se_agent.analysis import plots\n"
        "try:\n    plots.progress([])\n"
        "except Exception as err:\n    print(err.hint)\n"
    )
    assert python(script).stdout == "pip install 'se-agent[analysis]'\n"
