"""Figures in words."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.events import Challenged, Confirmed, SearchEnded
from se_agent.report.story import Story
from se_agent.report.words import phrases
from se_agent.report.words.doubts import doubts
from se_agent.values.evaluation import Counterexample, FailedCase, Hunt, Status
from tests.finished import events


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        pytest.param(1.0, "1.00x", id="nothing"),
        pytest.param(4.214, "4.21x", id="small"),
        pytest.param(23.44, "23.4x", id="middle"),
        pytest.param(1250.4, "1,250x", id="large"),
        pytest.param(math.inf, "infx", id="infinite"),
    ],
)
def test_times(ratio: float, text: str) -> None:
    assert phrases.times(ratio) == text


@pytest.mark.parametrize(
    ("hunt", "page", "end"),
    [
        pytest.param(
            Hunt(tried=90),
            "no difference found on 90 inputs made up to find one",
            "",
            id="many",
        ),
        pytest.param(
            Hunt(tried=9, note="why"),
            "no difference found on 9 inputs made up to find one; why",
            "Few inputs made up to find a difference were compared: why.",
            id="few",
        ),
        pytest.param(
            Hunt(note="why"),
            "no input made up to find a difference was compared: why",
            "No input made up to find a difference was compared: why.",
            id="none",
        ),
        pytest.param(
            Hunt(cost_seconds=1.0),
            "no input made up to find a difference was compared",
            "No input made up to find a difference was compared.",
            id="none-of-an-older-run",
        ),
        pytest.param(
            Hunt(put_off=True),
            "no input made up to find a difference was compared",
            "",
            id="put-off",
        ),
    ],
)
def test_a_search_that_compared_nothing_is_no_reassurance(
    hunt: Hunt, page: str, end: str
) -> None:
    story = Story.of(events(timed=True))
    assert story.confirmed is not None
    story.apply(Challenged(slot=-1, solution=story.confirmed.solution, hunt=hunt))
    assert phrases.challenged(hunt) == page
    assert [doubt.words for doubt in doubts(story)] == ([end] if end else [])


@pytest.mark.parametrize(
    ("count", "text"),
    [
        pytest.param(0, "0 B", id="empty"),
        pytest.param(216_000, "216 kB", id="kB"),
        pytest.param(1_234_567, "1.23 MB", id="MB"),
        pytest.param(5_000_000_000_000, "5e+03 GB", id="more"),
    ],
)
def test_size(count: int, text: str) -> None:
    assert phrases.size(count) == text


@given(st.text())
def test_no_program_drives_a_terminal(text: str) -> None:
    shown = phrases.clean(text)
    assert all(char >= " " or char == "\n" for char in shown)
    assert "\x1b" not in shown
    assert "\x9b" not in shown
    shown.encode("utf-8")


@given(st.text(), st.integers(1, 200))
def test_one_line_is_one_line_of_that_width(text: str, width: int) -> None:
    line = phrases.one_line(text, width)
    assert len(line) <= width
    assert "\n" not in line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("sorted again forever", "sorted again..."),
        ("sorted again an1 no more of it", "sorted again an1..."),
        ("a verylongnameofafunction", "a verylongnameof..."),
    ],
)
def test_a_line_is_cut_between_words_where_they_are_short(text: str, line: str) -> None:
    assert phrases.one_line(text, 19) == line


def test_a_timed_effect_has_its_interval_and_a_wrong_one_has_none() -> None:
    shown = phrases.effect(math.log(2.0), (math.log(1.9), math.log(2.1)), timed=True)
    assert shown == "2.00x [1.90x, 2.10x]"
    assert phrases.effect(-math.inf, (-math.inf, -math.inf), timed=True) == ""
    assert phrases.effect(0.0123, (0.0123, 0.0123), timed=False) == "+0.0123"


def until_confirmed(*, timed: bool) -> Story:
    """Return a story whose confirmation is measured and not yet drawn."""
    kept = [e for e in events(timed=timed) if e.kind not in ("confirmed", "ended")]
    return Story.of(kept)


def confirmed(solution: str, gain: float, low: float, high: float) -> Confirmed:
    status = "proven" if gain > 1 else "not_proven"
    return Confirmed.model_validate(
        {"solution": solution, "status": status, "gain": gain, "low": low, "high": high}
    )


def test_a_proven_gain_says_what_it_rests_on() -> None:
    story = until_confirmed(timed=True)
    story.apply(confirmed(story.best, 23.4, 21.9, 25.0))
    assert phrases.outcome(story) == (
        "proven: 23.4x faster (21.9x-25.0x, 99 % interval, "
        "6 fresh blocks of 4 to 8 pairs on 4 to 8 unseen inputs)"
    )


def test_a_gain_of_a_program_that_copies_what_the_initial_one_hands_out_says_so() -> None:
    story = until_confirmed(timed=True)
    story.apply(confirmed(story.best, 23.4, 21.9, 25.0))
    (made,) = (c for c in story.chapters.values() if c.id == story.best)
    assert made.evaluated is not None
    told = "The old one hands out argument 0,\nthe new one a copy: not compared."
    found = replace(made.evaluated.evaluation, feedback=told)
    made.evaluated = made.evaluated.model_copy(update={"evaluation": found})
    assert [(doubt.name, doubt.words) for doubt in doubts(story)] == [("ties", told)]


def test_a_gain_on_one_input_that_the_search_had_says_so() -> None:
    story = until_confirmed(timed=True)
    story.own_blocks = [
        event.model_copy(update={"block": replace(event.block, pairs=1, searched=1)})
        for event in story.own_blocks
    ]
    story.apply(confirmed(story.best, 23.4, 21.9, 25.0))
    assert phrases.outcome(story) == (
        "proven: 23.4x faster (21.9x-25.0x, 99 % interval, 6 fresh blocks of 1 pair on 1 input)"
        "; but only 1 distinct final input was there, and the search may have had it, too: "
        "other inputs may gain less"
    )


def test_a_gain_of_many_calls_says_what_a_single_one_takes() -> None:
    story = until_confirmed(timed=True)
    story.own_blocks = [
        event.model_copy(update={"block": replace(event.block, alone=(0.002, 0.03))})
        for event in story.own_blocks
    ]
    story.apply(confirmed(story.best, 23.4, 21.9, 25.0))
    assert phrases.outcome(story).endswith(
        "; but a process that calls it once takes 30 ms instead of 2 ms: it pays from call 2 on"
    )


def test_a_gain_that_is_not_proven_says_how_much_it_could_be() -> None:
    story = until_confirmed(timed=True)
    story.apply(confirmed(story.best, 1.0, 1.0, 1.0))
    said = phrases.outcome(story)
    assert re.match(
        r"not proven: (\d\.\d\d)x of the initial speed, but it could be anything "
        r"from \d\.\d\dx to \d\.\d\dx \(99 % interval, "
        r"6 fresh blocks of 4 to 8 pairs on 4 to 8 unseen inputs\)",
        said,
    )


def test_nothing_found_is_said_so() -> None:
    story = until_confirmed(timed=True)
    story.apply(confirmed("Gen0_Sol_0", 1.0, 1.0, 1.0))
    assert phrases.outcome(story) == (
        "not proven: nothing was found that is faster than the initial program"
    )


def test_who_was_refuted_is_named_where_nothing_is_left() -> None:
    story = until_confirmed(timed=True)
    one, other, *_ = (chapter for chapter in story.chapters.values() if chapter.id)
    failed = FailedCase(name="a counterexample", input="([],)", expected="[]", got="[1]")
    found = Counterexample(arguments="([],)", failed=failed, status=Status.WA)
    said = "not proven: nothing was found that is faster than the initial program; "
    story.apply(Challenged(slot=one.slot, solution=one.id, hunt=Hunt(found=found, tried=3)))
    story.apply(confirmed("Gen0_Sol_0", 1.0, 1.0, 1.0))
    end = "seemed so, and fails on an input that was made up"
    assert phrases.outcome(story) == f"{said}{one.id} {end}"
    story.apply(Challenged(slot=other.slot, solution=other.id, hunt=Hunt(found=found, tried=3)))
    assert phrases.outcome(story) == f"{said}{one.id} and 1 more {end}"


@pytest.mark.parametrize("timed", [True, False], ids=["timed", "scored"])
@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("cpu_seconds", "what comes before the search left it nothing of cpu_seconds"),
        ("wall_seconds", "what comes before the search left it nothing of wall_seconds"),
        ("tokens", "the limit tokens was reached before"),
        ("exhausted", "nothing new was proposed"),
    ],
)
def test_where_nothing_was_tried_nothing_is_said_of_what_was_found(
    end: str, why: str, timed: bool
) -> None:
    story = Story.of([e for e in events(timed=timed) if e.kind in ("started", "self_tested")])
    ended = {"budget_end": end, "generations": 0, "cpu_seconds": 5.0, "wall_seconds": 5.0}
    story.apply(SearchEnded.model_validate(ended))
    story.apply(confirmed("Gen0_Sol_0", 1.0, 1.0, 1.0))
    assert phrases.outcome(story) == f"nothing was tried: {why}"


def test_a_score_says_its_direction() -> None:
    story = until_confirmed(timed=False)
    found = {"solution": story.best, "status": "proven", "score": 2.58, "score_initial": 2.41}
    story.apply(Confirmed.model_validate(found))
    assert phrases.outcome(story) == "proven: score 2.41 -> 2.58 (maximize)"


def test_before_the_confirmation_a_gain_is_not_called_proven() -> None:
    said = phrases.outcome(until_confirmed(timed=True))
    assert re.fullmatch(r"unfinished: about [34]\.\d\dx, not yet confirmed", said)


@pytest.mark.parametrize(
    ("ratio", "told"),
    [
        pytest.param(86.04, "about 86x", id="large"),
        pytest.param(1250.4, "about 1,250x", id="thousands"),
        pytest.param(1.384, "about 1.38x", id="small"),
        pytest.param(math.inf, "about infx", id="infinite"),
    ],
)
def test_what_the_search_composed_has_no_interval(ratio: float, told: str) -> None:
    story = until_confirmed(timed=True)
    story.ranks[story.best] = math.log(ratio)
    assert phrases.rank(story.ranks[story.best], story) == told
    assert phrases.so_far(story) == f"{told}, not yet confirmed"
    assert phrases.searched(story) == f"{told} in the search"


def test_before_the_search_has_found_anything_nothing_is_to_be_confirmed() -> None:
    story = Story.of(e for e in events(timed=True) if e.kind == "started")
    assert phrases.so_far(story) == "the initial program so far"


def test_the_task_is_the_first_sentence_below_the_title() -> None:
    assert phrases.task("# Title\n\nSort the\nlist. Be quick.\n") == "Sort the list."
    assert phrases.task("") == ""
