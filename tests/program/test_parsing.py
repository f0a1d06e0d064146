"""The parser, asked by several threads: some versions of CPython fail at that by themselves."""

from __future__ import annotations

import ast
import gc
import re
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from se_agent.program.parsing import expression_tree, is_deep, literal_of, signature_of, tree_of

TEXT = "\n".join(f"x{n} = f(g(h({n}, [{n}, ({n}, y + {n} * z)])))" for n in range(30))
DEEP = f"[{', '.join(f'f(g({n} + (-y * [{n}][0])))' for n in range(30))}]"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def _switching() -> Iterator[None]:
    """Let other threads go on wherever memory is collected, as they may at any time."""

    def pause(phase: str, info: object) -> None:
        del phase, info
        time.sleep(0)

    before = gc.get_threshold()
    gc.callbacks.append(pause)
    gc.set_threshold(20)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(pause)


@pytest.mark.tier("library")
@pytest.mark.usefixtures("_switching")
@pytest.mark.parametrize(
    "parse",
    [partial(tree_of, TEXT), partial(expression_tree, DEEP), partial(signature_of, sorted)],
)
def test_threads_do_not_disturb_each_other(parse: Callable[[], object]) -> None:
    with ThreadPoolExecutor(4) as pool:
        told = [pool.submit(parse) for _ in range(200)]
        beside = [pool.submit(tree_of, TEXT) for _ in range(200)]
        found = {_shown(future.result()) for future in told}
        assert len({_shown(future.result()) for future in beside}) == 1
    assert len(found) == 1


def _shown(parsed: object) -> str:
    return ast.dump(parsed) if isinstance(parsed, ast.AST) else str(parsed)


def test_nobody_else_asks_it() -> None:
    folders = ("se_agent", "operators", "evaluators", "experiments/arena")
    files = [path for name in folders for path in (ROOT / name).rglob("*.py")]
    asking = re.compile(r"ast\.parse\(|ast\.literal_eval\(|inspect\.signature\(")
    found = [path for path in files if asking.search(path.read_text(encoding="utf-8"))]
    children = (
        "se_agent/user_function/gate.py",
        "se_agent/user_function/inputs.py",
    )  # texts of processes
    assert {str(path.relative_to(ROOT)) for path in found} == {
        "se_agent/program/parsing.py",
        *children,
    }


def test_a_literal_is_read_by_the_same_parser() -> None:
    assert literal_of(" [1, {'a': (2.5, None)}, -3]") == [1, {"a": (2.5, None)}, -3]
    with pytest.raises(ValueError, match="malformed"):
        literal_of("f(1)")
    with pytest.raises(ValueError, match="unhashable"):
        literal_of("{[]: 1}")


def test_an_error_names_the_file() -> None:
    with pytest.raises(SyntaxError, match="never closed") as told:
        tree_of("x = (", "lost.py")
    assert told.value.filename == "lost.py"


@pytest.mark.parametrize("parse", [tree_of, expression_tree])
def test_what_it_warns_of_is_not_printed(parse: Callable[[str], ast.AST]) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        before = list(warnings.filters)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(parse, [r"'\d'"] * 100))
        assert warnings.filters == before
    assert told == []


@pytest.mark.parametrize("more", [" + 1", ".real", "()"])
def test_what_is_nested_deeper_than_anything_can_walk(more: str) -> None:
    assert not is_deep(f"x = a{more * 250}")
    assert is_deep(f"x = a{more * 400}")
    for parse in (tree_of, expression_tree, is_deep):
        with pytest.raises(SyntaxError, match="nested deeper than Python reads"):
            parse(f"a{more * 20_000}")
