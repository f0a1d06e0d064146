"""What a program was seen to do: calls keep their exact values, whoever asks for them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent import wire
from se_agent.errors import WireError
from se_agent.events import Observed, dumps, loads
from se_agent.values.observation import Allocation, Call, HotLine, Observation, Scaling

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.binary() | st.text("aé\n\x00")
)
PLAIN = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.integers() | st.text("ab"), inner, max_size=3)
        | st.frozensets(st.integers(), max_size=3)
        | st.sets(st.text("ab"), max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(PLAIN, max_size=3).map(tuple), PLAIN)
def test_a_call_gives_back_what_it_was_made_of(
    arguments: tuple[object, ...], result: object
) -> None:
    call = Call.of(arguments, result)
    assert wire.same(call.arguments, arguments)
    assert wire.same(call.result, result)


@given(st.lists(PLAIN, max_size=2).map(tuple), PLAIN, st.floats(0, 1))
def test_an_observation_survives_the_journal(
    arguments: tuple[object, ...], result: object, share: float
) -> None:
    hot = HotLine(function="f.g", line=3, text="x = 1", share=share, hits=5)
    seen = Observation(
        calls={"f": (Call.of(arguments, result, (*arguments, 1)),)},
        hot=(hot,),
        functions={"f": 1.0, "f.g": share},
        cost_seconds=0.5,
    )
    event = Observed(slot=2, solution="Gen1_Sol_2", observation=seen)
    assert loads(dumps(event)) == event


def test_who_changes_what_it_was_given_changes_nothing_else() -> None:
    call = Call.of(([3, 1],), None, ([1, 3],))
    (taken,) = call.arguments
    taken.append(7)
    assert (call.arguments, call.changed, call.after) == (([3, 1],), True, ([1, 3],))


def test_a_call_that_changes_nothing_leaves_its_arguments() -> None:
    call = Call.of(([3, 1],), 4)
    assert (call.changed, call.after, call.result) == (False, ([3, 1],), 4)


@pytest.mark.parametrize(
    "value", [pytest.param(object(), id="object"), pytest.param("\ud800", id="half a letter")]
)
def test_what_cannot_be_kept_makes_no_call(value: object) -> None:
    with pytest.raises(WireError, match=r"unsupported value|half a letter"):
        Call.of((value,), math.pi)


def test_an_observation_is_empty_until_something_was_seen() -> None:
    assert not Observation(cost_seconds=1.0)
    assert Observation(calls={"f": (Call.of((1,), 2),)})


def test_what_older_journals_hold_is_read_and_what_is_new_comes_back() -> None:
    line = '{"kind":"observed","solution":"Gen0_Sol_0","observation":{"hot":[],"functions":{}}}'
    older = loads(line)
    assert isinstance(older, Observed)
    assert (older.observation.scaling, older.observation.allocations) == (None, ())
    seen = Observation(
        scaling=Scaling(exponent=1.97, sizes=(100, 400), seconds=(0.01, 0.15)),
        allocations=(Allocation(function="f", line=3, text="a = []", share=0.9, bytes=4096),),
    )
    event = Observed(solution="Gen0_Sol_0", observation=seen)
    assert loads(dumps(event)) == event
