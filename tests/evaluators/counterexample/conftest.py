"""Evaluators that tests of a file share end with the file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.evaluators.counterexample import shared


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    shared.close()
