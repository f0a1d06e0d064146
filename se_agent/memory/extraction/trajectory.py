"""The trajectory summary of a step (LM-35, X-13): all that an extraction is told of it.

Pure. What was tried, from which parent, what was measured and how sure that is, in words that
need no unit beside them. Not here: what follows from it (`rule_extractor`, `llm_extractor`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from se_agent.chat.escaping import inline, quoted_value
from se_agent.memory.local import evidence
from se_agent.values.evaluation import Branch, Comparison, ComparisonKind, Status, Verdict
from se_agent.values.lesson import Outcome
from se_agent.values.objective import UNITS, Quantity, amount
from se_agent.values.solution import Solution
from se_agent.values.step import Step

_WIDTH = 200  # characters of a declared text
_CASES = 3  # failing cases that are told
_TITLES = {
    "s": "Runtime",
    UNITS[Quantity.MEMORY]: "Peak Memory",
    UNITS[Quantity.MEMORY_TIME]: "Memory over Time",
    UNITS[Quantity.INSTRUCTIONS]: "Instructions",
}


@dataclass(frozen=True, kw_only=True)
class Trajectory:
    """A finished step, told.

    Attributes:
        child: Id of the candidate.
        parent: Id of the program that it was compared with.
        operator: What made it.
        approach: The strategy it follows; empty: none was named.
        direction: What was changed, as declared before it was measured.
        expected: What its maker expected of it; empty: nothing was said.
        used: Lessons that it says it drew on.
        diff: Unified, of all files.
        change: The size and the place of the change.
        branch: The extraction that it goes to: by sign, and failure where it is not right.
        quantity: What is compared, such as `Runtime`.
        old: The parent's figure, with its unit; empty: nothing was compared.
        new: The candidate's; where it is not right, how it ended.
        difference: New against old in percent; empty where there is no such figure.
        effect: How much better, with its interval; empty: nothing was compared.
        judgement: Whether that is significant, or within noise.
        failing: Cases that failed, a line each.
    """

    child: str
    parent: str
    operator: str
    approach: str = ""
    direction: str = ""
    expected: str = ""
    used: tuple[str, ...] = ()
    diff: str = ""
    change: str = ""
    branch: Branch
    quantity: str
    old: str
    new: str
    difference: str = ""
    effect: str = ""
    judgement: str
    failing: tuple[str, ...] = ()


def trajectory(parent: Solution, step: Step) -> Trajectory:
    """Return the summary of a judged step.

    Args:
        parent: What the candidate was compared with.
        step: With proposal, evaluation and verdict.
    """
    assert step.proposal is not None
    assert step.verdict is not None
    child, found = step.proposal.solution, step.comparison
    right = step.verdict.status is Status.AC and found is not None
    return Trajectory(
        child=child.id,
        parent=parent.id,
        operator=child.operator,
        approach=inline(child.strategy[:_WIDTH]),
        direction=inline(step.proposal.direction[:_WIDTH]),
        expected=inline(step.proposal.expected_effect[:_WIDTH]),
        used=tuple(inline(used[:_WIDTH]) for used in step.proposal.lessons_used),
        diff=difference(parent.files, child.files),
        change=str(evidence.MeasuredChange(parent, child)),
        branch=step.verdict.branch,
        quantity=_quantity(found),
        old=_figure(found, found.reference) if found else "",
        new=_figure(found, found.candidate) if found and right else _ended(step),
        difference=_percent(found, step.verdict) if found and right else "",
        effect=_effect(found, step.verdict) if found and right else "",
        judgement=_judgement(step.verdict),
        failing=_failing(step),
    )


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Return the unified diff of two programs, file by file; empty for equal ones."""
    from se_agent.program.features import unified_diff

    paths = sorted({*old, *new})
    return "".join(unified_diff(old.get(path, ""), new.get(path, ""), path) for path in paths)


def _quantity(found: Comparison | None) -> str:
    if found is None:
        return "Result"
    if found.kind is ComparisonKind.EXACT:
        return "Score" if found.trusted else "Untrusted Score"
    return _TITLES.get(found.blocks[-1].unit, "Share of the Old Program")


def _figure(found: Comparison, value: float) -> str:
    if found.kind is ComparisonKind.EXACT:
        return f"{value:.6g}"
    return amount(value, found.blocks[-1].unit)


def _ended(step: Step) -> str:
    """Return how a candidate that has no figure ended; its failing cases are told apart."""
    assert step.verdict is not None
    assert step.evaluation is not None
    if step.verdict.status is Status.WA and step.evaluation.failing:
        return "WA, wrong answer"
    return evidence.result_phrase(step)


def _percent(found: Comparison, verdict: Verdict) -> str:
    """Return the seed's `Improved by 20%`; a difference has no sign but this word (X-09)."""
    if not found.reference or not math.isfinite(verdict.perf_diff):
        return ""
    share = 100 * verdict.perf_diff / abs(found.reference)
    if abs(share) < 0.05:
        return "No change"
    return f"{'Improved' if share > 0 else 'Worse'} by {abs(share):.3g}%"


def _effect(found: Comparison, verdict: Verdict) -> str:
    low, high = verdict.interval
    if found.kind is not ComparisonKind.TIMED:
        return "exact, without noise"
    ends = " to ".join(f"{math.exp(max(-700.0, min(end, 700.0))):.3g}x" for end in (low, high))
    return f"{evidence.ratio(verdict.effect)}, 99 % interval {ends}"


def _judgement(verdict: Verdict) -> str:
    if verdict.status is not Status.AC:
        return "not right"
    if evidence.outcome_of(verdict) is Outcome.NEUTRAL:
        return "within noise"
    return "significant"


def _failing(step: Step) -> tuple[str, ...]:
    assert step.evaluation is not None
    return tuple(
        f"{inline(case.name[:_WIDTH])}: "
        + (f"input {quoted_value(case.input)}, " if case.input else "")
        + f"expected {quoted_value(case.expected)}, got {quoted_value(case.got)}"
        for case in step.evaluation.failing[:_CASES]
    )
