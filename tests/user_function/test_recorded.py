"""Recorded arguments of the user's own classes: the jail gives what was recorded."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from se_agent.user_function.function import UserFunction, find
from se_agent.user_function.inputs import source
from se_agent.wire import Revival, dumps, loads, same
from tests.test_wire_records import Item, Point, Right, instances


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> UserFunction:
    path: Path = tmp_path_factory.mktemp("shop") / "tools.py"
    path.write_text("def f(x):\n    return x\n", encoding="utf-8")
    return find(f"{path}:f")


@pytest.mark.tier("runs")
@given(st.lists(instances, max_size=3).map(tuple))
@example(({Point(1, 2.0): [Right(0)]}, {Point(1, 2.0), Point(2, 1.0)}))
@example(([Item("", Decimal(n)) for n in range(40)],))
def test_they_are_what_was_recorded(target: UserFunction, arguments: tuple[Any, ...]) -> None:
    data = dumps(arguments)
    space: dict[str, Any] = {"__name__": "generator"}
    exec(source(target, "", (), (data,)).text, space)
    given = dumps(space["_recorded"](0))
    assert same(loads(given), loads(data))
    assert Revival("").of(loads(given)) == arguments
