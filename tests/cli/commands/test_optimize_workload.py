"""`optimize --workload` on a small package: methods, generators and objects, in real runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calls import call, two_lines
from tests.cli.shelf import BOOKS, QUICKEST, USE, optimize, shelf_in


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return shelf_in(tmp_path)


@pytest.mark.tier("runs")
class TestAGain:
    @pytest.mark.parametrize(
        ("target", "workload"),
        [
            pytest.param("Shelf", "method", id="class"),
            pytest.param("fresh", "generator", id="generator"),
            pytest.param("asked", "coroutine", id="async"),
            pytest.param("tagged", "taking", id="takes-an-object"),
        ],
    )
    def test_is_found_and_shown(self, books: Path, target: str, workload: str) -> None:
        called = optimize(target, workload, *QUICKEST, "--json")
        assert called.code == 0, called
        row = json.loads(called.out.splitlines()[-1])
        assert (row["status"], row["written"]) == ("proven", False)
        assert row["problem"] == f"shelf.books.{target}"
        assert "+    " in called.err
        assert "titles_set" in called.err
        assert books.read_text(encoding="utf-8") == BOOKS

    def test_is_written_and_replayed_without_the_package(
        self, books: Path, tmp_path: Path
    ) -> None:
        options = ("--tests", "tests", "--write", "--set", "name=first", "--json")
        called = optimize("Shelf.unread", "method", *options)
        assert called.code == 0, called
        assert "the tests pass" in called.err
        row = json.loads(called.out.splitlines()[-1])
        assert (row["status"], row["written"]) == ("proven", True)
        assert row["problem"] == "shelf.books.Shelf.unread", "a method"
        assert "+        titles_set" in called.err
        message = call("patch", "results/first").out.splitlines()
        assert message[0].startswith("Make Shelf.unread faster: ")
        assert message[0].endswith("x in method()")
        whole = "of whole calls of `method` in use.py, not of the changed code alone"
        assert f"- these are figures {whole}" in message
        text = books.read_text(encoding="utf-8")
        assert text != BOOKS
        assert text == (tmp_path / "results/first/best.py").read_text(encoding="utf-8")
        for path in ("shelf", "use.py", "tests"):
            (tmp_path / path).rename(tmp_path / f"gone-{path}")
        assert call("replay", "results/first").code == 0
        assert call("show", "results/first").code == 0


class TestRefusals:
    """Two lines, nothing spent, the file as it was."""

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize(
        ("target", "text", "told", "hint"),
        [
            pytest.param(
                "never",
                USE,
                "books.py:never: the workload method() never calls it",
                "of that file it calls ",
                id="not-reached",
            ),
            pytest.param(
                "Shelf.unread",
                USE.replace("return Shelf(_books(titles)).unread(read)", "return Shelf([])"),
                "use.py:method: its result: unsupported value of type shelf.books.Shelf",
                "let the workload return",
                id="returns-an-object",
            ),
            pytest.param(
                "Shelf.unread",
                USE.replace(
                    "    return Shelf(", "    import time; time.sleep(0.2)\n    return Shelf("
                ),
                "use.py:method: it waits",
                "",
                id="sleeps",
            ),
            pytest.param(
                "Shelf.unread",
                USE.replace("    return Shelf(", "    import os; os.fork()\n    return Shelf("),
                "REJECTED",
                "",
                id="forks",
            ),
            pytest.param(
                "Shelf.unread",
                USE.replace("    return Shelf(", "    while True: pass\n    return Shelf("),
                "is too large for one call",
                "make it smaller",
                id="takes-for-ever",
            ),
        ],
    )
    def test_a_workload_that_cannot_be_measured(
        self, books: Path, target: str, text: str, told: str, hint: str
    ) -> None:
        Path("use.py").write_text(text, encoding="utf-8")
        error, said = two_lines(optimize(target, "method"))
        assert told in error
        assert hint in said
        assert books.read_text(encoding="utf-8") == BOOKS
        assert not list(Path("results").glob("*")) if Path("results").exists() else True
