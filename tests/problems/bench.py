"""Runs shipped problems in this process: they are our own, so no sandbox is needed."""

from __future__ import annotations

import copy
import io
import random
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import pytest

from se_agent.problem.model import Expr, Problem
from se_agent.values.evaluation import InputSet

Namespace = dict[str, Any]  # what a program defines can be anything


def made(problem: Problem, expr: Expr) -> Any:  # arguments of any kind
    """Return the input that an expression stands for."""
    names: Namespace = {}
    exec(problem.generator, names)
    names["rng"] = random.Random(expr.seed)
    return eval(expr.code, names)


def measured(problem: Problem, which: InputSet, index: int, level: int | None = None) -> Any:
    """Return an input of the search or a final one."""
    expr = problem.ladder.expr(which, index, level)
    assert expr
    return made(problem, expr)


def entry(problem: Problem, text: str) -> Callable[..., Any]:  # whatever a program returns
    """Return the entry point of a program."""
    names: Namespace = {"__name__": "candidate"}
    exec(problem.prelude, names)
    exec(text, names)
    found: Callable[..., Any] = names[problem.entry_point]  # whatever a program returns
    return found


def answer(problem: Problem, text: str, given: Any) -> object:  # arguments of any kind
    """Return what a program answers; for an exception its type."""
    function = entry(problem, text)
    try:
        return typed(function(*copy.deepcopy(given)))
    except (TypeError, ValueError, LookupError, ArithmeticError) as err:
        return type(err)


def typed(value: object) -> object:
    """Return a value whose equality minds the types: 2 is not 2.0, a list not a tuple."""
    if isinstance(value, list | tuple):
        return type(value), [typed(item) for item in value]
    if isinstance(value, dict):
        return dict, {key: typed(item) for key, item in value.items()}
    return type(value), value


def printed(text: str, given: str) -> str:
    """Return what a `stdio` program prints."""
    output = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output):
        patch.setattr("sys.stdin", io.StringIO(given))
        exec(compile(text, "main.py", "exec"), {"__name__": "__main__"})
    return output.getvalue()


def cpu(run: Callable[[], object], *, times: int = 3) -> float:
    """Return the CPU seconds of the fastest of some calls."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        run()
        spent.append(time.process_time() - start)
    return min(spent)
