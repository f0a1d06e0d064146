"""Folders that the jail may read for a user's module: its packages, never home or keys.

Not here: how the jail holds to that (the sandbox), and what runs in it (`context`).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path

from se_agent.errors import ProblemError
from se_agent.files.kept_back import PACKAGES, KeptBack, beyond
from se_agent.files.kept_back import hint as kept_back_hint
from se_agent.files.plain import resolved_path
from se_agent.user_function.module import Module

_KEYS = (
    ".aws",
    ".azure",
    ".config",
    ".docker",
    ".gnupg",
    ".kube",
    ".local/share/keyrings",
    ".mozilla",
    ".password-store",
    ".ssh",
)
_SYSTEM = ("boot", "dev", "etc", "home", "proc", "root", "run", "sys", "tmp", "usr", "var")


_WANTING = re.compile(
    r"(?:PermissionError|FileNotFoundError): \[Errno \d+\] [^:\n]*: '([^'\n\0]{1,4096})'"
)


def readable(folder: Path, why: str) -> str:
    """Return the real path of a folder that the jail may read.

    Args:
        folder: Any spelling of it.
        why: What it is needed for, in front of the message.

    Raises:
        ProblemError: It is home, holds home or keys, lies among keys, or belongs to the
            system as a whole.
    """
    real = resolved_path(folder)
    if any(real == place or real in place.parents for place in _private()) or any(
        keys in (real, *real.parents) for keys in _key_folders()
    ):
        raise ProblemError(
            f"{why}: {real} will not be opened to the jail: it is home, a key folder, "
            "or holds one",
            hint="move the code into a folder of its own, such as a project or a venv",
        )
    return str(real)


def _may_be_read(path: str) -> bool:
    try:
        readable(Path(path), path)
    except ProblemError:
        return False
    return True


def packages_of(venv: str) -> tuple[str, ...]:
    """Return the folders of installed packages of a virtual environment.

    Args:
        venv: Its folder, or its `bin/python`.

    Raises:
        ProblemError: It is none, it is made for another Python, or it may not be read.
    """
    given = Path(venv)
    within = given.parent.parent if given.name.startswith("python") else given
    folder = Path(readable(within, f"--python {venv}"))
    if not (folder / "pyvenv.cfg").is_file():
        raise ProblemError(
            f"--python {venv}: not a virtual environment: it has no pyvenv.cfg",
            hint="give the folder that `python -m venv FOLDER` made",
        )
    mine = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    packages = folder / "lib" / mine / "site-packages"
    if not packages.is_dir():
        theirs = ", ".join(p.name for p in (folder / "lib").glob("python*")) or "nothing"
        raise ProblemError(
            f"--python {venv}: it holds packages for {theirs}, and se-agent runs on {mine}",
            hint="install se-agent under the same Python as the environment",
        )
    return (readable(packages, f"--python {venv}"),)


def _private() -> Iterator[Path]:
    """Give the folders that may not be opened whole; what lies inside them may be."""
    yield Path("/")
    yield Path.home()
    yield from (Path("/") / name for name in _SYSTEM)
    yield from _key_folders()


def _key_folders() -> Iterator[Path]:
    yield from (Path.home().resolve() / name for name in _KEYS)
    yield Path("/etc/ssl/private")
    yield Path("/proc")
    yield Path("/sys")
    yield Path("/dev")


@dataclass(frozen=True)
class Access:
    """What a module needs besides the standard library.

    Attributes:
        imports: Installed packages, loaded before the fork.
        site: Folders that the jail may read and import from, but for what is `kept_back`.
        opened: Paths that it may read all the same, in these folders or elsewhere.
    """

    imports: tuple[str, ...] = ()
    site: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()

    @property
    def projects(self) -> tuple[KeptBack, ...]:
        """The folders that hold no installed packages."""
        roots = (root for root in self.site if Path(root).name not in PACKAGES)
        return tuple(KeptBack(root, self.opened) for root in roots)

    def hint(self, told: str) -> str:
        """Return what to do where a program failed for want of a file, or nothing.

        Args:
            told: What it said as it failed.
        """
        return kept_back_hint(self.projects, told) or self._besides(told)

    def _besides(self, told: str) -> str:
        """Return the hint where a file is in nobody's way, but no part of the project."""
        found = _WANTING.search(told)
        if not found or not os.path.exists(found[1]):  # noqa: PTH110 - it may be any text
            return ""
        path = found[1]
        if not os.path.isabs(path):  # noqa: PTH117
            return f"programs do not run in this folder: let them find {path!r} by __file__"
        real = os.path.realpath(path)
        if not beyond([real], (*self.site, *self.opened)) or not _may_be_read(real):
            return ""
        return f"{path} is not shown to programs; show it with --open {path}"


NO_MORE = Access()
"""The standard library, and nothing besides."""


def access(modules: Iterable[Module], venv: str = "", opened: Iterable[str] = ()) -> Access:
    """Return what the jail has to be given for these modules.

    Args:
        modules: Modules that run in it; their own files are shown.
        venv: Virtual environment with packages that they import; empty: none.
        opened: Paths of files and folders that the user wants to be shown, wherever they lie.

    A package that is imported but not to be found is left out: the import may be optional.
    If it is not, the import error names it.

    Raises:
        ProblemError: A folder that would have to be opened is home, or holds keys; or a path to
            be opened is not there.
    """
    modules = tuple(modules)
    packages = packages_of(venv) if venv else ()
    roots = (
        readable(module.root, f"{module.path.name} imports what lies beside it")
        for module in modules
        if module.needs_root
    )
    names = sorted({name for module in modules for name in module.imports})
    site = tuple(dict.fromkeys((*roots, *packages)))
    own = [str(module.path) for module in modules]
    return Access(
        imports=tuple(name for name in names if _installed(name, packages)),
        site=site,
        # A module that imports nothing beside it needs no file of its own: it is a text.
        opened=(*_opened(opened), *(path for path in own if not beyond([path], site))),
    )


def _opened(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        real = readable(Path(path), f"--open {path}")
        if not Path(real).exists():
            raise ProblemError(
                f"--open {path}: No such file or folder",
                hint="give one that programs need, and are not shown",
            )
        yield real


def _installed(name: str, packages: Sequence[str]) -> bool:
    found = PathFinder.find_spec(name, [*packages, *sys.path])
    return found is not None and found.origin is not None
