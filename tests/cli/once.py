"""What is made once for all tests: by one of the processes that run them, for all others.

Each process has a folder of its own below the one of the whole session; what is made here lies
beside those. Who comes while it is made waits.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest


def made_once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]
) -> Path:
    """Return a folder that `make` has filled, now or for an earlier test; nobody changes it."""
    own = factory.getbasetemp()
    home = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "made-once"
    home.mkdir(exist_ok=True)
    place, done = home / name, home / f"{name}.done"
    with (home / f"{name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not done.exists():
            shutil.rmtree(place, ignore_errors=True)  # of a process that failed or was ended
            place.mkdir()
            make(place)
            done.touch()
    return place


def moved_copy(made: Path, place: Path, *files: str) -> None:
    """Copy a folder's content, as if it had been made in `place`.

    Args:
        made: The folder.
        place: A folder without files of these names.
        files: Files that have absolute paths in them, from the folder.
    """
    shutil.copytree(made, place, dirs_exist_ok=True)
    for name in files:
        text = (made / name).read_text(encoding="utf-8")
        (place / name).write_text(text.replace(str(made), str(place)), encoding="utf-8")
