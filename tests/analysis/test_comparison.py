"""Arms are compared with a base arm; doubts and regressions are told."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.analysis.arms import arms_of
from se_agent.analysis.comparison import ArmComparison, compare_runs
from se_agent.analysis.comparison_rows import comparison_json, comparison_rows
from se_agent.analysis.measures import all_measures, known_of
from se_agent.analysis.records import ComparedRun, LeftOut, ReadRuns
from se_agent.analysis.verdicts import ArmVerdict
from se_agent.errors import ConfigError
from se_agent.report.words.comparison import tables
from tests.analysis.arms import record, records

PROBLEMS = [f"p{n}" for n in range(6)]


def arm(name: str, *gains: float, seeds: int = 2, **more: object) -> list[ComparedRun]:
    """Return runs of an arm, a gain for each problem; seeds differ by one per cent."""
    return [
        record(name, problem=problem, seed=seed, gain=gain * 1.01**seed, **more)  # type: ignore[arg-type]
        for problem, gain in zip(PROBLEMS, gains, strict=False)
        for seed in range(seeds)
    ]


def gains(found: ArmComparison) -> dict[str, tuple[float, ArmVerdict]]:
    """Return by arm its overall effect in gains, as a factor, and the verdict."""
    (compared,) = (each for each in found.measures if each.measure.name == "gain")
    return {
        each.arm: (round(math.exp(each.paired.overall.mean), 2), each.verdict)
        for each in compared.effects
    }


BASE = (1.5, 2.0, 1.0, 1.2, 3.0, 1.1)


def test_an_arm_that_gains_more_everywhere_is_better() -> None:
    more = (1.0, 1.02, 0.98, 1.01, 0.99, 1.0)
    better = arm("a", *(1.3 * gain * by for gain, by in zip(BASE, more, strict=True)))
    found = compare_runs(records(*arm("base", *BASE), *better), base="base")
    assert gains(found) == {"a": (1.3, ArmVerdict.BETTER)}
    assert found.regressions == ()
    other = compare_runs(records(*arm("base", *BASE), *better), base="a")
    assert gains(other) == {"base": (0.77, ArmVerdict.WORSE)}
    assert len(other.regressions) == 12


def test_an_arm_that_gains_more_here_and_less_there_is_not_shown_to_differ() -> None:
    mixed = [gain * by for gain, by in zip(BASE, (1.4, 0.7, 1.2, 0.8, 1.1, 0.9), strict=True)]
    found = compare_runs(records(*arm("base", *BASE), *arm("a", *mixed)), base="base")
    assert gains(found)["a"][1] is ArmVerdict.NOT_SHOWN
    lost = [(each.key.problem, each.key.seed) for each in found.regressions]
    assert lost == [("p1", 0), ("p1", 1), ("p3", 0), ("p3", 1), ("p5", 0), ("p5", 1)]
    first = found.regressions[0]
    assert first.run.as_posix() == "results/a/p1-0"
    assert first.base_run.as_posix() == "results/base/p1-0"


def test_what_a_null_arm_shows_is_the_floor_for_all_others() -> None:
    noise = [gain * by for gain, by in zip(BASE, (1.1, 0.9, 1.2, 0.85, 1.1, 0.9), strict=True)]
    small = [
        gain * by for gain, by in zip(BASE, (1.05, 1.05, 1.06, 1.04, 1.05, 1.05), strict=True)
    ]
    large = [1.5 * gain for gain in small]
    runs = [*arm("base", *BASE), *arm("null", *noise), *arm("s", *small), *arm("l", *large)]
    found = gains(compare_runs(records(*runs), base="base"))
    assert found["s"][1] is ArmVerdict.NOISE
    assert found["l"][1] is ArmVerdict.BETTER
    assert found["null"][1] is ArmVerdict.FLOOR
    alone = compare_runs(records(*arm("base", *BASE), *arm("s", *small)), base="base")
    assert gains(alone)["s"][1] is ArmVerdict.BETTER, "without a null arm it would be believed"


def test_unnamed_runs_are_grouped_by_their_settings() -> None:
    plain = {"workers": 2}
    runs = [
        *arm("", *BASE, settings=plain),
        *arm("", *BASE, settings=plain | {"policy": "random"}),
        *arm("", *BASE, settings=plain | {"policy": "cse", "memory.enabled": False}),
    ]
    arms = arms_of(runs)
    assert [each.name for each in arms] == [
        "default",
        'policy="random"',
        'policy="cse", memory.enabled=false',
    ]
    assert [len(each.runs) for each in arms] == [12, 12, 12]
    assert "workers" not in arms[1].settings, "all arms have it in common"
    assert compare_runs(records(*runs)).base.name == "default"


def test_a_name_that_stands_for_two_groups_is_numbered() -> None:
    runs = [*arm("default", 1.0), *arm("", 1.0)]
    assert [each.name for each in arms_of(runs)] == ["default", "default (2)"]


def test_no_arm_of_a_name_is_refused_with_the_names() -> None:
    runs = records(*arm("base", *BASE), *arm("other", *BASE))
    with pytest.raises(ConfigError, match="no arm 'bass'") as caught:
        compare_runs(runs, base="bass")
    assert caught.value.hint == "did you mean 'base'?"


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([], "none of 1 run can be compared"),
        (arm("base", *BASE), "the same settings"),
        ([record("a")], "this is one run"),
        ([record("a", problem="p"), record("b", problem="q")], "no problem in common"),
        ([record("a", seed=0), record("b", seed=1)], "no seed in common"),
        ([*arm("a", *BASE, seeds=1), *arm("b", *BASE, seeds=1)], "one seed only"),
    ],
)
def test_what_cannot_be_compared_is_refused(runs: list[ComparedRun], message: str) -> None:
    left = () if runs else (LeftOut(record().folder, "it is torn"),)
    with pytest.raises(ConfigError, match=message) as caught:
        compare_runs(ReadRuns(tuple(runs), left))
    assert caught.value.hint


def test_an_arm_that_is_alone_because_others_have_not_ended_is_told_so() -> None:
    missing = "6 cells not run yet; `se-agent grid FILE` goes on"
    with pytest.raises(ConfigError, match="of one arm only, 'base', runs have ended") as caught:
        compare_runs(ReadRuns(tuple(arm("base", *BASE)), notes=(missing,)))
    assert caught.value.hint == missing


class TestTables:
    """What is printed of a comparison."""

    def test_what_a_run_spent_is_averaged_over_what_all_arms_have_run(self) -> None:
        base, other = arm("base", *BASE), arm("b", *BASE)
        alone = record("b", problem="dear", evaluations=1000)
        first = next(tables(compare_runs(records(*base, *other, alone), base="base")))
        assert first.title.endswith("average (over 12 runs of each, which all arms have)")
        assert [row[-1] for row in first.rows] == ["10.0", "10.0"]
        assert [row[1] for row in first.rows] == ["12", "13"]
        equal = next(tables(compare_runs(records(*base, *other))))
        assert equal.title == "arms, and what a run spent on average"

    def test_what_is_not_known_of_all_runs_of_an_arm_is_no_figure(self) -> None:
        base, other = ([record(name, seed=s, calls=2) for s in range(2)] for name in "ab")
        dear, unknown = (
            [replace(run, result=replace(run.result, money=money)) for run in runs]
            for runs, money in ((base, 0.5), (other, None))
        )
        first = next(tables(compare_runs(records(*dear, *unknown))))
        assert [row[-1] for row in first.rows] == ["0.5", "-"]

    def test_costs_are_one_table_with_the_usual_share_unless_all_is_asked_for(self) -> None:
        runs = [record(name, seed=s, effect=1.0) for name in ("base", "b") for s in range(3)]
        found = compare_runs(records(*runs), base="base")
        told, all_of_it = (
            [row[0] for table in tables(found, details=details) for row in table.rows]
            for details in (False, True)
        )
        assert told[3:-2] == [
            "evaluations in all",
            "CPU seconds in all",
            "evaluations to 90% of the best known",
            "CPU seconds to 90% of the best known",
        ]
        assert set(all_of_it) - set(told) == {
            f"{spent} to {share}% of the best known"
            for spent in ("evaluations", "CPU seconds")
            for share in (50, 100)
        }

    def test_printed_it_is_the_verdict_on_each_arm(self) -> None:
        better = [1.3 * gain for gain in BASE]
        found = compare_runs(records(*arm("base", *BASE), *arm("b", *better)), base="base")
        assert repr(found) == "b against base: proven gain 1.3x [1.3x, 1.3x]: better"
        doubted = repr(replace(found, notes=("2 machines",)))
        assert doubted.splitlines()[1:] == ["note: 2 machines"]

    def test_each_row_says_how_many_problems_it_rests_on(self) -> None:
        found = compare_runs(records(*arm("base", *BASE), *arm("b", *BASE[:3])), base="base")
        (gain,) = (table for table in tables(found) if table.title.startswith("proven gain ("))
        assert dict(zip(gain.names, gain.rows[0], strict=True))["problems"] == "3"


class TestCosts:
    """What a search took until it had a share of the best known effect."""

    def rows(self, *runs: ComparedRun) -> dict[tuple[str, str], float]:
        found = compare_runs(records(*runs), base="base")
        return {(r.measure, r.arm): r.effect for r in comparison_rows(found) if not r.problem}

    def test_fewer_evaluations_are_a_factor_below_one(self) -> None:
        base = [record("base", seed=s, evaluations=40, effect=1.0) for s in range(3)]
        quick = [record("quick", seed=s, evaluations=10, effect=1.0) for s in range(3)]
        found = self.rows(*base, *quick)
        assert found["evaluations_to_90", "quick"] == pytest.approx(0.25)
        assert found["cpu_seconds_to_100", "quick"] == pytest.approx(0.25)
        assert found["anytime_area", "quick"] == pytest.approx(0.75)
        assert ("calls_to_90", "quick") not in found, "no model was asked"

    def test_a_run_that_never_got_there_counts_with_the_most_that_any_spent(self) -> None:
        base = [record("base", seed=s, evaluations=20, effect=1.0) for s in range(3)]
        poor = [record("poor", seed=s, evaluations=40, effect=0.6) for s in range(3)]
        found = self.rows(*base, *poor)
        assert found["evaluations_to_90", "poor"] == pytest.approx(2.0)
        assert found["evaluations_to_50", "poor"] == pytest.approx(2.0)

    def test_a_problem_in_which_nobody_found_anything_has_no_such_figure(self) -> None:
        runs = [record(name, seed=s) for name in ("base", "other") for s in range(2)]
        assert {name for name, _ in self.rows(*runs)} == {"gain", "evaluations", "cpu_seconds"}

    def test_what_was_spent_in_all_is_compared_whatever_came_of_it(self) -> None:
        base = [record("base", seed=s, evaluations=10, calls=4) for s in range(3)]
        dear = [record("dear", seed=s, evaluations=10, calls=6) for s in range(3)]
        found = self.rows(*base, *dear)
        assert found["calls", "dear"] == pytest.approx(1.5)
        assert found["evaluations", "dear"] == 1.0
        assert ("tokens", "dear") not in found
        free = [record("free", seed=s, evaluations=10, calls=0) for s in range(3)]
        assert ("calls", "free") not in self.rows(*base, *free), "no ratio says how much less"


class TestNotes:
    def notes(self, *runs: ComparedRun) -> str:
        return "\n".join(compare_runs(records(*runs), base="base").notes)

    def test_budgets_that_differ_are_told(self) -> None:
        small = {"budget.evaluations": 20}
        runs = [*arm("base", *BASE), *arm("small", *BASE, settings=small)]
        assert "small: budget.evaluations=20" in self.notes(*runs)

    def test_machines_are_told_apart(self) -> None:
        told = self.notes(*arm("base", *BASE), *arm("b", *BASE, machine="another one"))
        assert "2 machines: 12 runs on a machine; 12 runs on another one" in told
        assert "12 pairs with one run on each of two machines" in told

    def test_an_arm_of_mixed_settings_is_told(self) -> None:
        runs = [*arm("base", *BASE), *arm("b", *BASE)]
        odd = record("b", problem="p9", settings={"policy": "cse"})
        assert "runs of arm b differ in more than problem and seed: policy" in self.notes(
            *runs, odd
        )
        assert "1 run without a partner" in self.notes(*runs, odd)

    def test_a_null_arm_with_settings_of_its_own_is_no_arm_to_compare(self) -> None:
        runs = [*arm("base", *BASE), *arm("null", *BASE, settings={"policy": "cse"})]
        with pytest.raises(ConfigError, match="the null arm does not repeat 'base'"):
            compare_runs(records(*runs), base="base")

    def test_a_run_with_another_budget_makes_no_other_arm_of_a_null_arm(self) -> None:
        first, *others = arm("base", *BASE)
        larger = {**first.result.settings, "budget.evaluations": 99}
        odd = replace(first, result=replace(first.result, settings=larger))
        found = compare_runs(records(odd, *others, *arm("null", *BASE)), base="base")
        assert found.measures[0].floor is not None

    def test_a_null_arm_of_another_arm_is_no_noise_floor(self) -> None:
        other = {"policy": "cse"}
        runs = [*arm("base", *BASE), *arm("b", *BASE, settings=other)]
        noise = [gain * by for gain, by in zip(BASE, (2, 0.5) * 3, strict=True)]
        found = compare_runs(records(*runs, *arm("null", *noise)), base="b")
        assert [each.name for each in found.arms] == ["base"]
        assert found.measures[0].floor is None
        assert "with the arm that it repeats as `--base` there is one" in found.notes[0]
        assert compare_runs(records(*runs, *arm("null", *noise)), base="base").measures[0].floor

    def test_of_an_unfinished_grid_one_seed_is_told_with_what_goes_on(self) -> None:
        missing = "2 of 18 cells of the grid have ended; `se-agent grid FILE` goes on"
        runs = (record("a", seed=0), record("b", seed=0))
        with pytest.raises(ConfigError, match="one seed only") as caught:
            compare_runs(ReadRuns(runs, notes=(missing,)))
        assert caught.value.hint.startswith(f"{missing}; or run further seeds")

    def test_of_damaged_runs_the_first_is_named(self) -> None:
        left = LeftOut(record().folder, "it is torn " * 60)
        with pytest.raises(ConfigError, match="one seed only") as caught:
            compare_runs(ReadRuns((record("a", seed=0), record("b", seed=0)), (left,)))
        assert f"{left.folder}: it is torn" in caught.value.hint
        assert len(caught.value.hint) < 300

    def test_an_arm_with_one_seed_of_each_problem_is_left_out(self) -> None:
        single = [record("b", problem=f"p{number}", gain=2.0, seed=0) for number in range(6)]
        base = [record("base", problem=f"p{n}", seed=s) for n in range(6) for s in range(2)]
        null = [replace(run, arm="null") for run in base]
        found = compare_runs(records(*base, *single, *null), base="base")
        assert [each.name for each in found.arms] == ["null"]
        assert any(note.startswith("arm b is left out: its pairs") for note in found.notes)

    def test_what_the_null_arm_loses_is_no_regression(self) -> None:
        worse = [gain / 2 for gain in BASE]
        runs = [*arm("base", *BASE), *arm("b", *worse), *arm("null", *worse)]
        lost = compare_runs(records(*runs), base="base").regressions
        assert {each.arm for each in lost} == {"b"}

    def test_a_run_made_twice_counts_once(self) -> None:
        runs = [*arm("base", *BASE), *arm("b", *BASE), *arm("b", *BASE)]
        assert "12 runs with the problem and the seed of another one" in self.notes(*runs)

    def test_models_that_wrote_no_program_are_told(self) -> None:
        used, vain = {"calls": 9, "written": 2}, {"calls": 9}
        told = self.notes(*arm("base", *BASE, **vain), *arm("b", *BASE, **vain))
        assert "no reply of a model became a program in these runs: " in told
        told = self.notes(*arm("base", *BASE, **used), *arm("b", *BASE, **vain))
        assert "no reply of a model became a program in arm b: " in told
        assert self.notes(*arm("base", *BASE, **used), *arm("b", *BASE, **used)) == ""

    def test_equal_terms_need_no_words(self) -> None:
        assert self.notes(*arm("base", *BASE), *arm("b", *BASE)) == ""


def test_the_order_of_the_runs_changes_nothing() -> None:
    groups = [arm("base", *BASE), arm("a", *BASE[::-1]), arm("null", *BASE[::-1])]
    found = [
        comparison_json(compare_runs(records(*(run for group in order for run in group[::-1]))))
        for order in permutations(groups)
    ]
    assert all(each == found[0] for each in found)


@settings(max_examples=25)
@given(st.lists(st.floats(0.2, 5), min_size=3, max_size=6))
def test_to_swap_arms_inverts_every_factor(more: list[float]) -> None:
    runs = records(*arm("a", *BASE[: len(more)]), *arm("b", *more))
    one, two = (
        [row for row in comparison_rows(compare_runs(runs, base=base)) if row.scale == "gain"]
        for base in ("a", "b")
    )
    for mine, other in zip(one, two, strict=True):
        assert mine.effect == pytest.approx(1 / other.effect)
        assert (mine.wins, mine.ties, mine.losses) == (other.losses, other.ties, other.wins)


def test_a_gained_score_leaves_out_which_final_inputs_were_drawn() -> None:
    (measure,) = (each for each in all_measures() if each.name == "score")
    for score, gained in (0.5, 0.0), (0.25, 0.25):
        found = replace(
            record().result, gain=None, score=score, score_initial=0.5, direction="minimize"
        )
        scored = replace(record(), result=found)
        known = known_of([scored])
        assert [each.value for each in measure.values([scored], known).values()] == [gained]


def test_the_doubt_of_a_gain_is_half_of_its_interval() -> None:
    (gain,) = (each for each in all_measures() if each.name == "gain")
    runs = records(record(gain=2.0, doubt=1.2))
    run, known = runs.runs[0], known_of(runs.runs)
    found = gain.value_of(run, known[run.result.problem])
    assert found is not None
    assert found.value == pytest.approx(math.log(2.0))
    assert found.doubt == pytest.approx(math.log(1.2))
