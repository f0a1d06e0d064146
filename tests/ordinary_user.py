"""Runs Python as a user without rights, from tests that root runs.

Where the interpreter or the checkout lie in a folder that only root may enter, they are shown
to the process at the same place, by mounts that no other process sees. Nothing is changed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOBODY = 65534

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def python(*arguments: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """Run `python` with these arguments as an ordinary user, in the folder of the checkout."""
    shown = json.dumps([str(ROOT), sys.base_prefix, sys.prefix])
    command = [sys.executable, str(Path(__file__).resolve()), shown, *arguments]
    return subprocess.run(
        command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=seconds
    )


def _become(shown: Sequence[str], arguments: Sequence[str]) -> None:
    sys.path.insert(0, str(ROOT))
    from evaluators.sandbox.isolation import kernel

    kernel.unshare(kernel.NEW_MOUNTS)
    kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    places = {
        path: os.open(path, os.O_PATH) for path in dict.fromkeys(map(os.path.realpath, shown))
    }
    closed = {
        str(parent)
        for path in places
        for parent in Path(path).parents
        if not parent.stat().st_mode & 0o001
    }
    for folder in sorted(closed):
        kernel.mount("open", folder, "tmpfs", 0, "mode=755")
    for path, place in places.items():
        if any(Path(folder) in Path(path).parents for folder in closed):
            Path(path).mkdir(parents=True, exist_ok=True)
            kernel.mount(f"/proc/self/fd/{place}", path, "", kernel.MS_BIND | kernel.MS_REC)
    os.chdir(ROOT)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    environment = {"HOME": "/nowhere", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    os.execve(sys.executable, [sys.executable, *arguments], environment)


if __name__ == "__main__":
    _become(json.loads(sys.argv[1]), sys.argv[2:])
