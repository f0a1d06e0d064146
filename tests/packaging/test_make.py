"""What `make` says to somebody who waits."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
def test_an_installation_is_announced_with_what_it_takes(tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    planned = subprocess.run(
        ["make", "-n", "demo"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    installing = next(n for n, line in enumerate(planned) if "pip install" in line)
    assert "about a minute" in planned[installing - 1]
    extras = planned[installing].partition(".[")[2].partition("]")[0].split(",")
    assert "tests" in extras  # with which `optimize --tests` works
    environment = next(n for n, line in enumerate(planned) if line.endswith("-m venv .venv"))
    assert "Making .venv" in planned[environment - 1]
