"""The prompts of the memory: what a model is told when it distils or compresses lessons.

Pure. What never changes in a run comes first, so that an endpoint's cache can hold it. Not
here: the prompts of operators, into which the rendered memory goes (X-12).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from se_agent.chat.escaping import inline
from se_agent.chat.fencing import capped, fenced, printable
from se_agent.chat.messages import Message
from se_agent.memory.extraction.templates import filled_prompt
from se_agent.memory.extraction.trajectory import Trajectory
from se_agent.values.evaluation import Branch
from se_agent.values.lesson import Direction, Item

_PROBLEM, _DIFF, _DIFFS = 6_000, 12_000, 24_000  # characters that are shown of each


def extraction(
    problem: str, step: Trajectory, directions: Sequence[Direction]
) -> tuple[Message, ...]:
    """Return the prompt for one step (LM-43 to LM-50, LM-63).

    The branch was chosen before (LM-40 to LM-42): each has a prompt of its own.
    """
    template = "success" if step.branch is Branch.SUCCESS else "failure"
    asked = filled_prompt(
        template, step=step, diff=_diff(step, _DIFF), directions=listed_directions(directions)
    )
    return _manager(problem), Message("user", asked)


def contrast(
    problem: str, steps: Sequence[Trajectory], directions: Sequence[Direction]
) -> tuple[Message, ...]:
    """Return the prompt that lets a model contrast finished siblings, at least one."""
    asked = filled_prompt(
        "siblings",
        steps=steps,
        diffs=[_diff(step, _DIFFS // len(steps)) for step in steps],
        directions=listed_directions(directions),
    )
    return _manager(problem), Message("user", asked)


def compression(
    items: Sequence[Item], *, successes: int, failures: int, room: int
) -> tuple[Message, ...]:
    """Return the prompt for a compression with the seed's policy (LM-56 to LM-60).

    Args:
        items: The bank, oldest first.
        successes: Number of successes that may be kept.
        failures: Number of failures that may be kept.
        room: Tokens of a lesson.
    """
    lessons = "\n".join(
        json.dumps(_shown(*one), ensure_ascii=False) for one in enumerate(items)
    )
    asked = filled_prompt(
        "compress",
        successes=successes,
        failures=failures,
        room=room,
        lessons=fenced(lessons, "json"),
    )
    return Message("system", filled_prompt("keeper")), Message("user", asked)


def listed_directions(directions: Sequence[Direction]) -> str:
    """Return the current directions as fenced JSON, one a line (LM-45)."""
    rows = [
        {
            "key": entry.key,
            "direction": inline(entry.direction),
            "outcome": entry.outcome.value,
            "source_ref": entry.source_ref.solution_id,
            "evidence": inline(entry.evidence),
            "tries": entry.tries,
        }
        for entry in directions
    ]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return fenced(f"[{lines}]", "json")


def text_of(messages: Sequence[Message]) -> str:
    """Return all that a model is told: figures that are not in it are none of its business."""
    return "\n".join(message.content for message in messages)


def _manager(problem: str) -> Message:
    shown = fenced(printable(capped(problem, _PROBLEM)))
    return Message("system", filled_prompt("manager", problem=shown))


def _diff(step: Trajectory, limit: int) -> str:
    return fenced(printable(capped(step.diff, limit)), "diff")


def _shown(number: int, item: Item) -> dict[str, str | int]:
    return {
        "number": number,
        "type": item.type.value,
        "title": inline(item.title),
        "description": inline(item.description),
        "content": inline(item.content),
        "operator": inline(item.related_operator),
        "source": item.source_ref.solution_id,
        "status": item.status.value,
        "effect": f"{item.effect:.3g}",
        "verdict": "significant" if item.significant else "not proven",
        "code_change": inline(item.evidence.code_change),
        "metrics_delta": inline(item.evidence.metrics_delta),
        "context": inline(item.evidence.context),
        "seen": item.merged,
    }
