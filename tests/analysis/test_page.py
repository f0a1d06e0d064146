"""The page on experiments says what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from se_agent.analysis.run_tables.columns import TABLES
from tests.analysis.arms import arm_in
from tests.house import ROOT

PAGE = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", TABLES)
def test_each_column_is_on_the_page_with_its_unit_and_meaning(table: str) -> None:
    _, _, section = PAGE.partition(f"### `{table}`: ")
    rows = re.findall(
        r"^\| `(\w+)` \| (\w+) \| (.*) \| (.*) \|$", section.partition("###")[0], re.M
    )
    assert rows == [(c.name, c.kind, c.unit, c.meaning) for c in TABLES[table]]


def test_its_python_works_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arm_in(tmp_path / "results" / "with", problems=["numbers"])
    arm_in(tmp_path / "results" / "without", problems=["numbers"], policy="random")
    space: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, space)
    assert len(space["steps"])
    assert space["found"].base.name == "without"
