"""Projects that several tests of commands begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shop import shop_in


@pytest.fixture
def stock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module of a small project, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    return shop_in(tmp_path)
