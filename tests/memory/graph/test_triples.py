"""What journals give to the graph, by events of small made-up runs and of real ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from se_agent.chat.events import Replied
from se_agent.events import (
    Challenged,
    Evaluated,
    Event,
    Learned,
    Proposed,
    Selected,
    Started,
    dumps,
    loads,
)
from se_agent.memory.graph.ontology import JOINS, RelationType
from se_agent.memory.graph.shapes import Edge
from se_agent.memory.graph.triples import derived_of, error_entity
from se_agent.memory_events import Surveyed
from se_agent.program.features import content_address
from se_agent.values.evaluation import (
    Branch,
    Counterexample,
    Evaluation,
    FailedCase,
    Hunt,
    Measurement,
    Status,
    Verdict,
)
from se_agent.values.session import Header, SessionUpdates, SkeletonComponents
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal
from tests.finished import events as finished_events

INITIAL = "def solve(n):\n    return total(n)\n\n\ndef total(n):\n    return sum(range(n))\n"
BROKEN = INITIAL.replace("sum(range(n))", "n / 0")
FASTER = INITIAL.replace("sum(range(n))", "n * (n - 1) // 2")
SOLVE, TOTAL = "function:sums:main.py:solve", "function:sums:main.py:total"
RIGHT = Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.1))
WRONG = Evaluation(
    status=Status.RE,
    feedback="ZeroDivisionError: division by zero",
    failing=(FailedCase(name="case 1", expected="0", got="an error", input="solve(3)"),),
)
GAIN = Verdict(
    status=Status.AC,
    perf_diff=0.1,
    effect=0.7,
    interval=(0.5, 0.9),
    significant=True,
    branch=Branch.SUCCESS,
)
ERROR, _ = error_entity(WRONG)


def a_program(number: int, text: str, parent: int = 0, *, rule: str = "") -> Solution:
    edits = (Edit(rule=rule, function="total", node="0"),) if rule else ()
    return Solution(
        id=f"Gen1_Sol_{number}",
        files={"main.py": text},
        parents=(f"Gen1_Sol_{parent}",) if number else (),
        operator="mutation",
        edits=edits,
    )


@pytest.fixture(scope="module")
def started() -> Started:
    (found,) = (event for event in finished_events(timed=True) if isinstance(event, Started))
    return found.model_copy(update={"name": "sums", "initial": a_program(0, INITIAL)})


def a_step(
    slot: int,
    made: Solution,
    found: Evaluation,
    verdict: Verdict | None = None,
    subject: str = "",
) -> Iterator[Event]:
    (parent,) = made.parents
    yield Selected(
        slot=slot, child=made.id, parents=(parent,), operator=made.operator, subject=subject
    )
    yield Proposed(slot=slot, proposal=Proposal(solution=made, direction="Use a closed form"))
    content = content_address(made.files)
    yield Evaluated(slot=slot, solution=made.id, content=content, evaluation=found)
    best = made.id if verdict and verdict.significant else "Gen1_Sol_0"
    yield Learned(slot=slot, child=made.id, verdict=verdict, best=best)


def said(events: list[Event], run: str = "") -> set[tuple[str, str, str]]:
    return {
        (one.relation.source, one.relation.relation_type, one.relation.target)
        for one in derived_of(events, run).triples
    }


def entity(made: Solution) -> str:
    return f"solution:{content_address(made.files)[:16]}"


@pytest.mark.row("AM-54", "AM-57", "AM-75", "AM-77")
class TestWhatIsDerived:
    def test_a_program_includes_its_functions_and_these_call_each_other(
        self, started: Started
    ) -> None:
        assert said([started], "one") == {
            ("run:one", "depends_on", "problem:sums"),
            ("problem:sums", "includes", "file:sums:main.py"),
            ("file:sums:main.py", "includes", SOLVE),
            ("file:sums:main.py", "includes", TOTAL),
            (SOLVE, "calls", TOTAL),
        }

    def test_an_error_leads_to_the_function_that_was_changed_and_to_its_test(
        self, started: Started
    ) -> None:
        broken = a_program(1, BROKEN)
        found = said([started, *a_step(0, broken, WRONG)])
        (test,) = {one for one, kind, _ in found if kind == "tests_covers"}
        assert {
            (entity(broken), "raises_error", ERROR),
            ("rule:mutation", "raises_error", ERROR),
            (ERROR, "locates", TOTAL),
            (test, "tests_covers", TOTAL),
            (entity(broken), "written_by", "rule:mutation"),
            (entity(broken), "derives_from", entity(a_program(0, INITIAL))),
        } <= found

    def test_who_mends_what_failed_fixes_its_error(self, started: Started) -> None:
        broken, mended = a_program(1, BROKEN), a_program(2, FASTER, 1)
        steps = [*a_step(0, broken, WRONG), *a_step(1, mended, RIGHT, subject=broken.id)]
        found = said([started, *steps])
        assert (entity(mended), "fixes", ERROR) in found
        assert ("rule:mutation", "fixes", ERROR) in found
        unrelated = said([started, *a_step(0, broken, WRONG), *a_step(1, mended, RIGHT)])
        assert not {kind for _, kind, _ in unrelated} & {"fixes"}

    def test_a_new_best_improves_and_what_is_proven_worse_slows(self, started: Started) -> None:
        faster = a_program(1, FASTER, rule="closed_form_sum")
        found = said([started, *a_step(0, faster, RIGHT, GAIN)])
        assert (entity(faster), "improves", TOTAL) in found
        assert ("rule:closed_form_sum", "improves", TOTAL) in found
        worse = replace(GAIN, effect=-0.5, interval=(-0.6, -0.4), significant=False)
        slow = said([started, *a_step(0, faster, RIGHT, worse)])
        assert ("rule:closed_form_sum", "slows", TOTAL) in slow
        assert entity(faster) not in {one for one, _, _ in slow}

    def test_a_counterexample_is_a_test_of_what_it_refutes(self, started: Started) -> None:
        faster = a_program(1, FASTER)
        case = FailedCase(name="a hunt", expected="0", got="1", input="solve(0)")
        hunt = Hunt(tried=1, found=Counterexample(arguments="[0]", failed=case))
        events = [*a_step(0, faster, RIGHT)]
        events.insert(3, Challenged(slot=0, solution=faster.id, hunt=hunt))
        kinds = {kind for _, kind, _ in said([started, *events])}
        assert {"tests_covers", "raises_error", "locates"} <= kinds

    def test_a_model_and_its_role_are_named(self, started: Started) -> None:
        reply = Replied(slot=0, role="mutate", model="large", text="...")
        made = a_program(1, BROKEN)
        found = said([started, reply, *a_step(0, made, WRONG)])
        assert (entity(made), "written_by", "agent:mutate") in found
        assert (entity(made), "written_by", "model:large") in found

    def test_headers_that_replies_tell_of_are_taken_from_the_record(
        self, started: Started
    ) -> None:
        header = Header(path="a/b.h", source="analyse")
        parts = SkeletonComponents(headers=(header,))
        survey = Surveyed(updates=SessionUpdates(skeleton_components=parts))
        assert ("problem:sums", "includes", "header:a/b.h") in said([started, survey])

    def test_an_error_is_told_of_once_for_each_function(self, started: Started) -> None:
        many = [a_program(n, BROKEN + f"\n\nX = {n}\n") for n in range(1, 50)]
        steps = [event for n, made in enumerate(many) for event in a_step(n, made, WRONG)]
        found = said([started, *steps])
        assert len([one for one in found if one[1] == "raises_error"]) == 2  # it and the rule


@pytest.mark.row("AM-55", "AM-58")
@pytest.mark.parametrize("timed", [True, False])
class TestARealRun:
    def test_a_journal_gives_the_same_each_time_it_is_read(self, timed: bool) -> None:
        events = finished_events(timed=timed)
        found = derived_of(events, "one")
        assert found.triples
        assert derived_of(map(loads, map(dumps, events)), "one") == found

    def test_relations_join_what_they_may_join(self, timed: bool) -> None:
        for triple in derived_of(finished_events(timed=timed), "one").triples:
            sources, targets = JOINS[RelationType(triple.relation.relation_type)]
            source, target = triple.types
            assert source in sources
            assert target in targets

    def test_the_beginning_of_a_journal_gives_the_beginning(self, timed: bool) -> None:
        events = finished_events(timed=timed)
        whole: list[Edge] = [one.relation for one in derived_of(events).triples]
        for cut in range(0, len(events), 7):
            part = [one.relation for one in derived_of(events[:cut]).triples]
            assert part == whole[: len(part)]
