"""`memory explain`: why an item is believed, and what showing it was worth."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from se_agent.cli.commands.memory_items import IdArgument, unknown_id, whole_id
from se_agent.cli.commands.run import JsonOption
from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.cli.workspace_option import ResultsOption, WorkspaceOption, open_workspace
from se_agent.wire.spelling import visible

if TYPE_CHECKING:
    from se_agent.memory import Explanation


def explain(
    id_: IdArgument,
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say where a lesson comes from, and what it was worth to the steps that saw it.

    Each step is named by its run and its row in that run's journal; prompts, replies and
    what was shown can be looked up there.
    """
    from se_agent.memory import explanation_of

    screen = Screen(as_json=as_json)
    with open_workspace(results, workspace, write=False) as opened:
        found = explanation_of(opened.items(), whole_id(id_))
    if found is None:
        raise unknown_id(whole_id(id_))
    if as_json:
        screen.answer(_row(found))
        return
    for line in _lines(found):
        screen.quote(visible(line))


def _row(found: Explanation) -> dict[str, object]:
    lift = found.lift
    return {
        "item": asdict(found.item),
        "sources": [one._asdict() for one in found.sources],
        "versions": [one._asdict() for one in found.versions],
        "exposures": [asdict(one) for one in found.exposures],
        "lift": {**lift._asdict(), "low": lift.low, "high": lift.high},
    }


def _lines(found: Explanation) -> Iterator[str]:
    item = found.item
    yield f"{item.id}: {item.title}"
    yield f"  {item.kind}, {item.status}, {_effect(item.effect, proven=item.significant)}"
    yield from (f"  {text}" for text in (item.description, item.content) if text)
    yield "comes from:" if found.sources else "comes from a person"
    for one in found.sources:
        yield f"  {one.run}: {one.solution} from {one.parent}, row {one.event} of its journal"
        if one.request:
            yield f"    asked {one.model}: prompt {one.request[:12]}, reply {one.reply[:12]}"
        yield from (f"    {line}" for line in one.diff.splitlines())
    yield "became what it is:"
    yield from (f"  {one.at}: {one.why}" for one in found.versions)
    yield _worth(found)
    for row in found.exposures:
        seen = row.exposure
        came = f"gain {math.exp(seen.gain):.2f}x" if row.proven else "no proven gain"
        told = "shown" if seen.shown else "left out of the prompt, to compare"
        used = ", declared as used" if row.declared else ""
        yield f"  {seen.run}, slot {seen.slot}, {seen.operator}: {told}{used}; {came}"


def _effect(effect: float, *, proven: bool) -> str:
    """Return what the steps of an item achieved; of a score, `effect` is a difference."""
    if not math.isfinite(effect):
        return "programs were not right"
    return f"effect {effect:+.4g}, {'proven' if proven else 'not proven'}"


def _worth(found: Explanation) -> str:
    lift = found.lift
    times = f"shown {lift.shown} times, left out {lift.withheld} times"
    if not lift.shown or not lift.withheld:
        return f"worth to those who were shown it: not known ({times})"
    gain, low, high = (math.exp(each) for each in (lift.lift, lift.low, lift.high))
    return (
        f"worth to those who were shown it: {gain:.2f}x a step"
        f" ({low:.2f}x to {high:.2f}x, 95 %; {times})"
    )
