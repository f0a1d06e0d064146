"""A package from outside that adds sections to the run file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from se_agent.config.added_sections import added_to

MODULE = "echo_tier"
CODE = '''
from typing import Annotated, ClassVar

from pydantic import Field

from se_agent.config.marks import CAN_CHANGE, IS_FILE
from se_agent.config.section import OpenSection, Section


class Leaf(Section):
    """The lowest table."""

    depth: Annotated[int, Field(ge=0)] = 3
    """How deep it is."""
    tags: dict[str, float] = Field(default_factory=dict)
    """Weights by tag."""
    names: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Names of its own."""
    pace: Annotated[int, CAN_CHANGE] = 1
    """How fast it is."""
    book: Annotated[str, IS_FILE] = ""
    """A file."""


class Branch(Section):
    """A table with a table in it, and with tables of the user's naming."""

    leaf: Leaf = Leaf()
    twigs: dict[str, Leaf] = Field(default_factory=dict)
    """Leaves by name."""


class Echo(OpenSection):
    """A tier of memory."""

    table: ClassVar[str] = "memory.echo"

    loud: bool = True
    """Whether it is loud."""
    branch: Branch = Branch()


class Far(Section):
    """A section in the section of another package."""

    away: int = 7
    """How far away it is."""
'''
PLACES = {"memory.echo": "Echo", "memory.echo.far": "Far"}


def install(folder: Path, places: dict[str, str] | None = None, code: str = CODE) -> None:
    """Write the package and its record into a folder, as an installer does."""
    record = folder / f"{MODULE}-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {MODULE}\nVersion: 1.0\n")
    points = (f"{place} = {MODULE}:{name}" for place, name in (places or PLACES).items())
    (record / "entry_points.txt").write_text("\n".join(["[se_agent.sections]", *points, ""]))
    (folder / f"{MODULE}.py").write_text(code)


@contextmanager
def installed(
    folder: Path, places: dict[str, str] | None = None, code: str = CODE
) -> Iterator[None]:
    """Within it, this process finds the package."""
    install(folder, places, code)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        added_to.cache_clear()
        try:
            yield
        finally:
            sys.modules.pop(MODULE, None)
            added_to.cache_clear()


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process that finds the package."""
    return subprocess.run(
        [sys.executable, "-m", "se_agent", *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
