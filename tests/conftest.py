"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import resource
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.tiers import NAMES, measures, tier_of

settings.register_profile("no_clock", deadline=None)  # a busy machine is not a failure
settings.register_profile(
    "same_draws", parent=settings.get_profile("no_clock"), derandomize=True
)
settings.register_profile(  # by hand: `pytest --hypothesis-profile ten_thousand FILE`
    "ten_thousand", parent=settings.get_profile("no_clock"), max_examples=10_000
)
settings.load_profile("no_clock")

# Processes that tests start are as users start them: they compile our modules once, not each.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

os.environ.pop("COLUMNS", None)  # set where tests run side by side; nothing here is a terminal


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier",
        action="append",
        choices=NAMES,
        help="run only tests of this tier (may be repeated; default: all tiers)",
    )


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Draw 60 examples of a law where single tiers are asked for; the whole suite draws 100."""
    if config.getoption("tier"):
        settings.register_profile("a_tier", settings(), max_examples=60)
        settings.load_profile("a_tier")


gc.set_threshold(10_000, 10, 10)  # most of what tests make goes without it, at once


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector away from modules and tests, all of which stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Ask again what measures, and leave out the tiers that were not asked for."""
    if config.pluginmanager.hasplugin("rerunfailures"):
        for item in items:
            if measures(_file(item)):
                item.add_marker(pytest.mark.flaky(reruns=2))
    tiers = config.getoption("tier")
    if tiers:
        others = [item for item in items if _tier(item) not in tiers]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if _tier(item) in tiers]


def _tier(item: pytest.Item) -> str:
    """Return the tier of a test: its own marker goes before that of its class or file.

    Raises:
        pytest.UsageError: There is no tier of that name.
    """
    marker = item.get_closest_marker("tier")
    name = marker.args[0] if marker else tier_of(_file(item))
    if name not in NAMES:
        raise pytest.UsageError(f"{item.nodeid}: no tier {name!r}; known: {', '.join(NAMES)}")
    return str(name)


@pytest.fixture(scope="session")
def two_arms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two arms, `first` and `random`, of two seeds each; nobody changes it."""
    from tests.analysis.arms import arm_in  # most tests need nothing of it

    home = tmp_path_factory.mktemp("arms")
    arm_in(home / "first", problems=["numbers"])
    arm_in(home / "random", problems=["numbers"], policy="random")
    return home


_at_start = pytest.StashKey[tuple[float, float]]()
_cpu_for_all = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.stash[_at_start] = time.monotonic(), _own_seconds(item.config)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Count what is made once for all tests as that of none: any of them may come first."""
    before = _cpu_seconds()
    try:
        return (yield)
    finally:
        if fixturedef.scope == "session":
            spent = request.config.stash.get(_cpu_for_all, 0.0) + _cpu_seconds() - before
            request.config.stash[_cpu_for_all] = spent


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, None, None]:
    """Keep what a test took with its result; `tests/durations.py` reads it.

    What is left after a file stays: caches, mostly. The garbage collector passes it over from
    then on. Towards the end of all tests a collection took 2 s, and an attack has one each.
    """
    try:
        return (yield)
    finally:
        used = _used_by(item)
        kept = {"file": _file(item), "tier": _tier(item), "cpu_seconds": f"{used:.3f}"}
        item.user_properties.extend(kept.items())
        if nextitem is not None and _file(nextitem) != _file(item):
            gc.collect()
            gc.freeze()


def _used_by(item: pytest.Item) -> float:
    """Return the CPU seconds of a test, at most those that all cores had while it ran.

    What another test left behind may end within it, where garbage is collected; a whole
    process that had compared known functions counted for a test of 1 ms.
    """
    began, before = item.stash[_at_start]
    had = (time.monotonic() - began) * (os.cpu_count() or 1)
    return min(_own_seconds(item.config) - before, had)


def _own_seconds(config: pytest.Config) -> float:
    return _cpu_seconds() - config.stash.get(_cpu_for_all, 0.0)


def _cpu_seconds() -> float:
    """Return what this process and the children that it waited for have used."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _file(item: pytest.Item) -> str:
    """Return the file that a test was collected from; a contract's is defined elsewhere."""
    return item.nodeid.partition("::")[0]
