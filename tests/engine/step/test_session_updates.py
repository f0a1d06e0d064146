"""What steps add to session memory: from replies by role, and from what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.chat.messages import Message, Role
from se_agent.engine.run.replay import replay
from se_agent.engine.run.session_rollback import session_versions
from se_agent.engine.run.start import start
from se_agent.engine.step.session_updates import GIVEN_UP, constraint, joined, template_of
from se_agent.events import Challenged, Event, Learned
from se_agent.memory.session.entries import add_decision
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Calls, Counterexample, Evaluation, FailedCase, Status
from se_agent.values.session import NOTHING_AGREED, SessionMemory, SessionUpdates
from se_agent.values.step import Proposal, Slot
from se_agent.values.view import View
from tests.engine.challengers import Doubter
from tests.engine.runs import events_of
from tests.engine.talking import Mutating, Mutation, Planner, asked, spoken
from tests.fakes import number_problem, number_run


class Talkative(Mutation):
    """Takes the last line of a reply for the program."""

    name = "tests.engine.step.test_session_updates:Talkative"

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        return super().parse(reply.rstrip().rpartition("\n")[2], brief)


class Mending(Talkative):
    """Mends a program that failed, and says what it is told of session memory."""

    name = "tests.engine.step.test_session_updates:Mending"
    role = Role.REPAIR
    heard: list[SessionMemory] = []  # noqa: RUF012 - read by the test that runs it

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        Mending.heard.append(brief.session)
        return super().parse(reply, brief)


class Talking(Mutating):
    """Has the best program changed, and mends what failed."""

    _operators = (Talkative.name, Talkative.name)

    def ask(self, view: View) -> Slot | None:
        if view.failures:
            failed = view.failures[-1].solution
            return view.fill(view.best.solution, operator=Mending.name, subject=failed.id)
        return super().ask(view)


def updates(events: list[Event]) -> list[SessionUpdates]:
    found = (event.session_updates for event in events if isinstance(event, Learned))
    return [one for one in found if one is not None]


def talked(results: Path, *replies: str, **changes: object) -> list[Event]:
    kit = {"operators": [Talkative.name, Mending.name], "policy": f"{__name__}:Talking"}
    return spoken(results, *replies, **(kit | changes))


@pytest.mark.row("HS-07", "HS-09", "LF-50")
def test_the_tags_of_a_reply_are_kept_as_far_as_its_role_may(tmp_path: Path) -> None:
    reply = (
        '<decision reason="fast">count</decision>\n<api_constraint>odd</api_constraint>\nx = 8'
    )
    events = talked(tmp_path, reply, "x = 9")
    (first, *_) = updates(events)
    assert [(d.decision, d.source, d.iteration) for d in first.decisions] == [
        ("count", Role.MUTATE, 1)
    ]
    assert first.api_constraints == (), "who writes programs writes no constraints"
    versions = session_versions(tmp_path / "run", events)
    assert [one.decision for one in versions[-1].memory.decisions] == ["count"]


def test_no_tag_is_read_where_that_is_switched_off(tmp_path: Path) -> None:
    memory = {"prior": False, "session": {"tags": False}}
    said = updates(talked(tmp_path, "<decision>count</decision>\nx = 8", memory=memory))
    assert not any(one.decisions for one in said)


def test_nothing_is_kept_where_session_memory_is_off(tmp_path: Path) -> None:
    memory = {"prior": False, "session": {"enabled": False}}
    assert updates(talked(tmp_path, "<decision>count</decision>\nx = 8", memory=memory)) == []


def test_a_plan_has_tags_too(tmp_path: Path) -> None:
    kit = {
        "operators": [Planner.name, Mutation.name],
        "policy": "tests.engine.talking:PlanFirst",
    }
    events = spoken(tmp_path, "<decision>alpha</decision>", "x = 8", **kit)
    (first, *_) = updates(events)
    assert first.decisions[0].source == Role.PLAN


@pytest.mark.tier("runs")
@pytest.mark.row("LF-44")
def test_an_input_that_refuted_a_champion_is_a_constraint_that_was_found_true(
    tmp_path: Path,
) -> None:
    result = start(
        number_run(tmp_path, budget={"evaluations": 18}),
        problem=number_problem(timed=True),
        evaluators=lambda p, c: Doubter(),
    )
    events = events_of(result)
    refuted = [e for e in events if isinstance(e, Challenged) and e.hunt.found and e.slot >= 0]
    found = [c for one in updates(events) for c in one.api_constraints]
    assert len(found) == len(refuted) > 0
    assert all(c.binding and c.source == "evaluator" for c in found)
    assert found[0].constraint.startswith("answers odd for (5,), when it is asked again, not ")
    failed = [f for one in updates(events) for f in one.failure_analyses]
    assert {one.template for one in failed} == {"wrong answer"}
    assert replay(Path(result.run)).differences == ()


@pytest.mark.row("LF-47", "HS-37")
def test_what_mended_a_program_is_a_fix_that_was_found_true_and_the_next_one_reads_it(
    tmp_path: Path,
) -> None:
    Mending.heard.clear()
    events = talked(tmp_path, "x = 7", "x = 9", "x = 11", "x = 13", "x = 16")
    fixes = [fix for one in updates(events) for fix in one.known_fixes]
    assert [fix.solution for fix in fixes[:2]] == ["Say x = 9", "Say x = 11"]
    assert all(fix.verified and fix.source == Mending.name for fix in fixes)
    assert {fix.error_pattern for fix in fixes} == {"wrong answer"}
    assert not [fix for fix in Mending.heard[0].known_fixes if fix.verified]
    assert fixes[0] in [fix for heard in Mending.heard for fix in heard.known_fixes]


def case(**changes: object) -> Counterexample:
    failed = FailedCase(name="c", expected="[]", got="None", input="f([])")
    return Counterexample(arguments="[]", failed=failed, **changes)  # type: ignore[arg-type]


def test_a_constraint_says_what_the_input_asks_for() -> None:
    assert constraint(case(), 3).constraint == "answers [] for f([]), not None"
    again = constraint(case(calls=Calls.REPEATED), 3)
    assert again.constraint == "answers [] for f([]), when it is asked again, not None"
    assert (again.binding, again.iteration) == (True, 3)


@pytest.mark.parametrize(
    ("status", "feedback", "template"),
    [
        (Status.RE, "NameError: name 'x' is not defined", "NameError: name <*> is not defined"),
        (Status.WA, "f([]): expected [], got None", "wrong answer"),
        (Status.TLE, "", "time limit exceeded"),
        (Status.CE, "", "CE"),
    ],
)
def test_a_failure_has_the_template_of_what_it_says_or_how_it_ended(
    status: Status, feedback: str, template: str
) -> None:
    assert template_of(Evaluation(status=status, feedback=feedback)) == template


def test_several_updates_are_joined_in_their_order() -> None:
    one = add_decision(None, "a", "", "plan").decisions
    two = add_decision(None, "b", "", "plan").decisions
    found = joined([SessionUpdates(decisions=one, dropped=1), SessionUpdates(decisions=two)])
    assert ([d.decision for d in found.decisions], found.dropped) == (["a", "b"], 1)
    assert joined([]).empty


def test_a_strategy_without_a_gain_is_given_up_once_and_why(tmp_path: Path) -> None:
    class_name = "tests.engine.step.test_session_updates:Following"
    events = spoken(
        tmp_path,
        "alpha",
        *(f"x = {n}" for n in range(7, 49, 7)),
        operators=[Planner.name, Mutation.name],
        policy=class_name,
    )
    said = [d for one in updates(events) for d in one.decisions]
    assert [d.decision for d in said] == ["Give up the strategy: alpha"]
    assert said[0].source == "supervisor"
    assert said[0].reason.startswith(f"{GIVEN_UP} tries without a proven gain")


class Following(Mutating):
    """Plans, then follows the first strategy."""

    def ask(self, view: View) -> Slot | None:
        if not view.strategies:
            return view.fill(view.best.solution, operator=Planner.name)
        name = view.strategies[0].name
        return view.fill(view.best.solution, operator=Mutation.name, strategy=name)


def test_a_run_without_memory_agrees_on_nothing(tmp_path: Path) -> None:
    events = talked(tmp_path, "<decision>a</decision>\nx = 8", memory={"enabled": False})
    assert updates(events) == []
    assert session_versions(tmp_path / "run", events)[-1].memory == NOTHING_AGREED


class Recalling(Talkative):
    """Shows all that memory says, and how to answer."""

    name = "tests.engine.step.test_session_updates:Recalling"
    role = Role.REPAIR

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        text = f"{brief.memory.text}\n{brief.memory.footer}"
        return Message("system", text), Message("user", brief.problem)


class Recall(Mutating):
    """Has the best program changed by who shows memory."""

    _operators = (Recalling.name, Recalling.name)


@pytest.mark.tier("runs")
@pytest.mark.row("HS-02", "HS-09")
@pytest.mark.parametrize("shown", [True, False])
def test_what_one_reply_says_the_next_one_is_shown_if_it_is_shown_at_all(
    tmp_path: Path, shown: bool
) -> None:
    first = '<api_constraint confidence="high">sizes are odd</api_constraint>\nx = 1'
    events = talked(
        tmp_path,
        first,
        *(f"x = {n}" for n in range(2, 9)),
        operators=[Recalling.name],
        policy=f"{__name__}:Recall",
        memory={"prior": False, "session": {"shown": shown}},
    )
    systems = [messages[0].content for messages in asked]
    assert "sizes are odd" not in systems[0]
    later = [text for text in systems[1:] if "- [MEDIUM] sizes are odd\n" in text]
    assert bool(later) is shown
    for text in later:
        assert text.index("## Memory of this run") < text.index("## What this run agrees on")
        assert text.index("## What this run agrees on") < text.index("<known_fix error=")
    assert replay(tmp_path / "run").differences == ()
    assert updates(events)[0].api_constraints[0].confidence == "medium"


def test_a_strategy_that_gains_after_it_was_given_up_is_taken_up_again(tmp_path: Path) -> None:
    events = spoken(
        tmp_path,
        "alpha",
        *(f"x = {n}" for n in (7, 14, 21, 28, 35, 2, 1)),
        operators=[Planner.name, Mutation.name],
        policy=f"{__name__}:Following",
    )
    said = [d.decision for one in updates(events) for d in one.decisions]
    assert said == ["Give up the strategy: alpha", "Take up again the strategy: alpha"]
