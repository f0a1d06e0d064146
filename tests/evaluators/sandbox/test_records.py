"""Values of a program's own classes, as inputs and as answers of real processes."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from evaluators.sandbox.job import Outcome
from evaluators.sandbox.server import ForkServer
from se_agent.types import Status
from se_agent.wire import Member, Record, loads
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
ITEM = Record("candidate", "Item", ("price", "kind"), (3, Member("candidate", "Kind", "TOY")))


def test_an_answer_is_a_record(jail: ForkServer) -> None:
    program = f"{SHOP}\ndef f(n): return Total([Item(n)] * 2, n)"
    total: Any = values(jail.run(call(program, (3,))))[0]
    items, count = total
    assert ([*items], count) == ([ITEM, ITEM], 3)


@pytest.mark.parametrize("apart", [False, True])
def test_making_values_of_classes_is_told_apart(jail: ForkServer, *, apart: bool) -> None:
    """A candidate that declares its classes otherwise must not be faster by it."""

    def ran(count: int) -> Outcome:
        program = f"{SHOP}\ndef f(items): return len(items)"
        return jail.run(call(program, ([ITEM] * count,), ([ITEM] * count,), load_apart=apart))

    few, many = ran(1), ran(4000)
    assert (values(few), values(many)) == ([1, 1], [4000, 4000])
    made = many.giving_seconds - few.giving_seconds
    rest = (many.cpu_seconds - many.after_seconds) - (few.cpu_seconds - few.after_seconds)
    assert made > 0.8 * rest > 0
    assert many.loading_seconds < many.giving_seconds


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
    assert "$[0]: unsupported value of type candidate.Item in the returned" in outcome.feedback
