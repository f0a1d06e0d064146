"""What a profile reports, read with care."""

from __future__ import annotations

import json
import sysconfig

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.errors import ProblemError
from se_agent.user_function.advisor.costs import (
    Cost,
    FunctionPlace,
    Owner,
    owner_of,
    read_costs,
    summed,
    total,
)
from se_agent.user_function.advisor.profiler import Profiler


def outer(n: int) -> int:
    """Hold a function."""

    def inner(k: int) -> int:
        return sum(i * i for i in range(k))

    return sum(inner(n) for _ in range(5))


def repeats(n: int) -> int:
    return repeats(n - 1) + 1 if n else 0


def profile(function: object, *arguments: object) -> object:
    watch = Profiler()
    watch.call(function, arguments)
    return watch.rows()


def test_functions_that_stand_in_another_one_are_part_of_it() -> None:
    costs = read_costs(profile(outer, 2000))
    mine = {place.name: cost for place, cost in costs.items() if place.file == __file__}
    assert set(mine) == {"outer"}
    assert mine["outer"].calls == 1
    assert mine["outer"].own == pytest.approx(total(costs), rel=0.2)
    assert mine["outer"].line == outer.__code__.co_firstlineno


def test_a_recursion_is_one_call_from_outside() -> None:
    (cost,) = [c for p, c in read_costs(profile(repeats, 50)).items() if p.name == "repeats"]
    assert cost.calls == 1
    assert cost.whole >= cost.own


def test_a_profile_that_crossed_as_json_reads_the_same() -> None:
    rows = profile(outer, 50)
    assert read_costs(json.loads(json.dumps(rows))) == read_costs(rows)


@pytest.mark.parametrize(
    "report",
    [
        pytest.param(None, id="nothing"),
        pytest.param([1], id="no-row"),
        pytest.param([("f", "g", 1, 1, 0.1, 0.1)], id="short"),
        pytest.param([("f", "g", -1, 1, 0.1, 0.1, [])], id="negative-line"),
        pytest.param([("f", "g", 1, 1, float("nan"), 0.1, [])], id="no-number"),
        pytest.param([("f", "g", 1, 1, 0.1, 0.1, [(7, 1, 0.1)])], id="callee-beyond"),
        pytest.param([("f", "g", 1, 1, 0.1, 0.1, [None])], id="no-callee"),
    ],
)
def test_what_is_no_profile_is_refused(report: object) -> None:
    with pytest.raises(ProblemError, match="the profile cannot be read"):
        read_costs(report)


@given(
    st.recursive(
        st.none() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=8) | st.tuples(inner, inner),
        max_leaves=20,
    )
)
def test_whatever_is_reported_is_costs_or_an_error_of_ours(report: object) -> None:
    try:
        costs = read_costs(report)
    except ProblemError:
        return
    assert total(costs) >= 0


@pytest.mark.parametrize(
    ("file", "owner"),
    [
        pytest.param("/work-of-mine/shop/stock.py", Owner.PROJECT, id="project"),
        pytest.param("/work-of-mine/use.py", Owner.WORKLOAD, id="workload"),
        pytest.param("/work-of-mine/tests/test_a.py", Owner.PROJECT, id="beside-the-workload"),
        pytest.param("/v/lib/python3.11/site-packages/p/a.py", Owner.PACKAGE, id="package"),
        pytest.param("/v/lib/python3.11/site-packages/pluggy/a.py", Owner.PYTHON, id="pytest"),
        pytest.param("/v/site-packages/pytest_cov/plugin.py", Owner.PYTHON, id="plugin"),
        pytest.param("/v/site-packages/p/_pytest_plugin.py", Owner.PYTHON, id="plugin-of-one"),
        pytest.param("/opt/lib/python3.12/re/_parser.py", Owner.PYTHON, id="another-python"),
        pytest.param(f"{sysconfig.get_path('stdlib')}/heapq.py", Owner.PYTHON, id="python"),
        pytest.param("<string>", Owner.PYTHON, id="made-while-it-ran"),
    ],
)
def test_code_has_an_owner(file: str, owner: Owner) -> None:
    assert owner_of(file, "/work-of-mine/use.py") is owner


def test_a_folder_of_tests_owns_what_is_in_it() -> None:
    assert owner_of("/p/tests/a/test_b.py", "/p/tests") is Owner.WORKLOAD
    assert owner_of("/p/tests_of/b.py", "/p/tests") is Owner.PROJECT


def test_profiles_add_up() -> None:
    one = {FunctionPlace("f", "g"): Cost(1, 2, 0.5, 0.75, {FunctionPlace("f", "h"): 0.25})}
    both = summed([one, one])
    assert both == {
        FunctionPlace("f", "g"): Cost(1, 4, 1.0, 1.5, {FunctionPlace("f", "h"): 0.5})
    }
