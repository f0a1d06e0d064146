"""Problems that a grid names: shipped ones, folders, globs of both, and problem sets.

They are read as text, nothing of them runs. Not here: the rows of a problem set
(`se_agent.problem.dataset`).
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from unicodedata import category

from se_agent.engine.journal.cell_record import ProblemSource
from se_agent.errors import ConfigError, did_you_mean
from se_agent.problem.dataset import DatasetRow, read
from se_agent.problem.loading import find_problems, fingerprint, load_problem
from se_agent.problem.model import Problem

_LONGEST = 80  # bytes of a name that a folder gets as it is
_FILE = "problem.toml"
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class ProblemFolder:
    """A problem in a folder of its own, shipped or the user's; it is read once."""

    path: Path

    @property
    def id(self) -> str:
        """What people call it: the name of its folder."""
        return self.path.name

    @property
    def kind_of_source(self) -> str:
        """Where the problem comes from, in one word."""
        return "problem"

    @cached_property
    def _problem(self) -> Problem:
        return load_problem(self.path)

    def facts(self) -> object:
        """Return all that decides whether it can be measured."""
        return fingerprint(self.load())

    def load(self) -> Problem:
        """Return the problem.

        Raises:
            ProblemError: It cannot be used as it stands.
        """
        return self._problem


def source_words(source: ProblemSource) -> dict[str, object]:
    """Return a source as JSON, for `source_of_words`."""
    if isinstance(source, DatasetRow):
        return {"row": source.model_dump(mode="json")}
    assert isinstance(source, ProblemFolder)
    return {"folder": str(source.path)}


def source_of_words(words: Mapping[str, object]) -> ProblemSource:
    """Return the source that `source_words` described."""
    if "row" in words:
        return DatasetRow.model_validate(words["row"])
    return ProblemFolder(Path(str(words["folder"])))


def problem_sources(names: Iterable[str], folder: Path, place: str) -> list[ProblemSource]:
    """Return the problems that are named, in that order.

    Args:
        names: Names of shipped problems, folders, globs of either, and problem sets.
        folder: Where a relative path starts.
        place: Where the names stand, for messages.

    Raises:
        ConfigError: A name means nothing, two problems have the same name, or one a name that
            no record can hold.
        ProblemError: A problem set cannot be read.
    """
    found = [source for name in names for source in _sources(name, folder, place)]
    if not found:
        raise ConfigError(f"{place}: empty: there is nothing to run", hint=_shipped_hint())
    if odd := next(filter(_is_unwritable, (each.id for each in found)), None):
        raise ConfigError(
            f"{place}: {odd!r}: not one line of text that can be written down",
            hint="rename the problem's folder, or the row",
        )
    twice = [id for id, count in Counter(map(run_label, found)).items() if count > 1]
    if twice:
        raise ConfigError(
            f"{place}: two problems are called {twice[0]!r}, or one is given twice",
            hint="rename the folder of one, or leave one out: pairs are found by the name",
        )
    return found


def _is_unwritable(name: str) -> bool:
    return any(category(letter) in ("Cc", "Cs") for letter in name)


def run_label(source: ProblemSource) -> str:
    """Return how the folder of a run begins: the name, or what can be written of it."""
    return label_of(source.id)


def label_of(name: str) -> str:
    """Return the label of a problem of this name; see `run_label`."""
    if _is_plain(name) and len(name.encode()) <= _LONGEST:
        return name
    stem = re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:60].lstrip(".-") or "problem"
    return f"{stem}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _is_plain(name: str) -> bool:
    """Say whether a run may have the name: letters, digits, `_.-`; no dot or dash first."""
    if not name or name[0] in ".-":
        return False
    return all(each.isalpha() or each.isdecimal() or each in "_.-" for each in name)


def cell_run_name(problem: str, seed: int) -> str:
    """Return the name of the run folder of a problem's cell, in the folder of its arm."""
    return f"{label_of(problem)}-s{seed}"


def _sources(name: str, folder: Path, place: str) -> Iterator[ProblemSource]:
    shipped = find_problems()
    path = folder / _at_home(name)
    if name in shipped:
        yield ProblemFolder(shipped[name].resolve())
    elif path.suffix == ".jsonl" and (path.is_file() or not _WILD.search(name)):
        yield from read(path)
    elif _WILD.search(name):
        yield from _matching(name, folder, place)
    elif (path / _FILE).is_file() or path.name == _FILE:
        yield ProblemFolder((path.parent if path.name == _FILE else path).resolve())
    else:
        told = "no problem folder" if path.is_dir() else "neither a folder nor shipped"
        hint = did_you_mean(name, shipped) or _shipped_hint()
        raise ConfigError(f"{place}: {name!r}: {told}", hint=hint)


def _matching(pattern: str, folder: Path, place: str) -> Iterator[ProblemSource]:
    """Yield what a glob means: shipped problems, or folders and problem sets below a path."""
    names = [name for name in find_problems() if fnmatchcase(name, pattern)]
    yield from (ProblemFolder(find_problems()[name].resolve()) for name in names)
    paths = [] if names else sorted(_paths(pattern, folder))
    problems = [path for path in paths if (path / _FILE).is_file()]
    yield from (ProblemFolder(path.resolve()) for path in problems)
    sets = [path for path in paths if path.suffix == ".jsonl"]
    for each in sets:
        yield from read(each)
    if not (names or problems or sets):
        raise ConfigError(f"{place}: {pattern!r} matches no problem", hint=_shipped_hint())


def _paths(pattern: str, folder: Path) -> Iterator[Path]:
    whole = _at_home(pattern)
    if whole.is_absolute():
        return Path(whole.anchor).glob(str(whole.relative_to(whole.anchor)))
    return folder.glob(pattern)


def _at_home(name: str) -> Path:
    """Return a path, with the home of a user in place of `~`, where there is such a user."""
    return Path(os.path.expanduser(name))  # noqa: PTH111 - that of `pathlib` raises


def _shipped_hint() -> str:
    return "`se-agent problems` lists what is shipped; give names, folders or globs"
