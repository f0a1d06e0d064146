"""A search or a confirmation that a time limit ended too soon: which limit would be enough.

Not here: that nothing was tried, which every view of such a run says (`report.words`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.values.evaluation import InputSet
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.cli.screen import Screen
    from se_agent.config.run_file import Run
    from se_agent.report.story import Story

_ROUND = 10  # seconds: a figure from one measurement is no finer than that


def more_time(folder: Path, story: Story, screen: Screen) -> None:
    """Print which time limits would be enough, if one left a generation nothing.

    If one broke off the confirmation, print the command that completes it: with twice the time.
    """
    from se_agent.engine.journal.folder import configuration_of
    from se_agent.engine.judging.confirm import OUT_OF_TIME
    from se_agent.report.words.phrases import TIME_LIMITS, untried

    found = story.confirmed
    if found is not None and found.note == OUT_OF_TIME and not untried(story):
        again = command("resume", folder, *_twice(story))
        screen.offer("with more time the search goes on, and its gain may be confirmed", again)
    if untried(story) and story.budget_end in TIME_LIMITS:
        *told, options = lines(story, _of_now(story, configuration_of(folder)))
        for line in told:
            screen.say(line)
        screen.offer(*options.split(": ", 1))


def _of_now(story: Story, config: Run) -> Run:
    """Return the run file with the limits of the last resume."""
    from se_agent.config.changes import changed

    limits = story.started.config.get("budget", {}) if story.started else {}
    return changed(config, {f"budget.{name}": limit for name, limit in limits.items()})


def _twice(story: Story) -> Iterator[str]:
    """Yield options that double the time limits of a run, those of its last resume."""
    from se_agent.report.words.phrases import TIME_LIMITS

    limits = story.started.config.get("budget", {}) if story.started else {}
    for name in TIME_LIMITS:
        limit = limits.get(name)
        if limit is not None:
            yield "--set"
            yield f"budget.{name}={_ROUND * math.ceil(2 * limit / _ROUND)}"


def lines(story: Story, config: Run) -> Iterator[str]:
    """Yield what was spent before the search, and the limits that would be enough.

    A candidate is expected to take what the self-test took, which compares as often; without a
    self-test, what the check of the problem took.

    Args:
        story: Story of a run that tried nothing, for want of time.
        config: Its run file.
    """
    from se_agent.engine.state.budget import BudgetLimits
    from se_agent.values.objective import seconds

    started, ended, budget = story.started, story.search_ended, config.budget
    assert started is not None
    assert ended is not None
    limits, count = BudgetLimits.of(config, started), config.generation_size
    if budget.evaluations is not None:
        count = min(count, budget.evaluations)
    own = [event for event in story.own_blocks if event.inputs is InputSet.SEARCH]
    tested = math.fsum(event.block.cost_seconds for event in own)
    each = (tested or started.cost_seconds) / ended.cpu_seconds  # of what was spent
    spent = (
        ("cpu_seconds", ended.cpu_seconds, budget.cpu_seconds),
        ("wall_seconds", ended.wall_seconds, budget.wall_seconds),
    )
    before = "the check and the self-test" if own else "the check of the problem"
    options = []
    for name, used, limit in spent:
        enough = limits.leaving(used * (1 + count * each))
        if limit is not None and limit < enough:
            yield (
                f"budget.{name} = {limit:g}: {before} took {seconds(used)}, and "
                f"{seconds(limits.kept(limit))} are kept for {limits.kept_for}"
            )
            options.append(f"--set budget.{name}={_ROUND * math.ceil(enough / _ROUND)}")
    yield f"enough for about {counted(count, 'candidate')}: {' '.join(options)}"
