"""The two messages of a prompt: what never changes and memory, then what is new.

Not here: the words, which are templates, and how they are rendered (`rendering`).
"""

from __future__ import annotations

from operators.written.rendering import rendered
from operators.written.seen import dear_lines, growth, new_lines
from se_agent.chat.messages import Message
from se_agent.values.brief import Brief
from se_agent.values.solution import Solution


def messages(
    name: str, brief: Brief, base: Solution, **constant: object
) -> tuple[Message, Message]:
    """Return what the templates `name.system` and `name.user` make of a brief.

    The first is the same for all slots of a run, up to memory at its end (LM-31, LM-33): caches
    of prompts begin with it. Only where programs outgrow `brief.room` it asks for another form.

    Args:
        name: Name of the operator.
        brief: What it may know.
        base: The program that the prompt is about.
        constant: What both templates may name besides; the same in all slots of a run.
    """
    partial = len(base.text) > brief.room
    told = {"brief": brief, "base": base, "partial": partial, **constant}
    hot = [each.line for each in brief.observed.hot]
    parent = brief.slot.parents[0]
    new = {
        "parent_lines": hot,
        "base_lines": hot if base is parent else new_lines(parent.text, base.text),
        "hot": dear_lines(brief.observed.hot),
        "allocations": dear_lines(brief.observed.allocations),
        "growth": growth(brief.observed.scaling),
        "effects": brief.search.effects or (None,) * len(brief.slot.parents),
    }
    return (
        Message("system", rendered(f"{name}.system", **told)),
        Message("user", rendered(f"{name}.user", **told, **new)),
    )
