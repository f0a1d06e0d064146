from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluators.sandbox.folder import fresh_folder
from se_agent.environment.process_files import open_files
from se_agent.errors import SandboxError


def deep(folder: Path) -> None:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1100):  # calls in calls, and a path of more bytes than one may have
        os.mkdir("deep", dir_fd=here)
        inner = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def closed(folder: Path) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").touch()
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0)


def wide(folder: Path) -> None:
    for number in range(1200):  # more than a process may have open, as a rule
        (folder / str(number)).touch()
        (folder / f"{number}d").mkdir()


@pytest.mark.parametrize("leave", [deep, closed, wide])
def test_it_is_gone_whatever_is_left_in_it(leave: Callable[[Path], None]) -> None:
    with fresh_folder() as folder:
        leave(folder)
        descriptors = open_files()
    assert not folder.exists()
    assert len(open_files()) == len(descriptors)


def test_links_are_not_followed(tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    ours.mkdir(mode=0o500)
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    (tmp_path / "file").chmod(0o400)
    with fresh_folder() as folder:
        (folder / "a").mkdir()
        (folder / "a" / "folder").symlink_to(ours)
        (folder / "file").symlink_to(tmp_path / "file")
        (folder / "a").chmod(0o500)
    assert not folder.exists()
    assert [oct(path.stat().st_mode)[-3:] for path in (ours, tmp_path / "file")] == [
        "500",
        "400",
    ]


def test_an_error_inside_is_passed_on_and_the_folder_is_gone() -> None:
    with pytest.raises(ValueError, match="inside"), fresh_folder() as folder:
        raise ValueError("inside")
    assert not folder.exists()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])
def test_what_ran_out_is_said(number: int) -> None:
    with pytest.raises(SandboxError, match="a command cannot be run"), fresh_folder() as folder:
        raise OSError(number, "out of it")
    assert not folder.exists()


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"), fresh_folder() as folder:
        (folder / "nowhere").read_text(encoding="utf-8")
