"""The rule that CONTRIBUTING.md writes from start to end: its tests pass."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NAMES = ("last_of_reversed.py", "test_last_of_reversed.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of the section, as a reader would write them."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("### A rule, from start to end\n")[2].partition("\n### ")[0]
    made = tmp_path_factory.mktemp("rule")
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for name, block in zip(NAMES, blocks, strict=True):
        (made / name).write_text(block, encoding="utf-8")
    (table,) = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)
    points = tomllib.loads(table)["project"]["entry-points"]["se_agent.operators"]
    installed = made / "my_rules-0.1.dist-info"
    installed.mkdir()
    lines = "".join(f"{name} = {place}\n" for name, place in points.items())
    (installed / "entry_points.txt").write_text(f"[se_agent.operators]\n{lines}", "utf-8")
    return made


@pytest.mark.tier("library")
def test_its_tests_pass(folder: Path) -> None:
    known = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    options = ("-q", "-p", "no:cacheprovider", "-c", "/dev/null")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, NAMES[1]],
        cwd=folder,
        env={**known, "PYTHONPATH": f"{folder}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
