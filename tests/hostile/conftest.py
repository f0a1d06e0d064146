"""One yard a level for all hostile programs: they share a fork server with all neighbours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluators.sandbox.server.probe import tried
from tests.hostile.programs import LEVELS
from tests.hostile.yard import Yard


@pytest.fixture(scope="session", params=LEVELS)
def yard(request: pytest.FixtureRequest) -> Iterator[Yard]:
    why = tried(request.param)
    if why:
        pytest.skip(f"no {request.param} here: {why}")
    made = Yard(request.param)
    yield made
    made.close()
