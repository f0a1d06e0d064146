"""The winner loses what it does not need, and nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.engine.step.minimise import spread_of
from se_agent.errors import SandboxError
from se_agent.events import BlockMeasured, Confirmed, Evaluated, SearchEnded, Trimmed
from se_agent.stats.sequential import Z_YES
from se_agent.values.brief import Brief
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.solution import Edit
from se_agent.values.step import Proposal
from tests.engine.runs import CrashAt, events_of, factory, ran
from tests.fakes import number, number_problem, number_run, solution


class Leap:
    """Makes several edits at once: each adds a number."""

    name = "tests.engine.step.test_minimise:Leap"
    arity = 1
    by: tuple[int, ...] = (1000, 3)

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the initial program with all edits."""
        (parent,) = brief.slot.parents
        return None if parent.edits else self.made(brief, self.by)

    def made(self, brief: Brief, numbers: tuple[int, ...]) -> Proposal | None:
        """Return the initial program with the edits of these numbers, once."""
        (parent,) = brief.slot.parents
        edits = tuple(
            Edit(rule=self.name, function="f", node="0", parameters=(("by", str(n)),))
            for n in numbers
        )
        start = number(parent) - sum(int(dict(edit.parameters)["by"]) for edit in parent.edits)
        files = {"main.py": f"x = {start + sum(numbers)}"}
        base = parent.base or parent.id
        child = brief.child(files, operator=self.name, base=base, edits=edits)
        return None if child.content in brief.tried else Proposal(solution=child, direction="L")

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str]:
        """Add the number of one edit."""
        by = int(dict(edit.parameters)["by"])
        return {"main.py": f"x = {number(solution(files['main.py'])) + by}"}


class Needed(Leap):
    """Both of its edits bring something."""

    name = "tests.engine.step.test_minimise:Needed"
    by = (100, 1000)


class Wrong(Leap):
    """Without its small edit it is wrong: 1001 is a multiple of seven."""

    name = "tests.engine.step.test_minimise:Wrong"
    by = (1001, 2)


class Many(Leap):
    """Two of its three edits bring nothing."""

    name = "tests.engine.step.test_minimise:Many"
    by = (2, 1000, 3)


class Eight(Leap):
    """Seven of its eight edits bring nothing."""

    name = "tests.engine.step.test_minimise:Eight"
    by = (1, 100_000, 3, 4, 5, 6, 7, 8)


class Again(Leap):
    """Makes both edits, and then the first one alone: right, and no gain over both."""

    name = "tests.engine.step.test_minimise:Again"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the initial program with all edits, or with the first one alone."""
        (parent,) = brief.slot.parents
        return self.made(brief, self.by[:1] if parent.edits else self.by)


class Twice(Leap):
    """Makes one edit twice: two places were alike, and the second one became the first."""

    name = "tests.engine.step.test_minimise:Twice"
    by = (1000, 2, 2)


class Idle(Leap):
    """One of its edits does nothing."""

    name = "tests.engine.step.test_minimise:Idle"
    by = (1000, 0)


class Chain(Leap):
    """Makes one edit after the other, both gains."""

    name = "tests.engine.step.test_minimise:Chain"
    by = (100, 1000)

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the parent with its next edit."""
        (parent,) = brief.slot.parents
        return self.made(brief, self.by[: len(parent.edits) + 1])


START = "x = 0\n# one\n# two\n# three\n"


class Writer:
    """Writes a program of its own: of its three changes one brings all that counts."""

    name = "tests.engine.step.test_minimise:Writer"
    arity = 1
    text = "x = 2\n# one\nx += 1000\n# two\n# three\nx += 3\n"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the text, once."""
        child = brief.child({"main.py": self.text}, operator=self.name)
        if child.content in brief.tried:
            return None
        return Proposal(solution=child, direction="Write another")


class Leaving(Writer):
    """Writes a program that has no use any more for most of what it brings along."""

    name = "tests.engine.step.test_minimise:Leaving"
    text = (
        "import json\nfrom math import pi, tau\n\nTABLE = 0\n\n\n"
        "def open_session():\n    return TABLE, json\n\n\nx = 1000\n"
        "print(tau)  # not open_session()\n# one\n# two\n# three\n"
    )


def written(results: Path, *operators: str) -> Result:
    return start(
        number_run(results, operators=[Writer.name, *operators]),
        problem=replace(number_problem(timed=True), programs={"initial": START}),
        evaluators=factory(ComparisonKind.TIMED),
    )


def leapt(results: Path, operator: type[Leap], *, timed: bool = True) -> Result:
    return ran(results, timed=timed, operators=[operator.name])


def trials(result: Result) -> list[Trimmed]:
    return [event for event in events_of(result) if isinstance(event, Trimmed)]


def numbers(trial: Trimmed) -> str:
    """Return what the edits of a trial add, in the order in which they were left out."""
    return " ".join(dict(edit.parameters)["by"] for edit in trial.group)


def confirmed(result: Result) -> str:
    (event,) = (event for event in events_of(result) if isinstance(event, Confirmed))
    return event.solution


@pytest.mark.parametrize(
    ("operator", "dropped"),
    [
        pytest.param(Leap, {"3": True}, id="one brings nothing; the last one is the gain"),
        pytest.param(Needed, {"1000": False, "100": False}, id="both are needed"),
        pytest.param(Wrong, {"2": False, "1001": False}, id="wrong without it"),
        pytest.param(Many, {"3": True, "1000": False, "2": True}, id="two bring nothing"),
        pytest.param(Twice, {"2": True}, id="one that was made twice"),
        pytest.param(
            Eight,
            {**dict.fromkeys("876543", True), "100000": False, "1": True},
            id="seven of eight bring nothing",
        ),
    ],
)
def test_what_brings_nothing_is_dropped(
    tmp_path: Path, operator: type[Leap], dropped: dict[str, bool]
) -> None:
    """One by one: most edits stay, and groups of them would be tried for nothing."""
    result = leapt(tmp_path, operator)
    found = trials(result)
    assert {numbers(one): one.dropped for one in found} == dropped
    assert result.status == "proven"
    kept = [one.solution.id for one in found if one.dropped]
    assert confirmed(result) == (kept[-1] if kept else "Gen1_Sol_0")
    assert all(len(one.solution.edits) < len(operator.by) for one in found)


def test_a_run_that_shall_not_trim_confirms_what_the_search_found(tmp_path: Path) -> None:
    result = ran(tmp_path, operators=[Leap.name], trim=False)
    assert result.status == "proven"
    assert trials(result) == []
    assert confirmed(result) == "Gen1_Sol_0"


def test_what_was_no_gain_for_the_search_may_be_no_loss(tmp_path: Path) -> None:
    result = leapt(tmp_path, Again)
    found = trials(result)
    assert [(number(one.solution), one.dropped) for one in found] == [(1000, True)]
    assert result.evaluations == 2
    assert confirmed(result) == found[0].solution.id


@pytest.mark.parametrize(
    ("operator", "tried"),
    [
        pytest.param(Idle, [], id="the champion itself, and the initial program"),
        pytest.param(Chain, [1000], id="the parent that it has a gain over"),
    ],
)
def test_what_the_champion_is_known_to_be_as_good_as_is_not_tried(
    tmp_path: Path, operator: type[Leap], tried: list[int]
) -> None:
    assert [number(one.solution) for one in trials(leapt(tmp_path, operator))] == tried


def test_of_what_a_model_wrote_the_needless_parts_are_dropped(tmp_path: Path) -> None:
    result = written(tmp_path)
    found = trials(result)
    assert [(len(one.group), one.dropped) for one in found] == [
        (2, False),
        (1, True),
        (1, True),
    ]
    assert {edit.rule for one in found for edit in one.group} == {"change"}
    assert result.status == "proven"
    kept = [one.solution for one in found if one.dropped][-1]
    assert kept.text == "x = 0\n# one\nx += 1000\n# two\n# three\n"
    assert confirmed(result) == kept.id


def test_what_nothing_uses_any_more_is_taken_out(tmp_path: Path) -> None:
    result = start(
        number_run(tmp_path, operators=[Leaving.name]),
        problem=replace(number_problem(timed=True), programs={"initial": START}),
        evaluators=factory(ComparisonKind.TIMED),
    )
    events = events_of(result)
    first, *_ = [event for event in events if isinstance(event, Trimmed)]
    assert (first.edit.rule, first.dropped) == ("unused", True)
    assert dict(first.edit.parameters)["names"] == "pi, open_session, json, TABLE"
    assert first.solution.text == (
        "from math import tau\n\nx = 1000\n"
        "print(tau)  # not open_session()\n# one\n# two\n# three\n"
    )
    measured = [e for e in events if isinstance(e, BlockMeasured) and e.slot == first.slot]
    assert measured == [], "it takes no time, so there is nothing to compare"
    assert all("def open_session" not in one.solution.text for one in trials(result))
    assert replay(Path(result.run)).differences == ()


def test_a_run_of_before_is_trimmed_as_it_began(tmp_path: Path) -> None:
    """Then edits were left out one by one, and what nothing used stayed."""
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path, operators=[Many.name]),
            problem=number_problem(timed=True),
            evaluators=factory(ComparisonKind.TIMED),
            listeners=[After("search_ended")],
        )
    with closing(sqlite3.connect(tmp_path / "run" / "run.db")) as db, db:
        db.execute("DROP TRIGGER no_update")
        now, before = '"trims_in_groups":true', '"trims_in_groups":false'
        db.execute("UPDATE events SET body = replace(body, ?, ?)", (now, before))
    result = resume(tmp_path / "run", evaluators=factory(ComparisonKind.TIMED))
    found = {numbers(one): one.dropped for one in trials(result)}
    assert found == {"3": True, "1000": False, "2": True}
    assert replay(Path(result.run)).differences == ()


def test_every_point_of_a_score_counts(tmp_path: Path) -> None:
    result = leapt(tmp_path, Leap, timed=False)
    assert [one.dropped for one in trials(result)] == [False, False]
    assert result.score == 1003.0


def test_a_search_counts_its_own_evaluations(tmp_path: Path) -> None:
    result = leapt(tmp_path, Many)
    ran_on_tests = [e for e in events_of(result) if isinstance(e, Evaluated)]
    assert result.evaluations == 1
    assert len(ran_on_tests) == 4


def test_it_can_be_replayed(tmp_path: Path) -> None:
    found = replay(Path(leapt(tmp_path, Many).run))
    assert found.complete
    assert found.differences == ()


class After(CrashAt):
    """Breaks the run at an event of a kind, after the search."""

    def on_event(self, event: object) -> None:
        self.over = getattr(self, "over", False) or isinstance(event, SearchEnded)
        if self.over:
            super().on_event(event)  # type: ignore[arg-type]


@pytest.mark.tier("runs")
@pytest.mark.parametrize("operator", [Many, Twice, Again])
@pytest.mark.parametrize("kind", ["search_ended", "evaluated", "block_measured", "trimmed"])
def test_no_trial_is_made_twice(tmp_path: Path, kind: str, operator: type[Leap]) -> None:
    whole = leapt(tmp_path / "whole", operator)
    with pytest.raises(SandboxError, match="gave up"):
        start(
            number_run(tmp_path / "broken", operators=[operator.name]),
            problem=number_problem(timed=True),
            evaluators=factory(ComparisonKind.TIMED),
            listeners=[After(kind)],
        )
    again = resume(tmp_path / "broken" / "run", evaluators=factory(ComparisonKind.TIMED))
    first, second = (
        [line for line in canonical(events_of(result)) if '"config"' not in line]
        for result in (whole, again)
    )
    assert first == second


def test_an_interval_says_how_far_an_effect_scatters() -> None:
    assert spread_of(0.1 - 3 * Z_YES, 0.1 + 3 * Z_YES) == pytest.approx(3.0**2)
