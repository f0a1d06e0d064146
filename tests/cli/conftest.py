"""Projects that several tests of commands begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.once import made_once, moved_copy
from tests.cli.shop import AIM, proven_in, resumed_in, shop_in
from tests.finished import finished


@pytest.fixture
def stock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module of a small project, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    return shop_in(tmp_path)


@pytest.fixture(scope="session")
def _proven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "proven", proven_in)


@pytest.fixture(scope="session")
def _resumed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "resumed", resumed_in)


@pytest.fixture
def proven(_proven: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a project with a run that has proven a gain, see `proven_in`."""
    moved_copy(_proven, tmp_path, AIM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def resumed(_resumed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a project with a run that has written it, see `resumed_in`."""
    moved_copy(_resumed, tmp_path, AIM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a timed run, a scored one, a broken one, and one that is none."""
    home = tmp_path_factory.mktemp("workspace")
    results = home / "results"
    finished(results, timed=True, name="timed")
    finished(results, timed=False, name="scored")
    (results / "not-a-run").mkdir()
    (results / "broken").mkdir()
    (results / "broken" / "run.db").write_bytes(b"no journal" * 100)
    return home
