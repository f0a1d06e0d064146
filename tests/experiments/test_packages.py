"""What is drawn of published packages, and how it is counted. Nothing is fetched."""

from __future__ import annotations

import shutil
import sys
import tarfile
from pathlib import Path

import pytest

from experiments.figures.packages import FURTHER, PACKAGES, drawn, order, reason, table
from experiments.figures.published import (
    Unfit,
    UnfitError,
    keep_passing,
    modules,
    public,
    suite_of,
    unpacked,
)
from experiments.figures.rows import Row

MODULE = b"""\
from os import path
def shorter(text, width=3): pass
def count(*values): pass
def _inner(text): pass
def nothing(): pass
async def later(text): pass
class Folder:
    def method(self, text): pass
"""


def published(tmp_path: Path, *files: str) -> Path:
    """Write the files of a source distribution."""
    for file in files:
        path = tmp_path / "thing-1.0" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(MODULE)
    return tmp_path / "thing-1.0"


class TestDrawn:
    def test_an_order_is_a_permutation_that_stays(self) -> None:
        assert drawn(PACKAGES, 0) == drawn(PACKAGES, 0)
        assert sorted(drawn(PACKAGES, 0)) == sorted(PACKAGES)
        assert drawn(PACKAGES, 0) != drawn(PACKAGES, 1)

    def test_the_further_ones_are_drawn_after_all_of_the_others(self) -> None:
        assert order() == order()
        assert sorted(order()[: len(PACKAGES)]) == sorted(PACKAGES)
        assert sorted(order()[len(PACKAGES) :]) == sorted(FURTHER)
        assert order()[len(PACKAGES) :] != sorted(FURTHER)

    def test_every_package_has_its_version(self) -> None:
        assert all(requirement.count("==") == 1 for requirement in order())
        names = [requirement.partition("==")[0] for requirement in order()]
        assert len(set(names)) == len(names)


class TestFunctions:
    def test_public_ones_take_something_by_position(self) -> None:
        assert list(public(MODULE)) == ["shorter", "count"]

    def test_a_file_for_another_python_has_none(self) -> None:
        assert list(public(b"print 'hello'")) == []

    @pytest.mark.parametrize("root", ["", "src/"])
    def test_are_those_that_are_installed_and_no_tests(self, tmp_path: Path, root: str) -> None:
        own = ("thing/__init__.py", "thing/text.py")
        private = ("thing/_fast.py", "thing/_in/a.py", "thing/tests/a.py", "thing/test_a.py")
        source = published(tmp_path, "setup.py", "bin/make.py", *(root + file for file in own))
        published(tmp_path, *(root + file for file in private))
        installed = tmp_path / "installed"
        shutil.copytree(
            source / root, installed, ignore=shutil.ignore_patterns("bin", "setup.py")
        )
        assert [str(place) for place in modules(source, installed)] == [root + f for f in own]


class TestPassing:
    def test_files_that_fail_are_left_out(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PYTEST_ADDOPTS", "--hypothesis-profile=ours-alone")
        source = published(tmp_path, "tests/helper.py")
        good, bad = (source / "tests" / f"test_{name}.py" for name in ("good", "bad"))
        good.write_text("def test(): assert True\n")
        bad.write_text("def test(): assert False\n")
        keep_passing(Path(sys.prefix), source, source / "tests")
        left = {path.name for path in (source / "tests").glob("*.py")}
        assert left == {"helper.py", "test_good.py"}

    def test_without_any_the_package_is_refused(self, tmp_path: Path) -> None:
        source = published(tmp_path, "tests/test_nothing.py")
        with pytest.raises(UnfitError, match=Unfit.FAILING):
            keep_passing(Path(sys.prefix), source, source / "tests")


class TestSource:
    def packed(self, source: Path, tmp_path: Path) -> Path:
        with tarfile.open(tmp_path / "thing-1.0.tar.gz", "w:gz") as archive:
            archive.add(source, arcname=source.name)
        return tmp_path / "thing-1.0.tar.gz"

    def test_is_unpacked(self, tmp_path: Path) -> None:
        source = published(tmp_path, "thing.py", "tests/test_thing.py")
        found = unpacked(self.packed(source, tmp_path), tmp_path / "source")
        assert suite_of(found) == tmp_path / "source" / "thing-1.0" / "tests"

    def test_with_compiled_parts_is_refused(self, tmp_path: Path) -> None:
        source = published(tmp_path, "thing.py", "thing/fast.pyx")
        with pytest.raises(UnfitError, match=Unfit.COMPILED):
            unpacked(self.packed(source, tmp_path), tmp_path / "source")

    @pytest.mark.parametrize("place", ["test", "thing/tests", "src/thing/tests"])
    def test_has_its_tests_in_one_of_the_usual_places(self, tmp_path: Path, place: str) -> None:
        source = published(tmp_path, "thing/a.py", f"{place}/test_a.py")
        assert suite_of(source) == source / place

    def test_without_tests_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(UnfitError, match=Unfit.UNTESTED):
            suite_of(published(tmp_path, "thing.py"))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("error: --tests tests: they never call 'thing.f'", "never called by the tests"),
        ("error: f: there are no inputs to call it with", "no call with plain data"),
        ("error: the inputs of 'f' are too small to measure", "too small to measure"),
        (
            "error: a.py:f: its result: unsupported value of type A",
            "an answer that is no plain data",
        ),
        ("error: tests: no tests were found there", "no tests that pytest finds"),
        ("error: something else", "other"),
    ],
)
def test_an_error_has_a_reason(error: str, said: str) -> None:
    assert reason(error) == said


def test_the_table_counts_what_was_measured_and_why_the_others_were_not() -> None:
    ran = {"status": "proven", "evaluations": 9, "gain_low": 1.1, "gain_high": 1.3}
    rows: dict[str, Row] = {
        "thing==1.0": {"drawn": ["a.py:f", "a.py:g", "a.py:h", "a.py:i"]},
        "other==2.0": {"drawn": [], "unfit": "not fetched"},
        "thing==1.0/a.py:f": {**ran, "gain": 1.2},
        "thing==1.0/a.py:g": {**ran, "status": "not_proven", "gain": 4.0},
        "thing==1.0/a.py:h": {"status": "not_measured", "reason": "too small to measure"},
    }
    rows["thing==1.0/a.py:i"] = {"status": "nothing_to_try", "evaluations": 0}
    rows["thing==1.0/a.py:f/1"] = {**ran, "status": "not_proven", "gain": 1.2, "seed": 1}
    rows["thing==1.0/a.py:f/2"] = {"status": "not_measured", "reason": "other", "seed": 2}
    text = table({key: {"key": key, **row} for key, row in rows.items()})
    assert "| of these, not fetched | 1 |" in text
    assert "| of these, too small to measure | 1 |" in text
    assert "| functions measured (of 40 sought) | 3 |" in text
    assert "| of these, no rule had a change to propose | 1 |" in text
    assert "other" not in text
    assert "| proven gain of 1.1x or more | 1 (33 %) | 0 (0 %) | 0 (0 %) |" in text
    assert "| proven gain of 1.1x or more, its whole interval | 1 (33 %) | 0 (0 %) |" in text
    assert "| proven gain of 1.5x or more | 0 (0 %) | 0 (0 %) | 0 (0 %) |" in text
    assert "| thing==1.0/a.py:f | 1.20x (1.10 to 1.30) | not proven | not measured |" in text
    assert "| thing==1.0/a.py:i | nothing to try | nothing to try | nothing to try |" in text
