"""Compiled forms of a project's modules, for runs that may not keep what they compile.

A fresh checkout has none, and each run is a process of its own: a package of 300 modules took
it a second and more. They lie in a folder of ours, never in the project. Not here: how a child
finds them (`child.zygote`).
"""

from __future__ import annotations

import os
import py_compile
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from se_agent.files import compiled_form, plain
from se_agent.files.kept_back import KeptBack

_UNCOMPILED = (OSError, ValueError, RecursionError, MemoryError, py_compile.PyCompileError)


class CompiledForms:
    """Compiled forms in a folder that is gone with this object.

    Args:
        site: Folders that programs may import from.
        projects: What of them is kept back, and has no form here either.
    """

    def __init__(self, site: Sequence[str], projects: Sequence[KeptBack]) -> None:
        self._site = [os.path.realpath(folder) for folder in site]
        self._projects = projects
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def folder(self) -> str:
        """Where they lie, the form of `/a/b.py` at `a/b.pyc`; empty: there are none."""
        return "" if self._folder is None else self._folder.name

    def add(self, files: Iterable[str]) -> None:
        """Compile those modules that have no form that fits; others are left to the runs.

        Args:
            files: Absolute paths, as a run told them; those that it may not read are left out.
        """
        for file in files:
            source = Path(os.path.realpath(file))
            if self._may_be_read(source) and not compiled_form.fits(source):
                self._compile(source)

    def _may_be_read(self, source: Path) -> bool:
        inside = any(source.is_relative_to(folder) for folder in self._site)
        kept = any(project.holds(str(source)) for project in self._projects)
        return inside and not kept and source.suffix == ".py"

    def _compile(self, source: Path) -> None:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="se_agent_compiled_")
        form = Path(f"{self.folder}{source}c")
        try:
            plain.content(source, most=plain.LARGEST_SOURCE)  # no device, and not too large
            form.parent.mkdir(parents=True, exist_ok=True)
            # By its time and size: one that changes meanwhile is compiled by who imports it.
            mode = py_compile.PycInvalidationMode.TIMESTAMP
            py_compile.compile(str(source), str(form), doraise=True, invalidation_mode=mode)
        except _UNCOMPILED:
            form.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the folder."""
        if self._folder is not None:
            self._folder.cleanup()
