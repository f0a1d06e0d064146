"""The ranking of functions by what their work is worth."""

from __future__ import annotations

import pytest

from se_agent.user_function.advisor.costs import Cost, Costs, FunctionPlace
from se_agent.user_function.advisor.ranking import ranked, share_of_workload

FILE = "/p/mod.py"
LIBRARY = "/usr/lib/python3.11/re/__init__.py"
TEXT = """\
def wrapper(*args, **kwargs):
    return wrapped(*args, **kwargs)


def wrapped(values):
    return values
"""


def place(name: str, file: str = FILE) -> FunctionPlace:
    return FunctionPlace(file, name)


def names(*profiles: tuple[int | None, Costs], text: str | None = None) -> list[str]:
    return [one.name for one in ranked(profiles, used_by="/p/use.py", text_of=lambda _: text)]


def test_the_time_of_a_function_itself_counts() -> None:
    costs = {place("slow"): Cost(1, 1, 0.7, 0.7), place("quick"): Cost(9, 1, 0.3, 0.3)}
    assert names((None, costs)) == ["slow", "quick"]


def test_what_the_library_takes_is_of_who_calls_it() -> None:
    compile_, search = place("compile", LIBRARY), place("_search", LIBRARY)
    costs = {
        place("caller"): Cost(1, 1, 0.1, 0.9, {compile_: 0.6, search: 0.2}),
        place("other"): Cost(5, 1, 0.2, 0.4, {compile_: 0.2}),
        compile_: Cost(1, 9, 0.4, 0.8, {search: 0.4}),
        search: Cost(2, 9, 0.6, 0.6),
    }
    first, second = ranked([(None, costs)], text_of=lambda _: None)
    seconds = 0.1 + 0.2 + 0.4 + 0.6
    # A third of the searching was asked for directly, the rest by what both have compiled.
    direct, compiled = 0.6 / 3, 0.4 + 0.6 * 2 / 3
    assert first.name == "caller"
    assert first.own == pytest.approx((0.1 + direct + compiled * 3 / 4) / seconds)
    assert second.own == pytest.approx((0.2 + compiled / 4) / seconds)


def test_a_library_that_calls_itself_comes_to_an_end() -> None:
    again = place("walk", LIBRARY)
    costs = {
        place("caller"): Cost(1, 1, 0.1, 1.0, {again: 0.9}),
        again: Cost(1, 9, 0.9, 0.9, {again: 0.5}),
    }
    (only,) = ranked([(None, costs)], text_of=lambda _: None)
    assert only.own > 0.5


def _through(seconds: float) -> Costs:
    return {
        place("entry"): Cost(1, 1, 0.01 * seconds, seconds),
        place("a"): Cost(3, 9, 0.40 * seconds, 0.40 * seconds),
        place("b"): Cost(5, 9, 0.35 * seconds, 0.35 * seconds),
        place("c"): Cost(7, 9, 0.24 * seconds, 0.24 * seconds),
    }


def test_what_grows_faster_than_its_input_is_worth_another_algorithm() -> None:
    steep = [(size, _through(size**2 / 1e6)) for size in (100, 200, 400)]
    flat = [(size, _through(size / 1e4)) for size in (100, 200, 400)]
    assert names(*steep)[0] == "entry"
    assert names(*flat) == ["a", "b", "entry", "c"]
    found = {one.name: one for one in ranked(steep, text_of=lambda _: None)}
    assert found["entry"].growth == pytest.approx(2.0)


def test_what_hands_on_its_arguments_counts_by_its_own_time_alone() -> None:
    costs = {
        place("wrapper"): Cost(1, 9, 0.02, 1.0),
        place("wrapped"): Cost(5, 9, 0.1, 0.98),
        place("deep"): Cost(50, 9, 0.88, 0.88),
    }
    assert names((None, costs), text=TEXT) == ["deep", "wrapped", "wrapper"]


def test_only_what_may_be_changed_is_named() -> None:
    costs = {
        place("work", "/p/use.py"): Cost(1, 1, 0.5, 1.0),
        place("<module>"): Cost(1, 1, 0.2, 0.2),
        place("load", LIBRARY): Cost(1, 1, 0.2, 0.2),
        place("mine"): Cost(1, 1, 0.1, 0.1),
        place("tiny"): Cost(9, 1, 0.001, 0.001),
    }
    assert names((None, costs)) == ["mine"]
    assert share_of_workload(costs, "/p/use.py") == pytest.approx(0.5 / 1.001)


def test_nothing_is_named_where_nothing_was_seen() -> None:
    assert names() == []
    assert names((None, {})) == []
