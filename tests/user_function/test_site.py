"""What the jail may be given to read: packages, never home or keys."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.user_function.site import NO_MORE, Access, packages_of, readable

MINE = f"python{sys.version_info[0]}.{sys.version_info[1]}"


def venv(folder: Path, python: str = MINE) -> Path:
    (folder / "lib" / python / "site-packages").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "place",
    ["/", "~", "~/..", "~/.ssh", "~/.ssh/inner", "~/.gnupg", "/root", "/etc", "/proc/1"],
)
def test_home_keys_and_whole_systems_are_refused(place: str) -> None:
    with pytest.raises(ProblemError, match="will not be opened to the jail"):
        readable(Path(place), "the module")
    with pytest.raises(ProblemError, match=f"--python {place}: .* not be opened"):
        packages_of(place)


def test_a_link_to_home_is_home(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(Path.home())
    with pytest.raises(ProblemError, match="will not be opened"):
        readable(tmp_path / "link", "the module")


def test_a_folder_of_its_own_is_readable(tmp_path: Path) -> None:
    assert readable(tmp_path, "the module") == str(tmp_path.resolve())


@pytest.mark.parametrize("spelling", ["", "bin/python", "bin/python3"])
def test_a_virtual_environment_is_its_packages(tmp_path: Path, spelling: str) -> None:
    folder = venv(tmp_path / "env").resolve()
    assert packages_of(str(folder / spelling)) == (
        str(folder / "lib" / MINE / "site-packages"),
    )


def test_another_python_is_named(tmp_path: Path) -> None:
    venv(tmp_path / "env", "python2.7")
    with pytest.raises(ProblemError, match=rf"for python2\.7, and se-agent runs on {MINE}"):
        packages_of(str(tmp_path / "env"))


def test_a_folder_that_is_no_environment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"it has no pyvenv\.cfg"):
        packages_of(str(tmp_path))


def wanting(path: object) -> str:
    return f"FileNotFoundError: [Errno 2] No such file or directory: '{path}'"


def test_a_file_that_is_not_shown_can_be_opened(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.touch()
    hint = f"{table} is not shown to programs; show it with --open {table}"
    assert NO_MORE.hint(wanting(table)) == hint
    assert Access(opened=(str(tmp_path.resolve()),)).hint(wanting(table)) == ""


def test_nobody_is_told_to_open_what_may_not_be_opened() -> None:
    assert NO_MORE.hint(wanting("/proc/self/environ")) == ""
