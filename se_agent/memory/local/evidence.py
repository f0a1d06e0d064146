"""What a finished step showed, in words and numbers: the raw material of a lesson.

Pure. It states what was measured; what follows from it is the extractor's business.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from se_agent.chat.escaping import inline, quoted_value
from se_agent.memory.local.applying import CONSTRUCTS, constructs
from se_agent.program.error_report import telling_part
from se_agent.values.evaluation import Comparison, ComparisonKind, Evaluation, Status, Verdict
from se_agent.values.lesson import Outcome
from se_agent.values.objective import amount
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Step

if TYPE_CHECKING:
    from se_agent.program.features import ChangeSummary

_FEEDBACK = 160  # characters of the evaluator's words
_NAMED = 3  # functions or edits that a text names

_FRAME = re.compile(r"^  .+?:\d+ in (\S+): ", re.MULTILINE)
"""A line of an evaluator's words such as `  main.py:7 in Heap.add: return f(n)`."""

_WORDS = {
    Status.AC: "right",
    Status.WA: "wrong answer",
    Status.TLE: "too slow",
    Status.MLE: "too much memory",
    Status.RE: "runtime error",
    Status.CE: "does not compile",
    Status.REJECTED: "forbidden by the sandbox",
}


def raised_in(feedback: str) -> tuple[str, ...]:
    """Return the functions of a program that an exception passed, the innermost one first.

    They are named as in an `Edit`; a lambda or comprehension is part of the function around it.
    Too deep a recursion ends in whatever function happened to be called last: nothing is said.
    """
    if feedback.startswith(RecursionError.__name__):
        return ()
    return tuple(
        ".".join(part for part in name.split(".") if not part.startswith("<"))
        for name in reversed(_FRAME.findall(feedback))
    )


def outcome_of(verdict: Verdict) -> Outcome:
    """Return how a direction fared: within noise it is neutral, whatever its sign (X-03)."""
    if verdict.status is not Status.AC:
        return Outcome.FAILED
    if verdict.significant:
        return Outcome.SUCCESS
    return Outcome.FAILED if verdict.interval[1] < 0 else Outcome.NEUTRAL


def result_phrase(step: Step) -> str:
    """Return the result in one phrase (LM-26): `10.5 ms -> 0.11 ms (95x)`, `WA on case 3`."""
    assert step.verdict is not None
    if step.verdict.status is not Status.AC:
        assert step.evaluation is not None
        return _failure(step.verdict.status, step.evaluation, step.comparison)
    if step.comparison is None:
        return "right, not compared"
    told = figures(step.comparison)
    within = outcome_of(step.verdict) is Outcome.NEUTRAL
    timed = step.comparison.kind is ComparisonKind.TIMED
    return f"{told.partition(' (')[0]} (within noise)" if within and timed else told


def figures(comparison: Comparison) -> str:
    """Return old and new figure with what they amount to; one that may be made up says so.

    Of a score it is said which way is better, for its sign does not tell.

    The effect is what was measured in pairs: where both medians contradict it, the new figure
    is what the effect makes of the old one.
    """
    old, new = comparison.reference, comparison.candidate
    if comparison.kind is ComparisonKind.EXACT:
        mark = "" if comparison.trusted else "untrusted "
        return f"{mark}score {old:.6g} -> {new:.6g} ({score_change(comparison.effect)})"
    unit, effect = comparison.blocks[-1].unit, comparison.effect
    if old and (new > old) != (effect < 0):  # medians of few pairs may say the opposite
        new = old * math.exp(max(-700.0, min(-effect, 700.0)))
    shown = (amount(value, unit) for value in (old, new))
    return f"{' -> '.join(shown)} ({ratio(comparison.effect)})"


def score_change(effect: float) -> str:
    """Return a difference of scores as `0.1 better`, `27 worse` or `no change`."""
    if not effect:
        return "no change"
    return f"{abs(effect):.3g} {'better' if effect > 0 else 'worse'}"


def ratio(effect: float) -> str:
    """Return an effect as `95x`, `1.23x`, or `1.15x slower`; `no change` below 0.5 %."""
    if abs(effect) < 0.005:
        return "no change"
    times = math.exp(min(abs(effect), 700.0))  # beyond that the figure overflows
    return f"{times:.3g}x" + (" slower" if effect < 0 else "")


def _failure(status: Status, evaluation: Evaluation, comparison: Comparison | None) -> str:
    if evaluation.status is Status.AC and comparison is not None:
        block = next(b for b in comparison.blocks if b.status is not Status.AC)
        return f"{status} while measured{_told(block.feedback)}"
    if not evaluation.failing:
        return f"{status}{_told(evaluation.feedback) or f': {_WORDS[status]}'}"
    case = evaluation.failing[0]
    name = inline(case.name[:_FEEDBACK])
    if status is not Status.WA:
        return f"{status} on {name}{_told(evaluation.feedback)}"
    return f"WA on {name}: expected {quoted_value(case.expected)}, got {quoted_value(case.got)}"


def _told(feedback: str) -> str:
    """Return what a report says most clearly, as a code span: in a prompt it is data."""
    told = telling_part(feedback, _FEEDBACK)
    return f": {quoted_value(told, width=_FEEDBACK)}" if told else ""


def context(step: Step) -> str:
    """Return where the result holds (LM-27): size of inputs, how sure, what else was there."""
    comparison, verdict = step.comparison, step.verdict
    if comparison is None or verdict is None or comparison.kind is ComparisonKind.EXACT:
        return ""
    last = comparison.blocks[-1]
    if comparison.status is not Status.AC:
        return f"inputs of level {last.level}"
    low, high = (math.exp(max(-700.0, min(end, 700.0))) for end in verdict.interval)
    several = f"{len(comparison.blocks)} blocks" if len(comparison.blocks) > 1 else "1 block"
    return f"inputs of level {last.level}; {several}, interval {low:.3g}x to {high:.3g}x"


@dataclass(frozen=True)
class MeasuredChange:
    """What a child has that its parent has not; the texts are compared at most once."""

    parent: Solution
    child: Solution

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """Edits of the child that its parent has not, at a cost linear in their number."""
        known = frozenset(self.parent.edits)
        return tuple(edit for edit in self.child.edits if edit not in known)

    @cached_property
    def functions(self) -> tuple[str, ...]:
        """Functions that changed, by the edits or else by the texts themselves."""
        if self.edits:
            return tuple(dict.fromkeys(edit.function for edit in self.edits if edit.function))
        names = (name for _, found in self._files for name in found.functions)
        return tuple(dict.fromkeys(names))

    @cached_property
    def constructs(self) -> tuple[str, ...]:
        """What the change took out of the parent, as lines with open names."""
        gone = (
            constructs(self.parent.files.get(p, ""), t) for p, t in self.child.files.items()
        )
        return tuple(dict.fromkeys(each for found in gone for each in found))[:CONSTRUCTS]

    def __str__(self) -> str:
        several = len(self.child.files) > 1
        said = [f"{path}: {found}" if several else str(found) for path, found in self._files]
        return "; ".join(said[:_NAMED])

    @cached_property
    def _files(self) -> tuple[tuple[str, ChangeSummary], ...]:
        from se_agent.program.features import summary

        old = self.parent.files
        files = sorted(self.child.files.items())
        changed = [(path, text) for path, text in files if old.get(path, "") != text]
        return tuple((path, summary(old.get(path, ""), text)) for path, text in changed)


def place(functions: tuple[str, ...]) -> str:
    """Return ` in `f`, `g`` or nothing."""
    if not functions:
        return ""
    more = ", ..." if len(functions) > _NAMED else ""
    return (
        " in " + ", ".join(quoted_value(name, width=40) for name in functions[:_NAMED]) + more
    )
