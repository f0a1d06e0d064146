"""What a function uses of its file may be made faster with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.user_function.module import read
from se_agent.user_function.own_code import helpers, own_code

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


CLASSES = """
class Reader:
    def next(self):
        return self.line(parsed(self.text))
    def line(self, one):
        return [other.skipped for other in one] or Line().size()
    def skipped(me):
        return me.next()

class Line:
    def size(self):
        return self.next

def parsed(text):
    return [cleaned(one) for one in text]

def cleaned(one):
    return one
"""


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param(["parsed"], {"cleaned"}, id="function"),
        pytest.param(["cleaned"], set(), id="nothing"),
        pytest.param(["Reader.next"], {"Reader.line", "parsed", "cleaned"}, id="method"),
        pytest.param(
            ["Reader.skipped"], {"Reader.next", "Reader.line", "parsed", "cleaned"}, id="me"
        ),
        pytest.param(["Reader"], {"parsed", "cleaned"}, id="class"),
        pytest.param(["Line", "parsed"], {"cleaned"}, id="several"),
        pytest.param([], set(), id="all-of-the-file"),
    ],
)
def test_what_others_call(tmp_path: Path, names: list[str], found: set[str]) -> None:
    path = tmp_path / "text.py"
    path.write_text(CLASSES, encoding="utf-8")
    assert set(helpers(read(path), names)) == found


SHARED = """
class Queue:
    def __init__(self, limit):
        self.waiting, self.limit = [], limit
    def put(me, one):
        me.waiting.append(one)
    def mark(self, place):
        self.waiting[place] = None
    def first(self):
        return self.waiting[0]
    def all(self):
        return [*self.waiting]
    def most(self):
        return self.limit
    def forget(self):
        del self.waiting
    def push(self, one):
        heappush(self.heap, one)
    def least(self):
        return self.heap[0]
    def count(self, key):
        self.counts[key][0] += 1
    def file(self, key, one):
        self.rows[key].append(one)
    def rowsum(self, key):
        return sum(self.rows[key])
    def total(self):
        return sum(self.counts)

class Other:
    def put(self, one):
        self.waiting.append(one)
"""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        pytest.param("first", {"__init__", "put", "mark", "forget"}, id="who-changes-it"),
        pytest.param("put", {"__init__", "mark", "first", "all", "forget"}, id="all-of-it"),
        pytest.param("most", {"__init__"}, id="who-sets-it"),
        pytest.param("least", {"push"}, id="by-a-function-of-a-module"),
        pytest.param("rowsum", {"file"}, id="an-element"),
        pytest.param("total", {"count"}, id="an-element-of-an-element"),
    ],
)
def test_methods_that_share_what_one_changes(
    tmp_path: Path, name: str, found: set[str]
) -> None:
    path = tmp_path / "text.py"
    path.write_text(SHARED, encoding="utf-8")
    assert set(helpers(read(path), [f"Queue.{name}"])) == {f"Queue.{one}" for one in found}
