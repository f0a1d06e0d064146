"""A copy of a project for one run of its tests, with rights of its own.

The copy belongs to who runs this, who may read and write all of it: whatever the modes of the
original, the umask, and whoever else owns it. Not here: what is run in it (`suite`).
"""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from se_agent.errors import ProblemError, reason
from se_agent.files.kept_back import KeptBack

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".hg", ".venv", "venv", "__pycache__", "node_modules", ".tox", ".*_cache", "*.pyc"
)
_LARGEST = 64 << 20  # bytes of a project that is copied for every run
_OWN = stat.S_IRUSR | stat.S_IWUSR


def copy_project(kept: KeptBack, target: Path) -> None:
    """Copy a project but for its history, environments, caches, and what is kept back.

    A link that leads to a file of the project leads to the copy of it.

    Raises:
        ProblemError: It is too large, or a file of it may not be read; the message names it.
    """
    root = Path(kept.root)
    _require_small(kept)
    for folder, names, files in _walked(kept):
        made = target / folder.relative_to(root)
        made.mkdir()
        made.chmod(0o700)
        for name in (*names, *files):
            _copy(folder / name, made / name, root, target)


def _walked(kept: KeptBack) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Yield the folders of a project, each with its links and files, and without the rest."""
    out: set[str] = set()
    for level in kept.walk(_unread):
        dropped = LEFT_OUT(level.folder, [entry.name for entry in level.shown])
        out |= {f"{level.folder}/{name}" for name in dropped}
        if any(str(path) in out for path in (Path(level.folder), *Path(level.folder).parents)):
            continue
        entries = [entry for entry in level.shown if entry.name not in dropped]
        links = [entry.name for entry in entries if entry.is_symlink()]
        files = [e.name for e in entries if not e.is_symlink() and not e.is_dir()]
        yield Path(level.folder), links, files


def _require_small(kept: KeptBack) -> None:
    size = 0
    for folder, _, files in _walked(kept):
        size += sum((folder / name).lstat().st_size for name in files)
        if size > _LARGEST:
            raise ProblemError(
                f"{kept.root}: more than {_LARGEST >> 20} MB would be copied for every run",
                hint="put tests and package into a folder of their own",
            )


def _copy(source: Path, target: Path, root: Path, copied: Path) -> None:
    try:
        mode = source.lstat().st_mode
        if stat.S_ISLNK(mode):
            target.symlink_to(_led(source, root, copied))
        elif stat.S_ISREG(mode):
            shutil.copyfile(source, target)
            target.chmod(_OWN | (mode & stat.S_IXUSR))
    except PermissionError as err:
        raise _unreadable(source, err) from err


def _led(link: Path, root: Path, copied: Path) -> str:
    """Return where the copy of a link leads: within the project, to the copy."""
    leads = link.readlink()
    return str(copied / leads.relative_to(root) if root in leads.parents else leads)


def _unread(err: OSError) -> None:
    raise _unreadable(Path(err.filename), err) from err


def _unreadable(path: Path, err: OSError) -> ProblemError:
    return ProblemError(
        f"{path}: cannot be copied for the tests: {reason(err)}",
        hint="let yourself read it, or move it out of the project: tests run on a copy",
    )
