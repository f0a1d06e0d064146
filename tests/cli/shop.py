"""A small project of a user, and `optimize` on it: one rule, a short measure."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calls import Called, call

STOCK = '''\
"""Stock."""
from __future__ import annotations

from .names import clean

LIMIT = 3000


def missing(names, stock):
    # Names that are too long never count.
    stock = [clean(s) for s in stock]
    return [n for n in names if n not in stock and len(n) < LIMIT]


def untouched(names, stock):
    return [n for n in names if n not in stock]
'''
INPUTS = """\
def lists(rng):
    pick = lambda: [str(rng.randrange(1200)) for _ in range(500)]
    return pick(), pick()
"""
TESTS = """\
import os
import random
import socket
import sys

import pytest
from shop.stock import missing


def test_many(tmp_path):
    (tmp_path / "file").write_text("temporary files are fine")
    rng = random.Random(1)
    for _ in range(60):
        names, stock = ([str(rng.randrange(900)) for _ in range(400)] for _ in range(2))
        assert missing(names, stock=stock) == [n for n in names if n not in set(stock)]


def test_what_is_kept_out():
    for attempt in (
        lambda: socket.socket(),
        lambda: open("/etc/passwd"),
        lambda: os.listdir("/"),
        lambda: open(__file__, "a"),
    ):
        with pytest.raises(PermissionError):
            attempt()
"""
QUICK = tuple(
    part
    for setting in (
        "operators=set_membership",
        "budget.evaluations=2",
        "measure.self_test_blocks=3",
        "measure.fast_seconds=0.003",
        "measure.slow_seconds=0.02",
        "judge.pairs=4",
        "judge.counterexample_seconds=2",  # enough on a busy machine: a short search is a doubt
    )
    for part in ("--set", setting)
)


def shop_in(folder: Path) -> Path:
    """Write the project and return its module."""
    shop = folder / "shop"
    (folder / "tests").mkdir()
    shop.mkdir()
    for path, text in {
        shop / "__init__.py": "from .stock import missing\n",
        shop / "names.py": "def clean(name): return name.strip()\n",
        shop / "stock.py": STOCK,
        folder / "inputs.py": INPUTS,
        folder / "tests" / "test_stock.py": TESTS,
    }.items():
        path.write_text(text, encoding="utf-8")
    return shop / "stock.py"


def optimize(*options: str, function: str = "shop/stock.py:missing") -> Called:
    return call("optimize", function, *options, *QUICK)
