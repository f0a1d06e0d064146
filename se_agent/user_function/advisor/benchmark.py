"""Benchmark files as they are: those of pyperf are run in the jail, with one call of each.

Those of pytest-benchmark are tests (`plugin`). Not here: how long a benchmark takes, which is
what these tools are for.
"""

from __future__ import annotations

import ast
import inspect
from enum import StrEnum

from se_agent.errors import ProblemError
from se_agent.user_function.advisor import profiler
from se_agent.user_function.module import Module

_PYPERF = """

class _Runner:
    def __init__(self, *args, **kwargs):
        import argparse
        self.metadata = {}
        self.argparser = argparse.ArgumentParser()

    def parse_args(self, args=None):
        self.args, _ = self.argparser.parse_known_args([])
        return self.args

    def bench_func(self, name, function, *args, inner_loops=None, metadata=None):
        _watch.call(function, args)

    def bench_time_func(self, name, function, *args, inner_loops=None, metadata=None):
        _watch.call(function, (1, *args))

    def bench_async_func(self, name, function, *args, inner_loops=None, metadata=None,
                         loop_factory=None):
        import asyncio
        _watch.call(asyncio.run, (function(*args),))

    def timeit(self, name, stmt=None, setup="pass", teardown="pass", inner_loops=None,
               duplicate=None, metadata=None, globals=None):
        space = {} if globals is None else globals
        lines = [setup, stmt if stmt is not None else name, teardown]
        texts = [part if type(part) is str else "\\n".join(part) for part in lines]
        exec(texts[0], space)
        _watch.call(exec, (compile(texts[1], "<timeit>", "exec"), space))
        exec(texts[2], space)


def _benchmarked():
    import sys
    import time
    import types

    global _watch
    _watch = Profiler()
    made = sys.modules["pyperf"] = types.ModuleType("pyperf")
    made.Runner, made.perf_counter = _Runner, time.perf_counter
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = _PATH
    try:
        exec(compile(_TEXT, _PATH, "exec", dont_inherit=True), main.__dict__)
    except SystemExit:
        pass
    return _watch.rows()
"""

ENTRY_POINT = "_benchmarked"
"""Function of `pyperf_program` that runs the file and returns the profile."""


class Harness(StrEnum):
    """What a benchmark file is written for."""

    PYPERF = "pyperf"
    PYTEST = "pytest-benchmark"


def harness_of(module: Module) -> Harness:
    """Return what a benchmark file is written for.

    Raises:
        ProblemError: It is neither.
    """
    if "pyperf" in _imported(module.tree):
        return Harness.PYPERF
    functions = [n for n in ast.walk(module.tree) if isinstance(n, ast.FunctionDef)]
    tests = [each for each in functions if each.name.startswith("test")]
    if any(argument.arg == "benchmark" for each in tests for argument in each.args.args):
        return Harness.PYTEST
    raise ProblemError(
        f"--benchmark {module.path}: neither imports pyperf, nor do tests take `benchmark`",
        hint="tests are given with --tests, a function of your own with --workload",
    )


def pyperf_program(module: Module) -> str:
    """Return the program whose `ENTRY_POINT` runs a file of pyperf and returns the profile."""
    given = f"_PATH = {str(module.path)!r}\n_TEXT = {module.text!r}\n"
    return f"{inspect.getsource(profiler)}\n\n{given}{_PYPERF}"


def _imported(tree: ast.Module) -> set[str]:
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found
