"""An answer as it is kept beside a run: all of it, up to a third of what is kept of a failure.

Not here: an answer as people and prompts see it (`shown`).
"""

from __future__ import annotations

from evaluators.running.runner import Runner
from evaluators.sandbox.ends import ends_of
from evaluators.sandbox.job import JobAnswer
from se_agent.errors import WireError
from se_agent.values.evaluation import MOST_OUTPUT

_MOST = MOST_OUTPUT // 3 - 100
"""Bytes of an input, of the right answer and of the given one."""


def whole_answer(runner: Runner, answer: JobAnswer) -> str:
    """Return an answer as text; one too large to be decoded as it came over the wire."""
    if answer.error:
        return f"raises {answer.error}"
    if len(answer.value) > _MOST:
        return ends_of(answer.value, _MOST)
    try:
        value = runner.typed(answer.value)
        text = value if isinstance(value, str) else repr(value)
    except (WireError, ValueError, RecursionError):  # too deep, or an integer of 5,000 digits
        text = answer.value.decode("utf-8", "backslashreplace")
    return ends_of(text.encode("utf-8", "backslashreplace"), _MOST)
