"""Values of a program's own classes, as inputs and as answers of real processes."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from evaluators.sandbox.job import JobOutcome
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.values.evaluation import Status
from se_agent.wire import RecordMember, WireRecord, loads
from tests.contracts.sandbox import call, values

SHOP = """
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum

class Kind(Enum):
    TOY = 1

@dataclass
class Item:
    price: int
    kind: Kind = Kind.TOY

    def dearer(self):
        return Item(self.price + 1)

Total = namedtuple("Total", "price count")
"""
ITEM = WireRecord("main", "Item", ("price", "kind"), (3, RecordMember("main", "Kind", "TOY")))


def test_an_answer_is_a_record(jail: ForkServer) -> None:
    program = f"{SHOP}\ndef f(n): return Total([Item(n)] * 2, n)"
    total: Any = values(jail.run(call(program, (3,))))[0]
    items, count = total
    assert ([*items], count) == ([ITEM, ITEM], 3)


@pytest.mark.parametrize("apart", [False, True])
def test_making_values_of_classes_is_told_apart(jail: ForkServer, *, apart: bool) -> None:
    """A candidate that declares its classes otherwise must not be faster by it."""

    def ran(count: int) -> JobOutcome:
        program = f"{SHOP}\ndef f(items): return len(items)"
        return jail.run(call(program, ([ITEM] * count,), ([ITEM] * count,), load_apart=apart))

    few, many = ran(1), ran(4000)
    assert (values(few), values(many)) == ([1, 1], [4000, 4000])
    made = many.giving_seconds - few.giving_seconds
    rest = (many.cpu_seconds - many.after_seconds) - (few.cpu_seconds - few.after_seconds)
    assert made > 0.8 * rest > 0
    assert many.loading_seconds < many.giving_seconds
    assert 0 < many.usage.giving_wall_seconds < many.usage.wall_seconds


def test_making_them_runs_no_code_of_their_class(jail: ForkServer) -> None:
    """It could work there, with the input at hand."""
    program = (
        SHOP
        + """
ran = []
Item.__setattr__ = lambda self, name, value: ran.append(name)
Item.__init__ = Item.__post_init__ = Item.__eq__ = lambda self, *_: ran.append("other")
Item.__new__ = lambda cls, *_: ran.append("new")
Item.__dict__["__dataclass_fields__"]
def f(item): return item.price, ran
"""
    )
    assert values(jail.run(call(program, (ITEM,)))) == [(3, [])]
    hidden = (
        SHOP
        + "\nItem.price = property(lambda self: 1, lambda self, value: None)\ndef f(item): pass"
    )
    refused = jail.run(call(hidden, (ITEM,)))
    assert "the field price of Item is a property" in refused.feedback
    fake = (
        SHOP + "\nItem.__dict__\nclass Item(Item):\n    __dict__ = property(lambda self: {})\n"
    )
    assert values(jail.run(call(f"{fake}def f(item): return item.price", (ITEM,)))) == [3]


def test_what_goes_wrong_in_a_class_is_told(jail: ForkServer) -> None:
    outcome = jail.run(call(f"{SHOP}\ndef f(items): pass", ({ITEM: 1},)))
    assert outcome.status is Status.RE
    assert "Item has __hash__ of its own: it cannot be given as a key" in outcome.feedback


def test_moments_and_decimals_cross_both_ways(jail: ForkServer) -> None:
    given = date(2024, 2, 28), Decimal("1.10")
    program = (
        "from datetime import timedelta\n"
        "def f(day, price): return day + timedelta(2), price * 2, type(price).__name__"
    )
    assert values(jail.run(call(program, given))) == [
        (date(2024, 3, 1), Decimal("2.20"), "Decimal")
    ]


@pytest.mark.parametrize("apart", [False, True])
def test_an_input_is_of_the_program_s_own_class(jail: ForkServer, *, apart: bool) -> None:
    program = f"{SHOP}\ndef f(items): return items[0].dearer().price, items[0] == Item(3)"
    job = call(program, ([ITEM],), ([ITEM] * 50,), load_apart=apart)
    assert values(jail.run(job)) == [(4, True)] * 2


def test_a_data_class_that_a_call_changes_is_told(jail: ForkServer) -> None:
    outcome = jail.run(call(f"{SHOP}\ndef f(item): item.price = 9", (ITEM,)))
    (changed,) = loads(outcome.answers[0].arguments)
    assert changed.price == 9
    untouched = jail.run(call(f"{SHOP}\ndef f(item): return item.price", (ITEM,)))
    assert untouched.answers[0].arguments == b""


def test_who_has_not_the_class_can_be_given_records(jail: ForkServer) -> None:
    program = "def f(item): return item.price, item.kind.name, [item]"
    assert values(jail.run(call(program, (ITEM,), as_records=True))) == [(3, "TOY", [ITEM])]


def test_a_class_that_the_program_lacks_is_named(jail: ForkServer) -> None:
    outcome = jail.run(call("def f(item): pass", (ITEM,)))
    assert outcome.status is Status.RE
    assert "the input cannot be given: $: there is no class Item, neither" in outcome.feedback


def test_a_field_that_was_never_set_is_no_answer(jail: ForkServer) -> None:
    outcome = jail.run(call(f"{SHOP}\ndef f(): return [object.__new__(Item)]"))
    assert outcome.status is Status.RE
    assert "$[0]: unsupported value of type main.Item in the returned" in outcome.feedback


WATCHED = """
from collections import Counter
from dataclasses import dataclass
from enum import Enum, EnumType

RAN = []

class Meta(type):
    def __hash__(cls):
        RAN.append("hash of the class")
        return 1
    def __eq__(cls, other):
        RAN.append("== of the class")
        return cls is other
    @property
    def __mro__(cls):
        RAN.append("mro")
        return cls, object

@dataclass
class Item(metaclass=Meta):
    price: int

    def __getattribute__(self, name):
        RAN.append(name)
        return object.__getattribute__(self, name)

    def __getattr__(self, name):
        RAN.append(name)
        raise AttributeError(name)

def noted(self, *args):
    RAN.append("Counter")
    dict.__init__(self)

def asked(cls, value):
    RAN.append("is it an enum")
    return type.__instancecheck__(cls, value)

Counter.__init__ = noted
EnumType.__instancecheck__ = asked
del RAN[:]

def f(items, kinds, *others):
    return RAN[:]
"""


@pytest.mark.parametrize("count", [1, 40])
def test_reading_a_value_of_a_class_runs_no_code_of_the_program(
    jail: ForkServer, count: int
) -> None:
    """It would be work that nobody is charged for: before a call, or after it."""
    items = [WireRecord("main", "Item", ("price",), (n,)) for n in range(count)]
    kinds = {f"k{n}": n for n in range(200)}
    inputs = [(items, kinds, items[0])] * 3
    assert values(jail.run(call(WATCHED, *inputs, load_apart=True))) == [[], [], []]


FLAGS = """
from enum import Flag, IntFlag

class Right(Flag):
    READ = 1
    WRITE = 2

class Bits(IntFlag):
    LOW = 1
    HIGH = 2

def f(one, name):
    kind = type(one)
    return one is kind(one.value), repr(one)
"""


@pytest.mark.parametrize(
    ("enum", "number", "shown"),
    [
        ("Right", 3, "<Right.READ|WRITE: 3>"),
        ("Right", 0, "<Right: 0>"),
        ("Bits", 3, "<Bits.LOW|HIGH: 3>"),
        ("Bits", 8, "<Bits: 8>"),
        ("Bits", 9, "<Bits.LOW|8: 9>"),
    ],
)
def test_a_combination_of_flags_is_the_one_that_the_enum_makes(
    jail: ForkServer, enum: str, number: int, shown: str
) -> None:
    given = RecordMember("main", enum, str(number))
    assert values(jail.run(call(FLAGS, (given, "")))) == [(True, shown)]


def test_bits_that_a_flag_has_not_are_refused(jail: ForkServer) -> None:
    outcome = jail.run(call(FLAGS, (RecordMember("main", "Right", "12"), "")))
    assert "Right of main has no 12" in outcome.feedback


TWINS = """
import sys
from dataclasses import dataclass
from types import ModuleType

models = sys.modules["models"] = ModuleType("models")
exec('''
from dataclasses import dataclass

@dataclass
class Item:
    price: int

    def told(self):
        return "theirs"
{}
''', vars(models))

@dataclass
class Item:
    price: int

    def told(self):
        return "own"

def f(item):
    return item.told()
"""


@pytest.mark.parametrize(
    ("more", "told"),
    [
        pytest.param("", "theirs", id="a-class-of-another-module"),
        pytest.param("def f(item): pass", "own", id="a-version-of-this-one"),
    ],
)
def test_of_two_classes_of_a_name_the_right_one_is_given(
    jail: ForkServer, more: str, told: str
) -> None:
    given = WireRecord("models", "Item", ("price",), (3,))
    assert values(jail.run(call(TWINS.format(more), (given,)))) == [told]
