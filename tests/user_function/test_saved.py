"""An input that was saved is read back as it was."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.user_function.saved import require_free, save, written
from se_agent.values.evaluation import Calls, Counterexample, FailedCase
from tests.test_wire import values

FAILED = FailedCase(name="a", expected="1", got="2")


class Point(NamedTuple):
    """A class of the user's."""

    x: int
    y: float


def kept(*arguments: Any, **more: Any) -> Counterexample:
    return Counterexample(
        arguments=wire.dumps(arguments).decode("utf-8", "surrogatepass"), failed=FAILED, **more
    )


def back(text: str) -> Any:
    scope: dict[str, Any] = {}
    exec(text, scope)
    (found,) = scope["INPUTS"]
    return found


@pytest.mark.parametrize(
    "value",
    [
        [1, (2,), {"a": {3}}, frozenset(), set()],
        [math.inf, -math.inf, math.nan, -0.0, complex(math.nan, 1)],
        [10**5000, b"x", bytearray(b"y"), range(2, 9, 3), None, True],
        [deque([1], 3), Counter("aab"), OrderedDict(b=1, a=2), defaultdict(list, {1: [2]})],
        [Decimal("1.50"), dt.datetime(2020, 1, 2, tzinfo=dt.UTC), dt.timedelta(3), dt.date.max],
        [np.array([[1.5, math.nan]]), np.array([1], "f4"), np.float32(0.1), np.zeros((0, 3))],
        [np.array(["ab"]), np.array([True]), np.array([1 + 2j])],
        [Point(1, 2.5)],
        "a\n\ud800",
    ],
    ids=["holders", "floats", "leaves", "others", "times", "numbers", "texts", "own", "text"],
)
def test_it_is_read_back(value: Any) -> None:
    assert wire.dumps(back(written(kept(value, 1), "x.py"))) == wire.dumps((value, 1))


@given(values)
def test_anything_is_read_back(value: Any) -> None:
    assert wire.same(wire.loads(wire.dumps(back(written(kept(value), "x.py")))), (value,))


def test_what_cannot_be_written_is_said_in_words() -> None:
    links = wire.dumps([((0,), (1,))]).decode()
    text = written(kept([1], [1], links=links, calls=Calls.REPEATED), "x.py")
    assert "one object, which is not written here: [0][1] is [0][0]." in text
    assert "an answer is kept, changed, and asked for again" in text
    assert back(text) == ([1], [1])


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "kept.py"
    require_free(path)
    save(path, kept(1))
    assert back(path.read_text(encoding="utf-8")) == (1,)
    with pytest.raises(ProblemError, match="exists already"):
        require_free(path)
    with pytest.raises(ProblemError, match="not the name of a Python file"):
        require_free(tmp_path / "kept.json")
