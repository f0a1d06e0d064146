"""A proof in words: never a figure without its doubt."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from se_agent.cli import verdict
from se_agent.stats.summary import FirstCall
from se_agent.user_function.referee import Proof, RefereeOutcome
from se_agent.values.evaluation import FailedCase
from se_agent.values.observation import GROWS_FASTER, Growth, GrowthPair
from se_agent.wire import Tolerance


def proof(outcome: RefereeOutcome, gain: float, low: float, high: float) -> Proof:
    return Proof(
        outcome=outcome,
        gain=gain,
        interval=(low, high),
        old_seconds=0.02,
        new_seconds=0.02 / gain,
        blocks=6,
        inputs=3,
        spread=0.004,
        compared=144,
        distinct=20,
        notes=("The evidence is thin.",),
    )


FASTER = proof(RefereeOutcome.FASTER, 2.0, 1.9, 2.1)
SLOWER = proof(RefereeOutcome.SLOWER, 0.5, 0.4, 0.6)
STOPPED = Proof(
    outcome=RefereeOutcome.SLOWER,
    gain=0.3,
    old_seconds=0.02,
    new_seconds=0.07,
    blocks=1,
    inputs=3,
    spread=0.004,
    compared=144,
    distinct=20,
    notes=("The evidence is thin.",),
)
NOISE = proof(RefereeOutcome.NOT_PROVEN, 1.0, 0.99, 1.01)
DIFFERENT = Proof(
    outcome=RefereeOutcome.DIFFERENT,
    compared=9,
    different=FailedCase(name="seed 3", input="([1],)", expected="1", got="2\x1b[31m"),
)


@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        (FASTER, 0, "faster: 2.00x (1.90x to 2.10x, 99 % interval)"),
        (SLOWER, 1, "not proven: it is slower, 0.50x (0.40x to 0.60x, 99 % interval)"),
        (NOISE, 1, "not proven: 1.00x is within the noise (0.99x to 1.01x, 99 % interval)"),
    ],
)
def test_a_timed_verdict_comes_with_its_doubt(found: Proof, code: int, said: str) -> None:
    first, *rest = verdict.lines(found, "old.py:f", "new.py:f")
    assert (first, verdict.EXIT[found.outcome]) == (said, code)
    told = "same results on 20 distinct inputs (144 comparisons), and on every measured one"
    assert told in rest
    assert "doubt: The evidence is thin." in rest
    assert any("identical code differs by 0.4%" in line for line in rest)


SCOPE = [
    "compared: values and types (floats exactly), changed arguments, exception types",
    "not compared: prints, files, network, state of modules, words of exceptions",
]


def test_a_verdict_says_what_was_compared_and_what_was_not() -> None:
    told = verdict.lines(FASTER, "old.py:f", "new.py:f")
    assert [line for line in told if "compared" in line] == SCOPE
    assert all(f"- {line}" in verdict.markdown(FASTER, "a", "b") for line in SCOPE)


def test_a_tolerance_is_a_part_of_the_verdict() -> None:
    within = replace(FASTER, within=Tolerance(rel=1e-9))
    told = verdict.lines(within, "old.py:f", "new.py:f")
    same = "on every measured one, within a relative tolerance of 1e-9"
    assert any(line.endswith(same) for line in told)
    assert any("floats within that" in line for line in told)
    row = verdict.row(within, "a", "b")
    assert (row["rel_tol"], row["abs_tol"]) == (1e-9, 0.0)


@pytest.mark.parametrize(
    ("relative", "advice"),
    [(1.1e-16, "1e-9"), (3e-8, "1e-6"), (0.5, ""), (None, "")],
)
def test_where_only_floats_differ_a_tolerance_is_advised(
    relative: float | None, advice: str
) -> None:
    case = FailedCase(name="seed 3", expected="1.0", got="1.1", relative=relative)
    told = "\n".join(verdict.lines(replace(DIFFERENT, different=case), "a", "b"))
    assert ("--rel-tol" in told) == bool(advice)
    assert f"--rel-tol {advice}" in told or not advice


WAITED = "it waits: 1 ms of CPU time in 20 ms on the wall"


def test_a_gain_of_many_calls_says_what_a_single_one_takes() -> None:
    found = replace(FASTER, alone=(0.002, 0.03))
    told = "a process that calls it once takes 30 ms instead of 2 ms"
    assert f"doubt: {told}: the gain comes with many calls." in verdict.lines(
        found, "old.py:f", "new.py:f"
    )
    assert verdict.row(found, "old.py:f", "new.py:f")["alone_seconds"] == [0.002, 0.03]
    assert verdict.row(FASTER, "old.py:f", "new.py:f")["alone_seconds"] is None


def test_the_first_call_has_figures_of_its_own() -> None:
    found = replace(FASTER, alone=(0.002, 0.03), first=FirstCall(0.002, 0.03, 15))
    told = verdict.lines(found, "old.py:f", "new.py:f")
    assert told[1].endswith(
        ", in a process that goes on; the first call, with loading: 2 ms -> 30 ms"
    )
    assert any(line.endswith("instead of 2 ms: it pays from call 15 on.") for line in told)
    row = verdict.row(found, "old.py:f", "new.py:f")
    assert (row["first_call_seconds"], row["pays_after"]) == ([0.002, 0.03], 15)


def test_who_grows_faster_is_no_improvement_and_says_so() -> None:
    old, new = (
        Growth(exponent=1.0, low=0.98, high=1.02),
        Growth(exponent=2.0, low=1.9, high=2.1),
    )
    growth = GrowthPair(old=old, new=new, sizes=(100, 1000))
    found = replace(
        FASTER, outcome=RefereeOutcome.NOT_PROVEN, growth=growth, reason=GROWS_FASTER
    )
    told = verdict.lines(found, "old.py:f", "new.py:f")
    assert told[0].endswith(", but its time grows faster")
    assert (
        "CPU time grows as n^1.00 (0.98 to 1.02) -> n^2.00 (1.90 to 2.10), n from 100 to 1,000"
        in told
    )
    row = verdict.row(found, "old.py:f", "new.py:f")
    assert (row["status"], row["verdict"]) == ("not_proven", "grows_faster")


def test_one_that_waits_has_no_figures_of_cpu_time() -> None:
    found = Proof(
        outcome=RefereeOutcome.NOT_PROVEN, stopped=WAITED, blocks=1, compared=9, distinct=9
    )
    told = verdict.lines(found, "old.py:f", "new.py:f")
    assert told == [
        f"not proven: {WAITED}",
        "same results on 9 distinct inputs, and on every measured one",
        *SCOPE,
    ]
    row = verdict.row(found, "old.py:f", "new.py:f")
    assert (row["gain"], row["old_seconds"], row["stopped"]) == (None, None, WAITED)


def test_a_gain_that_is_less_on_the_wall_says_so() -> None:
    found = replace(FASTER, on_the_wall=1.4)
    told = "doubt: on the wall it is 1.40x: it waits, or others used its core."
    assert told in verdict.lines(found, "old.py:f", "new.py:f")
    assert verdict.row(found, "old.py:f", "new.py:f")["gain_on_the_wall"] == 1.4
    assert verdict.row(FASTER, "old.py:f", "new.py:f")["gain_on_the_wall"] is None


def test_programs_read_the_doubts_that_people_do() -> None:
    found = replace(FASTER, on_the_wall=1.4, alone=(0.002, 0.03))
    told = [line for line in verdict.lines(found, "old", "new") if line.startswith("doubt: ")]
    notes = verdict.row(found, "old", "new")["notes"]
    assert isinstance(notes, list)
    assert [f"doubt: {note}" for note in notes] == told
    assert len(notes) == 3


def test_a_difference_shows_input_old_and_new_on_a_line_each() -> None:
    lines = verdict.lines(DIFFERENT, "old.py:f", "new.py:f")
    assert verdict.EXIT[DIFFERENT.outcome] == 4
    assert lines[1:] == [
        "case:  seed 3",
        "input: ([1],)",
        "old:   1",
        "new:   2\\x1b[31m",
    ]


def test_without_an_interval_only_bounds_are_told() -> None:
    first, cpu, *_ = verdict.lines(STOPPED, "old.py:f", "new.py:f")
    assert first == (
        "not proven: it is slower, at most 0.30x (no interval: stopped after one block)"
    )
    assert cpu == "CPU a call: 20 ms -> more than 70 ms"
    row = verdict.row(STOPPED, "old.py:f", "new.py:f")
    assert (row["gain"], row["gain_low"], row["gain_high"]) == (0.3, None, None)


@pytest.mark.parametrize("found", [FASTER, SLOWER, STOPPED, NOISE, DIFFERENT])
def test_json_is_json_and_markdown_names_both(found: Proof) -> None:
    row = json.loads(json.dumps(verdict.row(found, "old.py:f", "new.py:f"), allow_nan=False))
    assert row["status"] == found.outcome
    assert (row["gain"] is None) == (found.outcome is RefereeOutcome.DIFFERENT)
    told = verdict.markdown(found, "old.py:f", "new.py:f")
    assert told.startswith("**`old.py:f` against `new.py:f`: ")


def test_a_fence_in_an_answer_does_not_end_the_block() -> None:
    failed = FailedCase(name="seed 1", input="()", expected="'```'", got="1")
    told = verdict.markdown(
        Proof(outcome=RefereeOutcome.DIFFERENT, different=failed), "a:f", "b:f"
    )
    assert told.count("\n```") == 2


def test_waiting_of_its_own_is_no_guess_where_the_scheduler_tells() -> None:
    found = replace(FASTER, on_the_wall=1.4, waits=True)
    assert "doubt: on the wall it is 1.40x: it waits for a part of its time." in verdict.lines(
        found, "old", "new"
    )


def test_the_load_of_the_machine_is_a_fact_and_no_doubt() -> None:
    told = verdict.lines(replace(FASTER, busy=0.56), "old", "new")
    (load,) = [line for line in told if "machine" in line]
    assert load.startswith("the machine was busy: for 56% of their time on the wall")
    assert not any(line.startswith("doubt: ") and "machine" in line for line in told)
    assert not any(
        "machine" in one for one in verdict.lines(replace(FASTER, busy=0.05), "o", "n")
    )


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (FASTER, "faster"),
        (SLOWER, "slower"),
        (STOPPED, "slower"),
        (DIFFERENT, "different"),
        (NOISE, "no_gain"),
        (proof(RefereeOutcome.NOT_PROVEN, 1.2, 0.9, 1.6), "too_noisy"),
        (Proof(outcome=RefereeOutcome.NOT_PROVEN, stopped="no time"), "not_measured"),
    ],
)
def test_a_program_is_told_what_may_be_concluded(found: Proof, expected: str) -> None:
    """An interval that leaves a gain of 5 % open is no "no"."""
    assert verdict.row(found, "a.py:f", "b.py:f")["verdict"] == expected
