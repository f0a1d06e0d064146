"""`ls`: the runs of a folder, as a table and for programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from tests.cli.calls import COMMAND, call, process
from tests.fakes import Step1
from tests.finished import finished, unfinished


@pytest.fixture(autouse=True)
def _inside(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace)


FEW = {"evaluations": 6}


class Worse(Step1):
    """Takes one away."""

    name = "tests.cli.commands.test_ls:Worse"
    by = -1


class TestLs:
    @pytest.mark.tier("runs")
    def test_a_row_for_each_run_and_a_note_for_what_is_none(self) -> None:
        called = call("ls")
        lines = called.out.splitlines()
        assert "skipped: results/not-a-run is not a run" in lines
        assert any(line.startswith("broken: results/broken/run.db") for line in lines)
        rows = {line.split()[0]: line for line in lines if line[:1].isalpha()}
        assert "proven" in rows["timed"]
        assert "x [" in rows["timed"]
        assert "0 -> " in rows["scored"]
        assert "(maximize)" in rows["scored"]
        assert "failed" in next(line for line in lines if line.startswith("broken "))

    @pytest.mark.tier("runs")
    def test_a_row_is_one_line_in_a_pipe_however_long_its_names(self, tmp_path: Path) -> None:
        name = "a-run-with-a-name-that-is-longer-than-most-terminals-are-wide-" * 2 + "end"
        finished(tmp_path, timed=True, name=name, budget=FEW)
        _, row = call("ls", "--results", tmp_path).out.splitlines()
        assert row.startswith(f"{name}  numbers ")
        assert row.rstrip() == row

    @pytest.mark.tier("runs")
    def test_a_name_stays_whole_where_room_is_short(self, tmp_path: Path) -> None:
        name = "order_report-20261122-213354"
        finished(tmp_path, timed=True, name=name, budget=FEW)
        command = ["env", "COLUMNS=70", *COMMAND, "ls", "--results", tmp_path]
        called = process(command, tmp_path)
        assert re.search(rf"^{name} .* proven ", called.out, re.MULTILINE), called

    @pytest.mark.tier("runs")
    def test_a_gain_that_is_not_confirmed_is_told_as_that(self, tmp_path: Path) -> None:
        unfinished(tmp_path, 200)
        assert re.search(
            r" interrupted +about [\d.]+x, not yet confirmed ",
            call("ls", "--results", tmp_path).out,
        )

    @pytest.mark.tier("runs")
    def test_only_runs_that_differ_by_their_seed_have_means_together(
        self, tmp_path: Path
    ) -> None:
        for seed in (0, 1):
            finished(tmp_path, timed=True, name=f"alike-{seed}", seed=seed, budget=FEW)
        finished(tmp_path, timed=True, name="apart", judge={"pairs": 8}, budget=FEW)
        told = call("ls", "--results", tmp_path).out
        assert "numbers, 2 runs with " in told
        assert told.count("gain over") == told.count("gain over 2: ") == 1

    @pytest.mark.tier("runs")
    def test_where_no_gain_was_proven_it_is_said_in_words(self, tmp_path: Path) -> None:
        finished(
            tmp_path, timed=True, name="none", operators=["tests.cli.commands.test_ls:Worse"]
        )
        told = call("ls", "--results", tmp_path).out
        assert re.search(r"not proven +none proven", told), told
        assert "1.00x" not in told

    @pytest.mark.tier("runs")
    def test_rows_have_the_seed_and_the_settings_that_were_given(self, tmp_path: Path) -> None:
        finished(tmp_path, timed=True, name="one", seed=5)
        (row,) = json.loads(call("ls", "--results", tmp_path, "--json").out)
        assert row["seed"] == 5
        assert row["settings"] == {
            "operators": ["tests.fakes:Step1", "tests.fakes:Step3"],
            "schedule": "generation",
            "memory.prior": False,
            "budget.evaluations": 30,
        } | {k: v for k, v in row["settings"].items() if k == "sandbox.isolation"}

    def test_json_is_a_list_of_rows(self) -> None:
        called = call("ls", "--json")
        (line,) = called.out.splitlines()
        rows = json.loads(line)
        assert [row["status"] for row in rows] == ["failed", "proven", "proven"]
        assert "skipped" in called.err

    @pytest.mark.tier("runs")
    def test_an_open_run_is_running(self, tmp_path: Path) -> None:
        folder = unfinished(tmp_path, 60)
        assert "interrupted" in call("ls", "--results", tmp_path).out
        with Journal(folder / "run.db"):
            assert "running" in call("ls", "--results", tmp_path).out
            (row,) = json.loads(call("ls", "--json", "--results", tmp_path).out)
            assert row["status"] == "running"
            assert "running: " in call("show", folder).out
        assert "unfinished: " in call("show", folder).out

    @pytest.mark.tier("runs")
    def test_folders_of_runs_are_named_in_the_last_line(self, tmp_path: Path) -> None:
        one, two = tmp_path / "one", tmp_path / "two"
        for folder, name in ((one, "a"), (two, "a"), (two, "b")):
            finished(folder, timed=False, name=name, budget=FEW)
        more = (
            f"more runs in {one} (1 run), {two} (2 runs); to list them:",
            f"  se-agent ls --results {one}",
        )
        assert call("ls", "--results", tmp_path).out.splitlines() == [*more]
        finished(tmp_path, timed=False, budget=FEW)
        head, row, *last = call("ls", "--results", tmp_path).out.splitlines()
        assert (head[:4], row[:4], last) == ("run ", "run ", [*more])

    @pytest.mark.tier("runs")
    def test_one_run_has_no_means(self, tmp_path: Path) -> None:
        """A scored one beside it makes no second gain."""
        finished(tmp_path, timed=True, name="timed")
        finished(tmp_path, timed=False, name="scored")
        assert len(call("ls", "--results", tmp_path).out.splitlines()) == 3

    def test_no_runs_at_all(self, tmp_path: Path) -> None:
        assert "no runs in" in call("ls", "--results", tmp_path / "none").out
        assert json.loads(call("ls", "--results", tmp_path, "--json").out) == []
