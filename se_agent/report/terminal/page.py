"""A run and its solutions as pages for a terminal: tables, lineage, lessons, what comes next.

Renderables only; who prints them and where the memory text comes from is the caller's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.syntax import Syntax
from rich.text import Text

from se_agent.events import BlockMeasured
from se_agent.report import steps, totals
from se_agent.report.difference import coloured, unified
from se_agent.report.patch_message import style_line, style_of
from se_agent.report.story import Chapter, Story, lineage
from se_agent.report.terminal.columns import Columns
from se_agent.report.terminal.picture import sparkline
from se_agent.report.words import memory_worth, model_costs, phrases, quiet
from se_agent.report.words.best import LABEL, champion, following, winner
from se_agent.report.words.doubts import doubts
from se_agent.report.words.hot_lines import seen
from se_agent.report.words.machine import machine
from se_agent.report.words.relay import switches
from se_agent.report.words.trial import ModelTrial
from se_agent.values.evaluation import Branch, ComparisonKind
from se_agent.values.lesson import Item
from se_agent.values.objective import after
from se_agent.values.solution import Solution

if TYPE_CHECKING:
    from rich.console import RenderableType

_LESSONS = 3
DIFF_LINES = 80
"""Lines of the change that a page has room for."""
_BARS = 40  # columns of the curve

"""How the labels of a page look."""


def result(story: Story) -> Iterator[Text]:
    """Yield what a run came to: its gain, what it took, and each doubt."""
    yield headline(story)
    yield from beside(story)
    if story.budget_end:
        yield Text(phrases.search_end(story), style="dim")
    yield from (Text(line, style="dim") for line in model_costs.lines(story.costs.asked))
    yield from machine(story)
    yield from warnings(story)
    yield from doubtful(story)
    yield from _trimmed(story)
    yield from style(story)
    if told := memory_worth.line(story.weighing.worth):
        yield Text(told, style="dim")


def style(story: Story) -> Iterator[Text]:
    """Yield how the best program reads against the initial one."""
    if (found := style_of(story)) is not None:
        yield Text(style_line(found), style="dim")


def warnings(story: Story) -> Iterator[Text]:
    """Yield doubts about the problem, and what kept the run from learning of others."""
    for note in story.notes:
        yield Text(phrases.one_line(f"note: {note}", 300), style="yellow")
    if story.started and story.started.prior_from and not story.started.prior:
        yield Text(phrases.one_line(f"prior: {story.started.prior_from}", 300), style="yellow")


def _trimmed(story: Story) -> Iterator[Text]:
    """Yield what the champion could do without."""
    trials = [trial.trimmed for trial in story.trials.values() if trial.trimmed]
    kept = [one for one in trials if one.dropped]
    told = {
        "dropped, for it brought nothing": [one for one in kept if not steps.is_rewritten(one)],
        "the text": [one for one in kept if steps.is_rewritten(one)],
    }
    for label, some in told.items():
        if some:
            line = f"{label}: {'; '.join(map(steps.edit_lines, some))}"
            yield Text(phrases.one_line(line, 300), style="dim")


def headline(story: Story) -> Text:
    """Return what the run came to, in colour."""
    proven = story.confirmed is not None and story.confirmed.status == "proven"
    return Text(phrases.outcome(story), style="bold green" if proven else "bold yellow")


def beside(story: Story) -> Iterator[Text]:
    """Yield what else was read of the initial program and the best one, where it was."""
    if story.confirmed is not None and story.confirmed.no_reference:
        yield Text(f"ET, MP and MI are not known: {story.confirmed.no_reference}")
    if story.confirmed is not None and (found := story.confirmed.with_flags):
        low, high = phrases.times(found.low), phrases.times(found.high)
        gain = f"{phrases.times(found.gain)} ({low} to {high}, 99 % interval)"
        yield Text(f"not in the gain: flags {found.flags} give {gain} on top of the source")
    if told := totals.beside(story):
        yield Text(told, style="dim")


def doubtful(story: Story) -> Iterator[Text]:
    """Yield what is in doubt about the confirmed program, as `prove` says it."""
    for doubt in doubts(story):
        yield Text(phrases.one_line(f"doubt: {doubt.words}", 300), style="yellow")


def top_lessons(items: list[Item]) -> list[Item]:
    """Return the lessons worth a line: largest proven gains first, then one failure."""
    won = [i for i in items if i.type is Branch.SUCCESS and i.significant]
    won.sort(key=lambda item: item.effect, reverse=True)
    lost = [i for i in items if i.type is Branch.FAILURE]
    return won[:_LESSONS] + lost[-1:]


def run_page(
    story: Story, folder: Path, memory: str, *, plain: bool, lost: bool = False
) -> Iterator[RenderableType]:
    """Yield all that is known of a run.

    Args:
        story: The fold of its journal.
        folder: The run's.
        memory: Rendered memory, as the next prompt would show it.
        plain: Whether to draw in ASCII only.
        lost: Whether the run has not ended, and its folder lacks what going on takes.
    """
    yield _head(story, folder)
    yield headline(story)
    yield from doubtful(story)
    yield from beside(story)
    yield from curve(story, plain=plain)
    if story.started is not None:
        yield from seen(story, story.started.initial.id)
    yield from (Text(line) for line in model_costs.lines(story.costs.asked))
    if told := quiet.repeats(story):
        yield Text(told, style="dim")
    yield solutions(story)
    best = champion(story)
    if best is not None:
        yield Text(f"lineage: {' -> '.join(lineage(story, best.id))}")
        yield from change(story)
    if memory:
        yield Text(phrases.clean(memory))
    yield from following(story, folder, lost=lost)


def curve(story: Story, *, plain: bool) -> Iterator[Text]:
    """Yield how the best program of the search got better."""
    if story.curve:
        bars = sparkline(story.curve, width=_BARS, plain=plain)
        yield Text(f"{bars}  {phrases.searched(story)}", style="green")


def _head(story: Story, folder: Path) -> Columns:
    table = Columns(styles=(LABEL,))
    table.add("run", str(folder))
    if started := story.started:
        config = started.config
        table.add("problem", Text(phrases.one_line(started.name)))
        table.add("search", f"{config.get('policy', '')}, seed {config.get('seed', 0)}")
        for told in switches(story.relays):
            table.add("relay", Text(phrases.one_line(told, 300)))
        table.add("started", f"{started.at.astimezone():%Y-%m-%d %H:%M:%S}")
        table.add("isolation", started.isolation)
        if not started.trusted:
            table.add("untrusted", phrases.DOUBT)
        table.add("tokens by", started.tokenizer)
        if started.prior_from:
            table.add("prior", Text(phrases.one_line(started.prior_from, 300)))
        for note in story.notes:
            table.add("note", Text(phrases.one_line(note, 300)))
    if story.drawn is not None:
        table.add("confirmed by", f"inputs of seed {story.drawn}, made when it began")
    table.add("phase", phrases.phase(story))
    table.add("spent", phrases.budget(story))
    if story.failed is not None and story.ended is None:
        table.add("failed", Text(phrases.one_line(story.failed.message, 300), style="red"))
    return table


def solutions(story: Story) -> Columns:
    """Return the table of all steps that had a candidate, or asked a model for one in vain.

    Below them stands the winner without what brought nothing; other trials are no solutions.
    Where models were asked it says what for each step, so that the rows add up to the run's.
    """
    asked = ("asked",) if story.costs.asked.tallies else ()
    names = ("solution", "from", "operator", "against its parent", "in the search", *asked, "")
    table = Columns(names)
    for chapter in story.chapters.values():
        calls = model_costs.in_short(chapter.asked)
        if chapter.solution is None and not calls:
            continue
        found = story.ranks.get(chapter.id)
        total = "" if found is None else phrases.rank(found, story)
        mark = " *" if chapter.id == story.best else ""
        table.add(
            f"{chapter.id}{mark}",
            Text(" + ".join(chapter.selected.parents if chapter.selected else ())),
            Text(phrases.one_line(steps.operator(chapter))),
            Text(steps.effect(chapter, story)),
            Text(total),
            *([Text(calls)] if asked else []),
            Text(steps.standing(chapter), style=steps.STYLES[chapter.standing]),
        )
    for trial in story.trials.values():
        if trial.trimmed is not None and trial.dropped:
            made, edit = trial.trimmed.solution, steps.edit_lines(trial.trimmed)
            rewritten = steps.is_rewritten(trial.trimmed)
            table.add(
                f"{made.id}{' *' if made.id == story.best else ''}",
                Text(" + ".join(made.parents)),
                Text(made.operator),
                "",
                Text(phrases.rank(story.ranks[made.id], story)),
                *([""] if asked else []),
                Text(phrases.clean(edit if rewritten else f"without {edit}")),
            )
    return table


def solution_page(
    story: Story, solution: Solution, *, theme: str = "ansi_dark"
) -> Iterator[RenderableType]:
    """Yield all that is known of one solution."""
    chapter = story.chapter_of(solution.id)
    trial = next((one for one in story.trials.values() if one.id == solution.id), None)
    table = Columns(styles=(LABEL,))
    told = [*_facts(story, solution, chapter), *(_outcome(trial, story) if trial else ())]
    for label, text in told:
        table.add(label, phrases.clean(text))
    yield table
    yield from seen(story, solution.id)
    made = chapter or trial
    if made is not None and made.blocks:
        yield blocks(made.blocks, story)
        yield from _about_blocks(story)
    for path, text in sorted(solution.files.items()):
        yield Text(phrases.one_line(path), style="bold")
        painter = Syntax("", "python", theme=theme, background_color="default")
        code = painter.highlight(phrases.clean(text))
        code.rstrip()
        code.no_wrap = True
        yield code


def _facts(
    story: Story, solution: Solution, chapter: Chapter | None
) -> Iterator[tuple[str, str]]:
    yield "solution", solution.id
    yield "lineage", " -> ".join(lineage(story, solution.id))
    yield "operator", solution.operator
    if not story.trusted:
        yield "untrusted", phrases.DOUBT
    for edit in solution.edits:
        yield "edit", steps.edit_line(edit)
    if (found := story.ranks.get(solution.id)) is not None:
        yield "in the search", phrases.rank(found, story)
    if story.confirmed and story.confirmed.solution == solution.id:
        yield "confirmation", phrases.outcome(story)
    if chapter is None:
        return
    proposal = chapter.proposed.proposal if chapter.proposed else None
    if proposal is not None:
        yield "direction", proposal.direction
        yield "hoped for", proposal.expected_effect
        yield from (("note", note) for note in proposal.notes)
    yield from (("asked", line) for line in model_costs.of_step(chapter.asked))
    yield "verdict", f"{steps.standing(chapter)} {steps.effect(chapter, story)}"
    yield from _challenge(chapter)
    yield from _failure(chapter)
    if chapter.learned and chapter.learned.lesson and chapter.learned.lesson.new_memory_item:
        yield "lesson", lesson_text(chapter.learned.lesson.new_memory_item)
    if chapter.learned and chapter.learned.refused:
        yield "memory", steps.guarded(chapter.learned)


def _outcome(trial: ModelTrial, story: Story) -> Iterator[tuple[str, str]]:
    """Yield what a trial left out of the winner, and what came of it."""
    if done := trial.trimmed:
        yield "a trial of", f"{done.reference}: {steps.tried(done)}"
    yield "outcome", steps.trial_outcome(trial, story)
    yield from _failure(trial)


def _challenge(chapter: Chapter) -> Iterator[tuple[str, str]]:
    if chapter.challenged is None:
        return
    hunt = chapter.challenged.hunt
    if hunt.put_off:
        yield "challenged", "put off to the confirmation: the budget left no time"
    elif hunt.found is None:
        yield "challenged", phrases.challenged(hunt)
    else:
        case = hunt.found.failed
        yield case.name.removeprefix("a "), case.input
        yield "expected", case.expected
        yield "got", case.got
    if hunt.outside:
        yield "note", f"differs outside the inputs seen: {hunt.outside}"


def _failure(made: Chapter | ModelTrial) -> Iterator[tuple[str, str]]:
    found = made.evaluation
    for case in found.failing if found else ():
        yield "failing case", case.name
        yield "expected", case.expected
        yield "got", case.got
    if found and found.feedback:
        yield "feedback", found.feedback
    for measured in made.blocks:
        if measured.block.feedback:
            yield "feedback", measured.block.feedback
        if measured.block.reservation:
            yield "counts for less", measured.block.reservation


def blocks(found: Sequence[BlockMeasured], story: Story) -> Columns:
    """Return the table of the blocks of a step or of a trial."""
    names = ("block", "against", "pairs", "inputs", "level", "before", "after", "effect")
    table = Columns(names)
    for measured in found:
        one = measured.block
        timed = story.timed
        sides = (one.reference, after(one.reference, one.effect) if timed else one.candidate)
        value = phrases.value(one.effect, story)
        table.add(
            str(one.number),
            measured.reference,
            str(one.pairs),
            str(one.inputs),
            str(one.level),
            *(phrases.measured(side, one.unit, timed=timed) for side in sides),
            value.partition(" [")[0],
        )
    return table


def _about_blocks(story: Story) -> Iterator[Text]:
    """Say how the columns of timed blocks belong together, for they are not computed so."""
    if story.started is not None and story.started.measure is ComparisonKind.TIMED:
        yield Text(
            "effect: median of before / after over the pairs of a block; before is the median "
            "of its side, after is what the effect leaves of it. Block 0 is a glance, at two "
            "pairs or as many more as it takes until they agree: later ones count. A gain "
            "above 20x is looked at again: block 1000 is that glance, and only what follows "
            "counts. level: of the sizes of input, from 0.",
            style="dim",
        )


def lessons(items: list[Item]) -> Iterator[RenderableType]:
    """Yield lessons in full, one after another."""
    yield from map(lesson, items)


def lesson_text(item: Item, width: int = 600) -> str:
    """Return a lesson in one paragraph, with where it comes from."""
    figures = "" if "->" in item.title else item.evidence.metrics_delta
    parts = (item.title, item.description, item.content, figures)
    text = " ".join(f"{part.rstrip('.')}." for part in parts if part)
    return phrases.one_line(f"{text} ({item.source_ref.solution_id})", width)


def lesson(item: Item, width: int = 600) -> Text:
    """Return a lesson, marked by whether it is one of a gain."""
    won = item.type is Branch.SUCCESS
    text = Text("  + " if won else "  - ", style="green" if won else "red")
    return text.append(lesson_text(item, width), style="none")


def change(story: Story, limit: int = DIFF_LINES) -> Iterator[RenderableType]:
    """Yield how the best program differs from the initial one, cut after so many lines."""
    best, started = winner(story), story.started
    if best is None or started is None:
        return
    yield Text(f"{best.id}: {phrases.one_line(best.approach)}", style="bold")
    yield coloured(unified(started.initial, best), limit=limit)
