"""What holds for all tests."""

from __future__ import annotations

import os
import resource
from collections.abc import Generator

import pytest
from hypothesis import settings

settings.register_profile("no_clock", deadline=None)  # a busy machine is not a failure
settings.register_profile(
    "same_draws", parent=settings.get_profile("no_clock"), derandomize=True
)
settings.load_profile("no_clock")

os.environ.pop("COLUMNS", None)  # set where tests run side by side; nothing here is a terminal

_cpu_at_start = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.stash[_cpu_at_start] = _cpu_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Keep the CPU seconds of a test with its result; `--junitxml` writes them to its file."""
    try:
        return (yield)
    finally:
        used = _cpu_seconds() - item.stash[_cpu_at_start]
        item.user_properties.append(("cpu_seconds", f"{used:.3f}"))


def _cpu_seconds() -> float:
    """Return what this process and the children that it waited for have used."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)
