"""`show`, `diff`, `ls` and `replay`: reading runs of every kind."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from pathlib import Path

import pytest

from se_agent.cli.json_row import read
from se_agent.cli.run_path import run_folder
from se_agent.engine.journal.journal import Journal
from se_agent.errors import JournalError
from se_agent.events import SCHEMA_VERSION
from se_agent.grid.cell_log import read_log
from tests.cli.calls import call, two_lines
from tests.finished import after_one_lesson, finished, unfinished


@pytest.fixture(autouse=True)
def _inside(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace)


class TestPlace:
    def test_a_path_a_name_and_the_last(self) -> None:
        scored = Path("results/scored")
        os.utime(scored / "problem.json", (2e9, 2e9))
        assert run_folder("scored") == scored
        assert run_folder("results/scored") == scored
        assert run_folder("results/scored/run.db") == scored
        assert run_folder("last") == scored

    def test_a_name_that_is_nearly_right(self) -> None:
        with pytest.raises(JournalError, match="no run 'scord' in results/") as caught:
            run_folder("scord")
        assert caught.value.hint == "did you mean 'scored'?"

    def test_a_folder_that_is_no_run(self) -> None:
        with pytest.raises(JournalError, match="results: not a run folder"):
            run_folder("results")

    @pytest.mark.parametrize("arms", [("a",), ("a", "b")])
    def test_a_folder_of_arms(self, tmp_path: Path, arms: tuple[str, ...]) -> None:
        for arm in arms:
            (tmp_path / arm / "run").mkdir(parents=True)
            (tmp_path / arm / "run" / "run.db").touch()
        with pytest.raises(JournalError, match="not a run folder") as caught:
            run_folder(str(tmp_path))
        alone = f"it has an arm of runs: `se-agent ls --results {tmp_path}/a`"
        several = f"it has arms of runs: `se-agent compare {tmp_path}`"
        expected = alone if len(arms) == 1 else several
        assert caught.value.hint == f"{expected}, or give one of them, FOLDER/ARM/RUN; or last"

    @pytest.mark.tier("runs")
    def test_a_run_without_its_journal(self, tmp_path: Path) -> None:
        folder = finished(tmp_path, timed=True, name="timd")
        (folder / "run.db").unlink()
        with pytest.raises(
            JournalError, match=r"timd: not a run folder: it has no run\.db"
        ) as e:
            run_folder("timd", tmp_path)
        assert e.value.hint == "restore it from a copy of the run folder"

    def test_a_cell_that_failed_before_it_had_a_run(self, tmp_path: Path) -> None:
        folder = tmp_path / "results" / "g" / "a" / "p-s0"
        folder.mkdir(parents=True)
        read_log(folder, "g", "a/p-s0").begun(1, 1).ended("failed", 0.1, "no such key").keep(
            folder
        )
        with pytest.raises(JournalError, match="before it had a run: no such key") as caught:
            run_folder(str(folder))
        assert caught.value.hint == "`se-agent grid FILE --retry` runs it again"


class TestShow:
    def test_a_run(self) -> None:
        called = call("show", "timed", "--all")
        assert called.code == 0
        for text in ("portfolio, seed 0", "faster (", "▁", "Gen1_Sol_0", "## Memory of this"):
            assert text in called.out
        assert "lineage: Gen0_Sol_0 -> " in called.out

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("events", [1, 8, 60, 200])
    def test_an_unfinished_run(self, tmp_path: Path, events: int) -> None:
        folder = unfinished(tmp_path, events)
        called = call("show", folder)
        assert called.code == 0
        assert f"se-agent resume {folder}" in called.out

    @pytest.mark.tier("runs")
    def test_what_to_do_next_with_an_unfinished_run(self, tmp_path: Path) -> None:
        folder = unfinished(tmp_path, 60)
        said = call("show", folder).out
        following = rf"^next:\n  se-agent resume {folder}\n  se-agent show {folder} --all$"
        assert re.search(following, said, re.M)
        (folder / "problem.json").unlink()
        said = call("show", folder, "--all").out
        assert re.search(rf"^next:\n  se-agent show {folder}$", said, re.M)
        assert "resume" not in said
        lost = f"{folder / 'problem.json'}: cannot be read: No such file or directory"
        assert f"(no memory: {lost})" in " ".join(said.split())

    def test_a_page_has_the_result_the_gain_the_costs_the_lessons_and_what_comes_next(
        self,
    ) -> None:
        said = call("show", "timed").out
        parts = (
            "proven: ",
            "99 % interval",
            "Where the gain lies",
            "What was spent",
            "What was learned",
            "next:\n",
        )
        places = [said.find(part) for part in parts]
        assert -1 not in places
        assert places == sorted(places)
        assert "## Memory of this" not in said

    def test_a_run_for_programs(self) -> None:
        told = json.loads(call("show", "timed", "--json").out.splitlines()[-1])
        assert (told["status"], told["seed"]) == ("proven", 0)
        assert told["settings"]["budget.evaluations"] == 30
        best = next(s for s in told["solutions"] if s["id"] == told["best_solution_id"])
        assert best["effect_low"] <= best["effect"] <= best["effect_high"]
        assert told["lessons"][0]["solution"].startswith("Gen")

    def test_a_solution_for_programs(self) -> None:
        told = json.loads(call("show", "timed", "g1s0", "--json").out.splitlines()[-1])
        assert told["id"] == "Gen1_Sol_0"
        assert told["files"] == {"main.py": "x = 1"}

    @pytest.mark.parametrize(
        "words",
        [("--all", "--json"), ("best", "--all"), ("--calls", "--json"), ("--calls", "--all")],
    )
    def test_two_pages_at_once_are_refused(self, words: tuple[str, ...]) -> None:
        error, hint = two_lines(call("show", "timed", *words))
        assert "shows the run" in error
        assert hint == "give one of them"

    @pytest.mark.tier("runs")
    def test_a_run_that_another_process_writes(self, tmp_path: Path) -> None:
        folder = unfinished(tmp_path, 60)
        with Journal(folder / "run.db"):
            assert call("show", folder).code == 0

    def test_a_solution_by_any_spelling_of_its_id(self) -> None:
        shown = [call("show", "timed", spelling).out for spelling in ("Gen1_Sol_0", "g1s0")]
        assert shown[0] == shown[1]
        for text in ("direction", "verdict", "edit", "block", "lesson", "x = 1"):
            assert text in shown[0]

    def test_the_best(self) -> None:
        assert "lineage" in call("show", "timed", "best").out

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            pytest.param("Gen99_Sol_1", "no solution 'Gen99_Sol_1' in this run", id="absent"),
            pytest.param("nonsense", "not a solution id: 'nonsense'", id="no-id"),
        ],
    )
    def test_a_solution_that_is_not_there(self, name: str, said: str) -> None:
        assert said in two_lines(call("show", "timed", name))[0]

    def test_a_step_without_a_program_of_its_own_says_why(self) -> None:
        _, story = read(Path("results/timed"))
        ids = [step.id for step in story.chapters.values() if step.id]
        without = next(each for each in ids if each not in story.solutions)
        error, hint = two_lines(call("show", "timed", without))
        assert error.startswith(f"{without} brought no program of its own: ")
        assert hint == "`se-agent show RUN` lists the solutions"

    def test_lessons_are_searched_those_that_left_the_prompt_too(self) -> None:
        called = call("show", "timed", "--search", "wrong WA")
        failures = [line for line in called.out.splitlines() if line.startswith("  - ")]
        memory = call("show", "timed").out.partition("### What failed")[2]
        assert len(failures) > memory.count("\n- **")
        assert "no lesson holds any" in call("show", "timed", "--search", "zebra").out

    @pytest.mark.tier("runs")
    def test_one_lesson_is_told_as_one(self, tmp_path: Path) -> None:
        said = call("show", after_one_lesson(tmp_path), "--search", "Step").out
        assert said.endswith("\n1 lesson\n")


class TestDiff:
    def test_edits_and_text(self) -> None:
        called = call("diff", "timed", "g0s0", "best")
        assert call("diff", "timed").out == called.out, "initial and best are meant"
        assert "# + tests.fakes:Step" in called.out
        assert "--- Gen0_Sol_0/main.py" in called.out
        assert "-x = 0" in called.out

    def test_the_same_twice(self) -> None:
        assert "the same text" in call("diff", "timed", "g1s0", "Gen1_Sol_0").out

    def test_before_there_is_a_gain(self, tmp_path: Path) -> None:
        run = finished(tmp_path, timed=True, operators=["set_membership"])
        said = call("diff", str(run)).out
        assert said == "nothing better than the initial program is known\n"


class TestReplay:
    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("name", ["timed", "scored"])
    def test_a_finished_run_is_identical(self, name: str) -> None:
        called = call("replay", name)
        assert called.code == 0
        assert called.out.startswith("identical: the whole run, ")

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("events", [150, 200, 203, 210, 300])
    def test_an_unfinished_run_is_identical_as_far_as_it_goes(
        self, tmp_path: Path, events: int
    ) -> None:
        called = call("replay", unfinished(tmp_path, events))
        assert (called.code, called.out[:9]) == (0, "identical")

    @pytest.mark.tier("runs")
    def test_what_differs_is_shown(self, tmp_path: Path) -> None:
        folder = finished(tmp_path, timed=False)
        with sqlite3.connect(folder / "run.db") as db:
            db.execute("DROP TRIGGER no_update")
            changed = "body = replace(body, 'Step1', 'Step3')"
            db.execute(f"UPDATE events SET {changed} WHERE kind = 'selected'")
        db.close()
        called = call("replay", folder)
        assert called.code == 1
        assert "differs in" in called.out


class TestBadFolders:
    @pytest.mark.tier("runs")
    def test_a_run_that_another_process_holds(self, tmp_path: Path) -> None:
        folder = unfinished(tmp_path, 60)
        with Journal(folder / "run.db"):
            error, hint = two_lines(call("resume", folder))
            again = call("resume", folder)
        assert f"this run is open in another process (pid {os.getpid()})" in error
        assert hint.startswith("wait for it")
        assert "going on" not in again.out

    def test_a_run_that_has_ended_is_not_gone_on_with(self) -> None:
        called = call("resume", "timed")
        assert called.code == 0
        assert called.out.startswith("proven: ")

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("command", ["resume", "show", "replay"])
    def test_a_run_of_a_newer_version(self, tmp_path: Path, command: str) -> None:
        folder = unfinished(tmp_path, 60)
        with sqlite3.connect(folder / "run.db") as db:
            db.execute("UPDATE meta SET value = '99'")
        db.close()
        error, hint = two_lines(call(command, folder))
        assert f"a newer version wrote it (schema 99, here {SCHEMA_VERSION})" in error
        assert hint.startswith("update se_agent")

    @pytest.mark.parametrize("command", ["resume", "show", "replay"])
    def test_a_file_that_is_no_journal(self, command: str) -> None:
        assert "not a journal" in two_lines(call(command, "broken"))[0]

    @pytest.mark.tier("runs")
    def test_a_journal_with_an_event_of_nobody(self, tmp_path: Path) -> None:
        folder = unfinished(tmp_path, 8)
        with sqlite3.connect(folder / "run.db") as db:
            db.execute("INSERT INTO events (slot, kind, body) VALUES (0, 'x', '{}')")
        db.close()
        shown = call("show", folder)
        assert shown.code == 0
        assert shown.out.startswith("event 9 (x) cannot be read, and is left out: ")
        assert "cannot be read: event 9" in two_lines(call("resume", folder))[0]

    @pytest.mark.tier("runs")
    def test_a_folder_without_its_problem(self, tmp_path: Path) -> None:
        folder = unfinished(tmp_path, 60)
        (folder / "problem.json").unlink()
        assert "cannot be read" in two_lines(call("resume", folder))[0]
        assert "(no memory: " in call("show", folder, "--all").out
