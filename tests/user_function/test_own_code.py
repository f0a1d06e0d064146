"""What a function uses of its file may be made faster with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.user_function.module import read
from se_agent.user_function.own_code import own_code

TEXT = """
import json

class Writer:
    def put(self, text):
        return cleaned(text)

class Reader(Writer):
    pass

def cleaned(text):
    return json.dumps(text)

def plain(text, kind=Reader):
    def inner():
        return plain
    return kind().put(text), inner

def other(text):
    return plain(text)

def alone(text):
    return text.other()

def given(cleaned):
    other = cleaned
    def plain():
        return other
    return plain
"""


@pytest.mark.parametrize(
    ("function", "own"),
    [
        pytest.param("plain", ("plain", "Writer", "Reader", "cleaned"), id="step-by-step"),
        pytest.param("cleaned", ("cleaned",), id="nothing"),
        pytest.param("alone", ("alone",), id="a-method-of-that-name"),
        pytest.param("given", ("given",), id="names-of-its-own"),
        pytest.param("other", ("other", "Writer", "Reader", "cleaned", "plain"), id="in-order"),
    ],
)
def test_what_a_function_uses(tmp_path: Path, function: str, own: tuple[str, ...]) -> None:
    path = tmp_path / "text.py"
    path.write_text(TEXT, encoding="utf-8")
    assert own_code(read(path), function) == own
