"""Calls that are timed apart: what is put off until after the last ones is in the whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluators.sandbox.server.fork_server import ForkServer
from tests.contracts.sandbox import LONG, call

AT_ONCE = "def f(n):\n    sum(range(10**6))\n    return [n]\n"
LATER = {
    "a collection": "class Later:\n    def __init__(self): self.me = self\n"
    "    def __del__(self): sum(range(10**6))\n"
    "def f(n):\n    Later()\n    return [n]\n",
    "its own inputs": "import sys, types\n"
    "frame = sys._getframe()\n"
    "while '_called' not in frame.f_globals: frame = frame.f_back\n"
    "ours, left = frame.f_globals, []\n"
    "take = ours['_inputs']\n"
    "ours['_left_to_do'] = left\n"
    "ours['_take'] = types.FunctionType(take.__code__, ours)\n"
    "def later(count, decode):\n"
    "    while _left_to_do: sum(range(_left_to_do.pop()))\n"
    "    return _take(count, decode)\n"
    "take.__code__ = later.__code__\n"
    "def f(n):\n    left.append(10**6)\n    return [n]\n",
}


@pytest.fixture(scope="module", params=["jail", "namespace"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[ForkServer]:
    server = ForkServer(isolation=request.param)
    yield server
    server.close()


@pytest.mark.tier("isolation")
@pytest.mark.parametrize("until", LATER)
def test_what_is_put_off_until_is_done_for_the_last_calls(
    sandbox: ForkServer, until: str
) -> None:
    inputs = [(n,) for n in range(4)]  # one, and one group of three
    put_off, at_once = (
        sandbox.run(call(program, *inputs, warm=1, limits=LONG))
        for program in (LATER[until], AT_ONCE)
    )
    assert put_off.calls_seconds is not None
    assert at_once.calls_seconds is not None
    beside = put_off.cpu_seconds - put_off.first_seconds - put_off.calls_seconds
    assert beside > 0.7 * at_once.calls_seconds  # of the first alone: a third
