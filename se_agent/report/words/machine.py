"""How busy the machine was while programs were measured: a fact, no doubt about a program."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from se_agent.report.story import Story
from se_agent.stats.summary import busy

_BUSY = 0.1
"""Share of the time from which on a machine is called busy."""


def load(share: float | None) -> str:
    """Say how busy the machine was, as the scheduler tells; nothing where it was not.

    Args:
        share: See `summary.busy`.
    """
    if share is None or share < _BUSY:
        return ""
    return (
        f"the machine was busy: for {share:.0%} of their time on the wall programs were ready "
        "to run and others had their core; CPU time does not count that"
    )


def machine(story: Story) -> Iterator[Text]:
    """Yield the load of a run's machine, once."""
    if told := load(busy([event.block for event in story.own_blocks])):
        yield Text(told, style="dim")
