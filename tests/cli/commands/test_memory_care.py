"""`memory gc`, `doctor`, `backup`, `restore`, `maintain`: as a person calls them."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from se_agent.memory import MEMORY_FILE, ArtifactStore, Workspace
from se_agent.memory.experience.schema import KIND
from se_agent.store.database import Database
from tests.cli.calls import call, two_lines
from tests.engine.talkative import config_of, ran
from tests.memory.experience.journals import finished


@pytest.fixture
def results(tmp_path: Path) -> Path:
    before = datetime.now(UTC) - timedelta(days=5)
    with Workspace.open(tmp_path / ".se_agent") as workspace:
        store = workspace.artifacts()
        old = ArtifactStore(workspace.folder, store.db, clock=lambda: before)
        old.save_artifact("old", title="old")
        store.save_artifact("new", title="new")
    return tmp_path


def titles(results: Path) -> list[str]:
    told = call("artifact", "ls", "--results", results, "--json").out
    return [row["title"] for row in json.loads(told)]


def blob(results: Path) -> Path:
    return next(path for path in results.rglob("*") if len(path.name) == 64)


class TestGc:
    def test_what_has_had_its_days_ends(self, results: Path) -> None:
        told = call("memory", "gc", "--dry-run", "--results", results, "--json").out
        assert json.loads(told)["expired"] == 1
        assert titles(results) == ["old", "new"]
        told = call("memory", "gc", "--results", results).out
        assert told.startswith("1 output ended")
        assert titles(results) == ["new"]
        assert (
            "expired on" in call("artifact", "show", "cba06b5736fa", "--results", results).out
        )

    def test_days_may_be_given(self, results: Path) -> None:
        call("memory", "gc", "--days", "6", "--results", results)
        assert titles(results) == ["old", "new"]
        call("memory", "gc", "--days", "0", "--results", results)
        assert len(titles(results)) <= 1

    def test_without_a_workspace_it_is_two_lines(self, tmp_path: Path) -> None:
        error, _ = two_lines(call("memory", "gc", "--results", tmp_path))
        assert "no workspace" in error


class TestDoctor:
    def test_all_is_well(self, results: Path) -> None:
        called = call("memory", "doctor", "--results", results)
        assert called.code == 0
        assert called.out.endswith("all is well\n")

    def test_what_is_lost_has_exit_code_2_and_something_to_do(self, results: Path) -> None:
        blob(results).write_text("other")
        called = call("memory", "doctor", "--results", results)
        assert called.code == 2
        assert "its content is damaged" in called.out
        assert "to do: " in called.out
        (found,) = json.loads(call("memory", "doctor", "--results", results, "--json").out)
        assert found["is_harm"]


class TestBackups:
    def test_what_lies_beside_the_runs_is_in_it_wherever_the_workspace_is(
        self, results: Path
    ) -> None:
        runs = results / "runs"
        runs.mkdir()
        Database(runs / MEMORY_FILE, KIND).close()
        places = ("--results", runs, "--workspace", results / ".se_agent")
        folder = json.loads(call("memory", "backup", *places, "--json").out)["folder"]
        assert (Path(folder) / MEMORY_FILE).is_file()
        (runs / MEMORY_FILE).unlink()
        assert call("memory", "restore", folder, *places).code == 0
        assert (runs / MEMORY_FILE).is_file()
        assert MEMORY_FILE in call("memory", "maintain", *places).out
        (runs / MEMORY_FILE).write_bytes(b"no database" * 500)
        assert str(runs / MEMORY_FILE) in call("memory", "doctor", *places).out

    @pytest.mark.row("AM-37")
    def test_a_backup_comes_back(self, results: Path) -> None:
        told = call("memory", "backup", "--results", results, "--json").out
        folder = json.loads(told)["folder"]
        call("memory", "gc", "--results", results)
        assert titles(results) == ["new"]
        told = call("memory", "restore", folder, "--results", results).out
        assert "what it replaced is kept" in told
        assert titles(results) == ["old", "new"]

    def test_it_may_lie_elsewhere_and_fill_an_empty_place(
        self, results: Path, tmp_path: Path
    ) -> None:
        to = tmp_path / "copies" / "one"
        assert call("memory", "backup", "--to", to, "--results", results).code == 0
        other = tmp_path / "other" / ".se_agent"
        assert call("memory", "restore", to, "--workspace", other).code == 0
        assert titles(other.parent) == ["old", "new"]

    def test_what_is_no_backup_is_two_lines(self, results: Path) -> None:
        error, hint = two_lines(call("memory", "restore", results, "--results", results))
        assert "no backup" in error
        assert "backups" in hint


class TestMaintain:
    @pytest.mark.row("AM-50")
    def test_it_does_all_and_says_so(self, results: Path) -> None:
        told = call("memory", "maintain", "--backup", "--results", results).out
        assert told.startswith("backup: ")
        assert "1 output ended, 1 content gone" in told
        assert "artifacts.db: whole" in told
        assert titles(results) == ["new"]


class TestRules:
    @pytest.mark.parametrize("words", [[], ["rules"]])
    def test_memory_alone_shows_rules(self, results: Path, words: list[str]) -> None:
        called = call("memory", *words, "--results", results)
        assert called.out == f"{results / 'memory.db'}: 0 runs\n"
        assert call("memory", *words, "--results", results, "--json").out == "[]\n"


class TestALostIndex:
    """What runs have kept is found again by their journals."""

    @pytest.fixture
    def results(self, tmp_path: Path) -> Path:
        for name in ("one", "two"):
            ran(config_of(tmp_path, name=name))
        return tmp_path

    @pytest.fixture
    def rows(self, results: Path) -> list[dict[str, object]]:
        return self.listed(results)

    def listed(self, results: Path) -> list[dict[str, object]]:
        found = json.loads(call("artifact", "ls", "--results", results, "--json").out)
        apart = {"id", "created_at"}
        return sorted(({key: row[key] for key in row.keys() - apart} for row in found), key=str)

    @pytest.mark.tier("runs")
    def test_it_is_made_anew_and_nothing_goes_before(
        self, results: Path, rows: list[dict[str, object]]
    ) -> None:
        (results / ".se_agent" / "artifacts.db").write_bytes(b"nothing" * 999)
        refused = call("memory", "gc", "--force", "--results", results)
        assert refused.code == 2
        assert "doctor --rebuild" in refused.err
        (results / ".se_agent" / "artifacts.db").unlink()
        with Workspace.open(results / ".se_agent") as workspace:
            workspace.artifacts().save_artifact("of another one", title="x", group_id="three")
        kept = call("memory", "gc", "--force", "--results", results)
        assert "nothing was done: the index does not know" in kept.out
        rebuilt = call("memory", "doctor", "--rebuild", "--results", results)
        assert "the index was made anew" in rebuilt.out
        assert [row for row in self.listed(results) if row["group_id"] != "three"] == rows
        again = json.loads(
            call("memory", "doctor", "--rebuild", "--results", results, "--json").out
        )
        assert again["is_equal"]
        gone = call("memory", "gc", "--force", "--results", results)
        assert "0 contents have gone" in gone.out

    @pytest.mark.tier("runs")
    def test_a_backup_has_what_is_sound_and_names_what_is_not(self, results: Path) -> None:
        place = results / ".se_agent" / "artifacts.db"
        whole = place.read_bytes()
        place.write_bytes(b"nothing" * 999)
        made = call("memory", "backup", "--results", results, "--to", results / "copy")
        assert made.code == 1
        assert f"not in it: {place}: " in made.out
        contents = [p for p in (results / "copy" / "artifacts").rglob("*") if p.is_file()]
        assert contents
        assert (results / "copy" / "state.db").is_file()
        place.write_bytes(whole)
        assert call("memory", "backup", "--results", results, "--to", results / "b").code == 0


class TestALostMemory:
    """What runs left for later ones is found again by their journals."""

    @pytest.fixture
    def results(self, tmp_path: Path) -> Path:
        for name in ("one", "two"):
            finished(tmp_path, name)
        return tmp_path

    def rebuilt(self, results: Path) -> dict[str, Any]:
        told = call("memory", "doctor", "--rebuild", "--results", results, "--json").out
        found: dict[str, Any] = json.loads(told)["memory"]
        return found

    @pytest.mark.tier("runs")
    @pytest.mark.row("SQ-07")
    def test_it_is_made_anew_with_the_same_sum(self, results: Path) -> None:
        whole = self.rebuilt(results)
        assert whole["is_equal"]
        assert whole["runs"] == 2
        assert whole["rows"]["items"]
        assert whole["unread"] == []
        (results / MEMORY_FILE).write_bytes(b"nothing" * 999)
        told = call("memory", "doctor", "--rebuild", "--results", results)
        assert told.code == 0
        assert "the memory of runs was made anew (" in told.out
        assert "what it was is damaged and lies in " in told.out
        again = self.rebuilt(results)
        assert again["is_equal"]
        assert (again["checksum"], again["rows"]) == (whole["checksum"], whole["rows"])

    @pytest.mark.tier("runs")
    def test_what_is_kept_is_said(self, results: Path) -> None:
        call("memory", "add", "--policy", "Names stay", "--results", results)
        shutil.rmtree(results / "two")
        told = call("memory", "doctor", "--rebuild", "--results", results).out
        assert "the memory of runs says what the journals say: 1 run, " in told
        assert "what was left by 1 run whose journal gives nothing" in told
        assert "policies: 1" in told

    @pytest.mark.tier("runs")
    def test_a_run_that_cannot_be_read_keeps_what_it_left_and_is_named(
        self, results: Path
    ) -> None:
        whole = self.rebuilt(results)
        (results / "two" / "problem.json").unlink()
        made = self.rebuilt(results)
        assert made["is_equal"]
        assert made["checksum"] == whole["checksum"]
        assert (made["runs"], made["kept_runs"]) == (1, 1)
        (told,) = made["unread"]
        assert told.startswith(f"{results / 'two'}: what it found out is left as it is: ")

    @pytest.mark.tier("runs")
    def test_a_memory_of_a_newer_version_is_refused_and_left(self, results: Path) -> None:
        with Database(results / MEMORY_FILE, KIND) as db:
            db.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
        refused = call("memory", "doctor", "--rebuild", "--results", results)
        assert refused.code == 2
        error, _ = two_lines(refused)
        assert "memory.db" in error
        again = call("memory", "doctor", "--rebuild", "--results", results)
        assert again.code == 2  # it was not moved away
