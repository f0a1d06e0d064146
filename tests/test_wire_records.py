"""Laws of the wire for values of classes, and for moments, decimals and fractions."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, Flag, IntEnum, IntFlag
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.errors import WireError
from se_agent.wire import (
    RecordMember,
    Revival,
    Tolerance,
    WireRecord,
    dumps,
    holds_records,
    is_fixed,
    loads,
    same,
)

zones = st.none() | st.builds(
    lambda seconds: timezone(timedelta(seconds=seconds)), st.integers(-82800, 82800)
)
spelled = st.one_of(
    st.dates(),
    st.datetimes(timezones=zones),
    st.times(timezones=zones),
    st.timedeltas(),
    st.decimals(),
)


class Kind(Enum):
    BOOK = "b"
    TOY = "t"


class Size(IntEnum):
    SMALL = 1
    LARGE = 2


class Right(Flag):
    READ = 1
    WRITE = 2


class Point(NamedTuple):
    x: int
    y: float


Pair = namedtuple("Pair", "left right")


class Nothing(NamedTuple):
    """A named tuple without fields."""


class Wide(Point):
    """A named tuple that can hold more than its fields."""


@dataclass
class Item:
    name: str
    price: Decimal
    kind: Kind = Kind.TOY
    tags: list[Any] = field(default_factory=list)

    @cached_property
    def label(self) -> str:
        return self.name.upper()


@dataclass(frozen=True, slots=True)
class Frozen:
    at: Any
    inner: Any = None


@dataclass
class Bare:
    """A data class without fields."""


@dataclass
class Checked:
    """One whose constructor must not run again."""

    value: int

    def __post_init__(self) -> None:
        self.value += 1


@dataclass
class Listed(list):  # type: ignore[type-arg]
    """Holds more than its fields."""

    name: str = ""


class Base:
    __slots__ = ("_cache",)


@dataclass(slots=True)
class Hiding(Base):
    """Its base has a slot that is no field."""

    value: int


@dataclass
class Seeded(random.Random):
    """Its base, which is not written in Python, holds much."""

    value: int


class Loose(IntFlag):
    A = 1


T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    value: T


class Outer:
    @dataclass
    class Inner:
        value: int


leaves = st.one_of(
    st.integers(),
    st.text(max_size=3),
    spelled.filter(lambda value: type(value) is not Decimal or value.is_finite()),
    st.sampled_from([*Kind, *Size, Right.READ, Right.READ | Right.WRITE]),
    st.builds(Point, st.integers(), st.floats(allow_nan=False)),
)
instances = st.recursive(
    leaves,
    lambda inner: (
        st.builds(Pair, inner, inner)
        | st.builds(Item, st.text(max_size=2), st.just(Decimal(1)), tags=st.lists(inner))
        | st.builds(Frozen, inner, inner)
        | st.builds(Outer.Inner, inner)
        | st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.lists(inner, max_size=3).map(deque)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3).map(OrderedDict)
        | st.dictionaries(st.text(max_size=2), inner).map(lambda d: defaultdict(list, d))
    ),
    max_leaves=10,
)


def revived(value: Any) -> Any:
    return Revival("").of(loads(dumps(value)))


class TestSpelled:
    @given(spelled)
    def test_comes_back_the_same(self, value: Any) -> None:
        found = loads(dumps(value))
        assert same(found, value)
        assert type(found) is type(value)
        assert str(found) == str(value)

    @given(spelled.flatmap(lambda one: st.lists(st.just(one), min_size=32, max_size=40)))
    def test_comes_back_in_a_column(self, values: list[Any]) -> None:
        data = dumps(values)
        assert data.startswith(b'{"v":')
        assert same(loads(data), values)

    @given(spelled, spelled)
    def test_is_the_same_only_as_what_is_equal_and_looks_like_it(self, a: Any, b: Any) -> None:
        assert same(a, b) == (type(a) is type(b) and str(a) == str(b))

    def test_equal_values_that_look_different_are_different(self) -> None:
        noon = datetime(2024, 5, 1, 12, tzinfo=UTC)
        assert not same(Decimal("1.0"), Decimal("1.00"))
        assert not same(noon, noon.astimezone(timezone(timedelta(hours=2))))
        with pytest.raises(WireError, match="unsupported value of type datetime"):
            dumps(noon.astimezone(timezone(timedelta(microseconds=1))))
        fine = noon.astimezone(timezone(timedelta(hours=1, microseconds=5)))
        assert same(loads(dumps(fine)), fine)
        assert not same({Decimal("1.0")}, {Decimal("1.00")})
        assert same({Decimal("1.0"): [noon]}, {Decimal("1.0"): [noon]})

    def test_the_second_of_two_equal_hours_stays_the_second(self) -> None:
        again = datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=UTC)
        assert loads(dumps(again)).fold == 1

    @given(spelled)
    def test_cannot_be_changed(self, value: Any) -> None:
        assert is_fixed(dumps((value, 1)))
        assert not is_fixed(dumps((value, [])))

    def test_a_zone_with_rules_is_refused(self) -> None:
        with pytest.raises(WireError, match=r"\$\[0\]: unsupported value of type datetime"):
            dumps([datetime(2024, 5, 1, tzinfo=ZoneInfo("UTC"))])


class TestRecords:
    @given(instances)
    def test_of_classes_that_are_there_come_back_as_they_were(self, value: Any) -> None:
        found = revived(value)
        assert found == value
        assert repr(found) == repr(value)

    @given(instances)
    def test_of_no_classes_can_be_compared_and_sent_again(self, value: Any) -> None:
        found = loads(dumps(value))
        assert same(found, loads(dumps(value)))
        assert same(loads(dumps(found)), found)
        assert same(copy.deepcopy(found), found)
        assert same(pickle.loads(pickle.dumps(found)), found)

    @given(st.lists(st.builds(Item, st.characters(), st.decimals()), min_size=32, max_size=36))
    def test_of_one_class_go_by_field(self, items: list[Item]) -> None:
        data = dumps(items)
        assert data.startswith(b'{"W":')
        assert same(loads(data), [loads(dumps(item)) for item in items])

    @given(st.lists(st.sampled_from(Kind), min_size=32, max_size=36))
    def test_members_of_one_enum_go_by_name(self, members: list[Kind]) -> None:
        assert dumps(members).startswith(b'{"V":')
        assert revived(members) == members

    @pytest.mark.parametrize("make", [lambda n: Point(n, 0.5), Outer.Inner, Frozen, Pair._make])
    def test_many_come_back(self, make: Any) -> None:
        values = [make((n, n) if make == Pair._make else n) for n in range(40)]
        assert revived(values) == values
        assert revived((values, values[:3])) == (values, values[:3])

    def test_show_their_fields(self) -> None:
        item = loads(dumps(Item("a", Decimal(2), tags=[1])))
        assert (item.name, item.price, item.tags) == ("a", Decimal(2), [1])
        assert (item.kind.name, item.kind.enum) == ("TOY", "Kind")
        with pytest.raises(AttributeError, match="weight"):
            _ = item.weight
        x, y = point = loads(dumps(Point(1, 0.5)))
        assert (x, y, point[1], len(point), repr(point)) == (
            1,
            0.5,
            0.5,
            2,
            repr(Point(1, 0.5)),
        )

    def test_are_not_made_by_their_constructor(self) -> None:
        assert revived(Checked(1)).value == 2

    def test_without_fields_come_back(self) -> None:
        assert revived([Bare()] * 40) == [Bare()] * 40
        assert revived([Nothing()] * 40) == [Nothing()] * 40

    def test_hold_what_was_set_beyond_their_fields(self) -> None:
        wide, item = Wide(1, 2.0), Item("a", Decimal(1))
        plain = loads(dumps([wide] * 40)), loads(dumps([item] * 40))
        wide.more = 3  # type: ignore[attr-defined]
        assert item.label == "A"
        assert not same(loads(dumps([wide] * 40)), plain[0])
        assert not same(loads(dumps([item] * 40)), plain[1])
        assert revived(wide).more == 3
        assert vars(revived([item] * 40)[39]) == vars(item)

    def test_can_be_keys_and_elements(self) -> None:
        value = {
            Point(1, 2.0): {Size.LARGE, (Point(2, 1.0),)},
            Size.SMALL: Counter([Point(1, 1.0)]),
        }
        assert revived(value) == value
        assert same(loads(dumps(value)), loads(dumps(value)))

    @pytest.mark.parametrize("key", [Kind.TOY, Frozen(1), (1, Frozen(1)), Pair(1, Frozen(1))])
    def test_of_classes_with_a_hash_of_their_own_are_no_keys_of_inputs(self, key: Any) -> None:
        for value in ({key: 1}, {key}, frozenset({key}), Counter([key])):
            assert same(loads(dumps(value)), loads(dumps(value)))
            with pytest.raises(WireError, match="has __hash__ of its own: it cannot be given"):
                revived(value)

    def test_are_of_classes_of_one_name_and_equal_fields(self) -> None:
        one = WireRecord("a", "Item", ("x",), (1,))
        assert same(one, WireRecord("b", "Item", ("x",), (1,)))
        assert one == WireRecord("b", "Item", ("x",), (1,))
        assert not same(one, WireRecord("a", "Other", ("x",), (1,)))
        assert not same(one, WireRecord("a", "Item", ("y",), (1,)))
        assert not same(one, WireRecord("a", "Item", ("x",), (True,)))
        assert not same([one], [1])
        assert not same(loads(dumps(Point(1, 2.0))), (1, 2.0))
        assert not same(RecordMember("a", "Kind", "TOY"), RecordMember("a", "Kind", "BOOK"))
        assert same(RecordMember("a", "Kind", "TOY"), RecordMember("b", "Kind", "TOY"))

    def test_are_close_where_their_fields_are(self) -> None:
        a, b = (loads(dumps([Point(1, y)])) for y in (1.0, 1.0 + 1e-12))
        assert same(a, b, tolerance=Tolerance(rel=1e-9))
        assert not same(a, b)

    def test_are_found_in_bytes(self) -> None:
        for value in (Point(1, 2.0), [Item("", Decimal(1))] * 40, [Kind.TOY] * 40, Kind.TOY):
            assert holds_records(dumps((value,)))
        for other in ('{"K":', {'{"E":': b'{"W":'}, [date(2024, 1, 1)] * 40):
            assert not holds_records(dumps((other,)))

    def test_what_cannot_be_is_refused_with_its_place(self) -> None:
        unset = Item("a", Decimal(1))
        del unset.tags
        for value in (Listed("a"), unset, Item("a", object())):  # type: ignore[arg-type]
            with pytest.raises(WireError, match=r"\$\[1\].*unsupported value of type"):
                dumps([1, value])
            with pytest.raises(WireError, match=r"\$\[0\].*unsupported value of type"):
                dumps([value] * 40)
        with pytest.raises(WireError, match=r"\$\[0\]\.price: unsupported value"):
            dumps([Item("a", object())])  # type: ignore[arg-type]

    def test_no_record_is_too_deep(self) -> None:
        value: Any = 1
        for _ in range(200):
            value = Frozen(value)
        with pytest.raises(WireError, match="nested deeper"):
            dumps(value)

    @pytest.mark.parametrize(
        "value",
        [Right(0), Right.READ | Right.WRITE, Loose(12), Loose.A, [Loose(12)] * 40, Box[int](3)],
    )
    def test_that_are_odd_come_back(self, value: Any) -> None:
        found = revived(value)
        assert found == value
        assert type(found) is type(value)

    def test_that_hold_more_than_can_be_seen_are_refused(self) -> None:
        for value in (Hiding(1), Seeded(1)):
            with pytest.raises(WireError, match="unsupported value of type"):
                dumps([value])

    def test_have_no_fields_that_mean_something_to_python(self) -> None:
        for name in ("__array_interface__", "__len__", "a b", "\x1b[2J"):
            with pytest.raises(WireError, match="a record with the fields"):
                loads(b'{"K":[false,"m","A",[%s],[1]]}' % dumps(name))
            assert not hasattr(WireRecord("m", "A", (name,), (1,)), name)

    def test_the_second_of_two_equal_hours_is_another(self) -> None:
        first, second = (datetime(2024, 10, 27, 2, tzinfo=UTC, fold=n) for n in (0, 1))
        assert not same(first, second)


class TestRevival:
    @pytest.mark.parametrize(
        ("value", "why"),
        [
            (
                WireRecord("nowhere", "Item", ("x",), (1,)),
                "no class Item, neither in  nor in nowhere",
            ),
            (WireRecord(__name__, "Nowhere", ("x",), (1,)), "no class Nowhere"),
            (WireRecord(__name__, "Item", ("x",), (1,)), "Item of .* has not the fields x"),
            (
                WireRecord(__name__, "Point", ("x", "y"), (1, 2)),
                "Point of .* has not the fields x, y",
            ),
            (WireRecord(__name__, "Kind", (), ()), "has not the fields"),
            (WireRecord("builtins", "list", (), ()), "has not the fields"),
            (RecordMember(__name__, "Kind", "CAR"), "has no CAR"),
            (RecordMember(__name__, "Item", "CAR"), "has no CAR"),
        ],
    )
    def test_of_what_is_not_there_is_refused(self, value: Any, why: str) -> None:
        with pytest.raises(WireError, match=why):
            Revival("").of([value])

    def test_takes_the_class_of_its_own_module_first(self) -> None:
        record = WireRecord(
            "collections", "Item", ("name", "price", "kind", "tags"), (1, 2, 3, 4)
        )
        found = Revival(__name__).of(record)
        assert (type(found), found.tags) == (Item, 4)
        assert type(Revival("collections").of(loads(dumps(Point(1, 2.0))))) is Point
