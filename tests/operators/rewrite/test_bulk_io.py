"""Programs read and write the same text, in fewer calls."""

from __future__ import annotations

import subprocess
import sys

import pytest

from operators.rewrite.bulk_io import BulkIo
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import dedented, rewritten

SLOW = """
n = int(input())
for _ in range(n):
    a, b = map(int, input().split())
    print(a + b, a, sep=", ")  # both
"""
READ = """
from sys import stdin

input = iter(stdin.read().split("\\n")).__next__
n = int(input())
for _ in range(n):
    a, b = map(int, input().split())
    print(a + b, a, sep=", ")  # both
"""
WRITTEN = """
from sys import stdout

n = int(input())
printed = []
for _ in range(n):
    a, b = map(int, input().split())
    printed.append(str(a + b) + ", " + str(a) + "\\n")  # both
stdout.write("".join(printed))
"""
SHAPES = {
    "function": "def row(k):\n    return [k] * k\n\n\ndef main():\n    n = int(input())\n"
    "    print('from', n)\n    for i in range(n):\n        for x in row(i):\n"
    "            print(x, end=' ')\n        print()\n        print(*row(i))\n    print('to')\n"
    "\n\nmain()\n",
    "while": "left = int(input())\nwhile left:\n    left -= 1\n"
    "    print(f'{left}: ', input())\n",
}
GIVEN = "3\n4 5\n1  2\n-7 7\n"


class TestContract(RuleContract):
    rule = BulkIo
    slow = SLOW


def test_input_and_output() -> None:
    assert rewritten(BulkIo(), SLOW) == [dedented(READ), dedented(WRITTEN)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a = input()\nb = input()\nprint(a, b)\n", id="no-loop"),
        pytest.param("for _ in range(3):\n    x = input('> ')\n", id="a-prompt"),
        pytest.param("xs = list(map(input, range(3)))\n", id="passed-on"),
        pytest.param(
            "try:\n    while True:\n        print(input())\nexcept EOFError:\n    pass\n",
            id="until-end",
        ),
        pytest.param("for x in xs:\n    print(x)\n    if x:\n        exit()\n", id="ends"),
        pytest.param("for x in xs:\n    print(x, file=f)\n", id="a-file"),
        pytest.param("for x in xs:\n    print(x, flush=True)\n", id="flushed"),
        pytest.param(
            "def f(x):\n    print(x)\n\n\nfor x in xs:\n    print(f(x))\n", id="prints-inside"
        ),
        pytest.param(
            "def f(xs):\n    for x in xs:\n        print(x)\n        return", id="return"
        ),
        pytest.param(
            "def f(x):\n    if x < 0:\n        sys.exit()\n\n\n"
            "for x in xs:\n    f(x)\n    print(x)\n",
            id="ends-inside",
        ),
        pytest.param(
            "def f(xs):\n    for x in xs:\n        print(int(x))\n\n\n"
            "try:\n    f(xs)\nexcept ValueError:\n    print('bad')\n",
            id="caught-outside",
        ),
        pytest.param("for x in xs:\n    [print(y) for y in x]\n", id="within"),
        pytest.param(
            "for x in xs:\n    try:\n        print(1 / x)\n    except E:\n        pass\n",
            id="try",
        ),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(BulkIo(), text) == []


@pytest.mark.parametrize("text", [dedented(SLOW), *SHAPES.values()], ids=["first", *SHAPES])
def test_same_output(text: str) -> None:
    candidates = rewritten(BulkIo(), text)
    assert candidates
    expected = _output(text)
    for candidate in candidates:
        assert _output(candidate) == expected


def _output(text: str) -> str:
    run = [sys.executable, "-S", "-c", text]
    return subprocess.run(run, input=GIVEN, capture_output=True, text=True, check=True).stdout
