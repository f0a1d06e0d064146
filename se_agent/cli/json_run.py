"""The object of `show --json`: the row of a run, with its solutions and what was learned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from se_agent.cli.json_row import row
from se_agent.cli.naming import named

if TYPE_CHECKING:
    from se_agent.engine.journal.result import Result
    from se_agent.report.story import Story
    from se_agent.values.solution import Solution


def told_of(result: Result, story: Story, solution: str = "") -> dict[str, object]:
    """Return the object of a run, or of one of its solutions.

    Args:
        result: What the run came to.
        story: The fold of its journal.
        solution: Id of a solution, `initial` or `best`; empty: the run.

    Raises:
        ConfigError: There is no solution of that id.
    """
    if solution:
        found = named(story, solution)
        return {"run": result.run, **_solution(story, found), "files": dict(found.files)}
    return {
        **row(result),
        "solutions": [_solution(story, each) for each in story.solutions.values()],
        "lessons": _lessons(story),
    }


def _solution(story: Story, solution: Solution) -> dict[str, object]:
    """Return a solution; effects are logarithms of ratios, or differences of scores."""
    from se_agent.report.steps import edit_line, standing

    chapter = story.chapter_of(solution.id)
    verdict = chapter.verdict if chapter else None
    low, high = verdict.interval if verdict else (None, None)
    return {
        "id": solution.id,
        "parents": list(solution.parents),
        "operator": solution.operator,
        "standing": standing(chapter) if chapter else "",
        "effect": _finite(verdict.effect if verdict else None),
        "effect_low": _finite(low),
        "effect_high": _finite(high),
        "in_the_search": _finite(story.ranks.get(solution.id)),
        "edits": [edit_line(edit) for edit in solution.edits],
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _lessons(story: Story) -> list[dict[str, object]]:
    from se_agent.report.story import items

    return [
        {
            "solution": item.source_ref.solution_id,
            "type": str(item.type),
            "proven": item.significant,
            "title": item.title,
            "content": item.content,
        }
        for item in items(story)
    ]
