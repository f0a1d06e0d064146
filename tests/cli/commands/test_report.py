"""`report` and `watch`: what is written, and what is refused in two lines."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.calls import COMMAND, call, started, two_lines
from tests.finished import finished
from tests.report.html.runs import island_of


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finished(tmp_path_factory.mktemp("report"), timed=True)


@pytest.mark.tier("runs")
def test_the_report_stands_beside_the_run(run: Path) -> None:
    called = call("report", run)
    assert (called.code, called.err) == (0, "")
    file = run / "report.html"
    assert called.out.startswith(f"report: {file} (")
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert not list(run.glob(".report*"))


@pytest.mark.tier("runs")
def test_show_names_the_command(run: Path) -> None:
    assert f"  se-agent report {run} --open\n" in call("show", run).out


def test_no_name_of_a_folder_drives_the_terminal(run: Path, tmp_path: Path) -> None:
    (folder := tmp_path / "a\x1b[31mred").mkdir()
    called = call("report", run, "--output", folder / "r.html")
    assert called.code == 0
    assert "\x1b" not in called.out


def test_a_folder_of_runs_has_one_too(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.html"
    assert call("report", run.parent, "--output", file).code == 0
    assert '"kind":"grid"' in file.read_text(encoding="utf-8")


def test_the_page_of_a_folder_leads_to_the_report_of_each_run(
    run: Path, tmp_path: Path
) -> None:
    for name in ("a b", "c"):
        shutil.copytree(run, tmp_path / "runs" / name)
        (tmp_path / "runs" / name / "report.html").unlink(missing_ok=True)
    folder, file = tmp_path / "runs", tmp_path / "elsewhere.html"
    assert call("report", folder).code == 0
    assert links(folder / "report.html") == ["", ""]
    assert call("report", folder, "--runs", "--output", file).code == 0
    assert links(file) == ["./runs/a%20b/report.html", "./runs/c/report.html"]
    assert '"kind":"run"' in (folder / "c" / "report.html").read_text(encoding="utf-8")
    assert call("report", folder).code == 0
    assert links(folder / "report.html") == ["./a%20b/report.html", "./c/report.html"]


def test_one_run_that_cannot_be_read_keeps_no_other_from_its_report(
    run: Path, tmp_path: Path
) -> None:
    for name in "ab":
        shutil.copytree(run, tmp_path / name, ignore=shutil.ignore_patterns("report.html"))
    (tmp_path / "a" / "run.db").write_bytes(b"no journal" * 100)
    assert call("report", tmp_path, "--runs").code == 0
    assert not (tmp_path / "a" / "report.html").exists()
    assert (tmp_path / "b" / "report.html").is_file()


def links(file: Path) -> list[str]:
    """Return where the runs of a page lead to."""
    found = island_of(file.read_text(encoding="utf-8"))["grid"]
    assert all(each["open"].startswith("se-agent report ") for each in found["runs"])
    return [each["report"] for each in found["runs"]]


def spoil(folder: Path, kind: str) -> int:
    """Damage the first event of a kind, and return its number."""
    with closing(sqlite3.connect(folder / "run.db")) as db:
        found = db.execute("SELECT min(id) FROM events WHERE kind = ?", (kind,)).fetchone()[0]
        (guard,) = db.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'no_update'"
        ).fetchone()
        db.execute("DROP TRIGGER no_update")
        db.execute("UPDATE events SET body = '{\x1b[31m' WHERE id = ?", (found,))
        db.execute(guard)
        db.commit()
    return int(found)


@pytest.mark.parametrize(
    "kind", ["started", "selected", "proposed", "evaluated", "learned", "confirmed", "ended"]
)
def test_an_event_that_cannot_be_read_is_named_and_left_out(
    kind: str, run: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    number = spoil(folder, kind)
    called = call("report", folder)
    assert called.code == 0
    line = f"note: event {number} ({kind}) cannot be read, and is left out: "
    assert called.err.startswith(line)
    assert called.err.count("\n") == 1
    assert "\x1b" not in called.err
    assert f"event {number} ({kind})" in (folder / "report.html").read_text(encoding="utf-8")


def test_a_run_that_cannot_be_read_is_named_and_left_out_of_a_folder(
    run: Path, tmp_path: Path
) -> None:
    for name in "abc":
        shutil.copytree(run, tmp_path / name)
    spoil(tmp_path / "b", "learned")
    (tmp_path / "c" / "run.db").write_bytes(b"no journal" * 100)
    called = call("report", tmp_path)
    assert called.code == 0
    assert [line.split(":")[1].strip() for line in called.err.splitlines()] == [
        str(tmp_path / "b"),
        str(tmp_path / "c"),
    ]
    assert called.out.startswith("report: ")


@pytest.mark.parametrize("place", ["none/report.html", "folder"])
def test_a_place_that_takes_no_file_is_refused_in_two_lines(
    place: str, run: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    error, hint = two_lines(call("report", run, "--output", tmp_path / place))
    assert str(tmp_path / place) in error or "no such folder" in error
    assert "--output FILE" in hint


def test_a_file_that_is_no_report_is_not_written_over(run: Path) -> None:
    journal = run / "run.db"
    before = journal.read_bytes()
    error, hint = two_lines(call("report", run, "--output", journal))
    assert error.endswith("run.db: there is another file, which is no report")
    assert "--output FILE" in hint
    assert journal.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_refused_in_two_lines(run: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    error, hint = two_lines(call("report", run, "--output", tmp_path / "r.html"))
    assert "cannot be written: Permission denied" in error
    assert hint.endswith("name a file where you may write: --output FILE")


def test_a_run_that_is_none_is_refused_in_two_lines(tmp_path: Path) -> None:
    for command in ("report", "watch"):
        error, hint = two_lines(call(command, tmp_path / "none"))
        assert "no run" in error
        assert "se-agent" in hint


@pytest.mark.tier("runs")
def test_watch_serves_the_page_until_it_is_interrupted(run: Path) -> None:
    with started((*COMMAND, "watch", run)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "watch it at:\n"
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert answer.read().startswith(b"<!doctype html>")
        process.send_signal(signal.SIGINT)
        said = process.stdout.read()
    assert process.returncode == 0
    assert said.endswith("ended; the run is as it was\n")
