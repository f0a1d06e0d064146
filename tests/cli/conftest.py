"""Projects that several tests of commands begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shop import shop_in
from tests.finished import finished


@pytest.fixture
def stock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module of a small project, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    return shop_in(tmp_path)


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
