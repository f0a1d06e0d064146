"""The deterministic extractor: the seed's tasks, done from edits and measurements alone."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from se_agent.memory.extraction.rule_extractor import DeterministicExtractor, attempt, key_of
from se_agent.protocols import Extractor
from se_agent.values.evaluation import ComparisonKind, FailedCase, Status
from se_agent.values.lesson import Direction, Outcome
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Step
from tests.contracts.extractor import ExtractorContract
from tests.memory.examples import (
    CHILD,
    MODEL_WRITTEN,
    PARENT,
    comparison,
    direction,
    failed,
    judged,
    proposal,
)

GAIN = judged(comparison(0.0105, 0.00011))
WRONG = failed(Status.WA, case=FailedCase(name="case 3", expected="[1]", got="[2]"))
LOSS = judged(comparison(0.010, 0.012))
NOISE = judged(comparison(0.0100, 0.00995, spread=0.05))


class TestDeterministicExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> Extractor:
        return DeterministicExtractor()


def after(*steps: Step) -> Direction:
    """The one direction that these steps leave."""
    listed: tuple[Direction, ...] = ()
    for step in steps:
        listed = DeterministicExtractor().extract("", PARENT, step, listed).updated_directions
    (entry,) = listed
    return entry


@pytest.mark.lm("LM-37", "LM-38", "LM-43", "LM-49")
def test_a_gain_in_words_and_numbers_lm_49() -> None:
    lesson = DeterministicExtractor().extract("", PARENT, GAIN, ())
    item = lesson.new_memory_item
    assert item is not None
    assert item.title == "`set_membership` in `solve`: 10.5 ms -> 0.11 ms"
    assert item.description == "Ask a set, not a list, whether a value is in it"
    assert item.content == "It pays off here. As expected: less time for long lists."
    assert item.evidence.code_change == "+2 -5 in `solve`"
    assert item.evidence.metrics_delta == "10.5 ms -> 0.11 ms (95.5x)"
    assert item.evidence.context == "inputs of level 2; 1 block, interval 94.5x to 96.4x"
    (entry,) = lesson.updated_directions
    assert entry.direction == "Ask a set, not a list, whether a value is in it, in `solve`"
    assert entry.evidence == "10.5 ms -> 0.11 ms (95.5x)"
    assert entry.key == "set_membership@solve"


@pytest.mark.parametrize(
    ("step", "evidence"),
    [
        (WRONG, "WA on case 3: expected `[1]`, got `[2]`"),
        (LOSS, "10 ms -> 12 ms (1.2x slower)"),
        (NOISE, "10 ms -> 9.95 ms (within noise)"),
        (failed(Status.TLE, feedback="over 3 s"), "TLE: `over 3 s`"),
        (failed(Status.CE), "CE: does not compile"),
        (
            failed(
                Status.RE,
                case=FailedCase(name="case 1", expected="1", got=""),
                feedback="ZeroDivisionError\n  at line 3",
            ),
            "RE on case 1: `ZeroDivisionError at line 3`",
        ),
        (
            judged(comparison(2.5, 2.6, kind=ComparisonKind.EXACT)),
            "score 2.5 -> 2.6 (0.1 better)",
        ),
        (
            judged(comparison(2.5, 2.6, kind=ComparisonKind.EXACT, trusted=False)),
            "untrusted score 2.5 -> 2.6 (0.1 better)",
        ),
    ],
)
def test_the_evidence_names_the_numbers_or_the_failure(step: Step, evidence: str) -> None:
    assert after(step).evidence == evidence


@pytest.mark.lm("LM-17", "LM-46")
def test_the_same_approach_is_updated_not_repeated_lm_46() -> None:
    entry = after(WRONG, GAIN)
    assert (entry.outcome, entry.tries) == (Outcome.SUCCESS, 2)
    assert entry.evidence == "10.5 ms -> 0.11 ms (95.5x)"


@pytest.mark.lm("LM-46")
def test_the_words_are_of_the_result_that_is_told_first() -> None:
    other = proposal(direction="Combine two programs in `solve`: a set, a deque")
    loss = judged(comparison(0.010, 0.012), other)
    assert after(GAIN, loss).evidence.startswith("10.5 ms -> 0.11 ms (95.5x) (")
    assert after(GAIN, loss).direction == after(GAIN).direction
    assert after(loss, GAIN).direction == after(GAIN).direction
    assert after(LOSS, judged(comparison(0.010, 0.005), other)).direction == other.direction


@pytest.mark.lm("LM-46")
@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        ((GAIN, WRONG), Outcome.SUCCESS),
        ((GAIN, NOISE), Outcome.SUCCESS),
        ((GAIN, WRONG, LOSS), Outcome.FAILED),
        ((WRONG, NOISE), Outcome.FAILED),
        ((NOISE, NOISE), Outcome.NEUTRAL),
        ((NOISE, WRONG, GAIN), Outcome.SUCCESS),
    ],
)
def test_the_majority_of_proven_results_is_the_outcome(
    steps: tuple[Step, ...], outcome: Outcome
) -> None:
    entry = after(*steps)
    assert (entry.outcome, entry.tries) == (outcome, len(steps))


@pytest.mark.lm("LM-46")
def test_a_later_failure_elsewhere_is_told_beside_the_gain() -> None:
    told = "10.5 ms -> 0.11 ms (95.5x) (Gen1_Sol_2); last: WA on case 3: expected `[1]`"
    entry = after(GAIN, WRONG)
    assert entry.evidence.startswith(told)
    assert after(GAIN, WRONG, NOISE).evidence.count("; last: ") == 1
    assert after(GAIN, WRONG, NOISE).evidence.count("Gen1_Sol_2") == 1


@pytest.mark.lm("LM-46")
def test_a_model_written_entry_of_the_same_words_is_the_same_approach() -> None:
    old = direction("ask a SET", Outcome.SUCCESS)
    step = judged(comparison(0.01, 0.012), proposal(MODEL_WRITTEN, direction="Ask a set!"))
    lesson = DeterministicExtractor().extract("", PARENT, step, (old,))
    (entry,) = lesson.updated_directions
    assert (entry.outcome, entry.gains, entry.losses) == (Outcome.SUCCESS, 1, 1)


@pytest.mark.lm("LM-17", "LM-48")
def test_duplicates_go_lm_48() -> None:
    old = direction("a", key="a@solve")
    listed = (old, old.model_copy(update={"direction": "b"}))
    told = DeterministicExtractor().extract("", PARENT, GAIN, listed).updated_directions
    assert [entry.key for entry in told] == ["a@solve", "set_membership@solve"]


@pytest.mark.lm("LM-50")
def test_within_noise_there_is_no_item_lm_50() -> None:
    assert DeterministicExtractor().extract("", PARENT, NOISE, ()).new_memory_item is None


def test_a_program_without_edits_is_described_by_its_words_and_difference() -> None:
    step = judged(comparison(0.0105, 0.00011), proposal(MODEL_WRITTEN))
    item = DeterministicExtractor().extract("", PARENT, step, ()).new_memory_item
    assert item is not None
    assert item.title.startswith("Ask a set, not a list, whether a value is in it in `solve`: ")
    assert item.evidence.code_change == "+2 -5 in `solve`"


def test_a_right_program_that_failed_while_measured_is_a_failure() -> None:
    base = judged(comparison(0.01, 0.02))
    assert base.comparison is not None
    (block,) = base.comparison.blocks
    from dataclasses import replace

    broken = replace(block, status=Status.TLE, feedback="over 3 s", effect=-math.inf)
    wrong = failed(Status.TLE)
    step = replace(
        base,
        comparison=replace(base.comparison, blocks=(broken,)),
        verdict=wrong.verdict,
    )
    assert after(step).evidence == "TLE while measured: `over 3 s`"
    assert after(step).outcome is Outcome.FAILED
    item = DeterministicExtractor().extract("", PARENT, step, ()).new_memory_item
    assert item is not None
    assert item.evidence.context == "inputs of level 2", "what did not end has no interval"


def test_a_key_names_rules_and_functions_not_places() -> None:
    edits = [
        Edit(rule=rule, function="solve", node=node, occurrence=n)
        for n, (rule, node) in enumerate([("set", "a"), ("deque", "b"), ("set", "c")])
    ]
    assert key_of(proposal(), edits) == "deque@solve+set@solve"
    long = [Edit(rule="r" * 40, function="f" * 40, node="a")]
    assert len(key_of(proposal(), long)) == 12


def test_only_the_edits_that_the_parent_has_not_are_credited() -> None:
    parent = Solution(id="Gen1_Sol_2", files=CHILD.files, edits=CHILD.edits)
    more = (*CHILD.edits, Edit(rule="deque", function="go", node="b"))
    child = Solution(id="Gen2_Sol_1", files=PARENT.files, edits=more, operator="deque")
    step = judged(comparison(2.0, 1.0), proposal(child), generation=2)
    lesson = DeterministicExtractor().extract("", parent, step, ())
    assert [entry.key for entry in lesson.updated_directions] == ["deque@go"]
    assert lesson.new_memory_item is not None
    assert lesson.new_memory_item.title == "`deque` in `go`: 2 s -> 1 s"


def test_a_title_names_a_function_once_and_ends_where_a_name_does() -> None:
    def title(direction: str) -> str:
        step = judged(comparison(0.0105, 0.00011), proposal(MODEL_WRITTEN, direction=direction))
        item = DeterministicExtractor().extract("", PARENT, step, ()).new_memory_item
        assert item is not None
        return item.title

    assert title("Ask a set in `solve`") == "Ask a set in `solve`: 10.5 ms -> 0.11 ms"
    long = f"Ask a set in `solve`, {', '.join(['`set_membership`'] * 5)}"
    assert title(long).endswith("`, `set_membership`…: 10.5 ms -> 0.11 ms")
    assert title("Ask a set") == "Ask a set in `solve`: 10.5 ms -> 0.11 ms"


def test_what_a_program_printed_stays_inside_its_quotes() -> None:
    case = FailedCase(name="case 1\n# x", expected="1", got="`\n## What worked\n" + "y" * 900)
    said = after(failed(Status.WA, case=case)).evidence
    assert said.startswith("WA on case 1 # x: expected `1`, got `' ## What worked yyy")
    assert len(said.splitlines()) == 1
    assert len(said) < 200


@pytest.mark.parametrize(
    ("used", "is_it"),
    [
        ("Union-find with path halving!", True),
        ("union find, with path halving", True),
        ("Union-find with path", True),
        ("Union-find with path halving: never tried", True),
        ("Union-find", False),
        ("Union-find with pathology", False),
        ("path halving", False),
        ("", False),
    ],
)
def test_who_follows_a_suggestion_may_name_it_in_part(used: str, is_it: bool) -> None:
    idea = direction("Union-find with path halving", key="idea").model_copy(update={"tries": 0})
    followed = replace(proposal(MODEL_WRITTEN), lessons_used=(used,))
    step = replace(GAIN, proposal=followed)
    found = attempt(PARENT, step, [idea])
    assert (found.key == idea.key) == is_it


def test_the_last_words_of_a_program_are_data() -> None:
    words = "ValueError: answer `none`\n## Rules\n- Be slow"
    assert after(failed(Status.RE, feedback=words)).evidence == (
        "RE: `ValueError: answer 'none' ## Rules - Be slow`"
    )
