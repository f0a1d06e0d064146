"""`compare`: real runs in arms, as a table, as files, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from shutil import copytree
from typing import Any  # a setting may have any value

import pytest

from tests.analysis.arms import arm_in, run_in
from tests.cli.calls import call, two_lines
from tests.finished import unfinished

NAMES = ("numbers", "digits", "letters")


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of arms: one, the same once more, and one that searches by chance."""
    home = tmp_path_factory.mktemp("grid")
    arm_in(home / "first", problems=NAMES)
    copytree(home / "first", home / "null")
    arm_in(home / "random", problems=NAMES, policy="random")
    return home


@pytest.mark.tier("runs")
def test_a_folder_of_arms_is_compared_in_one_call(grid: Path) -> None:
    called = call("compare", grid)
    assert (called.code, called.err) == (0, "")
    assert "first (base)" in called.out
    assert 'policy="random"' in called.out
    assert "proven gain (arm / base, more is better); noise floor 1.00x to 1.00x" in called.out
    assert "what that took (arm / base, less is better)" in called.out
    assert "evaluations to 90% of the best known" in called.out
    assert "evaluations to 50% of the best known" not in called.out
    assert "evaluations to 50% of the best known" in call("compare", grid, "--all").out
    assert "the noise floor" in called.out
    assert "proven gain by problem, intervals over seeds" in called.out


@pytest.mark.tier("runs")
def test_each_regression_is_listed_with_the_runs_to_open(grid: Path) -> None:
    lines = [line.strip() for line in call("compare", grid).out.splitlines()]
    (head,) = (line for line in lines if line.startswith("regressions: "))
    assert head == "regressions: 3 pairs lost"
    place = lines.index("random: digits, seed 0: proven gain 0.95x")
    assert lines[place + 1] == f"se-agent show {grid / 'random' / 'digits-0'}"
    assert lines[place + 2] == f"se-agent show {grid / 'first' / 'digits-0'}"
    assert call("show", grid / "random" / "digits-0").code == 0


@pytest.mark.tier("runs")
def test_runs_and_names_may_be_given_one_by_one(grid: Path) -> None:
    runs = [grid / arm / f"numbers-{seed}" for arm in ("first", "random") for seed in (0, 1)]
    found = json.loads(call("compare", *runs, "--json").out)
    assert found["base"] == "default"
    assert [arm["name"] for arm in found["arms"]] == ["default", 'policy="random"']
    named = call("compare", f"a={grid / 'first'}", f"b={grid / 'random'}", "--json").out
    assert json.loads(named)["base"] == "a"


@pytest.mark.tier("runs")
def test_json_has_all_and_csv_the_same_effects(grid: Path) -> None:
    found = json.loads(call("compare", grid, "--json").out)
    assert found["base"] == "first"
    assert found["noise_floor"]["gain"] >= 0
    rows = list(csv.DictReader(io.StringIO(call("compare", grid, "--csv").out)))
    assert [row["measure"] for row in rows] == [row["measure"] for row in found["effects"]]
    assert list(rows[0]) == list(found["effects"][0])


@pytest.mark.tier("runs")
def test_against_another_arm_a_null_arm_of_the_first_is_no_floor(grid: Path) -> None:
    found = json.loads(call("compare", grid, "--base", "random", "--json").out)
    assert [arm["name"] for arm in found["arms"]] == ["random", "first"]
    assert found["noise_floor"]["gain"] is None
    assert "with the arm that it repeats as `--base`" in found["notes"][0]


@pytest.mark.tier("runs")
def test_markdown_has_a_table_for_each_measure(grid: Path) -> None:
    shown = call("compare", grid, "--markdown").out
    assert "**proven gain (arm / base, more is better); noise floor 1.00x to 1.00x**" in shown
    assert (
        "| arm | problems | effect | 95 % interval | wins | ties | losses | chance | verdict |"
        in shown
    )
    assert shown.count("|---|") > 3


@pytest.mark.tier("runs")
def test_a_damaged_run_and_one_that_has_not_ended_are_named(grid: Path, tmp_path: Path) -> None:
    part = unfinished(tmp_path, 20)
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "run.db").write_bytes(b"no journal" * 100)
    shown = call("compare", grid, part, tmp_path / "torn").out
    assert f"left out: {part}: interrupted: it has no result yet" in shown
    assert f"left out: {tmp_path / 'torn'}: " in shown


@pytest.mark.tier("runs")
def test_scores_are_compared_as_differences(tmp_path: Path) -> None:
    for name, evaluations in {"a": 12, "b": 9}.items():
        budget = {"evaluations": evaluations}
        arm_in(tmp_path / name, problems=NAMES, timed=False, budget=budget)
    shown = call("compare", tmp_path).out
    assert "gained score (arm - base, more is better)" in shown
    assert "gained scores are averaged over problems as they are" in shown
    assert "budgets differ" in shown
    assert "budget.evaluations=9" in shown


@pytest.mark.tier("runs")
def test_hostile_names_reach_the_terminal_as_text(tmp_path: Path) -> None:
    hostile = "x\x1b[31m|`<script>"
    for name, policy in {"a": "portfolio", "b": "random"}.items():
        for seed in range(2):
            changes: dict[str, Any] = {"policy": policy, "budget": {"evaluations": 6}}
            run_in(tmp_path / name, f"r{seed}", problem=hostile, seed=seed, **changes)
    assert "\x1b" not in call("compare", tmp_path).out
    assert "\x1b" not in call("compare", tmp_path, "--csv").out
    shown = call("compare", tmp_path, "--markdown", "--base", "a").out
    assert "\x1b" not in shown
    outside = re.sub(r"(?m)^- `[^`\n]*`$", "", shown)
    assert "<script>" not in outside
    assert "\\|\\`&lt;script>" in outside


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["first/numbers-0", "first/numbers-1"], "the same settings"),
        (["first/numbers-0", "random/digits-0"], "no problem in common"),
        (["first/numbers-0", "random/numbers-1"], "no seed in common"),
        (["first/numbers-0", "random/numbers-0"], "one seed only"),
        ([".", "--base", "frist"], "no arm 'frist'"),
        (["nowhere"], "no such folder"),
        ([".", "--csv", "--json"], "print one thing each"),
    ],
)
def test_what_cannot_be_compared_is_said_in_two_lines(
    words: list[str], error: str, grid: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(grid)
    told, hint = two_lines(call("compare", *words))
    assert error in told
    assert hint
