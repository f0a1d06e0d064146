"""A published package and its own tests, fetched by pip into a temporary folder.

Its source distribution is unpacked as it is, and an environment beside it holds what package
and tests need. Not here: which functions are taken (`packages`).
"""

from __future__ import annotations

import ast
import enum
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from se_agent.user_function.site import packages_of

_COMPILED = ("*.c", "*.pyx", "*.rs", "*.cpp")
_TESTS = ("tests", "test", "*/tests", "*/test", "src/*/tests", "src/*/test")
_AROUND = {"tests", "test", "testing", "conftest.py", "tests.py"}
_PYTEST = "pytest<9"  # plug-ins and files of settings of their years do not load in 9
_PATIENCE = 900.0  # seconds for one command


class Unfit(enum.StrEnum):
    """Why a package is not taken."""

    ABSENT = "not fetched"
    COMPILED = "not pure Python"
    UNTESTED = "no folder of tests in the source distribution"
    UNINSTALLED = "not installed"
    FAILING = "no file of tests that passes"


class UnfitError(Exception):
    """The package is not taken."""

    def __init__(self, why: Unfit) -> None:
        super().__init__(why.value)
        self.why = why


@dataclass(frozen=True)
class Published:
    """A package as it was published.

    Attributes:
        requirement: Name and version.
        source: Its unpacked source distribution.
        tests: The folder of its tests in there.
        venv: The environment with pytest and what the package needs.
    """

    requirement: str
    source: Path
    tests: Path
    venv: Path

    def functions(self) -> list[str]:
        """Return `FILE.py:FUNCTION` of each public function of the package, in order."""
        installed = Path(packages_of(str(self.venv))[0])
        return [
            f"{place}:{name}"
            for place in modules(self.source, installed)
            for name in public((self.source / place).read_bytes())
        ]


def modules(source: Path, installed: Path) -> list[Path]:
    """Return the public modules of a source distribution, relative to it and without tests.

    What is not installed, such as scripts and the documentation's, is none of the package.
    """
    places = [
        (path.relative_to(root), path.relative_to(source))
        for root in (source, source / "src")
        for path in root.rglob("*.py")
    ]
    return sorted(
        place
        for module, place in places
        if (installed / module).is_file() and _is_public(module)
    )


def _is_public(place: Path) -> bool:
    names = [*place.parts[:-1], place.stem]
    named = place.name == "__init__.py" or not any(name.startswith("_") for name in names)
    tests = place.name.startswith("test_") or not _AROUND.isdisjoint(place.parts)
    return named and not tests


def public(text: bytes) -> Iterator[str]:
    """Give the names of the functions at a module's top level that take something by position.

    Names that begin with an underscore are private; a file that is no Python has none.
    """
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            taken = node.args
            if taken.args or taken.posonlyargs or taken.vararg:
                yield node.name


def fetched(requirement: str, folder: Path) -> Published:
    """Fetch a package into an empty folder.

    Raises:
        UnfitError: It cannot be fetched or installed, is not pure Python, or has no tests.
    """
    name = requirement.partition("==")[0]
    options = ("-q", "--no-deps", "--no-binary", name, "--dest", folder / "sdist")
    pip = (sys.executable, "-m", "pip")
    _run(Unfit.ABSENT, *pip, "download", *options, requirement)
    archive = next((folder / "sdist").iterdir())
    source = unpacked(archive, folder / "source")
    tests = suite_of(source)
    # Options of the package's own, such as a report of coverage, need plug-ins and files.
    (source / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    venv = folder / "venv"
    _run(Unfit.UNINSTALLED, sys.executable, "-m", "venv", venv)
    wanted = (_PYTEST, "hypothesis", requirement)
    _run(Unfit.UNINSTALLED, venv / "bin" / "python", "-m", "pip", "install", "-q", *wanted)
    keep_passing(venv, source, tests)
    return Published(requirement, source, tests, venv)


def unpacked(archive: Path, folder: Path) -> Path:
    """Unpack a source distribution; return the one folder that it makes in another.

    Raises:
        UnfitError: It is not pure Python.
    """
    # What a tar archive holds may not lead out of the folder; zip archives never do.
    kept: dict[str, Literal["data"]] = {} if archive.suffix == ".zip" else {"filter": "data"}
    shutil.unpack_archive(archive, folder, **kept)
    source = next(folder.iterdir())
    if any(next(source.rglob(pattern), None) for pattern in _COMPILED):
        raise UnfitError(Unfit.COMPILED)
    return source


def suite_of(source: Path) -> Path:
    """Return the folder of tests.

    Raises:
        UnfitError: There is none.
    """
    found = (path for pattern in _TESTS for path in sorted(source.glob(pattern)))
    folder = next((path for path in found if path.is_dir()), None)
    if folder is None:
        raise UnfitError(Unfit.UNTESTED)
    return folder


def keep_passing(venv: Path, source: Path, tests: Path) -> None:
    """Take the files of tests away that do not pass: they may need what nobody said.

    Raises:
        UnfitError: None is left.
    """
    files = [*tests.rglob("test_*.py"), *tests.rglob("*_test.py")]
    pytest = (venv / "bin" / "python", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider")
    for file in files:
        try:
            _run(Unfit.FAILING, *pytest, "--rootdir", source, file)
        except UnfitError:
            file.unlink()
    if not any(file.is_file() for file in files):
        raise UnfitError(Unfit.FAILING)


def _run(why: Unfit, *command: object) -> None:
    words = [str(part) for part in command]
    # Options of a pytest that runs us are none of the package's.
    env = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    try:
        subprocess.run(words, check=True, capture_output=True, timeout=_PATIENCE, env=env)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as err:
        raise UnfitError(why) from err
