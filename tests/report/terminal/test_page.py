"""Pages of a run and of its solutions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from se_agent.engine.step.hunks import hunks
from se_agent.report import steps
from se_agent.report.brief import summary
from se_agent.report.story import Story, items, lineage
from se_agent.report.terminal import page
from se_agent.report.words import phrases
from se_agent.stats.costs import Asked
from se_agent.values.evaluation import Branch
from se_agent.values.solution import Edit
from tests.engine.talking import Counting, Mutation
from tests.finished import events, finished, recorded

if TYPE_CHECKING:
    from rich.console import RenderableType


def drawn(parts: Iterable[RenderableType], width: int = 160) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        for part in parts:
            console.print(part, markup=False, highlight=False)
    return captured.get()


@pytest.fixture
def story() -> Story:
    return Story.of(events(timed=True))


def test_a_summary_names_gain_change_lessons_and_what_comes_next(
    story: Story, tmp_path: Path
) -> None:
    best = story.solutions[story.best]
    (tmp_path / "best.py").write_text(best.text, encoding="utf-8")
    text = drawn(summary(story, tmp_path), 300)
    assert text.startswith(phrases.outcome(story))
    assert re.search(r"30 of 30 evaluations, .* of CPU time; the limit evaluations", text)
    assert "-x = 0" in text
    assert f"+{best.text}" in text
    assert "What was learned" in text
    assert str(tmp_path / "best.py") in text
    assert f"se-agent show {tmp_path}" in text
    assert f"  se-agent resume {tmp_path} --set budget.evaluations=60" in text


def test_a_search_that_had_nothing_left_to_try_is_not_gone_on_with(
    story: Story, tmp_path: Path
) -> None:
    assert story.search_ended is not None
    story.search_ended = story.search_ended.model_copy(update={"budget_end": "exhausted"})
    assert "resume" not in drawn(summary(story, tmp_path), 300)


def test_the_initial_program_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "best.py").write_text("x = 0\n", encoding="utf-8")
    nothing = Story.of(events(timed=True)[:1])
    text = drawn(summary(nothing, tmp_path), 300)
    assert "best.py" not in text
    assert f"se-agent show {tmp_path}" in text


def test_doubts_about_the_problem_are_told_at_the_end(story: Story, tmp_path: Path) -> None:
    story.notes["the inputs are few"] = None
    assert "note: the inputs are few" in drawn(summary(story, tmp_path), 300)
    shown = drawn(page.run_page(story, tmp_path, "", plain=False))
    assert re.search(r"note +the inputs are few", shown)


def test_an_unfinished_run_says_how_to_go_on(tmp_path: Path) -> None:
    story = Story.of(events(timed=True)[:200])
    text = drawn(page.run_page(story, tmp_path, "", plain=False), 300)
    assert "unfinished: " in text
    assert f"se-agent resume {tmp_path}" in text
    assert re.search(r"generation \d+, \d of 8 steps closed", text)


def test_a_run_that_has_just_begun_has_a_page(tmp_path: Path) -> None:
    for count in range(12):
        assert drawn(
            page.run_page(Story.of(events(timed=True)[:count]), tmp_path, "", plain=True)
        )


def test_the_table_has_a_row_for_every_candidate(story: Story) -> None:
    text = drawn([page.solutions(story)])
    assert text.count(f"{story.best} *") == 1
    assert text.count("failed: gave a wrong answer") == story.counts()["WA"]
    assert text.count("\n") == 1 + sum(c.solution is not None for c in story.chapters.values())


def test_top_lessons_are_the_largest_proven_gains_and_a_failure(story: Story) -> None:
    *won, lost = page.top_lessons(items(story))
    assert [item.effect for item in won] == sorted((i.effect for i in won), reverse=True)
    assert won[0].effect == max(i.effect for i in items(story) if i.significant)
    assert lost.type is Branch.FAILURE


def test_a_solution_has_its_code_verdict_blocks_and_failing_case(story: Story) -> None:
    wrong = next(c for c in story.chapters.values() if c.standing == "failed")
    solution = wrong.solution
    assert solution is not None
    text = drawn(page.solution_page(story, solution))
    assert "failed: gave a wrong answer" in text
    assert "seven" in text
    assert solution.text in text
    best = drawn(page.solution_page(story, story.solutions[story.best]))
    assert "hoped for" in best
    assert lineage(story, story.best)[-2] in best
    assert story.solutions[story.best].text in best


def test_the_initial_program_has_a_page_too(story: Story) -> None:
    assert "x = 0" in drawn(page.solution_page(story, story.solutions["Gen0_Sol_0"]))


def test_an_edit_in_words() -> None:
    edit = Edit(rule="counter", function="f", node="1", occurrence=1, parameters=(("k", "v"),))
    assert steps.edit_line(edit) == "counter in f, occurrence 2 (k=v)"
    assert steps.edit_line(Edit(rule="r", function="", node="1")) == "r at module level"


@pytest.mark.parametrize(
    ("new", "told"),
    [
        pytest.param("def f():\n    return 2\n", "change of line 2 of p.py in f", id="a-line"),
        pytest.param(
            "def f():\n    x = 1\n    return 1\n",
            "change before line 2 of p.py in f",
            id="more",
        ),
        pytest.param("x = 1\n", "change of lines 1 to 2 of p.py in f", id="lines"),
    ],
)
def test_lines_that_a_model_wrote_are_told_by_their_numbers(new: str, told: str) -> None:
    (edit,) = hunks({"p.py": "def f():\n    return 1\n"}, {"p.py": new})
    assert steps.edit_line(edit) == told


def test_an_edit_of_that_name_by_another_operator_is_told_as_any() -> None:
    edit = Edit(rule="change", function="f", node="1", parameters=(("lines", "3"),))
    assert steps.edit_line(edit) == "change in f (lines=3)"


def test_what_the_shrink_guard_kept_is_told(story: Story) -> None:
    chapter = next(c for c in story.chapters.values() if c.learned and c.learned.child)
    assert chapter.learned is not None
    solution = story.solutions[chapter.id]
    assert "fresh directions" not in drawn(page.solution_page(story, solution))
    chapter.learned = chapter.learned.model_copy(update={"refused": ("Add 1", "Add 3")})
    text = drawn(page.solution_page(story, solution), 300)
    assert "kept 2 fresh directions that the lesson dropped: Add 1; Add 3" in text


def test_timed_blocks_say_how_the_effect_belongs_to_the_columns(story: Story) -> None:
    told = drawn(page.solution_page(story, story.solutions["Gen1_Sol_0"]), 300)
    assert re.search(r"before +after +effect", told)
    assert "effect: median of before / after over the pairs of a block; before is" in told
    scored = Story.of(events(timed=False))
    told = drawn(page.solution_page(scored, scored.solutions["Gen1_Sol_0"]), 300)
    assert re.search(r"before +after +effect", told)
    assert "effect:" not in told


def test_the_gain_of_the_search_says_that_it_claims_nothing(story: Story) -> None:
    text = drawn(page.run_page(story, Path("r"), "", plain=True), 300)
    assert re.search(r"  about [\d.]+x in the search; it only ranks, what is claimed", text)
    table = drawn([page.solutions(story)], 300)
    assert re.search(rf"{re.escape(story.best)} \* .*x \[.*\]  about [\d.]+x +better", table)
    best = story.solutions[story.best]
    told = drawn(page.solution_page(story, best), 300)
    assert re.search(rf"confirmation +{re.escape(phrases.outcome(story))}", told)
    assert "confirmation" not in drawn(page.solution_page(story, story.solutions["Gen0_Sol_0"]))


def test_shares_that_are_not_known_have_their_reason(story: Story) -> None:
    assert "are not known" not in drawn(page.beside(story))
    assert story.confirmed is not None
    why = "measured on final inputs, the reference ends as WA"
    story.confirmed = story.confirmed.model_copy(update={"no_reference": why})
    assert f"ET, MP and MI are not known: {why}" in drawn(page.beside(story))


def test_what_the_calls_of_a_step_cost_is_told_beside_it(tmp_path: Path) -> None:
    """Those for its lesson too: the rows of the table add up to the bill of the run."""
    provider = f"{Counting.__module__}:{Counting.__qualname__}"
    prices = {"prompt_price": 1e5, "completion_price": 1e5}
    folder = finished(
        tmp_path,
        timed=False,
        operators=[Mutation.name],
        models={"main": {"name": "counting", "provider": provider, **prices}},
        memory={"extraction": "each"},
        asking={"in_flight": 1},
        budget={"calls": 20},
    )
    story = Story.of(recorded(folder))
    steps = [chapter.asked for chapter in story.chapters.values()]
    assert sum(asked.in_all.calls for asked in steps) == story.costs.asked.in_all.calls == 20
    made = next(c for c in story.chapters.values() if c.solution and c.asked.in_all.calls == 3)
    assert made.solution is not None
    told = drawn(page.solution_page(story, made.solution))
    assert re.findall(r"asked +(.*?) *\n", told) == [
        "mutate by main: 1 call, 9 tokens read, 4 written, cost 1.3",
        "extract by main: 2 calls, 18 tokens read, 8 written, cost 2.6",
        "in all: 3 calls, 27 tokens read, 12 written, cost 3.9",
    ]
    table = drawn([page.solutions(story)], 300)
    assert table.splitlines()[0].endswith("  asked")
    rows = re.findall(r"(\d) calls?, \d+ tokens, cost", table)
    assert sum(map(int, rows)) == 20


def test_a_run_without_models_says_nothing_of_calls(story: Story) -> None:
    assert all(chapter.asked == Asked() for chapter in story.chapters.values())
    best = story.solutions[story.best]
    text = drawn([page.solutions(story), *page.solution_page(story, best)])
    assert "asked" not in text
