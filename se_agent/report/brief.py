"""A run on one screen: its result with its doubts, where the gain lies, what comes next.

At most some forty lines of eighty columns, whatever the run was. Not here: all that is known of
it (`terminal.page`), and its object for programs (`se_agent.cli.json_row`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from se_agent.config.deviations import deviating, in_words
from se_agent.report import steps
from se_agent.report.story import Story, items, lineage
from se_agent.report.terminal import page
from se_agent.report.terminal.columns import Columns
from se_agent.report.words import best as best_of
from se_agent.report.words import hot_lines, memory_worth, model_costs, phrases
from se_agent.report.words.machine import machine
from se_agent.report.words.relay import switches
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from se_agent.values.lesson import Item
    from se_agent.values.solution import Solution

_NOTES = 3
_NOTE = 230  # characters of a note
_STEPS = 5  # of the way to the best program
_LESSON = 140  # characters of a lesson
_OPERATORS = 6  # names in a line
_TITLE = "bold"


def brief(
    story: Story, folder: Path, *, plain: bool, lost: bool = False
) -> Iterator[RenderableType]:
    """Yield a run on one screen.

    Args:
        story: The fold of its journal.
        folder: The run's.
        plain: Whether to draw in ASCII only.
        lost: Whether the run has not ended, and its folder lacks what going on takes.
    """
    yield _head(story, folder)
    yield page.headline(story)
    yield from page.doubtful(story)
    yield from page.style(story)
    yield from machine(story)
    yield from _doubts(story)
    yield from page.curve(story, plain=plain)
    yield from lies(story)
    yield from _spent(story)
    yield from exhausted(story)
    yield from _learned(page.top_lessons(items(story)))
    every = command("show", folder, "--all")
    yield from best_of.following(story, folder, lost=lost, more=every)


def summary(
    story: Story, folder: Path, *, diff_lines: int = page.DIFF_LINES
) -> Iterator[RenderableType]:
    """Yield the end of a run: its result, the change, the lessons, the next step."""
    yield from page.result(story)
    yield from exhausted(story)
    yield from lies(story)
    yield from page.change(story, diff_lines)
    yield from _learned(page.top_lessons(items(story)))
    yield from best_of.following(story, folder)


def _head(story: Story, folder: Path) -> Columns:
    table = Columns(styles=(best_of.LABEL,))
    table.add("run", str(folder))
    if started := story.started:
        seed = started.config.get("seed", 0)
        table.add("problem", f"{phrases.one_line(started.name)}, seed {seed}")
        if changed := deviating(started):
            table.add("settings", phrases.one_line(in_words(changed), 200))
        for told in switches(story.relays[-1:]):
            table.add("relay", phrases.one_line(told, 200))
        if not started.trusted:
            table.add("untrusted", phrases.DOUBT)
    if story.ended is None:
        table.add("phase", phrases.phase(story))
    if story.failed is not None and story.ended is None:
        table.add("failed", Text(phrases.one_line(story.failed.message, 200), style="red"))
    return table


def _doubts(story: Story) -> Iterator[Text]:
    notes = [*story.notes]
    for note in notes[:_NOTES]:
        yield Text(phrases.one_line(f"note: {note}", _NOTE), style="yellow")
    if (more := len(notes) - _NOTES) > 0:
        yield Text(f"{counted(more, 'more note')}: --all shows them", style="yellow")


def lies(story: Story) -> Iterator[RenderableType]:
    """Yield where the gain of the best program lies, and what takes the time that is left."""
    best = best_of.champion(story)
    started = story.started
    if started is None or best is None:
        return
    if best.id != started.initial.id:
        yield Text("Where the gain lies, step by step", style=_TITLE)
        yield _way(story, best)
    seen = story.observed.get(best.id) or story.observed.get(started.initial.id)
    if seen is not None and (seen.hot or seen.scaling):
        whose = best.id if best.id in story.observed else started.initial.id
        yield Text(f"Where the time of {whose} goes", style=_TITLE)
        of = "CPU time" if story.timed else "lines run"
        yield from (Text(f"  {line}") for line in hot_lines.in_words(seen, of=of))


def _way(story: Story, best: Solution) -> Columns:
    """Return the steps to the best program, of many those with the largest effects."""
    rows = [_step(story, name) for name in lineage(story, best.id)[1:]]
    shown = sorted(sorted(rows, key=lambda row: -row[0])[:_STEPS], key=rows.index)
    table = Columns(styles=("cyan",), indent=2)
    for _, *cells in shown:
        table.add(*cells)
    if more := len(rows) - len(shown):
        table.add("...", counted(more, "smaller step"), "")
    return table


def _trimmed(story: Story, name: str) -> str:
    """Return what the trial did that a program comes from."""
    done = (trial.trimmed for trial in story.trials.values() if trial.trimmed)
    return next((steps.tried(one) for one in done if one.solution.id == name), "")


def _step(story: Story, name: str) -> tuple[float, str, str, str]:
    """Return how much a step of the way was worth, its program, what it did, and its effect."""
    chapter, made = story.chapter_of(name), story.solutions[name]
    parent = story.solutions.get(made.parents[0]) if made.parents else None
    known = frozenset(parent.edits) if parent else frozenset()
    where = dict.fromkeys(e.function for e in made.edits if e not in known and e.function)
    did = steps.operator(chapter) if chapter else _trimmed(story, name)
    told = phrases.one_line(f"{did} in {', '.join(where)}" if where else did, 60)
    verdict = chapter.verdict if chapter else None
    effect = steps.effect(chapter, story) if chapter else ""
    return verdict.effect if verdict else 0.0, name, told, effect


def _spent(story: Story) -> Iterator[Text]:
    yield Text("What was spent", style=_TITLE)
    if story.budget_end:
        yield Text(f"  {phrases.search_end(story).removeprefix('spent: ')}")
    else:
        yield Text(f"  {phrases.budget(story)}")
    counts = story.counts()
    told = (f"{n} {phrases.ENDINGS.get(word, word)}" for word, n in counts.most_common())
    if counts:
        yield Text(f"  {counted(counts.total(), 'step')}: {', '.join(told)}")
    for line in [*model_costs.lines(story.costs.asked)][:1]:
        yield Text(f"  {line}")
    if line := memory_worth.line(story.weighing.worth):
        yield Text(f"  {line}")


def exhausted(story: Story) -> Iterator[Text]:
    """Yield what was looked for, and what may help, where nothing was left to try."""
    if story.budget_end != "exhausted":
        return
    tried = Counter(
        steps.operator(c) for c in story.chapters.values() if c.solution is not None
    )
    yield Text("Why nothing was left to try", style=_TITLE)
    if tried:
        named = [f"{name} ({n})" for name, n in tried.most_common(_OPERATORS)]
        others = f" and {len(tried) - len(named)} more" if len(tried) > len(named) else ""
        yield Text(
            f"  tried: {', '.join(named)}{others}; no rule has another change to propose"
        )
    else:
        yield Text("  no rule has a change of this program to propose: `se-agent operators`")
    yield Text(f"  what may help: {_help(story)}")


def _help(story: Story) -> str:
    """Say what may bring more than rules did."""
    asked = bool(story.started and story.started.config.get("models"))
    model = (
        "" if asked else "a language model (`--model NAME`), which writes other algorithms; "
    )
    return (
        f"{model}larger inputs, on which a better algorithm shows more; "
        "another function, where more of the time is spent"
    )


def _learned(found: Sequence[Item]) -> Iterator[Text]:
    if found:
        yield Text("What was learned", style=_TITLE)
    yield from (page.lesson(item, _LESSON) for item in found)
