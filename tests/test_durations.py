"""What tests took is read from the file of a run, and the fast tier has a limit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.durations import MOST, durations, main, table
from tests.tiers import FAST, ROOT


def written(folder: Path, *cases: tuple[str, str, float]) -> Path:
    """Write the file of a run: name, tier and CPU seconds of each test."""
    texts = [
        f'<testcase name="{name}" time="2.0"><properties>'
        f'<property name="file" value="tests/{name}.py"/>'
        f'<property name="tier" value="{tier}"/>'
        f'<property name="cpu_seconds" value="{seconds}"/></properties></testcase>'
        for name, tier, seconds in cases
    ]
    path = folder / "tests.xml"
    path.write_text(f"<testsuite>{''.join(texts)}</testsuite>", encoding="utf-8")
    return path


def test_a_test_of_the_fast_tier_that_takes_too_much_is_named_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dear = ("dear", FAST, MOST + 1)
    assert main([str(written(tmp_path, ("cheap", FAST, MOST), dear))]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0] == f"error: tests/dear.py: dear: {MOST + 1:.1f} CPU s"
    assert [line[:6] for line in told] == ["error:", "hint: "]


def test_in_other_tiers_it_may(tmp_path: Path) -> None:
    assert main([str(written(tmp_path, ("dear", "runs", MOST + 1)))]) == 0


def test_the_dearest_tier_comes_first(tmp_path: Path) -> None:
    path = written(tmp_path, ("a", FAST, 0.5), ("b", "runs", 2.0), ("c", FAST, 1.0))
    assert table(durations(path), lambda each: each.tier) == [
        "     2.0      2.0       1 runs",
        "     1.5      4.0       2 fast",
    ]


LEFT_BEHIND = """
import subprocess, sys
BURN = "import time\\nwhile time.process_time() < 1: pass"

def test_starts():
    globals()["process"] = subprocess.Popen([sys.executable, "-c", BURN])

def test_waits():
    import os, time
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT) is None: pass

def test_reaps():
    process.wait()
"""


@pytest.mark.tier("runs")
def test_what_another_test_left_behind_does_not_count_in_full(tmp_path: Path) -> None:
    (tmp_path / "test_left.py").write_text(LEFT_BEHIND, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-c", os.devnull]
    command += ["--junitxml=tests.xml", "--rootdir=.", "test_left.py"]
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=tmp_path, env=where, check=True, capture_output=True)
    last = durations(tmp_path / "tests.xml")[-1]
    assert last.test == "test_reaps"
    assert last.cpu_seconds < 0.5
