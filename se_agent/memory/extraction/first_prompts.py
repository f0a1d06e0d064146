"""The first prompts for lessons of a run, before it has begun: `--dry-run` shows them.

Pure. A step that nobody has taken stands in for the first one.
"""

from __future__ import annotations

from collections.abc import Iterator

from se_agent.chat.messages import Message, Role
from se_agent.config.sections import MemorySection
from se_agent.memory.extraction import instructions
from se_agent.memory.extraction.trajectory import trajectory
from se_agent.values.step import Step


def lesson_prompts(
    problem: str, step: Step, section: MemorySection, *, siblings: int
) -> Iterator[tuple[Role, tuple[Message, ...]]]:
    """Yield what a model would be asked to extract from a step, and to compress.

    Args:
        problem: The statement.
        step: A judged step.
        section: The section of the run file, which says how lessons are extracted.
        siblings: Steps of a generation, for extraction in a batch.
    """
    told = trajectory(step.slot.parents[0], step)
    if section.extraction == "batch":
        yield Role.EXTRACT, instructions.contrast(problem, [told] * siblings, ())
    else:
        yield Role.EXTRACT, instructions.extraction(problem, told, ())
    yield (
        Role.COMPRESS,
        instructions.compression(
            (),
            successes=section.local.keep_successes,
            failures=section.local.keep_failures,
            room=section.local.item_token_limit,
        ),
    )
