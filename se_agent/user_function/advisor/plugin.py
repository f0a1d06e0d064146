"""The plugin of pytest that profiles tests, and calls what a `benchmark` is given once.

Its text is put beside the tests. Not here: how they are run (the evaluators).
"""

from __future__ import annotations

import inspect
import json

from se_agent.errors import ProblemError
from se_agent.user_function.advisor import profiler
from se_agent.user_function.advisor.costs import Costs, read_costs

_HOOKS = """

import json
import os

import pytest

_watch = Profiler()
_copy = os.getcwd() + os.sep


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    _watch.start()
    yield
    _watch.stop()


def pytest_sessionfinish(session, exitstatus):
    # What stands here is no part of the project: it has no path.
    rows = [("" if f == __file__ else _original(f), *rest) for f, *rest in _watch.rows()]
    with open(os.environ["SE_AGENT_CALLS"], "w", encoding="ascii") as file:
        json.dump(rows, file)


def _original(file):
    return os.path.join(_ROOT, file[len(_copy):]) if file.startswith(_copy) else file


class _Benchmark:
    def __init__(self):
        self.extra_info, self.group, self.name = {}, None, ""

    def __call__(self, function, *args, **kwargs):
        return function(*args, **kwargs)

    def pedantic(self, target, args=(), kwargs=None, setup=None, rounds=1, warmup_rounds=0,
                 iterations=1, teardown=None):
        if setup is not None and (made := setup()) is not None:
            args, kwargs = made
        return target(*args, **(kwargs or {}))


@pytest.fixture
def benchmark():
    return _Benchmark()
"""


def plugin_text(root: str) -> str:
    """Return the text of the plugin.

    Args:
        root: Folder of the project that the tests are run on a copy of.
    """
    return f"{inspect.getsource(profiler)}\n\n_ROOT = {root!r}\n{_HOOKS}"


def costs_of(written: str, tests: str) -> Costs:
    """Return what functions cost, as the plugin wrote it down.

    Raises:
        ProblemError: It wrote nothing that can be read.
    """
    try:
        return read_costs(json.loads(written))
    except ValueError:
        raise ProblemError(
            f"--tests {tests}: no profile came of them",
            hint="let them leave Python's profiler alone, and pytest come to its end",
        ) from None
