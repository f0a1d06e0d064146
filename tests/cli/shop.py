"""A small project of a user, and `optimize` on it: one rule, a short measure."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.calls import COMMAND, ENV, Called, call

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


def few(rng):
    pick = lambda: [str(rng.randrange(500)) for _ in range(200)]
    return pick(), pick()


def vain(rng):
    pick = lambda size: [str(rng.randrange(500)) for _ in range(size)]
    return pick(1200), pick(1)
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
        names, stock = ([str(rng.randrange(500)) for _ in range(200)] for _ in range(2))
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


IN_VAIN = (
    *("--inputs", "inputs.py:vain"),
    *("--set", "measure.fast_seconds=0.001"),
    *("--set", "judge.min_blocks=1"),
    *("--set", "judge.max_blocks=1"),
)
"""Options of `optimize`: there is nothing to gain, and it ends well in a third of the time."""
UNREFUTED = (
    *("--set", "judge.min_blocks=1"),
    *("--set", "judge.counterexample_seconds=0"),
)
"""Options of `optimize`: a gain is proven, with the doubt that no refutation was looked for."""
RUN = "results/first"
AIM = f"{RUN}/target.json"
"""What the run was asked to do, and where the project is."""


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
    return call("optimize", function, *QUICK, *options)


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Make a folder the working directory for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def keep(called: Called) -> None:
    """Write down what a command said, for `said`; it has to have ended well."""
    assert called.code == 0, called
    Path("called.json").write_text(json.dumps(called), encoding="utf-8")


def said(folder: Path) -> Called:
    """Return what the command said that made a project's run."""
    return Called(*json.loads((folder / "called.json").read_text(encoding="utf-8")))


def proven_in(folder: Path) -> None:
    """Make a project and a run that proves a gain, and writes nothing."""
    shop_in(folder)
    with working_in(folder):
        keep(optimize("--inputs", "inputs.py:lists", "--set", "name=first", "--json"))


def resumed_in(folder: Path) -> None:
    """Make a project and a run that was to write its result, was broken off, and resumed."""
    stock = shop_in(folder)
    stock.chmod(0o640)
    with working_in(folder):
        _broken_off()
        assert stock.read_text(encoding="utf-8") == STOCK
        keep(call("resume", RUN, "--json"))


def _broken_off() -> None:
    command = [*COMMAND, "optimize", "shop/stock.py:missing", "--inputs", "inputs.py:lists"]
    running = subprocess.Popen(
        [*command, "--write", "--set", "name=first", *QUICK],
        env=ENV,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert any("self-test of the clock" in line for line in running.stdout)
    running.terminate()
    told, _ = running.communicate(timeout=60)
    assert told.splitlines()[-2].endswith("Resume with:")
    assert told.splitlines()[-1] == f"  se-agent resume {RUN}"
