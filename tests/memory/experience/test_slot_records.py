"""What each refuting input of a run was worth."""

from __future__ import annotations

from se_agent.events import Challenged, Retested
from se_agent.memory.experience.slot_records import Refutations
from se_agent.memory_events import Recalled
from se_agent.values.evaluation import (
    Counterexample,
    Evaluation,
    FailedCase,
    Hunt,
    Measurement,
    Status,
)

CASE = FailedCase(name="found", expected="1", got="2")
OLD, NEW, UNUSED = (Counterexample(arguments=name, failed=CASE) for name in "abc")


def retested(test: Counterexample, status: Status) -> Retested:
    return Retested(
        slot=1,
        solution="Gen1_Sol_1",
        arguments=test.arguments,
        links=test.links,
        calls=test.calls,
        evaluation=Evaluation(
            status=status,
            measurement=Measurement(cpu_seconds=0.1) if status is Status.AC else None,
        ),
    )


def test_inputs_of_this_run_and_of_earlier_ones_are_counted_by_what_they_refuted() -> None:
    found = Refutations()
    for event in (
        Recalled(tests=(OLD, UNUSED)),
        retested(OLD, Status.WA),
        retested(OLD, Status.RE),
        retested(UNUSED, Status.AC),
        Challenged(slot=2, solution="Gen1_Sol_2", hunt=Hunt(tried=1, found=NEW)),
    ):
        found.apply(event)
    told = [(one.test.arguments, one.programs) for one in found.tests("problem")]
    assert told == [("a", 2), ("b", 1)]
    assert all(one.at and one.fingerprint == "problem" for one in found.tests("problem"))
