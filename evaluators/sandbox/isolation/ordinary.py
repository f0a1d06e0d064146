"""What a program finds around it: what any other finds, and nothing of the user's.

A program that could tell where it is measured could be fast there and nowhere else. So the
environment and the command line hold ordinary values, the same at every level of isolation.
What still differs is in `docs/security.md`. Only the standard library: the fork server imports
this.
"""

from __future__ import annotations

import builtins
import importlib
import os
import sys
from types import ModuleType

PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where commands are looked for."""

MODULE = "main"
"""Name of the module that a program is loaded as, and of its file."""

_HOME = "/home/user"  # nothing is there that a program may read, nor may it write there


def environment(folder: str, *, home: str = _HOME) -> dict[str, str]:
    """Return the environment of a program.

    Args:
        folder: Where it runs.
        home: Home of its user; a program that may write is given a folder of its own.
    """
    return {
        "HOME": home,
        "LANG": "C.UTF-8",
        "LOGNAME": "user",
        "PATH": PATH,
        "PWD": folder,
        "SHELL": "/bin/sh",
        "SHLVL": "1",
        "TERM": "xterm-256color",
        "USER": "user",
    }


def withdraw() -> None:
    """Take it away again while trusted modules are imported: they might write to the home."""
    for name in environment(""):
        os.environ.pop(name, None)


def furnish(folder: str) -> None:
    """Leave in this process what a program finds that was started from its file.

    Args:
        folder: Where it runs.
    """
    os.environ.clear()
    os.environ.update(environment(folder))
    file = f"{MODULE}.py"
    sys.argv, sys.orig_argv = [file], ["python3", file]
    importlib.import_module("site")
    builtins.exit = builtins.quit = sys.exit  # type: ignore[assignment]
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = file
