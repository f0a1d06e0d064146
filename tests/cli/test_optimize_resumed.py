"""`optimize` that was interrupted before it wrote: gone on with, it writes once."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.events import Challenged, Event
from se_agent.values.evaluation import Hunt
from tests.cli.calls import call, two_lines
from tests.cli.shop import RUN, STOCK, optimize, said, shop_in
from tests.finished import beginning_of

RESULT = Path(RUN)
EVENTS_OF_ITS_END = ("confirmed", "remembered", "ended")


@pytest.fixture
def stock(resumed: Path) -> Path:
    """The module, which the run has written."""
    return resumed / "shop" / "stock.py"


@pytest.fixture
def measured(stock: Path) -> Path:
    """The module as it was before: the run was broken off when all was measured."""
    stock.write_text(STOCK, encoding="utf-8")
    forget_written()
    (RESULT / "best.py").unlink()
    whole = RESULT.rename("whole")
    beginning_of(whole, RESULT, before_the_end)
    for name in ("target.json", "run.toml"):
        (whole / name).rename(RESULT / name)
    return stock


def before_the_end(known: Iterator[Event]) -> Iterator[Event]:
    return takewhile(lambda event: event.kind not in EVENTS_OF_ITS_END, known)


def forget_written() -> None:
    """Take the note away that the result was written."""
    path = RESULT / "target.json"
    aim = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**aim, "written": False}), encoding="utf-8")


class TestAResumedRun:
    """It ends as the command that began it would have."""

    def test_writes_once_and_leaves_all_else(self, resumed: Path, stock: Path) -> None:
        called = said(resumed)
        assert json.loads(called.out)["written"] is True
        assert "+    stock_set = set(stock)" in called.err
        assert "/shop/stock.py (before: stock.py.orig)" in called.err
        text = stock.read_text(encoding="utf-8")
        assert "not in stock_set" in text
        assert "# Names that are too long never count." in text
        assert text.endswith(STOCK[STOCK.index("def untouched") :])
        assert stat.S_IMODE(stock.stat().st_mode) == 0o640
        assert stock.with_name("stock.py.orig").read_text(encoding="utf-8") == STOCK
        stock.write_text(STOCK, encoding="utf-8")
        again = call("resume", RESULT)
        assert f"it was written before: {stock}" in again.out
        assert stock.read_text(encoding="utf-8") == STOCK

    def test_that_was_killed_once_it_had_written_ends_well(self, stock: Path) -> None:
        made = stock.read_text(encoding="utf-8")
        forget_written()
        again = call("resume", RESULT, "--json")
        assert again.code == 0, again
        assert f"it was written before: {stock}" in again.err
        assert json.loads(again.out)["written"] is True
        assert stock.read_text(encoding="utf-8") == made

    def test_does_not_write_over_a_file_that_changed(self, measured: Path) -> None:
        measured.write_text(STOCK + "# mine\n", encoding="utf-8")
        called = call("resume", RESULT, "--json")
        assert called.code == 2
        first, *_, error, _ = called.err.splitlines()
        assert first == f"{measured}: changed since the run began; it will not be written over"
        assert error.endswith("the file changed meanwhile; nothing was written")
        assert json.loads(called.out)["written"] is False
        assert measured.read_text(encoding="utf-8") == STOCK + "# mine\n"

    def test_does_not_write_over_a_file_that_changes_meanwhile(self, measured: Path) -> None:
        newer = STOCK + "# mine\n"
        script = (
            "import sqlite3, time\n"
            "from pathlib import Path\n"
            "found = sqlite3.connect('results/first/run.db')\n"
            "asked = \"select count(*) from events where kind = 'resumed'\"\n"
            "before, = found.execute(asked).fetchone()\n"
            "print('watching', flush=True)\n"
            "while found.execute(asked).fetchone() == (before,): time.sleep(0.002)\n"
            f"Path('shop/stock.py').write_text({newer!r})"
        )
        waits = subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
        )
        try:
            assert waits.stdout is not None
            assert waits.stdout.readline() == "watching\n"
            called = call("resume", RESULT)
        finally:
            waits.kill()
            waits.communicate()
        assert called.code == 2, called
        assert "changed since the run began" not in called.out + called.err
        assert "the file changed meanwhile; nothing was written" in called.err
        assert measured.read_text(encoding="utf-8") == newer

    def test_with_a_doubt_about_the_change_writes_only_where_that_is_named(
        self, resumed: Path, stock: Path
    ) -> None:
        best = json.loads(said(resumed).out)["best_solution_id"]
        stock.write_text(STOCK, encoding="utf-8")
        forget_written()
        with Journal(RESULT / "run.db") as journal:
            hunt = Hunt(tried=9, outside="([], []): expected [], got None")
            journal.append(Challenged(slot=-1, solution=best, hunt=hunt))
        doubtful = call("resume", RESULT)
        assert "doubt: It differs outside the inputs seen: ([], []): " in doubtful.out
        error, hint = two_lines(doubtful)
        assert (
            error == "stock.py was not written, for there is a doubt about the change: outside"
        )
        assert hint == f"to write it all the same: se-agent resume {RESULT} --accept outside"
        assert stock.read_text(encoding="utf-8") == STOCK
        wrong = call("resume", RESULT, "--accept", "outsied")
        assert two_lines(wrong)[1] == "did you mean 'outside'?"
        called = call("resume", RESULT, "--accept", "outside", "--json")
        assert json.loads(called.out)["written"] is True
        assert [one["name"] for one in json.loads(called.out)["doubts"]] == ["outside"]
        assert "not in stock_set" in stock.read_text(encoding="utf-8")

    def test_from_elsewhere_writes_nothing(self, measured: Path) -> None:
        copied = shutil.copytree(RESULT, "copied")
        called = call("resume", copied)
        assert called.code == 0, called
        asked = RESULT.resolve()
        assert f"nothing was written: that was asked for in {asked}; the diff" in called.out
        assert measured.read_text(encoding="utf-8") == STOCK


@pytest.mark.parametrize(
    "place",
    [pytest.param(b"caf\xe9/stock.py", id="folder"), pytest.param(b"\xe9.py", id="file")],
)
def test_a_path_that_no_run_can_keep_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    shop_in(tmp_path)
    odd = tmp_path / os.fsdecode(place)
    odd.parent.mkdir(exist_ok=True)
    odd.write_text(STOCK, encoding="utf-8")
    error, hint = two_lines(optimize("--inputs", "inputs.py:lists", function=f"{odd}:missing"))
    assert error.endswith("this path is not UTF-8, and no run can keep it")
    assert "rename" in hint
