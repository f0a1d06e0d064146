"""One fork server a level, shared: starting one costs more than most tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluators.sandbox.server.fork_server import ForkServer


@pytest.fixture(scope="session")
def jail() -> Iterator[ForkServer]:
    server = ForkServer(patience=0.5)
    yield server
    server.close()


@pytest.fixture(scope="session")
def bare() -> Iterator[ForkServer]:
    server = ForkServer(isolation="none", patience=0.5)
    yield server
    server.close()


@pytest.fixture(scope="session")
def namespace() -> Iterator[ForkServer]:
    server = ForkServer(isolation="namespace", patience=0.5)
    yield server
    server.close()
