"""Recorded calls that are too short to measure: others like them are measured besides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from se_agent import wire
from se_agent.problem.model import RUN_INPUTS, Expr
from se_agent.user_function.filling import filled
from se_agent.user_function.function import find
from se_agent.user_function.inputs import SHARES, source
from se_agent.user_function.jail_calls import Caller
from se_agent.user_function.plan import plan
from se_agent.user_function.site import access
from se_agent.user_function.survey import Survey
from se_agent.user_function.task import to_optimize
from tests.user_function.jails import OpenJail

ENOUGH = 0.02
TOOLS = """\
def f(n):
    if n % 10 == 3: raise ValueError("three")
    return n
def cost(n):
    return {cost}
"""


def counting(seen: Sequence[bytes], text: str, name: str) -> Iterator[bytes]:
    """Make up the next numbers, for a while."""
    assert f"def {name}(n)" in text
    last = max(wire.loads(data)[0] for data in seen)
    return (wire.dumps((n,)) for n in range(last + 1, last + 10_000))


def around(seen: Sequence[bytes], text: str, name: str) -> Iterator[bytes]:
    """Make numbers up from far below those seen to far above them, in turn."""
    del text, name
    known = {wire.loads(data)[0] for data in seen}
    turns = (sign * n for n in range(1, 200) for sign in (-1, 1))
    return (wire.dumps((n,)) for n in turns if n not in known)


def given_up(found: Survey) -> Sequence[bytes]:
    """Return the inputs that were made up."""
    source = found.source
    numbers = range(source.recorded, source.recorded + source.made_up)
    return found.made([Expr(code=f"_recorded({n})") for n in numbers])


@pytest.fixture
def surveyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "cases.py").write_text("def listed(): yield (1,)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def survey(
    place: Path, calls: int, cost: str, generator: str = "", examples: tuple[str, ...] = ()
) -> Survey:
    (place / "tools.py").write_text(TOOLS.format(cost=cost), encoding="utf-8")
    target = find(f"{place / 'tools.py'}:f")
    recorded = [wire.dumps((n,)) for n in range(calls)]
    given = source(target, generator, examples, recorded)
    return Survey(Caller(OpenJail(), target), given)


@pytest.mark.tier("runs")
def test_runs_have_as_many_as_they_may_answer(surveyed: Path) -> None:
    found = filled(survey(surveyed, 10, "1e-6"), counting, enough=ENOUGH)
    assert found.source.made_up == SHARES * RUN_INPUTS - 10
    made = plan(found, split=True)
    search, final = ([e.code for e in part] for part in (made.ladder.search, made.ladder.final))
    assert (len(search), len(final)) == (RUN_INPUTS, (SHARES - 1) * RUN_INPUTS)
    assert not {*search} & {*final}
    assert [case.name for case in made.cases] == [f"recorded call {n}" for n in range(10)]
    assert made.distinct == 10
    assert made.notes[-1].startswith(
        "The tests' inputs are small, a call takes less than 10 us: "
    )
    assert made.notes[-2].startswith(
        "4086 of the measured inputs are made up, for the tests make only 10 recorded calls, "
    )


@pytest.mark.tier("runs")
@pytest.mark.parametrize("cost", ["5e-4", "n * 1e-6"])
def test_fewer_where_these_take_long_enough(surveyed: Path, cost: str) -> None:
    found = filled(survey(surveyed, 5, cost), counting, enough=ENOUGH)
    look = Caller(OpenJail(), found.caller.target).look(
        found.made([*plan(found, split=False).ladder.final])
    )
    assert 10 * ENOUGH < look.seconds < 40 * ENOUGH


def test_how_many_were_made_up_is_told_where_they_are_too_small(surveyed: Path) -> None:
    alone = survey(surveyed, 5, "1e-6")
    given = filled(alone, around, enough=ENOUGH)
    generated = survey(surveyed, 5, "1e-6", generator="cases.py:listed")
    waiting = replace(alone, caller=replace(alone.caller, may_wait=True))
    advice = "add --inputs MODULE:GENERATOR or --example with larger inputs"
    made = f"; made up like theirs: {given.source.made_up} inputs, none larger)"
    none = ", and no input like theirs could be made up)"
    for one, told in (
        (given, f" (the tests make 5 distinct calls{made}"),
        (alone, f" (the tests make 5 distinct calls{none}"),
        (generated, ""),
        (waiting, ""),
    ):
        problem = to_optimize(one.caller.target, one, plan(one, split=True), access([], ""))
        assert problem.terms.larger == advice + told


def test_calls_that_take_no_time_are_not_told_as_none(surveyed: Path) -> None:
    made = plan(survey(surveyed, 5, "0"), split=True)
    told = "The tests' inputs are small, a call takes too little to be told: "
    assert made.notes[-1].startswith(told)


def test_answers_of_all_fit_together(surveyed: Path) -> None:
    given = survey(surveyed, 5, "1e-6")
    text = TOOLS.format(cost="1e-6").replace("return n\n", "return 'x' * 50_000\n")
    (surveyed / "tools.py").write_text(text, encoding="utf-8")
    target = find(f"{surveyed / 'tools.py'}:f")
    given = Survey(Caller(OpenJail(), target), given.source)
    found = filled(given, counting, enough=ENOUGH)
    assert 100 < found.source.made_up < 1000
    plan(found, split=True)


@pytest.mark.tier("runs")
def test_those_on_which_it_raises_are_left_out(surveyed: Path) -> None:
    found = filled(survey(surveyed, 5, "1e-4"), counting, enough=ENOUGH)
    exprs = [case.input for case in plan(found, split=False).cases]
    assert len(exprs) == 5  # recorded ones stay, those that raise included
    inputs = found.made([*plan(found, split=False).ladder.final])
    assert [data for data in inputs if wire.loads(data)[0] % 10 == 3] == [wire.dumps((3,))]


@pytest.mark.parametrize(
    ("answers", "usual"),
    [
        pytest.param("n", lambda n: n > 0, id="a sign"),
        pytest.param("None if n > 60 else n", lambda n: 0 < n <= 60, id="none"),
        pytest.param("[0] * (n < 60)", lambda n: n < 60, id="empty"),
        pytest.param("n > 60", lambda n: n <= 60, id="a truth"),
        pytest.param("str(n) if n % 2 else n", lambda n: True, id="both kinds were there"),
    ],
)
def test_answers_of_other_kinds_than_recorded_ones_are_of_other_work(
    surveyed: Path, answers: str, usual: Callable[[int], bool]
) -> None:
    given = survey(surveyed, 30, "1e-6")
    text = TOOLS.replace("return n\n", f"return {answers}\n").format(cost="1e-6")
    (surveyed / "tools.py").write_text(text, encoding="utf-8")
    given = Survey(Caller(OpenJail(), find(f"{surveyed / 'tools.py'}:f")), given.source)
    kept = filled(given, around, enough=ENOUGH)
    numbers = [wire.loads(data)[0] for data in given_up(kept)]
    assert len(numbers) > 5
    assert all(map(usual, numbers))


def test_a_rare_kind_of_answer_does_not_become_a_common_one(surveyed: Path) -> None:
    given = survey(surveyed, 20, "1e-6")
    text = TOOLS.replace("return n\n", "return None if n > 18 else n\n").format(cost="1e-6")
    (surveyed / "tools.py").write_text(text, encoding="utf-8")
    given = Survey(Caller(OpenJail(), find(f"{surveyed / 'tools.py'}:f")), given.source)
    numbers = [wire.loads(data)[0] for data in given_up(filled(given, around, enough=ENOUGH))]
    rare = sum(n > 18 for n in numbers)
    assert 0 < rare <= 1 + 2 / 18 * len(numbers)


def test_loading_a_module_is_not_charged_to_the_calls(surveyed: Path) -> None:
    given = survey(surveyed, 5, "1e-6")
    slow = Caller(OpenJail(loading=0.4), given.caller.target)
    assert filled(Survey(slow, given.source), around, enough=ENOUGH).source.made_up > 50


@pytest.mark.tier("runs")
def test_a_call_that_does_not_end_costs_its_batch(surveyed: Path) -> None:
    for cost in ("99", "0.4"):  # or takes much longer than all others together
        given = survey(surveyed, 5, f"{cost} if n == 50 else 1e-6")
        found = filled(given, counting, enough=ENOUGH)
        inputs = found.made([*plan(found, split=False).ladder.final])
        numbers = {wire.loads(data)[0] for data in inputs}
        assert 50 not in numbers
        assert 1000 in numbers


def test_where_none_comes_to_an_end_nobody_goes_on(surveyed: Path) -> None:
    asked = list[bytes]()

    def noted(seen: Sequence[bytes], text: str, name: str) -> Iterator[bytes]:
        for data in counting(seen, text, name):
            asked.append(data)
            yield data

    short = survey(surveyed, 5, "99 if n > 4 else 1e-6")
    assert filled(short, noted, enough=ENOUGH) == short
    assert len(asked) < 1000


@pytest.mark.parametrize(
    ("calls", "cost", "generator"),
    [(10, "1e-3", ""), (400, "1e-4", ""), (10, "1e-6", "cases.py:listed")],
    ids=["long calls", "many calls", "a generator"],
)
def test_where_they_take_long_enough_none_is_made_up(
    surveyed: Path, calls: int, cost: str, generator: str
) -> None:
    given = survey(surveyed, calls, cost, generator)
    assert filled(given, counting, enough=ENOUGH) == given


def test_an_example_is_measured_by_itself(surveyed: Path) -> None:
    given = survey(surveyed, 3, "0.1 if n > 50 else 1e-6", examples=("f(99)",))
    assert filled(given, counting, enough=ENOUGH) == given
