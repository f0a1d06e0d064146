"""What an operator that can read is told, and what each switch leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from se_agent.chat.messages import Message, Reply, RetryCheck, Role
from se_agent.config.sections import Endpoint, Prompt
from se_agent.engine.models.briefing import brief_of, for_reader, seen_in
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import start
from se_agent.engine.state.population import ELITE, Population
from se_agent.engine.state.search_context import SearchFindings
from se_agent.engine.state.state import State
from se_agent.events import GenerationOpened
from se_agent.problem.loading import load_problem
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Evaluation, FailedCase, Status
from se_agent.values.observation import Allocation, HotLine, Observation, Scaling
from se_agent.values.search_context import Failure, Strategy
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot, Step
from se_agent.values.view import Member, View
from tests.engine.challengers import Doubter
from tests.engine.journal.test_shares import started
from tests.engine.runs import events_of
from tests.engine.state.test_search_context import PARENT, made, planned, step, tell
from tests.fakes import Step1, number, number_problem, number_run

SEEN = Observation(
    hot=(HotLine(function="f", line=2, text="return sorted(xs)", share=0.9, hits=3),),
    allocations=(
        Allocation(function="f", line=2, text="return sorted(xs)", share=1.0, bytes=800),
    ),
    functions={"f": 1.0},
    scaling=Scaling(exponent=1.1, sizes=(10, 100), seconds=(0.001, 0.012)),
)


def whole() -> tuple[Brief, SearchFindings, Population]:
    """Return a brief for which there is something of everything."""
    known = planned("heap", "sieve")
    tell(known, made(1, strategy="heap"), 0.5, significant=True)
    tell(known, made(2, strategy="sieve"), 0.0)
    tell(known, made(3, strategy="sieve"), float("-inf"))
    known.tell(replace(step(made(1), None), duplicate_of="Gen1_Sol_1"), None)
    known.ledger["heap"] = replace(known.ledger["heap"], scaling=SEEN.scaling)
    population = Population.of(PARENT)
    population.best = Member(solution=made(1, strategy="heap"), effect=0.5)
    population.add(population.best)
    slot = Slot(
        number=4,
        generation=2,
        child="Gen2_Sol_0",
        parents=(PARENT,),
        operator="any",
        strategy="heap",
        subject="Gen1_Sol_3",
    )
    return Brief(problem="Sort.", slot=slot, observed=SEEN), known, population


def test_with_all_switches_on_everything_is_told() -> None:
    brief = for_reader(*whole(), Prompt())
    assert brief.observed == SEEN
    untold = [f.name for f in fields(brief.search) if not getattr(brief.search, f.name)]
    assert untold == ["guide"]  # which no switch of prompts is about
    assert len(brief.search.cards) == 2


@pytest.mark.parametrize(
    ("switch", "changed"),
    [
        pytest.param("contrast", {"cards"}, id="contrast"),
        pytest.param("diverse", {"diverse", "lead"}, id="diverse"),
        pytest.param("siblings", {"siblings"}, id="siblings"),
        pytest.param("cases", {"failure"}, id="cases"),
        pytest.param("profile", {"observed", "ledger"}, id="profile"),
    ],
)
def test_a_switch_leaves_out_what_it_names_and_nothing_else(
    switch: str, changed: set[str]
) -> None:
    told, less = (for_reader(*whole(), Prompt(**{switch: on})) for on in (True, False))
    names = {f.name for f in fields(Brief) if getattr(told, f.name) != getattr(less, f.name)}
    parts = [f.name for f in fields(told.search)]
    found = {p for p in parts if getattr(told.search, p) != getattr(less.search, p)}
    assert (names - {"search"}) | found == changed


def test_without_a_profile_the_ledger_has_the_rest() -> None:
    """`replan` is told how strategies fared, and not how they scale."""
    told, less = (
        for_reader(*whole(), Prompt(profile=on)).search.ledger for on in (True, False)
    )
    assert [record.scaling for record in told] == [SEEN.scaling, None]
    assert less == tuple(replace(record, scaling=None) for record in told)


@pytest.mark.parametrize(
    ("status", "feedback"),
    [
        pytest.param(Status.WA, "", id="words on a wrong answer are words on a case"),
        pytest.param(Status.RE, "ValueError on line 3", id="a traceback is not"),
    ],
)
def test_a_failure_without_its_cases(status: Status, feedback: str) -> None:
    brief, known, population = whole()
    failed = Evaluation(
        status=status,
        failing=(FailedCase(name="one", expected="1", got="2"),),
        feedback="ValueError on line 3",
    )
    known.failures = [replace(known.failures[0], evaluation=failed)]
    told = for_reader(brief, known, population, Prompt(cases=False)).search.failure
    assert told is not None
    assert told.solution.id == "Gen1_Sol_3"
    assert told.evaluation == Evaluation(status=status, feedback=feedback)


class TestSeenIn:
    def test_lines_have_the_numbers_of_the_program(self) -> None:
        later = made(1, text="import heapq\n\ndef f(xs):\n    return sorted(xs)\n")
        found = seen_in(SEEN, later)
        assert [(h.line, h.text) for h in found.hot] == [(4, "return sorted(xs)")]
        assert [a.line for a in found.allocations] == [4]
        assert found.scaling == SEEN.scaling

    def test_lines_that_are_gone_are_left_out_and_scaling_with_them(self) -> None:
        other = made(1, text="def f(xs):\n    xs.sort()\n    return xs\n")
        found = seen_in(SEEN, other)
        assert (found.hot, found.allocations, found.scaling) == ((), (), None)
        assert found.functions == SEEN.functions

    def test_a_line_that_could_be_two_is_neither(self) -> None:
        twice = made(1, text="def g(xs):\n  if xs:\n    return sorted(xs)\n  return sorted(xs)")
        assert seen_in(SEEN, twice).hot == ()


briefs: list[Brief] = []
views: list[View] = []


class Saying:
    """A model that answers with the number after the one that it is shown."""

    def __init__(self, endpoint: Endpoint) -> None:
        assert endpoint.name == "saying"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        return Reply(text=messages[-1].content)

    def close(self) -> None:
        """Nothing is under way."""


class Adding:
    """Asks for the next number that was not tried, and keeps its brief."""

    name = "tests.engine.models.test_briefing:Adding"
    role = Role.MUTATE
    arity = 1

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        briefs.append(brief)
        return (Message("user", f"x = {number(brief.slot.parents[0]) + 1}"),)

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        child = brief.child({"main.py": reply}, operator=self.name)
        return Proposal(solution=child, direction=reply)


class Turns:
    """Adds to the newest program, right or wrong, by a model and by a rule in turn."""

    def __init__(self, operators: Mapping[str, int], *, seed: int, **more: object) -> None:
        self._newest: Solution | None = None

    def ask(self, view: View) -> Slot | None:
        views.append(view)
        parent = view.members[0].solution
        subject = view.failures[-1].solution.id if view.failures else ""
        if view.slot % 4 == 3:
            return view.fill(parent, operator=Step1.name)
        strategy = "odd" if number(parent) % 2 else "even"
        return view.fill(parent, operator=Adding.name, strategy=strategy, subject=subject)

    def tell(self, step: Step) -> None:
        """Nothing is learned."""


def test_a_run_tells_its_model_what_it_knows_and_its_rules_nothing(tmp_path: Path) -> None:
    briefs.clear()
    views.clear()
    result = start(
        number_run(
            tmp_path,
            operators=[Adding.name, Step1.name],
            policy=f"{__name__}:Turns",
            generation_size=1,
            models={
                "main": {
                    "name": "saying",
                    "provider": "tests.engine.models.test_briefing:Saying",
                }
            },
        ),
        problem=number_problem(timed=True),
        evaluators=lambda p, c: Doubter(),
    )
    failed = [view.failures[-1] for view in views if view.failures]
    assert {f.solution.text for f in failed} == {"x = 5"}, "refuted by a search, not by a test"
    assert failed[0].evaluation.failing[0].expected == "odd"
    last = briefs[-1].search
    assert last.failure == failed[-1]
    assert last.strategy in (Strategy(name="odd"), Strategy(name="even"))
    assert last.cards[0].significant
    assert last.effects[0] > 0
    assert replay(Path(result.run)).differences == ()
    kinds = {event.kind for event in events_of(result)}
    assert "replied" in kinds


def test_the_parent_of_a_failure_stays_as_long_as_it_can_be_repaired() -> None:
    state = State(policy=Turns({}, seed=0), memory=None)
    state.apply(started({"cpu": 1.0}).model_copy(update={"initial": PARENT}))
    for n in range(2 * ELITE):
        state.populated.add(Member(solution=made(n), effect=float(n)))
    failed = replace(made(900), parents=("Gen1_Sol_3",))
    wrong = Evaluation(status=Status.WA)
    state.knowledge.failures = [Failure(solution=failed, evaluation=wrong)]
    state.apply(GenerationOpened(generation=2, size=1, cpu_seconds=0.0, wall_seconds=0.0))
    assert "Gen1_Sol_3" in state.populated.members
    assert "Gen1_Sol_4" not in state.populated.members


def test_a_reply_to_a_problem_whose_prelude_is_called_may_be_what_the_prelude_calls() -> None:
    problem = load_problem("bin_packing")
    parents, operator = (problem.initial(),), "rewriting"
    slot = Slot(number=0, generation=1, child="Gen1_Sol_0", parents=parents, operator=operator)
    assert brief_of(problem, number_run(Path()), slot).entry_point == "priority"
