"""Laws of the wire: what goes in comes out, with its types; what anyone sends does no harm."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections import Counter, OrderedDict, UserList, defaultdict, deque
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.errors import WireError
from se_agent.wire import (
    EXACT,
    MAX_DEPTH,
    TOO_DEEP,
    Tolerance,
    dumps,
    is_refused,
    loads,
    same,
)

surrogates = st.text(st.characters(codec=None, categories=None), max_size=8)
hashable_leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=2**62).map(lambda n: n**3)
    | st.floats(allow_nan=False)
    | st.complex_numbers(allow_nan=False)
    | surrogates
    | st.binary(max_size=8)
    | st.builds(range, st.integers(), st.integers(), st.integers(1, 9))
)
hashables = st.recursive(
    hashable_leaves,
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.frozensets(inner, max_size=4),
    max_leaves=6,
)
leaves = hashables | st.floats() | st.complex_numbers() | st.binary(max_size=4).map(bytearray)


def read_or_refused(data: bytes) -> bool:
    """Say whether bytes are refused, or stand for a value that can be sent again."""
    try:
        value = loads(data)
    except WireError as err:
        return "not typed JSON" in str(err)
    return same(loads(dumps(value)), value)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    dicts = st.dictionaries(hashables, inner, max_size=4)
    lists = st.lists(inner, max_size=5)
    return (
        lists
        | lists.map(tuple)
        | dicts
        | dicts.map(OrderedDict)
        | dicts.map(lambda d: defaultdict(list, d))
        | st.builds(deque, lists, st.none() | st.integers(5, 9))
        | st.sets(hashables, max_size=4)
        | st.dictionaries(hashables, st.integers(), max_size=4).map(Counter)
    )


values = st.recursive(leaves, containers, max_leaves=12)
rows = st.lists(st.tuples(st.integers(), st.floats(), st.text(max_size=2)), max_size=80)


class TestRoundTrip:
    @given(values)
    def test_comes_back_the_same(self, value: Any) -> None:
        assert same(loads(dumps(value)), value)

    @given(st.lists(st.integers(-(2**70), 2**70), max_size=80) | st.lists(st.floats()))
    def test_of_runs_of_numbers(self, numbers: list[Any]) -> None:
        assert same(loads(dumps(numbers)), numbers)

    @given(rows)
    def test_of_rows_of_one_width(self, table: list[Any]) -> None:
        assert same(loads(dumps(table)), table)
        lists = [list(row) for row in table]
        assert same(loads(dumps(lists)), lists)

    @given(st.lists(st.lists(st.integers() | st.text(max_size=2), max_size=4), max_size=80))
    def test_of_rows_of_several_widths(self, table: list[list[Any]]) -> None:
        assert same(loads(dumps(table)), table)
        tuples = [tuple(row) for row in table]
        assert same(loads(dumps(tuples)), tuples)

    @pytest.mark.parametrize("x", [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324])
    def test_of_every_bit_of_a_float(self, x: float) -> None:
        for value in (x, [x], [x] * 40):
            back = loads(dumps(value))
            assert repr(back) == repr(value)

    @pytest.mark.parametrize("factory", [int, list, dict, set, None])
    def test_of_a_builtin_factory(self, factory: Any) -> None:
        assert loads(dumps(defaultdict(factory))).default_factory is factory

    def test_of_another_factory_drops_it(self) -> None:
        assert loads(dumps(defaultdict(lambda: 1, {1: 2}))) == {1: 2}

    def test_of_an_int_beyond_the_limit_of_digits(self) -> None:
        big = -(7**20_000)
        assert loads(dumps([big, "x", {big: big}])) == [big, "x", {big: big}]

    def test_of_two_surrogates_that_would_make_one_character(self) -> None:
        assert len(loads(dumps("\ud83d\ude00"))) == 2

    @pytest.mark.parametrize(
        "array",
        [
            np.arange(12).reshape(3, 4),
            np.array([[1.5, math.nan]], dtype=np.float32),
            np.array([True, False]),
            np.array(["ab", "c"]),
            np.zeros((0, 3)),
            np.array(2.5),
            np.arange(6).reshape(2, 3).T,
            np.array([1 + 2j]),
            np.float64(1.5),
            np.int32(-7),
            np.bool_(1),
            np.array(["2026-01-31", "NaT"], dtype="M8[D]"),
            np.array([1, -1], dtype=">m8[25us]"),
            np.datetime64("NaT"),
            np.timedelta64(3, "ns"),
        ],
        ids=repr,
    )
    def test_of_numpy(self, array: Any) -> None:
        back = loads(dumps({"a": array}))["a"]
        assert same(back, array)
        assert type(back) is type(array)

    def test_of_moments_that_differ(self) -> None:
        days = np.array(["2026-01-31", "NaT"], dtype="M8[D]")
        assert not same(days, np.array(["2026-01-30", "NaT"], dtype="M8[D]"))
        assert not same(days, days.astype("M8[s]"))
        assert not same(days, np.array(["NaT", "2026-01-31"], dtype="M8[D]"))

    def test_gives_an_array_that_can_be_written(self) -> None:
        back = loads(dumps(np.zeros(3)))
        back[1] = 1.0
        assert back[1] == 1.0

    def test_is_fast_enough_to_stand_inside_a_measurement(self) -> None:
        for value in (list(range(100_000)), [x / 7 for x in range(100_000)]):
            costs = []
            for _ in range(5):
                before = time.process_time()
                loads(dumps(value))
                costs.append(time.process_time() - before)
            assert min(costs) < 0.05  # 0.007 to 0.009 on the machine where it was written


ARRAY = "numpy.ndarray of dtype"


class Num(int):
    pass


class TestRefusal:
    @pytest.mark.parametrize(
        ("value", "path", "kind"),
        [
            pytest.param(object(), r"\$", "object", id="object"),
            pytest.param([1, 2, {"a": {1j, Num(3)}}], r"\$\[2\].a\{element\}", "Num", id="int"),
            pytest.param({(1, Num(2)): 2}, r"\$\{key\}\[1\]", "Num", id="key"),
            pytest.param([(1, lambda: 0)], r"\$\[0\]\[1\]", "function", id="function"),
            pytest.param([1, UserList()], r"\$\[1\]", "UserList", id="list"),
            pytest.param((x for x in "ab"), r"\$", "generator", id="lazy"),
            pytest.param([np.array([object()])], r"\$\[0\]", f"{ARRAY} object", id="objects"),
            pytest.param(np.zeros(2, "i4,f8"), r"\$", rf"{ARRAY} \[\('f0', .*", id="rows"),
        ],
    )
    def test_names_type_and_place(self, value: Any, path: str, kind: str) -> None:
        kind = kind if "." in kind else rf"\S*{kind}"
        with pytest.raises(WireError, match=rf"^{path}: unsupported value of type {kind}$"):
            dumps(value)

    def test_of_a_value_that_holds_itself(self) -> None:
        loop: list[Any] = []
        loop.append({"again": loop})
        with pytest.raises(WireError, match="nested deeper"):
            dumps(loop)

    @pytest.mark.parametrize("wrap", [lambda x: [x], lambda x: (x,), lambda x: {"k": x}])
    def test_begins_just_past_the_deepest_value(self, wrap: Any) -> None:
        value: Any = 1.5
        for _ in range(MAX_DEPTH // 2):
            value = wrap(value)
        assert same(loads(dumps(value)), value)
        for _ in range(MAX_DEPTH):
            value = wrap(value)
        with pytest.raises(WireError, match=rf"^\$\S{{59,62}}: {TOO_DEEP}$") as caught:
            dumps(value)
        assert is_refused(str(caught.value))


class TestHostileBytes:
    @given(st.binary(max_size=200))
    def test_of_any_kind_are_values_or_a_wire_error(self, data: bytes) -> None:
        assert read_or_refused(data)

    @settings(max_examples=200)
    @given(values, st.data())
    def test_that_were_truncated_or_changed(self, value: Any, data: st.DataObject) -> None:
        text = bytearray(dumps([value, [1.5] * 3]))
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.integers(0, 255))
        for hostile in (bytes(text), bytes(text[:place])):
            assert read_or_refused(hostile)

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"1.5",
            b"NaN",
            b"9" * 5000,
            b"[" * 100_000,
            b'{"t":' * 90_000,
            b'{"x":1}',
            b'{"f":"0x1p0","c":[]}',
            b"{}",
            b'{"f":"0x1p99999"}',
            b'{"i":5}',
            b'{"t":"ab"}',
            b'{"s":[[]]}',
            b'{"d":[[1],[]]}',
            b'{"D":[[],[],"eval"]}',
            b'{"q":[[],-5]}',
            b'{"r":[0,1,0]}',
            b'{"r":["a",1,1]}',
            b'{"n":["|O","00",[1]]}',
            b'{"n":["<f8","",[99999999999]]}',
            b'{"n":["<f8","",[-1]]}',
            b'{"n":["i4,i4","",[0]]}',
            b'{"g":["<f8","00"]}',
            b'{"g":["<U1","ffffffff"]}',
            b'{"n":[">U1","0011000000000041",[2]]}',
            b'{"L":[[-1],[]]}',
            b'{"L":[[2],[1]]}',
            b'{"U":[["x"],[1]]}',
            b'{"R":[[1],[]]}',
            b'{"T":[]}',
            b'{"I":"abc"}',
        ],
    )
    def test_by_hand(self, data: bytes) -> None:
        with pytest.raises(WireError, match="not typed JSON"):
            loads(data)

    @pytest.mark.parametrize(
        "data",
        [
            pytest.param(b'{"s":[1,2,1]}', id="set"),
            pytest.param(b'{"z":["a","a"]}', id="frozenset"),
            pytest.param(b'{"d":[[1,1],[2,3]]}', id="dict"),
            pytest.param(b'{"C":[[1,1],[2,3]]}', id="counter"),
            pytest.param(b'{"O":[[1,1],[2,3]]}', id="ordered"),
            pytest.param(b'{"D":[[1,1],[2,3],"int"]}', id="defaultdict"),
        ],
    )
    def test_leave_no_duplicates_for_the_reader_to_drop(self, data: bytes) -> None:
        with pytest.raises(WireError, match="different ones"):
            loads(data)

    def test_that_collide_are_refused_before_a_set_is_built(self) -> None:
        modulus = sys.hash_info.modulus
        data = dumps([k * modulus for k in range(200)])
        with pytest.raises(WireError, match="same hash"):
            loads(b'{"s":' + data + b"}")
        with pytest.raises(WireError, match="same hash"):
            loads(b'{"d":[' + data + b"," + data + b"]}")


class TestSame:
    @given(values)
    def test_is_reflexive(self, value: Any) -> None:
        assert same(value, value)

    @given(values, values)
    def test_is_symmetric(self, a: Any, b: Any) -> None:
        assert same(a, b) == same(b, a)

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            (1, True),
            (1, 1.0),
            ([1], (1,)),
            ([1, True], [True, 1]),
            ({1: "a"}, {True: "a"}),
            ({1.0}, {1}),
            ({(1, 2)}, {(1, 2.0)}),
            (frozenset({1}), {1}),
            ({"a": 1}, OrderedDict(a=1)),
            (OrderedDict([(1, 1), (2, 2)]), OrderedDict([(2, 2), (1, 1)])),
            (deque([1]), deque([1], 3)),
            ([[1], [2, 3]], [[1, 2], [3]]),
            ([[1.0], [2]], [[1.0], [2.0]]),
            (b"a", bytearray(b"a")),
            ([1, 2], [1]),
            ({1: 2}, {1: 2, 3: 4}),
            ({1: 2, 3: 4}, {1: 2, 4: 3}),
            (np.array([1, 2]), np.array([1.0, 2.0])),
            (np.array([1, 2]), np.array([[1, 2]])),
            (np.float64(1.0), 1.0),
            (math.nan, 0.0),
        ],
        ids=repr,
    )
    def test_is_exact_about_types_and_order(self, a: Any, b: Any) -> None:
        assert not same(a, b)

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ({1: 2, "x": [3]}, {"x": [3], 1: 2}),
            ([math.nan, 1.0], [math.nan, 1.0]),
            ({math.nan}, {float("nan")}),
            ({math.nan: 1}, {float("nan"): 1}),
            (0.0, -0.0),
            (np.array([math.nan]), np.array([math.nan])),
            pytest.param(
                defaultdict(int, {1: 2}), defaultdict(lambda: 0, {1: 2}), id="default-factories"
            ),
            (complex(math.nan, 1), complex(math.nan, 1)),
        ],
        ids=repr,
    )
    def test_forgives_what_python_users_do_not_mean(self, a: Any, b: Any) -> None:
        assert same(a, b)

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            (1.0, 1.0 + 1e-7),
            ([1e9, 2.0], [1e9 + 1, 2.0]),
            ({"a": (1.0,)}, {"a": (1.0 + 1e-7,)}),
            ({1.0, 5.0}, {5.0, 1.0 + 1e-7}),
            (1 + 1j, 1 + 1.0000001j),
            (np.array([1.0]), np.array([1.0 + 1e-7])),
        ],
        ids=repr,
    )
    def test_within_the_tolerance_only_when_there_is_one(self, a: Any, b: Any) -> None:
        assert same(a, b, tolerance=Tolerance(1e-6, 1e-6))
        assert not same(a, b)

    def test_the_largest_complex_numbers_can_be_compared(self) -> None:
        huge = complex(1.7e308, 1.7e308)
        assert same(huge, huge)
        for tolerance in (EXACT, Tolerance(1e-9, 1e-9)):
            assert not same(huge, -huge, tolerance=tolerance)
            assert not same(huge, complex(math.inf, 0), tolerance=tolerance)

    def test_tolerance_is_not_for_ints_infinities_or_nan(self) -> None:
        assert not same(10**9, 10**9 + 1, tolerance=Tolerance(0.5, 0.5))
        assert not same(math.inf, 1e308, tolerance=Tolerance(0.5, 0.5))
        assert not same(math.nan, 1.0, tolerance=Tolerance(0.5, 0.5))


REPLACING = """
import json
from se_agent.wire import dumps, loads

def forged(*_, **__):
    return "forged"

for kind in (json.JSONEncoder, json.JSONDecoder):
    for name in ("encode", "iterencode", "decode", "raw_decode"):
        setattr(kind, name, forged)
print(*loads(dumps([1, "x"])))
"""


def test_replacing_the_methods_of_json_changes_nothing() -> None:
    command = [sys.executable, "-c", REPLACING]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "1 x\n"


@pytest.mark.parametrize("data", [b"", b"[1", b"[1] ", b"1 2", b" 1"])
def test_more_or_less_than_one_value_is_refused(data: bytes) -> None:
    with pytest.raises(WireError, match="not typed JSON"):
        loads(data)
