"""Laws of a caller who keeps answers: nobody is worse than himself, nor are copies."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.answers.bench import Bench
from evaluators.answers.check import AnswerCheck
from evaluators.counterexample.function.repeated import RepeatedReport, first_fault, first_of
from evaluators.running.runner import CallRunner
from evaluators.sandbox.child.caller import _spoil, changeable, repeatedly
from evaluators.sandbox.job import JobAnswer
from se_agent import wire
from se_agent.values.evaluation import Status
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import timed_problem

leaves = st.none() | st.integers() | st.text(max_size=3) | st.booleans()
arrays = st.lists(st.integers(0, 9), max_size=4).map(np.array)


@dataclass
class Box:
    value: Any
    more: Any


@dataclass(frozen=True)
class Frozen:
    value: Any


@dataclass(eq=False)
class Sides:
    front: list[int]
    back: list[int]


class Coin(Sides, Enum):
    """An enum whose members hold what could be changed, and is that of all who use it."""

    HEAD = ([1], [2])


class Pair(NamedTuple):
    left: Any
    right: Any


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.lists(inner, max_size=3)
    dicts = st.dictionaries(st.text(max_size=2), inner, max_size=3)
    return (
        lists
        | lists.map(tuple)
        | lists.map(deque)
        | dicts
        | dicts.map(OrderedDict)
        | dicts.map(lambda found: defaultdict(list, found))
        | st.text(max_size=4).map(Counter)
        | st.sets(st.integers(), max_size=3)
        | st.binary(max_size=3).map(bytearray)
        | st.builds(Box, inner, lists)
        | st.builds(Frozen, inner)
        | st.builds(Pair, inner, lists)
    )


values = st.recursive(leaves | arrays, containers, max_leaves=8)
Maker = Callable[[], Callable[..., Any]]


def itself() -> Callable[..., Any]:
    return lambda value: value


def twice() -> Callable[..., Any]:
    return lambda value: [value, value]


def cached() -> Callable[..., Any]:
    known: dict[str, Any] = {}
    return lambda value: known.setdefault(repr(value), deepcopy(value))


def buffered() -> Callable[..., Any]:
    buffer: list[Any] = []

    def fill(value: Any) -> list[Any]:
        buffer[:] = [deepcopy(value)]
        return buffer

    return fill


def counting() -> Callable[..., Any]:
    calls: list[Any] = []

    def count(value: Any) -> Any:
        calls.append(value)
        if len(calls) == 3:
            raise IndexError(len(calls))
        return [len(calls), value]

    return count


def copying(maker: Maker) -> Callable[..., Any]:
    entry = maker()
    return lambda value: deepcopy(entry(deepcopy(value)))


def copied() -> Callable[..., Any]:
    return deepcopy


MAKERS = [itself, twice, cached, buffered, counting, copied]


def reply(entry: Callable[..., Any], value: Any) -> JobAnswer:
    copies = wire.Revival("").of(wire.loads(wire.dumps(((value,),) * 3)))
    return JobAnswer(value=wire.dumps(repeatedly(entry, *copies)))


def fault(right: JobAnswer, found: JobAnswer, value: Any) -> AnswerCheck | None:
    problem, sandbox = timed_problem(), ScriptedSandbox()
    bench = Bench.of(problem, sandbox, CallRunner(problem))
    return first_fault(bench, wire.dumps((value,)), right, found)


@pytest.mark.parametrize("maker", MAKERS)
@given(value=values)
def test_nobody_is_worse_than_himself(maker: Maker, value: Any) -> None:
    assert fault(reply(maker(), value), reply(maker(), value), value) is None


@pytest.mark.tier("isolation")
@pytest.mark.parametrize("maker", [itself, cached, buffered])
@given(value=values)
def test_copies_are_never_worse(maker: Maker, value: Any) -> None:
    assert fault(reply(maker(), value), reply(copying(maker), value), value) is None


@pytest.mark.tier("isolation")
@pytest.mark.parametrize("maker", [itself, cached])
@given(value=values)
def test_who_hands_out_what_can_be_changed_is_worse_than_copies(
    maker: Maker, value: Any
) -> None:
    right, shared = reply(copied(), value), reply(maker(), value)
    found = fault(right, shared, value)
    assert (found is None) == (not any(changeable(value)))


@given(value=values)
def test_what_is_told_is_what_was_returned(value: Any) -> None:
    told = first_of(reply(copied(), value))
    assert wire.same(wire.loads(told.value), wire.loads(wire.dumps(value)))


def test_what_no_report_is_is_a_wrong_answer() -> None:
    right = reply(copied(), [1])
    odd: Any = ([1], (1, 2), [1], ([], [], [((np.arange(2),), (), ())], []), [1], (1, 2))
    endless = range(10**13)
    long: Any = [
        (endless,) * 6,
        ([1], endless, [1], ([], [], [], []), [1], (True, [1])),
        ([1], (True, [1]), [1], endless, [1], (True, [1])),
        ([1], (True, [1]), [1], ([], endless, []), [1], (True, [1])),
        ([1], (True, [1]), [1], ([], [], [endless], []), [1], (True, [1])),
        ([1], (True, [1]), [1], ([], [], [(endless,) * 3], []), [1], (True, [1])),
    ]
    for said in (b"", b"[]", *map(wire.dumps, (([1], 0, 0, 0, 0, 0), [1, 2], odd, *long))):
        given = JobAnswer(value=said)
        assert RepeatedReport.of(given) is None
        found = fault(right, given, [1])
        assert found is not None
        assert found.status is Status.WA


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        pytest.param((1, "a", (2, 3)), [], id="leaves"),
        pytest.param(([], {"k": [()]}), [(0,), (1,), (1, "k")], id="tuple"),
        pytest.param([[1], [[2]]], [(), (0,), (1,), (1, 0)], id="lists"),
        pytest.param(deque([{1}]), [(), (0,)], id="deque"),
        pytest.param(Frozen([1]), [("value",)], id="frozen"),
        pytest.param((Pair(1, [2]),), [(0, 1)], id="named tuple"),
        pytest.param([Box(1, {})], [(), (0,), (0, "more")], id="data class"),
    ],
)
def test_what_can_be_changed_is_found_level_by_level(
    value: Any, paths: list[tuple[Any, ...]]
) -> None:
    assert [part.path for part in changeable(value)] == paths


def test_what_holds_itself_is_gone_through_once() -> None:
    value: list[Any] = []
    value.append(value)
    assert [part.path for part in changeable(value)] == [(), (0,)]


def test_what_stands_beneath_lists_is_one_place() -> None:
    row: list[int] = []
    said = wire.loads(wire.dumps(repeatedly(lambda: ([row, row, row], row), (), (), ())))
    _, twice, _, _ = said[3]
    assert twice == [
        (((0, "*"), (1,)), (0, 0), (1,)),
        (((0, "*"), (0, "*")), (0, 1), (0, 0)),
    ]


@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=2), min_size=1, max_size=5))
def test_of_equal_rows_it_does_not_matter_which_is_handed_out(rows: list[list[int]]) -> None:
    def ends(value: list[list[int]]) -> Any:
        ordered = sorted(value)
        return ordered[0], ordered[-1]

    given = reply(lambda value: (min(value), max(value)), rows)
    assert fault(reply(ends, rows), given, rows) is None


def test_the_order_of_a_dict_does_not_matter() -> None:
    def one(value: list[int]) -> Any:
        middle = value[1:]
        return {1: (middle, value[:1]), 2: (value[:], middle)}

    given = reply(lambda value: dict(reversed(one(value).items())), [1, 2, 3])
    assert fault(reply(one, [1, 2, 3]), given, [1, 2, 3]) is None


def test_a_short_tuple_has_places_of_their_own_and_a_long_one_has_not() -> None:
    def pair(length: int, *same: int) -> JobAnswer:
        def entry(_: Any) -> Any:
            row: list[int] = []
            return tuple(row if n in same else [] for n in range(length))

        return reply(entry, 0)

    assert fault(pair(8, 0, 1), pair(8, 0, 2), 0) is not None
    assert fault(pair(9, 0, 1), pair(9, 0, 2), 0) is None


def test_paths_that_are_made_up_are_told() -> None:
    right, odd = reply(copied(), [1]), np.arange(2)
    path: list[Any] = [((), (odd,), (odd,))]
    told: list[Any] = [
        ([((), (), ())], [], [], []),
        ([], [], path, []),
        ([], [], [], path),
    ]
    for shared in told:
        said = ([1], (True, [1]), [1], shared, [1], (odd, [1]))
        found = fault(right, JobAnswer(value=wire.dumps(said)), [1])
        assert found is not None
        assert "changing" in found.got


def test_what_the_first_call_raises_is_raised() -> None:
    def failing() -> None:
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        repeatedly(failing, (), (), ())


def test_a_read_only_array_can_be_handed_out() -> None:
    array = np.arange(3)
    array.setflags(write=False)
    assert list(changeable([array])) == [((), (), [array])]


def test_a_member_of_an_enum_is_nobodys_to_change() -> None:
    assert list(changeable([Coin.HEAD])) == [((), (), [Coin.HEAD])]


@pytest.mark.parametrize(
    "value",
    [{}, OrderedDict(), defaultdict(list), Counter(), [], deque(), set(), bytearray()],
    ids=lambda value: type(value).__name__,
)
def test_what_is_empty_is_changed_too_for_whoever_else_holds_it(value: Any) -> None:
    before = deepcopy(value)
    _spoil(value)
    assert value != before
