"""`optimize` that was interrupted before it wrote: gone on with, it writes once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.events import Challenged
from se_agent.values.evaluation import Hunt
from tests.cli.calls import COMMAND, ENV, call, two_lines
from tests.cli.shop import QUICK, STOCK, optimize


@pytest.fixture
def interrupted(stock: Path) -> Path:
    """Return the folder of a run that was to write its result, and was broken off."""
    command = [*COMMAND, "optimize", "shop/stock.py:missing", "--inputs", "inputs.py:lists"]
    running = subprocess.Popen(
        [*command, "--write", "--set", "name=first", *QUICK],
        env=ENV,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert any("self-test of the clock" in line for line in running.stdout)
    running.terminate()
    said, _ = running.communicate(timeout=60)
    assert said.splitlines()[-2].endswith("Resume with:")
    assert said.splitlines()[-1] == "  se-agent resume results/first"
    assert stock.read_text(encoding="utf-8") == STOCK
    return Path("results/first")


class TestAResumedRun:
    """It ends as the command that began it would have."""

    def test_writes_once(self, stock: Path, interrupted: Path) -> None:
        called = call("resume", interrupted, "--json")
        assert called.code == 0, called
        assert json.loads(called.out)["written"] is True
        assert "+    stock_set = set(stock)" in called.err
        assert f"written: {stock} (before: stock.py.orig)" in called.err
        assert "not in stock_set" in stock.read_text(encoding="utf-8")
        stock.write_text(STOCK, encoding="utf-8")
        again = call("resume", interrupted)
        assert f"it was written before: {stock}" in again.out
        assert stock.read_text(encoding="utf-8") == STOCK

    def test_that_was_killed_once_it_had_written_ends_well(
        self, stock: Path, interrupted: Path
    ) -> None:
        assert call("resume", interrupted).code == 0
        made = stock.read_text(encoding="utf-8")
        path = interrupted / "target.json"
        aim = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**aim, "written": False}), encoding="utf-8")
        again = call("resume", interrupted, "--json")
        assert again.code == 0, again
        assert f"it was written before: {stock}" in again.err
        assert json.loads(again.out)["written"] is True
        assert stock.read_text(encoding="utf-8") == made

    def test_does_not_write_over_a_file_that_changed(
        self, stock: Path, interrupted: Path
    ) -> None:
        stock.write_text(STOCK + "# mine\n", encoding="utf-8")
        called = call("resume", interrupted, "--json")
        assert called.code == 2
        first, *_, error, _ = called.err.splitlines()
        assert first == f"{stock}: changed since the run began; it will not be written over"
        assert error.endswith("the file changed meanwhile; nothing was written")
        assert json.loads(called.out)["written"] is False
        assert stock.read_text(encoding="utf-8") == STOCK + "# mine\n"

    def test_with_a_doubt_about_the_change_writes_only_where_that_is_named(
        self, stock: Path, interrupted: Path
    ) -> None:
        best = json.loads(call("resume", interrupted, "--json").out)["best_solution_id"]
        stock.write_text(STOCK, encoding="utf-8")
        path = interrupted / "target.json"
        aim = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**aim, "written": False}), encoding="utf-8")
        with Journal(interrupted / "run.db") as journal:
            hunt = Hunt(tried=9, outside="([], []): expected [], got None")
            journal.append(Challenged(slot=-1, solution=best, hunt=hunt))
        doubtful = call("resume", interrupted)
        assert "doubt: It differs outside the inputs seen: ([], []): " in doubtful.out
        error, hint = two_lines(doubtful)
        assert (
            error == "stock.py was not written, for there is a doubt about the change: outside"
        )
        assert (
            hint == f"to write it all the same: se-agent resume {interrupted} --accept outside"
        )
        assert stock.read_text(encoding="utf-8") == STOCK
        wrong = call("resume", interrupted, "--accept", "outsied")
        assert two_lines(wrong)[1] == "did you mean 'outside'?"
        called = call("resume", interrupted, "--accept", "outside", "--json")
        assert json.loads(called.out)["written"] is True
        assert [one["name"] for one in json.loads(called.out)["doubts"]] == ["outside"]
        assert "not in stock_set" in stock.read_text(encoding="utf-8")

    def test_from_elsewhere_writes_nothing(self, stock: Path, interrupted: Path) -> None:
        copied = shutil.copytree(interrupted, "copied")
        called = call("resume", copied)
        assert called.code == 0, called
        asked = interrupted.resolve()
        assert f"nothing was written: that was asked for in {asked}; the diff" in called.out
        assert stock.read_text(encoding="utf-8") == STOCK


@pytest.mark.parametrize(
    "place",
    [pytest.param(b"caf\xe9/stock.py", id="folder"), pytest.param(b"\xe9.py", id="file")],
)
def test_a_path_that_no_run_can_keep_is_refused(stock: Path, place: bytes) -> None:
    odd = stock.parents[1] / os.fsdecode(place)
    odd.parent.mkdir(exist_ok=True)
    odd.write_text(STOCK, encoding="utf-8")
    error, hint = two_lines(optimize("--inputs", "inputs.py:lists", function=f"{odd}:missing"))
    assert error.endswith("this path is not UTF-8, and no run can keep it")
    assert "rename" in hint
