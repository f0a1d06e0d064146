"""Finding the function that a user points at, and refusing what cannot be called by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.errors import ProblemError
from se_agent.user_function.function import find, is_plain

TEXT = """
import json
import numpy as np
from shapes import area
LIMIT = 3
first = lambda x: x
if LIMIT:
    def branched(x): return x
def plain(x, *, key=None): return x
def outer(x):
    def inner(y): return y
    return inner(x)
def numbers(n):
    yield from range(n)
def not_a_generator(n):
    def inside(): yield n
    return list(inside())
async def fetch(x): return x
def keyed(x, *, key): return x
class Box:
    def size(self): return 1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tools.py"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["plain", "outer", "branched", "not_a_generator"])
def test_a_plain_function_at_the_top_level_is_found(file: Path, name: str) -> None:
    target = find(f"{file}:{name}")
    assert (target.function, target.name) == (name, f"tools.{name}")
    assert target.module.text == TEXT
    assert is_plain(TEXT, name)


@pytest.mark.parametrize("spec", ["tools.py::plain", "tools:plain"])
def test_another_spelling_of_file_and_function_is_told_the_right_one(
    file: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    monkeypatch.chdir(file.parent)
    with pytest.raises(ProblemError, match=f"'{spec}': not FILE.py:FUNCTION") as caught:
        find(spec)
    assert caught.value.hint == "did you mean 'tools.py:plain'?"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("Box.size", "is a method of class 'Box'", id="method"),
        pytest.param("size", "is a method of class 'Box'", id="method-by-its-own-name"),
        pytest.param("outer.inner", "is nested in function 'outer'", id="nested"),
        pytest.param("numbers", "is a generator", id="generator"),
        pytest.param("fetch", "is an async function", id="async"),
        pytest.param("first", "is a lambda", id="lambda"),
        pytest.param("Box", "is a class", id="class"),
        pytest.param("area", "is imported", id="imported"),
        pytest.param("LIMIT", "is not a function", id="value"),
        pytest.param("keyed", "needs the keyword 'key'", id="keyword-only"),
        pytest.param("plane", "there is no function 'plane'", id="absent"),
    ],
)
def test_what_cannot_be_called_by_itself_is_refused_by_name(
    file: Path, name: str, said: str
) -> None:
    with pytest.raises(ProblemError, match=said) as caught:
        find(f"{file}:{name}")
    assert not is_plain(TEXT, name)
    assert caught.value.hint
    assert "\n" not in str(caught.value)


def test_a_mistyped_name_gets_a_proposal(file: Path) -> None:
    with pytest.raises(ProblemError, match="no function") as caught:
        find(f"{file}:plane")
    assert caught.value.hint == "did you mean 'plain'?"


@pytest.mark.parametrize("spec", ["tools.py", "tools.py:", ":plain"])
def test_a_spec_without_file_or_function_is_refused(spec: str) -> None:
    with pytest.raises(ProblemError, match=r"not FILE\.py:FUNCTION"):
        find(spec)


def test_a_file_alone_is_answered_with_its_functions(file: Path) -> None:
    with pytest.raises(ProblemError, match="not FILE") as caught:
        find(str(file))
    assert f"such as {file}:plain, {file}:outer, " in caught.value.hint
    with pytest.raises(ProblemError, match="not FILE") as caught:
        find("nothing.py")
    assert caught.value.hint == "such as tools/text.py:parse"
