"""Build the archives, install them in fresh environments, and use them from elsewhere.

Needs a package index. Run by `make check`, not by `make test`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("se_agent", "operators", "evaluators")
TEMPLATES = [path for package in PACKAGES for path in (ROOT / package).rglob("*.jinja")]
SHIPPED = sorted(path.parent.name for path in (ROOT / "problems").glob("*/problem.toml"))
PROMPTS = {
    path.relative_to(ROOT).as_posix()
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.jinja")
}

KNOWLEDGE = {
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "se_agent/memory/knowledge/data").rglob("*.*")
    if path.suffix != ".pyc"
}

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(600)]

IMPORT_ALL = """
import importlib, pkgutil
for name in ("se_agent", "operators", "evaluators"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    print(package.__file__)
"""
FIND = "from se_agent.problem.loading import find_problems; print(*sorted(find_problems()))"
LOAD = """
from se_agent import registry
registry.load("operator", registry.names("operator")[0])
print("loaded")
"""


@dataclass(frozen=True)
class Installation:
    """A fresh environment that holds the package, and a folder outside the project.

    Attributes:
        environment: Root of the virtual environment.
        elsewhere: An empty working folder.
        home: Where the packages shall be found.
    """

    environment: Path
    elsewhere: Path
    home: Path

    def run(self, *command: str, where: Path | None = None) -> str:
        """Run a program of the environment in a working folder; return what it printed."""
        program, *rest = command
        full = [str(self.environment / "bin" / program), *rest]
        env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        done = subprocess.run(
            full,
            cwd=where or self.elsewhere,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    build = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(build, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module", params=["wheel", "editable"])
def installation(
    request: pytest.FixtureRequest, archives: Path, tmp_path_factory: pytest.TempPathFactory
) -> Installation:
    folder = tmp_path_factory.mktemp(request.param)
    environment = folder / "env"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    (wheel,) = archives.glob("*.whl")
    what = [str(wheel)] if request.param == "wheel" else ["-e", str(ROOT)]
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "-q", *what]
    subprocess.run(pip, check=True, capture_output=True)
    (site,) = environment.glob("lib/python3*/site-packages")
    (folder / "elsewhere").mkdir()
    home = site if request.param == "wheel" else ROOT
    return Installation(environment, folder / "elsewhere", home)


class TestArchives:
    def test_the_wheel_holds_the_packages_and_the_problems(self, archives: Path) -> None:
        (wheel,) = archives.glob("*.whl")
        names = zipfile.ZipFile(wheel).namelist()
        tops = {name.partition("/")[0] for name in names if ".dist-info" not in name}
        assert tops == set(PACKAGES)
        assert {f"{package}/py.typed" for package in PACKAGES} <= set(names)
        assert {path.relative_to(ROOT).as_posix() for path in TEMPLATES} <= set(names)
        assert {f"se_agent/problems/{name}/problem.toml" for name in SHIPPED} <= set(names)
        assert PROMPTS
        assert set(names) >= PROMPTS
        assert len(KNOWLEDGE) >= 34, "two packs: documents, skeletons and what connects them"
        assert set(names) >= KNOWLEDGE

    def test_the_source_archive_holds_all_that_a_change_needs(self, archives: Path) -> None:
        (archive,) = archives.glob("*.tar.gz")
        with tarfile.open(archive) as opened:
            names = {name.partition("/")[2] for name in opened.getnames()}
        needed = {"Makefile", ".ci/run", ".importlinter", "LICENSE", "tests/test_house.py"}
        assert needed | {"results/README.md", "problems/README.md"} <= names
        assert not [name for name in names if name.startswith(("results/r", ".venv"))]


class TestInstalled:
    def test_every_module_is_imported_from_its_home(self, installation: Installation) -> None:
        found = installation.run("python", "-c", IMPORT_ALL).split()
        assert [Path(file).parents[1] for file in found] == [installation.home] * 3

    def test_the_command_shows_its_help(self, installation: Installation) -> None:
        assert "Usage" in installation.run("se-agent", "--help")

    def test_the_shipped_problems_are_found(self, installation: Installation) -> None:
        assert installation.run("python", "-c", FIND).split() == SHIPPED

    def test_problems_are_listed_from_a_folder_with_an_operators_folder_of_its_own(
        self, installation: Installation, tmp_path: Path
    ) -> None:
        (tmp_path / "operators").mkdir()
        (tmp_path / "operators" / "__init__.py").touch()
        assert SHIPPED[0] in installation.run("se-agent", "problems", where=tmp_path)

    def test_a_folder_that_hides_ours_is_named(
        self, installation: Installation, tmp_path: Path
    ) -> None:
        (tmp_path / "operators").mkdir()
        (tmp_path / "operators" / "__init__.py").touch()
        with pytest.raises(AssertionError, match="HiddenPackageError: 'operators' was found"):
            installation.run("python", "-c", LOAD, where=tmp_path)
        assert installation.run("python", "-c", LOAD) == "loaded\n"
