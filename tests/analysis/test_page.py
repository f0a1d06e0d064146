"""The page on experiments says what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from se_agent.analysis.records import GRID_FILE
from se_agent.analysis.run_tables.columns import TABLES
from se_agent.analysis.verdicts import ArmVerdict
from tests.analysis.arms import arm_in
from tests.cli.calls import call
from tests.engine import talking
from tests.house import ROOT

PAGE = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")

VERDICT = rf"(?:(better|worse) with (its one|both|all \d+) seeds?|{'|'.join(ArmVerdict)})$"
"""A verdict at the end of a row."""


@pytest.mark.parametrize("table", TABLES)
def test_each_column_is_on_the_page_with_its_unit_and_meaning(table: str) -> None:
    _, _, section = PAGE.partition(f"### `{table}`: ")
    rows = re.findall(
        r"^\| `(\w+)` \| (\w+) \| (.*) \| (.*) \|$", section.partition("###")[0], re.M
    )
    assert rows == [(c.name, c.kind, c.unit, c.meaning) for c in TABLES[table]]


def printed(command: str) -> list[str]:
    """Return the blocks that the page says a command prints, figures and gaps left out."""
    told = re.findall(rf"^{command}\n```\n\n```text\n(.*?)```", PAGE, re.DOTALL | re.M)
    return [blurred(line) for line in told[0].splitlines() if line not in ("", "...")]


def blurred(line: str) -> str:
    """Return a line of a table without its figures and verdicts: they are another machine's."""
    words = re.sub(VERDICT, "VERDICT", " ".join(line.split()))
    return re.sub(r"-s?\d\b|[-+]?\d[\d.,]*(e-?\d+)?", "0", words)


def told_by(*arguments: str) -> list[str]:
    """Return what a command prints, in the same way."""
    called = call(*arguments)
    assert called.code == 0
    return [blurred(line) for line in called.out.splitlines() if line]


def test_a_dry_run_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = "experiments/grids/quickstart.toml"
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text((ROOT / file).read_text())
    monkeypatch.chdir(tmp_path)
    found = told_by("grid", file, "--dry-run")
    assert found == printed(f"se-agent grid {file} --dry-run")


@pytest.mark.tier("experiments")
def test_a_comparison_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home, problems = Path("results", "quickstart"), ["order_report", "price_board"]
    arm_in(home / "portfolio", problems=problems)
    arm_in(home / "random", problems=problems, policy="random")
    found = told_by("compare", "results/quickstart")
    lines = iter(found)
    wanted = printed("se-agent compare results/quickstart")
    assert [line for line in wanted if line not in lines] == []  # each after the one before


@pytest.mark.tier("experiments")
def test_a_comparison_of_arms_with_a_model_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home, problems = Path("results", "bank"), ["code_words", "near_words", "overtakes"]
    asking: dict[str, Any] = {
        "operators": [talking.Mutation.name],
        "policy": "tests.engine.talking:Mutating",
        "models": talking.models("Counting"),
        "budget": {"evaluations": 3},
    }
    arm_in(home / "with_bank", problems=problems, memory={}, **asking)
    arm_in(home / "null", problems=problems, memory={}, **asking)
    arm_in(home / "no_bank", problems=problems, memory={"local": {"bank": False}}, **asking)
    arms = ["with_bank", "no_bank", "null"]
    (home / GRID_FILE).write_text(json.dumps({"arms": arms, "cells": 18}), encoding="utf-8")
    lines = iter(told_by("compare", "results/bank"))
    wanted = printed("se-agent compare results/bank")
    assert len(wanted) > 12
    assert [line for line in wanted if line not in lines] == []


@pytest.mark.tier("experiments")
def test_its_python_works_as_it_stands(
    tmp_path: Path, two_arms: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    copytree(two_arms / "first", tmp_path / "results" / "with")
    copytree(two_arms / "random", tmp_path / "results" / "without")
    space: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, space)
    assert len(space["steps"])
    assert space["found"].base.name == "without"
