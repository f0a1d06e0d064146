"""The tiers of the tests: each names what is there, and changes make the right ones run."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.tiers import (
    ALL_TIERS_RUN_FOR,
    FAST,
    MEASURING,
    NAMES,
    ROOT,
    TIERS,
    Tier,
    changed_files,
    tier_of,
    tiers_for,
)

BROWSED = (
    "tests/report/html/browser/test_views.py::TestKeys::test_what_has_the_focus_is_outlined"
)


def test_tiers_name_only_files_and_folders_that_exist() -> None:
    named = [path for tier in TIERS for path in (*tier.tests, *tier.sources)]
    assert [
        path for path in (*named, *ALL_TIERS_RUN_FOR, *MEASURING) if not (ROOT / path).exists()
    ] == []


def test_no_file_is_in_two_tiers() -> None:
    files = [file for tier in TIERS for path in tier.tests for file in files_of(ROOT / path)]
    assert [file for file, count in Counter(files).items() if count > 1] == []


def test_the_makefile_names_tiers_so_that_none_is_taken_for_a_folder() -> None:
    # After a space pytest takes "experiments" for the folder, and finds no conftest.py there.
    command = ("make", "--dry-run", "--silent", "test", f"TIERS={' '.join(NAMES)}")
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in NAMES:
        assert f" --tier={name}" in told


def test_what_make_installs_has_what_the_browser_tier_needs() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = extras["optional-dependencies"]
    assert set(optional["browser"]) <= set(optional["dev"])


def test_without_a_browser_its_tier_is_skipped_with_the_reason(tmp_path: Path) -> None:
    told = subprocess.run(
        (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", BROWSED),
        cwd=ROOT,
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert re.search(r"SKIPPED .*: (there is no chromium here|selenium is not installed)", told)
    assert "1 skipped" in told


def files_of(path: Path) -> list[Path]:
    return [path] if path.suffix else sorted(path.rglob("test_*.py"))


def test_a_file_that_no_tier_names_is_in_the_fast_one() -> None:
    assert tier_of("tests/test_tiers.py") == FAST


@pytest.mark.parametrize("tier", TIERS, ids=lambda tier: tier.name)
def test_a_change_of_a_source_or_of_its_own_tests_makes_a_tier_run(tier: Tier) -> None:
    for path in (*tier.sources, *tier.tests):
        inside = path if path.endswith(".py") else f"{path}/some_file.py"
        assert tier.name in tiers_for([inside])


def test_a_changed_test_counts_as_a_change_of_what_it_mirrors() -> None:
    assert "runs" in tiers_for(["tests/engine/test_steady.py"])
    assert "hunts" in tiers_for(["tests/evaluators/kinds/test_score.py"])
    assert tiers_for(["tests/packaging/test_make.py"]) == [FAST]


def test_a_change_of_a_document_makes_only_the_fast_tier_run() -> None:
    assert tiers_for(["docs/cli.md"]) == [FAST]


def test_a_change_of_what_all_tests_depend_on_makes_all_tiers_run() -> None:
    assert tiers_for(["pyproject.toml"]) == [*NAMES]


class TestChangedFiles:
    """Real repositories: a branch, `main` itself, and a folder without git."""

    def test_on_a_branch_are_those_since_it_left_main(self, tmp_path: Path) -> None:
        commit(tmp_path, "a.py", at=1_000_000)
        git(tmp_path, "checkout", "-q", "-b", "topic")
        commit(tmp_path, "b.py", at=9_000_000)
        (tmp_path / "a.py").write_text("changed", encoding="utf-8")
        (tmp_path / "new.py").write_text("new", encoding="utf-8")
        assert sorted(changed_files(tmp_path) or []) == ["a.py", "b.py", "new.py"]

    def test_on_main_are_those_of_its_last_day(self, tmp_path: Path) -> None:
        commit(tmp_path, "old.py", at=1_000_000)
        commit(tmp_path, "morning.py", at=2_000_000)
        commit(tmp_path, "noon.py", at=2_010_000)
        assert changed_files(tmp_path) == ["morning.py", "noon.py"]

    def test_are_not_known_where_all_is_of_one_day(self, tmp_path: Path) -> None:
        commit(tmp_path, "a.py", at=1_000_000)
        assert changed_files(tmp_path) is None

    def test_are_not_known_without_git(self, tmp_path: Path) -> None:
        assert changed_files(tmp_path) is None


def commit(root: Path, name: str, *, at: int) -> None:
    """Add a file in a commit of its own, `at` seconds since 1970; the first begins `main`."""
    if not (root / ".git").exists():
        git(root, "init", "-q", "-b", "main")
    (root / name).write_text(name, encoding="utf-8")
    git(root, "add", name)
    who = ("-c", "user.name=tests", "-c", "user.email=tests@localhost")
    date = f"@{at} +0000"
    git(root, *who, "commit", "-q", "-m", name, date=date)


def git(root: Path, *command: str, date: str = "@0 +0000") -> None:
    subprocess.run(
        ["git", *command],
        cwd=root,
        check=True,
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(root),
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date,
        },
    )
