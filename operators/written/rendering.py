"""Prompts out of the templates in `operators/prompts`, and the words that they need.

What comes from outside reaches a template as a value, and a text of several lines only through
`fenced`. Not here: what a template says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from operators.written.excerpt import excerpt
from se_agent.chat.escaping import inline
from se_agent.chat.fencing import capped, fenced, guarded, printable
from se_agent.chat.prompt_templates import environment_of
from se_agent.chat.references import language_of, preview
from se_agent.program.editable import in_words
from se_agent.values.artifact import ArtifactRef
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Status
from se_agent.values.objective import Goal
from se_agent.values.usage import PathFunction

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER = Path(__file__).parents[1] / "prompts"
_ENDINGS = {
    Status.WA: "it gives a wrong answer",
    Status.TLE: "it takes too long",
    Status.MLE: "it takes too much memory",
    Status.RE: "it ends with an error",
    Status.CE: "it does not compile, or cannot be loaded",
    Status.REJECTED: "it does what programs here may not do",
}
_SPOKEN = {"cpp": "C++", "javascript": "JavaScript"}
GUARDED = r"In this program `<` and `|` side by side are shown as `<\|`: write them so, too."
"""Stands below a program that had to be changed for that."""

_SMALL = 0.1  # effect that is told in per cent
_LINE = 400  # characters of a text on one line


def rendered(template: str, **values: object) -> str:
    """Return a prompt.

    Args:
        template: Name of its file, without `.jinja`.
        values: What the template names; all of it, and only that.

    Raises:
        jinja2.UndefinedError: The template names something else.
    """
    return _environment().get_template(f"{template}.jinja").render(values).strip() + "\n"


@cache
def _environment() -> Environment:
    made = environment_of(_FOLDER)
    made.filters |= {
        "fenced": fenced,
        "named": in_words,
        "shown": shown,
        "spoken": spoken,
        "printed": printed,
        "referred": referred,
        "line": line,
        "gain": gain,
        "ratios": ratios,
        "steps": path_steps,
        "ending": ending,
        "wish": wish,
    }
    return made


def shown(text: str, brief: Brief, lines: Sequence[int] = ()) -> str:
    """Return a program as a block, exact: all of it, or what matters where it is too long.

    Only what would begin the marker of a turn is written otherwise, and a line says so.

    Args:
        text: The program.
        brief: Says how long it may be, and what may change in it.
        lines: Numbers of the lines that matter most, from 1.
    """
    names = {"editable": brief.editable, "entry": brief.entry_point}
    block = fenced(guarded(excerpt(text, brief.room, **names, hot=lines)), brief.language)
    return block if guarded(text) == text else f"{block}\n{GUARDED}"


def printed(text: str, limit: int, label: str = "") -> str:
    """Return a text that need not be exact as a block: made visible, and cut to `limit`."""
    return fenced(capped(printable(text), limit), label)


def referred(output: ArtifactRef, brief: Brief) -> str:
    """Return what is shown of a large output as a block: it is foreign text."""
    return fenced(printable(preview(output, language=language_of(brief.problem))))


def path_steps(path: Sequence[PathFunction]) -> str:
    """Return a hot path, a function a line."""
    return "\n".join(
        f"{one.share:4.0%}  {one.calls:>7,} calls  {line(one.name)} ({one.relation}), "
        f"{line(one.file)}:{one.line}"
        for one in path
    )


def line(text: str) -> str:
    """Return a text as part of a line."""
    made = inline(text[: 2 * _LINE])
    return made if len(made) <= _LINE else made[: _LINE - 1] + "…"


def spoken(language: str) -> str:
    """Return the name of a language as people write it."""
    return _SPOKEN.get(language, language.capitalize())


def wish(goal: Goal) -> str:
    """Return what is wanted, such as `less CPU time` or `a larger score`."""
    if goal.ratio:
        return f"less {line(goal.title)}"
    return f"a {'larger' if goal.larger else 'smaller'} {line(goal.title)}{_unit(goal)}"


def gain(effect: float, goal: Goal) -> str:
    """Return an effect in words, such as `1.84x less CPU time` or `score 2.5 better`."""
    title = line(goal.title)
    if not goal.ratio:
        mark = "" if goal.trusted else "untrusted "
        return f"{mark}{title} {abs(effect):.4g} {'better' if effect >= 0 else 'worse'}"
    size = f"{math.expm1(abs(effect)):.1%}" if abs(effect) < _SMALL else _times(abs(effect))
    return f"{size} {'less' if effect >= 0 else 'more'} {title}"


def ratios(interval: tuple[float, float], goal: Goal) -> str:
    """Return an interval of effects in words, such as `1.71x to 1.98x`."""
    low, high = interval
    if not goal.ratio:
        return f"{low:+.4g} to {high:+.4g}, where 0 is no difference"
    return f"{_times(low)} to {_times(high)}, where 1x is no difference"


def ending(status: Status) -> str:
    """Return in words how a candidate failed."""
    return _ENDINGS[status]


def _times(effect: float) -> str:
    return f"{math.exp(max(-700.0, min(effect, 700.0))):.3g}x"


def _unit(goal: Goal) -> str:
    return f" ({line(goal.unit)})" if goal.unit else ""
